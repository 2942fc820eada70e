"""Questions 8, 10, 12: real choices, kingmaking, clarity. From decision samples of the strongest player."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.lab.answers.answer import Answer, Measure, Thresholds, judged, known, light, percent
from bridgehead.lab.answers.tension import NOTHING, waiting
from bridgehead.lab.decision_samples import BUDGETS, CLOSE, HEAVY
from bridgehead.lab.running import Results
from bridgehead.lab.words import phrase, sentences, whole
from bridgehead.players.statistics import Estimate, bootstrap, bounded, mean


def choices(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 8: decisions with several good moves; forced moves; the number of moves."""
    measures, forced = [], NOTHING
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        forced = bounded(mean(rows["forced"] / np.maximum(rows["plies"], 1)))
        measures += [
            Measure(Phrase("measure.forced"), strength.player, forced, "share"),
            Measure(Phrase("measure.legal"), strength.player, mean(rows["branching"].mean(axis=1))),
        ]
    player = results.plan.strengths[-1].player
    real = _over(results, arm, lambda rows: (rows["near"] >= 2)[rows["legal"] > 0].mean())
    measures.append(Measure(phrase("measure.near", points=whole(100 * CLOSE)), player, real, "share"))
    none = "choices.some" if forced.value >= 0.0005 or not known(forced) else "choices.few" if forced.value else "choices.none"
    text = sentences(
        phrase(none, share=percent(forced)),
        phrase("choices.real", share=percent(real), games=whole(real.games)) if known(real) else "",
    )
    return Answer(8, light(forced, limits.forced), text, measures)


def others(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 10: waiting, being out of the game, and kingmaking."""
    measures, gone = waiting(results, game, arm)
    king = _over(results, arm, lambda rows: rows["kingmaker"][rows["legal"] > 0].mean())
    measures.append(Measure(Phrase("measure.kings"), results.plan.strengths[-1].player, king, "share"))
    many = len(set(game.sides)) > 2
    more = phrase("others.kings", share=percent(king), points=whole(100 * HEAVY)) if many and known(king) else ""
    return Answer(10, light(gone, limits.gone), sentences(phrase("others", share=percent(gone)), more), measures)


def clarity(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 12: the loss of looking one action ahead; the search effort until the best action stays the same."""
    player = results.plan.strengths[-1].player
    regret = _over(results, arm, lambda rows: rows["regret"][rows["legal"] > 0].mean())
    settled = _over(results, arm, lambda rows: (rows["settled"] <= 2)[rows["legal"] > 0].mean())
    measures = [
        Measure(Phrase("measure.regret"), player, regret, "points"),
        Measure(phrase("measure.settled", n=BUDGETS[2]), player, settled, "share"),
    ]
    text = phrase(
        "clear", share=percent(regret), simulations=whole(BUDGETS[2]), settled=percent(settled), games=whole(regret.games)
    )
    return judged(12, regret, limits.regret, text, "clear.none", measures)


def _over(results: Results, arm: int, measure: Any) -> Estimate:
    """A measure of all samples; games are resampled whole."""
    rows = results.rows("looks", len(results.plan.strengths) - 1, arm)
    rows = rows[(rows["legal"] > 0).any(axis=1)]
    return bounded(bootstrap([rows[i : i + 1] for i in range(len(rows))], measure, times=500)) if len(rows) else NOTHING
