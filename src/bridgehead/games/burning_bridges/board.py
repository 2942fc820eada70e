"""Boards of Burning Bridges: pillars, lines, and each family's start and goals, read and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from bridgehead.core.errors import BoardError

MOST_PILLARS, MOST_LINES, MOST_FAMILIES = 64, 192, 6
SIZES = "LMS"
BOARD_FOR_SEATS = {5: "star5", 4: "star4", 3: "star3", 2: "star4"}
PILLAR_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{0,7}")
KEYS = ("name", "families", "nodes", "edges", "family")
FAMILY_KEYS = ("id", "color", "start", "goals")


class Family(msgspec.Struct, frozen=True):
    """One family of a board: `start` are the pillars of L, M and S, `goals` its goal pillars (all as pillar numbers)."""

    color: str
    start: tuple[int, int, int]
    goals: tuple[int, ...]


class Board(msgspec.Struct, frozen=True):
    """A board: pillar names with places (x right, y down, in the file's units), lines as pairs of pillar numbers."""

    name: str
    pillars: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    lines: tuple[tuple[int, int], ...]
    families: tuple[Family, ...]

    def line_name(self, line: int) -> str:
        """A line as the board file writes it: `A0-B0`."""
        one, other = self.lines[line]
        return f"{self.pillars[one]}-{self.pillars[other]}"


def load(options: Any) -> Board:
    """The board of the house rules. Errors: BoardError; its place begins with `board` (`board.family[2].goals[1]`)."""
    if isinstance(options.board, dict):
        return parse(options.board)
    name = BOARD_FOR_SEATS[options.seats] if options.board == "auto" else options.board
    file = Path(__file__).parent / "boards" / f"{name}.json"
    return parse(json.loads(file.read_text("utf-8")))


def parse(data: Any) -> Board:
    """A board from plain data in the format of the shipped files. Errors: BoardError."""
    _keys(data, KEYS, "board")
    name = _text(data["name"], 40, "board.name")
    pillars, places = _nodes(data["nodes"])
    numbers = {pillar: number for number, pillar in enumerate(pillars)}
    lines = _edges(data["edges"], numbers)
    _connected(pillars, lines)
    return Board(name, pillars, places, lines, _families(data, numbers))


def _fail(what: str, where: str) -> NoReturn:
    raise BoardError(what, where)


def _keys(data: Any, keys: Sequence[str], where: str) -> None:
    if not isinstance(data, Mapping):
        _fail(f"expected an object with {', '.join(keys)}", where)
    for key in data:
        if key not in keys:
            _fail(f"unknown; expected {', '.join(keys)}", f"{where}.{key}")
    for key in keys:
        if key not in data:
            _fail("missing", f"{where}.{key}")


def _text(value: Any, longest: int, where: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
        _fail(f"expected a text of 1 to {longest} printable characters", where)
    return str(value)


def _list(value: Any, fewest: int, most: int, what: str, where: str) -> list[Any]:
    if not isinstance(value, list | tuple) or not fewest <= len(value) <= most:
        _fail(f"expected a list of {fewest} to {most} {what}", where)
    return list(value)


def _nodes(data: Any) -> tuple[tuple[str, ...], tuple[tuple[float, float], ...]]:
    if not isinstance(data, Mapping) or not 2 <= len(data) <= MOST_PILLARS:
        _fail(f"expected an object of 2 to {MOST_PILLARS} pillars with their places", "board.nodes")
    places: dict[tuple[float, float], str] = {}
    for pillar, place in data.items():
        where = f"board.nodes.{pillar}"
        if not isinstance(pillar, str) or not PILLAR_NAME.fullmatch(pillar):
            _fail("a pillar's name is a letter and up to seven letters or digits", where)
        x, y = _list(place, 2, 2, "numbers", where)
        for value in (x, y):
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 10_000:
                _fail("expected two numbers from -10000 to 10000", where)
        if (x, y) in places:
            _fail(f"stands where {places[x, y]} stands", where)
        places[float(x), float(y)] = pillar
    return tuple(data), tuple(places)


def _pillar(value: Any, numbers: Mapping[str, int], where: str) -> int:
    if not isinstance(value, str) or value not in numbers:
        _fail(f"no pillar {value!r}", where)
    return numbers[value]


def _edges(data: Any, numbers: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    lines: dict[frozenset[int], tuple[int, int]] = {}
    for index, pair in enumerate(_list(data, 1, MOST_LINES, "lines", "board.edges")):
        where = f"board.edges[{index}]"
        one, other = (_pillar(end, numbers, f"{where}[{i}]") for i, end in enumerate(_list(pair, 2, 2, "pillars", where)))
        if one == other:
            _fail("a line joins two different pillars", where)
        if frozenset((one, other)) in lines:
            _fail("this line is drawn twice", where)
        lines[frozenset((one, other))] = (one, other)
    return tuple(lines.values())


def _connected(pillars: Sequence[str], lines: Sequence[tuple[int, int]]) -> None:
    reached, grown = {0}, True
    while grown:
        more = {pillar for line in lines if reached & set(line) for pillar in line}
        grown = not more <= reached
        reached |= more
    for number, pillar in enumerate(pillars):
        if number not in reached:
            _fail(f"no lines lead from {pillars[0]} to this pillar", f"board.nodes.{pillar}")


def _families(data: Mapping[str, Any], numbers: Mapping[str, int]) -> tuple[Family, ...]:
    listed = _list(data["family"], 2, MOST_FAMILIES, "families", "board.family")
    if isinstance(data["families"], bool) or data["families"] != len(listed):
        _fail(f"expected {len(listed)}, the number of families listed", "board.families")
    return tuple(_family(each, index, numbers) for index, each in enumerate(listed))


def _family(data: Any, index: int, numbers: Mapping[str, int]) -> Family:
    where = f"board.family[{index}]"
    _keys(data, FAMILY_KEYS, where)
    if isinstance(data["id"], bool) or data["id"] != index:
        _fail(f"expected {index}: families are numbered in their order", f"{where}.id")
    _keys(data["start"], SIZES, f"{where}.start")
    large, medium, small = (_pillar(data["start"][size], numbers, f"{where}.start.{size}") for size in SIZES)
    goals: list[int] = []
    for i, goal in enumerate(_list(data["goals"], 1, MOST_PILLARS, "goals", f"{where}.goals")):
        number = _pillar(goal, numbers, f"{where}.goals[{i}]")
        if number in goals:
            _fail(f"{goal} is named twice", f"{where}.goals[{i}]")
        goals.append(number)
    if {large, medium, small} <= set(goals):
        _fail("the family would be home before the game begins", f"{where}.start")
    return Family(_text(data["color"], 20, f"{where}.color"), (large, medium, small), tuple(goals))
