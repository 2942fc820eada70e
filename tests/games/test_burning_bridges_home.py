"""Burning Bridges: lonely bridges, getting home, and how a game ends."""

import json
import random

import pytest
from bridges_table import at, go_round

from bridgehead.core import registry
from games.asked import legal, played, refused


@pytest.mark.clause("BBQ-31")
@pytest.mark.parametrize(("count", "last"), [("owner", 2), ("round", 5), ("table", 1)])
def test_whose_turns_age_a_bridge(count: str, last: int) -> None:
    position = at("moves a 2", bridges="B0-R0 b 6", idleCount=count)
    for turn in range(1, 7):
        position = position.play("end")
        assert ("B0-R0 b" in position.facts()["bridges"]) == (turn < last)


@pytest.mark.clause("BBQ-31")
def test_the_idle_limit_is_a_house_rule_and_fire_does_not_stop_the_clock() -> None:
    position = at("moves a 2", bridges="B0-R0 a 0 torch", idleLimit=1)
    position = go_round(position)
    assert position.facts()["bridges"] == {"B0-R0 a": [True, 1, False]}
    assert position.play("end").facts()["bridges"] == {}


@pytest.mark.clause("BBQ-31")
def test_the_longest_idle_limit_is_counted_to_its_last_turn() -> None:
    position = at("moves a 2", bridges="B0-R0 a 0", seats=2, board="star6", idleLimit=99)
    for idle in range(100):
        assert position.facts()["bridges"] == {"B0-R0 a": [False, idle, False]}
        position = played(position, "end", "end")
    assert position.facts()["bridges"] == {}


@pytest.mark.clause("BB-W.1", "BBQ-35")
def test_sharing_a_goal_is_enough_unless_goals_must_be_different() -> None:
    pieces = "aL R8, aM R9, aS R9"
    assert at("moves a 2", pieces).play("walk L R9").outcome is not None
    position = at("moves a 2", pieces, distinctGoals=True).play("walk L R9")
    assert not position.is_over
    assert at("moves a 2", "aL R11, aM R8, aS R10", distinctGoals=True).play("walk M R9").is_over


@pytest.mark.clause("BB-W.2")
def test_holding_hostages_does_not_hinder_the_win() -> None:
    position = at("moves a 2", "aL R10, aM R8, aS R9, bS R10 aL").play("walk M R9")
    assert position.outcome is not None and position.outcome.winners == (0,)


@pytest.mark.clause("BBQ-36", "BBQ-15")
def test_the_win_is_found_when_the_move_with_its_taking_is_complete() -> None:
    position = at("moves a 2", "aL R8, aM R9, aS R10, bS R9").play("walk L R9")
    assert legal(position) == {"take bS", "done"}
    for text in ("take bS", "done"):
        assert position.play(text).is_over


def board_with_goals(**goals: list[str]) -> dict:  # type: ignore[type-arg]
    """The board for five with other goals for some families (by letter)."""
    file = registry.spec("burning_bridges").folder / "boards" / "star5.json"
    board = json.loads(file.read_text("utf-8"))
    for family, pillars in goals.items():
        board["family"]["abcde".index(family)]["goals"] = pillars
    return dict(board)


@pytest.mark.clause("BBQ-36", "ALLQ-3")
def test_if_two_families_come_home_at_once_the_acting_one_wins_else_seat_order() -> None:
    meeting = board_with_goals(b=["R12", "R13"])
    acting = at("moves b 2", "aL R9, aM R10, aS R11 bL, bL R11, bM R12, bS R13", board=meeting).play("walk L R12")
    assert acting.outcome is not None and acting.outcome.winners == (1,)
    shared = board_with_goals(b=["R11", "R13"])
    pieces = "aL R9, aM R10, aS R11 cL, bL R13, bM R13, bS R11 cL, cL R11"
    seat_order = at("moves c 2", pieces, board=shared).play("walk L R12")
    assert seat_order.outcome is not None and seat_order.outcome.winners == (0,)


@pytest.mark.clause("BBQ-37")
def test_the_homes_of_others_are_ordinary_pillars() -> None:
    position = at("moves a 2", "aL R4, bL C, bM R13, bS R14").play("walk L R5")
    assert "walk L R6" in legal(position)
    assert legal(at("moves a 2", "aL R12, bS R13").play("walk L R13"), "take") == {"take bS"}


@pytest.mark.clause("BBQ-37")
def test_a_start_pillar_of_others_protects_nobody() -> None:
    position = at("moves a 2", "aL R5, bL C, bM R5, bS R4").play("walk L R4")
    assert legal(position) == {"take bS", "done"}


@pytest.mark.clause("BBQ-40")
def test_two_players_take_hostages_pay_and_come_home_by_the_same_rules() -> None:
    position = at("moves a 2", "aL B4, bM B4, bS B4", bridges="A0-C b 0", seats=2)
    position = played(position, "seize L bM", "take bS", "end", "term destroy A0-C", "pay aL", "end")
    assert refused(position, "seize L bM") == "BBQ-28"
    home = at("moves b 2", "bL R1, bM R2, bS B1", bridges="B1-R3 b 0", seats=2).play("cross S R3 b")
    assert home.outcome is not None and home.outcome.winners == (1,)


@pytest.mark.clause("BBQ-38")
def test_after_the_last_round_the_nearest_child_wins() -> None:
    position = at("moves e 2", "bS B7", round=2, roundLimit=3).play("end")
    assert position.outcome is not None
    assert (position.outcome.winners, position.outcome.reason, position.outcome.clause) == ((1,), "round-limit", "BBQ-38")
    assert not at("moves e 2", "bS B7", round=2).play("end").is_over
    assert not at("moves d 2", "bS B7", round=2, roundLimit=3).play("end").is_over


@pytest.mark.clause("BBQ-38")
def test_a_tie_for_the_nearest_child_is_a_draw() -> None:
    position = at("moves e 2", round=2, roundLimit=3).play("end")
    assert position.outcome is not None
    assert (position.outcome.winners, position.outcome.returns) == ((), (0.0,) * 5)


@pytest.mark.clause("BBQ-34", "BBQ-40")
@pytest.mark.parametrize(
    ("options", "starts"),
    [
        ({}, ["R0", "R4", "R8", "R12", "R16"]),
        ({"seats": 2}, ["R0", "R8"]),
        ({"seats": 3, "board": "star6"}, ["R0", "R8", "R16"]),
        ({"seats": 2, "board": "star6"}, ["R0", "R12"]),
        ({"seats": 2, "board": "star5", "families": "3,1"}, ["R12", "R4"]),
        ({"seats": 3, "board": "star4"}, ["R0", "R4", "R8"]),
    ],
)
def test_which_families_of_the_board_play(options: dict, starts: list[str]) -> None:  # type: ignore[type-arg]
    pieces = registry.game("burning_bridges", **options).start().facts()["pieces"]
    assert pieces == {f"{'abcde'[seat]}{size}": [start, None] for seat, start in enumerate(starts) for size in "LMS"}


@pytest.mark.clause("BBQ-13", "BBQ-21", "BBQ-30")
def test_in_random_play_somebody_can_always_move_and_no_captor_is_a_hostage() -> None:
    for seed in range(4):
        rng = random.Random(seed)
        options = {"seats": rng.choice([2, 3, 5]), "situationScope": rng.choice(["player", "piece"])}
        position = registry.game("burning_bridges", **options).start()
        for _ in range(250):
            if position.is_over:
                break
            assert position.legal
            taking = [
                action for action in position.legal if position.name(action).startswith(("take", "seize", "build", "cross"))
            ]
            position = position.play(rng.choice(taking if taking and rng.random() < 0.7 else position.legal))
            held = {piece: by for piece, (_, by) in position.facts()["pieces"].items() if by}
            assert not set(held) & set(held.values())
            assert not any(piece.endswith("L") for piece in held)
