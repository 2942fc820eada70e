"""Layout of the picture of The Front Lines: rows run to the right, or upwards on a narrow screen. Units are the picture's."""

from __future__ import annotations

import functools
from typing import NamedTuple

from bridgehead.core.game import Game
from bridgehead.games.front_lines.board import COLUMNS

Spot = tuple[float, float]
EDGE, GAP = 26.0, 12.0  # board edge to bank, bank to cards
WIDTH, HEIGHT = 1120.0, 640.0
DX, DY, TOP = 71.0, 93.0, 62.0  # from card to card, and the first column's upper edge
TRAY = 532.0  # middle of the tray
UPRIGHT_WIDTH, UPRIGHT_DX, UPRIGHT_BANK = 440.0, 80.0, 64.0
LINE = 62.0  # from plate to plate


class Box(NamedTuple):
    """A rectangle: its middle, and its size."""

    x: float
    y: float
    width: float
    height: float


class Places(NamedTuple):
    """Middles of cards by cell, banks by edge (start, far), a character's place on each bank, names, and the tray's things."""

    width: float
    height: float
    cells: tuple[Spot, ...]
    banks: tuple[Box, Box]
    lanes: tuple[tuple[Spot, ...], tuple[Spot, ...]]
    row_names: tuple[Spot, ...]
    column_names: tuple[Spot, ...]
    tray: Box
    pack: Spot
    drawn: Spot
    sentences: Spot
    plates: tuple[Spot, ...]  # upper left corners


@functools.cache
def places(rows: int, upright: bool) -> Places:
    """The places of a field with this number of rows."""
    return _upright(rows) if upright else _wide(rows)


def both(game: Game) -> tuple[Places, Places]:
    """The places of a game's field, wide and upright."""
    rows = int(game.law.rows)
    return places(rows, upright=False), places(rows, upright=True)


def _wide(rows: int) -> Places:
    bank = (WIDTH - DX * rows) / 2 - EDGE - GAP  # width beside the rows of cards
    edge = EDGE + bank / 2
    cells = tuple((EDGE + bank + GAP + DX * (r + 0.5), TOP + DY * (c + 0.5)) for r in range(rows) for c in range(COLUMNS))
    height = 4 * DY - 9
    banks = (Box(edge, TOP + height / 2, bank, height), Box(WIDTH - edge, TOP + height / 2, bank, height))
    lanes = tuple(TOP + DY * (suit + 0.5) + (-16 if suit < 2 else 2) for suit in range(4))  # leaves room for the bank's name
    return Places(
        width=WIDTH,
        height=HEIGHT,
        cells=cells,
        banks=banks,
        lanes=(tuple((edge, y) for y in lanes), tuple((WIDTH - edge, y) for y in lanes)),
        row_names=tuple((x, TOP - 12) for x, _ in cells[::COLUMNS]),
        column_names=tuple((EDGE + bank + GAP / 2, y + 4) for _, y in cells[:COLUMNS]),
        tray=Box(WIDTH / 2, TRAY + 1, WIDTH - 48, 142),
        pack=(78, TRAY - 6),
        drawn=(176, TRAY - 4),
        sentences=(240, TRAY),
        plates=tuple((564 + 264 * (suit % 2), TRAY - 58 + LINE * (suit // 2)) for suit in range(4)),
    )


def _upright(rows: int) -> Places:
    middle = UPRIGHT_WIDTH / 2
    first, start = EDGE + UPRIGHT_BANK + GAP, EDGE + UPRIGHT_BANK + GAP + DY * rows  # upper and lower edge of the field
    left = middle - UPRIGHT_DX * COLUMNS / 2
    cells = tuple((left + UPRIGHT_DX * (c + 0.5), start - DY * (r + 0.5)) for r in range(rows) for c in range(COLUMNS))
    near, far = start + 2 * GAP + UPRIGHT_BANK / 2, first - GAP - UPRIGHT_BANK / 2
    lanes = tuple(x + (-20 if suit < 2 else 20) for suit, (x, _) in enumerate(cells[:COLUMNS]))  # leaves room for the bank's name
    bank, tray = UPRIGHT_DX * COLUMNS + GAP * 2, near + UPRIGHT_BANK / 2 + GAP
    return Places(
        width=UPRIGHT_WIDTH,
        height=tray + 388,
        cells=cells,
        banks=(Box(middle, near, bank, UPRIGHT_BANK), Box(middle, far, bank, UPRIGHT_BANK)),
        lanes=(tuple((x, near) for x in lanes), tuple((x, far) for x in lanes)),
        row_names=tuple((left - 20, y + 4) for _, y in cells[::COLUMNS]),
        column_names=tuple((x, start + 14) for x, _ in cells[:COLUMNS]),
        tray=Box(middle, tray + 178, UPRIGHT_WIDTH - 40, 356),
        pack=(88, tray + 152),
        drawn=(88, tray + 284),
        sentences=(44, tray + 56),
        plates=tuple((156, tray + 104 + LINE * suit) for suit in range(4)),
    )
