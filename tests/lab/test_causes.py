"""Causes of red lights: the structure of games that is known beforehand, and planted faults."""

from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.workshop.lab import ablation, report, study
from bridgehead.workshop.lab import because as because_module
from bridgehead.workshop.lab.ablation import without, without_kinds
from bridgehead.workshop.lab.answers.answer import Run, Thresholds
from bridgehead.workshop.lab.answers.questions import answer_seats
from bridgehead.workshop.lab.because import because, remedies
from bridgehead.workshop.lab.causes.shares import shapley, slopes, subsets
from bridgehead.workshop.lab.causes.structure import breaks, mends, structure
from bridgehead.workshop.lab.facts import wins
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.lab.words import tell
from bridgehead.workshop.statistics import gap

pytestmark = pytest.mark.wide


def run(rules: dict[str, Any], games: int = 300) -> Run:
    players = (Strength("random", games),)
    plan = check_plan(Plan("known", "", (Arm("as written", rules),), players, weighed=40))
    return Run(finish(Results(plan)), plan.make_game(0), Thresholds())


def told(rules: dict[str, Any], number: int) -> str:
    made = run(rules)
    answers = study.answer_questions(made)
    return tell(because(made, answers[number - 1], answers))


def test_the_board_of_five_families_is_a_star() -> None:
    found = structure(registry.game("burning_bridges"))
    assert len(found.symmetries) == 10 and found.is_symmetric and found.is_drawn
    assert len({home.distance for home in found.homes}) == 1


def test_half_a_turn_exchanges_the_seats_of_40_bridges_and_one_of_them_begins() -> None:
    found = structure(registry.game("forty_bridges"))
    assert found.symmetries == ((0, 1), (1, 0)) and found.first == 0
    assert [(each.option, each.value) for each in mends(registry.game("forty_bridges"))] == [("first", "random")]


def test_a_layout_that_favours_a_seat_is_not_symmetric() -> None:
    made = registry.game("forty_bridges", setup="custom", layout="a1,b1,c1 e5,d5,b5")
    assert not structure(made).is_symmetric


def test_the_house_rule_that_fixes_the_first_player_is_named() -> None:
    made = registry.game("burning_bridges", seats=2, firstPlayer="seat0")
    assert [(each.option, each.what) for each in breaks(made)] == [("firstPlayer", "order")]
    assert structure(made).first == 0 and structure(made).is_symmetric


def test_a_planted_first_seat_is_named_as_the_cause() -> None:
    said = told({"kind": "first", "plies": 6}, 2)
    assert said.startswith(
        "Because: Black always begins, and the board gives each seat the same, so the order of play or a house"
    )
    assert "without the house rule “kind”, 200 games" in said  # the rule that the first seat wins


def test_the_order_of_play_is_not_blamed_alone_where_no_rule_was_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the leader moves farther, the first seat wins by that rule; the report said that only the order of play is left."""
    monkeypatch.setattr(because_module, "without", lambda game, measure, less: ())
    said = told({"kind": "first", "plies": 6}, 2)
    assert "Black always begins, and the board gives each seat the same; whether only the order of play is left" in said
    assert "was not tested" in said and "whoever is ahead at half time wins 100 % of games" in said


def test_a_house_rule_without_which_the_fault_is_gone_is_named_and_the_order_of_play_is_not_blamed() -> None:
    said = told({"kind": "coin", "edge": 85, "plies": 4}, 2)
    assert "without the house rule “edge”, 200 games of greedy players show: largest gap" in said
    assert "plies" not in said and "only the order of play is left" not in said
    assert without(registry.game("known", kind="coin", plies=4), "fair", True) == ()  # even without


def test_a_kind_of_action_without_which_the_fault_is_gone_is_named() -> None:
    """Whoever paints first wins, so the first seat does; no house rule turns painting off."""
    said = told({"kind": "strike", "plies": 4}, 2)
    assert "if nobody does “paint red” (60 games of greedy players): largest gap" in said and "“do wrong”" not in said
    (found,) = without_kinds(registry.game("known", kind="strike", plies=4), "fair", True)
    assert found.now.low == pytest.approx(1, abs=0.05) and found.then.value < 0.2
    assert without_kinds(registry.game("known", kind="coin", plies=4), "fair", True) == ()


def test_a_rule_that_is_on_by_itself_is_turned_off_to_see_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ablation, "FEWER", 200)
    (found,) = without(registry.game("forty_bridges"), "undecided", True)
    assert found.rule == "retreat" and found.then.high < found.now.low


def test_the_cause_of_a_gap_is_looked_for_in_all_games_that_the_light_counts() -> None:
    """Few games of the strongest player alone say nothing; together with those of greedy players they do."""
    players = (Strength("greedy", 400), Strength("search:2", 25))
    rules = {"kind": "coin", "edge": 65, "plies": 2}
    plan = check_plan(Plan("known", "", (Arm("as written", rules),), players, seed=2, weighed=0))
    made = Run(finish(Results(plan)), plan.make_game(0), Thresholds())
    assert gap(wins(made.game, made.rows("games"))).low == 0
    red = answer_seats(made)
    assert red.light == "watch" and "together with those of greedy players" in tell(red.text)
    assert "Black always begins" in tell(because(made, red, [red]))


def test_what_chance_does_is_nothing_that_nobody_could_do() -> None:
    made = run({"kind": "coin", "plies": 4}, 40)
    red = study.answer_questions(made)[8]._replace(light="bad")
    assert "coin" not in tell(because(made, red, [red]))


def test_draws_are_named_where_luck_decides() -> None:
    assert told({"kind": "coin", "plies": 2, "edge": 50}, 5) == "Because: draws against decisions in a game: 1 to 2."
    assert "draws explain" in told({"kind": "coin", "plies": 2, "edge": 50}, 6)


@pytest.mark.parametrize("number", range(1, 13))
def test_a_light_that_is_not_red_has_no_because(number: int) -> None:
    made = run({"kind": "skill", "plies": 8}, 40)
    answers = study.answer_questions(made)
    if answers[number - 1].light != "bad":
        assert because(made, answers[number - 1], answers) == ""


def test_the_report_says_because_and_what_to_do() -> None:
    made = run({"kind": "first", "plies": 6})
    page = report.text_of(report.build_report(made.results, made.limits, "bridgehead lab known"))
    assert "always begins, and the board gives each seat the same" in page
    assert "bridgehead tune known --rules 'kind=first plies=6' --wish" in page
    said = [tell(each) for each in remedies(made.game, study.answer_questions(made), made.limits)]
    assert "fair<5" in said[-1]


def test_shapley_shares_add_up_and_a_joint_effect_is_halved() -> None:
    values = {each: 3.0 * (0 in each) + 4.0 * ({0, 1} <= each) for each in subsets(3)}
    assert shapley(values, 3) == pytest.approx([5.0, 2.0, 0.0])


def test_a_planted_slope_is_found_and_one_of_nothing_is_not() -> None:
    lot = np.random.default_rng(3)
    steps = [lot.integers(2, 9, 4).astype(float) for _ in range(12)]
    other = [lot.integers(2, 9, 4).astype(float) for _ in range(12)]
    won = [0.25 - 0.03 * (each - each.mean()) + lot.normal(0, 0.01, 4) for each in steps]
    found = {each.feature: each for each in slopes({"distance": steps, "ways": other}, won)}
    assert found["distance"].slope.low < -0.03 < found["distance"].slope.high < 0 and found["distance"].explained > 0.8
    assert found["ways"].slope.low < 0 < found["ways"].slope.high


def test_a_red_light_without_a_known_cause_says_so() -> None:
    made = run({"kind": "coin", "plies": 2}, 40)
    red = study.answer_questions(made)[11]._replace(light="bad")
    assert tell(because(made, red, [red])) == "Because: cause not found."


@pytest.mark.parametrize(
    ("rules", "number", "said"),
    [
        ({"kind": "first", "plies": 6}, 7, "ahead at half time"),
        # It searches forty-eight decisions a game by rules that are not compiled.
        pytest.param({"kind": "long", "plies": 48}, 10, "actions [1, 1]", marks=pytest.mark.long),
    ],
)
def test_questions_on_leads_and_waiting_name_the_house_rule_that_makes_the_fault(
    rules: dict[str, Any], number: int, said: str
) -> None:
    made = run(rules, 60)
    answers = study.answer_questions(made)
    cause = tell(because(made, answers[number - 1]._replace(light="bad"), answers))
    assert "without the house rule “kind”" in cause and said in cause, cause


def test_remedies_wish_for_what_is_not_fine_of_a_question_with_several_numbers() -> None:
    made = run({"kind": "long", "plies": 96}, 60)
    answers = [each._replace(light="bad" if each.number == 10 else "good") for each in study.answer_questions(made)]
    (command,) = (tell(each) for each in remedies(made.game, answers, Thresholds()))
    assert "--wish 'wait<10'" in command, command
