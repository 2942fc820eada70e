"""Burning Bridges on the screen: what is drawn where, what is touched for an action, and what a touch means."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from bridges_table import at, played

from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Item
from bridgehead.games.burning_bridges import scene
from bridgehead.games.burning_bridges.things import stands

ART = Path(str(scene.__file__)).with_name("art.svg").read_text("utf-8")
SHARED = re.compile(r"shape-[a-e]")
LADDER: dict[str, Any] = {
    "name": "ladder",
    "families": 2,
    "nodes": {f"N{x}{y}": [3 * x, 2 * y] for x in range(4) for y in range(2)},
    "edges": [[f"N{x}{y}", f"N{x + 1}{y}"] for x in range(3) for y in range(2)] + [[f"N{x}0", f"N{x}1"] for x in range(4)],
    "family": [
        {"id": 0, "color": "red", "start": {"L": "N00", "M": "N01", "S": "N00"}, "goals": ["N30", "N31"]},
        {"id": 1, "color": "blue", "start": {"L": "N30", "M": "N30", "S": "N30"}, "goals": ["N00", "N31"]},
    ],
}
BOARDS: list[dict[str, Any]] = [
    {"seats": 3},
    {"seats": 4},
    {"seats": 5},
    {"seats": 5, "board": "star6"},
    {"seats": 2},
    {"seats": 2, "board": LADDER},
]
EVERY_BOARD = pytest.mark.parametrize("options", BOARDS, ids=["star3", "star4", "star5", "star6", "star4 for 2", "ladder"])


def things(position: Position) -> dict[str, Item]:
    return {item.id: item for item in scene.items(position, "en")}


def choice(position: Position, text: str) -> Choice:
    return next(each for each in scene.choices(position, "en") if each.text == text)


def paths(position: Position) -> dict[str, tuple[str, ...]]:
    return {each.text: each.path for each in scene.choices(position, "en")}


def meant(position: Position, *touch: str) -> str:
    action = scene.touched(position, touch)
    return "" if action is None else position.name(action)


def random_positions(number: int, seed: int, **options: Any) -> list[Position]:
    """Positions of a game in which bridges, torches and hostages are common."""
    rng, match = random.Random(seed), Match(registry.game("burning_bridges", firstPlayer="seat0", **options))
    while not match.position.is_over and len(match.log) < number:
        position = match.position
        lively = [
            a for a in position.legal if position.name(a).split()[0] in ("build", "take", "seize", "torch", "destroy", "pay")
        ]
        calm = [a for a in position.legal if position.name(a) not in ("end", "term none")] or list(position.legal)
        match.play(rng.choice(lively if lively and rng.random() < 0.6 else calm))
    return list(match.positions)


# -- the board -------------------------------------------------------------------------------------------------------


@EVERY_BOARD
def test_every_pillar_is_drawn_inside_the_board_and_apart_from_the_others(options: dict[str, Any]) -> None:
    game = registry.game("burning_bridges", **options)
    picture = scene.picture(game, "en")
    assert [field.id for field in picture.fields] == [f"f:{pillar}" for pillar in game.board.pillars]
    for field in picture.fields:
        assert 60 < field.x < picture.width - 60
        assert 60 < field.y < picture.height - 60
    places = [(field.x, field.y) for field in picture.fields]
    assert min(math.dist(one, other) for i, one in enumerate(places) for other in places[:i]) > 100


@EVERY_BOARD
def test_every_symbol_is_drawn_by_the_game_or_shared(options: dict[str, Any]) -> None:
    game = registry.game("burning_bridges", **options)
    picture = scene.picture(game, "en")
    drawn = [*picture.ground, *picture.fields, *scene.items(game.start(), "en")]
    for use in {part.use for thing in drawn for part in thing.parts if part.use}:
        assert SHARED.fullmatch(use) or f'id="{use}"' in ART, use


@pytest.mark.clause("BB-S.1", "BBQ-34", "BBQ-35")
@EVERY_BOARD
def test_starts_wear_a_lettered_triangle_and_goals_a_collar_with_letter_and_shape(options: dict[str, Any]) -> None:
    game = registry.game("burning_bridges", **options)
    ground = {item.id: item for item in scene.picture(game, "en").ground}
    for seat, letter in enumerate("abcde"[: game.seats]):
        starts = {place for piece, (place, _) in game.start().facts()["pieces"].items() if piece[0] == letter}
        for pillar in starts:
            assert letter.upper() in [part.text for part in ground[f"g:start-{letter}-{pillar}"].parts]
            assert ground[f"g:plinth-{letter}-{pillar}"].seat == letter
        goals = {game.board.pillars[i] for i in range(int(game.law.pillars)) if game.law.goal_distance[seat, i] == 0}
        assert {name.rpartition("-")[2] for name in ground if name.startswith(f"g:goal-{letter}-")} == goals
        named = [item for name, item in ground.items() if name == f"g:arc-{letter}" or name.startswith(f"g:badge-{letter}-")]
        assert len(named) == (1 if f"g:arc-{letter}" in ground else len(goals))
        assert all(letter.upper() in [part.text for part in item.parts] for item in named)
        assert all(f"shape-{letter}" in [part.use for part in item.parts] for item in named)


def test_goals_on_a_round_rim_get_an_arc_and_goals_elsewhere_a_badge_each() -> None:
    def marks(**options: Any) -> set[str]:
        return {item.id for item in scene.picture(registry.game("burning_bridges", **options), "en").ground}

    assert {f"g:arc-{letter}" for letter in "abcde"} <= marks(seats=5)
    assert {"g:badge-a-N30", "g:badge-a-N31", "g:badge-b-N00", "g:badge-b-N31"} <= marks(seats=2, board=LADDER)


def test_families_that_do_not_play_leave_their_pillars_unmarked() -> None:
    ground = scene.picture(registry.game("burning_bridges", seats=2), "en").ground
    assert {item.seat for item in ground} == {"", "a", "b"}


@pytest.mark.clause("BB-1.a.fig", "BBQ-3")
@EVERY_BOARD
def test_exactly_the_lines_of_the_board_are_drawn(options: dict[str, Any]) -> None:
    game = registry.game("burning_bridges", **options)
    picture = scene.picture(game, "en")
    pillar_at = {(round(field.x), round(field.y)): field.id[2:] for field in picture.fields}
    (ways,) = (item for item in picture.ground if item.id == "g:ways")
    drawn = set()
    for ends in re.findall(r"M(\S+) (\S+)L(\S+) (\S+?)(?=M|$)", ways.parts[0].d):
        x, y, u, v = map(float, ends)
        one, other = (min(pillar_at, key=lambda place, p=p: math.dist(place, p)) for p in ((x, y), (u, v)))  # type: ignore[misc]
        drawn.add(f"{pillar_at[one]}-{pillar_at[other]}")
    assert drawn == {game.board.line_name(line) for line in range(int(game.law.lines))}


# -- pieces and bridges ----------------------------------------------------------------------------------------------


@pytest.mark.clause("BB-M.2", "BB-S.3")
def test_sizes_and_families_are_told_apart_by_more_than_colour() -> None:
    for item_id, item in things(at("moves a 2")).items():
        family, size = item_id[2:]
        assert item.seat == family
        assert {f"bb-{size}", f"shape-{family}"} <= {part.use for part in item.parts}


@pytest.mark.clause("BB-1.e.i")
def test_a_hostage_is_drawn_behind_bars_in_front_of_its_captor() -> None:
    found = things(at("moves a 2", "aL C, bM C aL, bS C aL, cS C, cL A0, dS A0 cL"))
    captor = found["p:aL"]
    assert "bb-captor-2" in [part.use for part in captor.parts]
    for name in ("p:bM", "p:bS"):
        hostage = found[name]
        assert "bb-bars" in [part.use for part in hostage.parts]
        assert hostage.z == captor.z + 1
        assert math.dist((hostage.x, hostage.y), (captor.x, captor.y)) < 60
        assert "hostage" in hostage.label
    assert "bb-captor-1" in [part.use for part in found["p:cL"].parts]
    assert "bb-bars" not in [part.use for part in found["p:cS"].parts]


@pytest.mark.clause("BB-1.e.viii", "BBQ-19")
def test_a_smaller_free_piece_stands_in_front_of_the_larger_opponent() -> None:
    found = things(at("moves a 2", "aL C, bS C"))
    assert found["p:bS"].z > found["p:aL"].z
    assert found["p:bS"].y > found["p:aL"].y
    swapped = things(at("moves a 2", "bL C, aS C"))
    assert (swapped["p:aS"].x, swapped["p:aS"].y) == (found["p:bS"].x, found["p:bS"].y)


@pytest.mark.clause("BBQ-3")
@pytest.mark.parametrize("number", range(1, 16))
def test_pieces_on_one_pillar_keep_apart_and_near_it(number: int) -> None:
    found = stands(number)
    assert len(found) == number
    assert all(math.dist((one.x, one.y), (other.x, other.y)) > 13 for i, one in enumerate(found) for other in found[:i])
    assert all(math.hypot(stand.x, stand.y) < 75 for stand in found)
    assert [stand.y for stand in found if number > 3] == sorted(stand.y for stand in found if number > 3)


@pytest.mark.clause("BBQ-7")
def test_bridges_on_one_line_lie_side_by_side() -> None:
    single = things(at("moves a 2", bridges="A0-B0 a 0"))["b:A0-B0:a"]
    found = things(at("moves a 2", bridges="A0-B0 a 0, A0-B0 b 0, A0-B0 c 0"))
    places = [found[f"b:A0-B0:{colour}"].x for colour in "abc"]
    assert sorted(places) == places
    assert min(abs(one - other) for one, other in zip(places, places[1:], strict=False)) > 15
    assert places[0] < single.x < places[2]


@pytest.mark.clause("BB-1.d", "BB-M.3")
def test_a_torch_stands_on_its_bridge_and_is_told_in_words() -> None:
    found = things(at("moves a 2", bridges="A0-B0 b 0 torch, A0-B1 b 0"))
    torches = [item for item in found.values() if "bb-torch" in [part.use for part in item.parts]]
    bridge = found["b:A0-B0:b"]
    assert [(item.x, item.y) for item in torches] == [(bridge.x, bridge.y)]
    assert "burning" in bridge.label
    assert "burning" not in found["b:A0-B1:b"].label


@pytest.mark.clause("BB-2.c", "BBQ-31")
def test_a_bridge_cracks_in_the_last_two_turns_before_it_collapses() -> None:
    def cracks(bridge: str, **options: Any) -> int:
        drawn = things(at("moves a 2", bridges=f"A0-B0 b {bridge}", **options))["b:A0-B0:b"]
        return sum(part.cls == "crack" for part in drawn.parts)

    assert [cracks(idle) for idle in ("0", "4", "5", "6", "6 used")] == [0, 0, 1, 2, 0]
    assert [cracks(idle, idleLimit=1) for idle in ("0", "1")] == [0, 2]


def test_things_stand_where_the_facts_say() -> None:
    for position in random_positions(250, 1)[::12]:
        found, facts = things(position), position.facts()
        assert {name[2:]: item.at[2:] for name, item in found.items() if name[0] == "p"} == {
            piece: place for piece, (place, _) in facts["pieces"].items()
        }
        assert {name for name in found if name[0] == "b"} == {f"b:{bridge.replace(' ', ':')}" for bridge in facts["bridges"]}
        burning = {f"t:{bridge.replace(' ', ':')}" for bridge, (torch, _, _) in facts["bridges"].items() if torch}
        assert {name for name in found if name[0] == "t"} == burning


def test_plates_tell_who_is_home_held_and_what_is_demanded() -> None:
    position = at("moves b 2", "bS R13, bM C aL, aL C", bridges="A0-B0 b 0 torch, A1-B2 b 0", terms="aL destroy A0-B0")
    lines = [plate.lines for plate in scene.plates(position, "en")]
    assert "holds B's M" in lines[0]
    assert lines[1] == (
        "A's L wants bridge A0-B0",
        "M is held by A's L",
        "home 1/3, bridges 2",
        "burning 1",
    )


def test_plates_tell_the_torches_left_where_each_family_has_its_own() -> None:
    shared = at("moves a 2", bridges="A0-B0 b 0 torch")
    own = at("moves a 2", bridges="A0-B0 b 0 torch by a", pins="10each")
    assert not any("torches left" in line for plate in scene.plates(shared, "en") for line in plate.lines)
    assert [plate.lines[-1] for plate in scene.plates(own, "en")][:2] == ["torches left: 9", "torches left: 10"]


def test_a_piece_tells_from_whom_it_is_safe() -> None:
    label = things(at("moves a 2", immune="b>aS 2, c>aS 1"))["p:aS"].label
    assert label == "A's child S on R0, safe from B for 2 turns, safe from C for one turn"


# -- choices ---------------------------------------------------------------------------------------------------------


def test_paths_differ_except_for_walking_and_crossing_along_one_line() -> None:
    for position in random_positions(300, 2)[::10]:
        by_path: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for each in scene.choices(position, "en") if not position.is_over else ():
            by_path[each.path].append(each.text)
        for texts in by_path.values():
            assert len(texts) == 1 or {text.split()[0] for text in texts} <= {"walk", "cross"}, texts


@pytest.mark.clause("BBQ-4", "BB-1.c")
def test_the_own_bridge_is_proposed_first_and_walking_where_there_is_none() -> None:
    position = at("moves a 2", "aL A0", bridges="A0-B0 a 0, A0-B0 b 0, A0-B1 b 0")
    proposed = {each.text for each in scene.choices(position, "en") if each.first and each.path[0] == "p:aL"}
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
    assert {each.text for each in scene.choices(position, "en") if each.confirm} == {"term destroy A0-B0", "term untorch A1-B2"}
    hostage = at("terms b 2", "aL C, bM C aL", bridges="A1-B2 a 0 torch", untorchChoice="hostage")
    assert paths(hostage)["term untorch"] == ("!term-untorch",)


def test_paying_is_one_button_and_asks_only_what_is_open() -> None:
    one = at("moves b 2", "aL C, bM C aL", bridges="A0-B0 b 0", terms="aL destroy A0-B0")
    assert paths(one)["pay aL"] == ("!pay",)
    assert choice(one, "pay aL").label == "Pay A's L: bridge A0-B0"
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
    assert choice(leaving, "walk L A0").note == "sets free: B's parent M"
    home = at("moves a 2", "aL R9, aM B4, aS R10")
    assert choice(home, "walk M R9").note == "wins"
    helped = at("moves a 2", "aL R13, bL R14, bM R13 aL, bS R15")
    assert choice(helped, "walk L R12").note == "sets free: B's parent M, B wins by it"


@pytest.mark.parametrize("options", [{}, {"ownerExtinguish": True, "untorchChoice": "hostage", "torchOwn": True}])
def test_every_button_of_a_path_has_its_place(options: dict[str, Any]) -> None:
    places: dict[int, set[tuple[str, ...]]] = {}
    for position in random_positions(200, 3, **options)[::8]:
        labels = scene.buttons(position, "en")
        places.setdefault(int(position.state.phase), set()).add(tuple(labels))
        touched = {step for each in scene.choices(position, "en") for step in each.path if step[0] == "!"}
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
        for each in scene.choices(position, "en"):
            by_path[each.path].append(each.action)
        for path, actions in by_path.items():
            assert scene.touched(position, path) in actions, (position.text, path)


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
    assert scene.touched(start, ("p:aL", "f:R1")) is None


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


# -- what happens only on a real table -------------------------------------------------------------------------------


@pytest.mark.clause("BB-2.a", "BB-2.b", "BBQ-33")
def test_no_bridge_falls_by_itself() -> None:
    positions = random_positions(400, 5)
    for before, after in zip(positions, positions[1:], strict=False):
        gone = set(before.facts()["bridges"]) - set(after.facts()["bridges"])
        lonely = {name for name, (_, idle, used) in before.facts()["bridges"].items() if idle == 6 and not used}
        assert len(gone - lonely) <= 1
        assert not gone or after.turn > before.turn or gone.isdisjoint(lonely)


@pytest.mark.clause("BB-2.a", "BB-2.b", "BBQ-33")
def test_the_rulebook_says_that_these_clauses_are_for_a_real_table() -> None:
    book = registry.game("burning_bridges").rulebook
    for clause in ("BB-2.a", "BB-2.b", "BBQ-33"):
        assert "real" in book[clause].text
        assert "echt" in book[clause].de
