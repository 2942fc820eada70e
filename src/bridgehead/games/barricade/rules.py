"""The rules of Barricade."""

from __future__ import annotations

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.games.barricade.moves import (
    No,
    bit,
    can_move,
    has_barricade,
    has_pawn,
    is_free,
    landing_refusal,
    lift,
    may_go,
    open_squares,
    place_refusal,
    put,
    roll_of,
)
from bridgehead.games.barricade.options import MOST_SIDES
from bridgehead.games.barricade.state import (
    NOBODY,
    ONE,
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
REFUSALS = No
REASONS = (("", ""), ("final", "BA-G"), ("turn-limit", "BAQ-16"))


@rule
def setup(state, law):
    """All pawns at home (BA-C.3), barricades on the black squares (BA-C.4), and no first seat yet (BAQ-12)."""
    state.barricades[:] = law.start
    state.owner[:] = NOBODY
    state.pawns[:] = ZERO
    state.at_home[:] = 0
    for colour in range(law.colours):
        for _ in range(law.pawns):
            put(state, law, colour, int(law.home[colour]))
    state.rolled[:] = 0
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
            squares = open_squares(state, law, word)
            while squares != ZERO:
                out[count] = place_action(law, 64 * word + lowest(squares))
                count += 1
                squares &= squares - ONE
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
def weight(state, law, action):
    """A fair die, a fair draw: all outcomes weigh the same."""
    return 1


@rule
def refusal(state, law, action):
    """Why an action is not legal; `No.OK`, which is 0, exactly when it is."""
    phase = int(state.phase)
    if phase == OVER:
        return No.IS_OVER
    if phase == DRAW:
        return No.OK if law.die_sides <= action < pass_action(law) else No.DRAW_FIRST
    if phase == ROLL_OFF:
        return No.OK if action < law.die_sides else No.ROLL_OFF_FIRST
    if law.die_sides <= action < pass_action(law):
        return No.DRAWN
    if phase == ROLL:
        return No.OK if action < law.die_sides else No.ROLL_FIRST
    if action < law.die_sides:
        return No.ROLLED
    if phase == PLACE:
        if action == pass_action(law) or action >= first_move(law):
            return No.PLACE_FIRST  # BAQ-9
        return place_refusal(state, law, action - place_action(law, 0))
    if action == pass_action(law):
        return No.PASS if not law.may_pass and can_move(state, law) else No.OK
    if action < first_move(law):
        return No.NONE_IN_HAND
    return _move_refusal(state, law, action)


@rule
def _move_refusal(state, law, action):
    seat = int(state.seat)
    origin, square = split_move(law, action)
    why = _pawn_refusal(state, law, seat, origin)
    if why != No.OK:
        return why
    if origin >= law.squares and law.exit_roll and state.die != law.exit_roll:
        return No.EXIT
    index = roll_of(state, law, origin)
    blocked = False
    for w in range(law.ways[index], law.ways[index + 1]):
        if law.way[w].landing == square:
            if is_free(state, law.way[w]):
                return landing_refusal(state, law, seat, origin, square)
            blocked = True
    if blocked:
        return No.BARRICADE
    left = int(state.die) - int(law.steps[origin, square])
    if left < 0 or left % 2 == 1:
        return No.DISTANCE  # by parity no way of this length ends there, even with a turn back
    return No.TWICE if law.no_repeat else No.TURNING_BACK


@rule
def _pawn_refusal(state, law, seat, origin):
    """BA-M.3: one own pawn moves; BA-T.2: never a mate's."""
    if has_pawn(state, seat, origin):
        return No.OK
    if origin < law.squares:
        owner = int(state.owner[origin])
    else:
        owner = int(law.colour_at[origin - law.squares])
        if owner != NOBODY and state.at_home[owner] == 0:
            owner = NOBODY
    if owner == NOBODY:
        return No.NO_PAWN
    other = law.seat_of[owner]
    return No.MATES_PAWN if law.side[other] == law.side[seat] else No.FOREIGN_PAWN


@rule
def apply(state, law, action):
    """Play a legal action."""
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
        state.rolled[:] = 0
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
