"""Refusals of 40 Bridges: the first reason against an action."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.fields import can_move, destinations, pending_victims, restriction
from bridgehead.games.forty_bridges.refusal_codes import No
from bridgehead.games.forty_bridges.state import FIRST, ONE, PASS, TAKE


@rule
def refusal(state, law, action):
    """Why an action is not legal; `No.OK`, which is 0, exactly when it is."""
    if state.reason != 0:
        return No.OVER
    if state.seat < 0:
        return 0 if action >= FIRST else No.CHANCE
    if action >= FIRST:
        return No.DRAWN
    if action >= TAKE:
        return refusal_of_take(state, law, action - TAKE)
    if state.takes > 0:
        return No.CHOOSE
    if action == PASS:
        return No.PASS if can_move(state, law, state.seat) else 0
    return refusal_of_move(state, law, action // FIELDS, action % FIELDS)


@rule
def refusal_of_take(state, law, field):
    """Why a piece may not be taken by choice (FBQ-7)."""
    if state.takes == 0:
        return No.NOTHING
    return 0 if pending_victims(state, law) & law.bit[field] else No.UNSURROUNDED


@rule
def refusal_of_move(state, law, start, end):
    """Why a move is not legal: the piece, the way, or a house rule."""
    own = state.pieces[state.seat]
    enemy = state.pieces[1 - state.seat]
    if enemy & law.bit[start]:
        return No.YOURS
    if not own & law.bit[start]:
        return No.PIECE
    if destinations(law, own, ~(own | enemy), start) & law.bit[end]:
        return restriction(state, law, state.seat, start, end)
    return obstacle(law, own, enemy, start, end)


@rule
def obstacle(law, own, enemy, start, end):
    """The reason against a move that the board does not allow."""
    if start == end:
        return No.SAME
    if law.step[start] & law.bit[end]:
        return No.OCCUPIED
    if law.touch[start] & law.bit[end]:
        return No.TYPE
    between = law.between[start, end]
    if law.bent_jumps:
        between |= law.between_bent[start, end]
    if between & own:
        return No.LANDING
    if between & enemy:
        return No.OPPONENT
    if between:
        return No.FRIEND
    if law.between_bent[start, end] & own:
        return No.BENT
    return No.TWO if two_jumps(law, own, enemy, start, end) else No.FAR


@rule
def two_jumps(law, own, enemy, start, end):
    """Whether a second jump would get there (FB-4.f)."""
    empty = ~(own | enemy)
    landings = destinations(law, own, empty, start) & ~law.step[start]
    moved = own ^ law.bit[start]
    while landings:
        landing = lowest(landings)
        landings &= landings - ONE
        if destinations(law, moved | law.bit[landing], empty | law.bit[start], landing) & ~law.step[landing] & law.bit[end]:
            return True
    return False
