"""Questions 8, 10, 12: real choices, kingmaking, clarity. From decision samples of the strongest player."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.lab.answers.answer import Answer, Measure, Thresholds, judged, known, light, percent
from bridgehead.lab.answers.tension import NOTHING, waiting
from bridgehead.lab.decision_samples import BUDGETS, CLOSE, HEAVY
from bridgehead.lab.running import Results
from bridgehead.players.statistics import Estimate, bootstrap, bounded, mean


def choices(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 8: decisions with several good moves; forced moves; the number of moves."""
    measures, forced = [], NOTHING
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        forced = bounded(mean(rows["forced"] / np.maximum(rows["plies"], 1)))
        measures += [
            Measure("forced plies", strength.player, forced, "share"),
            Measure("legal actions", strength.player, mean(rows["branching"].mean(axis=1))),
        ]
    player = results.plan.strengths[-1].player
    real = _over(results, arm, lambda rows: (rows["near"] >= 2)[rows["legal"] > 0].mean())
    measures.append(Measure(f"two or more within {CLOSE:.0%} of the best", player, real, "share"))
    none = f"{percent(forced)} of plies leave no choice"
    if forced.value < 0.0005:
        none = "every ply leaves a choice" if forced.value == 0 else "all but a few plies leave a choice"
    sentence = f"Between the strongest players {none}."
    if known(real):
        more = "two or more actions about as good as the best"
        sentence += f" Where there is one, {percent(real)} offer {more} ({real.games} games looked into)."
    return Answer(8, "Are there real choices?", light(forced, limits.forced), sentence, measures)


def others(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 10: waiting, being out of the game, and kingmaking."""
    measures, gone = waiting(results, game, arm)
    king = _over(results, arm, lambda rows: rows["kingmaker"][rows["legal"] > 0].mean())
    measures.append(Measure("decisions that make others kings", results.plan.strengths[-1].player, king, "share"))
    many = len(set(game.sides)) > 2
    more = (
        f" At {percent(king)} of decisions a player chooses between others: as good for oneself, but {100 * HEAVY:.0f} points or "
        "more of somebody else's winning chance."
        if many and known(king)
        else ""
    )
    sentence = f"The player whose last action comes first sits out the last {percent(gone)} of the game.{more}"
    return Answer(10, "Waiting, elimination, kingmaking?", light(gone, limits.gone), sentence, measures)


def clarity(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 12: the loss of looking one action ahead; the search effort until the best action stays the same."""
    player = results.plan.strengths[-1].player
    regret = _over(results, arm, lambda rows: rows["regret"][rows["legal"] > 0].mean())
    settled = _over(results, arm, lambda rows: (rows["settled"] <= 2)[rows["legal"] > 0].mean())
    measures = [
        Measure("regret of looking one action ahead", player, regret, "points"),
        Measure(f"settled within {BUDGETS[2]} simulations", player, settled, "share"),
    ]
    sentence = (
        f"Who looks only one action ahead gives away {percent(regret)} of a win at each decision. A search has found its lasting "
        f"answer within {BUDGETS[2]} simulations at {percent(settled)} of decisions ({regret.games} games looked into)."
    )
    return judged(12, "Is it clear?", regret, limits.regret, sentence, "No decision was looked into.", measures)


def _over(results: Results, arm: int, measure: Any) -> Estimate:
    """A measure of all samples; games are resampled whole."""
    rows = results.rows("looks", len(results.plan.strengths) - 1, arm)
    rows = rows[(rows["legal"] > 0).any(axis=1)]
    return bounded(bootstrap([rows[i : i + 1] for i in range(len(rows))], measure, times=500)) if len(rows) else NOTHING
