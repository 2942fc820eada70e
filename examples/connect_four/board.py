"""The board: seven columns of six holes."""

from __future__ import annotations

from typing import Any, NamedTuple


class Board(NamedTuple):
    """Columns `a` to `g` from the left, rows from 1 at the bottom."""

    columns: str = "abcdefg"
    rows: int = 6


def load(options: Any) -> Board:
    """The one board of the game."""
    return Board()
