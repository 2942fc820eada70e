"""Predicates of 40 Bridges: destinations and surrounded pieces.

Sets of fields are words of bits, and a step or a side is a shift: the differences to a field's neighbours are the same
everywhere, except at the edges, for which `Law` has masks.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.history import occurred_twice
from bridgehead.games.forty_bridges.refusal_codes import No
from bridgehead.games.forty_bridges.state import (
    ONE,
    REPETITION_FORBIDDEN,
    SUICIDE_FORBIDDEN,
    SUICIDE_REMOVED,
    ZERO,
)

# Differences of the numbers of touching fields: to the east, north-west, north-east and north.
EAST, NORTH_WEST, NORTH_EAST, NORTH = np.uint64(1), np.uint64(4), np.uint64(5), np.uint64(9)
# Places in the 19 fields numbered around a field, and in the 37 around that its jumps can reach (see `leaps_of`).
NINE, TEN, EIGHTEEN, HALF = np.uint64(9), np.uint64(10), np.uint64(18), np.uint64(511)


@rule
def empty_fields(state, law):
    """The empty fields."""
    return law.board & ~(state.pieces[0] | state.pieces[1])


@rule
def destinations(law, own, empty, start):
    """Empty fields a step away (FB-4.b) or beyond an own touching piece of either type (FB-4.d, FBQ-4)."""
    place = np.uint64(start)
    around = (own << NINE) >> place
    leaps = law.leaps[0, int(around & HALF)] | law.leaps[1, int((around >> TEN) & HALF)]
    return (law.step[place] | (((leaps << place) >> EIGHTEEN) & law.landing[place])) & empty


@rule
def is_free(state, law, seat):
    """A quick test for a legal move: a step to an empty field (FB-4.b), if no house rule forbids moves."""
    own = state.pieces[seat]
    empty = empty_fields(state, law)
    east_west = ((own & law.step_east) << EAST) | ((own & law.step_west) >> EAST)
    steps = (east_west | (own << NORTH) | (own >> NORTH)) & empty
    return steps != ZERO and not has_restrictions(law)


@rule
def has_restrictions(law):
    """Whether house rules forbid moves that the board allows."""
    return law.suicide == SUICIDE_FORBIDDEN or law.repetition == REPETITION_FORBIDDEN


@rule
def restriction(state, law, seat, start, end):
    """The house rule that forbids a move which the board allows, as a refusal; 0 if none does."""
    own = state.pieces[seat] ^ law.bit[start] ^ law.bit[end]
    enemy = state.pieces[1 - seat]
    if end == law.goal[seat] or surrounded(law, own, enemy, np.uint64(end)):  # FBQ-23; a capture is no repetition
        return 0
    if is_surrounded(law, enemy, np.uint64(end)):
        if law.suicide == SUICIDE_FORBIDDEN:  # FBQ-8, FBQ-23
            return No.SUICIDE
        if law.suicide == SUICIDE_REMOVED:  # the piece is removed: no repetition
            return 0
    if law.repetition == REPETITION_FORBIDDEN:  # FBQ-24
        later = 1 if seat == state.seat else 2  # the seat not on turn would move after a pass
        first, second = (own, enemy) if seat == 0 else (enemy, own)
        if occurred_twice(state, law, first, second, later):
            return No.REPEAT
    return 0


@rule
def can_move(state, law, seat):
    """Whether a seat would have a legal move if it were its turn (FBQ-13, FBQ-23)."""
    own = state.pieces[seat]
    empty = empty_fields(state, law)
    restricted = has_restrictions(law)
    movers = own
    while movers:
        start = lowest(movers)
        movers &= movers - ONE
        ends = destinations(law, own, empty, start)
        if ends and not restricted:
            return True
        while ends:
            if restriction(state, law, seat, start, lowest(ends)) == 0:
                return True
            ends &= ends - ONE
    return False


@rule
def is_surrounded(law, attackers, field):
    """Whether enough sides of a field are closed: touching fields of either type with attackers (FB-5.a, FBQ-5)."""
    return count(law.touch[field] & attackers) >= law.sides_needed


@rule
def surrounded(law, attackers, pieces, moved):
    """The pieces captured after a move to `moved`: on the whole board, unless the mover must touch them (FBQ-6)."""
    if law.capture_needs_mover:
        pieces &= law.touch[moved]
    return pieces & enough_closed(law, attackers)


@rule
def enough_closed(law, attackers):
    """All fields with enough closed sides, counted in parallel: sides plus `law.spare` make eight or more (FBQ-5).

    Each line is a full adder of three words, bit by bit: the XOR is the sum, `two_of` the carry.
    """
    to_east, to_west = attackers & law.step_east, attackers & law.step_west
    on_east, on_west = attackers & law.touch_east, attackers & law.touch_west
    a, b, c = to_east << EAST, to_west >> EAST, attackers << NORTH
    d, e, f = attackers >> NORTH, on_east << NORTH_EAST, on_east >> NORTH_WEST
    g, h, i = on_west << NORTH_WEST, on_west >> NORTH_EAST, law.spare[0]
    twos_1, twos_2, twos_3 = two_of(a, b, c), two_of(d, e, f), two_of(g, h, i)
    twos_4 = two_of(a ^ b ^ c, d ^ e ^ f, g ^ h ^ i)
    fours_1 = two_of(twos_1, twos_2, twos_3)
    fours_2 = two_of(twos_1 ^ twos_2 ^ twos_3, twos_4, law.spare[1])
    return two_of(fours_1, fours_2, law.spare[2])


@rule
def two_of(a, b, c):
    """The fields that are in at least two of three sets."""
    return (a & b) | (c & (a ^ b))


@rule
def pending_victims(state, law):
    """The pieces among which the mover chooses its captures (FBQ-7)."""
    return surrounded(law, state.pieces[state.seat], state.pieces[1 - state.seat], np.uint64(state.moved))
