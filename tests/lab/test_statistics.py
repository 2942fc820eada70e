"""The lab's intervals and tests: against published figures, other libraries and simulation."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bridgehead.workshop import statistics
from bridgehead.workshop.lab.sweeps import Target, arms_over, targets
from bridgehead.workshop.statistics import (
    bootstrap,
    clip_estimate,
    compute_paired_p,
    equal_shares,
    gap,
    holm,
    mean,
    mean_share,
    wilson,
)

pytestmark = pytest.mark.wide


def test_intervals_of_shares_are_wilsons() -> None:
    """The formula, written out; and at no games everything is possible."""
    for won, games in ((0, 10), (7, 20), (540, 1000)):
        z, p = 1.959963984540054, won / games
        middle = (p + z * z / (2 * games)) / (1 + z * z / games)
        half = z * np.sqrt(p * (1 - p) / games + z * z / (4 * games**2)) / (1 + z * z / games)
        found = wilson(won, games)
        assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=1e-9)
    low, high = wilson(8, 10)[1:3]
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert wilson(0, 10).low == 0.0 and wilson(10, 10).high == pytest.approx(1)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


def test_a_few_games_that_are_alike_do_not_make_a_share_certain() -> None:
    """Student's interval of two equal shares is a point, and missed the truth in most studies of two games."""
    assert mean([1.0, 1.0])[1:3] == (1.0, 1.0)
    assert mean_share([1.0, 1.0]) == wilson(2, 2) and round(mean_share([1.0, 1.0]).low, 2) == 0.34
    assert mean_share([0.1] * 3) == pytest.approx(wilson(0.3, 3))
    assert mean_share([0.2, 0.4, 0.9]) == clip_estimate(mean([0.2, 0.4, 0.9])) and mean_share([]).games == 0
    lot = np.random.default_rng(8)
    for games, truth in ((2, 0.97), (4, 0.97), (8, 0.97), (2, 0.5), (8, 0.02)):
        found = [mean_share(shares) for shares in (lot.random((1000, games, 6)) < truth).mean(axis=2)]
        assert np.mean([each.low <= truth <= each.high for each in found]) >= 0.92


def test_many_looks_are_paid_for_by_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_the_bootstrap_draws_games_of_one_seed_together() -> None:
    """Ten games of a seed that all end alike say no more than one: the interval holds the truth about as often as it says."""
    lot, held, narrow = np.random.default_rng(5), 0, 0
    for i in range(100):
        clusters = [np.full(10, won) for won in lot.integers(0, 2, 60).astype(float)]
        found = bootstrap(clusters, np.mean, seed=i, times=300)
        held += found.low <= 0.5 <= found.high
        alone = mean(np.concatenate(clusters))
        narrow += alone.low <= 0.5 <= alone.high
    assert 88 <= held <= 100
    assert narrow < 60, "as if all games were apart it would be far too sure"


def test_a_comparison_of_a_rule_with_itself_raises_a_false_alarm_in_one_of_twenty() -> None:
    lot = np.random.default_rng(11)
    pairs = lot.integers(-1, 2, (3000, 300)).astype(float)  # differences of pairs: lost, the same, won
    alarms = np.mean([compute_paired_p(change) < 0.05 for change in pairs])
    assert 0.035 <= alarms <= 0.065
    assert compute_paired_p(np.zeros(50)) == 1.0 and compute_paired_p(np.ones(50)) == 0.0


def test_a_planted_bias_is_found_as_often_as_stated() -> None:
    lot, games = np.random.default_rng(3), 785  # the textbook's number for 80 % power
    found = np.mean([equal_shares([int(won), games - int(won)]) < 0.05 for won in lot.binomial(games, 0.55, 1000)])
    assert found >= 0.775  # 80 % by the normal approximation; two standard errors of 1,000 tries
    even = np.mean([equal_shares([int(won), games - int(won)]) < 0.05 for won in lot.binomial(games, 0.5, 2500)])
    assert 0.035 <= even <= 0.065


@pytest.mark.parametrize("sides", [2, 3, 4, 5, 6])
def test_the_largest_gap_between_equal_sides_is_no_finding_however_many_there_are(sides: int) -> None:
    """The interval of a difference of two made it a finding in 12 to 31 of a hundred fair games of three to five sides."""
    lot = np.random.default_rng(sides)
    fair = [gap(won) for won in lot.multinomial(400, [1 / sides] * sides, 2500)]
    assert np.mean([each.low > 0 for each in fair]) <= 0.065
    shares = np.arange(4, 4 + sides) / sum(range(4, 4 + sides))
    truth = shares[-1] - shares[0]
    found = [gap(won) for won in lot.multinomial(1500, shares, 1000)]
    assert np.mean([each.low <= truth <= each.high for each in found]) >= 0.94
    assert np.mean([each.low > 0 for each in found]) >= 0.8, "and a real one is found"


def test_ranges_and_wishes_are_read() -> None:
    assert [arm.rules["plies"] for arm in arms_over({"kind": "coin"}, "plies=10..30/10")] == [10, 20, 30]
    assert targets("minutes<60, plies=40..80") == (Target("minutes", float("-inf"), 60.0), Target("plies", 40.0, 80.0))
    assert Target("plies", 40.0, 80.0).measure_miss(20.0) == 0.5 and Target("plies", 40.0, 80.0).measure_miss(60.0) == 0.0


def test_there_is_one_module_of_statistics_and_it_needs_no_extra_for_contests() -> None:
    """Wilson's interval, Elo and all other estimates are defined once; players use them where SciPy is not installed."""
    root = Path(statistics.__file__).parents[1]
    names = {name for name, value in vars(statistics).items() if getattr(value, "__module__", "") == statistics.__name__}
    assert {"wilson", "pool_sets", "bootstrap", "holm", "elo", "bradley_terry"} <= names
    again = {
        f"{file.relative_to(root)}: {node.name}"
        for package in ("players", "workshop", "terminal")
        for file in (root / package).rglob("*.py")
        if file != Path(statistics.__file__)
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in names - {"mean"}
    }
    assert not again
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "from bridgehead.workshop.statistics import *\n"
        "wilson(3, 7), pool_sets([(1, 2)]), holm([0.1]), sequential([1, 0, 1])\n"
        "bradley_terry({('a', 'b'): effective_games(mean_score([1.0, 0.5]))}, ['a', 'b'])"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
