"""Intervals and tests of the lab: scipy's and statsmodels' where they have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class Estimate(NamedTuple):
    """A number with its 95 % interval, and how many games (or clusters of games) it rests on."""

    value: float
    low: float
    high: float
    games: int


def share(successes: float, games: int, level: float = 0.95) -> Estimate:
    """A share with Wilson's interval; of no games, all is possible."""
    from statsmodels.stats.proportion import proportion_confint

    if games == 0:
        return Estimate(float("nan"), 0.0, 1.0, 0)
    low, high = proportion_confint(successes, games, 1 - level, "wilson")
    return Estimate(successes / games, float(low), float(high), games)


def mean(numbers: Array | Sequence[float], level: float = 0.95) -> Estimate:
    """A mean with Student's interval; of one number it is unbounded."""
    from scipy import stats

    known = np.asarray(numbers, np.float64)
    known = known[~np.isnan(known)]
    count = len(known)
    if count == 0:
        return Estimate(float("nan"), float("-inf"), float("inf"), 0)
    middle = float(known.mean())
    if count == 1:
        return Estimate(middle, float("-inf"), float("inf"), 1)
    half = float(stats.t.ppf((1 + level) / 2, count - 1) * known.std(ddof=1) / np.sqrt(count))
    return Estimate(middle, middle - half, middle + half, count)


def bounded(found: Estimate, least: float = 0.0, most: float = 1.0) -> Estimate:
    """An estimate of what cannot lie outside: its interval cut there. Of nothing it stays unknown."""
    if found.games == 0:
        return found._replace(low=least, high=most)
    return found._replace(low=max(least, found.low), high=min(most, found.high))


def bootstrap(clusters: Sequence[Array], measure: Any, seed: int = 1, times: int = 2000, level: float = 0.95) -> Estimate:
    """Any measure of all games, with its percentile interval; games of one cluster (one seed) are drawn together.

    measure: takes the games of the clusters drawn, as one array.
    """
    if not clusters:
        return Estimate(float("nan"), float("-inf"), float("inf"), 0)
    lot = np.random.default_rng(seed)
    found = np.empty(times)
    for i in range(times):
        found[i] = measure(np.concatenate([clusters[j] for j in lot.integers(0, len(clusters), len(clusters))]))
    low, high = np.nanquantile(found, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(measure(np.concatenate(clusters))), float(low), float(high), len(clusters))


def holm(chances: Sequence[float]) -> list[float]:
    """Chances of a false alarm, made fit for so many looks at once (Holm 1979)."""
    from statsmodels.stats.multitest import multipletests

    return [float(each) for each in multipletests(chances, method="holm")[1]] if len(chances) else []


def equal_shares(counts: Sequence[int]) -> float:
    """How likely counts at least as uneven as these are when all are equally likely (chi-square; exact for two)."""
    from scipy import stats

    total = sum(counts)
    if total == 0 or len(counts) < 2:
        return 1.0
    if len(counts) == 2:
        return float(stats.binomtest(counts[0], total).pvalue)
    return float(stats.chisquare(counts).pvalue)


def paired(one: Array, other: Array, level: float = 0.95) -> Estimate:
    """The mean difference of pairs (first less second) with Student's interval."""
    return mean(np.asarray(one, np.float64) - np.asarray(other, np.float64), level)


def games_needed(difference: float, arms: int = 2, level: float = 0.05, power: float = 0.8) -> int:
    """Games an arm to find a difference of shares round one half: of two arms, or (arms=1) of one from one half."""
    from scipy import stats

    reach = float(stats.norm.ppf(1 - level / 2) + stats.norm.ppf(power))
    return int(np.ceil(arms * 0.25 * (reach / difference) ** 2))


def smallest_gap(games: int, arms: int = 2, level: float = 0.05, power: float = 0.8) -> float:
    """The difference of shares that so many games an arm find, as often as `power` says."""
    from scipy import stats

    reach = float(stats.norm.ppf(1 - level / 2) + stats.norm.ppf(power))
    return float(reach * np.sqrt(arms * 0.25 / max(1, games)))
