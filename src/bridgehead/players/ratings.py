"""What contests say of strength: Elo with intervals, sequential tests, ratings of many players, each with its doubt."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Z95 = 1.959964


class Score(NamedTuple):
    """A share of points with its 95 % interval; sets: how many independent sets of games it rests on."""

    share: float
    low: float
    high: float
    sets: int


class Verdict(NamedTuple):
    """A sequential test: "better", "not better" or "open", the log of the likelihood ratio, and its bounds."""

    verdict: str
    ratio: float
    low: float
    high: float


class Rating(NamedTuple):
    """A rating in Elo with its 95 % interval."""

    elo: float
    low: float
    high: float


def share(scores: Sequence[float]) -> Score:
    """The mean of independent scores from 0 to 1, each of one set of games (same opening, same chance, seats changed)."""
    n = len(scores)
    if n == 0:
        return Score(math.nan, 0.0, 1.0, 0)
    mean = sum(scores) / n
    # One more set that was lost and one that was won keep the interval from shrinking to a point (Agresti, Coull 1998).
    padded = [*scores, 0.0, 1.0]
    middle = sum(padded) / len(padded)
    half = Z95 * math.sqrt(sum((each - middle) ** 2 for each in padded) / (len(padded) - 1) / len(padded))
    return Score(mean, max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half)), n)


def pooled(won: Sequence[tuple[float, float]]) -> Score:
    """The share of all comparisons that was won: (won, made) of each independent set of games, which may differ in weight.

    A ratio of two sums; its spread by linearisation (W. Cochran, Sampling Techniques, 1977, 6.3).
    """
    made = sum(each[1] for each in won)
    if made == 0:
        return Score(math.nan, 0.0, 1.0, 0)
    usual = made / len(won)
    ratio = sum(each[0] for each in won) / made
    padded = [*won, (0.0, usual), (usual, usual)]  # as in `share`
    middle = sum(each[0] for each in padded) / (made + 2 * usual)
    spread = sum((each[0] - middle * each[1]) ** 2 for each in padded) / (len(padded) - 1) / len(padded)
    half = Z95 * math.sqrt(spread) / usual
    return Score(ratio, max(0.0, min(ratio, middle - half)), min(1.0, max(ratio, middle + half)), len(won))


def games_worth(found: Score) -> tuple[float, float]:
    """(points, games) without draws that tell as much as a score does: for `bradley_terry`."""
    sure = min(max(found.share, 0.5 / (found.sets + 1)), 1 - 0.5 / (found.sets + 1))
    doubt = (found.high - found.low) / (2 * Z95)
    games = sure * (1 - sure) / doubt**2
    return found.share * games, games


def elo(share_of_points: float) -> float:
    """The difference in Elo at which this share is to be expected; infinite at 0 and 1."""
    if share_of_points <= 0 or share_of_points >= 1:
        return math.inf if share_of_points >= 1 else -math.inf
    return 400 * math.log10(share_of_points / (1 - share_of_points))


def expected_share(difference: float) -> float:
    """The share of points to be expected at a difference in Elo."""
    return 1 / (1 + 10 ** (-difference / 400))


def sequential(scores: Sequence[float], elo0: float = 0.0, elo1: float = 20.0, error: float = 0.05) -> Verdict:
    """Wald's test of elo1 against elo0 on the scores of sets (pairs: the pentanomial model), as Fishtest does it.

    The generalised likelihood ratio in its normal approximation (M. Van den Bergh, A practical
    introduction to the GSPRT). error: the chance of a wrong verdict, either way.
    """
    low, high = math.log(error / (1 - error)), math.log((1 - error) / error)
    n = len(scores)
    if n < 2:
        return Verdict("open", 0.0, low, high)
    padded = [*scores, 0.5]  # without it, equal scores have no spread at all
    mean = sum(scores) / n
    spread = sum((each - mean) ** 2 for each in padded) / len(padded)
    if spread == 0:
        return Verdict("open", 0.0, low, high)
    s0, s1 = expected_share(elo0), expected_share(elo1)
    ratio = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * spread)
    verdict = "better" if ratio >= high else "not better" if ratio <= low else "open"
    return Verdict(verdict, ratio, low, high)


def bradley_terry(points: Mapping[tuple[str, str], tuple[float, float]], names: Sequence[str]) -> dict[str, Rating]:
    """Ratings from (points, games) of the first of each pair against the second; their mean is 0.

    Maximum likelihood (R. Bradley, M. Terry 1952) with a prior of one drawn game against an average player, which keeps
    somebody who lost everything on the scale. Intervals from the information matrix.
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
    doubt = np.sqrt(np.diag(centre @ spread @ centre.T))
    middle = strength - strength.mean()
    return {
        name: Rating(middle[i] / unit, (middle[i] - Z95 * doubt[i]) / unit, (middle[i] + Z95 * doubt[i]) / unit)
        for name, i in place.items()
    }


def _logistic(x: np.ndarray[Any, Any] | float) -> np.ndarray[Any, Any]:
    return np.asarray(1 / (1 + np.exp(-np.asarray(x))))
