"""What two puzzles have in common, wherever the board is turned or mirrored: their pieces, and where the answer leads.

A board is turned and mirrored as its picture is. A map counts if it leaves the first position as it is. Then it exchanges the
seats, too, as half a turn does in 40 Bridges.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bridgehead.core.caching import cached_per_game
from bridgehead.core.game import Game, Position
from bridgehead.core.phrases import ENGLISH
from bridgehead.core.scene import Item

ALIKE = 0.8  # the part of the pieces in which near duplicates are alike
TURNS = sorted({part / whole for whole in range(1, 11) for part in range(whole)})  # of a full turn
NEAR = 8.0  # pixels between a field and where a map brings another
Thing = tuple[tuple[str, ...], str, tuple[str, ...]]  # its fields, its owner, its drawings
Things = Counter[Thing]


class Frame(NamedTuple):
    """A way to look at a board: the image of each field, by id, and of each seat, by letter."""

    fields: dict[str, str]
    seats: dict[str, str]

    def see(self, position: Position) -> Things:
        """What stands on the fields, and between them."""
        return Counter(self._thing(each) for each in _things(position) if self.fields.keys() >= {*_fields_of(each)})

    def _thing(self, item: Item) -> Thing:
        owner = self.seats.get(item.seat, item.seat)
        drawn = tuple(
            part.use or part.text for part in item.parts if not part.use.startswith("shape-")
        )  # a shape tells the owner
        return tuple(sorted(self.fields[field] for field in _fields_of(item))), owner, drawn


def _things(position: Position) -> list[Item]:
    return [each for each in position.game.spec.scene.items(position, ENGLISH) if _fields_of(each)]


def _fields_of(item: Item) -> list[str]:
    """The fields that a thing stands on, or between: "b:B4-R8:c" names them."""
    if item.at:
        return [item.at]
    kind, _, rest = item.id.partition(":")
    ends = rest.partition(":")[0].split("-")
    return [f"f:{end}" for end in ends] if kind == "b" and len(ends) == 2 else []


@cached_per_game
def frames(game: Game, seat: int) -> list[Frame]:
    """The frames of a seat: those that show it as the first of all seats that it can change places with."""
    letter = game.spec.seat_letter(seat)
    found = _find_frames(game)
    first = min(each.seats[letter] for each in found)
    return [each for each in found if each.seats[letter] == first]


@cached_per_game
def _find_frames(game: Game) -> list[Frame]:
    """All frames in which the first position looks as it is; the plain one is the first."""
    start, letters = game.start(), [game.spec.seat_letter(seat) for seat in range(game.seats)]
    found: list[Frame] = []
    for fields in _find_maps(game):
        for step in (1, -1):
            for first in range(game.seats):
                images = {letters[seat]: letters[(first + step * seat) % game.seats] for seat in range(game.seats)}
                frame = Frame(fields, images)
                if frame not in found and (not found or frame.see(start) == found[0].see(start)):
                    found.append(frame)
    return found


def _find_maps(game: Game) -> Iterator[dict[str, str]]:
    """The turns of the picture, plain and mirrored, that bring each field of the board to a field."""
    used = {field for each in _things(game.start()) for field in _fields_of(each)}
    shown = (each for each in game.spec.scene.picture(game, ENGLISH).fields if each.label or each.id in used)
    fields = {each.id: complex(each.x, each.y) for each in shown}
    low, high = (complex(pick(z.real for z in fields.values()), pick(z.imag for z in fields.values())) for pick in (min, max))
    for middle in dict.fromkeys((sum(fields.values()) / len(fields), (low + high) / 2)):
        for turn in TURNS:
            for mirrors in (False, True):
                turned = {id: (place - middle).conjugate() if mirrors else place - middle for id, place in fields.items()}
                places = {id: middle + place * cmath.exp(2j * math.pi * turn) for id, place in turned.items()}
                images = {id: min(fields, key=lambda one, to=to: abs(fields[one] - to)) for id, to in places.items()}  # type: ignore[misc]
                if all(abs(fields[images[id]] - places[id]) < NEAR for id in fields):
                    yield images


def see_from_all_sides(position: Position) -> list[Things]:
    """What stands on the board, in every frame of the seat to act."""
    return [frame.see(position) for frame in frames(position.game, position.actor)]


def are_alike(one: Sequence[Things], other: Sequence[Things]) -> bool:
    """Whether most pieces of two puzzles are alike, seen from any side."""
    return any((one[0] & each).total() >= ALIKE * max(one[0].total(), each.total()) for each in other)


def find_pattern(position: Position, action: int) -> str:
    """Where an action leads, whatever moves there, in the frame that names the place first; of a button: what comes."""
    path = next(each.path for each in position.game.spec.scene.choices(position, ENGLISH) if each.action == action)
    places = {each.id: each.at for each in _things(position)}
    last = places.get(path[-1], path[-1])
    seen = frames(position.game, position.actor)
    if last in seen[0].fields:
        return min(frame.fields[last] for frame in seen)
    after = position.play(action)
    return min(repr(sorted(frame.see(after) - frame.see(position)) or path) for frame in seen)
