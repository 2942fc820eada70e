"""Burning Bridges on the screen: what is drawn, and where."""

import math
import re
from typing import Any

import pytest
from bridges_table import at, random_positions, things

from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.games.burning_bridges import SPEC, scene
from bridgehead.games.burning_bridges.board import MOST_FAMILIES
from bridgehead.games.burning_bridges.scene import stands

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
    {"seats": 3}, {"seats": 4}, {"seats": 5}, {"seats": 5, "board": "star6"}, {"seats": 2}, {"seats": 2, "board": LADDER},
]  # fmt: skip
EVERY_BOARD = pytest.mark.parametrize("options", BOARDS, ids=["star3", "star4", "star5", "star6", "star4 for 2", "ladder"])


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
@pytest.mark.parametrize("number", range(1, 3 * MOST_FAMILIES + 1))
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
    lines = [plate.lines for plate in SPEC.scene.plates(position, "en")]
    assert "holds Blue's M" in lines[0]
    assert lines[1] == ("Black's L wants bridge A0-B0", "M is held by Black's L", "home 1/3, bridges 2", "burning 1")
    to_blue = SPEC.scene.plates(position, "en", {"seat.a": "Ada"}, "seat.b")
    assert "holds your M" in to_blue[0].lines and "M is held by Ada's L" in to_blue[1].lines
    assert [plate.name for plate in to_blue][:2] == ["Black", "Blue"], "the board's colours"


def test_plates_tell_the_torches_left_where_each_family_has_its_own() -> None:
    shared = at("moves a 2", bridges="A0-B0 b 0 torch")
    own = at("moves a 2", bridges="A0-B0 b 0 torch by a", pins="10each")
    assert not any("torches left" in line for plate in SPEC.scene.plates(shared, "en") for line in plate.lines)
    assert [plate.lines[-1] for plate in SPEC.scene.plates(own, "en")][:2] == ["torches left: 9", "torches left: 10"]


def test_a_piece_tells_from_whom_it_is_safe() -> None:
    label = things(at("moves a 2", immune="b>aS 2, c>aS 1"))["p:aS"].label
    assert label == "Black's child S on R0, safe from Blue for 2 turns, safe from Yellow for one turn"


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
        assert "echt" in about(registry.spec("burning_bridges"), "de").clause(clause)
