"""Burning Bridges on the screen: what is touched for an action, what a touch means, and how the last action is marked."""

from collections import defaultdict
from typing import Any

import pytest
from bridges_table import at, choice, meant, paths, random_positions

from bridgehead.core import registry
from bridgehead.games.burning_bridges import scene
from games.asked import played

# -- choices ---------------------------------------------------------------------------------------------------------


def test_paths_differ_except_for_walking_and_crossing_along_one_line() -> None:
    for position in random_positions(300, 2)[::10]:
        by_path: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for each in position.game.spec.scene.choices(position, "en") if not position.is_over else ():
            by_path[each.path].append(each.text)
        for texts in by_path.values():
            assert len(texts) == 1 or {text.split()[0] for text in texts} <= {"walk", "cross"}, texts


@pytest.mark.clause("BBQ-4", "BB-1.c")
def test_the_own_bridge_is_proposed_first_and_walking_where_there_is_none() -> None:
    position = at("moves a 2", "aL A0", bridges="A0-B0 a 0, A0-B0 b 0, A0-B1 b 0")
    proposed = {each.text for each in position.game.spec.scene.choices(position, "en") if each.first and each.path[0] == "p:aL"}
    assert {"cross L B0 a", "walk L B1", "walk L C"} <= proposed
    assert not {"walk L B0", "cross L B0 b", "cross L B1 b"} & proposed
    assert paths(position)["walk L B0"] == paths(position)["cross L B0 a"] == ("p:aL", "f:B0")


@pytest.mark.clause("BB-1.e", "BBQ-15")
def test_a_pillar_where_something_can_be_taken_is_marked_for_taking() -> None:
    position = at("moves a 2", "aL A0, bM C, cM A1, cL A1")
    assert (choice(position, "walk L C").kind, choice(position, "walk L C").note) == ("take", "may take a hostage there")
    assert (choice(position, "walk L A1").kind, choice(position, "walk L A1").note) == ("go", "")
    landed = played(position, "walk L C")
    assert paths(landed) == {"take bM": ("p:bM",), "done": ("!done",)}


def test_seizing_is_touching_the_piece_and_then_the_victim() -> None:
    position = at("moves a 2", "aL C, bM C")
    assert paths(position)["seize L bM"] == ("p:aL", "p:bM")
    assert choice(position, "seize L bM").kind == "take"


def test_moves_of_the_family_begin_with_a_button() -> None:
    position = at("moves a 2", "aL A0, aM C", bridges="A1-B2 b 0")
    told = paths(position)
    assert told["build A0-C"] == ("!build",)
    assert told["torch A1-B2 b"] == ("!torch", "b:A1-B2:b")
    assert told["end"] == ("!end",)


@pytest.mark.clause("BB-3.a", "BBQ-32")
def test_the_child_is_touched_to_destroy_and_only_the_bridge_after_its_arrival() -> None:
    standing = at("moves a 2", "aS A0", bridges="A0-B1 b 0 torch")
    assert paths(standing)["destroy A0-B1 b"] == ("p:aS", "b:A0-B1:b")
    coming = at("moves a 2", "aS A0", bridges="A0-C a 0, A1-C b 0 torch")
    assert choice(coming, "cross S C a").note == "may destroy a bridge there"
    assert paths(played(coming, "cross S C a")) == {"destroy A1-C b": ("b:A1-C:b",), "done": ("!done",)}


@pytest.mark.clause("BBQ-23", "BBQ-25")
def test_terms_are_named_by_touching_the_bridge_and_confirmed() -> None:
    position = at("terms b 2", "aL C, bM C aL", bridges="A0-B0 b 0, A1-B2 a 0 torch")
    assert paths(position) == {
        "term destroy A0-B0": ("b:A0-B0:b",),
        "term untorch A1-B2": ("b:A1-B2:a",),
        "term none": ("!term-none",),
    }
    assert {each.text for each in position.game.spec.scene.choices(position, "en") if each.confirm} == {
        "term destroy A0-B0",
        "term untorch A1-B2",
    }
    hostage = at("terms b 2", "aL C, bM C aL", bridges="A1-B2 a 0 torch", untorchChoice="hostage")
    assert paths(hostage)["term untorch"] == ("!term-untorch",)


def test_paying_is_one_button_and_asks_only_what_is_open() -> None:
    one = at("moves b 2", "aL C, bM C aL", bridges="A0-B0 b 0", terms="aL destroy A0-B0")
    assert paths(one)["pay aL"] == ("!pay",)
    assert choice(one, "pay aL").label == "Pay Black's L: bridge A0-B0"
    two = at(
        "moves b 2", "aL C, bM C aL, cL A0, bS A0 cL", bridges="A0-B0 b 0", terms="aL destroy A0-B0, cL destroy A0-B0"
    )  # fmt: skip
    assert {paths(two)["pay aL"], paths(two)["pay cL"]} == {("!pay", "p:aL"), ("!pay", "p:cL")}
    open_torch = at(
        "moves b 2", "aL C, bM C aL", bridges="A0-B0 a 0 torch, A0-B1 a 0 torch", terms="aL untorch", untorchChoice="hostage"
    )  # fmt: skip
    assert paths(open_torch)["pay aL A0-B1"] == ("!pay", "b:A0-B1:a")


def test_notes_tell_who_is_set_free_and_who_wins() -> None:
    leaving = at("moves a 2", "aL C, bM C aL")
    assert choice(leaving, "walk L A0").note == "sets free: Blue's parent M"
    home = at("moves a 2", "aL R9, aM B4, aS R10")
    assert choice(home, "walk M R9").note == "wins"
    helped = at("moves a 2", "aL R13, bL R14, bM R13 aL, bS R15")
    assert choice(helped, "walk L R12").note == "sets free: Blue's parent M, Blue wins by it"


@pytest.mark.parametrize("options", [{}, {"ownerExtinguish": True, "untorchChoice": "hostage", "torchOwn": True}])
def test_every_button_of_a_path_has_its_place(options: dict[str, Any]) -> None:
    places: dict[int, set[tuple[str, ...]]] = {}
    for position in random_positions(200, 3, **options)[::8]:
        labels = scene.buttons(position, "en")
        places.setdefault(int(position.state.phase), set()).add(tuple(labels))
        touched = {step for each in position.game.spec.scene.choices(position, "en") for step in each.path if step[0] == "!"}
        assert touched <= set(labels)
        assert all(scene.buttons(position, "de").values())
    assert all(len(orders) == 1 for orders in places.values())
    assert len(places) > 1


# -- what touches mean -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"untorchChoice": "hostage", "ownerExtinguish": True}, {"seats": 2, "torchOwn": True}])
def test_touching_a_path_means_its_action(options: dict[str, Any]) -> None:
    for position in random_positions(250, 4, **options)[::10]:
        if position.is_over:
            continue
        by_path: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for each in position.game.spec.scene.choices(position, "en"):
            by_path[each.path].append(each.action)
        for path, actions in by_path.items():
            assert scene.find_touched_action(position, path) in actions, (position.text, path)


@pytest.mark.parametrize(
    ("touch", "action", "clause"),
    [
        (("p:aS", "f:B0"), "cross S B0 a", "BB-1.c"),
        (("p:aL", "f:R10"), "walk L R10", "BBQ-3"),
        (("p:aL", "p:bL"), "walk L R4", "BBQ-3"),
        (("p:aL", "p:aM"), "seize L aM", "BB-1.e"),
        (("p:aL", "p:cM"), "seize L cM", ""),
        (("p:aM", "p:cM"), "seize M cM", "BBQ-13"),
        (("p:cM",), "seize L cM", ""),
        (("!build",), "build B0-R0", "BBQ-6"),
        (("!torch", "b:A0-B0:a"), "torch A0-B0 a", "BBQ-10"),
        (("b:A0-B0:a",), "torch A0-B0 a", "BBQ-10"),
        (("p:aS", "b:A0-B0:a"), "destroy A0-B0 a", "BB-3.a"),
        (("b:A0-B1:b",), "destroy A0-B1 b", "BB-3.a"),
        (("!destroy", "b:A0-B1:b"), "", ""),
        (("!pay",), "pay bL", "BBQ-26"),
        (("!done",), "done", "BBQ-15"),
        (("!term-none",), "term none", "BBQ-23"),
        (("f:R5",), "", ""),
        (("p:zz",), "", ""),
        (("b:A0:a",), "", ""),
        (("x",), "", ""),
        ((), "", ""),
    ],
)
def test_a_touch_means_an_action_and_the_action_says_why_not(touch: tuple[str, ...], action: str, clause: str) -> None:
    position = at("moves a 2", "cM R0", bridges="A0-B0 a 0, A0-B1 b 0 torch")
    assert meant(position, *touch) == action
    refusal = position.explain(position.read(action)) if action else None
    assert (refusal.clause if refusal else "") == clause


def test_a_parent_and_a_bridge_mean_crossing_it() -> None:
    position = at("moves a 2", "aL A0", bridges="A0-B0 b 0")
    assert meant(position, "p:aL", "b:A0-B0:b") == "cross L B0 b"
    assert meant(position, "p:aM", "b:A0-B0:b") == "torch A0-B0 b"


def test_nothing_is_meant_before_the_draw() -> None:
    start = registry.game("burning_bridges").start()
    assert start.is_chance
    assert scene.find_touched_action(start, ("p:aL", "f:R1")) is None


# -- the last action -------------------------------------------------------------------------------------------------


def test_the_last_action_is_marked_on_what_it_was_about() -> None:
    position = at("moves a 2", "aL A0, aM C, bM A1, bL R4", bridges="A1-B2 b 0")

    def marked(text: str) -> tuple[str, str]:
        return scene.last(position, position.read(text))

    assert marked("walk L A1") == ("f:A0", "f:A1")
    assert marked("build A0-C") == ("", "b:A0-C:a")
    assert marked("torch A1-B2 b") == ("", "b:A1-B2:b")
    assert marked("end") == ("", "")
    landed = played(position, "walk L A1")
    assert scene.last(landed, landed.read("take bM")) == ("", "p:bM")


def test_a_bridge_that_collapses_as_the_turn_ends_is_not_marked() -> None:
    position = at("moves a 1", bridges="A1-B2 b 6", idleCount="table")
    assert "A1-B2 b" not in played(position, "torch A1-B2 b").facts()["bridges"]
    assert scene.last(position, position.read("torch A1-B2 b")) == ("", "")


def test_moves_are_traced_from_pillar_to_pillar() -> None:
    position = at("moves a 2", "aL A0")
    action = position.read("walk L C")
    (trace,) = scene.traces(position, action, position.play(action))
    assert (trace.item, trace.via) == ("p:aL", ("f:A0", "f:C"))
    assert scene.traces(position, position.read("end"), position.play("end")) == ()
