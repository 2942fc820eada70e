"""Bridges and torches: building, crossing, burning, destroying, growing lonely. Compiled."""

# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: SIM110 (any() of a generator is not compiled)

from __future__ import annotations

import numpy as np

from bridgehead.core.jit import rule
from bridgehead.games.burning_bridges import kinds
from bridgehead.games.burning_bridges import refusals as no
from bridgehead.games.burning_bridges.state import NOBODY, OWNER, ROUND, SUPPLY, SUPPLY_EACH, TABLE, USED, WORDS, L, M, S

ZERO, ONE = np.uint64(0), np.uint64(1)
BIT = np.array([1 << i for i in range(64)], np.uint64)
CYCLE = np.uint64(67)  # powers of 2 up to 2**63 have different remainders by 67
POSITION = np.zeros(67, np.int64)
for _i in range(64):
    POSITION[(1 << _i) % 67] = _i


@rule
def lowest(word):
    """The number of the lowest bit of a word that is not 0."""
    return POSITION[(word ^ (word & (word - ONE))) % CYCLE]


@rule
def has_bridge(state, line, colour):
    """Whether a bridge of that colour lies on the line."""
    return (state.bridge[colour, line >> 6] & BIT[line & 63]) != ZERO


@rule
def is_burning(state, line, colour):
    """Whether a bridge of that colour lies there with a torch in it."""
    return (state.torch[colour, line >> 6] & BIT[line & 63]) != ZERO


@rule
def has_any_bridge(state, law, line):
    """Whether a bridge of any colour lies on the line."""
    for colour in range(law.seats):
        if has_bridge(state, line, colour):
            return True
    return False


@rule
def any_at(state, law, pillar):
    """Whether any bridge begins or ends at the pillar."""
    for w in range(WORDS):
        at = law.lines_at[pillar, w]
        for colour in range(law.seats):
            if (state.bridge[colour, w] & at) != ZERO:
                return True
    return False


@rule
def has_torches(state, colour):
    """Whether any bridge of that colour burns."""
    for w in range(WORDS):
        if state.torch[colour, w] != ZERO:
            return True
    return False


@rule
def count_bridges(state, colour):
    """How many bridges of that colour are on the board."""
    count = 0
    for w in range(WORDS):
        word = state.bridge[colour, w]
        while word != ZERO:
            word &= word - ONE
            count += 1
    return count


# -- changing --------------------------------------------------------------------------------------------------------


@rule
def build(state, line, colour):
    """A new bridge; building counts as use (BBQ-31)."""
    state.bridge[colour, line >> 6] |= BIT[line & 63]
    state.age[colour, line] = USED


@rule
def use(state, line, colour):
    """Any crossing by any piece is use (BBQ-31)."""
    state.age[colour, line] |= np.uint8(USED)


@rule
def place_torch(state, law, line, colour, by):
    """Put a pin of family `by` into a bridge."""
    word, bit = line >> 6, BIT[line & 63]
    state.torch[colour, word] |= bit
    state.pins += 1
    if law.pins_each:
        state.pins_by[by] += 1
        for plane in range(3):
            if (by + 1) >> plane & 1:
                state.placer[plane, colour, word] |= bit


@rule
def placer_of(state, line, colour):
    """Who placed the pin in a bridge, where pins are counted for each family; -1 where not."""
    word, bit, number = line >> 6, BIT[line & 63], 0
    for plane in range(3):
        if (state.placer[plane, colour, word] & bit) != ZERO:
            number += 1 << plane
    return number - 1


@rule
def remove_torch(state, law, line, colour):
    """Take the pin out of a burning bridge; it returns to the supply (BBQ-11)."""
    word, bit = line >> 6, BIT[line & 63]
    state.torch[colour, word] &= ~bit
    state.pins -= 1
    if law.pins_each:
        state.pins_by[placer_of(state, line, colour)] -= 1
        for plane in range(3):
            state.placer[plane, colour, word] &= ~bit


@rule
def remove_bridge(state, law, line, colour):
    """Destroyed or collapsed: pin and dough go back (BB-3.a.i, BBQ-11)."""
    if is_burning(state, line, colour):
        remove_torch(state, law, line, colour)
    state.bridge[colour, line >> 6] &= ~BIT[line & 63]
    state.age[colour, line] = 0


@rule
def age_bridges(state, law, colour):
    """Count one turn for every bridge of a colour; unused for more than the limit, it collapses (BB-2.c, BBQ-31)."""
    for w in range(WORDS):
        word = state.bridge[colour, w]
        while word != ZERO:
            line = 64 * w + lowest(word)
            word &= word - ONE
            age = int(state.age[colour, line])
            if age >= USED:
                state.age[colour, line] = 0
            elif age == law.idle_limit:
                remove_bridge(state, law, line, colour)
            else:
                state.age[colour, line] = age + 1


@rule
def age_after_turn(state, law, family):
    """What the end of a family's turn does to bridges, by the house rule of whose turns count (BBQ-31)."""
    if law.idle_count == OWNER:
        age_bridges(state, law, family)
    elif law.idle_count == TABLE or (law.idle_count == ROUND and family == law.seats - 1):
        for colour in range(law.seats):
            age_bridges(state, law, colour)


# -- refusals --------------------------------------------------------------------------------------------------------


@rule
def has_pin(state, law, family):
    """Whether a pin is left for the family (BBQ-11)."""
    return state.pins_by[family] < SUPPLY_EACH if law.pins_each else state.pins < SUPPLY


@rule
def torch_refusal(state, law, family, line, colour):
    """BB-1.d: a torch into any opponent's bridge. A free parent there always is: L is never a hostage (BBQ-10, BBQ-13)."""
    if not has_bridge(state, line, colour):
        return no.NO_BRIDGE
    if colour == family and not law.torch_own:
        return no.TORCH_OWN
    if is_burning(state, line, colour):
        return no.BURNING_ALREADY
    if not has_pin(state, law, family):
        return no.NO_PINS
    return no.OK


@rule
def build_refusal(state, law, family, line):
    """BB-1.b: both parents, free, on the two ends of the line (BBQ-6), and room for the bridge (BBQ-7, BBQ-8)."""
    large, medium = 3 * family + L, 3 * family + M
    if law.line_of[int(state.pos[large]), int(state.pos[medium])] != line:
        return no.PARENTS_AT_ENDS
    if state.captor[medium] != NOBODY:
        return no.HOSTAGE_BUILDS
    if has_bridge(state, line, family):
        return no.OWN_BRIDGE_THERE
    if not law.parallel_bridges and has_any_bridge(state, law, line):
        return no.LINE_TAKEN
    if count_bridges(state, family) >= law.most_bridges:
        return no.NO_MORE_BRIDGES
    return no.OK


@rule
def is_end(law, line, pillar):
    """Whether the line begins or ends at the pillar."""
    return law.ends[line, 0] == pillar or law.ends[line, 1] == pillar


@rule
def destroy_refusal(state, law, family, line, colour):
    """BB-3.a: a free child at the base of a burning opponent bridge, either end (BBQ-32)."""
    if not has_bridge(state, line, colour):
        return no.NO_BRIDGE
    if colour == family:
        return no.DESTROY_OWN
    if not is_burning(state, line, colour):
        return no.NOT_BURNING
    if not is_end(law, line, state.pos[3 * family + S]):
        return no.CHILD_AT_BASE
    if state.captor[3 * family + S] != NOBODY:
        return no.HOSTAGE_DESTROYS
    return no.OK


@rule
def can_destroy_any(state, law, family):
    """Whether the family's child could destroy a bridge where it stands."""
    pillar = int(state.pos[3 * family + S])
    for colour in range(law.seats):
        for w in range(WORDS):
            if colour != family and (state.torch[colour, w] & law.lines_at[pillar, w]) != ZERO:
                return state.captor[3 * family + S] == NOBODY
    return False


@rule
def extinguish_refusal(state, law, family, line):
    """House rule of BBQ-12: a free own parent at either end of the own burning bridge (BBQ-49)."""
    if not law.owner_extinguish:
        return no.NO_EXTINGUISHING
    if not is_burning(state, line, family):
        return no.NO_OWN_FIRE
    for piece in range(3 * family + L, 3 * family + S):
        if is_end(law, line, state.pos[piece]) and state.captor[piece] == NOBODY:
            return no.OK
    return no.PARENT_AT_END


# -- legal actions -----------------------------------------------------------------------------------------------------


@rule
def add_torches(state, law, family, out, n):
    """BB-1.d: a pin into any bridge that may be torched."""
    if not has_pin(state, law, family):
        return n
    for colour in range(law.seats):
        for w in range(WORDS):
            word = state.bridge[colour, w] & ~state.torch[colour, w]
            while word != ZERO:
                line = 64 * w + lowest(word)
                word &= word - ONE
                if torch_refusal(state, law, family, line, colour) == no.OK:
                    out[n] = law.first_of[kinds.TORCH] + colour * law.lines + line
                    n += 1
    return n


@rule
def add_destructions(state, law, family, out, n):
    """BB-3.a: burning opponent bridges at the child's pillar."""
    here = int(state.pos[3 * family + S])
    for colour in range(law.seats):
        for w in range(WORDS):
            word = state.torch[colour, w] & law.lines_at[here, w]
            while word != ZERO:
                line = 64 * w + lowest(word)
                word &= word - ONE
                if destroy_refusal(state, law, family, line, colour) == no.OK:
                    out[n] = law.first_of[kinds.DESTROY] + colour * law.lines + line
                    n += 1
    return n
