"""What the rules work on. A column is seven bits, the lowest its bottom hole; the seventh stays empty and ends it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.law import packed

COLUMNS, ROWS, PITCH = 7, 6, 7


class Law(NamedTuple):
    """bottom[c], full[c]: the lowest hole and all holes of a column, as bits. board: all holes."""

    bottom: np.ndarray[Any, np.dtype[np.uint64]]
    full: np.ndarray[Any, np.dtype[np.uint64]]
    board: np.ndarray[Any, np.dtype[np.uint64]]


def make_law(options: Any, board: Any) -> Any:
    """The `Law`, packed."""
    bottom = np.array([1 << PITCH * column for column in range(COLUMNS)], np.uint64)
    full = bottom * np.uint64(2**ROWS - 1)
    return packed(Law(bottom, full, full.sum(keepdims=True)))


def state_dtype(law: Any) -> np.dtype[Any]:
    """discs[seat]: its holes. turns: discs dropped; even: seat 0 is to drop. winner: a seat or -1."""
    return np.dtype([("discs", np.uint64, (2,)), ("turns", np.int64), ("reason", np.int64), ("winner", np.int64)])


def action_count(law: Any) -> int:
    """One action a column."""
    return COLUMNS


def max_legal(law: Any) -> int:
    """All columns."""
    return COLUMNS
