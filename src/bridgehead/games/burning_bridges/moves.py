"""Walking and crossing, getting home, and the course of turns and rounds. Compiled."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from bridgehead.core.jit import rule
from bridgehead.games.burning_bridges import bridges, hostages
from bridgehead.games.burning_bridges import refusals as no
from bridgehead.games.burning_bridges.bridges import BIT, ZERO
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
def walk_refusal(state, law, piece, pillar):
    """BB-1.a: a parent to an adjacent pillar; the child never walks (BBQ-5)."""
    if piece % 3 == S:
        return no.CHILD_WALKS
    if state.captor[piece] != NOBODY:
        return no.HOSTAGE_MOVES
    if law.line_of[int(state.pos[piece]), pillar] < 0:
        return no.NO_LINE
    return no.EQUAL_BLOCKS if equal_blocks(state, law, piece, pillar) else no.OK


@rule
def cross_refusal(state, law, piece, pillar, colour):
    """BB-1.c: parents over any bridge, the child over its own colour only, and not through fire (BB-1.d, BBQ-4, BBQ-5)."""
    if state.captor[piece] != NOBODY:
        return no.HOSTAGE_MOVES
    line = int(law.line_of[int(state.pos[piece]), pillar])
    if line < 0:
        return no.NO_LINE
    if not bridges.has_bridge(state, line, colour):
        return no.NO_BRIDGE_TO_CROSS
    if piece % 3 == S and colour != piece // 3:
        return no.CHILD_COLOUR
    if piece % 3 == S and bridges.is_burning(state, line, colour):
        return no.CHILD_FIRE
    return no.EQUAL_BLOCKS if equal_blocks(state, law, piece, pillar) else no.OK


@rule
def land(state, law, piece, pillar):
    """Move the piece, leaving its hostages; then it may take, or a child may destroy, within the same move (BBQ-15, BBQ-32)."""
    if law.capture_on_leaving:
        hostages.free_hostages(state, law, piece)
    may_take = hostages.situation_refusal(state, law, piece) == no.OK  # judged when the action is chosen (BBQ-41)
    hostages.free_hostages(state, law, piece)
    state.pos[piece] = pillar
    if may_take and hostages.can_take_any(state, law, piece):
        state.phase, state.mover = TAKING, piece
    elif piece % 3 == S and law.ride and bridges.can_destroy_any(state, law, piece // 3):
        state.phase, state.mover = RIDING, piece


@rule
def take_hostage(state, law, captor, victim):
    """One hostage more for this move; the move ends when two are taken or nobody is left to take (BBQ-17)."""
    hostages.take(state, law, captor, victim)
    more = state.taken < 2 and hostages.can_take_any(state, law, captor)
    state.phase, state.mover = TAKING if more else MOVES, captor


@rule
def is_home(state, law, family):
    """BB-W.1: all three pieces free on goals of their colour (BBQ-35, BB-W.3)."""
    large, medium, small = 3 * family + L, 3 * family + M, 3 * family + S
    for piece in range(small, large - 1, -1):
        if (law.goals[family] & BIT[state.pos[piece]]) == ZERO or state.captor[piece] != NOBODY:
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
    """The family that has won: the one whose turn it is, else the first in seat order; NOBODY while none is home (BBQ-36)."""
    if is_home(state, law, int(state.turn)):
        return int(state.turn)
    for family in range(law.seats):
        if is_home(state, law, family):
            return family
    return NOBODY


@rule
def is_won(state, law):
    """End the game if a family is home."""
    winner = family_at_home(state, law)
    if winner != NOBODY:
        state.phase, state.reason, state.winner = ENDED, HOME, winner
    return winner != NOBODY


@rule
def is_turn_over(state, law):
    """After every move, its takes and its ride included: the win (BBQ-36), then whether that was the last move (BBQ-48)."""
    if state.phase != MOVES:
        return False  # the move is not complete
    state.mover, state.taken = NOBODY, 0
    return not is_won(state, law) and state.moves == 0


@rule
def finish_naming(state, law):
    """After a term was named: the win (BBQ-43), then the next captor's term or the family's moves (BBQ-42)."""
    if not is_won(state, law) and hostages.unheard_captor(state) == NOBODY:
        state.phase = MOVES


@rule
def start_turn(state, law, family):
    """BB-1.e.iii: a turn begins with hearing the captors' terms, if the family has hostages out."""
    state.turn, state.moves = family, 2
    state.phase = MOVES if hostages.unheard_captor(state) == NOBODY else TERMS


@rule
def end_turn(state, law):
    """Bridges grow lonely, safety runs out, and the next family begins."""
    family = int(state.turn)
    state.term[:] = UNNAMED
    bridges.age_after_turn(state, law, family)
    for piece in range(3 * law.seats):
        if state.immune[family, piece] > 0:
            state.immune[family, piece] -= 1  # BBQ-28
    state.turns += 1
    if family == law.seats - 1:
        state.rounds += 1
        if state.rounds == law.round_limit:
            state.phase, state.reason, state.winner = ENDED, ROUND_LIMIT, nearest_family(state, law)
            return
    start_turn(state, law, (family + 1) % law.seats)


@rule
def nearest_family(state, law):
    """The family whose child has the fewest lines left to a goal; NOBODY if two share that (BBQ-38)."""
    nearest, fewest = NOBODY, law.pillars
    for family in range(law.seats):
        left = int(law.goal_distance[family, int(state.pos[3 * family + S])])
        if left < fewest:
            nearest, fewest = family, left
        elif left == fewest:
            nearest = NOBODY
    return nearest
