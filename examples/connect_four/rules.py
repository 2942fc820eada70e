"""The rules of Connect Four, on words of bits. A column is seven bits, the lowest its bottom hole; the seventh stays empty."""

from __future__ import annotations

from typing import Any

from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.numbers import uint64
from bridgehead.core.spec import OVER

COLUMNS, ROWS, PITCH = 7, 6, 7
REASONS = (("", ""), ("four", "C4-3"), ("full", "C4-4"))
FOUR, FULL = 1, 2
# Shifts by one hole: up, along a falling diagonal, along a row, along a rising diagonal.
UP, FALL, ROW, RISE = uint64(1), uint64(6), uint64(7), uint64(8)
ZERO, ONE, TWO = uint64(0), uint64(1), uint64(2)


class Reason(RefusalCode):
    """Reasons to refuse a drop: the clause, and the key of the sentence."""

    OK = "", ""
    OVER = "C4-3", "over.refused"
    ROOM = "C4-2", "refused.full"


REFUSALS = Reason


def state_dtype(law: Any) -> list[tuple[Any, ...]]:
    """discs[seat]: its holes. turns: discs dropped; even: seat 0 is to drop. winner: a seat or -1."""
    return [("discs", "uint64", (2,)), ("turns", "int64"), ("reason", "int64"), ("winner", "int64")]


def action_count(law: Any) -> int:
    """One action per column."""
    return COLUMNS


def limits(law: Any) -> dict[str, tuple[int, int]]:
    """The lowest and highest number in each field of a state."""
    return {"discs": (0, 2 ** (PITCH * COLUMNS) - 1), "turns": (0, COLUMNS * ROWS), "winner": (-1, 1)}


def impossible(state: Any, law: Any) -> str:
    """Why a state cannot occur."""
    first, second = int(state.discs[0]), int(state.discs[1])
    both, bottom = first | second, sum(1 << PITCH * column for column in range(COLUMNS))
    if first & second or both & (both + bottom) or both & (bottom << ROWS):
        return "a disc hangs in the air, or two are in one hole"
    if (first.bit_count(), second.bit_count()) != (int(state.turns + 1) // 2, int(state.turns) // 2):
        return "the numbers of discs do not fit the turn"
    mover, fours = int(state.turns) & 1, [bool(has_four(discs)) for discs in state.discs]
    reason = FOUR if fours[1 - mover] else FULL if state.turns == COLUMNS * ROWS else 0
    if fours[mover] or (int(state.reason), int(state.winner)) != (reason, 1 - mover if reason == FOUR else -1):
        return "the result does not follow from the discs"
    return ""


@rule
def setup(state, law):
    """The empty board."""
    state.discs[0] = state.discs[1] = ZERO
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
    return ONE << uint64(PITCH * column + row)


@rule
def has_room(holes, column):
    """Whether the top hole of a column is free (C4-2)."""
    return holes & hole(column, ROWS - 1) == ZERO


@rule
def legal(state, law, out):
    """Write the columns with room; return their number."""
    if state.reason != 0:
        return 0
    holes = taken(state)
    found = 0
    for column in range(COLUMNS):
        out[found] = column  # a full column is overwritten: cheaper than an unpredictable branch
        found += int(has_room(holes, column))
    return found


@rule
def four(discs, along):
    """The first holes of all four-in-a-rows in one direction."""
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
    state.discs[state.turns & 1] |= (holes + hole(action, 0)) & ~holes  # the sum carries a bit above the column's discs
    state.turns += 1
    settle(state, law)


@rule
def settle(state, law):
    """End the game if the last disc ended it."""
    seat = (state.turns + 1) & 1
    if has_four(state.discs[seat]):
        state.reason = FOUR
        state.winner = seat
    elif state.turns == COLUMNS * ROWS:  # C4-4
        state.reason = FULL


@rule
def value(state, law, seat):
    """1.0 when the seat has won, -1.0 when it has lost, else 0.0."""
    return 0.0 if state.winner < 0 else 1.0 if state.winner == seat else -1.0


@rule
def returns(state, law, out):
    """1.0 for the winner, -1.0 for the loser; 0.0 each on a full board."""
    for seat in range(2):
        out[seat] = value(state, law, seat)


@rule
def refusal(state, law, action):
    """`Reason.OK` exactly when an action is legal."""
    return Reason.OVER if state.reason != 0 else Reason.OK if has_room(taken(state), action) else Reason.ROOM
