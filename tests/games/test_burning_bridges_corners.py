"""Burning Bridges: corners of the rules that only wrong rules on purpose were seen to reach."""

import numpy as np
import pytest
from bridges_table import at, captor

from bridgehead.core import registry
from bridgehead.core.position import Position
from games.asked import legal, played


def test_a_new_game_keeps_nothing_of_what_was_in_the_record() -> None:
    game = registry.game("burning_bridges")
    states = game.new_states(1)
    states.view(np.uint8)[:] = 0x5A
    states["spare"] = 0
    game.spec.rules.setup(states[0], game.law)
    assert states.tobytes() == game.start().copy_states().tobytes()


def told(position: Position) -> bool:
    """Whether the list of legal actions holds, in order, just those that are not refused."""
    return list(position.legal) == [n for n in range(position.game.action_count) if position.explain(n) is None]


@pytest.mark.clause("BBQ-49")
def test_two_fires_may_be_put_out_from_one_pillar() -> None:
    position = at("moves a 2", bridges="B0-R0 a 0 torch, R0-R1 a 0 torch", ownerExtinguish=True)
    assert legal(position, "extinguish") == {"extinguish B0-R0", "extinguish R0-R1"}
    assert told(position)


@pytest.mark.clause("BBQ-25")
def test_the_hostage_of_the_last_family_picks_a_torch_of_that_family() -> None:
    fires = "A0-C a 0 torch, A1-C e 0 torch"
    position = at("terms b 2", "eL C, bS C eL", bridges=fires, untorchChoice="hostage").play("term untorch")
    assert legal(position, "pay") == {"pay eL A1-C"}
    assert told(position)


@pytest.mark.clause("BBQ-44", "BBQ-32")
def test_a_child_that_takes_nobody_need_not_destroy_where_landings_must_take() -> None:
    position = at("moves a 2", bridges="B0-R0 a 0, B0-R0 b 0 torch", captureMandatory=True).play("cross S B0 a")
    assert legal(position) == {"destroy B0-R0 b", "done"}
    assert told(position)


@pytest.mark.clause("BBQ-16")
def test_a_medium_piece_seizes_one_of_the_first_family() -> None:
    position = at("moves b 2", "bM C, aS C").play("seize M aS")
    assert captor(position, "aS") == "bM"


@pytest.mark.clause("BBQ-11")
def test_torches_far_apart_are_remembered_by_who_placed_them() -> None:
    bridges = "A0-C b 0 torch by a, B0-B1 d 0, A1-C e 0 torch by b"
    position = at("moves c 2", bridges=bridges, pins="10each").play("torch B0-B1 d")
    for text in ("A0-C b 0 torch by a", "B0-B1 d 0 torch by c", "A1-C e 0 torch by b"):
        assert text in position.text
    position = at("moves a 2", "aS B0", bridges=bridges.replace("d 0", "d 0 torch by c"), pins="10each").play("destroy B0-B1 d")
    assert "A0-C b 0 torch by a" in position.text
    assert "A1-C e 0 torch by b" in position.text
    assert position.game.load(position.text) == position


@pytest.mark.clause("BB-3.a.i", "BBQ-31")
@pytest.mark.parametrize("idle", [5, 6])
@pytest.mark.parametrize("colour", ["b", "e"])
def test_of_a_destroyed_bridge_nothing_is_remembered(colour: str, idle: int) -> None:
    position = at("moves a 2", bridges=f"B0-R0 {colour} {idle} torch")
    position = played(position, f"cross M B0 {colour}", f"destroy B0-R0 {colour}")
    assert position.facts()["bridges"] == {}
    assert position.game.load(position.text) == position


@pytest.mark.clause("BBQ-49")
@pytest.mark.parametrize(("there", "allowed"), [("bL", True), ("bM", True), ("bS", False), ("aS", False), ("cL", False)])
def test_one_own_parent_at_an_end_is_who_puts_out_a_fire(there: str, allowed: bool) -> None:
    position = at("moves b 2", f"{there} C", bridges="A0-C b 0 torch", ownerExtinguish=True)
    assert ("extinguish A0-C" in legal(position)) == allowed
    assert told(position)


@pytest.mark.clause("BBQ-28")
@pytest.mark.parametrize("turns", range(1, 10))
def test_a_long_safety_runs_out_turn_by_turn(turns: int) -> None:
    position = at("moves a 2", immune=f"a>bM {turns}, a>bS 1, a>cM 2", immunityTurns=9).play("end")
    left = {"a>bM": turns - 1, "a>cM": 1}
    assert position.facts()["immune"] == {who: turns for who, turns in left.items() if turns}


@pytest.mark.clause("BBQ-17", "BBQ-27")
def test_a_release_frees_nobody_of_the_other_family_that_is_held() -> None:
    position = at("terms c 2", "dL C, bS C dL, cS C dL").play("term none")
    assert (captor(position, "bS"), captor(position, "cS")) == ("dL", None)
    assert position.facts()["immune"] == {"d>cS": 2}


@pytest.mark.clause("BBQ-24", "BBQ-26")
@pytest.mark.parametrize(("bridge", "term"), [("A0-A1 b 0", "destroy"), ("A0-A1 a 0 torch", "untorch")])
def test_what_a_term_asks_for_may_lie_on_the_first_line_of_the_board(bridge: str, term: str) -> None:
    position = at("terms b 2", "aL C, bS C aL", bridges=bridge).play(f"term {term} A0-A1")
    assert captor(position, "bS") == "aL"
    assert told(position)
    paid = position.play("pay aL")
    assert captor(paid, "bS") is None
    assert paid.facts()["bridges"] == ({} if term == "destroy" else {"A0-A1 a": [False, 0, False]})
    assert told(paid)


@pytest.mark.clause("BBQ-42")
def test_a_bridge_on_the_first_line_may_be_named_by_two_captors_and_vanish() -> None:
    position = at("terms b 2", "aL C, bM C aL, cM B0, bS B0 cM", bridges="A0-A1 b 0")
    position = played(position, "term destroy A0-A1", "term destroy A0-A1", "pay aL")
    assert (captor(position, "bM"), captor(position, "bS")) == (None, None)
    assert position.facts()["terms"] == {}


@pytest.mark.clause("BBQ-24", "BBQ-25")
def test_the_last_family_may_ask_for_its_own_torches_only() -> None:
    fires = "A0-C a 0 torch, A1-C b 0, A2-C c 0 torch, A3-C d 0 torch, A4-C e 0 torch"
    position = at("terms b 2", "eL C, bS C eL", bridges=fires)
    assert legal(position) == {"term destroy A1-C", "term untorch A4-C", "term none"}
    assert told(position)


@pytest.mark.clause("BBQ-35")
@pytest.mark.parametrize(("family", "goal"), [("a", 9), ("b", 13), ("c", 17)])
@pytest.mark.parametrize(("medium", "small", "home"), [(0, 1, False), (1, 1, False), (1, 0, False), (2, 1, True), (1, 2, True)])
def test_with_different_goals_no_two_of_a_family_share_one(family: str, goal: int, medium: int, small: int, home: bool) -> None:
    pieces = f"{family}L R{goal - 1}, {family}M R{goal + medium}, {family}S R{goal + small}"
    position = at(f"moves {family} 2", pieces, distinctGoals=True).play(f"walk L R{goal}")
    assert position.is_over == home


@pytest.mark.clause("BBQ-43")
def test_of_the_captor_that_named_the_last_term_nothing_is_remembered() -> None:
    position = at("terms b 2", "bL R13, bM R14, bS R15 aL, aL R15").play("term none")
    assert position.is_over
    assert position.game.load(position.text) == position
