"""A seat's view of a position as one vector of numbers, for any game.

A state record holds only what lies on the table: chance is drawn when it happens, and face-down cards belong to the
house rules, which no observation reads. So every seat may see the whole record.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bridgehead.core.caching import kept
from bridgehead.core.game import Game, Position

Vector = npt.NDArray[np.float32]
WORD = 8  # bytes of a set, one bit per member
OWN, ACTOR = "own seat", "seat to act"


class Sight:
    """The map from a game's positions to vectors.

    fields: name -> its part of the vector: `own seat` and `seat to act` (one number per seat, 1.0 for that one), then
    the fields of the state record in order. Words of 64 bits are sets: 64 numbers each, 0.0 or 1.0, the lowest bit
    first; every other number is copied (exact below 2**24). low, high: bounds of each number.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        dtype = game.new_states(0).dtype
        self.names = tuple(name for name in dtype.names or () if not name.startswith("gap_at_"))
        self.fields = {OWN: slice(0, game.seats), ACTOR: slice(game.seats, 2 * game.seats)}
        low, high = [np.zeros(2 * game.seats)], [np.ones(2 * game.seats)]
        for name in self.names:
            kind, numbers = dtype[name].base, int(np.prod(dtype[name].shape))
            begin = sum(map(len, low))
            if kind.itemsize == WORD:
                low, high = [*low, np.zeros(64 * numbers)], [*high, np.ones(64 * numbers)]
            else:
                bounds = np.iinfo(kind)
                low, high = [*low, np.full(numbers, bounds.min)], [*high, np.full(numbers, bounds.max)]
            self.fields[name] = slice(begin, begin + len(low[-1]))
        self.low: Vector = np.concatenate(low).astype(np.float32)
        self.high: Vector = np.concatenate(high).astype(np.float32)

    def __len__(self) -> int:
        return len(self.low)

    def vector(self, position: Position, seat: int) -> Vector:
        """The seat's view: float32, as long as this."""
        found = np.zeros(len(self), np.float32)
        found[seat] = 1
        if position.actor >= 0:
            found[self.game.seats + position.actor] = 1
        states = position.copy_states()
        for name in self.names:
            found[self.fields[name]] = _numbers(states[name])
        return found

    def mask(self, position: Position, seat: int) -> npt.NDArray[np.int8]:
        """The seat's legal actions: 1 for each of them among all action ids, int8; all 0 unless it is the seat to act."""
        found = np.zeros(self.game.action_count, np.int8)
        if position.actor == seat:
            found[list(position.legal)] = 1
        return found


@kept
def sight(game: Game) -> Sight:
    """The game's `Sight`."""
    return Sight(game)


def _numbers(field: Any) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = np.ascontiguousarray(field).reshape(-1)
    return np.unpackbits(values.view(np.uint8), bitorder="little") if values.itemsize == WORD else values
