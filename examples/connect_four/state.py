"""What the rules work on. A column is seven bits, the lowest its bottom hole; the seventh stays empty and ends it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.law import packed

COLUMNS, ROWS, PITCH = 7, 6, 7


class Law(NamedTuple):
    """holes: how many discs the board takes."""

    holes: int


def make_law(options: Any, board: Any) -> Any:
    """The `Law`, packed."""
    return packed(Law(COLUMNS * ROWS))


def state_dtype(law: Any) -> np.dtype[Any]:
    """discs[seat]: its holes. turns: discs dropped; even: seat 0 is to drop. winner: a seat or -1."""
    return np.dtype([("discs", np.uint64, (2,)), ("turns", np.int64), ("reason", np.int64), ("winner", np.int64)])


def action_count(law: Any) -> int:
    """One action a column."""
    return COLUMNS


def max_legal(law: Any) -> int:
    """All columns."""
    return COLUMNS
