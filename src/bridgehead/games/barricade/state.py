"""The state record of Barricade and its law: board tables and house rules."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from bridgehead.core.jit import rule
from bridgehead.core.law import as_records
from bridgehead.core.options import numbers
from bridgehead.games.barricade import actions
from bridgehead.games.barricade.board import MOST_HOMES, MOST_SQUARES, Board
from bridgehead.games.barricade.options import MOST_SEATS, MOST_SIDES, Options, barricade_squares, home_indices, sides
from bridgehead.games.barricade.walks import MOST_ROWS, Ground, way_table

NOBODY = -1
ONE = np.uint64(1)
ZERO = np.uint64(0)
# Words of bits for the squares, and room for ways: the rules are compiled once for each size.
SIZES = ((2, 4096), (MOST_SQUARES // 64, 32_768), (MOST_SQUARES // 64, MOST_ROWS))
NUMBERS = (
    "squares",
    "words",  # of bits, for all places
    "seats",
    "homes",  # of the board
    "colours",  # homes in play
    "pawns",
    "final",
    "may_pass",  # pass is allowed even with a legal move
    "no_repeat",
    "roll_off",
    "mates",  # are there teams?
)
Law = Any  # a record of `law_dtype`


@functools.cache
def law_dtype(words: int, room: int) -> np.dtype[Any]:
    """The law as one record: house rules as numbers, and tables with room for `words` words of squares and `room` ways.

    An origin is a square, or the number of squares + index of a home.
    """
    origins = 64 * words + MOST_HOMES
    way = np.dtype([("between", np.uint64, (words,)), ("landing", np.uint16)], align=True)
    counts = [(name, np.int64) for name in {**dict.fromkeys(NUMBERS), **numbers(Options())}]
    tables = [
        ("home", np.int16, (MOST_SEATS,)),  # place of each colour's pawns at home
        ("entry", np.int16, (MOST_HOMES,)),  # square in front of each home of the board
        ("seat_of", np.int8, (MOST_SEATS,)),  # seat of each colour
        ("colour_of", np.int8, (MOST_SEATS, 2)),  # colours of each seat, -1 for none
        ("colour_at", np.int8, (MOST_HOMES,)),  # colour of each home, -1 for an unused one
        ("side", np.int8, (MOST_SEATS,)),  # side of each seat: its lowest seat
        ("start", np.uint64, (words,)),  # barricades at the start, as bits
        ("may_hold", np.uint64, (words,)),  # squares that may take a barricade, as bits
        ("first_row", np.int8, (64 * words,)),  # 1 for its squares
        ("first_of", np.int64, (len(actions.KINDS) + 1,)),  # first action id of each kind, then how many there are
        ("neighbours", np.int16, (64 * words, 4)),  # filled with -1
        ("steps", np.int16, (origins, 64 * words)),  # fewest from origin to square, barricades ignored
        ("ways", np.uint32, (origins * MOST_SIDES + 1,)),  # first way of origin * sides + roll - 1
        ("way", way, (room,)),  # landing, and the squares between, as bits, that must hold no barricade
    ]
    return as_records(np.dtype([*counts, *tables], align=True))


def ground(options: Options, board: Board) -> Ground:
    """The board with the house rules about ways."""
    return Ground(board, options.die_sides, options.revisit == "noRepeat", options.exact_final, options.exit_roll == 6)


def make_law(options: Options, board: Board) -> Law:
    """The law of a board under house rules. Errors: BoardError for a board with too many ways."""
    homes, ways = home_indices(options, board), way_table(ground(options, board))
    words, room = next(size for size in SIZES if len(board.squares) <= 64 * size[0] and len(ways.landing) <= size[1])
    laws = np.zeros(1, law_dtype(words, room))
    law = laws[0]
    for name, number in (numbers(options) | _numbers(options, board, homes)).items():
        law[name] = number
    _lay_out(law, options, board, homes)
    law["ways"][: len(ways.starts)] = ways.starts
    law["way"]["landing"][: len(ways.landing)] = ways.landing
    law["way"]["between"][: len(ways.landing)] = _words(words, *ways.between)
    laws.flags.writeable = False
    return laws[0]


def _numbers(options: Options, board: Board, homes: tuple[int, ...]) -> dict[str, int]:
    return {
        "squares": len(board.squares),
        "words": (len(board.squares) + len(board.homes) + 63) // 64,
        "seats": options.seats or 0,
        "homes": len(board.homes),
        "colours": len(homes),
        "pawns": options.pawns or board.pawns,
        "final": board.final,
        "may_pass": options.pass_ == "always",
        "no_repeat": options.revisit == "noRepeat",
        "roll_off": options.first == "highestRoll",
        "mates": options.teams is not None,
    }


def _lay_out(law: Law, options: Options, board: Board, homes: tuple[int, ...]) -> None:
    """Write all tables of squares and homes, except the ways."""
    count, seats = len(board.squares), options.seats or 0
    law["home"][: len(homes)] = [count + home for home in homes]
    law["entry"][: len(board.homes)] = [home.entry for home in board.homes]
    law["seat_of"][: len(homes)] = [colour % seats for colour in range(len(homes))]
    law["colour_of"][:seats] = [(seat, seat + 2 if options.two_colours else NOBODY) for seat in range(seats)]
    law["colour_at"] = NOBODY
    law["colour_at"][list(homes)] = range(len(homes))
    law["side"][:seats] = sides(options)
    law["start"] = _words(len(law.start), sum(1 << square for square in board.barricades))[0]
    law["may_hold"] = _words(len(law.start), sum(1 << square for square in barricade_squares(options, board)))[0]
    law["first_row"][list(board.first_row)] = 1
    law["first_of"] = actions.laid_out(law).firsts
    law["neighbours"][:count] = [(*near, *(-1,) * (4 - len(near))) for near in board.neighbours]
    law["steps"][: count + len(board.homes), :count] = _distances(board)


def _words(words: int, *sets: int) -> np.ndarray[Any, Any]:
    """Sets of squares, each in `words` words."""
    return np.frombuffer(b"".join(bits.to_bytes(8 * words, "little") for bits in sets), "<u8").reshape(len(sets), words)


def _distances(board: Board) -> list[list[int]]:
    """Fewest steps from each origin to each square: squares first, then homes (one step more than their entry)."""
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
    """The record of a position. A place of a pawn is a square, or the number of squares + the index of its home."""
    return _state_dtype(len(law.start))


@functools.cache
def _state_dtype(words: int) -> np.dtype[Any]:
    fields = [
        ("barricades", np.uint64, (words,)),  # squares with a barricade, as bits
        ("pawns", np.uint64, (MOST_SEATS, words + 1)),  # places with a pawn of each seat, as bits
        ("turns", np.int32),
        ("owner", np.int8, (64 * words,)),  # colour of the pawn on each square, or -1
        ("at_home", np.int8, (MOST_SEATS,)),  # pawns of each colour in its home
        ("rolled", np.int8, (MOST_SEATS,)),  # roll-off: 0 still has to roll, -1 is out
        ("seat", np.int16),
        ("die", np.int16),
        ("phase", np.int16),
        ("reason", np.int16),
    ]
    return np.dtype(fields)  # aligned without gaps: equal positions have equal bytes


def action_count(law: Law) -> int:
    """The number of action ids."""
    return int(law.first_of[-1])


def max_legal(law: Law) -> int:
    """An upper bound of legal actions: rolls, seats, empty squares, or a pass and all moves."""
    return int(max(MOST_SIDES, law.squares) + 2 * law.pawns * law.squares)


@rule
def roll_action(number):
    """The id of rolling a number."""
    return number - 1


@rule
def first_action(law, seat):
    """The id of drawing the first seat."""
    return law.first_of[actions.FIRST] + seat


@rule
def pass_action(law):
    """The id of passing."""
    return law.first_of[actions.PASS]


@rule
def place_action(law, square):
    """The id of putting the barricade on a square."""
    return law.first_of[actions.PLACE] + square


@rule
def first_move(law):
    """The lowest id of a move."""
    return law.first_of[actions.MOVE]


@rule
def move_action(law, origin, landing):
    """The id of a move from an origin (a square, or squares + index of a home) to a landing square."""
    return first_move(law) + origin * law.squares + landing


@rule
def split_move(law, action):
    """Origin and landing of a move."""
    return (action - first_move(law)) // law.squares, (action - first_move(law)) % law.squares


def places_of(law: Law, state: Any, colour: int) -> list[int]:
    """The places of a colour's pawns, ascending; those at home come last."""
    squares: list[int] = (state.owner[: law.squares] == colour).nonzero()[0].tolist()
    return squares + [int(law.home[colour])] * int(state.at_home[colour])
