"""Rope: pull the knot to your side."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause(
        "RO-1", "A seat, drawn by lot, begins. In turn one pulls (a step), lets go (a step back), or heaves (three, or one back)."
    ),
    Clause("RO-2", "Whoever has the knot on its side wins. After 60 turns nobody does."),
    Clause("RO-3", "Heaving may be forbidden."),
    Clause("RO-4", "The knot may begin beside the middle."),
)
SPEC = Spec(
    id="rope", title="Rope", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Pull the knot to your side.", clauses=CLAUSES, sentences={"en": {
        "option.heave.title": "Heaving", "option.heave.text": "May one heave?", "option.knot.title": "Knot",
        "option.knot.text": "Where the knot begins: 5 is the middle.",
    }},
)  # fmt: skip
PULL, GO, HEAVE, STRONG, SLIP, LOT = 0, 1, 2, 3, 4, 5
SIDE = 5
REASONS = (("", ""), ("pulled", "RO-2"), ("dusk", "RO-2"))


class Options(House, frozen=True):
    seats: Annotated[Literal[2], Meta(extra={"clause": "RO-1"})] = 2
    heave: Annotated[bool, Meta(extra={"clause": "RO-3"})] = True
    knot: Annotated[int, Meta(ge=1, le=9, extra={"clause": "RO-4"})] = 5


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """knot: 0 is the side of seat 0, 10 that of seat 1."""
    return [("knot", "int64"), ("seat", "int64"), ("die", "int64"), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    return LOT + 2


def names(game):
    return ("pull", "let go", "heave", "strong", "slip", "first begins", "second begins")


@rule
def setup(state, law):
    state.knot, state.seat, state.die, state.turns, state.reason = law.knot, -1, 0, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.seat < 0 or state.die else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    if state.die:
        out[0], out[1] = STRONG, SLIP
        return 2
    out[0], out[1], out[2] = PULL, GO, HEAVE
    return 3 if law.heave else 2


@rule
def apply(state, law, action):
    if action >= LOT:
        state.seat = action - LOT
        return
    if action == HEAVE:
        state.die = 1
        return
    steps = 1 if action == PULL else -1 if action == GO else 3 if action == STRONG else -1
    state.knot += steps if state.seat == 1 else -steps
    state.knot = max(0, min(2 * SIDE, int(state.knot)))
    state.die = 0
    state.seat = 1 - state.seat
    state.turns += 1
    state.reason = 1 if state.knot == 0 or state.knot == 2 * SIDE else 2 if state.turns >= 60 else 0


@rule
def value(state, law, seat):
    lead = float(state.knot - SIDE) if seat == 1 else float(SIDE - state.knot)
    return lead if state.reason == 0 else 0.0 if state.reason == 2 else 4 * lead


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 0.0 if state.reason == 2 else 1.0 if (state.knot == 0) == (seat == 0) else -1.0
