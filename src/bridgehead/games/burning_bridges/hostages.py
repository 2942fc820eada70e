"""Hostage situations: who may take whom, protection, terms and release. Compiled."""

# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: SIM110 (any() of a generator is not compiled)

from __future__ import annotations

from bridgehead.core.jit import rule
from bridgehead.games.burning_bridges import bridges
from bridgehead.games.burning_bridges import refusals as no
from bridgehead.games.burning_bridges.state import (
    NOBODY,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_NONE,
    TERM_IS_UNTORCH,
    UNNAMED,
)


@rule
def is_captor(state, law, piece):
    """Whether the piece holds hostages."""
    for other in range(3 * law.seats):
        if state.captor[other] == piece:
            return True
    return False


@rule
def in_situation(state, law, family):
    """Whether any piece of the family is a captor or a hostage."""
    for piece in range(3 * law.seats):
        captor = int(state.captor[piece])
        if captor != NOBODY and (captor // 3 == family or piece // 3 == family):
            return True
    return False


@rule
def situation_refusal(state, law, piece):
    """BB-1.e.vi: nobody takes while in a hostage situation; the family counts, or by house rule the piece (BBQ-20)."""
    if law.scope_piece:
        if state.captor[piece] != NOBODY or is_captor(state, law, piece):
            return no.PIECE_IN_SITUATION
    elif in_situation(state, law, piece // 3):
        return no.FAMILY_IN_SITUATION
    return no.OK


@rule
def is_protected(state, victim, captor):
    """BB-1.f: a free larger piece of its family on the pillar, not smaller than the captor (BBQ-18)."""
    for protector in range(victim - victim % 3, victim):
        if state.captor[protector] == NOBODY and state.pos[protector] == state.pos[victim] and protector % 3 <= captor % 3:
            return True
    return False


@rule
def victim_refusal(state, captor, victim):
    """Whether a piece standing on its pillar may take the victim there, its own situation apart (BB-1.e)."""
    if captor // 3 == victim // 3:
        return no.OWN_PIECE
    if state.pos[captor] != state.pos[victim]:
        return no.ELSEWHERE
    if captor % 3 >= victim % 3:
        return no.NOT_SMALLER  # BB-1.e.i
    if state.captor[victim] != NOBODY:
        return no.COVERED  # BBQ-21
    if state.immune[captor // 3, victim] > 0:
        return no.IMMUNE  # BB-1.e.iv
    if is_protected(state, victim, captor):
        return no.PROTECTED
    return no.OK


@rule
def can_take_any(state, law, captor):
    """Whether anybody on the captor's pillar can be taken by it."""
    for victim in range(3 * law.seats):
        if victim_refusal(state, captor, victim) == no.OK:
            return True
    return False


@rule
def seizer_refusal(state, law, captor):
    """BBQ-16: a free piece may take in place, if its situation allows."""
    return no.HOSTAGE_MOVES if state.captor[captor] != NOBODY else situation_refusal(state, law, captor)


@rule
def seize_refusal(state, law, captor, victim):
    """BBQ-16: a free larger piece takes in place."""
    refusal = seizer_refusal(state, law, captor)
    return refusal if refusal != no.OK else victim_refusal(state, captor, victim)


@rule
def free_hostages(state, law, captor):
    """All hostages of a captor go free without immunity: it walked off or was taken (BB-1.e.v, BBQ-21, BBQ-46)."""
    for piece in range(3 * law.seats):
        if state.captor[piece] == captor:
            state.captor[piece] = NOBODY
    state.term[captor] = UNNAMED


@rule
def take(state, law, captor, victim):
    """The victim becomes the captor's hostage; whom it held goes free first (BBQ-21)."""
    free_hostages(state, law, victim)
    state.captor[victim] = captor
    state.taken += 1


@rule
def release(state, law, captor, family):
    """The family's pieces under the captor go free, safe from the captor's family for a while (BBQ-28, BBQ-47)."""
    for piece in range(3 * family, 3 * family + 3):
        if state.captor[piece] == captor:
            state.captor[piece] = NOBODY
            state.immune[captor // 3, piece] = law.immunity_turns
    state.term[captor] = UNNAMED


# -- terms -----------------------------------------------------------------------------------------------------------


@rule
def unheard_captor(state):
    """The first captor, in seat order, whose terms the family to move has not heard; NOBODY if it has heard all (BBQ-42)."""
    first = NOBODY
    for piece in range(3 * state.turn, 3 * state.turn + 3):
        captor = int(state.captor[piece])
        if captor != NOBODY and state.term[captor] == UNNAMED and (first == NOBODY or captor < first):
            first = captor
    return first


@rule
def name_term(state, law, captor, term):
    """The captor's owner names its term; None frees at once unless it has a price (BBQ-27)."""
    if term == TERM_IS_NONE and law.none_cost == 0:
        release(state, law, captor, int(state.turn))
    else:
        state.term[captor] = term


@rule
def is_void(state, captor):
    """Whether what the captor's term asks for has vanished (BBQ-42)."""
    term = int(state.term[captor])
    if term >= TERM_IS_UNTORCH:
        return not bridges.is_burning(state, term - TERM_IS_UNTORCH, captor // 3)
    if term >= TERM_IS_DESTROY:
        return not bridges.has_bridge(state, term - TERM_IS_DESTROY, int(state.turn))
    return term == TERM_IS_CHOICE and not bridges.has_torches(state, captor // 3)


@rule
def settle_void_terms(state, law):
    """Terms whose bridge or torch has vanished count as None at once: free, with immunity (BBQ-42)."""
    for piece in range(3 * state.turn, 3 * state.turn + 3):
        captor = int(state.captor[piece])
        if captor != NOBODY and is_void(state, captor):
            release(state, law, captor, int(state.turn))


@rule
def pay(state, law, captor, line):
    """Carry out the captor's term; `line` matters where the hostage picks the torch (BB-1.e.iii, BBQ-26)."""
    term = int(state.term[captor])
    if term == TERM_IS_CHOICE:
        bridges.remove_torch(state, law, line, captor // 3)
    elif term >= TERM_IS_UNTORCH:
        bridges.remove_torch(state, law, term - TERM_IS_UNTORCH, captor // 3)
    elif term >= TERM_IS_DESTROY:
        bridges.remove_bridge(state, law, term - TERM_IS_DESTROY, int(state.turn))
    release(state, law, captor, int(state.turn))


@rule
def pay_refusal(state, captor):
    """BBQ-26: paying needs terms from that captor; where the hostage picks the torch, it is named too (BBQ-25)."""
    if state.term[captor] == UNNAMED:
        return no.NO_SUCH_TERMS
    return no.TORCH_UNNAMED if state.term[captor] == TERM_IS_CHOICE else no.OK


@rule
def pay_line_refusal(state, captor, line):
    """BBQ-25: the hostage's family picks a torch in a bridge of the captor's colour."""
    if state.term[captor] == UNNAMED:
        return no.NO_SUCH_TERMS
    if state.term[captor] != TERM_IS_CHOICE:
        return no.TORCH_NAMED
    return no.OK if bridges.is_burning(state, line, captor // 3) else no.NO_CAPTOR_TORCH


@rule
def term_destroy_refusal(state, line):
    """BBQ-24: destroying needs a bridge of the hostage's colour."""
    return no.OK if bridges.has_bridge(state, line, int(state.turn)) else no.NO_HOSTAGE_BRIDGE


@rule
def term_untorch_refusal(state, law, captor, line):
    """BBQ-24: removing a torch needs one in a bridge of the captor's colour."""
    if law.hostage_picks_torch:
        return no.HOSTAGE_PICKS
    return no.OK if bridges.is_burning(state, line, captor // 3) else no.NO_CAPTOR_TORCH


@rule
def term_choice_refusal(state, law, captor):
    """House rule of BBQ-25: the hostage's family will pick the torch."""
    if not law.hostage_picks_torch:
        return no.CAPTOR_PICKS
    return no.OK if bridges.has_torches(state, captor // 3) else no.NO_CAPTOR_TORCH
