"""How good a position is for a seat, for players that look one move ahead."""

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.fields import destinations, empty_fields, surrounded
from bridgehead.games.forty_bridges.history import position_key, present_key
from bridgehead.games.forty_bridges.rules import QUIET, REPEATED, legal_captures
from bridgehead.games.forty_bridges.state import ONE, REPETITION_FORBIDDEN, REPETITION_IGNORED, move_id

WON = 1000.0
PIECE, PRESSED, ADVANCE, THREAT = 10.0, 3.0, 1.0, 40.0
WHITE, TAKES = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
ROW = 9  # field numbers are (9y + x) / 2


@rule
def value(state, law, seat):
    """WON or -WON at the end; else pieces, squares' way to the corner, closed sides, and who threatens the corner."""
    if state.reason != 0:
        return 0.0 if state.winner < 0 else WON if state.winner == seat else -WON
    worth = standing(state, law, seat) - standing(state, law, 1 - seat)
    return worth + THREAT if state.seat == seat and threatens_corner(state, law, seat) else worth


@rule
def standing(state, law, seat):
    """What one seat has on the board; minus WON / 2 where the opponent, to move, can enter its corner."""
    enemy = state.pieces[1 - seat]
    worth = 0.0
    nearest = 16
    pieces = state.pieces[seat]
    while pieces:
        field = lowest(pieces)
        pieces &= pieces - ONE
        worth += PIECE
        if count(law.touch[field] & enemy) >= law.sides_needed - 1:
            worth -= PRESSED
        nearest = min(nearest, way(field, law.goal[seat]))
    if state.seat == 1 - seat and threatens_corner(state, law, 1 - seat):
        worth -= WON / 2
    return worth - ADVANCE * nearest


@rule
def threatens_corner(state, law, seat):
    """Whether a piece of the seat could enter the far corner, were it its turn."""
    own = state.pieces[seat]
    empty = ~(own | state.pieces[1 - seat])
    pieces = own
    while pieces:
        if destinations(law, own, empty, lowest(pieces)) & law.bit[law.goal[seat]]:
            return True
        pieces &= pieces - ONE
    return False


@rule
def way(field, goal):
    """How far a square is from another, in half-grid units; 16 for an octagon, which never gets there."""
    row, column = 2 * field // ROW, 2 * field % ROW
    if row % 2:
        return 16
    return abs(2 * goal // ROW - row) + abs(2 * goal % ROW - column)


# What alpha-beta search asks beside: see players/alphabeta.py


@rule
def identity(state, law):
    """A word that tells positions apart by all that the rest of the game depends on, but for the way that led there."""
    key = position_key(state.pieces, law) if state.takes or law.repetition == REPETITION_IGNORED else present_key(state, law)
    return key ^ (WHITE * np.uint64(state.seat)) ^ (TAKES * np.uint64(64 * state.takes + state.moved + 1))


@rule
def room(state, law):
    """Plies until the quiet limit may end the game; -1 where what may be played depends on the way as well (FBQ-15, FBQ-24)."""
    return np.int64(-1 if law.repetition == REPETITION_FORBIDDEN else law.quiet_limit - state.quiet)


@rule
def ends_by_way(state):
    """Whether the game ended by something that the position alone does not show."""
    return state.reason == REPEATED or state.reason == QUIET


@rule
def loud(state, law, out):
    """Write the actions that capture or enter the corner; how many."""
    if state.takes > 0:
        return legal_captures(state, law, out)
    own, enemy = state.pieces[np.uint64(state.seat)], state.pieces[np.uint64(1 - state.seat)]
    empty = empty_fields(state, law)
    goal = law.bit[law.goal[state.seat]]
    targets = goal & empty
    rest = enemy
    while rest:
        field = lowest(rest)
        rest &= rest - ONE
        if count(law.touch[field] & own) >= law.sides_needed - 1:
            targets |= law.touch[field] & empty
    found = 0
    movers = own if targets else targets
    while movers:
        start = lowest(movers)
        movers &= movers - ONE
        ends = destinations(law, own, empty, start) & targets
        while ends:
            end = lowest(ends)
            ends &= ends - ONE
            if law.bit[end] == goal or surrounded(law, own ^ law.bit[start] ^ law.bit[end], enemy, np.uint64(end)):
                out[found] = move_id(start, end)
                found += 1
    return found
