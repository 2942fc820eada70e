"""The board of Barricade as data: squares, final square, homes, first barricades. Shipped and custom boards are checked."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, NamedTuple

from bridgehead.core.errors import BoardError

MOST_SQUARES = 256  # four words of bits
MOST_HOMES = 12
MOST_SLOTS = 16
MOST_PAWNS = 8
WIDEST = 64
KEYS = ("name", "width", "height", "pawnsPerPlayer", "squares", "final", "barricades", "homes", "firstRowY")
Point = tuple[int, int]


class Home(NamedTuple):
    """A home: its id, the name of its colour, the index of its entry square, and the places for its pawns."""

    id: int
    color: str
    entry: int
    slots: tuple[Point, ...]


class Board(NamedTuple):
    """A checked board. Squares are numbered in reading order (top row first); x grows to the right, y downwards."""

    name: str
    width: int
    height: int
    pawns: int
    squares: tuple[Point, ...]
    final: int
    barricades: tuple[int, ...]
    homes: tuple[Home, ...]
    first_row_y: int
    neighbours: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]  # column letter and row, the lowest row of move squares being row 1: `a1`

    @property
    def first_row(self) -> tuple[int, ...]:
        """The squares of the first row."""
        return tuple(square for square, (_, y) in enumerate(self.squares) if y == self.first_row_y)


def column(x: int) -> str:
    """`a` to `z`, then `aa`, `ab`…"""
    return (column(x // 26 - 1) if x >= 26 else "") + chr(ord("a") + x % 26)


def load(options: Any) -> Board:
    """The board that the options name or hold. Errors: BoardError with the place, like `board.homes[2].entry`."""
    if not isinstance(options.board, dict):
        return shipped(options.board)
    try:
        return read(options.board)
    except BoardError as error:
        raise BoardError(error.phrase, f"board.{error.where}") from None


@functools.cache
def shipped(name: str) -> Board:
    """A board of the package: classic, mini or six."""
    return read(json.loads((Path(__file__).parent / "boards" / f"{name}.json").read_text("utf-8")))


def home_count(board: str | dict[str, Any]) -> int:
    """The number of homes in the data of a board that is not checked yet."""
    if isinstance(board, str):
        return len(shipped(board).homes)
    homes = board.get("homes")
    return max(2, len(homes)) if isinstance(homes, list) else 2


def read(data: dict[str, Any]) -> Board:
    """A board from the data of a board file, with every part checked."""
    for key in data:
        if key not in KEYS:
            raise BoardError("barricade:error.board_no", str(key)[:40], name=repr(key), keys=", ".join(KEYS))
    for key in KEYS:
        if key not in data:
            raise BoardError("barricade:error.missing", key)
    name = _text(data["name"], "name")
    width, height = _number(data["width"], 1, WIDEST, "width"), _number(data["height"], 1, WIDEST, "height")
    size = (width, height)
    pawns = _number(data["pawnsPerPlayer"], 1, MOST_PAWNS, "pawnsPerPlayer")
    points = _points(data["squares"], size, 3, MOST_SQUARES, "squares")
    index = {point: square for square, point in enumerate(sorted(points, key=lambda point: (point[1], point[0])))}
    final = _square(data["final"], size, index, "final")
    homes = _homes(data["homes"], size, index, pawns)
    barricades = _barricades(data["barricades"], size, index, final, homes)
    first_row_y = _number(data["firstRowY"], 0, height - 1, "firstRowY")
    if all(y != first_row_y for _, y in index):
        raise BoardError("barricade:error.no_square_lies_row", "firstRowY")
    for place, home in enumerate(homes):
        if home.entry == final:
            raise BoardError("barricade:error.final_square_cannot_entry", f"homes[{place}].entry")
    neighbours = tuple(
        tuple(sorted(index[point] for point in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)) if point in index))
        for x, y in index
    )
    lowest = max(y for _, y in index)
    names = tuple(f"{column(x)}{lowest - y + 1}" for x, y in index)
    board = Board(name, width, height, pawns, tuple(index), final, barricades, homes, first_row_y, neighbours, names)
    _check_connected(board)
    return board


def _homes(data: Any, size: Point, index: dict[Point, int], pawns: int) -> tuple[Home, ...]:
    homes: list[Home] = []
    entries: dict[int, int] = {}
    ids: dict[int, int] = {}
    taken: dict[Point, str] = {}
    for place, item in enumerate(_list(data, 2, MOST_HOMES, "homes")):
        where = f"homes[{place}]"
        home = _home(item, size, index, pawns, where)
        for slot, point in enumerate(home.slots):
            if point in taken:
                raise BoardError("barricade:error.same_place_2", f"{where}.slots[{slot}]", taken=taken[point])
            taken[point] = f"{where}.slots[{slot}]"
        if ids.setdefault(home.id, place) != place:
            raise BoardError("barricade:error.same_id_homes", f"{where}.id", ids=ids[home.id])
        if entries.setdefault(home.entry, place) != place:
            raise BoardError("barricade:error.same_entry_homes", f"{where}.entry", entries=entries[home.entry])
        homes.append(home)
    return tuple(homes)


def _home(data: Any, size: Point, index: dict[Point, int], pawns: int, where: str) -> Home:
    if not isinstance(data, dict):
        raise BoardError("barricade:error.object_id_color_entry_slots", where)
    for key in data:
        if key not in Home._fields:
            raise BoardError("barricade:error.home_no", where, name=repr(key))
    for key in Home._fields:
        if key not in data:
            raise BoardError("barricade:error.missing", f"{where}.{key}")
    slots = _points(data["slots"], size, pawns, MOST_SLOTS, f"{where}.slots")
    for place, point in enumerate(slots):
        if point in index:
            raise BoardError("barricade:error.home_s_place_cannot_move", f"{where}.slots[{place}]")
    number = _number(data["id"], 1, 99, f"{where}.id")
    return Home(number, _text(data["color"], f"{where}.color"), _square(data["entry"], size, index, f"{where}.entry"), slots)


def _barricades(data: Any, size: Point, index: dict[Point, int], final: int, homes: tuple[Home, ...]) -> tuple[int, ...]:
    entries = {home.entry for home in homes}
    squares = []
    for place, point in enumerate(_points(data, size, 0, MOST_SQUARES, "barricades")):
        square = _square(point, size, index, f"barricades[{place}]")
        if square == final or square in entries:
            raise BoardError("barricade:error.no_barricade_starts_final_square", f"barricades[{place}]")
        squares.append(square)
    return tuple(sorted(squares))


def _check_connected(board: Board) -> None:
    seen, waiting = {board.final}, [board.final]
    while waiting:
        for square in board.neighbours[waiting.pop()]:
            if square not in seen:
                seen.add(square)
                waiting.append(square)
    for square in range(len(board.squares)):
        if square not in seen:
            raise BoardError("barricade:error.no_way_leads_from_final", "squares", names=board.names[square])


def _points(data: Any, size: Point, fewest: int, most: int, where: str) -> tuple[Point, ...]:
    points: dict[Point, int] = {}
    for place, item in enumerate(_list(data, fewest, most, where)):
        point = _point(item, size, f"{where}[{place}]")
        if point in points:
            raise BoardError("barricade:error.same_place", f"{where}[{place}]", place=where, points=points[point])
        points[point] = place
    return tuple(points)


def _square(data: Any, size: Point, index: dict[Point, int], where: str) -> int:
    point = _point(data, size, where)
    if point not in index:
        raise BoardError("barricade:error.not_squares", where, point=list(point))
    return index[point]


def _point(data: Any, size: Point, where: str) -> Point:
    if not isinstance(data, list | tuple) or len(data) != 2:
        raise BoardError("barricade:error.x_y", where)
    return _number(data[0], 0, size[0] - 1, f"{where}[0]"), _number(data[1], 0, size[1] - 1, f"{where}[1]")


def _list(data: Any, fewest: int, most: int, where: str) -> list[Any]:
    if not isinstance(data, list | tuple) or not fewest <= len(data) <= most:
        raise BoardError("barricade:error.list", where, fewest=fewest, most=most)
    return list(data)


def _number(data: Any, low: int, high: int, where: str) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or not low <= data <= high:
        raise BoardError("barricade:error.whole_number_from_got", where, low=low, high=high, data=repr(str(data)[:40]))
    return data


def _text(data: Any, where: str) -> str:
    if not isinstance(data, str) or not 1 <= len(data) <= 40:
        raise BoardError("barricade:error.text_1_40_characters", where)
    return data
