"""Smaller boards, cut from the standard one and solved: the winner and the number of plies of every position.

A board of `columns` by `rows` squares includes the octagons between them; its corners are a1 and the opposite square. Positions
are numbered by class as in `endgames` and seen from player 1's side. The solver knows nothing about captures or moves: all
successors come from the rules. Endless play counts as a draw (FBQ-15).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges import SPEC
from bridgehead.games.forty_bridges.board import FIELDS, Board, number_of, standard
from bridgehead.games.forty_bridges.endgames import CHOOSE, members, number
from bridgehead.games.forty_bridges.options import Options
from bridgehead.games.forty_bridges.rules import ONE, ZERO, apply, clear_history, legal, make_law, setup

WINS, NOBODY, LOSES = -1, -2, -3  # in place of a successor's number: the result of a finished game for the seat that acted
LONGEST = 1000  # plies of a forced win
UNENDING = Options(repetition="none")


class Solved(NamedTuple):
    """values: by the number of a position (see `at`). 0: no side can force a win; odd: the seat to move wins in this many plies;
    even: it loses; -1: no such position. classes: the first number of each class (own pieces, others)."""

    game: Game
    values: np.ndarray[Any, np.dtype[np.int16]]
    classes: dict[tuple[int, int], int]


def crop_board(columns: int, rows: int, setup: str) -> Board:
    """The first columns and rows of squares of the standard board, with a set-up of player 1 such as `a1,b1,A1`.

    Player 2 stands opposite. Errors: OptionError.
    """
    whole = standard()
    if not (2 <= columns <= 5 and 2 <= rows <= 5):
        raise OptionError("forty_bridges:error.2_5_columns_rows_squares", f"{columns}x{rows}")
    right, top = 2 * columns - 2, 2 * rows - 2
    inside = {field for field, (x, y) in enumerate(whole.places) if x <= right and y <= top}
    opposite = {field: number_of((right - x, top - y)) for field, (x, y) in enumerate(whole.places) if field in inside}
    fields = [whole.field(name) for name in setup.split(",")]
    mine = tuple(sorted(field for field in fields if field in inside and field is not None))
    others = tuple(sorted(opposite[field] for field in mine))
    goal = opposite[0]
    if len(mine) != len(fields) or {*mine} & {*others} or goal in mine:
        raise OptionError("forty_bridges:error.fields_board_leave_other_side", setup)

    def keep_fields(lists: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(to for to in each if field in inside and to in inside) for field, each in enumerate(lists))

    jumps = tuple(tuple((over, to) for over, to in each if {field, over, to} <= inside) for field, each in enumerate(whole.jump))
    return whole._replace(
        step=keep_fields(whole.step), touch=keep_fields(whole.touch), jump=jumps, bent=tuple(() for _ in jumps),
        setups={"block": (mine, others)}, corners=(0, goal),
    )  # fmt: skip


def game_on(columns: int, rows: int, setup: str, options: Options = UNENDING) -> Game:
    """The game on a smaller board. By default repetition does not end it, which a solver needs."""
    return Game(SPEC, options, make_law(options, crop_board(columns, rows, setup)))


@rule
def map_fields(pieces, to):
    """A set of fields, each replaced by to[field]."""
    found = ZERO
    while pieces:
        found |= ONE << np.uint64(to[lowest(pieces)])
        pieces &= pieces - ONE
    return found


@rule
def number_on(own, other, places, fields):
    """The number of a position in its class. places[field]: how many fields of the board come before it."""
    return number(map_fields(own, places), map_fields(other, places), fields)


@rule
def put(state, law, own, other):
    """Set up a position with these pieces and player 1 to move."""
    setup(state, law)
    state.pieces[0], state.pieces[1] = own, other
    clear_history(state)


@rule
def successors(law, states, a, b, starts, places, opposite, out, ends, after, first):
    """Write the successors of every position of a class; return the number of entries. ends[n]: the end of position n's entries,
    equal to the one before if there is no such position (a piece stands in the other's corner)."""
    fields = count(law.board)
    begin = starts[a, b]
    seconds = CHOOSE[fields - a, b]
    for index in range(CHOOSE[fields, a] * seconds):
        own = members(index // seconds, law.board, a)
        other = members(index % seconds, law.board & ~own, b)
        if not (own & law.bit[law.goal[0]] or other & law.bit[law.goal[1]]):
            put(states[0], law, own, other)
            found = legal(states[0], law, out)
            for i in range(found):
                states[1] = states[0]
                apply(states[1], law, out[i])
                after[first + i] = outcome(law, states[1], starts, places, opposite, fields)
            first += found
        ends[begin + index] = first
    return first


@rule
def outcome(law, state, starts, places, opposite, fields):
    """The number of a position that player 2 moves in, or the result of a finished game for player 1."""
    if state.reason != 0:
        return WINS if state.winner == 0 else NOBODY if state.winner < 0 else LOSES
    own, other = map_fields(state.pieces[1], opposite), map_fields(state.pieces[0], opposite)
    return starts[count(own), count(other)] + number_on(own, other, places, fields)


@rule
def settle_in(plies, values, ends, after):
    """Set the values of all positions that are decided in exactly `plies` plies; return their number."""
    settled, begin = 0, 0
    for index in range(len(values)):
        end = ends[index]
        if values[index] == 0 and end > begin:
            won, lost = False, True
            for i in range(begin, end):
                child = after[i]
                value = 0 if child == WINS else 1 if child == LOSES else -1 if child == NOBODY else np.int64(values[child])
                if value % 2 == 0 and (child == WINS or value > 0):
                    won = won or value == plies - 1
                    lost = False
                elif value <= 0 or value >= plies:
                    lost = False
            if (plies % 2 == 1 and won) or (plies % 2 == 0 and lost):
                values[index] = plies
                settled += 1
        begin = end
    return settled


def inside_of(game: Game) -> list[int]:
    """The fields of the game's board."""
    return [field for field in range(FIELDS) if int(game.law.board) >> field & 1]


def places_of(game: Game) -> np.ndarray[Any, np.dtype[np.int64]]:
    """For each field of the game's board, the number of its fields before it."""
    inside, places = inside_of(game), np.zeros(FIELDS, np.int64)
    places[inside] = range(len(inside))
    return places


def solve(game: Game, pieces: int) -> Solved:
    """Solve all positions with up to `pieces` pieces a side. Errors: ValueError if a win takes more than LONGEST plies."""
    law, inside, places = game.law, inside_of(game), places_of(game)
    fields, opposite = len(inside), np.zeros(FIELDS, np.int64)
    opposite[inside] = inside[::-1]
    starts, classes, total = np.full((pieces + 1, pieces + 1), -1, np.int64), {}, 0
    for a in range(1, pieces + 1):
        for b in range(1, pieces + 1):
            starts[a, b] = classes[a, b] = total
            total += int(CHOOSE[fields, a] * CHOOSE[fields - a, b])
    states, out = game.new_states(2), np.empty(game.max_legal, np.int32)
    ends, after = np.zeros(total, np.int64), np.zeros(total * 6 * pieces, np.int32)
    first = 0
    for a, b in classes:
        first = int(successors(law, states, a, b, starts, places, opposite, out, ends, after, first))
    values = np.zeros(total, np.int16)
    for plies in range(1, LONGEST):
        if settle_in(plies, values, ends, after) == 0 and plies > 1:
            break
    else:
        raise ValueError(f"a win takes more than {LONGEST} plies")
    values[np.flatnonzero(np.diff(ends, prepend=0) == 0)] = -1
    return Solved(game, values, classes)


def at(solved: Solved, own: int, other: int) -> int:
    """The value of the position with these pieces (words of fields) and player 1 to move."""
    start = solved.classes[own.bit_count(), other.bit_count()]
    fields = int(solved.game.law.board).bit_count()
    return int(solved.values[start + int(number_on(np.uint64(own), np.uint64(other), places_of(solved.game), fields))])


def first_moves(solved: Solved) -> dict[str, int]:
    """The value of each first move for player 1: positive for a win in this many plies in all, negative for a loss."""
    game, found = solved.game, {}
    start = game.start()
    inside = inside_of(game)
    for action in start.legal:
        states = start.copy_states()
        game.spec.rules.apply(states[0], game.law, action)
        result = 0
        if states[0].reason:
            result = 1 if states[0].winner == 0 else 0
        else:
            own, other = (
                sum(1 << inside[-1 - inside.index(f)] for f in inside if int(states[0].pieces[s]) >> f & 1) for s in (1, 0)
            )
            value = at(solved, own, other)
            result = 0 if value == 0 else -(value + 1) if value % 2 else value + 1
        found[start.name(action)] = result
    return found
