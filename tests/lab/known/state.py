"""Counters."""

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.law import pack_law
from lab.known.options import KINDS


class Law(NamedTuple):
    """kind: number of KINDS; edge, plies, seats as in the options."""

    kind: int
    edge: int
    plies: int
    seats: int


def make_law(options: Any, board: Any) -> Any:
    """The `Law`, packed."""
    return pack_law(Law(KINDS.index(options.kind), options.edge, options.plies, options.seats))


def state_dtype(law: Any) -> np.dtype[Any]:
    """turns: plies made; coin: 0 not thrown, else 1 + who it favours; points: right actions a seat; reason: 1 when over."""
    return np.dtype([("turns", np.int64), ("coin", np.int64), ("points", np.int64, (5,)), ("reason", np.int64)])


def action_count(law: Any) -> int:
    """Two for seats (wrong, right), two faces of the coin, and two that do the same as the first ones."""
    return 6


def max_legal(law: Any) -> int:
    """Two."""
    return 2
