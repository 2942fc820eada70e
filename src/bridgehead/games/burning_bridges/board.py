"""Boards of Burning Bridges: pillars, lines, and each family's start and goals, read and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bridgehead.core.editing import Author, Name, Note, decode_draft
from bridgehead.core.errors import BoardError, refusing

MOST_PILLARS, MOST_LINES, MOST_FAMILIES = 64, 192, 6
FAR = 10_000  # the largest coordinate of a board file
SIZES = "LMS"
BOARD_FOR_SEATS = {5: "star5", 4: "star4", 3: "star3", 2: "star4"}
PILLAR_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{0,7}")
Spot = tuple[float, float]
refuse = refusing("burning_bridges", BoardError)


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The start pillars of a family's pieces; None for a piece that is not set."""

    L: str | None
    M: str | None
    S: str | None


class FamilyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A family in a board file: where its pieces start, and its goals."""

    id: Annotated[int, Meta(ge=0, lt=MOST_FAMILIES)]
    color: Annotated[str, Meta(min_length=1, max_length=20)]
    start: Start
    goals: Annotated[tuple[str, ...], Meta(max_length=MOST_PILLARS)]

    def starts(self) -> dict[str, str]:
        """The start pillars that are set, by size."""
        pillars = {size: getattr(self.start, size) for size in SIZES}
        return {size: pillar for size, pillar in pillars.items() if pillar is not None}


class BoardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A board file, or a draft of one: at least two pillars at different places; families are numbered in their order."""

    name: Name
    families: Annotated[int, Meta(ge=2, le=MOST_FAMILIES)]
    nodes: dict[str, Any]  # places; `read` makes them `Spot`s
    edges: Annotated[tuple[tuple[str, str], ...], Meta(max_length=MOST_LINES)]
    family: Annotated[tuple[FamilyFile, ...], Meta(min_length=2, max_length=MOST_FAMILIES)]
    author: Author = ""
    note: Note = ""

    def line(self, one: str, other: str) -> tuple[str, str] | None:
        """The line between two pillars, as the file writes it."""
        return next((line for line in self.edges if line in ((one, other), (other, one))), None)


class Family(msgspec.Struct, frozen=True):
    """One family of a board: `start` are the pillars of L, M and S, `goals` its goal pillars (all as pillar numbers)."""

    color: str
    start: tuple[int, ...]
    goals: tuple[int, ...]


class Board(msgspec.Struct, frozen=True):
    """A board: pillar names with places (x right, y down, in the file's units), lines as pairs of pillar numbers."""

    name: str
    pillars: tuple[str, ...]
    places: tuple[Spot, ...]
    lines: tuple[tuple[int, int], ...]
    families: tuple[Family, ...]

    def line_name(self, line: int) -> str:
        """A line as the board file writes it: `A0-B0`."""
        one, other = self.lines[line]
        return f"{self.pillars[one]}-{self.pillars[other]}"


def shipped_file(name: str) -> Any:
    """The data of a board of the package."""
    return json.loads((Path(__file__).parent / "boards" / f"{name}.json").read_text("utf-8"))


def load(options: Any) -> Board:
    """The board of the house rules. Errors: BoardError; its place begins with `board` (`board.family[2].goals[1]`)."""
    given = options.board
    try:
        if isinstance(given, dict):
            return make_board(read(given))
        return make_board(read(shipped_file(BOARD_FOR_SEATS[options.seats] if given == "auto" else given)))
    except BoardError as error:
        raise BoardError(error.phrase, f"board.{error.where}".rstrip(".")) from None


def read(data: Any) -> BoardFile:
    """A board file from its data; lines and markers may still be missing. Errors: BoardError with the place in it."""
    file = decode_draft(BoardFile, data)
    refuse(not file.name.isprintable(), "text_1_printable_characters", "name", longest=40)
    refuse(not 2 <= len(file.nodes) <= MOST_PILLARS, "2_pillars_got", "nodes", most_pillars=MOST_PILLARS, count=len(file.nodes))
    refuse(file.families != len(file.family), "number_families_listed", "families", count=len(file.family))
    file = msgspec.structs.replace(file, nodes=_spots(file.nodes))
    lines: dict[frozenset[str], int] = {}
    for index, line in enumerate(file.edges):
        _check_known(file, line, f"edges[{index}]")
        refuse(line[0] == line[1], "line_joins_two_different_pillars", f"edges[{index}]")
        refuse(lines.setdefault(frozenset(line), index) != index, "line_drawn_twice", f"edges[{index}]")
    for index, family in enumerate(file.family):
        where = f"family[{index}]"
        refuse(family.id != index, "families_numbered_their_order", f"{where}.id", index=index)
        refuse(not family.color.isprintable(), "text_1_printable_characters", f"{where}.color", longest=20)
        for size, pillar in family.starts().items():
            refuse(pillar not in file.nodes, "no_pillar", f"{where}.start.{size}", value=repr(pillar))
        _check_known(file, family.goals, f"{where}.goals")
        for place, goal in enumerate(family.goals):
            refuse(goal in family.goals[:place], "named_twice", f"{where}.goals[{place}]", goal=goal)
    return file


def _spots(nodes: dict[str, Any]) -> dict[str, Spot]:
    spots: dict[Spot, str] = {}
    for pillar, place in nodes.items():
        where = f"nodes.{pillar}"
        refuse(not PILLAR_NAME.fullmatch(pillar), "pillar_s_name_letter_up", where)
        pair = isinstance(place, list | tuple) and len(place) == 2
        bad = not pair or not all(type(each) in (int, float) and abs(each) <= FAR for each in place)
        refuse(bad, "two_numbers_from_10000_10000", where)
        refuse(spots.setdefault((place[0], place[1]), pillar) != pillar, "where", where, places=spots[place[0], place[1]])
    return {pillar: spot for spot, pillar in spots.items()}


def _check_known(file: BoardFile, pillars: Sequence[str], where: str) -> None:
    for place, pillar in enumerate(pillars):
        refuse(pillar not in file.nodes, "no_pillar", f"{where}[{place}]", value=repr(pillar))


def make_board(file: BoardFile) -> Board:
    """The board of a complete file. Errors: BoardError for one that cannot be played."""
    numbers = {pillar: number for number, pillar in enumerate(file.nodes)}
    refuse(not file.edges, "list.lines", "edges", fewest=1, most=MOST_LINES)
    lines = tuple((numbers[one], numbers[other]) for one, other in file.edges)
    _check_connected(list(file.nodes), lines)
    places = tuple((float(x), float(y)) for x, y in file.nodes.values())
    families = tuple(_family(family, numbers, f"family[{index}]") for index, family in enumerate(file.family))
    return Board(file.name, tuple(file.nodes), places, lines, families)


def _check_connected(pillars: Sequence[str], lines: Sequence[tuple[int, int]]) -> None:
    reached, grown = {0}, True
    while grown:
        more = {pillar for line in lines if reached & set(line) for pillar in line}
        grown = not more <= reached
        reached |= more
    for number, pillar in enumerate(pillars):
        refuse(number not in reached, "no_lines_lead_from_pillar", f"nodes.{pillar}", pillars=pillars[0])


def _family(family: FamilyFile, numbers: dict[str, int], where: str) -> Family:
    starts = family.starts()
    for size in SIZES:
        refuse(size not in starts, "missing", f"{where}.start.{size}")
    refuse(not family.goals, "list.goals", f"{where}.goals", fewest=1, most=MOST_PILLARS)
    refuse({*starts.values()} <= {*family.goals}, "family_would_home_before_game", f"{where}.start")
    return Family(family.color, tuple(numbers[starts[size]] for size in SIZES), tuple(numbers[goal] for goal in family.goals))


def find_exchange(board: Board, families: Sequence[int]) -> tuple[int, ...]:
    """The image of each pillar in the half turn or mirror of the board that exchanges two families; () without one (BBQ-52)."""
    if len(families) != 2:
        return ()
    places = [complex(*place) for place in board.places]
    one, other = (board.families[family] for family in families)
    lines = {frozenset(line) for line in board.lines}
    pairs = [*zip(one.start, other.start, strict=True), *((one.goals[0], goal) for goal in other.goals)]
    for here, there in pairs:  # on the axis of a mirror both are one pillar, which does not tell the axis
        middle, across = (places[here] + places[there]) / 2, places[here] - places[there]
        turned = [2 * middle - place for place in places]
        mirrored = [middle - across * ((place - middle) / across).conjugate() for place in places] if across else []
        for moved in (turned, mirrored):
            image = tuple(_find_nearest(places, spot) for spot in moved)
            if image and _exchanges(image, lines, one, other):
                return image
    return ()


def _find_nearest(places: Sequence[complex], spot: complex) -> int:
    return min(range(len(places)), key=lambda pillar: abs(places[pillar] - spot))


def _exchanges(image: Sequence[int], lines: set[frozenset[int]], one: Family, other: Family) -> bool:
    """Whether a map of pillars undoes itself, keeps the lines, and exchanges starts and goals of two families."""
    undone = all(image[there] == here for here, there in enumerate(image))
    kept = {frozenset(image[end] for end in line) for line in lines} == lines
    starts = tuple(image[pillar] for pillar in one.start) == other.start
    return undone and kept and starts and {image[goal] for goal in one.goals} == {*other.goals}
