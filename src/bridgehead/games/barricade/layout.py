"""Layout of the picture of Barricade: squares, home trays and the die. Units are the picture's; a cell is 48 wide."""

from __future__ import annotations

import functools
from typing import NamedTuple

from bridgehead.games.barricade.board import Board, Home, Point

CELL, EDGE, GAP, THICK = 48, 36, 14, 8
PAD = 26  # from the centre of an outer place of a home to the edge of its tray
BLOCKS = ((3, 4), (3, 3), (2, 3))  # sizes of a free block of cells for the die, the best first
ASIDE = 3  # columns added for the die if a board has no free cells


class Tray(NamedTuple):
    """A home as drawn: its rounded rectangle (left, top, width, height), the place of its letter, and its places for pawns.

    The place nearest to the entry comes first. The pawn on it represents all waiting pawns.
    """

    box: tuple[float, float, float, float] | None
    letter: tuple[float, float] | None
    slots: tuple[tuple[float, float], ...]


class Layout(NamedTuple):
    """The whole drawing: its size, the centres of all squares, the homes, and the centre of the die's corner."""

    width: float
    height: float
    squares: tuple[tuple[float, float], ...]
    trays: tuple[Tray, ...]
    die: tuple[float, float]


@functools.lru_cache(maxsize=16)
def layout(board: Board) -> Layout:
    """The drawing of a board."""
    lowest = max(y for _, y in board.squares)
    taken = {*board.squares, *(slot for home in board.homes for slot in home.slots)}
    trays = tuple(_tray(board, home, taken, lowest) for home in board.homes)
    used = taken | {cell for home in board.homes for cell in _cells(home)}
    rows = max(board.height, *(y + 1 for _, y in used))
    across, down, aside = _free_block(board.width, rows, used)
    centre = _at((across, down), lowest)
    width = EDGE * 2 + CELL * (board.width + aside)
    return Layout(width, EDGE * 2 + CELL * rows + GAP + THICK, tuple(_at(p, lowest) for p in board.squares), trays, centre)


def _at(point: tuple[float, float], lowest: int) -> tuple[float, float]:
    """The centre of a cell. A small gap separates cells below the lowest row of squares."""
    x, y = point
    return EDGE + CELL * (x + 0.5), EDGE + CELL * (y + 0.5) + (GAP if y > lowest else 0)


def _cells(home: Home) -> list[Point]:
    """The rectangle of cells around a home's places, with one more row for its letter if all cells are places."""
    xs, ys = [x for x, _ in home.slots], [y for _, y in home.slots]
    cells = [(x, y) for y in range(min(ys), max(ys) + 1) for x in range(min(xs), max(xs) + 1)]
    if set(cells) <= set(home.slots):
        cells += [(x, max(ys) + 1) for x in range(min(xs), max(xs) + 1)]
    return cells


def _tray(board: Board, home: Home, taken: set[Point], lowest: int) -> Tray:
    ex, ey = board.squares[home.entry]
    slots = sorted(home.slots, key=lambda slot: (abs(slot[0] - ex) + abs(slot[1] - ey), slot))
    places = tuple(_at(slot, lowest) for slot in slots)
    cells = _cells(home)
    free = [cell for cell in cells if cell not in home.slots]
    if any(cell in taken for cell in free):
        return Tray(None, None, places)
    centres = [_at(cell, lowest) for cell in cells]
    left, top = min(x for x, _ in centres) - PAD, min(y for _, y in centres) - PAD + 2
    right, bottom = max(x for x, _ in centres) + PAD, max(y for _, y in centres) + PAD
    middle = (left + right) / 2
    letter = min((_at(cell, lowest) for cell in free), key=lambda at: (-at[1], abs(at[0] - middle)))
    if len({y for _, y in free}) == 1 and len(free) % 2 == 0:
        letter = (middle, letter[1])
    return Tray((left, top, right - left, bottom - top), letter, places)


def _free_block(width: int, rows: int, used: set[Point]) -> tuple[float, float, int]:
    """The centre of a free block of cells for the die, far left and near the middle row, or of extra columns beside the board."""
    for wide, high in BLOCKS:
        found = [
            (x, abs(y + high / 2 - rows / 2), y)
            for x in range(width - wide + 1)
            for y in range(rows - high + 1)
            if all((x + i, y + j) not in used for i in range(wide) for j in range(high))
        ]
        if found:
            x, _, y = min(found)
            return x + wide / 2 - 0.5, y + high / 2 - 0.5, 0
    return width + ASIDE / 2 - 0.5, rows / 2 - 0.5, ASIDE
