"""Repetition: the plies since the last removal can be taken back one by one (FBQ-15).

A removal cannot be undone, so no older position can occur again. A record keeps seven bits for each ply, enough
to take it back: the piece that moved, counted by field (of eight at most), and one of sixteen ways
(`state.WAYS`); zero for a pass. A hash filter (`remember`) recognises most new positions at once.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.state import ONE, PLIES, REPETITION_IGNORED, ZERO

BITS, PIECE, WAY = np.uint64(7), np.uint64(4), np.uint64(15)  # bits of a ply: all, the bits below the piece, the bits of the way
PLY = (ONE << BITS) - ONE
PLACES = np.uint64(251)  # a prime: moving a piece always changes the place
SIX, LAST = np.uint64(6), np.uint64(63)
ABOVE = np.uint64(23)


@rule
def note_ply(state, law, start, end):
    """Store the move that the seat on turn has just made without a removal. (A pass is zero, so it needs no storing.)"""
    if law.repetition != REPETITION_IGNORED:
        ply, own = np.uint64(state.quiet), state.pieces[np.uint64(state.seat)]
        code = (np.uint64(count(own & (law.bit[end] - ONE))) << PIECE) | np.uint64(law.way[start, end])
        state.plies[ply // PLIES] |= code << (BITS * (ply % PLIES))


@rule
def taken_back(state, law, own, ply):
    """A player's pieces before a ply, computed from those after it. Plies count from 0 at the last removal."""
    code = (state.plies[ply // PLIES] >> (BITS * (ply % PLIES))) & PLY
    if code == ZERO:
        return own
    rest = own
    for _ in range(code >> PIECE):
        rest &= rest - ONE
    end, way = lowest(rest), code & WAY
    start = law.near[end, way]
    if start & own:
        start = law.far[end, way]
    return own ^ law.bit[end] ^ start


@rule
def place_of(first, second):
    """The place of a position in the filter, by both players' pieces; other positions may share it."""
    return (first ^ (second << ABOVE)) % PLACES


@rule
def remember(state, law):
    """Mark the place of the present position."""
    if law.repetition != REPETITION_IGNORED:
        place = place_of(state.pieces[0], state.pieces[1])
        word, bit = place >> SIX, ONE << (place & LAST)
        state.twice[word] |= state.once[word] & bit
        state.once[word] |= bit


@rule
def forget(state, law):
    """Forget the earlier positions, when none can occur again or repetition has no effect."""
    if law.repetition != REPETITION_IGNORED:
        clear(state)


@rule
def clear(state):
    """Clear plies and filter."""
    state.plies[:] = ZERO
    state.once[:] = ZERO
    state.twice[:] = ZERO


@rule
def occurred_twice(state, law, first, second, later):
    """Whether a position, by both players' pieces, occurred twice with the same seat to move (FBQ-15).

    The position would come `later` plies after the present one.
    """
    place = place_of(first, second)
    return (state.twice[place >> SIX] >> (place & LAST)) & ONE != ZERO and stood_twice(state, law, first, second, later)


@rule
def stood_twice(state, law, first, second, later):
    """The exact test of `occurred_twice`: take back all plies. The same seat moves an even number of plies earlier."""
    quiet, times = np.int64(state.quiet), 0
    moved, waiting, their, ours = state.pieces[0], state.pieces[1], first, second
    if state.seat == 0:  # the last ply was player 2's
        moved, waiting, their, ours = waiting, moved, second, first
    for ply in range(quiet - 1, -1, -1):
        moved, waiting = waiting, taken_back(state, law, moved, np.uint64(ply))
        their, ours = ours, their
        if moved == their and waiting == ours and (quiet + later - ply) % 2 == 0:
            times += 1
    return times >= 2
