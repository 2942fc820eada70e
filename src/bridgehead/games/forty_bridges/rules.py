"""The rules of 40 Bridges: start, legal actions, their effects, and the end.

Sets of fields are words of bits. See `fields` for destinations and captures, `history` for repetition,
and `refusals` for the reasons against an action. Indexes in hot loops are unsigned (`np.uint64`), which saves
the check of their sign. All callers of a rule pass the same types, so it is compiled once.
"""

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import COMPILED, rule
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.fields import (
    can_move,
    destinations,
    empty_fields,
    has_restrictions,
    is_free,
    is_surrounded,
    pending_victims,
    restriction,
    surrounded,
)
from bridgehead.games.forty_bridges.history import clear, forget, note_ply, occurred_twice, remember
from bridgehead.games.forty_bridges.refusal_codes import No
from bridgehead.games.forty_bridges.refusals import refusal
from bridgehead.games.forty_bridges.state import (
    BLOCKED_LOSES,
    BLOCKED_PASSES,
    FIRST,
    ONE,
    PASS,
    REPETITION_DRAWS,
    SPAN,
    SUICIDE_REMOVED,
    TAKE,
    ZERO,
    move_id,
)

__all__ = ["REASONS", "REFUSALS", "actor", "apply", "legal", "refusal", "returns", "setup", "weight"]

REFUSALS = No
REASONS = (
    ("", ""),
    ("corner", "FB-3"),
    ("captured", "FB-3"),
    ("repetition", "FBQ-15"),
    ("quiet", "FBQ-15"),
    ("blocked", "FBQ-13"),
)
CORNER, CAPTURED, REPEATED, QUIET, BLOCKED = 1, 2, 3, 4, 5
AT_ONCE = 5 if COMPILED else 1  # moves that are written without a check of their number


@rule
def setup(state, law):
    """The first position; the first seat is drawn, or is player 1 (FBQ-2)."""
    state.pieces[0] = law.opening[0]
    state.pieces[1] = law.opening[1]
    clear(state)
    state.turns = 0
    state.quiet = 0
    state.seat = -1 if law.first_drawn else 0
    state.takes = 0
    state.moved = -1
    state.reason = 0
    state.winner = -1
    remember(state, law)  # FBQ-20: the initial position is the first occurrence
    if state.seat >= 0:
        end_if_blocked(state, law)  # a layout may block a seat from the start


@rule
def actor(state, law):
    """The seat to act, CHANCE, or OVER."""
    if state.reason != 0:
        return OVER
    return CHANCE if state.seat < 0 else int(state.seat)


@rule
def legal(state, law, out):
    """Write the legal action ids, ascending; return their number."""
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1] = FIRST, FIRST + 1
        return 2
    if state.takes > 0:
        return legal_captures(state, law, out)
    found = legal_moves(state, law, out)
    if has_restrictions(law):
        found = permitted(state, law, out, found)
    if found == 0:  # FBQ-13
        out[0] = PASS
        return 1
    return found


@rule
def legal_moves(state, law, out):
    """Write all steps and jumps that the board allows; return their number."""
    own = state.pieces[np.uint64(state.seat)]
    empty = empty_fields(state, law)
    found = ZERO
    movers = own
    while movers:
        start = lowest(movers)
        movers &= movers - ONE
        found = write_moves(start, destinations(law, own, empty, start), out, found)
    return np.int64(found)


@rule
def write_moves(start, ends, out, found):
    """Add a piece's moves to those found; return the new number.

    Most pieces have two to four moves. Compiled code writes five at a time; surplus entries are overwritten or never
    read. That is faster than a branch that cannot be predicted.
    """
    last = found + np.uint64(count(ends))
    while ends:
        for _ in range(AT_ONCE):
            out[found] = move_id(start, lowest(ends))
            found += ONE
            if ends:
                ends &= ends - ONE
    return last


@rule
def permitted(state, law, out, found):
    """Keep the written moves that house rules permit; return their number."""
    kept = 0
    for i in range(found):
        if restriction(state, law, np.int64(state.seat), out[i] // FIELDS, out[i] % FIELDS) == 0:
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def legal_captures(state, law, out):
    """Write a `take` for every surrounded piece, while the mover chooses (FBQ-7)."""
    victims = pending_victims(state, law)
    found = 0
    while victims:
        out[found] = TAKE + lowest(victims)
        victims &= victims - ONE
        found += 1
    return found


@rule
def weight(state, law, action):
    """Both players are drawn with equal chances."""
    return 1


@rule
def apply(state, law, action):
    """Play a legal action."""
    if action < PASS:
        move(state, law, np.uint64(action) // SPAN, np.uint64(action) % SPAN)
    elif action == PASS:  # FBQ-18: a ply that captures nothing
        state.quiet += 1
        end_turn(state, law)
    elif action < FIRST:
        take(state, law, action - TAKE)
    else:
        state.seat = action - FIRST
        end_if_blocked(state, law)


@rule
def move(state, law, start, end):
    """Move a piece, then check the corner, captures and its own removal, in that order (FBQ-21)."""
    seat = np.uint64(state.seat)
    own = state.pieces[seat] ^ law.bit[start] ^ law.bit[end]
    enemy = state.pieces[ONE - seat]
    state.pieces[seat] = own
    if np.int64(end) == law.goal[seat]:  # FB-3, FBQ-10
        state.quiet += 1
        change_seat(state)
        finish(state, law, CORNER, np.int64(seat))
        return
    loser, lost = ONE - seat, surrounded(law, own, enemy, end)
    if count(lost) > law.most_captures:  # FBQ-7: the mover chooses
        forget(state, law)
        state.takes = law.most_captures
        state.moved = end
        return
    if not lost and law.suicide == SUICIDE_REMOVED and is_surrounded(law, enemy, end):  # FBQ-8
        loser, lost = seat, law.bit[end]
    if lost:
        remove(state, law, loser, lost)
    else:
        note_ply(state, law, start, end)
        state.quiet += 1
    end_turn(state, law)


@rule
def take(state, law, field):
    """Take one of the surrounded pieces; the turn ends after the last (FBQ-7)."""
    remove(state, law, ONE - np.uint64(state.seat), law.bit[field])
    state.takes -= 1
    if state.takes == 0:
        state.moved = -1
        end_turn(state, law)


@rule
def end_turn(state, law):
    """Begin the other player's turn, unless the game ends."""
    change_seat(state)
    settle(state, law)


@rule
def settle(state, law):
    """The checks after every ply: no pieces left, repetition, quiet limit, blocked players (FBQ-21)."""
    reason, winner = 0, -1
    if not state.pieces[0]:  # FB-3, FBQ-12
        reason, winner = CAPTURED, 1
    elif not state.pieces[1]:
        reason, winner = CAPTURED, 0
    elif law.repetition == REPETITION_DRAWS and occurred_twice(state, law, state.pieces[0], state.pieces[1], 0):  # FBQ-15
        reason = REPEATED
    elif state.quiet >= law.quiet_limit:  # FBQ-15
        reason = QUIET
    if reason != 0:
        finish(state, law, reason, winner)
    else:
        remember(state, law)
        end_if_blocked(state, law)


@rule
def remove(state, law, seat, fields):
    """Take pieces off the board, and forget earlier positions, which cannot occur again (FBQ-15, FBQ-19)."""
    forget(state, law)
    state.pieces[seat] &= ~fields
    state.quiet = 0


@rule
def change_seat(state):
    """Finish a turn: the other seat is on turn."""
    state.turns += 1
    state.seat = 1 - state.seat


@rule
def end_if_blocked(state, law):
    """Look for players without a legal move, unless the quick test finds a move."""
    if not is_free(state, law, np.uint64(state.seat)):
        look_for_blocked(state, law, np.int64(state.seat))


@rule
def look_for_blocked(state, law, seat):
    """If both players are without a legal move, the game is a draw; for one player a house rule decides (FBQ-13)."""
    if can_move(state, law, seat):
        return
    winner = -1
    if can_move(state, law, 1 - seat):
        if law.blocked == BLOCKED_PASSES:
            return
        if law.blocked == BLOCKED_LOSES:
            winner = 1 - seat
    finish(state, law, BLOCKED, winner)


@rule
def finish(state, law, reason, winner):
    """End the game."""
    forget(state, law)
    state.reason = reason
    state.winner = winner


@rule
def returns(state, law, out):
    """1.0 for the winner, -1.0 for the loser; 0.0 each when nobody wins."""
    out[0] = 0.0
    out[1] = 0.0
    if state.winner >= 0:
        out[state.winner] = 1.0
        out[1 - state.winner] = -1.0
