"""Burning Bridges: building bridges, burning and destroying them."""

import random

import pytest
from bridges_table import at, phase, pillar, torch

from bridgehead.core import registry
from games.asked import legal, played, refused


def many_bridges(number: int, colour: str, more: str = "") -> str:
    board = registry.game("burning_bridges").board
    return ", ".join(f"{board.line_name(line)} {colour} 0{more}" for line in range(number))


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
