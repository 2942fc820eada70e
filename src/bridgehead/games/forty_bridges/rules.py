"""The rules of 40 Bridges: start, legal actions, their effects, the end, and the reasons to refuse an action.

Sets of fields are words of bits, and a step or a side is a shift: the differences to a field's neighbours are the same
everywhere, except at the edges, for which the law has masks. Indexes in hot loops are unsigned (`uint64`), which saves
the check of their sign. All callers of a rule pass the same types, so it is compiled once.

Repetition (FBQ-15): the plies since the last removal can be taken back one by one. A removal cannot be undone, so no older
position can occur again. A record keeps seven bits for each ply, enough to take it back: the piece that moved, counted by
field (of eight at most), and one of sixteen ways (`WAYS`); zero for a pass. A hash filter (`remember`) recognises most
new positions at once.

A set of fields is a word of 41 bits: bit 0 is a1, bit 40 is e5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bridgehead.core.actions import Actions, Kind
from bridgehead.core.bits import count, lowest, members, write_each
from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import COMPILED, rule
from bridgehead.core.law import pack_law
from bridgehead.core.layout import Array
from bridgehead.core.numbers import ALL, fill, int64, uint64
from bridgehead.core.options import numbers
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.games.forty_bridges.board import FIELDS, Board, balanced_openings
from bridgehead.games.forty_bridges.options import Options

OPENINGS = len(balanced_openings())
MOVES = Kind("{start}-{end}"), Kind("pass"), Kind("take {field}")
KINDS = (*MOVES, Kind("first {seat}"), Kind("swap"), Kind("opening {opening}"))
ACTIONS = Actions(KINDS, {"start": FIELDS, "end": FIELDS, "field": FIELDS, "seat": 2, "opening": OPENINGS})
# The last two kinds exist only by house rules: a choice of side (FBQ-28), openings drawn by lot (FBQ-29).
_, PASS, TAKE, FIRST, SWAP, OPENING, END = ACTIONS.firsts

# House rules as numbers: the place of a word among those allowed.
SUICIDE_REMOVED, SUICIDE_FORBIDDEN, SUICIDE_SAFE = 0, 1, 2
BLOCKED_PASSES, BLOCKED_LOSES, BLOCKED_DRAWS = 0, 1, 2
REPETITION_DRAWS, REPETITION_IGNORED, REPETITION_FORBIDDEN = 0, 1, 2
USUAL_LIMIT = 108
NO_LIMIT = 1000  # this many quiet plies end a game that has no quiet limit (docs/lookup/notation.md)

ZERO, ONE = uint64(0), uint64(1)
SPAN = uint64(FIELDS)
PLIES = uint64(9)  # number of plies in a word
NEAR = 9  # largest difference of the numbers of touching fields
# Ways to take back a move, as differences of field numbers. A step and a straight jump over a piece of the same type share a
# way: if an own piece stands next to the end field, it was the jump. The piece with the lowest number never moves by the first
# way, since it would have jumped over a lower one. So piece 0 with way 0 is free to mean a pass.
WAYS = (-10, 10, -8, 8, -1, 1, -9, 9, -3, 3, -6, 6, -13, 13, -14, 14)
FAR = {-1: -2, 1: 2, -9: -18, 9: 18}


def make_law(options: Options, board: Board) -> Any:
    """The law: tables of the board and house rules as numbers. House rules have fields of their own names, too."""

    def having(fields: tuple[tuple[int, ...], ...], *ways: int) -> Array:
        return words([(f for f in range(FIELDS) if any(f + way in fields[f] for way in ways))], ())

    def between(jumps: tuple[tuple[tuple[int, int], ...], ...]) -> Array:
        sets = [[[over for over, end in jumps[field] if end == to] for to in range(FIELDS)] for field in range(FIELDS)]
        return Array("uint64", (FIELDS, FIELDS), [[bits_of(fields) for fields in row] for row in sets])

    way, near, far = ways_of(board)
    jumps = [board.jump[f] + (board.bent[f] if options.bent_jumps else ()) for f in range(FIELDS)]
    tables = {
        "board": words([(field for field in range(FIELDS) if board.touch[field])], ()),  # fewer on a smaller board, see `small`
        "bit": words([field] for field in range(FIELDS)),  # of each field
        "step": words(board.step),  # fields a step away from each
        "touch": words(board.touch),
        "step_east": having(board.step, 1),  # fields with a step, or touching fields of the other type, on that side
        "step_west": having(board.step, -1),
        "touch_east": having(board.touch, 5, -4),
        "touch_west": having(board.touch, 4, -5),
        # the number of the eight sides that need not be closed, as three binary digits for all fields
        "spare": Array("uint64", (3,), [-(8 - options.sides_needed >> digit & 1) % 2**64 for digit in range(3)]),
        "landing": words({to for _, to in each} for each in jumps),  # fields that jumps from each reach
        "leaps": leaps_of(jumps),  # [half, friends]: where jumps over these friends land, relative to any field
        "between": between(board.jump),  # [field, to]: fields under a straight jump
        "between_bent": between(board.bent),  # and under a bent one, under any house rule
        "opening": words(board.opening(options.setup, options.layout)),  # first fields of each seat
        "drawn": drawn_moves(),  # [seat, opening]: the first moves of this seat, who begins, and of the other
        "goal": Array("int64", (2,), board.corners[::-1]),  # the opponent's corner
        "ahead": ahead_of(board),  # [seat, field]: the fields that are no farther from the goal
        "way": way,  # [start, end]: the index in WAYS to take back a move
        "near": near,  # [end, way]: the bit of the field that this leads to, or 0
        "far": far,  # [end, way]: the bit of the field behind it, for ways with two fields
        "first_drawn": int(options.first == "random"),
        "most_captures": options.max_captures or 8,
        "blocked": ("pass", "lose", "draw").index(options.no_moves),
        "quiet_limit": options.quiet_limit or NO_LIMIT,
    }
    return pack_law(tables, numbers(options))


def possible_starts(law: Any, state: Any) -> list[tuple[int, int]]:
    """The pieces with which the seats may have begun, as far as a position tells: an exchange may be past (FBQ-28).

    Only their numbers and types are right then, not their fields.
    """
    one, other = map(int, law.opening)
    return [(one, other), (other, one)] if law.pie and state.turns > 1 else [(one, other)]


def words(sets: Iterable[Iterable[int]], shape: tuple[int, ...] | None = None) -> Array:
    """Sets of fields as a table of words; with the shape (), one word."""
    found = [bits_of(fields) for fields in sets]
    return Array("uint64", (len(found),), found) if shape is None else Array("uint64", shape, found[0])


def drawn_moves() -> Array:
    """The moves of each opening by who begins, as actions: player 2 sees the board after half a turn (FBQ-29)."""
    sets = balanced_openings()
    turned = [[[FIELDS - 1 - field for field in move] for move in opening] for opening in sets]
    moves = [[[start * FIELDS + end for start, end in opening] for opening in each] for each in (sets, turned)]
    return Array("uint16", (2, OPENINGS, 2), moves)


def ahead_of(board: Board) -> Array:
    """For each seat and field the set of fields that are no farther from the goal (FBQ-25): `ahead` of the law.

    A distance is a sum of columns and rows, as a piece without jumps would walk it.
    """

    def far(field: int, goal: int) -> int:
        return sum(abs(here - there) for here, there in zip(board.places[field], board.places[goal], strict=True))

    fields = range(FIELDS)
    sets = [
        [bits_of(end for end in fields if far(end, goal) <= far(start, goal)) for start in fields] for goal in board.corners[::-1]
    ]
    return Array("uint64", (2, FIELDS), sets)


def ways_of(board: Board) -> tuple[Array, Array, Array]:
    """The tables `way`, `near` and `far` of the law, to take back moves."""
    way = [[0] * FIELDS for _ in range(FIELDS)]
    near, far = ([[0] * len(WAYS) for _ in range(FIELDS)] for _ in range(2))
    for end in range(FIELDS):
        starts = {*board.step[end], *(start for _, start in board.jump[end] + board.bent[end])}
        for number, by in enumerate(WAYS):
            for table, start in ((near, end + by), (far, end + FAR.get(by, FIELDS))):
                if start in starts:
                    way[start][end] = number
                    table[end][number] = 1 << start
    shape = FIELDS, len(WAYS)
    return Array("uint8", (FIELDS, FIELDS), way), Array("uint64", shape, near), Array("uint64", shape, far)


def leaps_of(jumps: list[tuple[tuple[int, int], ...]]) -> Array:
    """Landings of jumps by the friends around: leaps[0, w] for the nine fields numbered just before a field, leaps[1, w] after.

    A direction changes a field's number by the same amount anywhere, so one table serves all fields; `w` is nine bits, and
    bit NEAR * 2 of an entry is the field itself. `landing` of the law removes landings beyond the edge.
    """
    leaps = [[0] * (1 << NEAR) for _ in range(2)]
    ways = {(over - field, to - field) for field in range(FIELDS) for over, to in jumps[field]}
    for friends in range(1 << NEAR):
        for over, to in ways:
            half, place = (0, over + NEAR) if over < 0 else (1, over - 1)
            if friends >> place & 1:
                leaps[half][friends] |= 1 << to + 2 * NEAR
    return Array("uint64", (2, 1 << NEAR), leaps)


def bits_of(fields: Iterable[int]) -> int:
    """The bits of a set of fields, as a whole number."""
    return sum(1 << field for field in fields)


def word(fields: Iterable[int]) -> Any:
    """The set of fields as a word of bits."""
    return uint64(bits_of(map(int, fields)))


def fields_of(bits: Any) -> list[int]:
    """The fields of a word of bits, ascending."""
    return members(bits)


def state_dtype(law: Any) -> list[tuple[Any, ...]]:
    """The record of a position.

    pieces[seat]: its fields. plies: since the last removal; once, twice: the filter of earlier positions (see `remember`;
    all zero when repetition has no effect: by house rule, with captures to choose, or after the end). quiet: number of plies
    since the last removal. seat: on turn, -1 while it is drawn. takes: captures still to choose; moved: the end field of the move
    while takes > 0, else -1. reason, winner: of the end (winner -1: none).
    """
    remembered = USUAL_LIMIT if law.quiet_limit <= USUAL_LIMIT else NO_LIMIT  # two sizes, each compiled separately
    kept = -(-remembered // int(PLIES))
    sets = [("pieces", "uint64", (2,)), ("plies", "uint64", (kept,)), ("once", "uint64", (4,)), ("twice", "uint64", (4,))]
    counts = [("turns", "uint32"), ("quiet", "uint16"), ("takes", "uint16")]
    return [*sets, *counts, *((name, "int16") for name in ("seat", "moved", "reason", "winner"))]


def action_count(law: Any) -> int:
    if law.openings:
        return END
    return OPENING if law.pie else SWAP


def max_legal(law: Any) -> int:
    """An upper bound of legal actions with surplus entries: eight pieces, every other field."""
    return 8 * (FIELDS - 1)


@rule
def move_id(start, end):
    """The action that moves from one field to another."""
    return start * FIELDS + end


# -- the rules ---------------------------------------------------------------------------------------------------------
class Reason(RefusalCode):
    """Reasons to refuse an action: the clause, and the key of the sentence."""

    OK = "", ""
    OVER = "FB-3", "over.refused"
    CHANCE = "FBQ-2", "chance.refused"
    DRAWN = "FBQ-2", "refused.drawn"
    CHOOSE = "FBQ-7", "refused.choose_captures"
    NOTHING = "FBQ-7", "refused.nothing_to_choose"
    UNSURROUNDED = "FB-5.a", "refused.not_surrounded"
    PASS = "FBQ-14", "refused.pass"
    SAME = "FB-4.a", "refused.same_field"
    PIECE = "FB-4.a", "refused.no_piece"
    YOURS = "FB-4.a", "refused.not_yours"
    OCCUPIED = "FB-4.b", "refused.occupied"
    TYPE = "FB-2.d", "refused.other_type"
    LANDING = "FB-4.d", "refused.landing_occupied"
    FRIEND = "FB-4.d", "refused.nobody_to_jump"
    OPPONENT = "FB-4.e", "refused.over_opponent"
    BENT = "FBQ-3", "refused.bent"
    TWO = "FB-4.f", "refused.two_jumps"
    FAR = "FB-4.b", "refused.too_far"
    SUICIDE = "FBQ-23", "refused.suicide"
    REPEAT = "FBQ-24", "refused.repetition"
    RETREAT = "FBQ-25", "refused.retreat"
    SWAP = "FBQ-28", "refused.swap"
    LOT = "FBQ-29", "chance.refused"
    OPENED = "FBQ-29", "refused.opened"


# -- repetition --------------------------------------------------------------------------------------------------------
BITS, PIECE, WAY = uint64(7), uint64(4), uint64(15)  # bits of a ply: all, the bits below the piece, the bits of the way
PLY = (ONE << BITS) - ONE
PLACES = uint64(251)  # a prime: moving a piece always changes the place
SIX, LAST = uint64(6), uint64(63)
ABOVE = uint64(23)


@rule
def note_ply(state, law, start, end):
    """Store the move that the seat on turn has just made without a removal. (A pass is zero, so it needs no storing.)"""
    if law.repetition != REPETITION_IGNORED:
        ply, own = uint64(state.quiet), state.pieces[uint64(state.seat)]
        code = (uint64(count(own & (law.bit[end] - ONE))) << PIECE) | uint64(law.way[start, end])
        state.plies[ply // PLIES] |= code << (BITS * (ply % PLIES))


@rule
def taken_back(state, law, own, ply):
    """A player's pieces before a ply, computed from those after it. Plies count from 0 at the last removal."""
    code = (state.plies[ply // PLIES] >> (BITS * (ply % PLIES))) & PLY
    if code == ZERO:
        return own
    rest = own
    for _ in range(code >> PIECE):
        rest &= rest - ONE
    end, way = lowest(rest), code & WAY
    start = law.near[end, way]
    if start & own:
        start = law.far[end, way]
    return own ^ law.bit[end] ^ start


@rule
def filter_slot(first, second):
    """The slot of a position in the filter of repetitions, by both players' pieces; other positions may share it."""
    return (first ^ (second << ABOVE)) % PLACES


@rule
def remember(state, law):
    """Mark the place of the present position."""
    if law.repetition != REPETITION_IGNORED:
        place = filter_slot(state.pieces[0], state.pieces[1])
        word, bit = place >> SIX, ONE << (place & LAST)
        state.twice[word] |= state.once[word] & bit
        state.once[word] |= bit


@rule
def forget(state, law):
    """Forget the earlier positions, when none can occur again or repetition has no effect."""
    if law.repetition != REPETITION_IGNORED:
        clear_history(state)


@rule
def clear_history(state):
    """Clear plies and filter."""
    fill(state.plies, ZERO)
    fill(state.once, ZERO)
    fill(state.twice, ZERO)


@rule
def occurred_twice(state, law, first, second, later):
    """Whether a position, by both players' pieces, occurred twice with the same seat to move (FBQ-15).

    The position would come `later` plies after the present one.
    """
    place = filter_slot(first, second)
    return (state.twice[place >> SIX] >> (place & LAST)) & ONE != ZERO and stood_twice(state, law, first, second, later)


@rule
def stood_twice(state, law, first, second, later):
    """The exact test of `occurred_twice`: take back all plies. The same seat moves an even number of plies earlier."""
    quiet, times = int64(state.quiet), 0
    moved, waiting, their, ours = state.pieces[0], state.pieces[1], first, second
    if state.seat == 0:  # the last ply was player 2's
        moved, waiting, their, ours = waiting, moved, second, first
    for ply in range(quiet - 1, -1, -1):
        moved, waiting = waiting, taken_back(state, law, moved, uint64(ply))
        their, ours = ours, their
        if moved == their and waiting == ours and (quiet + later - ply) % 2 == 0:
            times += 1
    return times >= 2


# -- destinations and surrounded pieces --------------------------------------------------------------------------------
# Differences of the numbers of touching fields: to the east, north-west, north-east and north.
EAST, NORTH_WEST, NORTH_EAST, NORTH = uint64(1), uint64(4), uint64(5), uint64(9)
# Places in the 19 fields numbered around a field, and in the 37 around that its jumps can reach (see `leaps_of`).
NINE, TEN, EIGHTEEN, HALF = uint64(9), uint64(10), uint64(18), uint64(511)


@rule
def empty_fields(state, law):
    """The empty fields."""
    return law.board & ~(state.pieces[0] | state.pieces[1])


@rule
def destinations(law, own, empty, start):
    """Empty fields a step away (FB-4.b) or beyond an own touching piece of either type (FB-4.d, FBQ-4)."""
    place = uint64(start)
    around = (own << NINE) >> place
    leaps = law.leaps[0, int(around & HALF)] | law.leaps[1, int((around >> TEN) & HALF)]
    return (law.step[place] | (((leaps << place) >> EIGHTEEN) & law.landing[place])) & empty


@rule
def is_free(state, law, seat):
    """A quick test for a legal move: a step to an empty field (FB-4.b), if no house rule forbids moves."""
    own = state.pieces[seat]
    empty = empty_fields(state, law)
    east_west = ((own & law.step_east) << EAST) | ((own & law.step_west) >> EAST)
    steps = (east_west | (own << NORTH) | (own >> NORTH)) & empty
    return steps != ZERO and not has_restrictions(law)


@rule
def has_restrictions(law):
    """Whether house rules forbid moves that the board allows."""
    return law.suicide == SUICIDE_FORBIDDEN or law.repetition == REPETITION_FORBIDDEN or not law.retreat


@rule
def restriction(state, law, seat, start, end):
    """The house rule that forbids a move which the board allows, as a refusal; 0 if none does."""
    if not law.retreat and not law.ahead[seat, start] & law.bit[end]:
        return Reason.RETREAT
    own = state.pieces[seat] ^ law.bit[start] ^ law.bit[end]
    enemy = state.pieces[1 - seat]
    if end == law.goal[seat] or find_captured(law, own, enemy, uint64(end)):  # FBQ-23; a capture is no repetition
        return 0
    if is_surrounded(law, enemy, uint64(end)):
        if law.suicide == SUICIDE_FORBIDDEN:  # FBQ-8, FBQ-23
            return Reason.SUICIDE
        if law.suicide == SUICIDE_REMOVED:  # the piece is removed: no repetition
            return 0
    if law.repetition == REPETITION_FORBIDDEN:  # FBQ-24
        later = 1 if seat == state.seat else 2  # the seat not on turn would move after a pass
        first, second = (own, enemy) if seat == 0 else (enemy, own)
        if occurred_twice(state, law, first, second, later):
            return Reason.REPEAT
    return 0


@rule
def can_move(state, law, seat):
    """Whether a seat would have a legal move if it were its turn (FBQ-13, FBQ-23)."""
    own = state.pieces[seat]
    empty = empty_fields(state, law)
    restricted = has_restrictions(law)
    movers = own
    while movers:
        start = lowest(movers)
        movers &= movers - ONE
        ends = destinations(law, own, empty, start)
        if ends and not restricted:
            return True
        while ends:
            if restriction(state, law, seat, start, lowest(ends)) == 0:
                return True
            ends &= ends - ONE
    return False


@rule
def is_surrounded(law, attackers, field):
    """Whether enough sides of a field are closed: touching fields of either type with attackers (FB-5.a, FBQ-5)."""
    return count(law.touch[field] & attackers) >= law.sides_needed


@rule
def find_captured(law, attackers, pieces, moved):
    """The pieces captured after a move to `moved`: on the whole board, unless the mover must touch them (FBQ-6)."""
    if law.capture_needs_mover:
        pieces &= law.touch[moved]
    return pieces & enough_closed(law, attackers)


@rule
def enough_closed(law, attackers):
    """All fields with enough closed sides, counted in parallel: sides plus `law.spare` make eight or more (FBQ-5).

    Each line is a full adder of three words, bit by bit: the XOR is the sum, `two_of` the carry.
    """
    to_east, to_west = attackers & law.step_east, attackers & law.step_west
    on_east, on_west = attackers & law.touch_east, attackers & law.touch_west
    a, b, c = to_east << EAST, to_west >> EAST, attackers << NORTH
    d, e, f = attackers >> NORTH, on_east << NORTH_EAST, on_east >> NORTH_WEST
    g, h, i = on_west << NORTH_WEST, on_west >> NORTH_EAST, law.spare[0]
    twos_1, twos_2, twos_3 = two_of(a, b, c), two_of(d, e, f), two_of(g, h, i)
    twos_4 = two_of(a ^ b ^ c, d ^ e ^ f, g ^ h ^ i)
    fours_1 = two_of(twos_1, twos_2, twos_3)
    fours_2 = two_of(twos_1 ^ twos_2 ^ twos_3, twos_4, law.spare[1])
    return two_of(fours_1, fours_2, law.spare[2])


@rule
def two_of(a, b, c):
    """The fields that are in at least two of three sets."""
    return (a & b) | (c & (a ^ b))


@rule
def pending_victims(state, law):
    """The pieces among which the mover chooses its captures (FBQ-7)."""
    return find_captured(law, state.pieces[state.seat], state.pieces[1 - state.seat], uint64(state.moved))


# -- refusals ----------------------------------------------------------------------------------------------------------
@rule
def refusal(state, law, action):
    if state.reason != 0:
        return Reason.OVER
    if state.seat < 0:
        return 0 if FIRST <= action < SWAP else Reason.CHANCE
    if is_opening(state, law):
        return 0 if action >= OPENING else Reason.LOT
    if action >= OPENING:
        return Reason.OPENED
    if action == SWAP:
        return 0 if may_swap(state, law) else Reason.SWAP
    if action >= FIRST:
        return Reason.DRAWN
    if action >= TAKE:
        return refusal_of_take(state, law, action - TAKE)
    if state.takes > 0:
        return Reason.CHOOSE
    if action == PASS:
        return Reason.PASS if can_move(state, law, state.seat) else 0
    return refusal_of_move(state, law, action // FIELDS, action % FIELDS)


@rule
def refusal_of_take(state, law, field):
    """Why a piece may not be taken by choice (FBQ-7)."""
    if state.takes == 0:
        return Reason.NOTHING
    return 0 if pending_victims(state, law) & law.bit[field] else Reason.UNSURROUNDED


@rule
def refusal_of_move(state, law, start, end):
    """Why a move is not legal: the piece, the way, or a house rule."""
    own = state.pieces[state.seat]
    enemy = state.pieces[1 - state.seat]
    if enemy & law.bit[start]:
        return Reason.YOURS
    if not own & law.bit[start]:
        return Reason.PIECE
    if destinations(law, own, ~(own | enemy), start) & law.bit[end]:
        return restriction(state, law, state.seat, start, end)
    return obstacle(law, own, enemy, start, end)


@rule
def obstacle(law, own, enemy, start, end):
    """The reason against a move that the board does not allow."""
    if start == end:
        return Reason.SAME
    if law.step[start] & law.bit[end]:
        return Reason.OCCUPIED
    if law.touch[start] & law.bit[end]:
        return Reason.TYPE
    between = law.between[start, end]
    if law.bent_jumps:
        between |= law.between_bent[start, end]
    if between & own:
        return Reason.LANDING
    if between & enemy:
        return Reason.OPPONENT
    if between:
        return Reason.FRIEND
    if law.between_bent[start, end] & own:
        return Reason.BENT
    return Reason.TWO if two_jumps(law, own, enemy, start, end) else Reason.FAR


@rule
def two_jumps(law, own, enemy, start, end):
    """Whether a second jump would get there (FB-4.f)."""
    empty = law.board & ~(own | enemy)
    landings = destinations(law, own, empty, start) & (ALL ^ law.step[start])
    moved = own ^ law.bit[start]
    while landings:
        landing = lowest(landings)
        landings &= landings - ONE
        ends = destinations(law, moved | law.bit[landing], empty | law.bit[start], landing)
        if ends & (ALL ^ law.step[landing]) & law.bit[end]:
            return True
    return False


# -- actions -----------------------------------------------------------------------------------------------------------
REFUSALS = Reason
REASONS = (
    ("", ""),
    ("corner", "FB-3"),
    ("captured", "FB-3"),
    ("repetition", "FBQ-15"),
    ("quiet", "FBQ-15"),
    ("blocked", "FBQ-13"),
)
CORNER, CAPTURED, REPEATED, QUIET, BLOCKED = 1, 2, 3, 4, 5


@rule
def setup(state, law):
    """The first position; the first seat is drawn, or is player 1 (FBQ-2)."""
    state.pieces[0] = law.opening[0]
    state.pieces[1] = law.opening[1]
    clear_history(state)
    state.turns = 0
    state.quiet = 0
    state.seat = -1 if law.first_drawn else 0
    state.takes = 0
    state.moved = -1
    state.reason = 0
    state.winner = -1
    remember(state, law)  # FBQ-20: the initial position is the first occurrence
    if state.seat >= 0:
        end_if_blocked(state, law)  # a layout may block a seat from the start


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    return CHANCE if state.seat < 0 or is_opening(state, law) else int(state.seat)


@rule
def is_opening(state, law):
    """Whether the lot is to choose the first moves of both players (FBQ-29)."""
    return law.openings != 0 and state.turns == 0 and state.seat >= 0


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1] = FIRST, FIRST + 1
        return 2
    if is_opening(state, law):
        for number in range(OPENINGS):
            out[number] = OPENING + number
        return OPENINGS
    if state.takes > 0:
        return legal_captures(state, law, out)
    found = legal_moves(state, law, out)
    if has_restrictions(law):
        found = keep_permitted(state, law, out, found)
    if found == 0:  # FBQ-13
        out[0] = PASS
        found = 1
    if may_swap(state, law):
        out[found] = SWAP
        found += 1
    return found


@rule
def legal_moves(state, law, out):
    """Write all steps and jumps that the board allows; return their number."""
    own = state.pieces[uint64(state.seat)]
    empty = empty_fields(state, law)
    found = ZERO
    movers = own
    while movers:
        start = lowest(movers)
        movers &= movers - ONE
        found = write_moves(start, destinations(law, own, empty, start), out, found)
    return int64(found)


def write_moves(start, ends, out, found):
    """Add a piece's moves to those found; return the new number."""
    return write_each(ends, move_id(start, 0), out, found)


def write_five(start, ends, out, found):
    """`write_moves` for machine code. Most pieces have two to four moves.

    It writes five at a time; surplus entries are overwritten or never read. That is faster than a branch that cannot be
    predicted.
    """
    last = found + uint64(count(ends))
    while ends:
        for _ in range(5):
            out[found] = move_id(start, lowest(ends))
            found += ONE
            if ends:
                ends &= ends - ONE
    return last


if COMPILED:
    write_moves = rule(write_five)


@rule
def keep_permitted(state, law, out, found):
    """Keep the written moves that house rules permit; return their number."""
    kept = 0
    for i in range(found):
        if restriction(state, law, int64(state.seat), out[i] // FIELDS, out[i] % FIELDS) == 0:
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def legal_captures(state, law, out):
    """Write a `take` for every surrounded piece, while the mover chooses (FBQ-7)."""
    return write_each(pending_victims(state, law), TAKE, out, 0)


@rule
def apply(state, law, action):
    if action < PASS:
        move(state, law, uint64(action) // SPAN, uint64(action) % SPAN)
    elif action == PASS:  # FBQ-18: a ply that captures nothing
        state.quiet += 1
        end_turn(state, law)
    elif action < FIRST:
        take(state, law, action - TAKE)
    elif action < SWAP:
        state.seat = action - FIRST
        end_if_blocked(state, law)
    elif action < OPENING:
        swap_sides(state, law)
    else:
        play_opening(state, law, action - OPENING)


@rule
def play_opening(state, law, number):
    """Make the first move of each player, as if they had chosen it (FBQ-29)."""
    first = int64(state.seat)
    for ply in range(2):
        drawn = uint64(law.drawn[first, number, ply])
        move(state, law, drawn // SPAN, drawn % SPAN)


@rule
def may_swap(state, law):
    """Whether the player to move may exchange sides: in place of the second turn of the game (FBQ-28)."""
    return law.pie != 0 and state.turns == 1 and state.takes == 0


@rule
def swap_sides(state, law):
    """Exchange what the two players have on the board, by half a turn. Earlier positions no longer count (FBQ-28)."""
    first, second = state.pieces[0], state.pieces[1]
    state.pieces[0], state.pieces[1] = rotate_pieces(second), rotate_pieces(first)
    forget(state, law)
    state.quiet = 0
    end_turn(state, law)


@rule
def rotate_pieces(pieces):
    """The same pieces, rotated by 180 degrees."""
    found = ZERO
    while pieces:
        found |= ONE << uint64(FIELDS - 1 - lowest(pieces))
        pieces &= pieces - ONE
    return found


@rule
def sides_are_settled(state, law):
    """Whether nobody can exchange sides any more (FBQ-28)."""
    return law.pie == 0 or state.turns >= 2


@rule
def move(state, law, start, end):
    """Move a piece, then check the corner, captures and its own removal, in that order (FBQ-21)."""
    seat = uint64(state.seat)
    own = state.pieces[seat] ^ law.bit[start] ^ law.bit[end]
    enemy = state.pieces[ONE - seat]
    state.pieces[seat] = own
    if int64(end) == law.goal[seat]:  # FB-3, FBQ-10
        state.quiet += 1
        change_seat(state)
        finish(state, law, CORNER, int64(seat))
        return
    loser, lost = ONE - seat, find_captured(law, own, enemy, end)
    if count(lost) > law.most_captures:  # FBQ-7: the mover chooses
        forget(state, law)
        state.takes = law.most_captures
        state.moved = end
        return
    if not lost and law.suicide == SUICIDE_REMOVED and is_surrounded(law, enemy, end):  # FBQ-8
        loser, lost = seat, law.bit[end]
    if lost:
        remove(state, law, loser, lost)
    else:
        note_ply(state, law, start, end)
        state.quiet += 1
    end_turn(state, law)


@rule
def take(state, law, field):
    """Take one of the surrounded pieces; the turn ends after the last (FBQ-7)."""
    remove(state, law, ONE - uint64(state.seat), law.bit[field])
    state.takes -= 1
    if state.takes == 0:
        state.moved = -1
        end_turn(state, law)


@rule
def end_turn(state, law):
    """Begin the other player's turn, unless the game ends."""
    change_seat(state)
    settle(state, law)


@rule
def settle(state, law):
    """The checks after every ply: no pieces left, repetition, quiet limit, blocked players (FBQ-21)."""
    reason, winner = 0, -1
    if not state.pieces[0]:  # FB-3, FBQ-12
        reason, winner = CAPTURED, 1
    elif not state.pieces[1]:
        reason, winner = CAPTURED, 0
    elif law.repetition == REPETITION_DRAWS and occurred_twice(state, law, state.pieces[0], state.pieces[1], 0):  # FBQ-15
        reason = REPEATED
    elif state.quiet >= law.quiet_limit:  # FBQ-15
        reason = QUIET
    if reason != 0:
        finish(state, law, reason, winner)
    else:
        remember(state, law)
        end_if_blocked(state, law)


@rule
def remove(state, law, seat, fields):
    """Take pieces off the board, and forget earlier positions, which cannot occur again (FBQ-15, FBQ-19)."""
    forget(state, law)
    state.pieces[seat] &= ALL ^ fields
    state.quiet = 0


@rule
def change_seat(state):
    """Finish a turn: the other seat is on turn."""
    state.turns += 1
    state.seat = 1 - state.seat


@rule
def end_if_blocked(state, law):
    """Look for players without a legal move, unless the quick test finds a move."""
    if not is_free(state, law, uint64(state.seat)):
        look_for_blocked(state, law, int64(state.seat))


@rule
def look_for_blocked(state, law, seat):
    """If both players are without a legal move, the game is a draw; for one player a house rule decides (FBQ-13)."""
    if can_move(state, law, seat):
        return
    winner = -1
    if can_move(state, law, 1 - seat):
        if law.blocked == BLOCKED_PASSES:
            return
        if law.blocked == BLOCKED_LOSES:
            winner = 1 - seat
    finish(state, law, BLOCKED, winner)


@rule
def finish(state, law, reason, winner):
    """End the game."""
    forget(state, law)
    state.reason = reason
    state.winner = winner


@rule
def returns(state, law, out):
    """1.0 for the winner, -1.0 for the loser; 0.0 each when nobody wins."""
    out[0] = 0.0
    out[1] = 0.0
    if state.winner >= 0:
        out[state.winner] = 1.0
        out[1 - state.winner] = -1.0
