"""Hostage situations: taking, protection, terms and release. Compiled."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.games.burning_bridges import actions, bridges
from bridgehead.games.burning_bridges.bridges import ONE, ZERO
from bridgehead.games.burning_bridges.refusals import No
from bridgehead.games.burning_bridges.state import (
    NOBODY,
    SETTLED,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_NONE,
    TERM_IS_UNTORCH,
    UNNAMED,
    M,
)

FAMILY = np.uint64(7)  # the pieces of the first family, one bit each
EACH_PIECE = sum(1 << 4 * piece for piece in range(15))


@rule
def in_situations(state, law):
    """All captors and hostages, one bit for each piece."""
    found = ZERO
    for hostage in range(3 * law.seats):
        captor = int(state.captor[hostage])
        if captor != NOBODY:
            found |= bridges.bit(hostage) | bridges.bit(captor)
    return found


@rule
def situation_refusal(state, law, piece):
    """BB-1.e.vi: no taking during a hostage situation of the family, or, by house rule, of the piece (BBQ-20)."""
    involved = in_situations(state, law)
    if law.scope_piece:
        return No.PIECE_IN_SITUATION if involved & bridges.bit(piece) != ZERO else No.OK
    return No.FAMILY_IN_SITUATION if involved & FAMILY << np.uint64(piece - piece % 3) != ZERO else No.OK


@rule
def is_protected(state, victim, captor):
    """BB-1.f: a free larger piece of its family on the pillar, not smaller than the captor (BBQ-18)."""
    for protector in range(victim - victim % 3, victim):
        if state.captor[protector] == NOBODY and state.pos[protector] == state.pos[victim] and protector % 3 <= captor % 3:
            return True
    return False


@rule
def victim_refusal(state, captor, victim):
    """Whether a piece may take the victim on its pillar, ignoring its own situation (BB-1.e)."""
    if captor // 3 == victim // 3:
        return No.OWN_PIECE
    if state.pos[captor] != state.pos[victim]:
        return No.ELSEWHERE
    if captor % 3 >= victim % 3:
        return No.NOT_SMALLER  # BB-1.e.i
    if state.captor[victim] != NOBODY:
        return No.COVERED  # BBQ-21
    if safe_turns(state, captor // 3, victim) > 0:
        return No.IMMUNE  # BB-1.e.iv
    return No.PROTECTED if is_protected(state, victim, captor) else No.OK


@rule
def victims(state, law, captor):
    """The pieces on the captor's pillar that it can take, one bit each."""
    here, found, near = state.pos[captor], ZERO, ZERO
    for piece in range(3 * law.seats):
        if state.pos[piece] == here:
            near |= bridges.bit(piece)
    near &= ~(FAMILY << np.uint64(captor - captor % 3))
    while near != ZERO:
        victim = lowest(near)
        if victim_refusal(state, captor, victim) == No.OK:
            found |= bridges.bit(victim)
        near &= near - ONE
    return found


@rule
def seizer_refusal(state, law, captor):
    """BBQ-16: a free piece may take on its own pillar, if no hostage situation forbids it."""
    return No.HOSTAGE_MOVES if state.captor[captor] != NOBODY else situation_refusal(state, law, captor)


@rule
def seize_refusal(state, law, captor, victim):
    """BBQ-16: a free larger piece takes a piece on its own pillar."""
    refusal = seizer_refusal(state, law, captor)
    return refusal if refusal != No.OK else victim_refusal(state, captor, victim)


@rule
def free_hostages(state, law, captor):
    """Free all hostages of a captor without immunity: it walked off or was taken (BB-1.e.v, BBQ-21, BBQ-46)."""
    for piece in range(3 * law.seats):
        if state.captor[piece] == captor:
            state.captor[piece] = NOBODY
    state.term[captor] = UNNAMED


# -- safety ----------------------------------------------------------------------------------------------------------


@rule
def safe_turns(state, family, piece):
    """Own turns left for which the family may not take the piece (BB-1.e.iv, BBQ-28)."""
    return state.immune[family] >> 4 * piece & 15


@rule
def pass_safe_turn(state, family):
    """Count down one safe turn of every piece that is safe from the family (BBQ-28)."""
    safe = int(state.immune[family])
    state.immune[family] = safe - ((safe | safe >> 1 | safe >> 2 | safe >> 3) & EACH_PIECE)


@rule
def release(state, law, captor):
    """Free the family's pieces under the captor, with immunity from the captor's family (BBQ-28, BBQ-47)."""
    for piece in range(3 * state.turn + M, 3 * state.turn + 3):
        if state.captor[piece] == captor:
            state.captor[piece] = NOBODY
            state.immune[captor // 3] |= law.immunity_turns << 4 * piece
    state.term[captor] = UNNAMED


# -- terms -----------------------------------------------------------------------------------------------------------


@rule
def unnamed_captor(state):
    """The first captor, in seat order, that has not named its terms to the family on turn; NOBODY if all have (BBQ-42)."""
    first = NOBODY
    for piece in range(3 * state.turn + M, 3 * state.turn + 3):
        captor = int(state.captor[piece])
        if captor != NOBODY and state.term[captor] == UNNAMED and (first == NOBODY or captor < first):
            first = captor
    return first


@rule
def name_term(state, law, kind, line):
    """The captor's owner names its term (BBQ-23); None frees at once unless it has a price (BBQ-27)."""
    term = TERM_IS_NONE if law.none_cost else SETTLED
    if kind == actions.TERM_DESTROY:
        term = TERM_IS_DESTROY + line
    elif kind == actions.TERM_UNTORCH:
        term = TERM_IS_UNTORCH + line
    elif kind == actions.TERM_CHOICE:
        term = TERM_IS_CHOICE
    state.term[state.mover] = term


@rule
def is_settled(state, law, captor):
    """Whether the captor's term is carried out, or its bridge or torch has vanished (BBQ-42)."""
    term = int(state.term[captor])
    if term >= TERM_IS_UNTORCH:
        return not bridges.is_burning(state, captor // 3 * law.lines + term - TERM_IS_UNTORCH)
    if term >= TERM_IS_DESTROY:
        return not bridges.has_bridge(state, state.turn * law.lines + term - TERM_IS_DESTROY)
    return term == SETTLED or (term == TERM_IS_CHOICE and not bridges.has_torches(state, law, captor // 3))


@rule
def settle_terms(state, law):
    """Free the hostages of settled terms at once, with immunity; a vanished bridge or torch counts as None (BBQ-42)."""
    for piece in range(3 * state.turn + M, 3 * state.turn + 3):
        captor = int(state.captor[piece])
        if captor != NOBODY and is_settled(state, law, captor):
            release(state, law, captor)


@rule
def pay(state, law, captor, line):
    """Carry out the captor's term; `line` matters where the hostage picks the torch (BB-1.e.iii, BBQ-26)."""
    term = int(state.term[captor])
    if TERM_IS_DESTROY <= term < TERM_IS_UNTORCH:
        bridges.remove_bridge(state, law, state.turn * law.lines + term - TERM_IS_DESTROY)
    elif term != TERM_IS_NONE:
        untorched = line if term == TERM_IS_CHOICE else term - TERM_IS_UNTORCH
        bridges.remove_torch(state, law, captor // 3 * law.lines + untorched)
    state.term[captor] = SETTLED


@rule
def pay_refusal(state, captor):
    """BBQ-26: paying needs terms from that captor. If the hostage's family picks the torch, it names it too (BBQ-25)."""
    if state.term[captor] == UNNAMED:
        return No.NO_SUCH_TERMS
    return No.TORCH_UNNAMED if state.term[captor] == TERM_IS_CHOICE else No.OK


@rule
def pay_line_refusal(state, law, captor, line):
    """BBQ-25: the hostage's family picks a torch in a bridge of the captor's colour."""
    if state.term[captor] == UNNAMED:
        return No.NO_SUCH_TERMS
    if state.term[captor] != TERM_IS_CHOICE:
        return No.TORCH_NAMED
    return No.OK if bridges.is_burning(state, captor // 3 * law.lines + line) else No.NO_CAPTOR_TORCH


@rule
def term_refusal(state, law, kind, line):
    """BBQ-24, BBQ-25: a term demands a bridge of the hostage's colour or a torch in a bridge of the captor's, or is None."""
    owner = state.mover // 3
    if kind == actions.TERM_DESTROY:
        return No.OK if bridges.has_bridge(state, state.turn * law.lines + line) else No.NO_HOSTAGE_BRIDGE
    if kind == actions.TERM_UNTORCH:
        if law.hostage_picks_torch:
            return No.HOSTAGE_PICKS
        return No.OK if bridges.is_burning(state, owner * law.lines + line) else No.NO_CAPTOR_TORCH
    if kind == actions.TERM_CHOICE:
        if not law.hostage_picks_torch:
            return No.CAPTOR_PICKS
        return No.OK if bridges.has_torches(state, law, owner) else No.NO_CAPTOR_TORCH
    return No.OK
