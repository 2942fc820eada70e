"""Ratings say what is known: shares, Elo, sequential tests, Bradley and Terry."""

import math
import random

import pytest

from bridgehead.workshop import statistics
from bridgehead.workshop.statistics import bradley_terry, elo, expected_score, mean_score, sequential


def drawn(lot: random.Random, difference: float, number: int) -> list[float]:
    """Scores of pairs of games, each won with the chance that a difference in Elo gives."""
    chance = expected_score(difference)
    return [((lot.random() < chance) + (lot.random() < chance)) / 2 for _ in range(number)]


def test_elo_and_share_are_inverses() -> None:
    assert expected_score(0) == 0.5 and expected_score(400) == pytest.approx(10 / 11)
    assert elo(0.5) == 0 and elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(1) == math.inf and elo(0) == -math.inf
    assert all(expected_score(elo(each)) == pytest.approx(each) for each in (0.1, 0.4, 0.9))


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    lot, held = random.Random(1), 0
    for _ in range(1000):
        found = mean_score(drawn(lot, 100, 60))
        held += found.low <= expected_score(100) <= found.high
    assert 925 <= held <= 980


def test_an_interval_of_equal_scores_is_no_point() -> None:
    found = mean_score([1.0] * 30)
    assert found.value == found.high == 1.0 and 0.8 < found.low < 0.99 and found.games == 30
    assert math.isnan(mean_score([]).value) and mean_score([])[1:3] == (0.0, 1.0)


def test_a_sequential_test_is_rarely_wrong_and_ends() -> None:
    lot, verdicts = random.Random(2), {}
    for truth in (0.0, 60.0):
        for _ in range(200):
            scores: list[float] = []
            while (found := sequential(scores, 0, 60)).verdict == "open" and len(scores) < 5000:
                scores += drawn(lot, truth, 10)
            verdicts[truth, found.verdict] = verdicts.get((truth, found.verdict), 0) + 1
    assert verdicts.get((0.0, "better"), 0) <= 18 and verdicts.get((60.0, "not better"), 0) <= 18
    assert verdicts.get((0.0, "open"), 0) == verdicts.get((60.0, "open"), 0) == 0


def test_a_sequential_test_of_nothing_is_open() -> None:
    assert sequential([]).verdict == sequential([0.5]).verdict == sequential([0.5] * 100).verdict == "open"


def test_ratings_come_back_from_the_games_they_make() -> None:
    lot, truth = random.Random(3), {"a": 150.0, "b": 20.0, "c": -40.0, "d": -130.0}
    names, points, inside = list(truth), {}, 0
    for _ in range(50):
        for i, one in enumerate(names):
            for other in names[i + 1 :]:
                scores = drawn(lot, truth[one] - truth[other], 200)
                points[one, other] = (2 * sum(scores), 400)
        found = bradley_terry(points, names)
        inside += sum(each.low <= truth[name] <= each.high for name, each in found.items())
        assert sum(each.elo for each in found.values()) == pytest.approx(0, abs=1e-6)
    assert 178 <= inside <= 200


def test_somebody_who_lost_everything_has_a_rating() -> None:
    found = bradley_terry({("a", "b"): (10.0, 10)}, ["a", "b"])
    assert found["a"].elo == -found["b"].elo and 100 < found["a"].elo < 1000 and found["b"].low > -2000
    assert pytest.approx(1.96, abs=0.001) == statistics.Z95
