"""The law of Connect Four, on words of bits."""

from __future__ import annotations

import numpy as np

from bridgehead.core.jit import rule
from bridgehead.core.spec import OVER
from connect_four.state import COLUMNS, PITCH, ROWS

REASONS = (("", ""), ("four", "C4-3"), ("full", "C4-4"))
FOUR, FULL = 1, 2
REFUSALS = (("", ""), ("C4-3", "over.refused"), ("C4-2", "refused.full"))
NO_OVER, NO_ROOM = 1, 2

# One hole up, along a falling diagonal, along a row, along a rising diagonal.
UP, FALL, ROW, RISE = np.uint64(1), np.uint64(6), np.uint64(7), np.uint64(8)
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@rule
def setup(state, law):
    """The empty board."""
    state.discs[0] = ZERO
    state.discs[1] = ZERO
    state.turns = 0
    state.reason = 0
    state.winner = -1


@rule
def actor(state, law):
    """Seats take turns (C4-1)."""
    return OVER if state.reason != 0 else int(state.turns & 1)


@rule
def taken(state):
    """The holes with a disc."""
    return state.discs[0] | state.discs[1]


@rule
def hole(column, row):
    """A hole as a bit; row 0 is at the bottom."""
    return ONE << np.uint64(PITCH * column + row)


@rule
def has_room(holes, column):
    """Whether the top hole of a column is free (C4-2)."""
    return holes & hole(column, ROWS - 1) == ZERO


@rule
def legal(state, law, out):
    """Write the columns with room; how many."""
    if state.reason != 0:
        return 0
    holes = taken(state)
    found = 0
    for column in range(COLUMNS):
        out[found] = column  # what has no room is overwritten: a branch that cannot be foreseen costs more
        found += int(has_room(holes, column))
    return found


@rule
def weight(state, law, action):
    """There is no chance."""
    return 1


@rule
def four(discs, along):
    """Where four discs in a row begin in one direction."""
    pairs = discs & (discs >> along)
    return pairs & (pairs >> (along * TWO))


@rule
def has_four(discs):
    """Whether four discs stand in a row (C4-3)."""
    return four(discs, UP) | four(discs, FALL) | four(discs, ROW) | four(discs, RISE) != ZERO


@rule
def apply(state, law, action):
    """Drop a disc into a column: it falls on the lowest free hole (C4-2)."""
    holes = taken(state)
    state.discs[state.turns & 1] |= (holes + hole(action, 0)) & ~holes  # the column's discs carry the one up
    state.turns += 1
    settle(state, law)


@rule
def settle(state, law):
    """The end of the game, if the last disc brought it."""
    seat = (state.turns + 1) & 1
    if has_four(state.discs[seat]):
        state.reason = FOUR
        state.winner = seat
    elif state.turns == law.holes:  # C4-4
        state.reason = FULL


@rule
def returns(state, law, out):
    """1.0 for the winner, -1.0 for the loser; 0.0 each on a full board."""
    out[0] = 0.0
    out[1] = 0.0
    if state.winner >= 0:
        out[state.winner] = 1.0
        out[1 - state.winner] = -1.0


@rule
def refusal(state, law, action):
    """0 exactly when an action is legal, else an index into REFUSALS."""
    if state.reason != 0:
        return NO_OVER
    return 0 if has_room(taken(state), action) else NO_ROOM
