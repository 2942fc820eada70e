"""Questions 9 and 11: dead or dominant rules; use of the board. From replayed games."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.lab.answers import action_kinds, symmetry
from bridgehead.lab.answers.action_kinds import lift
from bridgehead.lab.answers.answer import Answer, Measure, Thresholds, light
from bridgehead.lab.answers.tension import NOTHING
from bridgehead.lab.readings import fields_of
from bridgehead.lab.running import Results
from bridgehead.lab.words import Text, listed, phrase, sentences, whole
from bridgehead.players.statistics import Estimate, wilson

Array = np.ndarray[Any, Any]
ENOUGH = 10  # replayed games needed for a light
LIFTED = 0.15  # difference from a side's usual share of wins at which the sentence names a clause


def clauses(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 9: the share of games in which each clause took effect; the share of wins of the side it worked for; and kinds
    of actions."""
    measures: list[Measure] = []
    seldom: list[tuple[float, str]] = []
    named: list[Text] = []
    dead, read = NOTHING, 0
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("readings", which, arm)
        if not len(rows):
            continue
        seldom, named, read = [], [], len(rows)
        ending = _ends(game, results.rows("games", which, arm), limits.rare[0])
        watched = [i for i, clause in enumerate(game.rulebook.clauses) if _decides(results, arm, i)]
        for i in watched:
            clause = game.rulebook.clauses[i]
            found = wilson(int(rows["fired"][:, i].any(axis=1).sum()), len(rows))
            measures.append(Measure(phrase("measure.fired", clause=clause.id), strength.player, found, "share"))
            change = lift(rows["fired"][:, i], rows["won"])
            measures.append(Measure(phrase("measure.fired_wins", clause=clause.id), strength.player, change, "points"))
            if found.value < limits.rare[0] and clause.id not in ending:
                seldom.append((found.value, f"{clause.id} ({100 * found.value:.0f} %)"))
            if change.low > 0 and change.value > LIFTED and change.games >= ENOUGH:
                named.append(phrase("clauses.named", clause=clause.id, points=whole(100 * change.value)))
        dead = wilson(sum(each[0] < limits.rare[1] for each in seldom), len(watched))
    rare = listed([text for _, text in sorted(seldom)[:6]])
    done = action_kinds.doings(results, game, arm)
    text = sentences(
        phrase("clauses.rare", games=whole(read), share=whole(100 * limits.rare[0]), clauses=rare),
        phrase("clauses.lifted", clauses=listed(named[:4])) if named else "",
        action_kinds.sentence(results, game, arm, done),
    )
    measures += action_kinds.measures(results, game, arm, done)
    shown = light(dead, limits.unused) if read >= ENOUGH else "unknown"
    return Answer(9, shown, text, measures, exploratory=True)


def _decides(results: Results, arm: int, clause: int) -> bool:
    """Did a clause take effect in any game? The others are definitions, or rules of variants not played."""
    rows = [results.rows("readings", which, arm) for which in range(len(results.plan.strengths))]
    return any(bool(each["fired"][:, clause].any()) for each in rows if len(each))


def _ends(game: Game, rows: Array, least: float) -> set[str]:
    """Clauses that end at least this share of games. A die or a card may trigger them, so they count for no side."""
    found = rows["reason"]
    return {
        clause for number, (_, clause) in enumerate(game.spec.rules.REASONS) if len(found) and (found == number).mean() >= least
    }


def board(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 11: fields never entered; where pieces are taken and games end; halves of a symmetric board."""
    measures, empty, read = [], NOTHING, 0
    text: Text = Phrase("board.none")
    names = [field.removeprefix("f:") for field in fields_of(game)]
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("readings", which, arm)
        if not len(rows):
            continue
        read = len(rows)
        entered, taken = rows["entered"].sum(axis=0), rows["taken"].sum(axis=0)
        empty = wilson(int((entered == 0).sum()), len(names))
        measures.append(Measure(Phrase("measure.empty"), strength.player, empty, "share"))
        busiest = float(np.sort(entered)[::-1][: max(1, len(names) // 10)].sum() / max(1, entered.sum()))
        measures.append(
            Measure(Phrase("measure.busiest"), strength.player, Estimate(busiest, busiest, busiest, len(rows)), "share")
        )
        ended = np.bincount(rows["last"][rows["last"] >= 0], minlength=len(names))
        for kind, counts in (("entered", entered), ("taken", taken), ("ended", ended)):
            for i in np.argsort(-counts, kind="stable")[:5]:
                each = wilson(int(counts[i]), int(counts.sum())) if counts.sum() else NOTHING
                measures.append(Measure(phrase(f"measure.{kind}", field=names[int(i)]), strength.player, each, "share"))
        uneven = symmetry.used(game, rows["entered"])
        measures += symmetry.measures(strength.player, uneven)
        counted = {"empty": whole(empty.value * empty.games), "fields": whole(empty.games), "share": whole(100 * busiest)}
        text = sentences(phrase("board", games=whole(len(rows)), **counted), symmetry.sentence(uneven))
    shown = light(empty, limits.unused) if read >= ENOUGH else "unknown"
    return Answer(11, shown, text, measures, exploratory=True)
