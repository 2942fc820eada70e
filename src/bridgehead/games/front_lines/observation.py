"""The Front Lines as a seat sees it: the cards that lie face up, the characters, the draw pack. No face-down card is read.

Suits are relative to the own character o: suit s is number s ^ o, so 0 is the own one, 1 its mate, 2 and 3 the opponents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.jit import rule
from bridgehead.core.observation import Number, ObservationLayout, Planes, flags
from bridgehead.games.front_lines.board import COLUMNS, JOKER, RANKS
from bridgehead.games.front_lines.rules import ACTIONS, CELLS, DOWN, NOBODY, SEATS, START, has, kills, mover, side_of

WHO = ("own character", "mate", "first opponent", "second opponent")
FIELD, UP, OWN_MINE, OTHER_MINE, BLOWN, VISITED, FLIPPING, PLACE, PLANES = 0, 1, 2, 3, 4, 5, 6, 7, 11
# Numbers: where each group begins.
LIVES, STATUS, AT_START, MOVER, LEFT, CLAIM, FIRST, LAST, JOKERS, USED, SEEN = 0, 4, 20, 24, 28, 29, 31, 33, 35, 36, 88


def layout(game: Any) -> ObservationLayout:
    """places[seat]: the cells on the grid, from the own start line on (FLQ-5); behind them, the own character."""
    law, rows = game.law, game.options.rows
    size, seats = COLUMNS * rows, SEATS[game.seats]
    places = np.zeros((game.seats, CELLS + 1), np.int32)
    own = []
    for seat in range(game.seats):
        suit = seats.index(seat)
        turned = [cell if side_of(suit) == 0 or not law.opposed_sides else _turned(cell, rows) for cell in range(CELLS)]
        places[seat] = [*turned, suit]
        cards = [card if card == JOKER else card % 13 + 13 * (card // 13 ^ suit) for card in range(JOKER + 1)]
        own.append(ACTIONS.images({"cell": turned, "card": cards, "drawn": cards}))
    constant = np.zeros((game.seats, PLANES, size), np.int8)
    constant[:, FIELD] = 1
    names = (
        "cell of the field", "card face up", "known mine for the own side", "known mine for the other side", "exploded mine",
        "visited in this turn", "being turned over", *WHO,
    )  # fmt: skip
    cards_of = [f"{rank} of suit {suit}" for suit in range(4) for rank in RANKS]
    numbers = (
        *(Number(f"lives of {who}", int(law.lives), "lives") for who in WHO),
        *flags(*(f"{who} is {status}" for who in WHO for status in ("alive", "waiting", "out", "across"))),
        *flags(*(f"{who} is on the start line" for who in WHO), *(f"{who} moves" for who in WHO)),
        Number("left", 13, "steps left"),
        *flags(
            *(f"{side} side {what}" for what in ("has the claim", "was across first", "moved last") for side in ("own", "other"))
        ),
        Number("jokers", 2, "Jokers that lie face up"),
        *flags(*(f"{card} is drawn" for card in cards_of), *(f"{card} lies face up" for card in cards_of)),
    )
    return ObservationLayout(
        (Planes("fields", (rows, COLUMNS), names),), numbers, places, constant.reshape(game.seats, -1), np.array(own, np.int32)
    )


def _turned(cell: int, rows: int) -> int:
    """A cell, counted from the other edge."""
    return (rows - 1 - cell // COLUMNS) * COLUMNS + cell % COLUMNS if cell < COLUMNS * rows else cell


@rule
def observe(state, law, places, seat, planes, numbers):
    cells, own = places[seat], int(places[seat, CELLS])
    side, size = side_of(own), len(planes) // PLANES
    for cell in range(size):
        card, place = int(state.field[cell]), cells[cell]
        if card != DOWN:
            planes[UP * size + place] = 1
            if has(state.blown, cell):
                planes[BLOWN * size + place] = 1
            else:
                planes[OWN_MINE * size + place] = int(kills(law, side, card))
                planes[OTHER_MINE * size + place] = int(kills(law, 1 - side, card))
        planes[VISITED * size + place] = int(has(state.visited, cell))
    if int(state.flipping) != NOBODY:
        planes[FLIPPING * size + cells[int(state.flipping)]] = 1
    for suit in range(4):
        show_character(state, cells, own, size, suit, planes, numbers)
    if int(state.drawn) != NOBODY:
        numbers[MOVER + (mover(state) ^ own)] = 1.0
    numbers[LEFT] = float(state.left)
    show_side(int(state.claim), side, CLAIM, numbers)
    show_side(int(state.first), side, FIRST, numbers)
    show_side(int(state.last), side, LAST, numbers)
    numbers[JOKERS] = float(state.jokers)
    for card in range(JOKER):
        shown = card % 13 + 13 * (card // 13 ^ own)
        numbers[USED + shown] = float(int(has(state.used, card)))
        numbers[SEEN + shown] = float(int(has(state.seen, card)))


@rule
def show_character(state, cells, own, size, suit, planes, numbers):
    """The place and the lives of a character."""
    who, place = suit ^ own, int(state.place[suit])
    if place < size:
        planes[(PLACE + who) * size + cells[place]] = 1
    numbers[LIVES + who] = float(state.lives[suit])
    numbers[STATUS + 4 * who + int(state.status[suit])] = 1.0
    numbers[AT_START + who] = float(int(place == START))


@rule
def show_side(which, side, first, numbers):
    """A side as two numbers: the own one, and the other."""
    if which != NOBODY:
        numbers[first + int(which != side)] = 1.0
