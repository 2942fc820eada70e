"""Smaller boards, cut from the standard one and solved: who wins from everywhere, in how many plies, with perfect play.

A board of `columns` by `rows` squares has the octagons between them; the corners are a1 and the square opposite. Positions are
numbered by class as in `endgames`, and looked at from player 1's side. Nothing is assumed about captures or moves: all positions
after one come from the rules themselves. What can be kept up for ever counts as nobody's (FBQ-15).
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges import SPEC
from bridgehead.games.forty_bridges.board import FIELDS, Board, standard
from bridgehead.games.forty_bridges.endgames import CHOOSE, members, number
from bridgehead.games.forty_bridges.history import clear
from bridgehead.games.forty_bridges.options import Options
from bridgehead.games.forty_bridges.rules import apply, legal, setup
from bridgehead.games.forty_bridges.state import ONE, ZERO, make_law

WINS, NOBODY, LOSES = -1, -2, -3  # after an action, in place of a position's number: how the game ended for who acted
LONGEST = 1000  # plies of a forced win
UNENDING = Options(repetition="none")


class Solved(NamedTuple):
    """values: of every position by its number, see `at`: 0 nobody can force a win; odd: the seat to move wins in so many plies;
    even: it loses in so many; -1: no such position. classes: (own pieces, others) and where its numbers begin."""

    game: Game
    values: np.ndarray[Any, np.dtype[np.int16]]
    classes: dict[tuple[int, int], int]


def cropped(columns: int, rows: int, setup: str) -> Board:
    """The fields of the standard board within the first columns and rows of squares; set up like `a1,b1,A1` for player 1.

    Player 2 stands opposite. Errors: OptionError.
    """
    whole = standard()
    if not (2 <= columns <= 5 and 2 <= rows <= 5):
        raise OptionError("forty_bridges:error.2_5_columns_rows_squares", f"{columns}x{rows}")
    right, top = 2 * columns - 2, 2 * rows - 2
    inside = {field for field, (x, y) in enumerate(whole.places) if x <= right and y <= top}
    opposite = {field: _number(right - x, top - y) for field, (x, y) in enumerate(whole.places) if field in inside}
    fields = [whole.field(name) for name in setup.split(",")]
    mine = tuple(sorted(field for field in fields if field in inside and field is not None))
    others = tuple(sorted(opposite[field] for field in mine))
    goal = opposite[0]
    if len(mine) != len(fields) or {*mine} & {*others} or goal in mine:
        raise OptionError("forty_bridges:error.fields_board_leave_other_side", setup)

    def kept(lists: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(to for to in each if field in inside and to in inside) for field, each in enumerate(lists))

    jumps = tuple(tuple((over, to) for over, to in each if {field, over, to} <= inside) for field, each in enumerate(whole.jump))
    return whole._replace(
        step=kept(whole.step), touch=kept(whole.touch), jump=jumps, bent=tuple(() for _ in jumps),
        setups={"block": (mine, others)}, corners=(0, goal),
    )  # fmt: skip


def _number(x: int, y: int) -> int:
    return (9 * y + x) // 2


def game_on(columns: int, rows: int, setup: str, options: Options = UNENDING) -> Game:
    """The game on a smaller board; without `options` repetition is left to whoever solves it."""
    return Game(SPEC, options, make_law(options, cropped(columns, rows, setup)))


@rule
def moved(pieces, to):
    """A set of fields, each of them replaced: to[field]."""
    found = ZERO
    while pieces:
        found |= ONE << np.uint64(to[lowest(pieces)])
        pieces &= pieces - ONE
    return found


@rule
def number_on(own, other, places, fields):
    """The number of a position in its class. places[field]: how many fields of the board come before it."""
    return number(moved(own, places), moved(other, places), fields)


@rule
def put(state, law, own, other):
    """Player 1 to move with these pieces."""
    setup(state, law)
    state.pieces[0], state.pieces[1] = own, other
    clear(state)


@rule
def successors(law, states, a, b, starts, places, opposite, out, ends, after, first):
    """Write what follows from every position of a class; how many entries there are then. ends[n]: where position n's entries
    stop; equal to the one before where there is no such position (somebody stands in the other's corner)."""
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
    """The number of a position where player 2 is to move, or how the game ended for player 1."""
    if state.reason != 0:
        return WINS if state.winner == 0 else NOBODY if state.winner < 0 else LOSES
    own, other = moved(state.pieces[1], opposite), moved(state.pieces[0], opposite)
    return starts[count(own), count(other)] + number_on(own, other, places, fields)


@rule
def settle_in(plies, values, ends, after):
    """Give their value to all positions that are decided in just so many plies; how many."""
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
    """How many fields of the game's board come before each field of it."""
    inside, places = inside_of(game), np.zeros(FIELDS, np.int64)
    places[inside] = range(len(inside))
    return places


def solve(game: Game, pieces: int) -> Solved:
    """Every position with up to so many pieces each. Errors: ValueError where a win takes more than LONGEST plies."""
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
    """The value of the position in which player 1 is to move with these pieces (words of fields)."""
    start = solved.classes[own.bit_count(), other.bit_count()]
    fields = int(solved.game.law.board).bit_count()
    return int(solved.values[start + int(number_on(np.uint64(own), np.uint64(other), places_of(solved.game), fields))])


def first_moves(solved: Solved) -> dict[str, int]:
    """The value of the start after each first move, for player 1: above 0 it wins in so many plies in all, below it loses."""
    game, found = solved.game, {}
    start = game.start()
    inside = inside_of(game)
    for action in start.legal:
        states = start.copy_states()
        game.spec.rules.apply(states[0], game.law, action)
        told = 0
        if states[0].reason:
            told = 1 if states[0].winner == 0 else 0
        else:
            own, other = (
                sum(1 << inside[-1 - inside.index(f)] for f in inside if int(states[0].pieces[s]) >> f & 1) for s in (1, 0)
            )
            value = at(solved, own, other)
            told = 0 if value == 0 else -(value + 1) if value % 2 else value + 1
        found[start.name(action)] = told
    return found
