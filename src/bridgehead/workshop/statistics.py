"""Statistics of contests and studies: intervals, tests, Elo ratings. Tests of the lab need SciPy (extra `lab`)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.extras import needs

Array = np.ndarray[Any, Any]
quantile = NormalDist().inv_cdf  # of the standard normal distribution
Z95 = quantile(0.975)


class Estimate(NamedTuple):
    """A number with its 95 % interval. games: the independent games, or sets of games (one seed, one opening), behind it."""

    value: float
    low: float
    high: float
    games: int


def exact(value: float, games: int = 1) -> Estimate:
    """A number without an interval."""
    return Estimate(float(value), float(value), float(value), games)


NOTHING = Estimate(math.nan, 0.0, 0.0, 0)  # from no games


class Verdict(NamedTuple):
    """Result of a sequential test: "better", "not better" or "open", the log likelihood ratio, and its bounds."""

    verdict: str
    ratio: float
    low: float
    high: float


class EloRating(NamedTuple):
    """A rating in Elo with its 95 % interval."""

    elo: float
    low: float
    high: float


# Shares and means


def wilson(successes: float, games: int, level: float = 0.95) -> Estimate:
    """A share with Wilson's interval (E. B. Wilson, JASA 22, 1927); without games the interval is 0 to 1."""
    if games == 0:
        return Estimate(math.nan, 0.0, 1.0, 0)
    z = quantile((1 + level) / 2)
    share, square = successes / games, z * z / games
    middle = (share + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(share * (1 - share) / games + square / (4 * games))
    low = 0.0 if successes == 0 else middle - half  # exactly, in spite of rounding
    return Estimate(share, low, 1.0 if successes == games else middle + half, games)


def binomial_quantiles(parts: Sequence[float], games: int, share: float) -> Array:
    """How many of so many games such a share makes, at these parts of the binomial law."""
    return np.asarray(_scipy_stats().binom.ppf(parts, games, share))


def mean(numbers: Array | Sequence[float], level: float = 0.95) -> Estimate:
    """A mean with Student's interval, NaN left out; the interval of one number is unbounded."""
    stats = _scipy_stats()
    known = np.asarray(numbers, np.float64)
    known = known[~np.isnan(known)]
    count = len(known)
    if count == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    middle, half = float(known.mean()), math.inf
    if count > 1:
        half = float(stats.t.ppf((1 + level) / 2, count - 1) * known.std(ddof=1) / np.sqrt(count))
    return Estimate(middle, middle - half, middle + half, count)


def clip_estimate(found: Estimate, least: float = 0.0, most: float = 1.0) -> Estimate:
    """The estimate with its interval cut at the limits of its scale."""
    if found.games == 0:
        return found._replace(low=least, high=most)
    return found._replace(low=max(least, found.low), high=min(most, found.high))


def mean_share(numbers: Array | Sequence[float], level: float = 0.95) -> Estimate:
    """A mean of shares from 0 to 1 with Student's interval; that of equal shares is Wilson's.

    Equal shares of a few games have no spread, which does not make their mean certain. A share varies at most as much as
    the result of a toss with the same mean, so Wilson's interval is wide enough.
    """
    found = clip_estimate(mean(numbers, level))
    if found.games == 0 or found.high - found.low > 1e-9:
        return found
    return wilson(found.value * found.games, found.games, level)


def mean_score(scores: Sequence[float]) -> Estimate:
    """The mean of independent scores from 0 to 1, one per set of games (same opening, same chance, seats changed)."""
    return pool_sets([(score, 1.0) for score in scores])


def pool_sets(won: Sequence[tuple[float, float]]) -> Estimate:
    """The share of comparisons won: (won, made) of each independent set of games; sets may differ in weight.

    A ratio of two sums; its spread by linearisation (W. Cochran, Sampling Techniques, 1977, 6.3). One added lost set and
    one added won set keep the interval from shrinking to a point (Agresti, Coull 1998).
    """
    made = sum(each[1] for each in won)
    if made == 0:
        return Estimate(math.nan, 0.0, 1.0, 0)
    usual = made / len(won)
    ratio = sum(each[0] for each in won) / made
    padded = [*won, (0.0, usual), (usual, usual)]
    middle = sum(each[0] for each in padded) / (made + 2 * usual)
    spread = sum((each[0] - middle * each[1]) ** 2 for each in padded) / (len(padded) - 1) / len(padded)
    half = Z95 * math.sqrt(spread) / usual
    return Estimate(ratio, max(0.0, min(ratio, middle - half)), min(1.0, max(ratio, middle + half)), len(won))


def gap(won: Array, level: float = 0.95) -> Estimate:
    """The difference between the sides that won most and least, as a share of the games that one side won alone.

    The interval holds for the differences of all pairs at once, so between equal sides it leaves 0 out in one case of twenty,
    however many sides there are: the range of independent normal numbers (J. Tukey, The Problem of Multiple Comparisons, 1953)
    takes the place of one difference. Each side gets one won game more (A. Agresti, B. Caffo 2000).
    """
    total, sides = int(won.sum()), len(won)
    if not total:
        return Estimate(float("nan"), 0.0, 1.0, 0)
    shares = (np.sort(won) + 1) / (total + sides)
    differences, sums = shares[None, :] - shares[:, None], shares[None, :] + shares[:, None]
    halves = _range_quantile(sides, level) / math.sqrt(2) * np.sqrt((sums - differences**2) / total)
    middle = float(won.max() - won.min()) / total
    low, high = float((differences - halves).max()), float((differences + halves)[~np.eye(sides, dtype=bool)].max(initial=0.0))
    return Estimate(middle, min(middle, max(0.0, low)), max(middle, min(1.0, high)), total)


@functools.cache
def _range_quantile(count: int, level: float) -> float:
    """The quantile of the range of `count` independent standard normal numbers."""
    return float(_scipy_stats().studentized_range.ppf(level, count, math.inf)) if count > 1 else 0.0


def alike(*rows: Array) -> float:
    """The p-value of rows of counts when all follow the same shares (chi-square test of homogeneity, columns without counts
    left out)."""
    table = np.stack(rows)
    table = table[:, table.any(axis=0)]
    if table.shape[1] < 2 or not table.any(axis=1).all():
        return 1.0
    return float(_scipy_stats().chi2_contingency(table, correction=False).pvalue)


def bootstrap(
    clusters: Sequence[Array], measure: Callable[[Array], Any], seed: int = 1, times: int = 2000, level: float = 0.95
) -> Estimate:
    """A measure of all games with its percentile interval; games of one cluster (one seed) are resampled together.

    A measure of nothing is NaN; where all resamples give that, the interval is everything.
    """
    if not clusters:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    rng = np.random.default_rng(seed)
    found = np.empty(times)
    for i in range(times):
        found[i] = measure(np.concatenate([clusters[j] for j in rng.integers(0, len(clusters), len(clusters))]))
    found = found[~np.isnan(found)]
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2]) if len(found) else (-math.inf, math.inf)
    return Estimate(float(measure(np.concatenate(clusters))), float(low), float(high), len(clusters))


# Tests and sample sizes


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted for testing several hypotheses at once (Holm 1979)."""
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(np.argsort(p_values)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def equal_shares(counts: Sequence[int]) -> float:
    """The p-value of counts when all outcomes are equally likely (chi-square test; exact for two outcomes)."""
    stats = _scipy_stats()
    total = sum(counts)
    if total == 0 or len(counts) < 2:
        return 1.0
    if len(counts) == 2:
        return float(stats.binomtest(counts[0], total).pvalue)
    return float(stats.chisquare(counts).pvalue)


def compute_paired_p(differences: Array) -> float:
    """The p-value of Student's paired test: how likely a mean difference so far from 0 is by chance."""
    stats = _scipy_stats()
    if len(differences) < 2 or not differences.any():
        return 1.0
    if differences.std() == 0:
        return 0.0
    return float(stats.ttest_1samp(differences, 0.0).pvalue)


def sequential(scores: Sequence[float], elo0: float = 0.0, elo1: float = 20.0, error: float = 0.05) -> Verdict:
    """Sequential probability ratio test of elo1 against elo0 on the scores of sets (pairs: the pentanomial model).

    The generalised likelihood ratio in its normal approximation, as in Fishtest (M. Van den Bergh, A practical
    introduction to the GSPRT). error: the chance of a wrong verdict, either way.
    """
    low, high = math.log(error / (1 - error)), math.log((1 - error) / error)
    n = len(scores)
    if n < 2:
        return Verdict("open", 0.0, low, high)
    padded = [*scores, 0.5]  # without it, equal scores have no spread at all
    average = sum(scores) / n
    spread = sum((each - average) ** 2 for each in padded) / len(padded)
    if spread == 0:
        return Verdict("open", 0.0, low, high)
    s0, s1 = expected_score(elo0), expected_score(elo1)
    ratio = n * (s1 - s0) * (2 * average - s0 - s1) / (2 * spread)
    verdict = "better" if ratio >= high else "not better" if ratio <= low else "open"
    return Verdict(verdict, ratio, low, high)


# Elo


def elo(score: float) -> float:
    """The difference in Elo at which this score is expected; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """The expected score, 0 to 1, at a difference in Elo."""
    return 1 / (1 + 10 ** (-difference / 400))


def effective_games(found: Estimate) -> tuple[float, float]:
    """(points, games): the games without draws that would give a score with this interval. Input of `bradley_terry`."""
    sure = min(max(found.value, 0.5 / (found.games + 1)), 1 - 0.5 / (found.games + 1))
    deviation = (found.high - found.low) / (2 * Z95)
    games = sure * (1 - sure) / deviation**2
    return found.value * games, games


def bradley_terry(points: Mapping[tuple[str, str], tuple[float, float]], names: Sequence[str]) -> dict[str, EloRating]:
    """Ratings from (points, games) of the first of each pair against the second; their mean is 0.

    Maximum likelihood (R. Bradley, M. Terry 1952) with a prior of one drawn game against an average player, which keeps
    a player without a point on the scale. Intervals from the information matrix.
    """
    place = {name: i for i, name in enumerate(names)}
    strength = np.zeros(len(names))
    unit = math.log(10) / 400
    for _ in range(200):
        gradient, information = 0.5 - _logistic(strength), np.diag(_logistic(strength) * (1 - _logistic(strength)))
        for (one, other), (won, games) in points.items():
            i, j = place[one], place[other]
            likely = float(_logistic(strength[i] - strength[j]))
            gradient[i] += won - games * likely
            gradient[j] -= won - games * likely
            weight = games * likely * (1 - likely)
            information[[i, j], [i, j]] += weight
            information[[i, j], [j, i]] -= weight
        step = np.linalg.solve(information, gradient)
        strength += np.clip(step, -2, 2)
        if float(np.abs(step).max()) < 1e-9:
            break
    spread = np.linalg.inv(information)
    centre = np.eye(len(names)) - 1 / len(names)
    deviation = np.sqrt(np.diag(centre @ spread @ centre.T))
    middle = strength - strength.mean()
    return {
        name: EloRating(middle[i] / unit, (middle[i] - Z95 * deviation[i]) / unit, (middle[i] + Z95 * deviation[i]) / unit)
        for name, i in place.items()
    }


def _scipy_stats() -> Any:
    """SciPy's statistics. Errors: MissingExtra."""
    with needs("lab"):
        from scipy import stats
    return stats


def _logistic(x: Array | float) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.asarray(x))))
