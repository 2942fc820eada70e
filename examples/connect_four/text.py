"""One line for a position: the six rows from the top, `.` an empty hole, `0` and `1` the seats' discs, `/` between rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from bridgehead.core.errors import PositionError
from connect_four.rules import has_four, settle
from connect_four.state import COLUMNS, PITCH, ROWS
from connect_four.words import discs

if TYPE_CHECKING:
    from bridgehead.core.game import Game
    from bridgehead.core.position import Position


def dump(position: Position) -> str:
    """The position in one line."""
    found = discs(position)
    rows = (
        "".join(str(found.get(f"{letter}{row}", ".")) for letter in position.game.board.columns) for row in range(ROWS, 0, -1)
    )
    return "/".join(rows)


def load(game: Game, text: str) -> np.ndarray[Any, Any]:
    """The state of a position's text. Errors: PositionError, naming the row or column."""
    if not re.fullmatch(rf"[.01]{{{COLUMNS}}}(/[.01]{{{COLUMNS}}}){{{ROWS - 1}}}", text):
        raise PositionError(f"expected {ROWS} rows of {COLUMNS} signs (. 0 1) with / between them, got {text[:60]!r}")
    rows = text.split("/")[::-1]
    states = game.new_states(1)
    state = states[0]
    state.winner = -1
    for column, letter in enumerate(game.board.columns):
        stack = "".join(row[column] for row in rows).rstrip(".")
        if "." in stack:
            raise PositionError("a disc hangs in the air", letter)
        for row, sign in enumerate(stack):
            state.discs[int(sign)] |= np.uint64(1) << np.uint64(PITCH * column + row)
            state.turns += 1
    if text.count("0") - text.count("1") not in (0, 1):
        raise PositionError("seat 0 has as many discs as seat 1, or one more")
    if has_four(state.discs[int(state.turns) & 1]):
        raise PositionError("the seat to move has four in a row, so the game was over before")
    settle(state, game.law)
    return states
