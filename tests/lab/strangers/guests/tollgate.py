"""Tollgate: two carriers bring loads through a gate, and whoever has enough over there first wins."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("TO-1", "Who begins is drawn; the other one has a load over already."),
    Clause("TO-2", "In turn a seat carries one to three loads by a die, or hauls two."),
    Clause("TO-3", "Whoever has so many loads over wins."),
    Clause("TO-4", "Instead a seat may bar the gate to the other: so many of its next turns with loads fail."),
    Clause("TO-5", "After so many turns the gate closes, and nobody wins."),
)
SPEC = Spec(
    id="tollgate", title="Tollgate", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Bring your loads over first.", clauses=CLAUSES, sentences={"en": {
        "option.goal.title": "Goal", "option.goal.text": "Loads that win.",
        "option.bars.title": "Bars", "option.bars.text": "Turns that a barred gate costs; 0: nobody bars it.",
        "option.limit.title": "Limit", "option.limit.text": "Turns until the gate closes.",
    }},
)  # fmt: skip
CARRY, HAUL, BAR, DIE, LOT = 0, 1, 2, 3, 6
REASONS = (("", ""), ("over", "TO-3"), ("closed", "TO-5"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "TO-1"})] = 2
    goal: Annotated[int, Meta(ge=2, le=40, extra={"clause": "TO-3"})] = 12
    bars: Annotated[int, Meta(ge=0, le=4, extra={"clause": "TO-4"})] = 0
    limit: Annotated[int, Meta(ge=4, le=100, extra={"clause": "TO-5"})] = 60


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """loads and barred by seat; seat: to act, -1 before the lot; rolls: a die is due."""
    return [
        ("loads", "int64", (2,)), ("barred", "int64", (2,)), ("seat", "int64"), ("rolls", "int64"), ("turns", "int64"),
        ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + 2


def names(game):
    return ("carry", "haul", "bar", "die 1", "die 2", "die 3", "first begins", "second begins")


@rule
def setup(state, law):
    for seat in range(2):
        state.loads[seat], state.barred[seat] = 0, 0
    state.seat, state.rolls, state.turns, state.reason = -1, 0, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.seat < 0 or state.rolls else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    if state.rolls:
        out[0], out[1], out[2] = DIE, DIE + 1, DIE + 2
        return 3
    out[0], out[1], out[2] = CARRY, HAUL, BAR
    return 3 if law.bars > 0 else 2


@rule
def apply(state, law, action):
    if action >= LOT:
        state.seat = action - LOT
        state.loads[1 - state.seat] = 1  # TO-1
        return
    seat = int(state.seat)
    if action == CARRY and state.barred[seat] == 0:
        state.rolls = 1
        return
    if action == BAR:
        state.barred[1 - seat] = law.bars  # TO-4
    elif state.barred[seat] > 0:
        state.barred[seat] -= 1  # TO-4
    else:
        state.loads[seat] += 2 if action == HAUL else action - DIE + 1  # TO-2
    state.rolls = 0
    state.turns += 1
    state.seat = 1 - seat
    if state.loads[seat] >= law.goal:
        state.reason = 1  # TO-3
    elif state.turns >= law.limit:
        state.reason = 2  # TO-5


@rule
def value(state, law, seat):
    if state.reason == 1:
        return 20.0 if state.seat != seat else -20.0
    lead = float(state.loads[seat] - state.loads[1 - seat]) / 2
    return lead + 0.8 * float(state.barred[1 - seat] - state.barred[seat])


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 0.0 if state.reason == 2 else 1.0 if state.seat != seat else -1.0
