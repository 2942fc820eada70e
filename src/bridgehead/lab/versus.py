"""Two sets of house rules under the same seeds and players: paired differences, with all looks paid for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.game import Game
from bridgehead.lab.running import Results
from bridgehead.lab.statistics import Estimate, holm, mean

Array = np.ndarray[Any, Any]


class Difference(NamedTuple):
    """Second arm less first, game by game. alone: how likely chance makes it as large; all: the same, every look paid for."""

    name: str
    player: str
    first: Estimate
    second: Estimate
    change: Estimate
    alone: float
    all: float


def measures(game: Game) -> dict[str, Any]:
    """What is compared, from rows of FACTS: a number a game."""
    first = game.sides.index(sorted(set(game.sides))[0])
    return {
        f"points of {game.spec.seat_letter(first).upper()}": lambda rows: (1 + rows["result"][:, first]) / 2,
        "won by somebody": lambda rows: (rows["result"][:, : game.seats] > 0).any(axis=1).astype(float),
        "plies": lambda rows: rows["plies"].astype(float),
        "turns": lambda rows: rows["turns"].astype(float),
        "decisions": lambda rows: rows["decisions"][:, : game.seats].sum(axis=1).astype(float),
        "legal actions": lambda rows: rows["branching"].mean(axis=1),
        "changes of the lead": lambda rows: np.where(rows["weighed"], rows["leads"], np.nan),
        "decided after": lambda rows: np.where(rows["weighed"], rows["decided"], np.nan),
    }


def differences(results: Results, one: int = 0, other: int = 1) -> list[Difference]:
    """For each strength and measure; the last column by Holm over all of them."""
    game = results.plan.made(one)
    found = []
    for which, strength in enumerate(results.plan.strengths):
        pair = [results.rows("games", which, arm) for arm in (one, other)]
        both = min(len(rows) for rows in pair)
        for name, measure in measures(game).items():
            first, second = (np.asarray(measure(rows[:both]), np.float64) for rows in pair)
            change = second - first
            change = change[~np.isnan(change)]
            found.append(Difference(name, strength.player, mean(first), mean(second), mean(change), doubt(change), 1.0))
    paid = holm([each.alone for each in found])
    return [each._replace(all=chance) for each, chance in zip(found, paid, strict=True)]


def doubt(change: Array) -> float:
    """How likely a mean difference is at least so far from nothing by chance alone (Student's test of pairs)."""
    from scipy import stats

    if len(change) < 2 or not change.any():
        return 1.0
    if change.std() == 0:
        return 0.0
    return float(stats.ttest_1samp(change, 0.0).pvalue)
