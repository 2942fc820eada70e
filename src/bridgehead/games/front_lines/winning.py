"""Deaths, crossings and the end of The Front Lines (FLQ-13, FLQ-18)."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from bridgehead.core.jit import rule
from bridgehead.games.front_lines.state import (
    ALIVE,
    BLACK,
    CROSSED,
    GONE,
    NOBODY,
    OUT,
    RED,
    START,
    WAITING,
    has,
    mate_of,
    side_of,
)

BOTH_ACROSS, RACE, CLAIM, SOLO, NO_WINNER = 1, 2, 3, 4, 5
REASONS = (
    ("", ""),
    ("both-across", "FL-W.2"),
    ("race", "FL-W.4"),
    ("claim", "FL-W.3"),
    ("solo", "FLQ-22"),
    ("no-winner", "FL-W.6"),
)


@rule
def across(state, side):
    """The number of the side's characters that are across: `a` in FLQ-18's table."""
    return int(int(state.status[2 * side]) == CROSSED) + int(int(state.status[2 * side + 1]) == CROSSED)


@rule
def dead(state, side):
    """The number of the side's characters that are waiting or out: `d` in FLQ-18's table."""
    found = 0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == WAITING or int(state.status[suit]) == OUT:
            found += 1
    return found


@rule
def cross(state, suit):
    """FLQ-10, FLQ-21: the character leaves the field for good."""
    state.status[suit] = CROSSED
    state.place[suit] = GONE
    if int(state.first) == NOBODY:
        state.first = side_of(suit)  # FLQ-31


@rule
def die(state, law, suit):
    """FL-R.8, FL-R.11, FLQ-13: the character loses a life, and its waiting mate comes back to life."""
    state.lives[suit] -= 1
    state.status[suit] = WAITING if int(state.lives[suit]) > 0 else OUT  # FLQ-32
    mate = mate_of(suit)
    if int(state.status[mate]) != WAITING:
        return
    state.status[mate] = ALIVE
    if law.revive_start:  # FLQ-14
        state.place[mate] = START
    elif law.reach_row and has(law.last_row[side_of(mate)], int(state.place[mate])):
        cross(state, mate)  # FLQ-10: it stands alive on its last row


@rule
def holds_one(state, side):
    """Rows 3 and 4 of FLQ-18's table: one across and one dead (FLQ-31: by any kind of death)."""
    return across(state, side) == 1 and dead(state, side) == 1


@rule
def won(state, law, side):
    """The reason of a side's win by FLQ-18, or 0."""
    other = 1 - side
    if across(state, side) == 2:  # FL-W.2
        return BOTH_ACROSS
    if holds_one(state, side):
        if dead(state, other) > 0:  # FL-W.4, FL-W.5; FL-W.3 where the claim is upheld
            return CLAIM if int(state.claim) == side else RACE
        if law.immediate:
            return CLAIM
    if law.solo_one and across(state, side) == 1 and dead(state, other) == 2:  # FLQ-22
        return SOLO
    return 0


@rule
def judge(state, law):
    """Set the claim, the winner and the reason by FLQ-18, after a death or a crossing."""
    red, black = won(state, law, RED), won(state, law, BLACK)
    if red and black:  # FLQ-31: the side that was across first
        state.winner = state.first
    elif red or black:
        state.winner = RED if red else BLACK
    elif dead(state, RED) == 2 and dead(state, BLACK) == 2:  # FL-W.6
        state.reason = NO_WINNER
        return
    else:
        if holds_one(state, RED):
            state.claim = RED  # FL-W.3
        elif holds_one(state, BLACK):
            state.claim = BLACK
        return
    state.reason = red if int(state.winner) == RED else black
