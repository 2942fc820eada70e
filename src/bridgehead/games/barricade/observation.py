"""Barricade as a seat sees it: planes over the board's grid, colours counted from the own one in the order of turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.jit import rule
from bridgehead.core.observation import Number, ObservationLayout, Planes, flags
from bridgehead.games.barricade.rules import NOBODY, PLACE, has_barricade

SQUARE, FINAL, OPEN, BARRICADES, PAWNS = 0, 1, 2, 3, 4
DIE = 0


def layout(game: Any) -> ObservationLayout:
    """places: first each square's place on the grid, then the colours of each seat in the order in which it sees them."""
    law, board = game.law, game.board
    size, squares, colours, seats = board.width * board.height, int(law.squares), int(law.colours), game.seats
    cells = [y * board.width + x for x, y in board.squares]
    seen = [[_seen(colour, seat, seats, colours) for colour in range(colours)] for seat in range(seats)]
    places = np.zeros((1 + seats, max(squares, colours)), np.int32)
    places[0, :squares] = cells
    places[1:, :colours] = seen
    constant = np.zeros((seats, PAWNS + 2 * colours, size), np.int8)
    constant[:, SQUARE, cells] = 1
    constant[:, FINAL, cells[board.final]] = 1
    allowed = [cells[square] for square in range(squares) if int(law.may_hold[square >> 6]) >> (square & 63) & 1]
    constant[:, OPEN, allowed] = 1
    for seat in range(seats):
        for colour in range(colours):
            entry = board.homes[int(law.home[colour]) - squares].entry
            constant[seat, PAWNS + colours + seen[seat][colour], cells[entry]] = 1
    named = [f"colour {colour}" for colour in range(colours)]
    names = ("square", "final square", "square that may hold a barricade", "barricade")
    planes = (*names, *(f"pawn of {each}" for each in named), *(f"entry of {each}" for each in named))
    numbers = (
        *flags(*(f"the die shows {number + 1}" for number in range(law.die_sides))),
        *(Number(f"pawns of {each} at home", int(law.pawns), "pawns") for each in named),
        *flags("a barricade is in the hand", *(f"seat {seat} after the own one is a mate" for seat in range(1, seats))),
        *flags(*(f"seat {seat} after the own one is on turn" for seat in range(seats))),
        Number("turns", int(law.turn_limit) or 1, "turns left, 0 without a limit"),
    )
    return ObservationLayout(
        (Planes("fields", (board.height, board.width), planes),), numbers, places, constant.reshape(seats, -1)
    )


def _seen(colour: int, seat: int, seats: int, colours: int) -> int:
    """The number of a colour as a seat sees it: first its own colours, then those of the next seat."""
    return (colour % seats - seat) % seats * (colours // seats) + colour // seats


@rule
def observe(state, law, places, seat, planes, numbers):
    colours, seats = int(law.colours), int(law.seats)
    size = len(planes) // (PAWNS + 2 * colours)
    for square in range(law.squares):
        place = places[0, square]
        if has_barricade(state, square):
            planes[BARRICADES * size + place] = 1
        if state.owner[square] != NOBODY:
            planes[(PAWNS + places[1 + seat, int(state.owner[square])]) * size + place] = 1
    if state.die > 0:
        numbers[DIE + int(state.die) - 1] = 1.0
    home = int(law.die_sides)
    for colour in range(colours):
        numbers[home + places[1 + seat, colour]] = float(state.at_home[colour])
    hand = home + colours
    numbers[hand] = float(int(state.phase == PLACE))
    for other in range(seats):
        after = (other - seat) % seats
        if after > 0:
            numbers[hand + after] = float(int(law.side[other] == law.side[seat]))
        numbers[hand + seats + after] = float(int(other == int(state.seat)))
    if law.turn_limit > 0:
        numbers[hand + 2 * seats] = float(law.turn_limit - state.turns)
