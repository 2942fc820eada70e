"""Barricade: shipped boards, boards of one's own, position texts, and everything that must be refused by name."""

import copy
import json
import random
from typing import Any

import numpy as np
import pytest

import bridgehead
from bridgehead.core.errors import BoardError, PositionError
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from bridgehead.games.barricade.board import column, load_shipped_board
from bridgehead.games.barricade.walks import WalkRules, one_way
from variants import at_random

SMALL: dict[str, Any] = {
    "name": "small",
    "width": 3,
    "height": 5,
    "pawnsPerPlayer": 2,
    "squares": [[1, 0], [0, 1], [1, 1], [2, 1], [0, 2], [2, 2], [0, 3], [1, 3], [2, 3]],
    "final": [1, 0],
    "barricades": [[1, 1]],
    "homes": [
        {"id": 1, "color": "red", "entry": [0, 3], "slots": [[0, 4], [1, 2]]},
        {"id": 2, "color": "blue", "entry": [2, 3], "slots": [[2, 4], [1, 4]]},
    ],
    "firstRowY": 3,
}


def barricade(**options: Any) -> Game:
    return bridgehead.game("barricade", **options)


def changed(path: str, value: Any) -> dict[str, Any]:
    """The small board with one part changed ("homes.0.entry") or, with `...`, left out."""
    board = copy.deepcopy(SMALL)
    *way, last = path.split(".")
    part: Any = board
    for key in way:
        part = part[int(key) if isinstance(part, list) else key]
    key = int(last) if isinstance(part, list) else last
    if value is ...:
        del part[key]
    else:
        part[key] = value
    return board


# ---- shipped boards --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BA-C.4", "BA-C.5", "BAQ-14")
@pytest.mark.parametrize(
    ("name", "squares", "homes", "pawns", "barricades", "steps"),
    [("classic", 112, 4, 5, 11, 39), ("mini", 50, 2, 3, 6, 23), ("six", 153, 6, 5, 16, 43)],
)
def test_the_shipped_boards_are_those_of_the_book(
    name: str, squares: int, homes: int, pawns: int, barricades: int, steps: int
) -> None:
    board, law = load_shipped_board(name), barricade(board=name).law
    assert (len(board.squares), len(board.homes), board.pawns, len(board.barricades)) == (squares, homes, pawns, barricades)
    assert {int(law.steps[home.entry, board.final]) for home in board.homes} == {steps}
    assert len(board.neighbours[board.final]) == 1


def test_squares_are_named_by_column_and_row_from_the_lowest_row() -> None:
    board = load_shipped_board("classic")
    assert (board.names[97], board.names[board.final], board.names[0]) == ("c1", "i14", "i14")
    assert board.names[-1] == "q1"
    assert [column(x) for x in (0, 25, 26, 27, 52)] == ["a", "z", "aa", "ab", "ba"]
    assert load_shipped_board("six").names[-1] == "y1"


@pytest.mark.clause("BAQ-14")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_six_board_seats_two_to_six(seats: int) -> None:
    match = at_random(barricade(board="six", seats=seats), random.Random(seats), 120)
    assert len(match.position.facts()["pawns"]) == seats


# ---- boards of one's own ---------------------------------------------------------------------------------------------


@pytest.mark.clause("BAQ-14")
def test_a_board_of_ones_own_is_played_and_saved_with_the_options() -> None:
    game = barricade(board=SMALL)
    assert game.seats == 2
    assert barricade(**json.loads(game.key[2])) == game
    position = game.start().play("first 1").play("roll 4")
    assert {position.name(a) for a in position.legal} == {"pass", "home1-b3", "home1-c2"}


def snake(squares: int) -> dict[str, Any]:
    """A board that is one way of at most 129 squares, the final square in its middle and a home at each end."""
    way = [[x, 0] for x in range(64)] + [[63, 1]] + [[x, 2] for x in range(63, -1, -1)]
    way = way[:squares]
    homes = [
        {"id": 1, "color": "red", "entry": way[0], "slots": [[10, 4]]},
        {"id": 2, "color": "blue", "entry": way[-1], "slots": [[12, 4]]},
    ]
    middle = way[len(way) // 2]
    parts = {"name": "snake", "width": 64, "height": 5, "pawnsPerPlayer": 1, "squares": way, "final": middle}
    return {**parts, "barricades": [], "homes": homes, "firstRowY": max(y for _, y in way)}


@pytest.mark.clause("BAQ-14", "BAQ-17")
@pytest.mark.parametrize("squares", [3, 64, 65, 128, 129])
def test_boards_at_the_limits_of_a_word_are_played_to_the_end(squares: int) -> None:
    game, rng = barricade(board=snake(squares), dieSides=2), random.Random(squares)
    position = game.start()
    while not position.is_over:
        assert game.load(position.text) == position
        assert position.legal == tuple(sorted(set(position.legal)))
        moves = [action for action in position.legal if position.name(action) != "pass"]
        position = position.play(max(moves) if moves and rng.random() < 0.5 else rng.choice(position.legal))
    assert position.outcome is not None
    assert position.outcome.reason == "final"


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("name", ..., "name"),
        ("name", 7, "name"),
        ("width", 0, "width"),
        ("height", 65, "height"),
        ("width", True, "width"),
        ("pawnsPerPlayer", 9, "pawnsPerPlayer"),
        ("colour", "red", "colour"),
        ("squares", [], "squares"),
        ("squares", "a1", "squares"),
        ("squares.2", [1, 1, 1], "squares[2]"),
        ("squares.2", [3, 1], "squares[2][0]"),
        ("squares.2", [0, 1], "squares[2]"),
        ("squares.2", [1, "1"], "squares[2][1]"),
        ("squares.2", [1, 4], "homes[1].slots[1]"),
        ("final", [1, 2], "final"),
        ("final", [0, 3], "homes[0].entry"),
        ("barricades.0", [1, 0], "barricades[0]"),
        ("barricades.0", [0, 3], "barricades[0]"),
        ("barricades.0", [1, 4], "barricades[0]"),
        ("barricades", [[1, 1], [1, 1]], "barricades[1]"),
        ("homes", [], "homes"),
        ("homes.1", 4, "homes[1]"),
        ("homes.1.id", 1, "homes[1].id"),
        ("homes.1.id", ..., "homes[1].id"),
        ("homes.1.door", 1, "homes[1].door"),
        ("homes.1.entry", [0, 3], "homes[1].entry"),
        ("homes.1.entry", [1, 4], "homes[1].entry"),
        ("homes.1.slots", [[2, 4]], "homes[1].slots"),
        ("homes.1.slots.1", [1, 1], "homes[1].slots[1]"),
        ("homes.1.slots.1", [0, 4], "homes[1].slots[1]"),
        ("homes.1.color", "", "homes[1].color"),
        ("firstRowY", 4, "firstRowY"),
        ("firstRowY", 3.0, "firstRowY"),
    ],
)
def test_a_board_that_cannot_be_played_is_refused_with_the_place(path: str, value: Any, where: str) -> None:
    with pytest.raises(BoardError) as caught:
        barricade(board=changed(path, value))
    assert caught.value.where == f"board.{where}"


def test_a_board_in_two_parts_is_refused() -> None:
    board = copy.deepcopy(SMALL)
    board["squares"] = [square for square in board["squares"] if square not in ([0, 2], [2, 2])]
    with pytest.raises(BoardError, match="no way leads from a1"):
        barricade(board=board)


def test_a_board_with_too_many_ways_is_refused_in_time() -> None:
    board = {
        **SMALL,
        "width": 16,
        "height": 17,
        "squares": [[x, y] for y in range(16) for x in range(16)],
        "homes": [
            {**home, "entry": [3 * i, 15], "slots": [[2 * i, 16], [2 * i + 1, 16]]} for i, home in enumerate(SMALL["homes"])
        ],
        "firstRowY": 15,
    }
    with pytest.raises(BoardError, match="too many different ways") as caught:
        barricade(board=board, dieSides=12)
    assert caught.value.where == "board.squares"
    with pytest.raises(BoardError, match="squares: at most 256"):
        barricade(board={**board, "squares": [[x, y] for y in range(17) for x in range(16)]})


# ---- ways, in words and in numbers -----------------------------------------------------------------------------------


@pytest.mark.clause("BAQ-3", "BA-R.2", "BA-R.3", "BA-R.5")
def test_the_way_that_a_picture_shows_is_a_legal_one() -> None:
    game = barricade(board="mini")
    board = game.board
    ground = WalkRules(board, 6, False, True, False)
    standing = sum(1 << square for square in board.barricades)
    squares = len(board.squares)
    for origin in range(squares + 2):
        for roll in range(1, 7):
            index = origin * 6 + roll - 1
            ways = [game.law.way[number] for number in range(game.law.ways[index], game.law.ways[index + 1])]
            for landing in range(squares):
                free = any(w.landing == landing and not int(w.between[0]) & standing for w in ways)
                way = one_way(ground, origin, roll, landing, standing)
                assert bool(way) == free
                if way:
                    assert way[-1] == landing
                    assert len(way) == roll
                    assert not set(way[:-1]) & set(board.barricades) - {origin}
                    assert all(b in board.neighbours[a] for a, b in zip(way, way[1:], strict=False))
                    assert all(a != c for a, c in zip(way, way[2:], strict=False))


# ---- position texts --------------------------------------------------------------------------------------------------

GOOD = (
    "b rolled 4; turn 12; home1 c1 k5 home home home; home2 g1 home home home home; "
    "barricades a3 e3 i3 m3 q3 g7 k7 i9 i10 i11 i13"
)


def test_every_position_of_random_games_loads_back_equal() -> None:
    for options in (
        {"board": "mini", "first": "highestRoll"},
        {"board": SMALL, "turnLimit": 60},
        {"board": "six", "twoColours": True, "seats": 2},
    ):
        game = barricade(**options)
        rng, position = random.Random(4), game.start()
        for _ in range(400):
            assert game.load(position.text) == position, position.text
            if position.is_over:
                break
            position = position.play(rng.choice(position.legal))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("k5", "c1", "two pawns stand on c1"),
        ("g1", "c1", "two pawns stand on c1"),
        ("g1", "a3", "a pawn and a barricade stand on a3"),
        ("g1", "z1", "no square 'z1'"),
        ("g1", "g1 h1", "too many"),
        ("g1 home", "g1", "too few"),
        ("home2", "home4", "expected the pawns of home2"),
        ("i13", "home1", "never put on a home base"),
        ("i13", "x9", "no square 'x9'"),
        ("i13", "i11", "two barricades stand on i11"),
        (" i13", "", "10 barricades, expected 11"),
        ("i13", "i13 b3", "12 barricades, expected 11"),
        ("rolled 4", "rolled 4 and places", "11 barricades, expected 10 and one in hand"),
        ("rolled 4", "rolled 7", "the die has no 7"),
        ("rolled 4", "rolled 4 and won", "exactly when a pawn"),
        ("k5", "i14", "exactly when a pawn"),
        ("b rolled", "d rolled", "expected like"),
        ("b rolled 4", "draw", "before the first turn"),
        ("b rolled 4", "roll-off b0 c0", "in another way"),
        ("b rolled 4", "turn limit reached", "the turn limit is none"),
        ("turn 12", "turn 0", "nothing has moved"),
        ("turn 12", "turn -1", "expected like 'turn 12'"),
        ("turn 12", "turn 99999999999", "expected like 'turn 12'"),
        ("; barricades", " barricades", "expected 5 parts"),
        ("barricades", "fences", "expected the barricades"),
    ],
)
def test_a_position_that_cannot_occur_is_refused_with_the_reason(old: str, new: str, complaint: str) -> None:
    game = barricade(seats=2, homes="1,2")
    assert game.load(GOOD).text == GOOD.replace(
        "a3 e3 i3 m3 q3 g7 k7 i9 i10 i11 i13", "i13 i11 i10 i9 g7 k7 a3 e3 i3 m3 q3"
    ).replace("c1 k5", "k5 c1")
    with pytest.raises(PositionError, match=complaint):
        game.load(GOOD.replace(old, new, 1))


def test_positions_against_the_house_rules_are_refused() -> None:
    game = barricade(seats=2, homes="1,2", preset="classic", turnLimit=12)
    with pytest.raises(PositionError, match="ends after 12 turns"):
        game.load(GOOD)
    early = GOOD.replace("turn 12", "turn 9")
    assert game.load(early).turn == 9
    with pytest.raises(PositionError, match="free of barricades"):
        game.load(early.replace("i13", "b1"))
    with pytest.raises(PositionError, match="no pawn is out"):
        game.load(early.replace("4", "4 and places", 1).replace("c1 k5", "home home").replace(" i13", ""))
    with pytest.raises(PositionError, match="two or more seats"):
        game.load(early.replace("b rolled 4", "roll-off b0 c3"))
    with pytest.raises(PositionError, match="expected 2 seats"):
        game.load(early.replace("b rolled 4", "roll-off b0"))


# ---- chance ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BA-C.6")
def test_the_die_falls_evenly() -> None:
    game = barricade(board="mini")
    position = game.start().play("first 1")
    assert position.weights == (1,) * 6
    rng, out = np.array([9], np.uint64), np.empty(game.max_legal, np.int32)
    counts = np.zeros(6, np.int64)
    choose = kernels(game.spec).choose
    with np.errstate(over="ignore"):
        for _ in range(6000):
            counts[choose(position.state, game.law, out, rng, True)] += 1
    assert float(((counts - 1000) ** 2 / 1000).sum()) < 20.5  # chi squared, 5 degrees of freedom, one in a thousand
