"""What a seat sees, as arrays for learning agents: planes of whole numbers over places of the board, and single numbers.

A game declares its layout in `observation.py`; a game without one shows the fields of its state record (`record_layout`).
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.jit import rule

WORD = 8  # bytes of a set: one bit for each member
BITS, SIGNED, UNSIGNED = range(3)
TO_ACT = "to act"


class Planes(NamedTuple):
    """Planes over the same places. shape: of one plane; names: what 1 means on each, unless it says; most: the highest."""

    name: str
    shape: tuple[int, ...]
    names: tuple[str, ...]
    most: int = 1


class Number(NamedTuple):
    """A single number with its unit. In the array it is divided by `most`, unless the layout is that of a record."""

    name: str
    most: float = 1.0
    unit: str = "1 = yes"
    least: float = 0.0


class ObservationLayout(NamedTuple):
    """The arrays of an observation.

    places: a table for `observe`, whole numbers in rows and columns. constant: the planes of each seat before `observe` writes
    (seats x all numbers of the planes); default 0. own: the number of each action as each seat sees it (seats x actions), where
    the board is turned for a seat; default: the same for all. is_record: `observe` reads the bytes of the state, not the state.
    """

    planes: tuple[Planes, ...]
    numbers: tuple[Number, ...]
    places: Any
    constant: Any = None
    own: Any = None
    is_record: bool = False


def flags(*names: str) -> tuple[Number, ...]:
    """Numbers that are 1 for yes and 0 for no."""
    return tuple(map(Number, names))


def record_layout(game: Any) -> ObservationLayout:
    """The state record as numbers, and the own seat. Words of 64 bits are sets: 64 numbers, the lowest bit first.

    places: a row for each field, which `observe_record` reads: first byte, size, kind, first number, how many.
    """
    dtype, rows = game.new_states(0).dtype, []
    numbers = list(flags(*(f"own seat {seat}" for seat in range(game.seats))))
    for name, (field, offset) in dtype.fields.items():
        if name.startswith("gap_at_"):
            continue
        kind, count = field.base, int(np.prod(field.shape, dtype=int))
        sort = BITS if kind.itemsize == WORD and kind.kind == "u" else SIGNED if kind.kind == "i" else UNSIGNED
        rows.append((offset, kind.itemsize, sort, len(numbers), count))
        for place in range(count):
            named = f"{name}[{place}]" if field.shape else name
            if sort == BITS:
                numbers += flags(*(f"{named} bit {bit}" for bit in range(64)))
            else:
                most = np.iinfo(kind if kind.kind in "iu" else np.uint8)
                numbers.append(Number(named, most.max, "as in the record", most.min))
    return ObservationLayout((), tuple(numbers), np.array(rows, np.int32), is_record=True)


def bounds(layout: ObservationLayout) -> tuple[Any, Any]:
    """The least and the greatest value of each number in the array, with `TO_ACT` at the end."""
    scales = np.ones(len(layout.numbers)) if layout.is_record else np.array([number.most for number in layout.numbers])
    low, high = (np.array([getattr(number, name) for number in layout.numbers]) / scales for name in ("least", "most"))
    return np.append(low, 0).astype(np.float32), np.append(high, 1).astype(np.float32)


def observe_record(row, law, places, seat, planes, numbers):
    """The default `observe`. row: the bytes of a state, the lowest of a number first."""
    numbers[seat] = 1.0
    for field in range(len(places)):
        size, kind, first = places[field, 1], places[field, 2], places[field, 3]
        for i in range(places[field, 4]):
            begin = places[field, 0] + i * size
            if kind == BITS:
                for bit in range(64):
                    numbers[first + 64 * i + bit] = float((int(row[begin + bit // 8]) >> (bit % 8)) & 1)
            else:
                worth = int(row[begin + size - 1])
                if kind == SIGNED and worth > 127:
                    worth -= 256
                for byte in range(size - 2, -1, -1):
                    worth = worth * 256 + int(row[begin + byte])
                numbers[first + i] = float(worth)


@functools.cache
def default_observe() -> Any:
    """`observe_record`, compiled when the first game needs it."""
    return rule(observe_record)
