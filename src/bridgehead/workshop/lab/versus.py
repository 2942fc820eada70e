"""Two sets of house rules with the same seeds and players: paired differences and largest gaps, adjusted for multiple tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.workshop.lab.facts import winners
from bridgehead.workshop.lab.running import Results
from bridgehead.workshop.lab.words import phrase, side_names, tell
from bridgehead.workshop.statistics import NOTHING, Estimate, compute_paired_p, gap, holm, mean

Array = np.ndarray[Any, Any]


SWAPS = 2000  # random exchanges of the games of a pair
LACKING = {"measure.leads": "lacking.not_weighed", "measure.decided": "lacking.one_winner"}  # why there is nothing to compare


class Difference(NamedTuple):
    """Second arm minus first, game by game. alone: the p-value of this test; all: adjusted for all tests.

    obstacle: why nothing could be compared, or None. Then both p-values are NaN, and the adjustment leaves the test out.
    """

    label: Phrase
    player: str
    first: Estimate
    second: Estimate
    change: Estimate
    alone: float
    all: float
    obstacle: Phrase | None = None

    @property
    def lacking(self) -> str:
        """Why nothing could be compared, in English; else ""."""
        return tell(self.obstacle) if self.obstacle else ""


def measures(game: Game) -> list[tuple[Phrase, Any]]:
    """The measures, from rows of FACTS: one number per game."""
    first = game.sides.index(sorted(set(game.sides))[0])
    return [
        (phrase("measure.points", side=side_names(game)[0]), lambda rows: (1 + rows["result"][:, first]) / 2),
        (Phrase("measure.won"), lambda rows: (rows["result"][:, : game.seats] > 0).any(axis=1).astype(float)),
        (Phrase("measure.plies"), lambda rows: rows["plies"].astype(float)),
        (Phrase("measure.turns"), lambda rows: rows["turns"].astype(float)),
        (Phrase("measure.all_decisions"), lambda rows: rows["decisions"][:, : game.seats].sum(axis=1).astype(float)),
        (Phrase("measure.legal"), lambda rows: rows["branching"].mean(axis=1)),
        (Phrase("measure.leads"), lambda rows: np.where(rows["weighed"], rows["leads"], np.nan)),
        (Phrase("measure.decided"), lambda rows: np.where(rows["weighed"], rows["decided"], np.nan)),
    ]


def differences(results: Results, one: int = 0, other: int = 1) -> list[Difference]:
    """For each strength and measure; `all` by Holm over all tests."""
    game, found = results.plan.make_game(one), []
    for which, strength in enumerate(results.plan.strengths):
        found += compare_measures(game, strength.player, *(results.rows("games", which, arm) for arm in (one, other)))
    return adjust_p_values(found)


def compare_measures(game: Game, player: str, first: Array, second: Array) -> list[Difference]:
    """Each measure of two runs of games, pair by pair, without the adjustment."""
    both, found = min(len(first), len(second)), []
    for label, measure in measures(game):
        one, other = (np.asarray(measure(rows[:both]), np.float64) for rows in (first, second))
        change = other - one
        change = change[~np.isnan(change)]
        key = LACKING.get(label.key, "lacking.none") if not len(change) else "lacking.one_pair" if len(change) == 1 else ""
        alone = float("nan") if key else compute_paired_p(change)
        obstacle = Phrase(key) if key else None
        found.append(Difference(label, player, mean(one), mean(other), mean(change), alone, alone, obstacle))
    return [*found, _gaps(game, player, first[:both], second[:both])]


def _gaps(game: Game, player: str, first: Array, second: Array) -> Difference:
    """The largest gaps between sides. Under equal rules the games of a pair may change places, so the p-value is that of SWAPS
    random exchanges; the interval is the bootstrap's, by pairs."""
    won, label, lot = [winners(game, rows) for rows in (first, second)], Phrase("measure.gap"), np.random.default_rng(1)
    if len(first) < 2 or not all((each >= 0).any() for each in won):
        obstacle = Phrase("lacking.one_pair" if len(first) == 1 else "lacking.one_winner")
        return Difference(label, player, NOTHING, NOTHING, NOTHING, np.nan, np.nan, obstacle)
    counts = (np.stack(won)[:, :, None] == np.arange(len(set(game.sides)))).astype(np.int64)
    pairs, total, found = counts.shape[1], counts.sum(axis=1), _change(counts.sum(axis=1))
    moved = (counts[1] - counts[0]).T @ lot.integers(0, 2, (pairs, SWAPS))  # sides x swaps: wins that go to the other arm
    exchanged = [_change(np.stack([total[0] + each, total[1] - each])) for each in moved.T]
    alone = float(1 + (np.abs(exchanged) >= abs(found) - 1e-12).sum()) / (1 + SWAPS)
    drawn = [_change(counts[:, lot.integers(0, pairs, pairs)].sum(axis=1)) for _ in range(500)]
    low, high = (float(each) for each in np.quantile(drawn, [0.025, 0.975]))
    return Difference(label, player, gap(total[0]), gap(total[1]), Estimate(found, low, high, pairs), alone, alone)


def _change(wins: Array) -> float:
    """The second arm's largest gap less the first one's. wins: arms x sides."""
    return float(np.diff(np.ptp(wins / np.maximum(wins.sum(axis=1, keepdims=True), 1), axis=1))[0])


def adjust_p_values(found: list[Difference]) -> list[Difference]:
    """The same with adjusted p-values."""
    chances = iter(holm([each.alone for each in found if not each.obstacle]))
    return [each if each.obstacle else each._replace(all=next(chances)) for each in found]
