"""Ratings recover known strengths, know how sure they are, and put people and levels on one scale."""

from __future__ import annotations

import math
import random

import pytest

from bridgehead.server.people.ratings import MIDDLE, POINTS, Rating, update_ratings
from bridgehead.server.people.results import Result


def result(who: list[str], winners: set[int], sides: list[int] | None = None, why: str = "") -> Result:
    returns = [1.0 if seat in winners else -1.0 if winners else 0.0 for seat in range(len(who))]
    return Result("barricade", {}, who, who, sides or list(range(len(who))), returns, 0.0, why)


def after(results: list[Result]) -> dict[str, Rating]:
    found: dict[str, Rating] = {}
    for each in results:
        found |= update_ratings(found, each)
    return found


def simulated(seats: int, games: int, seed: int) -> tuple[dict[str, float], dict[str, Rating]]:
    """Strengths in points, and the ratings after games that are won by them: Elo's curve, or its form for several."""
    chooser = random.Random(seed)
    strengths = {f"p:{i}": 100.0 * (i - 4.5) for i in range(10)}
    results = []
    for _ in range(games):
        who = chooser.sample(sorted(strengths), seats)
        weights = [math.exp(strengths[name] * math.log(10) / 400) for name in who]
        results.append(result(who, {chooser.choices(range(seats), weights)[0]}))
    return strengths, after(results)


def correlation(one: list[float], other: list[float]) -> float:
    means = sum(one) / len(one), sum(other) / len(other)
    pairs = [(a - means[0], b - means[1]) for a, b in zip(one, other, strict=True)]
    return sum(a * b for a, b in pairs) / math.sqrt(sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs))


@pytest.mark.parametrize(("seats", "games"), [(2, 600), (3, 600), (4, 600), (6, 600)])
def test_ratings_recover_known_strengths(seats: int, games: int) -> None:
    strengths, found = simulated(seats, games, seed=seats)
    names = sorted(strengths)
    assert correlation([strengths[name] for name in names], [float(found[name].points) for name in names]) > 0.9
    assert sum(each.provisional for each in found.values()) <= 2, "only the first and the last, who hardly ever lose or win"


def test_two_players_a_hundred_points_apart_are_told_apart_by_about_that_much() -> None:
    strengths, found = simulated(2, 1500, seed=7)
    best, worst = found["p:9"].points, found["p:0"].points
    assert 600 < best - worst < 1200, "900 points, as on Elo's scale"
    near = sum(abs(found[name].points - MIDDLE - strengths[name]) <= 2 * found[name].spread for name in strengths)
    assert near >= 8


def test_a_newcomer_is_provisional_and_games_make_them_surer() -> None:
    assert Rating().provisional and Rating().points == MIDDLE
    spreads = [
        after([result(["p:a", "p:b"], {n % 2}) for n in range(games)]).get("p:a", Rating()).spread for games in (0, 1, 5, 40)
    ]
    assert spreads == sorted(spreads, reverse=True) and len(set(spreads)) == 4
    assert Rating(4, 25.0, 1.0).provisional and not Rating(5, 25.0, 1.0).provisional


def test_people_and_levels_are_on_one_scale_and_a_level_with_two_seats_has_one_rating() -> None:
    found = after([result(["p:a", "l:captain", "l:captain"], {0})] * 5)
    assert found["p:a"].points > MIDDLE > found["l:captain"].points and found["l:captain"].games == 5


def test_a_team_wins_together_and_a_draw_says_that_both_are_alike() -> None:
    found = after([result(["p:a", "p:b", "p:c", "p:d"], {0, 2}, [0, 1, 0, 1])])
    assert found["p:a"].points == found["p:c"].points > found["p:b"].points == found["p:d"].points
    drawn = after([result(["p:a", "p:b"], set())])
    assert drawn["p:a"].points == drawn["p:b"].points == MIDDLE and drawn["p:a"].sigma < Rating().sigma


def test_games_that_do_not_count_and_games_against_oneself_change_nothing() -> None:
    assert update_ratings({}, result(["p:a", "p:b"], {0}, why="takeback")) == {}
    assert update_ratings({}, result(["p:a", "p:a"], {0})) == {}
    assert POINTS > 0
