"""Evaluation of 40 Bridges, and the functions for its alpha-beta search."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.core.numbers import ALL, int64, np, uint64
from bridgehead.core.weights import weights
from bridgehead.games.forty_bridges import rules
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.bounds import proven
from bridgehead.games.forty_bridges.endgames import SETTLED, find_stored_tables, table_value, tables_for

WON = 1000.0
FIRST, SECOND = uint64(0xBF58476D1CE4E5B9), uint64(0x94D049BB133111EB)
WHITE, TAKES, HALF, LESS = uint64(0x9E3779B97F4A7C15), uint64(0xC2B2AE3D27D4EB4F), uint64(32), uint64(29)
ROW = 9  # field numbers are (9y + x) / 2
NOWHERE = 16  # the way of a piece on an octagon, which never reaches a corner

# Features: a piece by its field (seen from player 1), then these. See docs/understand/players.md.
PRESSED, HARD, FIRST_WAY, SECOND_WAY, FREEDOM, TO_MOVE, THREAT, THREATENED = range(FIELDS, FIELDS + 8)
FEATURES = (
    *(f"piece on field {field}" for field in range(FIELDS)),
    "two sides from capture", "one side from capture", "shortest way", "second way", "steps", "to move",
    "can enter", "can be entered",
)  # fmt: skip
WEIGHTS = weights(Path(__file__).with_name("weights.json"), FEATURES)


@rule
def value(state, law, seat):
    """WON or -WON at the end; in a running game `worth` with the learned weights."""
    if state.reason != 0:
        return 0.0 if state.winner < 0 else WON if state.winner == seat else -WON
    return worth(state, law, seat, WEIGHTS)


@rule
def worth(state, law, seat, weights):
    """The value of a running game for a seat: the features times their weights."""
    total = standing(state, law, seat, weights) - standing(state, law, 1 - seat, weights)
    if state.seat < 0:  # the first seat is still drawn
        return total
    turn = 1.0 if state.seat == seat else -1.0
    total += turn * weights[TO_MOVE]
    if threatens_corner(state, law, state.seat):
        total += turn * weights[THREAT]
    if threatens_corner(state, law, 1 - state.seat):
        total -= turn * weights[THREATENED]
    return turn * abs(total) if rules.may_swap(state, law) else total  # who may choose takes the better side


@rule
def standing(state, law, seat, weights):
    """The features of one seat, times their weights."""
    own, enemy = state.pieces[seat], state.pieces[1 - seat]
    goal = law.goal[seat]
    total, first, second = 0.0, NOWHERE, NOWHERE
    rest = own
    while rest:
        field = int64(lowest(rest))
        rest &= rest - rules.ONE
        total += weights[field if seat == 0 else FIELDS - 1 - field]
        open_sides = law.sides_needed - count(law.touch[field] & enemy)
        if open_sides <= 2:
            total += weights[PRESSED]
            if open_sides <= 1:
                total += weights[HARD]
        far = way(field, goal)
        if far < first:
            first, second = far, first
        elif far < second:
            second = far
    total += weights[FIRST_WAY] * first + weights[SECOND_WAY] * second
    return total + weights[FREEDOM] * freedom_of(state, law, own)


@rule
def freedom_of(state, law, own):
    """The number of steps along rows and columns."""
    empty = rules.empty_fields(state, law)
    east, west = ((own & law.step_east) << rules.EAST) & empty, ((own & law.step_west) >> rules.EAST) & empty
    north, south = (own << rules.NORTH) & empty, (own >> rules.NORTH) & empty
    return float(count(east) + count(west) + count(north) + count(south))


@rule
def threatens_corner(state, law, seat):
    """Whether a piece of the seat could enter the far corner if it were its turn."""
    own = state.pieces[seat]
    empty = ALL ^ (own | state.pieces[1 - seat])
    corner = uint64(law.goal[seat])
    goal = law.bit[corner]
    pieces = own & (law.step[corner] | law.landing[corner])  # a jump leads back as well
    while pieces:
        if rules.destinations(law, own, empty, lowest(pieces)) & goal:
            return True
        pieces &= pieces - rules.ONE
    return False


@rule
def way(field, goal):
    """The distance of a square from a corner in half-grid units; NOWHERE for an octagon."""
    row, column = 2 * field // ROW, 2 * field % ROW
    if row % 2:
        return NOWHERE
    return abs(2 * goal // ROW - row) + abs(2 * goal % ROW - column)


# Further functions for alpha-beta search: see players/alphabeta.py.


@rule
def material(state, seat):
    """How many pieces a seat is ahead."""
    return int64(count(state.pieces[seat])) - int64(count(state.pieces[1 - seat]))


@rule
def identity(state, law):
    """A hash of everything that the rest of the game depends on, except the history.

    The pieces are mixed by wrapping products, as in SplitMix64.
    """
    key = (state.pieces[0] * FIRST) & ALL
    key = (((key ^ (key >> HALF)) + state.pieces[1]) * SECOND) & ALL
    key ^= key >> LESS
    if rules.may_swap(state, law):
        key ^= SECOND
    return key ^ (WHITE * uint64(state.seat)) ^ ((TAKES * uint64(64 * int(state.takes) + state.moved + 1)) & ALL)


@rule
def turns_left(state, law):
    """Plies until the quiet limit ends the game; -1 if legal moves depend on the history (FBQ-15, FBQ-24)."""
    return int64(-1 if law.repetition == rules.REPETITION_FORBIDDEN else law.quiet_limit - state.quiet)


@rule
def ends_by_way(state):
    """Whether history ended the game, by repetition or the quiet limit."""
    return state.reason == rules.REPEATED or state.reason == rules.QUIET


@rule
def may_end_by_way(state):
    """Whether a move may be the third occurrence of a position: some position occurred twice since the last removal.

    If none did, a forced win needs no position twice, so it comes before any repetition.
    """
    return (state.twice[0] | state.twice[1] | state.twice[2] | state.twice[3]) != rules.ZERO


@rule
def look_up_plies(state, law, values, starts):
    """The position's value in the endgame tables (endgames.py), or what is proven of it without them (bounds.py).

    Tables know no history: the quiet limit may end the game before, and a move of theirs may be forbidden (FBQ-24).
    """
    pieces = count(state.pieces[0] | state.pieces[1])
    if pieces < len(starts) and rules.sides_are_settled(state, law):
        plies = table_value(state, law, values, starts)
        holds = plies >= 0 and plies <= law.quiet_limit - state.quiet
        if law.repetition == rules.REPETITION_FORBIDDEN:
            holds = holds and not may_end_by_way(state) and (plies > 0 or pieces <= SETTLED)
        if holds:
            return plies
    return int64(proven(state, law))


@rule
def loud(state, law, out):
    """Write the actions that capture or enter the corner; return their number."""
    if state.takes > 0:
        return rules.legal_captures(state, law, out)
    own, enemy = state.pieces[uint64(state.seat)], state.pieces[uint64(1 - state.seat)]
    empty = rules.empty_fields(state, law)
    goal = law.bit[law.goal[state.seat]]
    targets = goal & empty
    rest = enemy
    while rest:
        field = lowest(rest)
        rest &= rest - rules.ONE
        if count(law.touch[field] & own) >= law.sides_needed - 1:
            targets |= law.touch[field] & empty
    found = 0
    movers = own if targets else targets
    while movers:
        start = lowest(movers)
        movers &= movers - rules.ONE
        ends = rules.destinations(law, own, empty, start) & targets
        while ends:
            end = lowest(ends)
            ends &= ends - rules.ONE
            if law.bit[end] == goal or rules.find_captured(law, own ^ law.bit[start] ^ law.bit[end], enemy, uint64(end)):
                out[found] = rules.move_id(start, end)
                found += 1
    return found


endgames = tables_for
stored_endgames = find_stored_tables


# What anybody at the table sees: whether the home corner is left open.
WALK = 3  # moves of the opponent that are looked at
UNKNOWN, FAILS, WORKS = -1, 0, 1


@rule
def foolish(states, law, action, out):
    """Whether the opponent, after this action, gets into the home corner within WALK moves, whatever the seat does.

    A proof search: on odd levels the opponent looks for a move that works, on even ones the seat for a reply to it.
    """
    opponent, level, verdict = 1 - int64(states[0].seat), 1, UNKNOWN
    counts, tried = np.full(2 * WALK, -1, np.int64), np.zeros(2 * WALK, np.int64)
    states[1] = states[0]
    rules.apply(states[1], law, action)
    while level > 0:
        if counts[level] < 0:
            verdict = judge_walk_at_sight(states[level], law, opponent, level)
            going_on = verdict == UNKNOWN
            if going_on:
                counts[level], tried[level] = rules.legal(states[level], law, out[level]), 0
        else:
            going_on = verdict != level % 2
        if going_on and tried[level] < counts[level]:
            states[level + 1] = states[level]
            rules.apply(states[level + 1], law, out[level, tried[level]])
            tried[level] += 1
            level += 1
            counts[level] = -1
            continue
        if going_on:
            verdict = FAILS if level % 2 else WORKS
        level -= 1
    return verdict == WORKS


@rule
def judge_walk_at_sight(state, law, opponent, level):
    """Whether the opponent's walk works as far as one look at the position tells."""
    last = level // 2 == WALK - 1
    if state.reason != 0:
        return WORKS if state.winner == opponent else FAILS
    if level % 2:
        if state.seat == opponent and threatens_corner(state, law, opponent):
            return WORKS
        return FAILS if last or state.seat != opponent else UNKNOWN
    if state.seat == opponent or threatens_corner(state, law, 1 - opponent):
        return FAILS
    return FAILS if last and not threatens_corner(state, law, opponent) else UNKNOWN
