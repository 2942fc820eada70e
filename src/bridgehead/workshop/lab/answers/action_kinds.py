"""Kinds of actions: the frequency of each, the wins with it, and the cost of avoiding it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.phrases import Phrase
from bridgehead.workshop.arena.contest import seatings
from bridgehead.workshop.lab.action_kinds import kinds
from bridgehead.workshop.lab.answers.answer import Measure, Run, make_measure, name_player, percent
from bridgehead.workshop.lab.facts import SWING, by_side, winners
from bridgehead.workshop.lab.plan import Duel
from bridgehead.workshop.lab.words import Figure, Text, join_parts, phrase, sentences, side_names, whole
from bridgehead.workshop.statistics import Estimate, exact

Array = np.ndarray[Any, Any]
SELDOM = 0.05  # share of games; rarer kinds are named in the sentence


class ActionKind(NamedTuple):
    """One kind of action of one strength. times: per game, all seats; games: share of games with it; by: times per game of each
    side; used, most: share of wins above the usual one of sides that did it at all, and of the side that did it most for its
    number of actions; swings: share of these actions that change a side's chance by SWING or more."""

    kind: str
    player: str
    times: Estimate
    games: Estimate
    by: tuple[float, ...]
    used: Estimate
    most: Estimate
    swings: Estimate


def list_action_kinds(run: Run) -> list[ActionKind]:
    """All kinds of actions that occurred, of each strength in turn."""
    seen = np.sum([rows["did"].sum(axis=(0, 2)) for _, rows in run.players("games")], axis=0) > 0
    return [_doing(run, rows, int(i), player) for player, rows in run.players("games") for i in np.flatnonzero(seen)]


def _doing(run: Run, rows: Array, place: int, player: str) -> ActionKind:
    game = run.game
    did, won = by_side(game, rows["did"][:, place]), winners(game, rows)
    total, weighed = did.sum(axis=1), rows[rows["weighed"]]
    rate = did / np.maximum(by_side(game, rows["did"].sum(axis=1)), 1)  # per action: a winner may have had an extra turn
    best = rate == rate.max(axis=1, initial=0)[:, None]
    return ActionKind(
        kinds(game).names[place],
        player,
        run.mean(total),
        run.share(int((total > 0).sum()), len(rows)),
        tuple(did.mean(axis=0).tolist() if len(did) else [0.0] * did.shape[1]),
        lift(run, did > 0, won),
        lift(run, best & (best.sum(axis=1) == 1)[:, None], won),
        run.share(int(weighed["swung"][:, place].sum()), int(weighed["did"][:, place].sum())),
    )


def lift(run: Run, fired: Array, won: Array) -> Estimate:
    """The share of wins of sides for which something fired, above the share of all sides. fired: games x sides; won: the
    winning side."""
    decided = won >= 0
    fired, won = fired[decided], won[decided]
    wins = np.arange(fired.shape[1])[None, :] == won[:, None]
    found = run.share(int((wins & fired).sum()), int(fired.sum()))
    usual = 1 / fired.shape[1]
    return found._replace(value=found.value - usual, low=found.low - usual, high=found.high - usual)


def measures(run: Run, found: list[ActionKind]) -> list[Measure]:
    """All numbers on kinds of actions as measures; for the strongest player also by side."""
    rows = []
    for each in found:
        rows += [
            make_measure("times", each.player, each.times, kind=each.kind),
            make_measure("games", each.player, each.games, "share", kind=each.kind),
            make_measure("used", each.player, each.used, "points", kind=each.kind),
            make_measure("did_most", each.player, each.most, "points", kind=each.kind),
            make_measure("swings", each.player, each.swings, "share", kind=each.kind, points=whole(100 * SWING)),
        ]
    for each in found:
        if each.player == run.strongest:
            sides = [(name, exact(by, each.times.games)) for name, by in zip(side_names(run.game), each.by, strict=True)]
            rows += [make_measure("times_of", each.player, times, kind=each.kind, side=name) for name, times in sides]
    return rows + [Measure(name, duel.one, value, "points") for duel, found in find_abstentions(run) for name, value in found]


def find_abstentions(run: Run) -> list[tuple[Duel, list[tuple[Phrase, Estimate]]]]:
    """The duels in which a player avoids a kind of action, with what is `left_out`."""
    return [(duel, left_out(run, run.rows("duels", which))) for which, duel in run.results.plan.abstaining]


def left_out(run: Run, rows: Array) -> list[tuple[Phrase, Estimate]]:
    """Wins of a player that avoids a kind of action, alone against others that do not; with more than two sides also the
    reverse."""
    game = run.game
    seated = seatings(game, ("one", "other"))
    whole = len(rows) // len(seated) * len(seated)
    without, having, won = [0, 0], [0, 0], winners(game, rows[:whole])
    order = sorted(set(game.sides))
    for number, side in enumerate(won):
        who = seated[number % len(seated)]
        ones = {game.sides[seat] for seat, each in enumerate(who) if each == "one"}
        if side >= 0:
            count = without if len(ones) == 1 else having
            count[0] += (order[side] in ones) == (len(ones) == 1)
            count[1] += 1
    found = [(Phrase("measure.without"), run.share(*without)), (Phrase("measure.with"), run.share(*having))]
    return found if len(order) > 2 else found[:1]


def sentence(run: Run, found: list[ActionKind]) -> Text:
    """The sentence about the strongest player's actions."""
    mine = [each for each in found if each.player == run.strongest]
    rare = [each for each in mine if each.games.games and each.games.value < SELDOM]
    seldom: list[Text] = [phrase("kinds.share", kind=each.kind, share=percent(each.games)) for each in rare]
    parts: list[Text] = [phrase("kinds.seldom", share=whole(100 * SELDOM), kinds=join_parts(seldom))]
    lifted = [each for each in mine if each.most.games and (each.most.low > 0 or each.most.high < 0)]
    lifted = sorted(lifted, key=lambda each: -abs(each.most.value))[:3]
    if lifted:
        ways: list[Text] = [
            phrase("kinds.points", kind=each.kind, points=Figure(f"{100 * each.most.value:+.0f}"), games=whole(each.most.games))
            for each in lifted
        ]
        parts.append(phrase("kinds.lifted", kinds=join_parts(ways)))
    for duel, ((_, alone), *_) in find_abstentions(run):
        even = whole(100 / len(set(run.game.sides)))
        parts.append(
            phrase("kinds.alone", player=name_player(duel.one), share=percent(alone), games=whole(alone.games), even=even)
        )
    return sentences(*parts)
