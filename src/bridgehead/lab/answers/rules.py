"""Questions 9 and 11: dead or dominant rules; use of the board. From replayed games."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.lab.answers import action_kinds, symmetry
from bridgehead.lab.answers.action_kinds import lift
from bridgehead.lab.answers.answer import Answer, Measure, Thresholds, light
from bridgehead.lab.answers.tension import NOTHING
from bridgehead.lab.readings import fields_of
from bridgehead.lab.running import Results
from bridgehead.players.statistics import Estimate, wilson

Array = np.ndarray[Any, Any]
ENOUGH = 10  # replayed games needed for a light
LIFTED = 0.15  # difference from a side's usual share of wins at which the sentence names a clause


def clauses(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 9: the share of games in which each clause took effect; the share of wins of the side it worked for; and kinds
    of actions."""
    measures: list[Measure] = []
    seldom: list[tuple[float, str]] = []
    named: list[str] = []
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
            measures.append(Measure(f"{clause.id} fired", strength.player, found, "share"))
            change = lift(rows["fired"][:, i], rows["won"])
            measures.append(
                Measure(f"{clause.id}, wins of those it fired for above the usual", strength.player, change, "points")
            )
            if found.value < limits.rare[0] and clause.id not in ending:
                seldom.append((found.value, f"{clause.id} ({100 * found.value:.0f} %)"))
            if change.low > 0 and change.value > LIFTED and change.games >= ENOUGH:
                named.append(f"{clause.id} (+{100 * change.value:.0f} points)")
        dead = wilson(sum(each[0] < limits.rare[1] for each in seldom), len(watched))
    rare = ", ".join(text for _, text in sorted(seldom)[:6]) or "none"
    sentence = f"clauses that decide something in under {100 * limits.rare[0]:.0f} % of the strongest players' games: {rare}."
    if named:
        sentence += f" Who has these decide something wins oftener: {', '.join(named[:4])}; the one need not cause the other."
    done = action_kinds.doings(results, game, arm)
    sentence += action_kinds.sentence(results, game, arm, done)
    measures += action_kinds.measures(results, game, arm, done)
    shown = light(dead, limits.unused) if read >= ENOUGH else "unknown"
    return Answer(9, "Dead or dominant rules?", shown, f"In {read} games read again: {sentence}", measures, exploratory=True)


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
    measures, empty, text, read = [], NOTHING, "", 0
    names = [field.removeprefix("f:") for field in fields_of(game)]
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("readings", which, arm)
        if not len(rows):
            continue
        read = len(rows)
        entered, taken = rows["entered"].sum(axis=0), rows["taken"].sum(axis=0)
        empty = wilson(int((entered == 0).sum()), len(names))
        measures.append(Measure("fields never entered", strength.player, empty, "share"))
        busiest = float(np.sort(entered)[::-1][: max(1, len(names) // 10)].sum() / max(1, entered.sum()))
        measures.append(
            Measure("entries on the busiest tenth", strength.player, Estimate(busiest, busiest, busiest, len(rows)), "share")
        )
        ended = np.bincount(rows["last"][rows["last"] >= 0], minlength=len(names))
        for kind, counts in (("entered", entered), ("taken on", taken), ("ended on", ended)):
            for i in np.argsort(-counts, kind="stable")[:5]:
                each = wilson(int(counts[i]), int(counts.sum())) if counts.sum() else NOTHING
                measures.append(Measure(f"{kind} {names[int(i)]}", strength.player, each, "share"))
        uneven = symmetry.used(game, rows["entered"])
        measures += symmetry.measures(strength.player, uneven)
        text = (
            f"In {len(rows)} games the strongest players never entered {empty.value * empty.games:.0f} of {empty.games} fields; "
            f"the busiest tenth of the fields takes {100 * busiest:.0f} % of moves.{symmetry.sentence(uneven)}"
        )
    sentence = text or "No game was read again."
    shown = light(empty, limits.unused) if read >= ENOUGH else "unknown"
    return Answer(11, "Is the board used?", shown, sentence, measures, exploratory=True)
