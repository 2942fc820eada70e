"""Where a piece may go, what is surrounded, what has occurred before: the questions that the rules are made of."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.codes import NO_REPEAT, NO_SUICIDE
from bridgehead.games.forty_bridges.state import (
    ONE,
    REPETITION_FORBIDDEN,
    REPETITION_IGNORED,
    SUICIDE_FORBIDDEN,
    SUICIDE_REMOVED,
    ZERO,
)

# Places in the 19 fields numbered around a field, and in the 37 around that its jumps can reach (see `leaps_of`).
NINE, TEN, EIGHTEEN, HALF = np.uint64(9), np.uint64(10), np.uint64(18), np.uint64(511)


@rule
def destinations(law, own, empty, start):
    """Empty fields a step away (FB-4.b) or beyond an own touching piece of either type (FB-4.d, FBQ-4)."""
    place = np.uint64(start)
    around = (own << NINE) >> place
    leaps = law.leaps[0, int(around & HALF)] | law.leaps[1, int((around >> TEN) & HALF)]
    return (law.step[start] | (((leaps << place) >> EIGHTEEN) & law.landing[start])) & empty


@rule
def has_restrictions(law):
    """Whether house rules forbid moves that the board allows."""
    return law.suicide == SUICIDE_FORBIDDEN or law.repetition == REPETITION_FORBIDDEN


@rule
def restriction(state, law, seat, start, end):
    """The house rule that forbids a move which the board allows, as a refusal; 0 if none does."""
    own = state.pieces[seat] ^ law.bit[start] ^ law.bit[end]
    enemy = state.pieces[1 - seat]
    if end == law.goal[seat] or surrounded(law, own, enemy, end):  # FBQ-23; a capture is no repetition
        return 0
    if is_surrounded(law, enemy, end):
        if law.suicide == SUICIDE_FORBIDDEN:  # FBQ-8, FBQ-23
            return NO_SUICIDE
        if law.suicide == SUICIDE_REMOVED:  # the piece goes: no repetition
            return 0
    if law.repetition == REPETITION_FORBIDDEN:  # FBQ-24
        key = present_key(state, law) ^ law.keys[seat, start] ^ law.keys[seat, end]
        plies = 1 if seat == state.seat else 2  # a seat that is asked about out of its turn moves after a pass
        if occurred_twice(state, key, state.quiet + plies):
            return NO_REPEAT
    return 0


@rule
def can_move(state, law, seat):
    """Whether a seat has any legal move, were it its turn (FBQ-13, FBQ-23)."""
    own = state.pieces[seat]
    empty = ~(own | state.pieces[1 - seat])
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
    victims = ZERO
    while pieces:
        field = lowest(pieces)
        pieces &= pieces - ONE
        if is_surrounded(law, attackers, field):
            victims |= law.bit[field]
    return victims


@rule
def pending_victims(state, law):
    """The pieces among which the mover chooses its captures (FBQ-7)."""
    return surrounded(law, state.pieces[state.seat], state.pieces[1 - state.seat], state.moved)


@rule
def position_key(pieces, law):
    """A word that tells positions apart; who is to move shows in its place among those seen."""
    key = ZERO
    for seat in range(2):
        rest = pieces[seat]
        while rest:
            key ^= law.keys[seat, lowest(rest)]
            rest &= rest - ONE
    return key


@rule
def present_key(state, law):
    """The key of the position on the board, where repetition matters."""
    return ZERO if law.repetition == REPETITION_IGNORED else state.seen[state.quiet]


@rule
def occurred_twice(state, key, quiet):
    """Whether a position `quiet` plies after the last removal has been there twice before, same seat to move (FBQ-15)."""
    times = 0
    ply = quiet - 2
    while ply >= 0:
        times += state.seen[ply] == key
        ply -= 2
    return times >= 2
