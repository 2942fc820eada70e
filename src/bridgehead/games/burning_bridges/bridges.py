"""Bridges and torches: building, crossing, burning, destroying, aging. Compiled.

A bridge is a number, colour * lines + line. Sets of bridges are words of 64 bits.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: SIM110 (any() of a generator is not compiled)

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.refusals import No
from bridgehead.games.burning_bridges.state import NOBODY, OWNER, ROUND, SUPPLY, SUPPLY_EACH, L, M, S

ZERO, ONE = np.uint64(0), np.uint64(1)


@rule
def bit(bridge):
    """The bit of a bridge in its word."""
    return ONE << np.uint64(bridge & 63)


@rule
def has_bridge(state, bridge):
    """Whether the bridge lies on the board."""
    return (state.bridge[bridge >> 6] & bit(bridge)) != ZERO


@rule
def is_burning(state, bridge):
    """Whether the bridge lies there with a torch in it."""
    return (state.torch[bridge >> 6] & bit(bridge)) != ZERO


@rule
def has_any_bridge(state, law, line):
    """Whether a bridge of any colour lies on the line."""
    for colour in range(law.seats):
        if has_bridge(state, colour * law.lines + line):
            return True
    return False


@rule
def has_torches(state, law, colour):
    """Whether any bridge of that colour burns."""
    burning = ZERO
    for w in range(law.words):
        burning |= state.torch[w] & law.own[colour, w]
    return burning != ZERO


@rule
def count_bridges(state, law, colour):
    """The number of bridges of that colour on the board."""
    bridges = 0
    for w in range(law.words):
        bridges += count(state.bridge[w] & law.own[colour, w])
    return bridges


@rule
def pins_of(state, family):
    """The number of pins that the family has placed, if each family has its own supply."""
    return count(np.uint64(state.placed[family]))


# -- changing --------------------------------------------------------------------------------------------------------


@rule
def build(state, bridge):
    """A new bridge; building counts as use (BBQ-31)."""
    state.bridge[bridge >> 6] |= bit(bridge)
    state.used[bridge >> 6] |= bit(bridge)


@rule
def torches_before(state, bridge):
    """The number of torches in bridges of lower numbers."""
    torches = count(state.torch[bridge >> 6] & (bit(bridge) - ONE))
    for w in range(bridge >> 6):
        torches += count(state.torch[w])
    return torches


@rule
def place_torch(state, law, bridge, family):
    """Put a pin of the family into a bridge."""
    state.torch[bridge >> 6] |= bit(bridge)
    state.pins += 1
    if law.pins_each:
        before = torches_before(state, bridge)
        for each in range(law.seats):
            state.placed[each] += state.placed[each] >> before << before  # later torches move up by one
        state.placed[family] += 1 << before


@rule
def remove_torch(state, law, bridge):
    """Take the pin out of a burning bridge; it returns to the supply (BBQ-11)."""
    state.torch[bridge >> 6] &= ~bit(bridge)
    state.pins -= 1
    if law.pins_each:
        before = torches_before(state, bridge)
        for each in range(law.seats):
            placed = int(state.placed[each])
            state.placed[each] = placed - (placed >> before << before) + (placed >> before + 1 << before)


@rule
def remove_bridge(state, law, bridge):
    """Remove a destroyed or collapsed bridge; its pin returns to the supply (BB-3.a.i, BBQ-11)."""
    w, others = bridge >> 6, ~bit(bridge)
    if is_burning(state, bridge):
        remove_torch(state, law, bridge)
    state.bridge[w] &= others
    state.used[w] &= others
    for digit in range(law.idle_digits):
        state.idle[digit * law.words + w] &= others


@rule
def idle_too_long(state, law, w, unused):
    """The unused bridges that have already been idle for the whole limit."""
    for digit in range(law.idle_digits):
        idle = state.idle[digit * law.words + w]
        unused &= idle if law.idle_limit >> digit & 1 else ~idle
    return unused


@rule
def age_bridges(state, law, w, counted):
    """Count one idle turn for the bridges in a word. Bridges idle for longer than the limit collapse (BB-2.c, BBQ-31)."""
    unused = state.bridge[w] & counted & ~state.used[w]
    collapsing = idle_too_long(state, law, w, unused)
    carried = unused
    for digit in range(law.idle_digits):
        idle = state.idle[digit * law.words + w]
        state.idle[digit * law.words + w] = (idle ^ carried) & ~(state.used[w] & counted)
        carried &= idle
    state.used[w] &= ~counted
    while collapsing != ZERO:
        remove_bridge(state, law, 64 * w + lowest(collapsing))
        collapsing &= collapsing - ONE


@rule
def age_after_turn(state, law, family):
    """Age bridges at the end of a family's turn. A house rule decides which turns count (BBQ-31)."""
    if law.idle_count != ROUND or family == law.seats - 1:
        for w in range(law.words):
            age_bridges(state, law, w, law.own[family, w] if law.idle_count == OWNER else ~ZERO)


# -- refusals --------------------------------------------------------------------------------------------------------


@rule
def has_pin(state, law, family):
    """Whether a pin is left for the family (BBQ-11)."""
    return pins_of(state, family) < SUPPLY_EACH if law.pins_each else state.pins < SUPPLY


@rule
def torch_refusal(state, law, bridge):
    """BB-1.d: torch any opponent's bridge. Nothing to check for the parent: L is never a hostage (BBQ-10, BBQ-13)."""
    family = int(state.turn)
    if not has_bridge(state, bridge):
        return No.NO_BRIDGE
    if (law.torchable[family, bridge >> 6] & bit(bridge)) == ZERO:
        return No.TORCH_OWN
    if is_burning(state, bridge):
        return No.BURNING_ALREADY
    return No.OK if has_pin(state, law, family) else No.NO_PINS


@rule
def build_refusal(state, law, line):
    """BB-1.b: both parents are free and on the two ends of the line (BBQ-6); the line has room (BBQ-7, BBQ-8)."""
    family = int(state.turn)
    large, medium = 3 * family + L, 3 * family + M
    if law.line_of[state.pos[large], state.pos[medium]] != line:
        return No.PARENTS_AT_ENDS
    if state.captor[medium] != NOBODY:
        return No.HOSTAGE_BUILDS
    if has_bridge(state, family * law.lines + line):
        return No.OWN_BRIDGE_THERE
    if not law.parallel_bridges and has_any_bridge(state, law, line):
        return No.LINE_TAKEN
    return No.OK if count_bridges(state, law, family) < law.most_bridges else No.NO_MORE_BRIDGES


@rule
def destroy_refusal(state, law, bridge):
    """BB-3.a: a free child at the base of a burning opponent bridge, either end (BBQ-32)."""
    family = int(state.turn)
    if not has_bridge(state, bridge):
        return No.NO_BRIDGE
    if bridge // law.lines == family:
        return No.DESTROY_OWN
    if not is_burning(state, bridge):
        return No.NOT_BURNING
    if not is_at(law, bridge, state.pos[3 * family + S]):
        return No.CHILD_AT_BASE
    return No.OK if state.captor[3 * family + S] == NOBODY else No.HOSTAGE_DESTROYS


@rule
def is_at(law, bridge, pillar):
    """Whether the bridge begins or ends at the pillar."""
    return (law.bridges_at[pillar, bridge >> 6] & bit(bridge)) != ZERO


@rule
def extinguish_refusal(state, law, line):
    """House rule of BBQ-12: a free own parent at either end of the own burning bridge (BBQ-49)."""
    family = int(state.turn)
    bridge = family * law.lines + line
    if not law.owner_extinguish:
        return No.NO_EXTINGUISHING
    if not is_burning(state, bridge):
        return No.NO_OWN_FIRE
    for piece in range(3 * family + L, 3 * family + S):
        if is_at(law, bridge, state.pos[piece]) and state.captor[piece] == NOBODY:
            return No.OK
    return No.PARENT_AT_END


# -- legal actions -----------------------------------------------------------------------------------------------------


@rule
def add_each(word, first, out, n):
    """Write an action id, counted from `first`, for each bit of a word."""
    while word != ZERO:
        out[n] = first + lowest(word)
        word &= word - ONE
        n += 1
    return n


@rule
def add_torches(state, law, out, n):
    """BB-1.d: a pin into any bridge that may be torched."""
    family = int(state.turn)
    if has_pin(state, law, family):
        for w in range(law.words):
            unlit = state.bridge[w] & ~state.torch[w] & law.torchable[family, w]
            n = add_each(unlit, law.first_of[actions.TORCH] + 64 * w, out, n)
    return n


@rule
def destroyable(state, law, w):
    """BB-3.a: the bridges of one word that the family's child can destroy from its pillar."""
    family = int(state.turn)
    child = 3 * family + S
    if state.captor[child] != NOBODY:
        return ZERO
    return state.torch[w] & law.bridges_at[state.pos[child], w] & ~law.own[family, w]


@rule
def can_destroy_any(state, law):
    """Whether the family's child can destroy a bridge from its pillar."""
    found = ZERO
    for w in range(law.words):
        found |= destroyable(state, law, w)
    return found != ZERO


@rule
def add_destructions(state, law, out, n):
    """BB-3.a: burning opponent bridges at the child's pillar."""
    for w in range(law.words if can_destroy_any(state, law) else 0):
        n = add_each(destroyable(state, law, w), law.first_of[actions.DESTROY] + 64 * w, out, n)
    return n
