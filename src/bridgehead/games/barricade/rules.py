"""The law of Barricade."""

from __future__ import annotations

import numpy as np

from bridgehead.core.jit import rule
from bridgehead.games.barricade import refusals
from bridgehead.games.barricade.refusals import REFUSALS
from bridgehead.games.barricade.state import (
    NOBODY,
    ONE,
    WORDS,
    ZERO,
    first_action,
    first_move,
    move_action,
    pass_action,
    place_action,
    roll_action,
    split_move,
)

__all__ = ["REASONS", "REFUSALS", "actor", "apply", "legal", "refusal", "returns", "setup", "weight"]
DRAW, ROLL_OFF, ROLL, MOVE, PLACE, OVER = range(6)
FINAL, TURN_LIMIT = 1, 2
REASONS = (("", ""), ("final", "BA-G"), ("turn-limit", "BAQ-16"))


@rule
def setup(state, law):
    """All pawns at home (BA-C.3), barricades on the black squares (BA-C.4); the first seat is yet to be found (BAQ-12)."""
    state.barricades[:] = law.tables.start
    state.owner[:] = NOBODY
    state.pawns[:] = -1
    for colour in range(law.colours):
        for i in range(law.pawns):
            state.pawns[colour, i] = law.tables.home[colour]
    state.rolled[:] = 0
    state.turns = 0
    state.phase = ROLL_OFF if law.roll_off else DRAW
    state.seat = 0
    state.die = 0
    state.reason = 0


@rule
def actor(state, law):
    """The seat whose turn it is; chance for the die and the draw (BA-C.6)."""
    if state.phase == OVER:
        return -2
    return int(state.seat) if state.phase >= MOVE else -1


@rule
def has_barricade(state, square):
    """Is there a barricade on the square?"""
    return (state.barricades[square >> 6] >> np.uint64(square & 63)) & ONE != ZERO


@rule
def is_free(state, way):
    """BA-R.5: no barricade stands between the ends of this way."""
    blocked = ZERO
    for word in range(WORDS):
        blocked |= way.between[word] & state.barricades[word]
    return blocked == ZERO


@rule
def landing_refusal(state, law, seat, origin, square):
    """BA-R.6: a pawn ends on an empty square (also the one it left), a barricade, or an opponent's pawn."""
    colour = int(state.owner[square])
    if colour == NOBODY or square == origin:
        return refusals.LEGAL
    other = law.tables.seat_of[colour]
    if other == seat:
        return refusals.OWN_PAWN  # BAQ-5
    if law.tables.side[other] == law.tables.side[seat]:
        return refusals.MATE_THERE  # BA-T.3
    if law.tables.safe[square]:
        return refusals.SAFE  # BAQ-10
    return refusals.LEGAL


@rule
def place_refusal(state, law, square):
    """BA-R.7, BAQ-8: a barricade goes on an empty square that the house rules leave open."""
    if state.owner[square] != NOBODY:
        return refusals.ON_PAWN
    if has_barricade(state, square):
        return refusals.ON_BARRICADE
    return refusals.LEGAL if law.tables.may_hold[square] else refusals.SQUARE_CLOSED


@rule
def legal(state, law, out):
    """Ascending ids of what may be done now."""
    phase = int(state.phase)
    if phase == MOVE:
        return _legal_moves(state, law, out)
    count = 0
    if phase == PLACE:
        for square in range(law.squares):
            if place_refusal(state, law, square) == refusals.LEGAL:
                out[count] = place_action(law, square)
                count += 1
    elif phase == DRAW:
        for seat in range(law.seats):
            out[count] = first_action(law, seat)
            count += 1
    elif phase != OVER:
        for number in range(1, law.die_sides + 1):  # BAQ-17
            out[count] = roll_action(number)
            count += 1
    return count


@rule
def _legal_moves(state, law, out):
    """The pass and all moves. A seat's two colours are merged, so that ids ascend."""
    seat = int(state.seat)
    count = 0
    if law.pass_always:  # BA-M.4, BAQ-1
        out[0] = pass_action(law)
        count = 1
    one, two = int(law.tables.colour_of[seat, 0]), int(law.tables.colour_of[seat, 1])
    i, j, last = 0, 0, -1
    ends = law.pawns if two != NOBODY else 0
    while i < law.pawns or j < ends:
        if j == ends or (i < law.pawns and state.pawns[one, i] < state.pawns[two, j]):
            origin = int(state.pawns[one, i])
            i += 1
        else:
            origin = int(state.pawns[two, j])
            j += 1
        if origin != last:  # BAQ-20
            count = _legal_landings(state, law, seat, origin, out, count)
            last = origin
    if count == 0:  # BAQ-15
        out[0] = pass_action(law)
        count = 1
    return count


@rule
def _legal_landings(state, law, seat, origin, out, count):
    index = origin * law.die_sides + int(state.die) - 1
    last = -1
    for w in range(law.tables.ways[index], law.tables.ways[index + 1]):
        way = law.tables.way[w]
        square = int(way.landing)
        if square != last and is_free(state, way):  # BAQ-3
            last = square
            if landing_refusal(state, law, seat, origin, square) == refusals.LEGAL:
                out[count] = move_action(law, origin, square)
                count += 1
    return count


@rule
def can_move(state, law):
    """Has the seat on turn any move with this roll?"""
    seat = int(state.seat)
    for k in range(2):
        colour = int(law.tables.colour_of[seat, k])
        for i in range(law.pawns if colour != NOBODY else 0):
            origin = int(state.pawns[colour, i])
            index = origin * law.die_sides + int(state.die) - 1
            for w in range(law.tables.ways[index], law.tables.ways[index + 1]):
                square = int(law.tables.way[w].landing)
                if is_free(state, law.tables.way[w]) and landing_refusal(state, law, seat, origin, square) == refusals.LEGAL:
                    return True
    return False


@rule
def weight(state, law, action):
    """A fair die, a fair draw: all outcomes weigh the same."""
    return 1


@rule
def refusal(state, law, action):
    """0 exactly when the action is legal, else why not: an index into REFUSALS."""
    phase = int(state.phase)
    if phase == OVER:
        return refusals.IS_OVER
    if phase == DRAW:
        return refusals.LEGAL if law.die_sides <= action < pass_action(law) else refusals.DRAW_FIRST
    if phase == ROLL_OFF:
        return refusals.LEGAL if action < law.die_sides else refusals.ROLL_OFF_FIRST
    if law.die_sides <= action < pass_action(law):
        return refusals.DRAWN
    if phase == ROLL:
        return refusals.LEGAL if action < law.die_sides else refusals.ROLL_FIRST
    if action < law.die_sides:
        return refusals.ROLLED
    if phase == PLACE:
        if action == pass_action(law) or action >= first_move(law):
            return refusals.PLACE_FIRST  # BAQ-9
        return place_refusal(state, law, action - place_action(law, 0))
    if action == pass_action(law):
        return refusals.PASS if not law.pass_always and can_move(state, law) else refusals.LEGAL
    if action < first_move(law):
        return refusals.NONE_IN_HAND
    return _move_refusal(state, law, action)


@rule
def _move_refusal(state, law, action):
    seat = int(state.seat)
    origin, square = split_move(law, action)
    why = _pawn_refusal(state, law, seat, origin)
    if why != refusals.LEGAL:
        return why
    if origin >= law.squares and law.exit_six and state.die != 6:
        return refusals.EXIT
    index = origin * law.die_sides + int(state.die) - 1
    blocked = False
    for w in range(law.tables.ways[index], law.tables.ways[index + 1]):
        if law.tables.way[w].landing == square:
            if is_free(state, law.tables.way[w]):
                return landing_refusal(state, law, seat, origin, square)
            blocked = True
    if blocked:
        return refusals.BARRICADE
    left = int(state.die) - int(law.tables.steps[origin, square])
    if left < 0 or left % 2 == 1 or (origin >= law.squares and state.die == 1):
        return refusals.DISTANCE  # neighbours have different parity: not even turning back would end there
    return refusals.TWICE if law.no_repeat else refusals.TURNING_BACK


@rule
def _pawn_refusal(state, law, seat, origin):
    """BA-M.3: one own pawn moves; BA-T.2: never a mate's."""
    owner = NOBODY
    if origin < law.squares:
        owner = int(state.owner[origin])
    else:
        for colour in range(law.colours):
            if law.tables.home[colour] == origin and state.pawns[colour, law.pawns - 1] == origin:
                owner = colour
    if owner == NOBODY:
        return refusals.NO_PAWN
    other = law.tables.seat_of[owner]
    if other == seat:
        return refusals.LEGAL
    return refusals.MATES_PAWN if law.tables.side[other] == law.tables.side[seat] else refusals.FOREIGN_PAWN


@rule
def apply(state, law, action):
    """Play a legal action."""
    if state.phase == ROLL_OFF:
        _roll_off(state, law, action + 1)
    elif action < law.die_sides:
        state.die = action + 1
        state.phase = MOVE
    elif action < pass_action(law):
        state.seat = action - law.die_sides
        state.phase = ROLL
    elif action == pass_action(law):
        _end_turn(state, law)
    elif action < first_move(law):
        square = action - place_action(law, 0)
        state.barricades[square >> 6] |= ONE << np.uint64(square & 63)
        _end_turn(state, law)
    else:
        _move(state, law, action)


@rule
def _move(state, law, action):
    origin, square = split_move(law, action)
    there = int(state.owner[square])
    if there != NOBODY and square != origin:
        relocate(state, law, there, square, int(law.tables.home[there]))  # BA-R.8
    for k in range(2):
        colour = int(law.tables.colour_of[int(state.seat), k])
        if colour != NOBODY and (law.tables.home[colour] == origin or (origin < law.squares and state.owner[origin] == colour)):
            relocate(state, law, colour, origin, square)
            break
    taken = has_barricade(state, square)
    if taken:
        state.barricades[square >> 6] ^= ONE << np.uint64(square & 63)  # BA-R.7, BAQ-26
    if square == law.final:
        state.phase = OVER
        state.reason = FINAL
    elif taken:
        state.phase = PLACE
    else:
        _end_turn(state, law)


@rule
def relocate(state, law, colour, origin, target):
    """Move one pawn of a colour from a place to another, keeping its list ascending."""
    pawns = state.pawns[colour]
    i = 0
    while pawns[i] != origin:
        i += 1
    while i + 1 < law.pawns and pawns[i + 1] < target:
        pawns[i] = pawns[i + 1]
        i += 1
    while i > 0 and pawns[i - 1] > target:
        pawns[i] = pawns[i - 1]
        i -= 1
    pawns[i] = target
    if origin < law.squares:
        state.owner[origin] = NOBODY
    if target < law.squares:
        state.owner[target] = colour


@rule
def _end_turn(state, law):
    """The next seat rolls (BA-M.2); with rollAgainOn6 the same turn goes on after a 6 (BAQ-11, BAQ-23)."""
    again = law.again_on_6 and state.die == 6
    state.die = 0
    state.phase = ROLL
    if again:
        return
    state.turns += 1
    state.seat = (int(state.seat) + 1) % law.seats
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
        state.rolled[:] = 0
        state.phase = ROLL


@rule
def side_steps(state, law, side):
    """Steps of the side's nearest pawn from the final square; home counts as entry + 1, barricades do not count (BAQ-25)."""
    best = 2 * law.squares
    for colour in range(law.colours):
        if law.tables.side[law.tables.seat_of[colour]] == side:
            for i in range(law.pawns):
                best = min(best, int(law.tables.steps[int(state.pawns[colour, i]), law.final]))
    return best


@rule
def returns(state, law, out):
    """1.0 for the winning side, -1.0 for the others; 0.0 a seat where the nearest pawns are equal (BA-G, BA-T.4, BAQ-25)."""
    winner = -1
    if state.reason == FINAL:
        winner = int(law.tables.side[int(state.seat)])
    else:
        best = 2 * law.squares
        for seat in range(law.seats):
            if law.tables.side[seat] == seat:  # a side is named by its lowest seat
                steps = side_steps(state, law, seat)
                if steps == best:
                    winner = -1
                elif steps < best:
                    best, winner = steps, seat
    for seat in range(law.seats):
        out[seat] = 0.0 if winner == -1 else 1.0 if law.tables.side[seat] == winner else -1.0
