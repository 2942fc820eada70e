"""The state record of The Front Lines, its read-only tables and its action ids.

Cards are 0..51 (13 * suit + rank, suits hearts, diamonds, spades, clubs) and 52, a Joker; characters are the suits;
sides are 0 red and 1 black; cells are 4 * row + column from red's start line. Sets of cards and cells are words of bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.actions import Actions, Kind
from bridgehead.core.jit import rule
from bridgehead.core.law import packed
from bridgehead.core.options import numbers
from bridgehead.games.front_lines import walks
from bridgehead.games.front_lines.board import COLUMNS, JOKER, Board
from bridgehead.games.front_lines.options import Options

CELLS = 48
START, GONE = 48, 49  # places beside the cells: the start line, and across
ALIVE, WAITING, OUT, CROSSED = 0, 1, 2, 3
RED, BLACK, NOBODY = 0, 1, -1
DOWN = -1  # a card that lies face down

KINDS = (Kind("draw {drawn}"), Kind("flip {card}"), Kind("to {cell}"), Kind("across"), Kind("stop"))
ACTIONS = Actions(KINDS, {"drawn": JOKER, "card": JOKER + 1, "cell": CELLS})
DRAW, FLIP, TO, ACROSS, STOP, END = ACTIONS.firsts
MOST_LEGAL = JOKER + 1

ZERO, ONE = np.uint64(0), np.uint64(1)
JOKER_BIT = np.uint64(1 << JOKER)
ACROSS_BIT = np.uint64(1 << walks.ACROSS)  # bits of a set of cells; across and stop follow the cells, like their action ids
STOP_BIT = np.uint64(1 << walks.ACROSS + 1)
SEATS = {2: (0, 0, 1, 1), 3: (0, 1, 2, 2), 4: (0, 1, 2, 3)}  # FLQ-27: the seat of each character
FACES = sum(1 << card for card in range(JOKER) if card % 13 >= 10)
REDS = (1 << 26) - 1
ALL_CARDS = (1 << JOKER) - 1


class Law(NamedTuple):
    """The tables and house rules that a game's functions read.

    steps[side, place], ends[side, place, n], last_row[side]: sets of cells; mines[side]: cards that kill (FL-R.8);
    layout: card of each cell or DOWN; alike: whether all outcomes of chance are equally likely; seat_of: seat of each
    character; the others are numbers, or 1 for yes and 0 for no. House rules that are numbers or words are there too, by their
    own names.
    """

    jokers: int
    steps: Any
    ends: Any
    last_row: Any
    cells: Any
    field_cards: Any
    pack: Any
    mines: Any
    layout: Any
    laid_out: int
    alike: int
    seat_of: Any
    faces_redraw: int
    destination: int
    reach_row: int
    revive_start: int
    alternate: int
    immediate: int
    solo_one: int


def make_law(options: Options, board: Board) -> Any:
    """The law of these house rules on this field: a `Law`, packed."""
    rows, step_off = board.rows, options.across == "stepOff"
    steps = walks.steps(rows, options.directions, step_off)
    ends = walks.ends(rows, options.directions, step_off, options.may_stop) if options.flip == "destination" else ()
    last = 0b1111 << (COLUMNS * (rows - 1))
    first = 0b1111
    faces_safe = options.face_cards == "safeForAll"  # FLQ-11
    black_mines, red_mines = REDS, ALL_CARDS & ~REDS
    mines = [red_mines, black_mines] if not faces_safe else [red_mines & ~FACES, black_mines & ~FACES]
    turned = options.opposed_sides  # FLQ-5
    law = Law(
        jokers=options.jokers_in_field,
        steps=_words([steps, _turned_table(steps, rows) if turned else steps]),
        ends=_words([ends, _turned_table_of_tables(ends, rows) if turned else ends] if ends else np.zeros((2, 1, 1), np.uint64)),
        last_row=_words([last, first if turned else last]),
        cells=_words((1 << (COLUMNS * rows)) - 1),
        field_cards=_bits(board.field_cards),
        pack=_bits(board.draw_pack),
        mines=_words(mines),
        layout=_frozen(np.array([*board.layout, *[DOWN] * (CELLS - len(board.layout))], np.int8)),
        laid_out=int(bool(board.layout)),
        alike=int(bool(board.layout) or not options.jokers_in_field),
        seat_of=_frozen(np.array(SEATS[options.seats], np.int8)),
        faces_redraw=int(options.draw_pack == "facesRedraw"),
        destination=int(options.flip == "destination"),
        reach_row=int(not step_off),
        revive_start=int(options.revive == "start"),
        alternate=int(options.alternate_teams),
        immediate=int(options.claim == "immediate"),
        solo_one=int(not options.solo_needs_both),
    )
    return packed(law, numbers(options))


def _frozen(array: Any) -> Any:
    array.flags.writeable = False
    return array


def _words(values: Any) -> Any:
    return _frozen(np.array(values, dtype=np.uint64))


def _bits(cards: tuple[int, ...]) -> Any:
    return _words(sum(1 << card for card in cards))


def _turned(cells: int, rows: int) -> int:
    """A set of cells, seen from the other edge; across stays across."""
    turned = cells & 1 << walks.ACROSS
    for row in range(rows):
        turned |= (cells >> (COLUMNS * row) & 0b1111) << (COLUMNS * (rows - 1 - row))
    return turned


def _place(place: int, rows: int) -> int:
    """The cell with this number when counted from the other edge; the start line stays."""
    return (rows - 1 - place // COLUMNS) * COLUMNS + place % COLUMNS if place < COLUMNS * rows else place


def _turned_table(table: tuple[int, ...], rows: int) -> list[int]:
    return [_turned(table[_place(place, rows)], rows) for place in range(START + 1)]


def _turned_table_of_tables(table: walks.Ends, rows: int) -> list[list[int]]:
    return [[_turned(cells, rows) for cells in table[_place(place, rows)]] for place in range(START + 1)]


def state_dtype(law: Law) -> np.dtype[Any]:
    """One position; -1 means none. For speed, `open`, `seen` and `jokers` repeat information of `field`."""
    return np.dtype(
        [
            ("open", np.uint64),  # cells with an open card
            ("seen", np.uint64),  # cards that lie face up, without Jokers
            ("blown", np.uint64),  # cells with an exploded mine (FLQ-12)
            ("used", np.uint64),  # cards drawn since the pack was last filled (FLQ-25)
            ("visited", np.uint64),  # cells of this turn (FLQ-23)
            ("turns", np.int32),
            ("field", np.int8, CELLS),
            ("place", np.int8, 4),
            ("lives", np.int8, 4),
            ("status", np.int8, 4),
            ("jokers", np.int8),  # Jokers that lie face up
            ("drawn", np.int8),  # the card of the running turn
            ("left", np.int8),  # steps left
            ("flipping", np.int8),  # the cell that is being turned over
            ("claim", np.int8),  # the side with the claim (FLQ-18)
            ("first", np.int8),  # the side that was across first (FLQ-31)
            ("last", np.int8),  # the side that moved last, with alternateTeams only (FLQ-16)
            ("winner", np.int8),
            ("reason", np.int8),
        ]
    )


def action_count(law: Law) -> int:
    return END


def max_legal(law: Law) -> int:
    return MOST_LEGAL


@rule
def bit(index):
    """The word with this one bit."""
    return ONE << np.uint64(index)


@rule
def has(word, index):
    """Whether the word has this bit."""
    return (word >> np.uint64(index)) & ONE != ZERO


@rule
def side_of(suit):
    """FL-R.3: hearts and diamonds are red, spades and clubs black."""
    return suit >> 1


@rule
def mate_of(suit):
    """The other character of the side."""
    return suit ^ 1


@rule
def suit_of(card):
    return card // 13


@rule
def value_of(card):
    """FL-R.5, FLQ-2: steps of a drawn card."""
    return card % 13 + 1


@rule
def is_face(card):
    return card % 13 >= 10
