"""Comparisons: how they are told, and how often they raise a false alarm over whole games."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bridgehead.workshop.lab.answers.answer import chance, figure
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.lab.versus import adjust_p_values, compare_measures, differences
from bridgehead.workshop.lab.words import tell
from lab.whole_games import PLANTED

pytestmark = pytest.mark.wide
NAN = float("nan")


def test_numbers_are_printed_with_the_digits_that_count_and_never_as_nan() -> None:
    assert [figure(each) for each in (NAN, float("inf"), 0.0, 6.4321, 12345.6, 0.0000123, 0.5)] == [
        "n/a", "n/a", "0", "6.43", "12,346", "0.0000", "0.5",
    ]  # fmt: skip
    assert [figure(each, "+") for each in (1.5, -0.25, 1234.0)] == ["+1.5", "-0.25", "+1,234"]
    assert [chance(each) for each in (NAN, 0.0, 0.00099, 0.001, 0.04567, 1.0)] == [
        "n/a", "< 0.001", "< 0.001", "0.001", "0.046", "1.000",
    ]  # fmt: skip


def test_what_cannot_be_compared_says_why_and_no_look_is_paid_for_it() -> None:
    arms = (Arm("a", {"kind": "skill"}), Arm("b", {"kind": "skill", "plies": 30}))
    results = finish(Results(check_plan(Plan("known", "", arms, (Strength("random", 50),), weighed=0))))
    found = {tell(each.label): each for each in differences(results)}
    assert found["decided after"].lacking == "no pair of games had one winner each"
    assert found["changes of the lead"].lacking == "no pair of games was weighed"
    assert np.isnan(found["decided after"].all) and found["plies"].lacking == "" and found["plies"].all == 0.0
    looks = [each for each in found.values() if not each.lacking]
    worst = max(looks, key=lambda each: each.alone)
    assert len(looks) == 7 and all(each.alone <= each.all <= len(looks) * each.alone for each in looks)
    assert worst.all == pytest.approx(worst.alone), "the largest is paid for once"
    game, rows = results.plan.make_game(0), results.rows("games", 0)
    assert {each.lacking for each in compare_measures(game, "random", rows[:1], rows[:1])} - {"one pair of games"} == {
        "no pair of games had one winner each", "no pair of games was weighed",
    }  # fmt: skip
    assert [each.all for each in adjust_p_values([])] == []


@pytest.mark.long
def test_whole_games_compared_with_themselves_raise_a_false_alarm_in_one_of_twenty_and_another_rule_is_found() -> None:
    """A thousand comparisons of sixty pairs of random games of The Front Lines, whose seeds differ and whose rules do not."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    script = Path(__file__).parent / "whole_games.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=env, timeout=850)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {"plies", "decisions", "legal actions"} <= set(told["alarms"])
    for name, share in told["alarms"].items():
        assert share <= 0.065, name
        assert share >= 0.035 or name not in ("plies", "decisions", "legal actions"), name
    assert told["family"] <= 0.065, "with all looks paid for, of all studies no more than one in twenty"
    assert told["found"] >= 0.9 * PLANTED
