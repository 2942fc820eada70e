"""Burning Bridges as a family sees it: planes over the pillars and over the lines; families counted from the own one.

Piece k of family f, as the own family o sees it, has the number 3 * ((f - o) mod seats) + size; sizes are L, M, S.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.core.observation import Number, ObservationLayout, Planes, flags
from bridgehead.games.burning_bridges.actions import MOST_MORE
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.rules import (
    BIDDING,
    NOBODY,
    ONE,
    PHASES,
    SUPPLY,
    SUPPLY_EACH,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_UNTORCH,
    UNNAMED,
    ZERO,
    may_swap,
    pins_of,
    safe_turns,
)

BRIDGE, TORCH, IDLE, USED, OF_LINES = range(5)  # of each colour, over the lines; then the lines that terms name, in two planes
NONE, CHOICE, DESTROY, UNTORCH, TERMS = range(5)  # terms of a captor


def layout(game: Any) -> ObservationLayout:
    """places: the number of each piece as each seat sees it."""
    law, seats = game.law, game.seats
    pillars, lines, pieces = int(law.pillars), int(law.lines), 3 * game.seats
    places = np.array([[_seen(piece, seat, seats) for piece in range(pieces)] for seat in range(seats)], np.int32)
    families = ["own family", *(f"family {after} after the own one" for after in range(1, seats))]
    named = [f"{size} of {family}" for family in families for size in SIZES]
    over_pillars = (*named, *(f"goal of {family}" for family in families))
    kinds = ("bridge", "torch in the bridge", "idle turns of the bridge (a number)", "bridge used since they were counted")
    over_lines = (
        *(f"{kind} of {family}" for family in families for kind in kinds),
        "bridge that terms want destroyed (1 + the captor's number)", "torch that terms want out (1 + the captor's number)",
    )  # fmt: skip
    goals = np.zeros((seats, len(over_pillars), pillars), np.int8)
    for seat in range(seats):
        for family in range(seats):
            goals[seat, pieces + (family - seat) % seats] = [law.goal_distance[family, pillar] == 0 for pillar in range(pillars)]
    constant = np.concatenate([goals.reshape(seats, -1), np.zeros((seats, len(over_lines) * lines), np.int8)], axis=1)
    phases = PHASES if law.bid else PHASES[:BIDDING]
    more = MOST_MORE if law.bid else int(law.last_moves)
    supply = SUPPLY_EACH if law.pins_each else SUPPLY
    numbers = (
        *flags(*(f"{piece} is held by {captor}" for piece in named for captor in named)),
        *(Number(f"{family} may not take {piece}", 9, "own turns") for family in families for piece in named),
        *flags(*(f"{captor} wants {term}" for captor in named for term in ("nothing", "any torch", "a bridge", "one torch"))),
        *flags(*(f"{family} is on turn" for family in families), *(f"phase {phase}" for phase in phases)),
        *flags(*(f"{piece} takes, rides or names terms" for piece in named)),
        *(Number(f"torches placed by {family}", SUPPLY_EACH, "torches, if each has its own") for family in families),
        Number("pins", supply, "torches in bridges"), Number("moves", 2 + more, "moves left"),
        Number("taken", 2, "pieces taken now"),
        Number("rounds", int(law.round_limit) or 1, "rounds left, 0 without a limit"),
        *(flags("sides may be exchanged") if law.pie else ()),
        *([Number("more", MOST_MORE, "moves bid for the first turn of the last family")] if law.bid else []),
    )  # fmt: skip
    parts = (Planes("pillars", (pillars,), over_pillars), Planes("lines", (lines,), over_lines, max(int(law.idle_limit), pieces)))
    return ObservationLayout(parts, numbers, places, constant)


def _seen(piece: int, seat: int, seats: int) -> int:
    return 3 * ((piece // 3 - seat) % seats) + piece % 3


@rule
def observe(state, law, places, seat, planes, numbers):
    seats, pieces = int(law.seats), 3 * int(law.seats)
    show_bridges(state, law, seat, (pieces + seats) * int(law.pillars), planes)
    at = pieces * pieces
    for piece in range(pieces):
        shown = places[seat, piece]
        planes[shown * int(law.pillars) + int(state.pos[piece])] = 1
        if state.captor[piece] != NOBODY:
            numbers[shown * pieces + places[seat, int(state.captor[piece])]] = 1.0
        if state.term[piece] != UNNAMED:
            show_terms(state, law, places, seat, piece, planes, numbers)
    for family in range(seats):
        if state.immune[family] != 0:
            for piece in range(pieces):
                numbers[at + (family - seat) % seats * pieces + places[seat, piece]] = float(safe_turns(state, family, piece))
    at += seats * pieces + TERMS * pieces
    if state.turn != NOBODY:
        numbers[at + (int(state.turn) - seat) % seats] = 1.0
    at += seats
    numbers[at + int(state.phase)] = 1.0
    at += len(PHASES) if law.bid else BIDDING
    if state.mover != NOBODY:
        numbers[at + places[seat, int(state.mover)]] = 1.0
    at += pieces
    if law.pins_each:
        for family in range(seats):
            numbers[at + (family - seat) % seats] = float(pins_of(state, family))
    at += seats
    numbers[at] = float(state.pins)
    numbers[at + 1] = float(state.moves)
    numbers[at + 2] = float(state.taken)
    if law.round_limit > 0:
        numbers[at + 3] = float(law.round_limit - state.rounds)
    if may_swap(state, law):
        numbers[at + 4] = 1.0
    if law.bid:  # never together with `pie`
        numbers[at + 4] = float(state.more)


@rule
def show_bridges(state, law, seat, first, planes):
    """Bridges, torches, idle turns and use, by colour and line. first: where the planes over the lines begin."""
    lines, seats = int(law.lines), int(law.seats)
    for word in range(law.words):
        bridges = state.bridge[word]
        while bridges != ZERO:
            place = lowest(bridges)
            bridges &= bridges - ONE
            bit = ONE << np.uint64(place)
            colour, line = (64 * word + place) // lines, (64 * word + place) % lines
            at = first + (colour - seat) % seats * OF_LINES * lines + line
            idle = 0
            for digit in range(law.idle_digits):
                idle += int(state.idle[digit * law.words + word] & bit != ZERO) << digit
            planes[at + BRIDGE * lines] = 1
            planes[at + TORCH * lines] = int(state.torch[word] & bit != ZERO)
            planes[at + IDLE * lines] = idle
            planes[at + USED * lines] = int(state.used[word] & bit != ZERO)


@rule
def show_terms(state, law, places, seat, captor, planes, numbers):
    """The terms that a captor has named: the kind, and the line, marked with 1 + the captor's number."""
    seats, pieces, lines = int(law.seats), 3 * int(law.seats), int(law.lines)
    shown, term, named = places[seat, captor], int(state.term[captor]), len(planes) - 2 * lines
    kind = NONE
    if term == TERM_IS_CHOICE:
        kind = CHOICE
    elif term >= TERM_IS_UNTORCH:
        kind = UNTORCH
        planes[named + lines + term - TERM_IS_UNTORCH] = 1 + shown
    elif term >= TERM_IS_DESTROY:
        kind = DESTROY
        planes[named + term - TERM_IS_DESTROY] = 1 + shown
    numbers[pieces * pieces + seats * pieces + TERMS * shown + kind] = 1.0
