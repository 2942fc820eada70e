"""What strokes do, game by game, and what is said of boards that are not finished."""

import gzip
import random
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.server.http import rendering
from games.test_barricade_scene import BOARDS as barricade_boards
from games.test_burning_bridges_scene import BOARDS as star_boards
from games.test_editors import Hand
from variants import at_random


def small() -> Hand:
    """The smallest race: a way up the side, the final square at its end, two homes of one pawn below it."""
    hand = Hand("barricade").stroke("pawns", "1")
    hand.stroke("way", "f:1,1", "f:1,6").stroke("way", "f:1,6", "f:5,6").stroke("final", "s:1,1")
    hand.stroke("home:1", "s:2,6").stroke("home:1", "f:2,7")
    return hand.stroke("home:2", "s:5,6").stroke("home:2", "f:5,7")


def test_a_small_barricade_board_is_drawn_from_nothing_and_played() -> None:
    hand = small().stroke("barricade", "s:1,3").stroke("name", " ours ")
    assert hand.missing == []
    board = hand.board
    assert board["name"] == "ours"
    assert board["final"] == [1, 1]
    assert board["barricades"] == [[1, 3]]
    assert board["squares"] == [[1, y] for y in range(1, 6)] + [[x, 6] for x in range(1, 6)]
    assert board["firstRowY"] == 6
    start = hand.game().start()
    assert start.play(start.legal[0]).legal


def test_barricade_says_what_is_missing_until_it_can_be_played() -> None:
    hand = Hand("barricade")
    assert hand.missing == ["Draw the squares of the way.", "Choose the final square.", "Draw 2 more homes."]
    hand.stroke("way", "f:0,0", "f:0,4")
    assert hand.missing == ["Choose the final square.", "Draw 2 more homes."]
    hand.stroke("final", "s:0,0").stroke("home:1", "s:0,4")
    assert hand.missing == ["Draw one more home."]
    hand.stroke("home:2", "f:5,5")
    assert hand.missing == [
        "Home 1 needs 3 places for its pawns; drawn so far: 0.",
        "Home 2 needs 3 places for its pawns; drawn so far: 1.",
    ]
    hand.stroke("pawns", "1").stroke("home:1", "f:1,5")
    assert hand.missing == ["Home 2 needs a square in front of it."]


def test_barricade_names_the_squares_that_are_wrong() -> None:
    hand = small().stroke("barricade", "s:2,6").stroke("barricade", "s:1,1").stroke("square", "f:7,2")
    assert hand.missing == [
        "No barricade can start on b6: it is the final square, in front of a home, or no square.",
        "No barricade can start on c1: it is the final square, in front of a home, or no square.",
        "No way leads from h5 to the final square.",
    ]
    assert small().stroke("home:2", "s:1,1").missing == [
        "Home 2 needs a square of its own in front of it, and not the final one."
    ]
    assert small().stroke("firstRow", "6").stroke("erase", "s:1,1").stroke("final", "s:1,2").missing == [
        "No square lies in the first row."
    ]


def test_ways_are_drawn_and_parted_and_what_is_there_already_is_refused() -> None:
    hand = small()
    before = hand.board
    assert hand.stroke("way", "f:1,1", "f:1,6").board["squares"] == [[1, 1]] + [[x, 6] for x in range(1, 6)]
    assert hand.stroke("way", "f:1,6", "f:1,1").board == before
    assert hand.refused("way", "f:0,0", "f:1,1") == "Touch two points of one row or one column."
    assert hand.refused("way", "s:1,1", "s:1,2") == "Squares beside each other are always joined. Erase one to part them."
    assert hand.refused("square", "s:1,1") == "b6 is a square already."
    assert hand.refused("square", "h:2,7") == "That is a place of home 1. Erase it first."
    assert hand.refused("barricade", "f:8,8") == "There is no square on i-1. Draw one first."
    assert hand.refused("width", "3") == "A whole number from 6 to 64 is expected."


def test_touching_again_takes_away_and_erasing_takes_what_lies_on_top() -> None:
    hand = small()
    before = hand.board
    for tool, thing in (("barricade", "s:1,3"), ("final", "s:1,4"), ("home:1", "f:3,7"), ("home:3", "f:8,8")):
        once = hand.stroke(tool, thing).board
        assert once != before
        again = hand.stroke(tool, thing).stroke("final", "s:1,1") if tool == "final" else hand.stroke(tool, thing)
        assert again.board == before
    hand.stroke("barricade", "s:1,3").stroke("erase", "b:1,3")
    assert hand.board == before
    hand.stroke("erase", "s:2,6")
    assert hand.board["homes"][0]["entry"] is None
    hand.stroke("erase", "h:2,7")
    assert [home["id"] for home in hand.board["homes"]] == [2]


def test_a_first_row_that_was_the_lowest_stays_the_lowest() -> None:
    hand = small()
    assert hand.stroke("square", "f:1,8").board["firstRowY"] == 8
    assert hand.stroke("erase", "f:1,8").board["firstRowY"] == 6
    assert hand.stroke("firstRow", "2").stroke("square", "f:1,8").board["firstRowY"] == 5


def test_markers_of_burning_bridges_are_moved_and_played_from_there() -> None:
    hand = Hand("burning_bridges", "star5")
    hand.stroke("move", "m:start:a:R0", "f:B0").stroke("move", "m:goal:a:R9", "m:start:b:R4").stroke("move", "p:bS", "f:C")
    family, other = hand.board["family"][:2]
    assert family["start"] == {"L": "B0", "M": "B0", "S": "B0"}
    assert family["goals"] == ["R4", "R10", "R11"]
    assert other["start"] == {"L": "R4", "M": "R4", "S": "C"}
    assert hand.missing == []
    board = hand.game().board
    assert [board.pillars[pillar] for pillar in board.families[1].start] == ["R4", "R4", "C"]
    assert hand.refused("move", "m:goal:a:R4", "f:R10") == "R10 is a goal of family Black already."
    assert hand.refused("move", "f:C", "f:R10") == "Touch a triangle, a piece or a goal marker first."


def test_moving_a_marker_there_and_back_leaves_the_board_as_it_was() -> None:
    hand = Hand("burning_bridges", "star4")
    before = hand.board
    hand.stroke("move", "m:start:a:R0", "f:B1").stroke("move", "m:start:a:B1", "f:R0")
    assert hand.board == before
    hand.stroke("move", "p:aM", "f:B1").stroke("move", "p:aM", "f:R0")
    assert hand.board == before
    goal = before["family"][1]["goals"][1]
    hand.stroke("move", f"m:goal:b:{goal}", "f:B1").stroke("move", "m:goal:b:B1", f"f:{goal}")
    assert hand.board == before
    hand.stroke("line", "f:C", "f:R0").stroke("line", "f:R0", "f:C").stroke("goal:a", "f:C").stroke("goal:a", "f:C")
    assert hand.board == before


def test_a_board_of_burning_bridges_is_drawn_from_two_pillars() -> None:
    hand = Hand("burning_bridges")
    assert hand.missing == [
        "Join the pillars by lines.", "Family Black has no start yet for: L, M, S.", "Family Black has no goal yet.",
        "Family Blue has no start yet for: L, M, S.", "Family Blue has no goal yet.",
    ]  # fmt: skip
    hand.stroke("line", "f:A1", "f:A2").stroke("start:a", "f:A1").stroke("goal:a", "f:A2").stroke("start:b", "f:A2")
    hand.stroke("goal:b", "f:A2")
    assert hand.missing == ["Family Blue would be home before the game begins."]
    hand.stroke("goal:b", "f:A2").stroke("goal:b", "f:A1")
    assert hand.missing == []
    picture, _ = hand.spec.editor.sketch(hand.draft, "pillar", "en")
    free = [field.id for field in picture.fields if field.id not in ("f:A1", "f:A2")]
    hand.stroke("pillar", free[0])
    assert hand.missing == ["No lines lead to pillar P1."]
    hand.stroke("line", "f:P1", "f:A1").stroke("shift", "f:P1", free[-1]).stroke("erase", "f:P1")
    assert hand.board["nodes"] == {"A1": [0, 0], "A2": [2, 0]}
    assert hand.board["edges"] == [["A1", "A2"]]
    assert hand.refused("erase", "f:A1") == "Two pillars have to stay."
    assert hand.refused("pillar", "f:A1") == "Touch a free point."
    assert hand.stroke("families", "3").missing == [
        "Family Yellow has no start yet for: L, M, S.",
        "Family Yellow has no goal yet.",
    ]
    assert len(hand.stroke("families", "2").game().board.families) == 2


def test_the_points_of_a_new_pillar_lie_where_the_picture_shows_them() -> None:
    """Drawn pillars end up at the point that was touched, at the scale of the board before."""
    hand = Hand("burning_bridges", "star3")
    picture, _ = hand.spec.editor.sketch(hand.draft, "pillar", "en")
    spots = {field.id: (field.x, field.y) for field in picture.fields}
    one, other = spots["f:R0"], spots["f:R6"]
    places = hand.board["nodes"]
    unit = (other[1] - one[1]) / (places["R6"][1] - places["R0"][1])
    for point in random.Random(1).sample([name for name in spots if "," in name], 5):
        after = Hand("burning_bridges", "star3").stroke("pillar", point).board["nodes"]["P1"]
        assert abs(one[0] + unit * (after[0] - places["R0"][0]) - spots[point][0]) < 0.2
        assert abs(one[1] + unit * (after[1] - places["R0"][1]) - spots[point][1]) < 0.2


def test_boards_of_any_measure_have_room_for_new_pillars() -> None:
    for unit, far in ((1, 0), (1e-5, 9000), (1e-320, 0), (3000, 0), (0.001, -10_000)):
        hand = Hand("burning_bridges")
        hand.draft = hand.spec.editor.read({**hand.board, "nodes": {"A1": [far, far], "A2": [far + 2 * unit, far]}})
        picture, _ = hand.spec.editor.sketch(hand.draft, "pillar", "en")
        free = [field.id for field in picture.fields if "," in field.id]
        assert 4 < len(free) <= 700
        assert len(hand.stroke("pillar", free[-1]).draft.nodes) == 3


def test_a_field_is_laid_out_card_by_card_and_by_lot() -> None:
    hand = Hand("front_lines")
    assert hand.missing == ["48 places are still free."]
    hand.stroke("move", "c:AH", "f:a1").stroke("move", "c:2S", "f:b1").stroke("move", "f:a1", "c:2S")
    assert hand.board[0][:2] == ["2S", "AH"]
    hand.stroke("move", "c:3D", "f:a1")
    assert hand.board[0][:2] == ["3D", "AH"]
    assert hand.refused("move", "c:2S", "c:4S") == "Touch a place in the field."
    assert hand.refused("move", "f:c1", "f:a1") == "Touch a card first."
    one, other = (Hand("front_lines").stroke("move", "c:AH", "f:a1").stroke("fill", lot).board for lot in ("1", "2"))
    assert one[0][0] == other[0][0] == "AH"
    assert one != other
    assert sorted(sum(one, [])) == sorted(sum(other, []))
    assert hand.stroke("fill", "1").missing == []
    assert hand.game().board.layout
    assert hand.stroke("erase", "f:a1").missing == ["One place is still free."]
    assert hand.stroke("clear").board == Hand("front_lines").board


def test_jokers_and_fewer_rows_come_as_house_rules_with_the_layout() -> None:
    hand = Hand("front_lines", "sorted").stroke("rows", "3").stroke("move", "c:JK1", "f:d3")
    assert hand.missing == []
    assert hand.spec.editor.rules(hand.draft) == {"layout": hand.board, "rows": 3, "jokersInField": 2}
    assert hand.game().start().legal
    hand.stroke("move", "c:JK1", "f:a1")
    assert sum(hand.board, []).count("JK") == 2
    hand.stroke("erase", "c:JK0")
    assert hand.board[0][0] is None


def test_a_set_up_of_forty_bridges_is_drawn() -> None:
    hand = Hand("forty_bridges")
    assert hand.missing == ["Black has no piece yet.", "Blue has no piece yet."]
    hand.stroke("piece:0", "f:a1").stroke("piece:0", "f:A1").stroke("mirror:half").stroke("move", "p:A1", "f:B1")
    assert hand.board == "a1,B1 D4,e5"
    assert hand.missing == []
    game = hand.game()
    assert game.board.opening(game.options.setup, game.options.layout)
    hand.stroke("piece:1", "p:a1")
    assert hand.board == "B1 a1,D4,e5"
    assert hand.missing == ["Blue stands on a1, the other's corner, and would have won."]
    assert hand.refused("erase", "f:a2") == "No piece stands on a2."
    for name in ("a2", "a3", "a4", "a5", "b2", "b3", "b4", "b5"):
        hand.stroke("piece:0", f"f:{name}")
    assert "Black has 9 pieces; at most 8 are allowed." in hand.missing


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_the_drawings_of_a_game_are_light(game: str) -> None:
    """Its symbols and its stylesheet, as they are sent."""
    sheet = rendering.WEB / "static" / "games" / f"{game}.css"
    drawings = registry.spec(game).folder.joinpath("art.svg").read_bytes() + sheet.read_bytes()
    assert 1_000 < len(gzip.compress(drawings, 9)) <= 60_000


@pytest.mark.parametrize(
    ("game", "options"),
    [
        *(("barricade", options) for options in barricade_boards), *(("burning_bridges", options) for options in star_boards),
        ("forty_bridges", {}), ("front_lines", {}),
    ],
)  # fmt: skip
def test_every_symbol_is_drawn_by_the_game_or_shared(game: str, options: dict[str, Any]) -> None:
    made = registry.game(game, **options)
    scene, drawings = made.spec.scene, (made.spec.folder / "art.svg").read_text("utf-8")
    drawings += (rendering.WEB / "art.svg").read_text("utf-8")
    picture, played = scene.picture(made, "en"), at_random(made, random.Random(5), 60).positions
    things = [*picture.ground, *picture.fields, *(item for position in played for item in scene.items(position, "en"))]
    used = {part.use for thing in things for part in thing.parts} - {""}
    assert used and [use for use in sorted(used) if f'id="{use}"' not in drawings] == []
