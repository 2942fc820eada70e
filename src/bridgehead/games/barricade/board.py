"""The board of Barricade as data: squares, final square, homes, first barricades. Shipped and custom boards are checked."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from bridgehead.core.editing import Author, Name, Note, decode_draft
from bridgehead.core.errors import BoardError, refusing
from bridgehead.core.options import camel

MOST_SQUARES = 256  # four words of bits
MOST_HOMES = 12
MOST_SLOTS = 16
MOST_PAWNS = 8
WIDEST = 64
Point = tuple[int, int]
Number = Annotated[int, Meta(ge=0, lt=WIDEST)]
At = tuple[Number, Number]
Squares = Annotated[tuple[At, ...], Meta(max_length=MOST_SQUARES)]
refuse = refusing("barricade", BoardError)


class HomeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A home in a board file. In a draft it may lack an entry."""

    id: Annotated[int, Meta(ge=1, le=99)]
    color: Name
    entry: At | None
    slots: Annotated[tuple[At, ...], Meta(max_length=MOST_SLOTS)]


class BoardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename=camel):
    """A board file, or a draft of one. The points of each list are all different and within width and height."""

    name: Name
    width: Annotated[int, Meta(ge=1, le=WIDEST)]
    height: Annotated[int, Meta(ge=1, le=WIDEST)]
    pawns_per_player: Annotated[int, Meta(ge=1, le=MOST_PAWNS)]
    squares: Squares
    final: At | None
    barricades: Squares
    homes: Annotated[tuple[HomeFile, ...], Meta(max_length=MOST_HOMES)]
    first_row_y: Number
    author: Author = ""
    note: Note = ""

    @property
    def lowest(self) -> int:
        """The lowest row of squares; without squares, a suitable row."""
        return max((y for _, y in self.squares), default=max(0, self.height - 3))

    def home(self, number: int) -> HomeFile | None:
        """The home of that id."""
        return next((home for home in self.homes if home.id == number), None)

    def slot_home(self, point: Point) -> HomeFile | None:
        """The home that has a place there."""
        return next((home for home in self.homes if point in home.slots), None)


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
    left_out: tuple[int, ...] = ()  # the squares of barricades that the house rules leave out

    @property
    def first_row(self) -> tuple[int, ...]:
        """The squares of the first row."""
        return tuple(square for square, (_, y) in enumerate(self.squares) if y == self.first_row_y)


def column(x: int) -> str:
    """`a` to `z`, then `aa`, `ab`…"""
    return (column(x // 26 - 1) if x >= 26 else "") + chr(ord("a") + x % 26)


def load(options: Any) -> Board:
    """The board that the options name or hold, with as many barricades as they allow, the highest ones (BAQ-28).

    Errors: BoardError with the place, like `board.homes[2].entry`.
    """
    board = _whole(options.board)
    most, all_ = options.barricades, board.barricades
    return board if most is None else board._replace(barricades=all_[:most], left_out=all_[most:])


def _whole(board: str | dict[str, Any]) -> Board:
    """The board of a name or of data, with all its barricades. Errors: BoardError."""
    if not isinstance(board, dict):
        return load_shipped_board(board)
    try:
        return make_board(read(board))
    except BoardError as error:
        raise BoardError(error.phrase, f"board.{error.where}".rstrip(".")) from None


def shipped_file(name: str) -> Any:
    """The data of a board of the package: classic, mini or six."""
    return json.loads((Path(__file__).parent / "boards" / f"{name}.json").read_text("utf-8"))


@functools.cache
def load_shipped_board(name: str) -> Board:
    """A board of the package."""
    return make_board(read(shipped_file(name)))


def home_count(board: str | dict[str, Any]) -> int:
    """The number of homes in the data of a board that is not checked yet."""
    if isinstance(board, str):
        return len(load_shipped_board(board).homes)
    homes = board.get("homes")
    return max(2, len(homes)) if isinstance(homes, list) else 2


def read(data: Any) -> BoardFile:
    """A board file from its data; parts may still be missing. Errors: BoardError with the place in it."""
    file = decode_draft(BoardFile, data)
    _check(file, file.squares, "squares")
    _check(file, file.barricades, "barricades")
    _check(file, (file.final,), "final")
    for place, home in enumerate(file.homes):
        refuse(file.home(home.id) is not home, "two_homes", f"homes[{place}].id", id=home.id)
        _check(file, home.slots, f"homes[{place}].slots")
        _check(file, (home.entry,), f"homes[{place}].entry")
    return file


def _check(file: BoardFile, points: tuple[Point | None, ...], where: str) -> None:
    """Check that points are different and within the board. where: the place of a list, or of a single point."""
    first: dict[Point, int] = {}
    for place, point in enumerate(points):
        if point:
            here = f"{where}[{place}]" if where.endswith("s") else where
            for axis, size in enumerate((file.width, file.height)):
                outside = {"point": list(point), "width": file.width, "height": file.height}
                refuse(point[axis] >= size, "lies_outside_board", f"{here}[{axis}]", **outside)
            refuse(first.setdefault(point, place) != place, "given_twice", here, point=list(point))


def in_order(points: Iterable[Point]) -> tuple[Point, ...]:
    """Points in reading order."""
    return tuple(sorted(set(points), key=lambda point: (point[1], point[0])))


def make_board(file: BoardFile) -> Board:
    """The board of a complete file. Errors: BoardError for one that cannot be played."""
    refuse(len(file.squares) < 3, "list", "squares", fewest=3, most=MOST_SQUARES)
    index = {point: square for square, point in enumerate(in_order(file.squares))}
    final = _square(file.final, index, "final")
    homes = _homes(file, index)
    closed = {final, *(home.entry for home in homes)}
    barricades = [_square(point, index, f"barricades[{place}]") for place, point in enumerate(file.barricades)]
    for place, square in enumerate(barricades):
        refuse(square in closed, "no_barricade_starts_final_square", f"barricades[{place}]")
    refuse(all(y != file.first_row_y for _, y in index), "no_square_lies_row", "firstRowY")
    for place, home in enumerate(homes):
        refuse(home.entry == final, "final_square_cannot_entry", f"homes[{place}].entry")
    around = (((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)) for x, y in index)
    neighbours = tuple(tuple(sorted(index[point] for point in points if point in index)) for points in around)
    names = tuple(f"{column(x)}{file.lowest - y + 1}" for x, y in index)
    _check_connected(final, neighbours, names)
    size, first = (file.width, file.height, file.pawns_per_player), file.first_row_y
    return Board(file.name, *size, tuple(index), final, tuple(sorted(barricades)), homes, first, neighbours, names)


def _square(point: Point | None, index: dict[Point, int], where: str) -> int:
    if point not in index:
        raise BoardError("barricade:error.not_squares" if point else "barricade:error.missing", where, point=list(point or ()))
    return index[point]


def _homes(file: BoardFile, index: dict[Point, int]) -> tuple[Home, ...]:
    refuse(len(file.homes) < 2, "list", "homes", fewest=2, most=MOST_HOMES)
    homes: list[Home] = []
    taken: dict[Point, str] = {}
    entries: dict[int, int] = {}
    for place, home in enumerate(file.homes):
        where = f"homes[{place}]"
        refuse(len(home.slots) < file.pawns_per_player, "list", f"{where}.slots", fewest=file.pawns_per_player, most=MOST_SLOTS)
        for slot, point in enumerate(home.slots):
            here = f"{where}.slots[{slot}]"
            refuse(point in index, "home_s_place_cannot_move", here)
            refuse(taken.setdefault(point, here) != here, "same_place", here, taken=taken[point])
        entry = _square(home.entry, index, f"{where}.entry")
        refuse(entries.setdefault(entry, place) != place, "same_entry_homes", f"{where}.entry", entries=entries[entry])
        homes.append(Home(home.id, home.color, entry, home.slots))
    return tuple(homes)


def _check_connected(final: int, neighbours: tuple[tuple[int, ...], ...], names: tuple[str, ...]) -> None:
    seen, waiting = {final}, [final]
    while waiting:
        near = [square for square in neighbours[waiting.pop()] if square not in seen]
        seen.update(near)
        waiting += near
    for square, name in enumerate(names):
        refuse(square not in seen, "no_way_leads_from_final", "squares", names=name)
