"""Moves of pawns and barricades, and the refusals of Barricade."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import lowest
from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.games.barricade.state import NOBODY, ONE, ZERO


class No(RefusalCode):
    """Reasons to refuse an action: the clause, and the key of the sentence."""

    OK = "", ""
    IS_OVER = "BA-M.2", "over.refused"
    DRAW_FIRST = "BA-M.1", "refused.draw"
    ROLL_OFF_FIRST = "BAQ-12", "refused.rollOff"
    ROLL_FIRST = "BA-M.3", "refused.roll"
    DRAWN = "BA-M.1", "refused.drawn"
    ROLLED = "BAQ-19", "refused.rolled"
    PLACE_FIRST = "BAQ-9", "refused.placeFirst"
    NONE_IN_HAND = "BA-R.7", "refused.noneInHand"
    PASS = "BAQ-1", "refused.pass"
    ON_BARRICADE = "BA-R.7", "refused.onBarricade"
    ON_PAWN = "BA-R.7", "refused.onPawn"
    SQUARE_CLOSED = "BAQ-8", "refused.squareClosed"
    NO_PAWN = "BA-M.3", "refused.noPawn"
    FOREIGN_PAWN = "BA-M.3", "refused.foreignPawn"
    MATES_PAWN = "BA-T.2", "refused.matesPawn"
    EXIT = "BAQ-4", "refused.exit"
    DISTANCE = "BA-R.1", "refused.distance"
    TURNING_BACK = "BA-R.3", "refused.turningBack"
    TWICE = "BAQ-2", "refused.twice"
    BARRICADE = "BA-R.5", "refused.barricade"
    OWN_PAWN = "BA-R.6", "refused.ownPawn"
    MATE_THERE = "BA-T.3", "refused.mateThere"
    SAFE = "BAQ-10", "refused.safe"


@rule
def bit(place):
    """The bit of a square or a place within its word."""
    return ONE << np.uint64(place & 63)


@rule
def has_barricade(state, square):
    """Whether a barricade stands on the square."""
    return state.barricades[square >> 6] & bit(square) != ZERO


@rule
def has_pawn(state, seat, place):
    """Whether a pawn of the seat stands on the square, or waits in the home."""
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
    if law.mates | law.first_row_safe and state.owner[square] != NOBODY:
        other = law.seat_of[int(state.owner[square])]
        if other != seat and law.side[other] == law.side[seat]:
            return No.MATE_THERE  # BA-T.3
        if other != seat and law.first_row_safe & law.first_row[square]:
            return No.SAFE  # BAQ-10
    own = (square != origin) & has_pawn(state, seat, square)
    return No.OWN_PAWN if own else No.OK  # BAQ-5


@rule
def may_go(state, law, seat, origin, way, square):
    """Whether the way to the square is free and the pawn may end there."""
    return is_free(state, way) & (landing_refusal(state, law, seat, origin, square) == No.OK)


@rule
def roll_of(state, law, origin):
    """The index in `law.ways` for an origin and the present roll: this entry is the first way, the next one the end."""
    return origin * law.die_sides + int(state.die) - 1


@rule
def can_move(state, law):
    """Whether the seat on turn has a move with this roll."""
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
    """BA-R.7, BAQ-8: the empty squares that may hold a barricade, as one word of bits."""
    return law.may_hold[word] & ~(state.barricades[word] | places_with_pawns(state, law, word))


@rule
def place_refusal(state, law, square):
    """The refusal of a square for the barricade."""
    if open_squares(state, law, square >> 6) & bit(square) != ZERO:
        return No.OK
    if state.owner[square] != NOBODY:
        return No.ON_PAWN
    return No.ON_BARRICADE if has_barricade(state, square) else No.SQUARE_CLOSED


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
