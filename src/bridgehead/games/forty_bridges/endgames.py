"""Endgame tables: the winner and the number of plies, for all positions with few pieces, by retrograde analysis.

A class (a, b) is all positions with `a` pieces of the seat to move and `b` of the other. Positions are seen from player
1's side; those of player 2 are rotated by 180 degrees. A table has one byte per position: 0 means that neither side can
force a win (or that there is no such position), an odd number that the seat to move wins after this many plies, an even one
that it loses. Games that end by repetition or the quiet limit count as draws, so a table never promises more than the rules
allow. Tables are for the standard house rules; tests compare every entry with `apply`.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.fields import destinations, is_surrounded, surrounded
from bridgehead.games.forty_bridges.state import ONE, ZERO

LONGEST = 250  # most plies of a forced win; a longer one does not fit a byte
MOST = 8  # most pieces of either side in a class
NO_MOVES = 255  # in place of a number of moves: the seat to move must pass


def binomials() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """choose[n, k], for numbering sets of fields."""
    choose = np.zeros((FIELDS + 1, 10), np.int64)
    choose[:, 0] = 1
    for n in range(1, FIELDS + 1):
        for k in range(1, 10):
            choose[n, k] = choose[n - 1, k - 1] + choose[n - 1, k]
    return choose


CHOOSE = binomials()


def size(own: int, other: int) -> int:
    """The number of positions in a class."""
    return int(CHOOSE[FIELDS, own] * CHOOSE[FIELDS - own, other])


@rule
def number(own, other, fields):
    """The number of a position in its class on a board of `fields` fields: by its own pieces, then by the others on the rest."""
    first, taken = 0, 0
    rest = own
    while rest:
        field = lowest(rest)
        rest &= rest - ONE
        taken += 1
        first += CHOOSE[field, taken]
    second, placed = 0, 0
    rest = other
    while rest:
        field = lowest(rest)
        rest &= rest - ONE
        placed += 1
        below = count(own & ((ONE << np.uint64(field)) - ONE))
        second += CHOOSE[field - below, placed]
    return first * CHOOSE[fields - taken, placed] + second


@rule
def members(index, among, wanted):
    """The set with this number among all sets of `wanted` fields in the word `among`."""
    found = ZERO
    top = count(among)
    for k in range(wanted, 0, -1):
        while CHOOSE[top, k] > index:
            top -= 1
        index -= CHOOSE[top, k]
        rest = among
        for _ in range(top):
            rest &= rest - ONE
        found |= ONE << np.uint64(lowest(rest))
    return found


@rule
def turned(pieces):
    """The same pieces, rotated by 180 degrees."""
    found = ZERO
    while pieces:
        found |= ONE << np.uint64(FIELDS - 1 - lowest(pieces))
        pieces &= pieces - ONE
    return found


@rule
def child_value(own, other, tables, starts):
    """The value of a position for the other seat, which moves next, and whether that seat has lost all its pieces."""
    if other == ZERO:
        return 0, True
    a, b = count(other), count(own)
    return int(tables[starts[a, b] + number(turned(other), turned(own), FIELDS)]), False


@rule
def begin(law, a, b, tables, starts, moves, late):
    """First pass over a class: values known at once or through captures, and the number of other moves.

    moves: the number of moves without a capture; late: the longest loss by a capture, LONGEST + 1 if a capture saves.
    """
    everywhere = law.board
    start = starts[a, b]
    seconds = CHOOSE[FIELDS - a, b]
    for first in range(CHOOSE[FIELDS, a]):
        own = members(first, everywhere, a)
        for second in range(seconds):
            other = members(second, everywhere & ~own, b)
            place = first * seconds + second
            if own & law.bit[law.goal[0]] or other & law.bit[law.goal[1]]:
                continue
            begin_one(law, own, other, start + place, place, tables, starts, moves, late)


@rule
def begin_one(law, own, other, at, place, tables, starts, moves, late):
    """The first pass over one position."""
    empty = everywhere_empty(law, own, other)
    quiet, won, lost = 0, 0, 0
    saved, any_move = False, False
    movers = own
    while movers:
        field = lowest(movers)
        movers &= movers - ONE
        ends = destinations(law, own, empty, field)
        while ends:
            end = np.uint64(lowest(ends))
            ends &= ends - ONE
            any_move = True
            after = own ^ law.bit[field] ^ law.bit[end]
            if np.int64(end) == law.goal[0]:
                won = 1
                continue
            gone = surrounded(law, after, other, end)
            alone = gone == ZERO and is_surrounded(law, other, end)
            if gone == ZERO and not alone:
                quiet += 1
                continue
            if alone:
                after ^= law.bit[end]
                if after == ZERO:
                    lost = max(lost, 2)  # its last piece is removed
                    continue
            value, over = child_value(after, other & ~gone, tables, starts)
            if over:
                won = 1
            elif value == 0:
                saved = True
            elif value % 2 == 0:
                won = value + 1 if won == 0 else min(won, value + 1)
            else:
                lost = max(lost, value + 1)
    moves[place] = quiet if any_move else NO_MOVES
    late[place] = LONGEST + 1 if saved else lost
    if won:
        tables[at] = won
    elif any_move and quiet == 0 and not saved:
        tables[at] = lost


@rule
def everywhere_empty(law, own, other):
    """The empty fields."""
    return law.board & ~(own | other)


@rule
def spread(law, a, b, plies, tables, starts, moves, late):
    """Propagate from every position of class (a, b) that is decided in `plies` plies to its predecessors in class (b, a).

    moves, late: of class (b, a). Returns the number of decided positions.
    """
    start, back = starts[a, b], starts[b, a]
    seconds = CHOOSE[FIELDS - a, b]
    found = 0
    for first in range(CHOOSE[FIELDS, a]):
        own = ZERO
        for second in range(seconds):
            if tables[start + first * seconds + second] != plies:
                continue
            found += 1
            if own == ZERO:
                own = members(first, law.board, a)
            other = members(second, law.board & ~own, b)
            spread_one(law, turned(other), turned(own), plies, back, tables, moves, late)
    return found


@rule
def spread_one(law, mover, waiting, plies, back, tables, moves, late):
    """Propagate from one decided position to its predecessors. mover: pieces of the seat that moved last (as player 1)."""
    empty = everywhere_empty(law, mover, waiting)
    update(mover, waiting, plies, back, tables, moves, late, True)
    if enough_gone(law, mover, waiting):
        return
    rest = mover
    while rest:
        end = np.uint64(lowest(rest))
        rest &= rest - ONE
        if is_surrounded(law, waiting, end):
            continue
        begins = destinations(law, mover, empty, end)
        while begins:
            begin_field = np.uint64(lowest(begins))
            begins &= begins - ONE
            before = mover ^ law.bit[end] ^ law.bit[begin_field]
            if np.int64(begin_field) != law.goal[0]:
                update(before, waiting, plies, back, tables, moves, late, False)


@rule
def enough_gone(law, mover, waiting):
    """Whether a piece is surrounded here: every move to this position captures, so no move without a capture leads to it."""
    return surrounded(law, mover, waiting, ZERO) != ZERO


@rule
def update(own, other, plies, back, tables, moves, late, passing):
    """Update a position: one of its moves (or its pass) leads to a position that is decided in `plies` plies."""
    place = number(own, other, FIELDS)
    if (moves[place] == NO_MOVES) != passing:
        return
    value = tables[back + place]
    if plies % 2 == 0:
        if value == 0 or (value % 2 == 1 and value > plies + 1):
            tables[back + place] = plies + 1
    elif value == 0:
        left = 0 if passing else moves[place] - 1
        moves[place] = NO_MOVES if passing else left
        if left == 0 and late[place] <= LONGEST:
            tables[back + place] = max(plies + 1, late[place])


@rule
def table_value(state, law, tables, starts):
    """The tables' value for the seat to move; -1 for a position outside the tables, or while captures are chosen."""
    seat = np.uint64(state.seat)
    own, other = state.pieces[seat], state.pieces[ONE - seat]
    a, b = count(own), count(other)
    start = starts[a, b]
    if start < 0 or state.takes > 0:
        return -1
    if seat == ONE:
        own, other = turned(own), turned(other)
    return np.int64(tables[start + number(own, other, FIELDS)])
