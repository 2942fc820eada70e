"""The rules of Barricade: its law (board tables and house rules), its state record, actions and refusals."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from bridgehead.core.bits import lowest, write_each
from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.layout import Array
from bridgehead.core.numbers import fill, uint64
from bridgehead.core.options import numbers
from bridgehead.games.barricade import actions
from bridgehead.games.barricade.board import MOST_HOMES, MOST_SQUARES, Board
from bridgehead.games.barricade.options import MOST_SEATS, MOST_SIDES, Options, barricade_squares, home_indices, sides
from bridgehead.games.barricade.walks import MOST_ROWS, WalkRules, way_table

NOBODY = -1
ONE = uint64(1)
ZERO = uint64(0)
# Words of bits for the squares, and room for ways: the rules are compiled once for each size.
SIZES = ((2, 4096), (MOST_SQUARES // 64, 32_768), (MOST_SQUARES // 64, MOST_ROWS))


def ground(options: Options, board: Board) -> WalkRules:
    """The board with the house rules about ways."""
    return WalkRules(board, options.die_sides, options.revisit == "noRepeat", options.exact_final, options.exit_roll == 6)


def make_law(options: Options, board: Board) -> Any:
    """The law of a board under house rules: house rules as numbers, and tables with room for words and ways (`SIZES`).

    An origin is a square, or the number of squares + index of a home. Errors: BoardError for a board with too many ways.
    """
    homes, ways = home_indices(options, board), way_table(ground(options, board))
    count, seats = len(board.squares), options.seats or 0
    words, room = next(size for size in SIZES if count <= 64 * size[0] and len(ways.landing) <= size[1])
    counts = _counts(options, board, homes)
    colour_at, row = {home: colour for colour, home in enumerate(homes)}, board.first_row
    way = {"between": _words(words, *ways.between), "landing": ways.landing}
    firsts = actions.laid_out(SimpleNamespace(**{**numbers(options), **counts})).firsts
    tables = {
        "home": Array("int16", (MOST_SEATS,), [count + home for home in homes]),  # place of each colour's pawns at home
        "entry": Array("int16", (MOST_HOMES,), [home.entry for home in board.homes]),  # square in front of each home
        "seat_of": Array("int8", (MOST_SEATS,), [colour % seats for colour in range(len(homes))]),  # seat of each colour
        # colours of each seat, and of each home; -1 for none
        "colour_of": Array("int8", (MOST_SEATS, 2), [(s, s + 2 if options.two_colours else NOBODY) for s in range(seats)]),
        "colour_at": Array("int8", (MOST_HOMES,), [colour_at.get(home, NOBODY) for home in range(MOST_HOMES)]),
        "side": Array("int8", (MOST_SEATS,), sides(options)),  # side of each seat: its lowest seat
        "start": Array(
            "uint64", (words,), _words(words, sum(1 << square for square in board.barricades))[0]
        ),  # barricades at the start, as bits
        "may_hold": Array(
            "uint64", (words,), _words(words, sum(1 << square for square in barricade_squares(options, board)))[0]
        ),  # and squares for one
        "first_row": Array("int8", (64 * words,), [square in row for square in range(count)]),
        "first_of": Array("int64", (len(firsts),), firsts),  # first action id of each kind, then how many there are
        "neighbours": Array("int16", (64 * words, 4), [(*near, *(-1,) * (4 - len(near))) for near in board.neighbours]),
        "steps": Array(
            "int16", (64 * words + MOST_HOMES, 64 * words), _distances(board)
        ),  # fewest from origin to square, barricades ignored
        "ways": Array(
            "uint32", ((64 * words + MOST_HOMES) * MOST_SIDES + 1,), ways.starts
        ),  # first way of origin * sides + roll - 1
        "way": Array(
            [("between", "uint64", (words,)), ("landing", "uint16")], (room,), way
        ),  # landing, and the squares between, as bits, that must hold no barricade
    }
    return pack_law({**counts, **tables}, numbers(options))


def _counts(options: Options, board: Board, homes: tuple[int, ...]) -> dict[str, int]:
    return {
        "squares": len(board.squares),
        "words": (len(board.squares) + len(board.homes) + 63) // 64,  # of bits, for all places
        "seats": options.seats or 0,
        "homes": len(board.homes),
        "colours": len(homes),  # homes in play
        "pawns": options.pawns or board.pawns,
        "final": board.final,
        "may_pass": options.pass_ == "always",  # even with a legal move
        "no_repeat": options.revisit == "noRepeat",
        "roll_off": options.first == "highestRoll",
        "mates": options.teams is not None,
    }


def _words(words: int, *sets: int) -> Sequence[tuple[int, ...]]:
    """Sets of squares, each in `words` words."""
    return [struct.unpack(f"<{words}Q", bits.to_bytes(8 * words, "little")) for bits in sets]


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


def state_dtype(law: Any) -> list[tuple[Any, ...]]:
    """The record of a position. A place of a pawn is a square, or the number of squares + the index of its home."""
    words = len(law.start)
    return [
        ("barricades", "uint64", (words,)),  # squares with a barricade, as bits
        ("pawns", "uint64", (MOST_SEATS, words + 1)),  # places with a pawn of each seat, as bits
        ("turns", "int32"),
        ("owner", "int8", (64 * words,)),  # colour of the pawn on each square, or -1
        ("at_home", "int8", (MOST_SEATS,)),  # pawns of each colour in its home
        ("rolled", "int8", (MOST_SEATS,)),  # roll-off: 0 still has to roll, -1 is out
        ("seat", "int16"),
        ("die", "int16"),
        ("phase", "int16"),
        ("reason", "int16"),
    ]


def action_count(law: Any) -> int:
    return int(law.first_of[-1])


def max_legal(law: Any) -> int:
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


def places_of(law: Any, state: Any, colour: int) -> list[int]:
    """The places of a colour's pawns, ascending; those at home come last."""
    return [square for square in range(law.squares) if state.owner[square] == colour] + [int(law.home[colour])] * int(
        state.at_home[colour]
    )


# -- the rules ---------------------------------------------------------------------------------------------------------
class Reason(RefusalCode):
    """Reasons to refuse an action: the clause, and the key of the sentence."""

    OK = "", ""
    IS_OVER = "BA-M.2", "over.refused"
    DRAW_FIRST = "BA-M.1", "refused.draw"
    ROLL_OFF_FIRST = "BAQ-12", "refused.rollOff"
    ROLL_FIRST = "BA-M.3", "refused.roll"
    DRAWN = "BA-M.1", "refused.drawn"
    ROLLED = "BAQ-19", "refused.rolled"
    PLACE_FIRST = "BAQ-9", "refused.placeFirst"
    NONE_IN_HAND = "BA-R.7", "refused.noneInHand"
    PASS = "BAQ-1", "refused.pass"
    ON_BARRICADE = "BA-R.7", "refused.onBarricade"
    ON_PAWN = "BA-R.7", "refused.onPawn"
    SQUARE_CLOSED = "BAQ-8", "refused.squareClosed"
    NO_PAWN = "BA-M.3", "refused.noPawn"
    FOREIGN_PAWN = "BA-M.3", "refused.foreignPawn"
    MATES_PAWN = "BA-T.2", "refused.matesPawn"
    EXIT = "BAQ-4", "refused.exit"
    DISTANCE = "BA-R.1", "refused.distance"
    TURNING_BACK = "BA-R.3", "refused.turningBack"
    TWICE = "BAQ-2", "refused.twice"
    BARRICADE = "BA-R.5", "refused.barricade"
    OWN_PAWN = "BA-R.6", "refused.ownPawn"
    MATE_THERE = "BA-T.3", "refused.mateThere"
    SAFE = "BAQ-10", "refused.safe"


@rule
def bit(place):
    """The bit of a square or a place within its word."""
    return ONE << uint64(place & 63)


@rule
def has_barricade(state, square):
    """Whether a barricade stands on the square."""
    return state.barricades[square >> 6] & bit(square) != ZERO


@rule
def has_pawn(state, seat, place):
    """Whether a pawn of the seat stands on the square, or waits in the home."""
    return state.pawns[seat, place >> 6] & bit(place) != ZERO


@rule
def is_free(state, way):
    """BA-R.5: no barricade stands between the ends of this way."""
    between, barricades, blocked = way.between, state.barricades, ZERO
    for word in range(len(barricades)):
        blocked |= between[word] & barricades[word]
    return blocked == ZERO


@rule
def landing_refusal(state, law, seat, origin, square):
    """BA-R.6: a pawn ends on an empty square (also the one it left), a barricade, or an opponent's pawn."""
    if state.owner[square] == NOBODY:
        return Reason.OK
    if law.mates | law.first_row_safe:
        other = law.seat_of[int(state.owner[square])]
        if other != seat and law.side[other] == law.side[seat]:
            return Reason.MATE_THERE  # BA-T.3
        if other != seat and law.first_row_safe & law.first_row[square]:
            return Reason.SAFE  # BAQ-10
    own = (square != origin) & has_pawn(state, seat, square)
    return Reason.OWN_PAWN if own else Reason.OK  # BAQ-5


@rule
def may_go(state, law, seat, origin, way, square):
    """Whether the way to the square is free and the pawn may end there."""
    return is_free(state, way) & (landing_refusal(state, law, seat, origin, square) == Reason.OK)


@rule
def roll_of(state, law, origin):
    """The index in `law.ways` for an origin and the present roll: this entry is the first way, the next one the end."""
    return origin * law.die_sides + int(state.die) - 1


@rule
def can_move(state, law):
    """Whether the seat on turn has a move with this roll."""
    seat = int(state.seat)
    for word in range(law.words):
        origins = state.pawns[seat, word]
        while origins != ZERO:
            origin = 64 * word + lowest(origins)
            index = roll_of(state, law, origin)
            for w in range(law.ways[index], law.ways[index + 1]):
                if may_go(state, law, seat, origin, law.way[w], int(law.way[w].landing)):
                    return True
            origins &= origins - ONE
    return False


@rule
def places_with_pawns(state, law, word):
    """One word of the bits of all places that hold a pawn."""
    found = ZERO
    for seat in range(law.seats):
        found |= state.pawns[seat, word]
    return found


@rule
def open_squares(state, law, word):
    """BA-R.7, BAQ-8: the empty squares that may hold a barricade, as one word of bits."""
    return law.may_hold[word] & ~(state.barricades[word] | places_with_pawns(state, law, word))


@rule
def place_refusal(state, law, square):
    """The refusal of a square for the barricade."""
    if open_squares(state, law, square >> 6) & bit(square) != ZERO:
        return Reason.OK
    if state.owner[square] != NOBODY:
        return Reason.ON_PAWN
    return Reason.ON_BARRICADE if has_barricade(state, square) else Reason.SQUARE_CLOSED


@rule
def lift(state, law, place):
    """Take a pawn from a place; returns its colour."""
    left = 0
    if place < law.squares:
        colour = int(state.owner[place])
        state.owner[place] = NOBODY
    else:
        colour = int(law.colour_at[place - law.squares])
        left = state.at_home[colour] - 1
        state.at_home[colour] = left
    if left == 0:
        state.pawns[law.seat_of[colour], place >> 6] ^= bit(place)
    return colour


@rule
def put(state, law, colour, place):
    """Put a pawn of a colour on a place."""
    if place < law.squares:
        state.owner[place] = colour
    else:
        state.at_home[colour] += 1
    state.pawns[law.seat_of[colour], place >> 6] |= bit(place)


@rule
def clear_pawns(state):
    """Take all pawns off all places of `state.pawns`."""
    for seat in range(MOST_SEATS):
        for word in range(len(state.barricades) + 1):
            state.pawns[seat, word] = ZERO


# -- actions -----------------------------------------------------------------------------------------------------------
DRAW, ROLL_OFF, ROLL, MOVE, PLACE, OVER = range(6)
FINAL, TURN_LIMIT = 1, 2
REFUSALS = Reason
REASONS = (("", ""), ("final", "BA-G"), ("turn-limit", "BAQ-16"))


@rule
def setup(state, law):
    """All pawns at home (BA-C.3), barricades on the black squares (BA-C.4), and no first seat yet (BAQ-12)."""
    for word in range(len(state.barricades)):  # a card's compiler copies no whole arrays
        state.barricades[word] = law.start[word]
    fill(state.owner, NOBODY)
    clear_pawns(state)
    fill(state.at_home, 0)
    for colour in range(law.colours):
        for _ in range(law.pawns):
            put(state, law, colour, int(law.home[colour]))
    fill(state.rolled, 0)
    state.turns = 0
    state.phase = ROLL_OFF if law.roll_off else DRAW
    state.seat = 0
    state.die = 0
    state.reason = 0


@rule
def actor(state, law):
    """The seat on turn; chance for the die and the draw (BA-C.6)."""
    if state.phase == OVER:
        return -2
    return int(state.seat) if state.phase >= MOVE else -1


@rule
def legal(state, law, out):
    """The legal action ids, ascending: moves by origin, then by landing."""
    if state.phase == OVER:
        return 0
    if state.phase == DRAW:
        for seat in range(law.seats):
            out[seat] = first_action(law, seat)
        return law.seats
    if state.phase < MOVE:
        for number in range(1, MOST_SIDES + 1):  # a loop with a fixed number of steps is faster
            out[number - 1] = roll_action(number)
        return law.die_sides  # BAQ-17
    count = 0
    if state.phase == PLACE:
        for word in range(len(state.barricades)):
            count = write_each(open_squares(state, law, word), place_action(law, 64 * word), out, count)
        return count
    seat = int(state.seat)
    if law.may_pass:  # BA-M.4, BAQ-1
        out[0] = pass_action(law)
        count = 1
    for word in range(law.words):
        origins = state.pawns[seat, word]  # BAQ-20
        while origins != ZERO:
            origin, last = 64 * word + lowest(origins), -1
            origins &= origins - ONE
            first, index = move_action(law, origin, 0), roll_of(state, law, origin)
            for w in range(law.ways[index], law.ways[index + 1]):
                way = law.way[w]
                square = int(way.landing)
                allowed = may_go(state, law, seat, origin, way, square) & (square != last)  # BAQ-3
                out[count] = first + square
                count += allowed
                last = square if allowed else last
    if count == 0:  # BAQ-15
        out[0] = pass_action(law)
        count = 1
    return count


@rule
def refusal(state, law, action):
    phase = int(state.phase)
    if phase == OVER:
        return Reason.IS_OVER
    if phase == DRAW:
        return Reason.OK if law.die_sides <= action < pass_action(law) else Reason.DRAW_FIRST
    if phase == ROLL_OFF:
        return Reason.OK if action < law.die_sides else Reason.ROLL_OFF_FIRST
    if law.die_sides <= action < pass_action(law):
        return Reason.DRAWN
    if phase == ROLL:
        return Reason.OK if action < law.die_sides else Reason.ROLL_FIRST
    if action < law.die_sides:
        return Reason.ROLLED
    if phase == PLACE:
        if action == pass_action(law) or action >= first_move(law):
            return Reason.PLACE_FIRST  # BAQ-9
        return place_refusal(state, law, action - place_action(law, 0))
    if action == pass_action(law):
        return Reason.PASS if not law.may_pass and can_move(state, law) else Reason.OK
    if action < first_move(law):
        return Reason.NONE_IN_HAND
    return _move_refusal(state, law, action)


@rule
def _move_refusal(state, law, action):
    seat = int(state.seat)
    origin, square = split_move(law, action)
    why = _pawn_refusal(state, law, seat, origin)
    if why != Reason.OK:
        return why
    if origin >= law.squares and law.exit_roll and state.die != law.exit_roll:
        return Reason.EXIT
    index = roll_of(state, law, origin)
    blocked = False
    for w in range(law.ways[index], law.ways[index + 1]):
        if law.way[w].landing == square:
            if is_free(state, law.way[w]):
                return landing_refusal(state, law, seat, origin, square)
            blocked = True
    if blocked:
        return Reason.BARRICADE
    left = int(state.die) - int(law.steps[origin, square])
    if left < 0 or left % 2 == 1:
        return Reason.DISTANCE  # by parity no way of this length ends there, even with a turn back
    return Reason.TWICE if law.no_repeat else Reason.TURNING_BACK


@rule
def _pawn_refusal(state, law, seat, origin):
    """BA-M.3: one own pawn moves; BA-T.2: never a mate's."""
    if has_pawn(state, seat, origin):
        return Reason.OK
    if origin < law.squares:
        owner = int(state.owner[origin])
    else:
        owner = int(law.colour_at[origin - law.squares])
        if owner != NOBODY and state.at_home[owner] == 0:
            owner = NOBODY
    if owner == NOBODY:
        return Reason.NO_PAWN
    other = law.seat_of[owner]
    return Reason.MATES_PAWN if law.side[other] == law.side[seat] else Reason.FOREIGN_PAWN


@rule
def apply(state, law, action):
    if state.phase == ROLL:
        state.die = action + 1
        state.phase = MOVE
    elif state.phase == MOVE:
        if action == pass_action(law):
            _end_turn(state, law)
        else:
            _move(state, law, action)
    elif state.phase == PLACE:
        square = action - place_action(law, 0)
        state.barricades[square >> 6] |= bit(square)
        _end_turn(state, law)
    elif state.phase == ROLL_OFF:
        _roll_off(state, law, action + 1)
    else:
        state.seat = action - law.die_sides
        state.phase = ROLL


@rule
def _move(state, law, action):
    origin, square = split_move(law, action)
    if state.owner[square] != NOBODY and square != origin:  # BA-R.8
        taken = lift(state, law, square)
        put(state, law, taken, int(law.home[taken]))
    put(state, law, lift(state, law, origin), square)
    on_barricade = has_barricade(state, square)
    if on_barricade:
        state.barricades[square >> 6] ^= bit(square)  # BA-R.7, BAQ-26
    if square == law.final:
        state.phase = OVER
        state.reason = FINAL
    elif on_barricade:
        state.phase = PLACE
    else:
        _end_turn(state, law)


@rule
def _end_turn(state, law):
    """The next seat rolls (BA-M.2); with rollAgainOn6 the same turn goes on after a 6 (BAQ-11, BAQ-23)."""
    again = law.roll_again_on_6 and state.die == 6
    state.die = 0
    state.phase = ROLL
    if again:
        return
    state.turns += 1
    state.seat = state.seat + 1 if state.seat + 1 < law.seats else 0
    if law.turn_limit > 0 and state.turns >= law.turn_limit:
        state.phase = OVER  # BAQ-16
        state.reason = TURN_LIMIT
        state.seat = 0


@rule
def _roll_off(state, law, number):
    """BAQ-12, BAQ-24: seats roll in order; equal highest roll again among themselves; the roll moves nothing."""
    state.rolled[int(state.seat)] = number
    best, count = 0, 0
    for seat in range(law.seats):
        rolled = int(state.rolled[seat])
        if rolled == 0:
            state.seat = seat
            return
        if rolled > best:
            best, count = rolled, 0
        if rolled == best:
            count += 1
    leader = -1
    for seat in range(law.seats):
        if state.rolled[seat] < best:
            state.rolled[seat] = -1
        else:
            state.rolled[seat] = 0
            leader = seat if leader == -1 else leader
    state.seat = leader
    if count == 1:
        fill(state.rolled, 0)
        state.phase = ROLL


@rule
def side_steps(state, law, side):
    """Steps from the side's nearest pawn to the final square; home is one before its entry, barricades do not count (BAQ-25)."""
    best = 2 * law.squares
    for seat in range(law.seats):
        if law.side[seat] == side:
            for word in range(law.words):
                places = state.pawns[seat, word]
                while places != ZERO:
                    best = min(best, int(law.steps[64 * word + lowest(places), law.final]))
                    places &= places - ONE
    return best


@rule
def returns(state, law, out):
    """1.0 for the winning side, -1.0 for the others; 0.0 if the nearest pawns tie (BA-G, BA-T.4, BAQ-25)."""
    winner = -1
    if state.reason == FINAL:
        winner = int(law.side[int(state.seat)])
    else:
        best = 2 * law.squares
        for seat in range(law.seats):
            if law.side[seat] == seat:  # the number of a side is its lowest seat
                steps = side_steps(state, law, seat)
                if steps == best:
                    winner = -1
                elif steps < best:
                    best, winner = steps, seat
    for seat in range(law.seats):
        out[seat] = 0.0 if winner == -1 else 1.0 if law.side[seat] == winner else -1.0
