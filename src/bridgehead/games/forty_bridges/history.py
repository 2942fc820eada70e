"""Which positions have been there before: their keys since the last removal (FBQ-15).

A removal can never be undone, so nothing older can occur again. The same position has the same seat to move, and turns
alternate: positions an even number of plies apart stand in one row, and only these are compared.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.state import ONE, REPETITION_IGNORED, STRIDE, ZERO


@rule
def position_key(pieces, law):
    """A word that tells positions apart; whose turn it is shows in the row where it is seen."""
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
    return ZERO if law.repetition == REPETITION_IGNORED else state.seen[state.quiet & 1, state.quiet >> 1]


@rule
def remember(state, law, key):
    """Note the present position."""
    if law.repetition != REPETITION_IGNORED:
        state.seen[state.quiet & 1, state.quiet >> 1] = key


@rule
def forget(state, law):
    """Forget the positions seen: none can occur again, or it does not matter."""
    if law.repetition != REPETITION_IGNORED:
        state.seen[:] = ZERO


@rule
def occurred_twice(state, key, quiet):
    """Whether a position `quiet` plies after the last removal has been there twice before, same seat to move (FBQ-15).

    Places not used yet hold zero, so the row is compared in whole strides: a processor does each at once.
    """
    times = 0
    row, places = np.uint64(quiet & 1), np.uint64(quiet >> 1)
    for stride in range(ZERO, places, STRIDE):
        for place in range(stride, stride + STRIDE):
            times += state.seen[row, place] == key
        if times >= 2:
            return True
    return False
