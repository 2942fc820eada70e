"""Questions 6, 7, and part of 10: is the game tense; when is it decided; how long do people wait?"""

from __future__ import annotations

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.lab.answers.answer import Answer, Measure, Thresholds, judged, known, light, percent, plain
from bridgehead.lab.facts import BEHIND, PARTS, SURE
from bridgehead.lab.running import Results
from bridgehead.lab.words import phrase, sentences, whole
from bridgehead.players.statistics import Estimate, bounded, mean, wilson

NOTHING = Estimate(float("nan"), 0.0, 0.0, 0)


def tense(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 6: changes of the lead, drama, uncertainty by tenth, comebacks, by the evaluation's win chances."""
    measures, leads, back = [], NOTHING, NOTHING
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        rows = rows[rows["weighed"]]
        won = rows[~np.isnan(rows["back"])]
        leads, back = mean(rows["leads"]), wilson(int((won["back"] <= BEHIND).sum()), len(won))
        measures += [
            Measure(Phrase("measure.leads"), strength.player, leads),
            Measure(Phrase("measure.drama"), strength.player, bounded(mean(won["drama"])), "points"),
            Measure(Phrase("measure.comebacks"), strength.player, back, "share"),
        ]
        for part in range(PARTS):
            measures.append(
                Measure(phrase("measure.doubt", part=part + 1), strength.player, bounded(mean(rows["doubt"][:, part])), "share")
            )
    comebacks = phrase("tense.back", share=percent(back), chance=whole(100 * BEHIND)) if known(back) else ""
    return Answer(6, light(leads, limits.leads), sentences(phrase("tense", times=plain(leads)), comebacks), measures)


def decided(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 7: the first ply after which the winner stays at SURE or above, as a share of the game."""
    measures, middle = [], NOTHING
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        sure = rows["decided"][rows["weighed"] & ~np.isnan(rows["decided"])]
        middle = bounded(mean(sure))
        measures.append(Measure(Phrase("measure.decided"), strength.player, middle, "share"))
        if len(sure):
            low, half, high = (float(each) for each in np.quantile(sure, [0.25, 0.5, 0.75]))
            measures.append(
                Measure(Phrase("measure.decided_half"), strength.player, Estimate(half, low, high, len(sure)), "share")
            )
    text = phrase("decided", chance=whole(100 * SURE), share=percent(middle))
    return judged(7, middle, limits.decided, text, "decided.none", measures)


def waiting(results: Results, game: Game, arm: int = 0) -> tuple[list[Measure], Estimate]:
    """The part of question 10 about waiting and being out of the game; and the longest share out of the game."""
    measures, gone = [], NOTHING
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        gone = bounded(mean(rows["gone"][:, : game.seats].max(axis=1)))
        measures += [
            Measure(Phrase("measure.wait"), strength.player, mean(rows["wait"][:, : game.seats].mean(axis=1))),
            Measure(Phrase("measure.longest_wait"), strength.player, mean(rows["longest_wait"]), "plies"),
            Measure(Phrase("measure.gone"), strength.player, gone, "share"),
        ]
    return measures, gone
