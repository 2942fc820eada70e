"""The state record of 40 Bridges, its law (board tables and house rules), and its action ids.

A set of fields is a word of 41 bits: bit 0 is a1, bit 40 is e5.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.actions import Actions, Kind
from bridgehead.core.bits import members
from bridgehead.core.jit import rule
from bridgehead.core.law import packed
from bridgehead.core.options import numbers
from bridgehead.games.forty_bridges.board import FIELDS, Board
from bridgehead.games.forty_bridges.options import Options

Words = np.ndarray[Any, np.dtype[np.uint64]]

KINDS = (Kind("{start}-{end}"), Kind("pass"), Kind("take {field}"), Kind("first {seat}"))
ACTIONS = Actions(KINDS, {"start": FIELDS, "end": FIELDS, "field": FIELDS, "seat": 2})
_, PASS, TAKE, FIRST, END = ACTIONS.firsts

# House rules as numbers: the place of a word among those allowed.
SUICIDE_REMOVED, SUICIDE_FORBIDDEN, SUICIDE_SAFE = 0, 1, 2
BLOCKED_PASSES, BLOCKED_LOSES, BLOCKED_DRAWS = 0, 1, 2
REPETITION_DRAWS, REPETITION_IGNORED, REPETITION_FORBIDDEN = 0, 1, 2
USUAL_LIMIT = 108
NO_LIMIT = 1000  # this many quiet plies end a game that has no quiet limit (docs/lookup/notation.md)

ZERO, ONE = np.uint64(0), np.uint64(1)
SPAN = np.uint64(FIELDS)
PLIES = np.uint64(9)  # number of plies in a word
NEAR = 9  # largest difference of the numbers of touching fields
# Ways to take back a move, as differences of field numbers. A step and a straight jump over a piece of the same type share a
# way: if an own piece stands next to the end field, it was the jump. The piece with the lowest number never moves by the first
# way, since it would have jumped over a lower one. So piece 0 with way 0 is free to mean a pass.
WAYS = (-10, 10, -8, 8, -1, 1, -9, 9, -3, 3, -6, 6, -13, 13, -14, 14)
FAR = {-1: -2, 1: 2, -9: -18, 9: 18}


class Law(NamedTuple):
    """Board tables and house rules, read-only. House rules that are numbers or words are there too, by their own names.

    board: all fields (fewer on a smaller board, see `small`). bit[f], step[f], touch[f]: the field's own bit, fields a step
    away, touching fields.
    step_east, step_west, touch_east, touch_west: fields with a step, or touching fields of the other type, on that side.
    landing[f]: fields that jumps reach.
    leaps[half, friends]: where jumps over these friends land, relative to any field (see `leaps_of`).
    between[f, to], between_bent[f, to]: fields under such a jump, straight and bent (under any house rule).
    spare: the number of the eight sides that need not be closed, as three binary digits for all fields.
    opening[seat]: first fields. goal[seat]: the opponent's corner.
    way[start, end]: the index in WAYS to take back a move. near[end, way]: the bit of the field that this leads to, or 0;
    far[end, way]: the bit of the field behind it, for ways with two fields.
    """

    board: Words
    bit: Words
    step: Words
    touch: Words
    step_east: Words
    step_west: Words
    touch_east: Words
    touch_west: Words
    spare: Words
    landing: Words
    leaps: Words
    between: Words
    between_bent: Words
    opening: Words
    goal: np.ndarray[Any, np.dtype[np.int64]]
    way: np.ndarray[Any, np.dtype[np.uint8]]
    near: Words
    far: Words
    first_drawn: int
    most_captures: int
    blocked: int
    quiet_limit: int


def make_law(options: Options, board: Board) -> Any:
    """The `Law` of a game, packed: tables of the board and the house rules as numbers."""
    between = np.zeros((FIELDS, FIELDS), np.uint64)
    between_bent = np.zeros_like(between)
    for field in range(FIELDS):
        for over, to in board.jump[field]:
            between[field, to] |= ONE << np.uint64(over)
        for over, to in board.bent[field]:
            between_bent[field, to] |= ONE << np.uint64(over)

    def having(fields: tuple[tuple[int, ...], ...], *ways: int) -> Words:
        return np.array(word(f for f in range(FIELDS) if any(f + way in fields[f] for way in ways)))

    way, near, far = ways_of(board)
    jumps = [board.jump[f] + (board.bent[f] if options.bent_jumps else ()) for f in range(FIELDS)]
    law = Law(
        board=np.array(word(field for field in range(FIELDS) if board.touch[field])),
        bit=np.array([1 << field for field in range(FIELDS)], np.uint64),
        step=np.array([word(fields) for fields in board.step], np.uint64),
        touch=np.array([word(fields) for fields in board.touch], np.uint64),
        step_east=having(board.step, 1),
        step_west=having(board.step, -1),
        touch_east=having(board.touch, 5, -4),
        touch_west=having(board.touch, 4, -5),
        spare=np.array([-(8 - options.sides_needed >> digit & 1) % 2**64 for digit in range(3)], np.uint64),
        landing=np.array([word({to for _, to in jumps[field]}) for field in range(FIELDS)], np.uint64),
        leaps=leaps_of(jumps),
        between=between,
        between_bent=between_bent,
        opening=np.array([word(fields) for fields in board.opening(options.setup, options.layout)], np.uint64),
        goal=np.array(board.corners[::-1], np.int64),
        way=way,
        near=near,
        far=far,
        first_drawn=int(options.first == "random"),
        most_captures=options.max_captures or 8,
        blocked=("pass", "lose", "draw").index(options.no_moves),
        quiet_limit=options.quiet_limit or NO_LIMIT,
    )
    return packed(law, numbers(options))


def ways_of(board: Board) -> tuple[np.ndarray[Any, np.dtype[np.uint8]], Words, Words]:
    """`Law.way`, `Law.near` and `Law.far`: tables to take back moves."""
    way, near, far = (
        np.zeros((FIELDS, FIELDS), np.uint8),
        np.zeros((FIELDS, len(WAYS)), np.uint64),
        np.zeros((FIELDS, 16), np.uint64),
    )
    for end in range(FIELDS):
        starts = {*board.step[end], *(start for _, start in board.jump[end] + board.bent[end])}
        for number, by in enumerate(WAYS):
            for table, start in ((near, end + by), (far, end + FAR.get(by, FIELDS))):
                if start in starts:
                    way[start, end] = number
                    table[end, number] = ONE << np.uint64(start)
    return way, near, far


def leaps_of(jumps: list[tuple[tuple[int, int], ...]]) -> Words:
    """Landings of jumps by the friends around: leaps[0, w] for the nine fields numbered just before a field, leaps[1, w] after.

    A direction changes a field's number by the same amount anywhere, so one table serves all fields; `w` is nine bits, and
    bit NEAR * 2 of an entry is the field itself. `Law.landing` removes landings beyond the edge.
    """
    leaps = np.zeros((2, 1 << NEAR), np.uint64)
    ways = {(over - field, to - field) for field in range(FIELDS) for over, to in jumps[field]}
    for friends in range(1 << NEAR):
        for over, to in ways:
            half, place = (0, over + NEAR) if over < 0 else (1, over - 1)
            if friends >> place & 1:
                leaps[half, friends] |= ONE << np.uint64(to + 2 * NEAR)
    return leaps


def word(fields: Any) -> np.uint64:
    """The set of fields as a word of bits."""
    return np.uint64(sum(1 << int(field) for field in fields))


def fields_of(bits: Any) -> list[int]:
    """The fields of a word of bits, ascending."""
    return members(bits)


def state_dtype(law: Any) -> np.dtype[Any]:
    """The record of a position.

    pieces[seat]: its fields. plies: since the last removal; once, twice: the filter of earlier positions (see `history`;
    all zero when repetition has no effect: by house rule, with captures to choose, or after the end). quiet: number of plies
    since the last removal. seat: on turn, -1 while it is drawn. takes: captures still to choose; moved: the end field of the move
    while takes > 0, else -1. reason, winner: of the end (winner -1: none).
    """
    remembered = USUAL_LIMIT if law.quiet_limit <= USUAL_LIMIT else NO_LIMIT  # two sizes, each compiled separately
    kept = -(-remembered // int(PLIES))
    words = [("pieces", np.uint64, (2,)), ("plies", np.uint64, (kept,)), ("once", np.uint64, (4,)), ("twice", np.uint64, (4,))]
    counts = [("turns", np.uint32), ("quiet", np.uint16), ("takes", np.uint16)]
    return np.dtype([*words, *counts, *((name, np.int16) for name in ("seat", "moved", "reason", "winner"))])


def action_count(law: Any) -> int:
    """The number of action ids."""
    return END


def max_legal(law: Any) -> int:
    """An upper bound of legal actions with surplus entries: eight pieces, every other field."""
    return 8 * (FIELDS - 1)


@rule
def move_id(start, end):
    """The action that moves from one field to another."""
    return start * FIELDS + end
