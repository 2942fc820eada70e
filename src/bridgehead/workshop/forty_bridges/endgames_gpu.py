"""Endgame tables on a graphics card: the loops of `endgames`, with a thread for each position.

Eight pieces need 46 GB of its memory, seven 6 GB. The same functions decide positions as on this machine; only the number of
moves left is reduced atomically, because many threads may do so at once.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bridgehead.core.extras import needs
from bridgehead.core.game import Game
from bridgehead.core.jit import bind_template, get_python_function
from bridgehead.core.numbers import ALL
from bridgehead.games.forty_bridges import endgames
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.endgames import (
    CHOOSE,
    LONGEST,
    PieceTables,
    begin_one,
    members,
    pairs,
    part,
    places,
    size,
)
from bridgehead.games.forty_bridges.rules import rotate_pieces
from bridgehead.workshop.devices import laws

with needs("cuda"):
    cuda: Any = importlib.import_module("numba.cuda")
THREADS = 128
LAUNCH = 1 << 30  # threads of a launch
VALUES = 256


def _left_of(moves: Any, place: Any) -> Any:
    return moves[0][place]


def _one_less(moves: Any, place: Any) -> Any:
    """moves: the numbers as bytes, and the same memory as words of four. Each byte is at least one before."""
    byte = 8 * (place & 3)
    before = cuda.atomic.add(moves[1], place >> 2, np.int32(-(1 << byte)))
    return (before >> byte & 255) - 1


left_of, one_less = (cuda.jit(device=True)(each) for each in (_left_of, _one_less))
update = cuda.jit(device=True)(
    bind_template(get_python_function(endgames.update), {"left_of": left_of, "one_less": one_less}, "card")
)
spread_one = cuda.jit(device=True)(bind_template(get_python_function(endgames.spread_one), {"update": update}, "card"))


def _index(first: Any) -> Any:
    return first + np.int64(cuda.blockIdx.x) * np.int64(cuda.blockDim.x) + np.int64(cuda.threadIdx.x)


index = cuda.jit(device=True)(_index)


def _begin(first: Any, laws: Any, a: Any, b: Any, tables: Any, starts: Any, moves: Any, late: Any) -> None:
    """`endgames.begin` for one position."""
    law, place = laws[0], index(first)
    if place < CHOOSE[FIELDS, a] * CHOOSE[FIELDS - a, b]:
        at = starts[a, b] + place
        tables[at], moves[0][place], late[place] = 0, 0, 0
        seconds = CHOOSE[FIELDS - a, b]
        own = members(place // seconds, law.board, a)
        other = members(place % seconds, law.board & (ALL ^ own), b)
        if not (own & law.bit[law.goal[0]] or other & law.bit[law.goal[1]]):
            begin_one(law, own, other, at, place, tables, starts, moves[0], late)


def _spread(
    first: Any, laws: Any, a: Any, b: Any, plies: Any, tables: Any, starts: Any, moves: Any, late: Any, seen: Any
) -> None:
    """`endgames.spread` for one position. seen[0] becomes 1 where a position is decided in so many plies or more."""
    law, place = laws[0], index(first)
    if place < CHOOSE[FIELDS, a] * CHOOSE[FIELDS - a, b]:
        value = tables[starts[a, b] + place]
        if value >= plies:
            seen[0] = 1
        if value == plies:
            seconds = CHOOSE[FIELDS - a, b]
            own = members(place // seconds, law.board, a)
            other = members(place % seconds, law.board & (ALL ^ own), b)
            spread_one(law, rotate_pieces(other), rotate_pieces(own), plies, starts[b, a], tables, moves, late)


def _count(first: Any, start: Any, number: Any, tables: Any, found: Any, example: Any) -> None:
    """Count the values of a class, and note a position for each."""
    shared = cuda.shared.array(VALUES, np.int32)
    thread = cuda.threadIdx.x
    for value in range(thread, VALUES, cuda.blockDim.x):
        shared[value] = 0
    cuda.syncthreads()
    begin = (first + np.int64(cuda.blockIdx.x)) * VALUES * THREADS
    for step in range(VALUES):
        place = begin + step * THREADS + thread
        if place < number:
            value = tables[start + place]
            if cuda.atomic.add(shared, value, 1) == 0:
                example[value] = place
    cuda.syncthreads()
    for value in range(thread, VALUES, cuda.blockDim.x):
        if shared[value]:
            cuda.atomic.add(found, value, shared[value])


class Counted(NamedTuple):
    """positions[value]: how many entries of a class have it; example[value]: the number of one of them."""

    positions: npt.NDArray[np.int64]
    example: npt.NDArray[np.int64]


class GpuTables:
    """Tables up to a number of pieces, in the memory of a graphics card."""

    def __init__(self, game: Game, pieces: int) -> None:
        starts, total = places(pieces)
        self.host_starts = np.array(starts, np.int64)
        self._laws, self._starts = cuda.to_device(laws(game)), cuda.to_device(self.host_starts)
        self.values = cuda.device_array(total, np.uint8)
        most = max(sum(-(-size(*each) // 4) * 4 for each in pair) for pair in pairs(pieces))
        self._moves, self._late = (cuda.device_array(most, np.uint8) for _ in range(2))
        self._kernels = {each.__name__: cuda.jit(each) for each in (_begin, _spread, _count)}

    def solve(self, made: PieceTables, pair: list[tuple[int, int]]) -> Iterator[float]:
        """Solve two classes whose positions follow one another, into tables of this machine; yields the share done.

        Errors: ValueError if a win takes more than `LONGEST` plies.
        """
        self.decide(pair)
        for each in pair:
            part(made, each)[:] = self._part(each).copy_to_host()
        yield 1.0

    def put(self, made: PieceTables, pair: list[tuple[int, int]]) -> None:
        """Take over classes that are solved."""
        for each in pair:
            self._part(each).copy_to_device(part(made, each))

    def _part(self, which: tuple[int, int]) -> Any:
        start = int(self.host_starts[which])
        return self.values[start : start + size(*which)]

    def decide(self, pair: list[tuple[int, int]]) -> int:
        """Solve two classes on the card; returns the number of plies after which nothing is left to do."""
        moves, late, first = {}, {}, 0
        for each in pair:
            last = first + -(-size(*each) // 4) * 4
            here = self._moves[first:last]
            moves[each], late[each], first = (here, here.view(np.int32)), self._late[first:last], last
        for each in pair:
            self._each("_begin", size(*each), self._laws, *each, self.values, self._starts, moves[each], late[each])
        for plies in range(1, LONGEST):
            seen = cuda.to_device(np.zeros(1, np.int32))
            for own, other in pair:
                back = other, own
                given = self._laws, own, other, plies, self.values, self._starts, moves[back], late[back], seen
                self._each("_spread", size(own, other), *given)
            if not seen.copy_to_host()[0]:
                return plies
        raise ValueError(f"a win takes more than {LONGEST} plies: it does not fit a table")

    def count(self, which: tuple[int, int]) -> Counted:
        """Count the values of a class."""
        found, example = (cuda.to_device(np.zeros(VALUES, np.int64)) for _ in range(2))
        blocks = -(-size(*which) // (VALUES * THREADS))
        start = int(self.host_starts[which])
        self._kernels["_count"][blocks, THREADS](0, start, size(*which), self.values, found, example)
        return Counted(found.copy_to_host(), example.copy_to_host())

    def _each(self, name: str, number: int, *given: Any) -> None:
        """Run a kernel with a thread for each position of a class."""
        for first in range(0, number, LAUNCH):
            blocks = -(-min(LAUNCH, number - first) // THREADS)
            self._kernels[name][blocks, THREADS](first, *given)
