"""Where pawns may go, where a barricade may be put, and how pawns leave a place and come to one."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.games.barricade import refusals
from bridgehead.games.barricade.state import NOBODY, ONE, ZERO


@rule
def bit(place):
    """The bit of a square or a place within its word."""
    return ONE << np.uint64(place & 63)


@rule
def has_barricade(state, square):
    """Is there a barricade on the square?"""
    return state.barricades[square >> 6] & bit(square) != ZERO


@rule
def has_pawn(state, seat, place):
    """Does a pawn of the seat stand on the square, or wait in the home?"""
    return state.pawns[seat, place >> 6] & bit(place) != ZERO


@rule
def is_free(state, way):
    """BA-R.5: no barricade stands between the ends of this way."""
    between, barricades, blocked = way.between, state.barricades, ZERO
    for word in range(len(barricades)):
        blocked |= between[word] & barricades[word]
    return blocked == ZERO


@rule
def landing_refusal(state, law, seat, origin, square):
    """BA-R.6: a pawn ends on an empty square (also the one it left), a barricade, or an opponent's pawn."""
    if law.spares and state.owner[square] != NOBODY:
        other = law.seat_of[int(state.owner[square])]
        if other != seat and law.side[other] == law.side[seat]:
            return refusals.MATE_THERE  # BA-T.3
        if other != seat and law.safe[square]:
            return refusals.SAFE  # BAQ-10
    own = (square != origin) & has_pawn(state, seat, square)
    return refusals.OWN_PAWN if own else refusals.LEGAL  # BAQ-5


@rule
def may_go(state, law, seat, origin, way, square):
    """Is the way to the square free, and may the pawn end there?"""
    return is_free(state, way) & (landing_refusal(state, law, seat, origin, square) == refusals.LEGAL)


@rule
def roll_of(state, law, origin):
    """Where the ways from an origin with this roll begin in the table; the next number is where they end."""
    return origin * law.die_sides + int(state.die) - 1


@rule
def can_move(state, law):
    """Has the seat on turn any move with this roll?"""
    seat = int(state.seat)
    for word in range(law.words):
        origins = state.pawns[seat, word]
        while origins != ZERO:
            origin = 64 * word + lowest(origins)
            index = roll_of(state, law, origin)
            for w in range(law.ways[index], law.ways[index + 1]):
                if may_go(state, law, seat, origin, law.way[w], int(law.way[w].landing)):
                    return True
            origins &= origins - ONE
    return False


@rule
def places_with_pawns(state, law, word):
    """One word of the bits of all places that hold a pawn."""
    found = ZERO
    for seat in range(law.seats):
        found |= state.pawns[seat, word]
    return found


@rule
def open_squares(state, law, word):
    """BA-R.7, BAQ-8: a barricade goes on an empty square that the house rules leave open. One word of their bits."""
    return law.may_hold[word] & ~(state.barricades[word] | places_with_pawns(state, law, word))


@rule
def place_refusal(state, law, square):
    """Why the barricade may not be put on the square."""
    if open_squares(state, law, square >> 6) & bit(square) != ZERO:
        return refusals.LEGAL
    if state.owner[square] != NOBODY:
        return refusals.ON_PAWN
    return refusals.ON_BARRICADE if has_barricade(state, square) else refusals.SQUARE_CLOSED


@rule
def lift(state, law, place):
    """Take a pawn from a place; returns its colour."""
    left = 0
    if place < law.squares:
        colour = int(state.owner[place])
        state.owner[place] = NOBODY
    else:
        colour = int(law.colour_at[place - law.squares])
        left = state.at_home[colour] - 1
        state.at_home[colour] = left
    if left == 0:
        state.pawns[law.seat_of[colour], place >> 6] ^= bit(place)
    return colour


@rule
def put(state, law, colour, place):
    """Put a pawn of a colour on a place."""
    if place < law.squares:
        state.owner[place] = colour
    else:
        state.at_home[colour] += 1
    state.pawns[law.seat_of[colour], place >> 6] |= bit(place)
