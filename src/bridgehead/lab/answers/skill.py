"""Questions 4 and 5: does skill pay, and how large is the share of luck? From duels."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.lab import duels
from bridgehead.lab.answers.answer import Answer, Measure, Thresholds, called, light, percent
from bridgehead.lab.answers.tension import NOTHING
from bridgehead.lab.plan import deals
from bridgehead.lab.running import Results
from bridgehead.lab.words import phrase, sentences, whole
from bridgehead.players.contest import seatings
from bridgehead.players.statistics import Estimate, bootstrap, bounded, mean

Array = np.ndarray[Any, Any]
ENOUGH = 5  # sets of games needed at every step for a light
RUNG = 0.55  # a step of the ladder counts while the stronger player wins at least this share


def skill(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 4: the ladder of duels, each player against the one below; rungs until the stronger wins less than RUNG."""
    measures, climbing, rungs = [], True, 0
    even = 1 / len(set(game.sides))
    for which, duel in results.plan.ladder:
        found = bounded(mean(duels.scores(game, results.rows("duels", which, arm))))
        measures.append(Measure(phrase("measure.against", player=duel.other), duel.one, found, "points"))
        climbing = climbing and found.games > 0 and found.value >= RUNG * even / 0.5
        rungs += climbing
    total = Estimate(float(rungs), float(rungs), float(rungs), sum(each.estimate.games for each in measures))
    measures.append(Measure(Phrase("measure.rungs"), "", total))
    ladder = [duel for _, duel in results.plan.ladder]
    text = (
        phrase(
            "skill.points" if even == 0.5 else "skill.games", n=len(ladder), low=called(ladder[0].other),
            high=called(ladder[-1].one), rungs=rungs, least=whole(100 * RUNG * even / 0.5), even=whole(100 * even),
        )
        if ladder
        else Phrase("skill.none")
    )  # fmt: skip
    few = min((each.estimate.games for each in measures[:-1]), default=0)
    shown = light(total, limits.rungs) if few >= ENOUGH else "unknown"
    return Answer(4, shown, sentences(text, phrase("skill.sets", n=few)), measures)


def luck(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 5: the share of the variance of results that comes from a set's chance, whatever the seating: 0 skill, 1 coin."""
    if not any(results.rows("duels", which, arm)["chances"].any() for which, _ in results.plan.ladder):
        return Answer(5, "good", Phrase("luck.none"), [])
    measures, found = [], NOTHING
    for which, duel in results.plan.ladder:
        sets = _sets(game, results.rows("duels", which, arm))
        found = bootstrap(list(sets), luck_share, times=500) if len(sets) else NOTHING
        measures.append(Measure(phrase("measure.luck", player=duel.other), duel.one, found, "share"))
    last = results.plan.ladder[-1][1]
    first = deals(game) == "first"
    players = {"one": called(last.one), "other": called(last.other)}
    if found.games < ENOUGH:
        return Answer(5, "unknown", phrase("luck.few", n=found.games, **players), measures)
    text = phrase("luck.first" if first else "luck", share=percent(found), **players)
    return Answer(5, light(found, limits.luck), text, measures)


def _sets(game: Game, rows: Array) -> Array:
    """Results of sets: for each the first side's result in two games, with the first player there and with the other."""
    seated = seatings(game, ("one", "other"))
    first = [i for i, seat_side in enumerate(game.sides) if seat_side == sorted(set(game.sides))[0]][0]
    place = [[seats[first] == who for seats in seated].index(True) for who in ("one", "other")]
    whole = len(rows) // len(seated)
    both = [rows["result"][i : whole * len(seated) : len(seated), first] for i in place]
    return np.stack(both, axis=1)[:, None, :]


def luck_share(sets: Array) -> float:
    """The variance of sets' means against the effect of the player, from the first side's results, one row per set."""
    common, change = sets.mean(axis=-1), (sets[..., 0] - sets[..., 1]) / 2
    chance, made = float(common.var()), float((change**2).mean())
    return chance / (chance + made) if chance + made else 0.0
