"""Burning Bridges: the rulebook's scenarios, moving, building and burning, and getting home."""

from __future__ import annotations

import json
import random

import pytest
from bridges_table import at, captor, go_round, legal, phase, pillar, played, refused, torch

from bridgehead.core import registry


def many_bridges(number: int, colour: str, more: str = "") -> str:
    board = registry.game("burning_bridges").board
    return ", ".join(f"{board.line_name(line)} {colour} 0{more}" for line in range(number))


# -- the scenarios of the rulebook ------------------------------------------------------------------------------------


@pytest.mark.scenario("1.5.1")
@pytest.mark.clause("BB-1.e", "BB-1.e.ii", "BB-1.e.iii", "BB-1.e.iii.1", "BB-1.e.iv", "BB-1.e.vii", "BBQ-17", "BBQ-26", "BBQ-28")
def test_two_hostages_are_freed_by_one_payment_and_are_safe_for_two_turns_of_the_captor() -> None:
    position = at("moves a 2", "aL A0, bM C, bS C", bridges="B0-R0 b 0")
    position = played(position, "walk L C", "take bM", "take bS")
    assert phase(position) == "moves"
    assert captor(position, "bM") == captor(position, "bS") == "aL"
    position = position.play("end")
    assert (phase(position), position.actor, position.facts()["turn"]) == ("terms", 0, 1)
    position = played(position, "term destroy B0-R0", "pay aL")
    assert captor(position, "bM") is None and captor(position, "bS") is None
    assert position.facts()["moves"] == 1
    assert position.facts()["bridges"] == {}
    assert position.facts()["immune"] == {"a>bM": 2, "a>bS": 2}
    position = played(position, "end", "end", "end", "end")
    for _ in range(2):
        assert position.actor == 0
        assert refused(position, "seize L bM") == "BBQ-28"
        position = go_round(position)
    assert legal(position, "seize") == {"seize L bM", "seize L bS"}


@pytest.mark.scenario("1.5.2")
@pytest.mark.clause("BB-1.f", "BBQ-14", "BBQ-18")
def test_an_equal_parent_protects_its_child_and_all_coexist() -> None:
    position = at("moves a 2", "aM A0, bM C, bS C").play("walk M C")
    assert phase(position) == "moves"
    assert all(captor(position, piece) is None for piece in ("aM", "bM", "bS"))
    assert refused(position, "seize M bS") == "BBQ-18"


@pytest.mark.scenario("1.5.3")
@pytest.mark.clause("BB-1.a", "BB-1.c", "BBQ-5")
def test_a_child_does_not_walk_and_needs_a_bridge_of_its_own() -> None:
    position = at("moves b 2", bridges="R4-R5 a 0")
    assert refused(position, "walk S R5") == "BB-1.a"
    assert refused(position, "cross S R5 b") == "BB-1.c"
    assert refused(position, "cross S R5 a") == "BBQ-5"
    assert pillar(at("moves b 2", bridges="R4-R5 b 0").play("cross S R5 b"), "bS") == "R5"


@pytest.mark.scenario("1.5.4")
@pytest.mark.clause("BB-1.e.vi", "BBQ-20")
def test_a_family_with_a_hostage_takes_nobody() -> None:
    position = at("moves b 2", "aL C, bS C aL, bL A1, cS A2", bridges="B0-R0 b 0", terms="aL destroy B0-R0")
    position = position.play("walk L A2")
    assert (phase(position), captor(position, "cS")) == ("moves", None)
    assert refused(position, "seize L cS") == "BBQ-20"
    assert legal(position.play("pay aL").play("end"), "seize") == set()


@pytest.mark.clause("BBQ-20", "BBQ-26")
def test_after_paying_the_other_move_may_take() -> None:
    position = at("moves b 2", "aL C, bS C aL, bL A2, cS A2", bridges="B0-R0 b 0", terms="aL destroy B0-R0")
    assert legal(position.play("pay aL"), "seize") == {"seize L cS"}


@pytest.mark.scenario("1.5.5")
@pytest.mark.clause("BBQ-21", "BBQ-46")
def test_taking_a_captor_frees_its_hostage_which_may_be_taken_too() -> None:
    position = at("moves c 2", "aM C, bS C aM, cL A0").play("walk L C")
    assert legal(position) == {"take aM", "done"}
    assert refused(position, "take bS") == "BBQ-21"
    alone = played(position, "take aM", "done")
    assert (captor(alone, "aM"), captor(alone, "bS")) == ("cL", None)
    assert alone.facts()["immune"] == {}
    both = played(position, "take aM", "take bS")
    assert (captor(both, "aM"), captor(both, "bS"), phase(both)) == ("cL", "cL", "moves")


@pytest.mark.scenario("1.5.6")
@pytest.mark.clause("BB-2.c", "BBQ-31")
def test_a_bridge_collapses_at_the_end_of_its_owners_seventh_unused_turn() -> None:
    position = at("moves a 2", "aL B0").play("build B0-R0")
    for _ in range(7):
        position = go_round(position)
    assert position.facts()["bridges"] == {"B0-R0 a": [False, 6, False]}
    assert "collapse" in position.sentence(position.read("end"))
    assert position.play("end").facts()["bridges"] == {}


@pytest.mark.clause("BB-2.c", "BBQ-31")
@pytest.mark.parametrize("crossing", ["cross L R0 a", "cross L B0 a"])
def test_any_crossing_by_any_family_keeps_a_bridge(crossing: str) -> None:
    here = "B0" if crossing == "cross L R0 a" else "R0"
    position = at("moves b 2", f"bL {here}", bridges="B0-R0 a 6").play(crossing)
    position = played(position, "end", "end", "end", "end", "end")
    assert position.facts()["bridges"] == {"B0-R0 a": [False, 0, False]}


@pytest.mark.scenario("1.5.7")
@pytest.mark.clause("BB-W.1", "BB-W.3", "BB-1.e.v", "BBQ-29", "BBQ-36")
def test_a_hostage_at_home_does_not_win_until_its_captor_walks_off() -> None:
    position = at("moves a 2", "bL R13, bM R14, bS R15 aL, aL R15")
    assert not position.is_over
    position = position.play("walk L R16")
    assert position.is_over and position.outcome is not None
    assert (position.outcome.winners, position.outcome.reason, position.outcome.clause) == ((1,), "home", "BB-W.1")
    assert position.outcome.returns == (-1.0, 1.0, -1.0, -1.0, -1.0)


@pytest.mark.scenario("1.5.8")
@pytest.mark.clause("BB-1.e.iii.3", "BBQ-24", "BBQ-27", "BBQ-23", "ALLQ-2")
def test_with_nothing_to_demand_the_term_is_none_and_frees_at_the_start_of_the_turn() -> None:
    position = at("terms b 2", "aL C, bS C aL")
    assert legal(position) == {"term none"}
    assert refused(position, "term destroy B0-R0") == "BBQ-24"
    assert refused(position, "term untorch B0-R0") == "BBQ-24"
    position = position.play("term none")
    assert (captor(position, "bS"), position.facts()["moves"]) == (None, 2)
    assert position.facts()["immune"] == {"a>bS": 2}


# -- turns ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BBQ-1", "ALLQ-1")
def test_chance_draws_the_first_family_with_equal_weights() -> None:
    position = registry.game("burning_bridges").start()
    assert position.is_chance and position.weights == (1, 1, 1, 1, 1)
    assert refused(position, "end") == "BBQ-1"
    position = position.play("first 3")
    assert position.actor == 2
    assert refused(position, "first 1") == "BBQ-1"


@pytest.mark.clause("BBQ-1", "ALLQ-1")
def test_seat0_begins_if_the_house_says_so() -> None:
    assert registry.game("burning_bridges", firstPlayer="seat0").start().actor == 0


@pytest.mark.clause("BB-1", "BBQ-2")
def test_a_turn_has_up_to_two_moves_of_any_kind() -> None:
    position = at("moves a 2")
    assert position.play("end").actor == 1
    once = position.play("walk L R1")
    assert (once.actor, once.facts()["moves"]) == (0, 1)
    assert once.play("end").actor == 1
    assert once.play("walk L R2").actor == 1


@pytest.mark.clause("BB-T", "BB-M.1", "BB-M.2", "BB-M.4", "BB-S.3", "BB-00")
def test_every_family_has_two_parents_and_a_child() -> None:
    game = registry.game("burning_bridges")
    assert set(game.start().facts()["pieces"]) == {f"{family}{size}" for family in "abcde" for size in "LMS"}
    assert game.spec.options.PRESETS == {}
    words = at("moves a 2").sentence(at("moves a 2").read("walk L R1"))
    assert words == "A's parent L walks to R1."


@pytest.mark.clause("BBQ-2")
def test_the_same_piece_may_do_the_same_twice() -> None:
    position = played(at("moves a 2", bridges="B0-R0 b 0, B0-R0 c 0"), "torch B0-R0 b", "torch B0-R0 c")
    assert position.actor == 1
    assert pillar(played(at("moves a 2"), "walk L R1", "walk L R2"), "aL") == "R2"


@pytest.mark.clause("BBQ-48")
def test_the_turn_ends_by_itself_after_two_moves() -> None:
    once = at("moves a 2").play("walk L R1")
    assert once.actor == 0
    assert once.play("walk L R2").actor == 1


@pytest.mark.clause("BBQ-48", "BBQ-15")
def test_the_turn_ends_only_when_the_last_moves_questions_are_answered() -> None:
    position = at("moves a 1", "aL A0, bM C, bS C").play("walk L C")
    assert (position.actor, position.facts()["moves"]) == (0, 0)
    assert position.play("done").actor == 1
    assert position.play("take bM").actor == 0
    assert refused(position, "end") == "BBQ-15"


@pytest.mark.clause("BB-1.a.fig", "BBQ-3")
def test_only_drawn_lines_are_adjacent() -> None:
    position = at("moves a 2")
    assert legal(position, "walk L") == {"walk L R1", "walk L R19", "walk L B0"}
    assert refused(position, "walk L A0") == "BBQ-3"
    assert refused(position, "walk L R0") == "BBQ-3"


@pytest.mark.clause("BBQ-4")
def test_walking_along_a_bridge_does_not_use_it_and_crossing_does() -> None:
    position = at("moves a 2", bridges="B0-R0 c 3")
    assert position.play("walk M B0").facts()["bridges"] == {"B0-R0 c": [False, 3, False]}
    assert position.play("cross M B0 c").facts()["bridges"] == {"B0-R0 c": [False, 3, True]}


@pytest.mark.clause("BB-1.c", "BBQ-4")
def test_crossing_needs_a_bridge_of_the_colour_named() -> None:
    position = at("moves a 2", bridges="B0-R0 c 3")
    assert refused(position, "cross M B0 a") == "BB-1.c"
    assert refused(position, "cross M R1 c") == "BB-1.c"
    assert refused(position, "cross M A0 c") == "BBQ-3"


@pytest.mark.clause("BBQ-39", "BB-1.d")
def test_a_torch_never_stops_a_parent() -> None:
    position = at("moves a 2", bridges="B0-R0 c 3 torch, R0-R1 a 3 torch")
    assert {"walk M B0", "cross M B0 c", "cross L R1 a"} <= legal(position)


@pytest.mark.clause("BB-1.d", "BBQ-5", "BBQ-39")
def test_fire_stops_the_bridges_own_child() -> None:
    position = at("moves a 2", bridges="B0-R0 a 3 torch")
    assert refused(position, "cross S B0 a") == "BB-1.d"
    assert "cross L B0 a" in legal(position)


# -- building and burning ---------------------------------------------------------------------------------------------


@pytest.mark.clause("BB-1.b", "BB-1.b.i", "BBQ-6", "BBQ-9")
def test_two_parents_on_the_ends_of_a_line_build_and_the_child_may_cross_at_once() -> None:
    position = at("moves a 2", "aL B0")
    assert legal(position, "build") == {"build B0-R0"}
    assert refused(position, "build A0-B0") == "BBQ-6"
    assert refused(at("moves a 2"), "build B0-R0") == "BBQ-6"
    assert pillar(played(position, "build B0-R0", "cross S B0 a"), "aS") == "B0"
    assert legal(at("moves a 2", "aM B0"), "build") == {"build B0-R0"}


@pytest.mark.clause("BBQ-6", "BBQ-22")
def test_a_captor_builds_and_a_hostage_does_not() -> None:
    assert "build B0-R0" in legal(at("moves a 2", "aL B0, bS B0 aL"))
    held = at("moves b 2", "aL C, bM C aL, bL A0", bridges="B0-R0 b 0", terms="aL destroy B0-R0")
    assert refused(held, "build A0-C") == "BBQ-22"
    assert refused(held, "walk M A0") == "BBQ-22"
    assert refused(held, "cross M A0 a") == "BBQ-22"


@pytest.mark.clause("BBQ-7")
def test_bridges_of_different_colours_may_lie_side_by_side() -> None:
    assert refused(at("moves a 2", "aL B0", bridges="B0-R0 a 0"), "build B0-R0") == "BBQ-7"
    beside = at("moves a 2", "aL B0", bridges="B0-R0 b 0").play("build B0-R0")
    assert set(beside.facts()["bridges"]) == {"B0-R0 a", "B0-R0 b"}


@pytest.mark.clause("BBQ-7")
def test_a_line_may_carry_one_bridge_only_by_house_rule() -> None:
    alone = at("moves a 2", "aL B0", bridges="B0-R0 b 0", parallelBridges=False)
    assert refused(alone, "build B0-R0") == "BBQ-7"
    assert legal(at("moves a 2", "aL B0", bridges="R0-R1 b 0", parallelBridges=False), "build") == {"build B0-R0"}


@pytest.mark.clause("BBQ-8")
def test_bridges_are_unlimited() -> None:
    assert "build B0-R0" in legal(at("moves a 2", "aL B0", bridges=many_bridges(40, "a").replace("B0-R0 a 0, ", "")))


@pytest.mark.clause("BBQ-8")
def test_the_house_may_limit_the_bridges_of_a_family() -> None:
    two = "A0-B0 a 0, B0-B1 a 0, C-A0 b 0"
    assert "build B0-R0" in legal(at("moves a 2", "aL B0", bridges=two, maxBridgesPerFamily=3))
    assert refused(at("moves a 2", "aL B0", bridges=two, maxBridgesPerFamily=2), "build B0-R0") == "BBQ-8"


@pytest.mark.clause("BBQ-9", "BB-1.d")
def test_a_bridge_built_with_the_last_move_may_burn_before_the_child_crosses() -> None:
    position = at("moves a 1", "aL B0").play("build B0-R0").play("torch B0-R0 a")
    position = played(position, "end", "end", "end", "end")
    assert refused(position, "cross S B0 a") == "BB-1.d"


@pytest.mark.clause("BB-2.a", "BB-2.b", "BBQ-33")
def test_no_bridge_is_in_the_way_of_another_on_a_pillar() -> None:
    around = ", ".join(f"A{i}-C {colour} 0" for i in range(1, 5) for colour in "abcde")
    assert "build A0-C" in legal(at("moves a 2", "aL A0, aM C", bridges=around))


@pytest.mark.clause("BB-2.b", "BBQ-33")
def test_bridges_go_only_by_terms_by_a_child_or_by_loneliness() -> None:
    for seed in range(2):
        rng, position = random.Random(seed), registry.game("burning_bridges", seats=2).start()
        for _ in range(250):
            building = [action for action in position.legal if position.name(action).startswith(("build", "torch", "cross"))]
            action = rng.choice(building if building and rng.random() < 0.6 else position.legal)
            name, after = position.name(action), position.play(action)
            gone = set(position.facts()["bridges"]) - set(after.facts()["bridges"])
            assert not gone or after.turn > position.turn or name.startswith(("destroy", "pay"))
            position = after


@pytest.mark.clause("BB-1.d", "BBQ-10")
def test_a_torch_goes_into_any_opponents_bridge_anywhere_once() -> None:
    position = at("moves a 2", bridges="A2-C b 0, B0-R0 a 0")
    assert legal(position, "torch") == {"torch A2-C b"}
    assert refused(position, "torch B0-R0 a") == "BBQ-10"
    assert refused(position, "torch A1-C b") == "BBQ-10"
    burning = position.play("torch A2-C b")
    assert torch(burning, "A2-C b")
    assert burning.facts()["bridges"]["A2-C b"] == [True, 0, False]
    assert refused(burning, "torch A2-C b") == "BBQ-10"


@pytest.mark.clause("BBQ-10")
def test_torching_an_own_bridge_is_a_house_rule_and_stops_the_own_child() -> None:
    position = at("moves a 2", bridges="B0-R0 a 0", torchOwn=True).play("torch B0-R0 a")
    assert refused(position, "cross S B0 a") == "BB-1.d"
    assert refused(position, "destroy B0-R0 a") == "BB-3.a"


@pytest.mark.clause("BB-M.3", "BBQ-11")
def test_there_are_fifty_torches_and_they_come_back() -> None:
    spare = "B5-R10 c 0, B5-R10 d 0"
    one_left = at("moves a 2", "bS C", bridges=f"{many_bridges(49, 'b', ' torch')}, {spare}")
    none_left = one_left.play("torch B5-R10 c")
    assert refused(none_left, "torch B5-R10 d") == "BBQ-11"
    gone = at("moves a 2", "aS A0", bridges=f"{many_bridges(50, 'b', ' torch')}, {spare}").play("destroy A0-C b")
    assert "torch B5-R10 d" in legal(gone)


@pytest.mark.clause("BBQ-11")
def test_ten_torches_each_are_counted_by_who_placed_them() -> None:
    spare = "B5-R10 c 0, B5-R10 d 0"
    position = at("moves a 2", bridges=f"{many_bridges(9, 'b', ' torch by a')}, {spare}", pins="10each")
    position = position.play("torch B5-R10 c")
    assert refused(position, "torch B5-R10 d") == "BBQ-11"
    assert "torch B5-R10 d" in legal(position.play("end"))


@pytest.mark.clause("BBQ-11")
def test_torches_are_remembered_by_who_placed_them_while_others_come_and_go() -> None:
    bridges = "A0-C e 0 torch by a, A0-B0 b 0 torch by e, B0-R0 c 0, B0-B1 b 0"
    position = at("moves c 2", "cS B0", bridges=bridges, pins="10each")
    position = position.play("torch B0-B1 b")
    assert "B0-B1 b 0 torch by c" in position.text
    position = position.play("destroy A0-B0 b")
    assert "A0-C e 0 torch by a" in position.text
    assert "B0-B1 b 0 torch by c" in position.text
    assert position.game.load(position.text) == position


@pytest.mark.clause("BBQ-12", "BBQ-49")
def test_the_owner_puts_out_a_fire_only_by_house_rule_and_from_an_end() -> None:
    assert refused(at("moves a 2", bridges="B0-R0 a 0 torch"), "extinguish B0-R0") == "BBQ-12"
    position = at("moves a 2", bridges="B0-R0 a 0 torch, A0-B0 a 0 torch, B0-B1 a 0", ownerExtinguish=True)
    assert legal(position, "extinguish") == {"extinguish B0-R0"}
    assert refused(position, "extinguish A0-B0") == "BBQ-49"
    assert refused(position, "extinguish B0-B1") == "BBQ-12"
    assert not torch(position.play("extinguish B0-R0"), "B0-R0 a")


@pytest.mark.clause("BBQ-49", "BBQ-22")
def test_a_parent_who_is_a_hostage_puts_out_nothing() -> None:
    position = at("moves b 2", "aL C, bM C aL", bridges="A0-C b 0 torch", terms="aL destroy A0-C", ownerExtinguish=True)
    assert refused(position, "extinguish A0-C") == "BBQ-49"


@pytest.mark.clause("BB-3.a", "BB-3.a.i", "BBQ-32")
def test_a_child_that_arrives_may_destroy_one_burning_bridge_within_its_move() -> None:
    fires = "B0-R0 a 0, B0-R0 b 0 torch, B0-B1 c 0 torch, B2-B3 c 0 torch"
    position = at("moves a 2", bridges=fires).play("cross S B0 a")
    assert legal(position) == {"destroy B0-R0 b", "destroy B0-B1 c", "done"}
    assert refused(position, "walk L R1") == "BBQ-32"
    assert refused(position, "destroy B2-B3 c") == "BB-3.a"
    after = position.play("destroy B0-R0 b")
    assert (phase(after), after.facts()["moves"]) == ("moves", 1)
    assert "B0-R0 b" not in after.facts()["bridges"]
    assert after.play("destroy B0-B1 c").actor == 1
    assert position.play("done").facts()["moves"] == 1


@pytest.mark.clause("BBQ-45")
def test_the_bridge_beside_the_one_just_crossed_may_be_destroyed_on_arrival() -> None:
    position = at("moves a 2", bridges="B0-R0 a 0, B0-R0 b 0 torch").play("cross S B0 a")
    assert legal(position) == {"destroy B0-R0 b", "done"}


@pytest.mark.clause("BBQ-45")
@pytest.mark.parametrize("fire", ["B0-B1 a 0 torch", "B0-B1 b 0", "R0-R1 b 0 torch"])
def test_an_own_or_sound_or_distant_bridge_asks_nothing_on_arrival(fire: str) -> None:
    position = at("moves a 2", bridges=f"B0-R0 a 0, {fire}").play("cross S B0 a")
    assert (phase(position), position.facts()["moves"]) == ("moves", 1)


@pytest.mark.clause("BB-3.a", "BBQ-32", "BBQ-12")
def test_only_burning_bridges_of_opponents_at_the_childs_pillar_are_destroyed() -> None:
    position = at("moves a 2", "aL B2", bridges="B0-R0 b 0 torch, R0-R1 b 0, R0-R19 a 0 torch, B2-B3 b 0 torch")
    assert legal(position, "destroy") == {"destroy B0-R0 b"}
    assert refused(position, "destroy R0-R1 b") == "BB-3.a"
    assert refused(position, "destroy R0-R19 a") == "BB-3.a"
    assert refused(position, "destroy B2-B3 b") == "BB-3.a"
    assert position.play("destroy B0-R0 b").facts()["moves"] == 1


@pytest.mark.clause("BBQ-32")
def test_destroying_always_costs_a_move_by_house_rule() -> None:
    position = at("moves a 2", bridges="B0-R0 a 0, B0-B1 c 0 torch", destroyCost="always1").play("cross S B0 a")
    assert (phase(position), position.facts()["moves"]) == ("moves", 1)
    assert position.play("destroy B0-B1 c").actor == 1


# -- lonely bridges, home, the end ------------------------------------------------------------------------------------


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


# -- one action ahead -------------------------------------------------------------------------------------------------


def test_a_family_is_better_off_with_its_child_further_and_a_rival_in_fire() -> None:
    start = at("moves a 2", "aL B0", bridges="B0-R0 a 0, R4-R5 b 0")
    law, value = start.game.law, start.game.spec.evaluate.value
    worth = value(start.copy_states()[0], law, 0)
    for better in ("cross S B0 a", "torch R4-R5 b"):
        assert value(start.play(better).copy_states()[0], law, 0) > worth
    assert value(start.play("torch R4-R5 b").copy_states()[0], law, 1) < value(start.copy_states()[0], law, 1)
    won = at("over a 1 home a", "aL R9, aM R9, aS R9").copy_states()[0]
    assert value(won, law, 0) > 100 > -100 > value(won, law, 1)


def test_looking_one_action_ahead_beats_chance() -> None:
    game = registry.game("burning_bridges", seats=2, board="star3")
    wins = 0
    for seed in range(4):
        rng, position = random.Random(seed), game.start()
        while not position.is_over and position.turn < 150:
            action = rng.choice(position.legal)
            if position.actor == seed % 2:
                after = {each: position.play(each).copy_states()[0] for each in position.legal}
                action = max(after, key=lambda each: game.spec.evaluate.value(after[each], game.law, seed % 2))
            position = position.play(action)
        wins += position.outcome is not None and position.outcome.winners == (seed % 2,)
    assert wins == 4


# -- words ------------------------------------------------------------------------------------------------------------


def test_the_refusal_names_the_things_to_show() -> None:
    position = at("moves a 2", "aL C, bM C", bridges="A0-C b 0", immune="a>bM 1")
    refusal = position.explain(position.read("seize L bM"))
    assert refusal is not None
    assert refusal.show == ("p:aL", "p:bM")
    assert position.game.words.tell(refusal.phrase) == "B's parent M was just released and is safe from A for this turn."
    bridge = position.explain(position.read("destroy A0-C b"))
    assert bridge is not None
    assert set(bridge.show) == {"f:A0", "f:C", "b:A0-C:b"}


def test_a_line_may_be_typed_from_either_end_and_nonsense_is_refused() -> None:
    position = at("moves a 2", "aL B0")
    assert position.read("build R0-B0") == position.read("build B0-R0")
    for wrong in (
        "build",
        "build R0-R9",
        "build X0-R0",
        "walk X R1",
        "walk L",
        "take zM",
        "take bX",
        "fly",
        "",
        "first 6",
        "term",
    ):
        with pytest.raises(Exception, match="expected|no pillar|no line"):
            position.read(wrong)


def test_the_log_tells_who_was_left_free() -> None:
    position = at("moves a 2", "aL C, bS C aL")
    action = position.read("walk L A0")
    assert position.sentence(action) == "A's parent L walks to A0 and leaves its hostages behind, free: B's child S."
    assert position.sentence(action, "de").startswith("Elternteil L von A geht nach A0")
