"""Two sets of house rules with the same seeds and players: paired differences, adjusted for multiple tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.game import Game
from bridgehead.lab.answers.basics import side_names
from bridgehead.lab.running import Results
from bridgehead.players.statistics import Estimate, holm, mean, paired

Array = np.ndarray[Any, Any]


ONE_WINNER = "no pair of games had one winner each"
NOT_WEIGHED = "no pair of games was weighed"
# By measure: the reason if no pair of games can be compared.
LACKING = {"changes of the lead": NOT_WEIGHED, "decided after": ONE_WINNER}


class Difference(NamedTuple):
    """Second arm minus first, game by game. alone: the p-value of this test; all: adjusted for all tests.

    lacking: why nothing could be compared, else "". Then both p-values are NaN, and the adjustment leaves the test out.
    """

    name: str
    player: str
    first: Estimate
    second: Estimate
    change: Estimate
    alone: float
    all: float
    lacking: str = ""


def measures(game: Game) -> dict[str, Any]:
    """The measures, from rows of FACTS: one number per game."""
    first = game.sides.index(sorted(set(game.sides))[0])
    return {
        f"points of {side_names(game)[0]}": lambda rows: (1 + rows["result"][:, first]) / 2,
        "won by somebody": lambda rows: (rows["result"][:, : game.seats] > 0).any(axis=1).astype(float),
        "plies": lambda rows: rows["plies"].astype(float),
        "turns": lambda rows: rows["turns"].astype(float),
        "decisions": lambda rows: rows["decisions"][:, : game.seats].sum(axis=1).astype(float),
        "legal actions": lambda rows: rows["branching"].mean(axis=1),
        "changes of the lead": lambda rows: np.where(rows["weighed"], rows["leads"], np.nan),
        "decided after": lambda rows: np.where(rows["weighed"], rows["decided"], np.nan),
    }


def differences(results: Results, one: int = 0, other: int = 1) -> list[Difference]:
    """For each strength and measure; `all` by Holm over all tests."""
    game, found = results.plan.made(one), []
    for which, strength in enumerate(results.plan.strengths):
        found += compared(game, strength.player, *(results.rows("games", which, arm) for arm in (one, other)))
    return paid(found)


def compared(game: Game, player: str, first: Array, second: Array) -> list[Difference]:
    """Each measure of two runs of games, pair by pair, without the adjustment."""
    both, found = min(len(first), len(second)), []
    for name, measure in measures(game).items():
        one, other = (np.asarray(measure(rows[:both]), np.float64) for rows in (first, second))
        change = other - one
        change = change[~np.isnan(change)]
        lacking = "" if len(change) > 1 else LACKING.get(name, "no pair of games") if not len(change) else "one pair of games"
        alone = float("nan") if lacking else paired(change)
        found.append(Difference(name, player, mean(one), mean(other), mean(change), alone, alone, lacking))
    return found


def paid(found: list[Difference]) -> list[Difference]:
    """These differences with p-values adjusted for the number of tests."""
    chances = iter(holm([each.alone for each in found if not each.lacking]))
    return [each if each.lacking else each._replace(all=next(chances)) for each in found]
