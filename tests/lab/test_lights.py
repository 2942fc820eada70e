"""Lights are as right as they say: how often each is fine beyond its red limit, or a problem where all is fine, by simulation."""

import itertools
import math

import numpy as np
import pytest

from bridgehead.workshop.lab.answers.answer import chance_to_see, suppose
from bridgehead.workshop.statistics import Estimate, wilson
from programs import program

pytestmark = pytest.mark.wide

truth = program("lab_truth", "bench")
STUDIES = 200
MOST = 0.05 + 1.96 * math.sqrt(0.05 * 0.95 / STUDIES)  # of a promise of 5 %, with the error of so many studies


@pytest.mark.parametrize(("light", "size"), list(itertools.product(truth.LIGHTS, truth.SIZES)))
def test_a_light_is_seldom_fine_beyond_red_and_seldom_a_problem_where_all_is_fine(
    light: truth.Operating, size: truth.Size
) -> None:  # type: ignore[name-defined]
    lot, many = np.random.default_rng(2), STUDIES // 10 if light.shown is truth._luck else STUDIES
    fine, at_green, _, at_red, beyond = light.truths
    for value in (at_red, beyond):
        assert sum(light.shown(lot, value, size) == "good" for _ in range(many)) <= MOST * many, value
    for value in (fine, at_green):
        assert sum(light.shown(lot, value, size) == "bad" for _ in range(many)) <= MOST * many, value


def test_a_large_study_tells_fine_from_a_problem() -> None:
    """Lights that are always open would keep the promise, too."""
    large = truth.SIZES[-1]
    for light in truth.LIGHTS:
        if light.shown is truth._luck or light.number == "4, rungs":
            continue
        lot = np.random.default_rng(3)
        assert sum(light.shown(lot, light.truths[0], large) == "good" for _ in range(20)) >= 18, light.number
        assert sum(light.shown(lot, light.truths[-1], large) == "bad" for _ in range(20)) >= 18, light.number


def test_the_chance_to_see_a_fault_is_that_of_studies_played_again() -> None:
    lot, limits = np.random.default_rng(4), (0.05, 0.20)
    for games in (20, 60, 200):
        shown = [truth.light(wilson(int(n), games), limits) for n in lot.binomial(games, 0.3, 2000)]
        told = chance_to_see(wilson(0.3 * games, games), limits, ("watch", "bad"), is_share=True)
        assert abs(told - sum(each in ("watch", "bad") for each in shown) / 2000) < 0.03, games
        means = (truth.mean(lot.normal(0.3, 0.5, games)) for _ in range(500))
        told = chance_to_see(suppose(truth.mean(lot.normal(0.0, 0.5, games)), 0.3), limits, ("watch", "bad"))
        assert abs(told - sum(truth.light(each, limits) in ("watch", "bad") for each in means) / 500) < 0.15, games
    assert chance_to_see(Estimate(0.3, 0.29, 0.31, 9), limits, ("bad",)) == 1.0
    assert suppose(Estimate(0.1, 0.0, 0.2, 9), 0.5)[:3] == (0.5, 0.4, 0.6)
    assert suppose(Estimate(4.0, 3.0, 5.0, 9), 1.0, is_count=True)[:3] == (1.0, 0.5, 1.5)
