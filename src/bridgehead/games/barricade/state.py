"""The state record of Barricade, the law (board tables and house rules), and action ids."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.jit import rule
from bridgehead.core.law import as_records
from bridgehead.games.barricade.board import MOST_HOMES, MOST_PAWNS, MOST_SQUARES, Board
from bridgehead.games.barricade.options import MOST_SEATS, MOST_SIDES, Options, barricade_squares, home_indices, sides
from bridgehead.games.barricade.walks import MOST_ROWS, Ground, way_table

WORDS = MOST_SQUARES // 64
NOBODY = -1
ONE = np.uint64(1)
ZERO = np.uint64(0)
# A place of a pawn is a square, or the number of squares + the index of its home on the board.
STATE = np.dtype(
    [
        ("barricades", np.uint64, (WORDS,)),
        ("turns", np.int32),
        ("pawns", np.int16, (MOST_SEATS, MOST_PAWNS)),  # places of each colour, ascending; unused ones -1
        ("owner", np.int8, (MOST_SQUARES,)),  # colour of the pawn on each square, or -1
        ("rolled", np.int8, (MOST_SEATS,)),  # roll-off: 0 has to roll, -1 is out of it
        ("seat", np.int16),
        ("die", np.int16),
        ("phase", np.int8),
        ("reason", np.int8),
    ]
)  # aligned without a gap: equal positions are equal byte by byte


WAY = np.dtype([("between", np.uint64, (WORDS,)), ("landing", np.int16)], align=True)
ROOMS = (4096, 32_768, MOST_ROWS)  # a law has room for so many ways; the rules are compiled once a size


@functools.cache
def tables_dtype(room: int) -> np.dtype[Any]:
    """The tables of a law. An origin is a square, or the number of squares + index of a home."""
    origins = MOST_SQUARES + MOST_HOMES
    return np.dtype(
        [
            ("home", np.int16, (MOST_SEATS,)),  # place of each colour's pawns at home
            ("entry", np.int16, (MOST_HOMES,)),  # square in front of each home of the board
            ("seat_of", np.int8, (MOST_SEATS,)),  # seat of each colour
            ("colour_of", np.int8, (MOST_SEATS, 2)),  # colours of each seat, -1 for none
            ("side", np.int8, (MOST_SEATS,)),  # side of each seat: its lowest seat
            ("start", np.uint64, (WORDS,)),  # barricades at the start
            ("may_hold", np.int8, (MOST_SQUARES,)),  # squares that may take a barricade
            ("safe", np.int8, (MOST_SQUARES,)),  # squares whose pawns are not taken
            ("neighbours", np.int16, (MOST_SQUARES, 4)),  # filled with -1
            ("steps", np.int16, (origins, MOST_SQUARES)),  # fewest from origin to square, barricades ignored
            ("ways", np.int32, (origins * MOST_SIDES + 1,)),  # first way of origin * sides + roll - 1
            ("way", WAY, (room,)),  # landing, and the squares between, as bits, that must hold no barricade
        ],
        align=True,
    )


class Law(NamedTuple):
    """House rules as numbers, and all tables in one record (compiled code passes it by reference, without counting)."""

    squares: int
    seats: int
    homes: int  # of the board
    colours: int  # homes in play
    pawns: int
    die_sides: int
    final: int
    pass_always: bool
    exit_six: bool
    no_repeat: bool
    roll_off: bool
    again_on_6: bool
    turn_limit: int
    tables: Any  # a record of `tables_dtype`


def ground(options: Options, board: Board) -> Ground:
    """The board with the house rules that touch ways."""
    return Ground(board, options.die_sides, options.revisit == "noRepeat", options.exact_final, options.exit_roll == 6)


def make_law(options: Options, board: Board) -> Law:
    """The law of a board under house rules. Errors: BoardError for a board with too many ways."""
    homes = home_indices(options, board)
    return Law(
        squares=len(board.squares),
        seats=options.seats or 0,
        homes=len(board.homes),
        colours=len(homes),
        pawns=options.pawns or board.pawns,
        die_sides=options.die_sides,
        final=board.final,
        pass_always=options.pass_ == "always",
        exit_six=options.exit_roll == 6,
        no_repeat=options.revisit == "noRepeat",
        roll_off=options.first == "highestRoll",
        again_on_6=options.roll_again_on_6,
        turn_limit=options.turn_limit or 0,
        tables=_tables(options, board, homes),
    )


def _tables(options: Options, board: Board, homes: tuple[int, ...]) -> Any:
    ways = way_table(ground(options, board))
    room = next(room for room in ROOMS if len(ways.landing) <= room)
    table = np.zeros(1, as_records(tables_dtype(room)))[0]
    count, seats = len(board.squares), options.seats or 0
    table["home"][: len(homes)] = [count + home for home in homes]
    table["entry"][: len(board.homes)] = [home.entry for home in board.homes]
    table["seat_of"][: len(homes)] = [colour % seats for colour in range(len(homes))]
    table["colour_of"][:seats] = [(seat, seat + 2 if options.two_colours else NOBODY) for seat in range(seats)]
    table["side"][:seats] = sides(options)
    table["start"] = _words(sum(1 << square for square in board.barricades))
    table["may_hold"][list(barricade_squares(options, board))] = 1
    table["safe"][list(board.first_row)] = options.first_row_safe
    table["neighbours"][:count] = [(*near, *(-1,) * (4 - len(near))) for near in board.neighbours]
    table["steps"][: count + len(board.homes), :count] = _distances(board)
    table["ways"][: len(ways.starts)] = ways.starts
    table["way"]["landing"][: len(ways.landing)] = ways.landing
    table["way"]["between"][: len(ways.landing)] = [_words(bits) for bits in ways.between]
    return table


def _words(bits: int) -> list[int]:
    return [bits >> 64 * word & 0xFFFF_FFFF_FFFF_FFFF for word in range(WORDS)]


def _distances(board: Board) -> list[list[int]]:
    """Fewest steps from each origin to each square: squares first, then homes (one more than their entry)."""
    rows = []
    for start in range(len(board.squares)):
        steps = {start: 0}
        queue = [start]
        for square in queue:
            for near in board.neighbours[square]:
                if near not in steps:
                    steps[near] = steps[square] + 1
                    queue.append(near)
        rows.append([steps[square] for square in range(len(board.squares))])
    return rows + [[steps + 1 for steps in rows[home.entry]] for home in board.homes]


def state_dtype(law: Law) -> np.dtype[Any]:
    """One layout for every board, so that the rules are compiled once."""
    return STATE


# Action ids: roll 1..D, first 1..S, pass, place on each square, then moves (origin, landing).


def action_count(law: Law) -> int:
    """How many action ids there are."""
    return int(move_action(law, law.squares + law.homes, 0))


def max_legal(law: Law) -> int:
    """The most actions legal at once: rolls, seats, empty squares, or a pass and all moves."""
    return max(law.die_sides, law.seats, law.squares) + 2 * law.pawns * law.squares


@rule
def roll_action(number):
    """The id of rolling a number."""
    return number - 1


@rule
def first_action(law, seat):
    """The id of drawing the first seat."""
    return law.die_sides + seat


@rule
def pass_action(law):
    """The id of passing."""
    return law.die_sides + law.seats


@rule
def place_action(law, square):
    """The id of putting the barricade on a square."""
    return law.die_sides + law.seats + 1 + square


@rule
def first_move(law):
    """The lowest id of a move."""
    return law.die_sides + law.seats + 1 + law.squares


@rule
def move_action(law, origin, landing):
    """The id of a move from an origin (a square, or squares + index of a home) to a landing square."""
    return first_move(law) + origin * law.squares + landing


@rule
def split_move(law, action):
    """Origin and landing of a move."""
    return (action - first_move(law)) // law.squares, (action - first_move(law)) % law.squares
