"""The picture of Connect Four: seven columns of six holes."""

from __future__ import annotations

from typing import Any

from bridgehead.core.position import Position
from bridgehead.core.scene import MovementTrace
from connect_four.rules import COLUMNS, PITCH, ROWS

LETTERS = "abcdefg"


def places(game: Any) -> dict[str, tuple[float, float]]:
    """The holes: `a1` is at the bottom left."""
    return {f"{letter}{row}": (x, -row) for x, letter in enumerate(LETTERS) for row in range(1, ROWS + 1)}


def pieces(position: Position) -> dict[str, int]:
    """The seat of each disc."""
    discs = [int(position.state.discs[seat]) for seat in (0, 1)]
    bits = ((f"{LETTERS[x]}{row + 1}", PITCH * x + row) for x in range(COLUMNS) for row in range(ROWS))
    return {hole: seat for hole, bit in bits for seat in (0, 1) if discs[seat] >> bit & 1}


def names(game: Any) -> str:
    """An action is a column."""
    return LETTERS


def target(position: Position, action: int) -> str:
    """The hole into which a disc falls; in a full column, the top one."""
    height = sum(hole[0] == LETTERS[action] for hole in pieces(position))
    return f"{LETTERS[action]}{min(height + 1, ROWS)}"


def find_touched_action(position: Position, touch: tuple[str, ...]) -> int | None:
    """The column of the touched hole or disc."""
    return LETTERS.index(touch[-1].rpartition(":")[2][0]) if touch else None


def traces(before: Position, action: int, after: Position) -> tuple[MovementTrace, ...]:
    """The disc falls from the top of its column."""
    hole, top = target(before, action), f"{LETTERS[action]}{ROWS}"
    return (MovementTrace(f"p:{hole}", (f"f:{top}", f"f:{hole}")),) if top != hole else ()
