"""Sweeps, searches for a setting, and comparisons, on games whose answers are known."""

import pytest

from bridgehead.workshop.commands import labs
from bridgehead.workshop.lab.answers.answer import Thresholds
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish, serially
from bridgehead.workshop.lab.sweeps import arms_over, points, seek, targets
from bridgehead.workshop.lab.versus import differences
from bridgehead.workshop.lab.words import tell

pytestmark = pytest.mark.wide
LIMITS = Thresholds()


def plan(arms: tuple[Arm, ...], games: int = 60) -> Plan:
    return check_plan(Plan("known", "", arms, (Strength("random", games),), weighed=games))


def test_a_sweep_tells_each_setting() -> None:
    found = points(finish(Results(plan(arms_over({"kind": "skill"}, "plies=10..30/10")))), LIMITS)
    assert [point.measures["plies"].value for point in found] == [10, 20, 30]


def test_the_terminal_tells_every_setting_in_full_and_what_another_rule_changes(capsys: pytest.CaptureFixture[str]) -> None:
    labs._show(points(finish(Results(plan(arms_over({"kind": "skill"}, "plies=10..30/10")))), LIMITS))
    said = capsys.readouterr().out
    assert "plies=10\n  plies 10 [10, 10]; minutes" in said and said.count("choices") == 3 and "…" not in said
    assert max(map(len, said.splitlines())) < 80
    labs._compare(finish(Results(plan((Arm("short", {"plies": 10}), Arm("long", {"plies": 30}))))))
    said = capsys.readouterr().out
    assert said.startswith("long against short") and "random, plies: 10, 30; +20 [+20, +20], p < 0.001" in said


def test_the_planted_setting_is_found_with_no_more_games_than_told() -> None:
    told = plan(arms_over({"kind": "coin"}, "plies=10..80/10"))
    rounds = list(seek(told, targets("plies=35..45"), LIMITS, serially, 320))
    assert rounds[-1].points[0].arm.rules["plies"] == 40
    assert sum(each.games * len(each.points) for each in rounds) <= 320
    assert len({each.games for each in rounds}) == len(rounds) > 1


def test_a_rule_without_influence_raises_no_alarm_and_one_with_influence_does() -> None:
    """Where skill decides, the coin's edge is nothing; where the coin decides, it is all."""
    same = plan((Arm("a", {"kind": "skill"}), Arm("b", {"kind": "skill", "edge": 90})), 200)
    for each in differences(finish(Results(same))):
        assert each.change.value == 0 and each.all == 1.0, tell(each.label)
    other = plan((Arm("a", {"kind": "coin"}), Arm("b", {"kind": "coin", "edge": 90})), 200)
    found = {tell(each.label): each for each in differences(finish(Results(other)))}
    assert found["points of Black"].all < 0.001 and found["points of Black"].change.low > 0.2
    assert found["plies"].all == 1.0
