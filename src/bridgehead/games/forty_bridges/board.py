"""The board: 25 squares, 16 octagons, their connections, and the starting fields of the pieces (FB-1.a, FBQ-1)."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, NamedTuple

from bridgehead.core.editing import read_layout
from bridgehead.core.errors import OptionError, refusing

refuse = refusing("forty_bridges", OptionError)

FIELDS = 41
# The eight directions to a touching field, by angle: a bent jump continues in a neighbouring direction.
DIRECTIONS = ((2, 0), (1, 1), (0, 2), (-1, 1), (-2, 0), (-1, -1), (0, -2), (1, -1))

Place = tuple[int, int]
Sides = tuple[tuple[int, ...], tuple[int, ...]]
Move = tuple[int, int]  # start and end
Opening = tuple[Move, Move]  # the first moves of player 1, who begins, and of player 2


class Board(NamedTuple):
    """The board as data; a field is its number (9y + x) / 2 in half-grid coordinates, so from bottom left to top right.

    step, touch: numbers of fields, by field. jump, bent: (field jumped over, landing field) pairs, by field; `bent` holds
    the landings behind a bend of 45 degrees only. setups: fields of both players by name. corners: each player's own.
    """

    places: tuple[Place, ...]
    names: tuple[str, ...]
    step: tuple[tuple[int, ...], ...]
    touch: tuple[tuple[int, ...], ...]
    jump: tuple[tuple[tuple[int, int], ...], ...]
    bent: tuple[tuple[tuple[int, int], ...], ...]
    setups: dict[str, Sides]
    corners: tuple[int, int]

    def field(self, name: str) -> int | None:
        """The field of that name, or None."""
        return self.names.index(name) if name in self.names else None

    def is_square(self, field: int) -> bool:
        """Whether a field is one of the 25 squares (else an octagon)."""
        return self.places[field][0] % 2 == 0

    def opening(self, setup: str, layout: str | dict[str, Any] | None) -> Sides:
        """The starting fields of both players under the house rules. Errors: OptionError for a layout that cannot be set up."""
        if (setup == "custom") != (layout is not None):
            raise OptionError("forty_bridges:error.layout_goes_setup_custom_setup", "layout")
        return self.setups[setup] if layout is None else self._read_layout(read_layout(str, layout, "layout").layout)

    def _read_layout(self, layout: str) -> Sides:
        lists = layout.split(" ")
        refuse(len(lists) != 2, "fields_player_1_blank_fields", "layout")
        sides: list[tuple[int, ...]] = []
        for player, names in enumerate(lists):
            fields = [self.field(name) for name in names.split(",")]
            if None in fields:
                raise OptionError(
                    "forty_bridges:error.no_field_called", "layout", name=repr(names.split(",")[fields.index(None)][:20])
                )
            refuse(len(fields) > 8, "player_pieces_8_most", "layout", player=player + 1, count=len(fields), most=8)
            refuse(self.corners[1 - player] in fields, "player_opponent_s_corner_would", "layout", player=player + 1)
            sides.append(tuple(sorted(field for field in fields if field is not None)))
        taken = [*sides[0], *sides[1]]
        twice = [field for field in taken if taken.count(field) > 1]
        if twice:
            raise OptionError("forty_bridges:error.given_twice", "layout", names=self.names[twice[0]])
        return sides[0], sides[1]


def load(options: Any) -> Board:
    """The standard board; 40 Bridges has no other."""
    return standard()


@functools.cache
def standard() -> Board:
    """The board of the packaged file `boards/standard.json`."""
    data = json.loads((Path(__file__).parent / "boards" / "standard.json").read_text("utf-8"))
    places = sorted(((x, y) for x, y in data["squares"] + data["octagons"]), key=lambda place: place[::-1])
    assert [number_of(place) for place in places] == list(range(FIELDS))
    keys = [f"{x},{y}" for x, y in places]
    return Board(
        places=tuple(places),
        names=tuple(("ABCD" if x % 2 else "abcde")[x // 2] + str(y // 2 + 1) for x, y in places),
        step=tuple(tuple(sorted(number_of(q) for q in data["step"][key])) for key in keys),
        touch=tuple(tuple(sorted(number_of(q) for q in data["touch"][key])) for key in keys),
        jump=tuple(tuple(sorted((number_of(over), number_of(to)) for over, to in data["jump"][key])) for key in keys),
        bent=tuple(_bent_jumps(place, set(places)) for place in places),
        setups={
            name: (tuple(sorted(map(number_of, sides["p1"]))), tuple(sorted(map(number_of, sides["p2"]))))
            for name, sides in data["setups"].items()
        },
        corners=(number_of(data["corners"]["p1"]), number_of(data["corners"]["p2"])),
    )


@functools.cache
def balanced_openings() -> tuple[Opening, ...]:
    """The openings of `openings.txt`, each followed by its mirror image at the diagonal through both corners (FBQ-29)."""
    board, found = standard(), list[Opening]()
    mirror = [number_of((y, x)) for x, y in board.places]
    for line in (Path(__file__).parent / "openings.txt").read_text("utf-8").split("\n")[:-1]:
        one, other = ([board.names.index(name) for name in move.split("-")] for move in line.split(" "))
        drawn = (one[0], one[1]), (other[0], other[1])
        found += [drawn, (_through(mirror, drawn[0]), _through(mirror, drawn[1]))]
    return tuple(found)


def _through(image: list[int], move: Move) -> Move:
    return image[move[0]], image[move[1]]


def number_of(place: Place) -> int:
    """The number of a field, by its half-grid coordinates."""
    return (9 * place[1] + place[0]) // 2


def _bent_jumps(place: Place, places: set[Place]) -> tuple[tuple[int, int], ...]:
    """Bent jumps: over a piece in one direction, then a touching step in the direction turned by 45 degrees (FBQ-22)."""
    jumps = []
    for index, (dx, dy) in enumerate(DIRECTIONS):
        over = (place[0] + dx, place[1] + dy)
        for turned in (DIRECTIONS[index - 1], DIRECTIONS[(index + 1) % 8]):
            to = (over[0] + turned[0], over[1] + turned[1])
            if over in places and to in places:
                jumps.append((number_of(over), number_of(to)))
    return tuple(sorted(jumps))
