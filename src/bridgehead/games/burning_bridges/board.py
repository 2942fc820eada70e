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


def _fail(key: str, where: str, **params: object) -> NoReturn:
    raise BoardError(key, where, **params)


def _keys(data: Any, keys: Sequence[str], where: str) -> None:
    if not isinstance(data, Mapping):
        _fail("burning_bridges:error.object", where, keys=", ".join(keys))
    for key in data:
        if key not in keys:
            _fail("burning_bridges:error.unknown", f"{where}.{key}", keys=", ".join(keys))
    for key in keys:
        if key not in data:
            _fail("burning_bridges:error.missing", f"{where}.{key}")


def _text(value: Any, longest: int, where: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
        _fail("burning_bridges:error.text_1_printable_characters", where, longest=longest)
    return str(value)


def _list(value: Any, fewest: int, most: int, what: str, where: str) -> list[Any]:
    if not isinstance(value, list | tuple) or not fewest <= len(value) <= most:
        _fail(f"burning_bridges:error.list.{what}", where, fewest=fewest, most=most)
    return list(value)


def _nodes(data: Any) -> tuple[tuple[str, ...], tuple[tuple[float, float], ...]]:
    if not isinstance(data, Mapping) or not 2 <= len(data) <= MOST_PILLARS:
        _fail("burning_bridges:error.object_2_pillars_their_places", "board.nodes", most_pillars=MOST_PILLARS)
    places: dict[tuple[float, float], str] = {}
    for pillar, place in data.items():
        where = f"board.nodes.{pillar}"
        if not isinstance(pillar, str) or not PILLAR_NAME.fullmatch(pillar):
            _fail("burning_bridges:error.pillar_s_name_letter_up", where)
        x, y = _list(place, 2, 2, "numbers", where)
        for value in (x, y):
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 10_000:
                _fail("burning_bridges:error.two_numbers_from_10000_10000", where)
        if (x, y) in places:
            _fail("burning_bridges:error.where", where, places=places[x, y])
        places[float(x), float(y)] = pillar
    return tuple(data), tuple(places)


def _pillar(value: Any, numbers: Mapping[str, int], where: str) -> int:
    if not isinstance(value, str) or value not in numbers:
        _fail("burning_bridges:error.no_pillar", where, value=repr(value))
    return numbers[value]


def _edges(data: Any, numbers: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    lines: dict[frozenset[int], tuple[int, int]] = {}
    for index, pair in enumerate(_list(data, 1, MOST_LINES, "lines", "board.edges")):
        where = f"board.edges[{index}]"
        one, other = (_pillar(end, numbers, f"{where}[{i}]") for i, end in enumerate(_list(pair, 2, 2, "pillars", where)))
        if one == other:
            _fail("burning_bridges:error.line_joins_two_different_pillars", where)
        if frozenset((one, other)) in lines:
            _fail("burning_bridges:error.line_drawn_twice", where)
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
            _fail("burning_bridges:error.no_lines_lead_from_pillar", f"board.nodes.{pillar}", pillars=pillars[0])


def _families(data: Mapping[str, Any], numbers: Mapping[str, int]) -> tuple[Family, ...]:
    listed = _list(data["family"], 2, MOST_FAMILIES, "families", "board.family")
    if isinstance(data["families"], bool) or data["families"] != len(listed):
        _fail("burning_bridges:error.number_families_listed", "board.families", count=len(listed))
    return tuple(_family(each, index, numbers) for index, each in enumerate(listed))


def _family(data: Any, index: int, numbers: Mapping[str, int]) -> Family:
    where = f"board.family[{index}]"
    _keys(data, FAMILY_KEYS, where)
    if isinstance(data["id"], bool) or data["id"] != index:
        _fail("burning_bridges:error.families_numbered_their_order", f"{where}.id", index=index)
    _keys(data["start"], SIZES, f"{where}.start")
    large, medium, small = (_pillar(data["start"][size], numbers, f"{where}.start.{size}") for size in SIZES)
    goals: list[int] = []
    for i, goal in enumerate(_list(data["goals"], 1, MOST_PILLARS, "goals", f"{where}.goals")):
        number = _pillar(goal, numbers, f"{where}.goals[{i}]")
        if number in goals:
            _fail("burning_bridges:error.named_twice", f"{where}.goals[{i}]", goal=goal)
        goals.append(number)
    if {large, medium, small} <= set(goals):
        _fail("burning_bridges:error.family_would_home_before_game", f"{where}.start")
    return Family(_text(data["color"], 20, f"{where}.color"), (large, medium, small), tuple(goals))
