"""Which of several causes explains a difference: Shapley shares of changes, and a regression over boards.

Shapley's share of a change is its mean effect over all orders in which the changes could be made (L. Shapley 1953), so the
shares add up to the effect of all changes together.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bridgehead.workshop.statistics import Estimate

Array = np.ndarray[Any, Any]
Subset = frozenset[int]
TIMES = 200  # resamples


def subsets(count: int) -> list[Subset]:
    """All subsets of so many changes."""
    return [frozenset(each) for size in range(count + 1) for each in itertools.combinations(range(count), size)]


def shapley(values: Mapping[Subset, float], count: int) -> list[float]:
    """Each change's share of the difference between all changes and none. values: the measure with each subset of changes."""
    found = [0.0] * count
    for each in subsets(count):
        weight = math.factorial(len(each)) * math.factorial(max(0, count - len(each) - 1)) / math.factorial(count)
        for change in set(range(count)) - each:
            found[change] += weight * (values[each | {change}] - values[each])
    return found


def shares(rows: Mapping[Subset, Array], measure: Callable[[Subset, Array], float], count: int) -> list[Estimate]:
    """Shapley shares with intervals: games are resampled in pairs, the same ones with every subset of changes."""
    games, lot = min(map(len, rows.values())), np.random.default_rng(1)
    values = shapley({each: measure(each, found[:games]) for each, found in rows.items()}, count)
    drawn = []
    for _ in range(TIMES):
        chosen = lot.integers(0, games, games)
        drawn.append(shapley({each: measure(each, found[chosen]) for each, found in rows.items()}, count))
    low, high = np.nanquantile(np.array(drawn), [0.025, 0.975], axis=0)
    return [Estimate(value, float(low[i]), float(high[i]), games) for i, value in enumerate(values)]


class Slope(NamedTuple):
    """A feature of homes that goes with wins: change of the share of wins for one more of it, and the part explained."""

    feature: str
    slope: Estimate
    explained: float


def slopes(features: Mapping[str, Sequence[Array]], wins: Sequence[Array]) -> list[Slope]:
    """A regression of shares of wins on each feature alone, both less their mean on the board; boards are left out in turn for
    the interval (jackknife). features, wins: one array over the seats for each board."""
    found = []
    for name, boards in features.items():
        pairs = [(each - each.mean(), won - won.mean()) for each, won in zip(boards, wins, strict=True)]
        if len(pairs) < 3 or sum(float((each**2).sum()) for each, _ in pairs) == 0:
            continue
        value = _slope(pairs)
        without = [_slope(pairs[:i] + pairs[i + 1 :]) for i in range(len(pairs))]
        half = 1.96 * math.sqrt((len(pairs) - 1) / len(pairs) * sum((each - np.mean(without)) ** 2 for each in without))
        x, y = (np.concatenate(part) for part in zip(*pairs, strict=True))
        explained = float(1 - ((y - value * x) ** 2).sum() / max(1e-12, float((y**2).sum())))
        found.append(Slope(name, Estimate(value, value - half, value + half, len(pairs)), explained))
    return found


def _slope(pairs: Sequence[tuple[Array, Array]]) -> float:
    square = sum(float((each**2).sum()) for each, _ in pairs)
    return sum(float((each * won).sum()) for each, won in pairs) / square if square else math.nan
