"""Walking and crossing, getting home, and the course of turns and rounds. Compiled."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from bridgehead.core.jit import rule
from bridgehead.games.burning_bridges import bridges, hostages
from bridgehead.games.burning_bridges.bridges import ZERO
from bridgehead.games.burning_bridges.refusals import No
from bridgehead.games.burning_bridges.state import ENDED, MOVES, NOBODY, RIDING, TAKING, TERMS, UNNAMED, L, M, S

HOME, ROUND_LIMIT = 1, 2  # reasons


@rule
def equal_blocks(state, law, piece, pillar):
    """House rule of BBQ-14: a free opposing piece of equal size keeps the piece off its pillar."""
    if law.equal_blocks:
        for other in range(piece % 3, 3 * law.seats, 3):
            if other != piece and state.pos[other] == pillar and state.captor[other] == NOBODY:
                return True
    return False


@rule
def walker_refusal(state, piece):
    """BB-1.a: a free parent may walk; the child never does (BBQ-5)."""
    if piece % 3 == S:
        return No.CHILD_WALKS
    return No.HOSTAGE_MOVES if state.captor[piece] != NOBODY else No.OK


@rule
def walk_refusal(state, law, piece, pillar):
    """BB-1.a: a walker to an adjacent pillar."""
    refusal = walker_refusal(state, piece)
    if refusal != No.OK:
        return refusal
    if law.line_of[state.pos[piece], pillar] < 0:
        return No.NO_LINE
    return No.EQUAL_BLOCKS if equal_blocks(state, law, piece, pillar) else No.OK


@rule
def far_end(law, pillar, line):
    """The pillar at the other end of a line at a pillar."""
    i = 0
    while law.line_to[pillar, i] != line:
        i += 1
    return int(law.neighbour[pillar, i])


@rule
def cross_refusal(state, law, piece, pillar, colour):
    """BB-1.c: parents over any bridge, the child over its own colour only, and not through fire (BB-1.d, BBQ-4, BBQ-5)."""
    if state.captor[piece] != NOBODY:
        return No.HOSTAGE_MOVES
    line = int(law.line_of[state.pos[piece], pillar])
    if line < 0:
        return No.NO_LINE
    bridge = colour * law.lines + line
    if not bridges.has_bridge(state, bridge):
        return No.NO_BRIDGE_TO_CROSS
    if piece % 3 == S:
        if colour != piece // 3:
            return No.CHILD_COLOUR
        if bridges.is_burning(state, bridge):
            return No.CHILD_FIRE
    return No.EQUAL_BLOCKS if equal_blocks(state, law, piece, pillar) else No.OK


@rule
def land(state, law, piece, pillar):
    """Move the piece without its hostages. Within the same move it may then take; a child may destroy (BBQ-15, BBQ-32)."""
    if law.capture_on_leaving:
        hostages.free_hostages(state, law, piece)
    may_take = hostages.situation_refusal(state, law, piece) == No.OK  # decided when the action is chosen (BBQ-41)
    hostages.free_hostages(state, law, piece)
    state.pos[piece] = pillar
    if may_take and hostages.victims(state, law, piece) != ZERO:
        state.phase, state.mover = TAKING, piece
    elif piece % 3 == S and law.ride and bridges.can_destroy_any(state, law):
        state.phase, state.mover = RIDING, piece


@rule
def take_hostage(state, law, captor, victim):
    """Make the victim a hostage, and free its own hostages (BBQ-21). A move takes at most two pieces (BBQ-17)."""
    hostages.free_hostages(state, law, victim)
    state.captor[victim] = captor
    state.taken += 1
    more = state.taken < 2 and hostages.victims(state, law, captor) != ZERO
    state.phase, state.mover = TAKING if more else MOVES, captor


@rule
def is_home(state, law, family):
    """BB-W.1: all three pieces free on goals of their colour (BBQ-35, BB-W.3)."""
    large, medium, small = 3 * family + L, 3 * family + M, 3 * family + S
    for piece in range(small, large - 1, -1):
        if law.goal_distance[family, state.pos[piece]] != 0 or state.captor[piece] != NOBODY:
            return False
    if law.distinct_goals:
        return (
            state.pos[large] != state.pos[medium]
            and state.pos[medium] != state.pos[small]
            and state.pos[small] != state.pos[large]
        )
    return True


@rule
def family_at_home(state, law):
    """The family that has won: the family on turn, else the first in seat order; NOBODY if none is home (BBQ-36)."""
    first = NOBODY
    for family in range(law.seats):
        if is_home(state, law, family) and (first == NOBODY or family == state.turn):
            first = family
    return first


@rule
def is_won(state, law):
    """End the game if a family is home."""
    winner = family_at_home(state, law)
    if winner != NOBODY:
        state.phase, state.reason, state.winner = ENDED, HOME, winner
    return winner != NOBODY


@rule
def is_turn_over(state, law):
    """After each move with its takes and its ride, check for a win (BBQ-36), then whether it was the last move (BBQ-48)."""
    if state.phase != MOVES:
        return False  # the move is not complete
    state.mover, state.taken = NOBODY, 0
    return not is_won(state, law) and state.moves == 0


@rule
def next_terms(state):
    """Let the next captor name its terms to the family, or begin the family's moves after the last captor (BBQ-42)."""
    captor = hostages.unnamed_captor(state)
    state.mover, state.phase = captor, MOVES if captor == NOBODY else TERMS


@rule
def finish_naming(state, law):
    """After a named term: check for a win (BBQ-43), then go on to the next captor or the family's moves."""
    state.mover = NOBODY
    if not is_won(state, law):
        next_terms(state)


@rule
def start_turn(state, family):
    """BB-1.e.iii: begin a turn; captors of the family's pieces first name their terms."""
    state.turn, state.moves = family, 2
    next_terms(state)


@rule
def end_turn(state, law):
    """Age bridges, count down immunities, and begin the next family's turn."""
    family = int(state.turn)
    for captor in range(3 * law.seats):
        state.term[captor] = UNNAMED
    bridges.age_after_turn(state, law, family)
    hostages.pass_safe_turn(state, family)
    state.turns += 1
    if family == law.seats - 1:
        state.rounds += 1
        if state.rounds == law.round_limit:
            state.phase, state.reason, state.winner = ENDED, ROUND_LIMIT, nearest_family(state, law)
            return
    start_turn(state, (family + 1) % law.seats)


@rule
def nearest_family(state, law):
    """The family with the fewest lines from its child to a goal; NOBODY for a tie (BBQ-38)."""
    nearest, fewest = NOBODY, law.pillars
    for family in range(law.seats):
        left = int(law.goal_distance[family, state.pos[3 * family + S]])
        if left < fewest:
            nearest, fewest = family, left
        elif left == fewest:
            nearest = NOBODY
    return nearest
