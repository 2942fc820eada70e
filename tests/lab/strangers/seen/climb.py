"""Climb: two walkers roll a die and climb to the top; who begins is drawn by lot."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("CL-1", "The seat rolls a die, then climbs so many steps, or rests and leaves the roll to its next turn as one step."),
    Clause("CL-2", "The first on the top wins."),
    Clause("CL-3", "Whoever is ahead climbs farther by the wind."),
    Clause("CL-4", "Whoever stops in the pit stays there."),
    Clause("CL-5", "After 60 turns, and two more for each step to the top, nobody wins."),
)
SPEC = Spec(
    id="climb", title="Climb", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Be first on the top.", clauses=CLAUSES, sentences={"en": {
        "option.top.title": "Top", "option.top.text": "Steps to the top.", "option.wind.title": "Wind",
        "option.wind.text": "Steps more for whoever is ahead.", "option.pit.title": "Pit",
        "option.pit.text": "How many of the steps around half the way are pits.",
    }},
)  # fmt: skip
CLIMB, REST, ROLL, LOT = 0, 1, 2, 8
REASONS = (("", ""), ("top", "CL-2"), ("dusk", "CL-5"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "CL-1"})] = 2
    top: Annotated[int, Meta(ge=3, le=400, extra={"clause": "CL-2"})] = 30
    wind: Annotated[int, Meta(ge=0, le=6, extra={"clause": "CL-3"})] = 0
    pit: Annotated[int, Meta(ge=0, le=12, extra={"clause": "CL-4"})] = 0


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """at: steps by seat; seat: to act, -1 before the lot; die: 0 before it is rolled; saved: by rests."""
    seats = [("at", "int64", (2,)), ("saved", "int64", (2,))]
    return [*seats, ("seat", "int64"), ("die", "int64"), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    return LOT + 2


def names(game):
    return ("climb", "rest", *(f"roll {side}" for side in range(1, 7)), "first begins", "second begins")


@rule
def is_pit(law, step):
    return law.top // 2 <= step < law.top // 2 + law.pit


@rule
def setup(state, law):
    for seat in range(2):
        state.at[seat], state.saved[seat] = 0, 0
    state.seat, state.die, state.turns, state.reason = -1, 0, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.seat < 0 or state.die == 0 else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    if state.die == 0:
        for side in range(6):
            out[side] = ROLL + side
        return 6
    out[0], out[1] = CLIMB, REST
    if is_pit(law, state.at[state.seat]):
        out[0] = REST
        return 1
    return 2


@rule
def apply(state, law, action):
    if action >= LOT:
        state.seat = action - LOT
        return
    if action >= ROLL:
        state.die = action - ROLL + 1
        return
    seat = state.seat
    if action == CLIMB:
        ahead = state.at[seat] > state.at[1 - seat]
        state.at[seat] += state.die + state.saved[seat] + (law.wind if ahead else 0)
        state.saved[seat] = 0
    else:
        state.saved[seat] = min(state.saved[seat] + 1, 3)
    state.turns += 1
    state.die = 0
    state.seat = 1 - seat
    state.reason = 1 if state.at[seat] >= law.top else 2 if state.turns >= 60 + 2 * law.top else 0


@rule
def value(state, law, seat):
    if state.reason == 1:
        return 20.0 if state.at[seat] >= law.top else -20.0
    stuck, free = is_pit(law, state.at[seat]), is_pit(law, state.at[1 - seat])
    return float(state.at[seat] - state.at[1 - seat]) / 5 - 3.0 * stuck + 3.0 * free


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 0.0 if state.reason != 1 else 1.0 if state.at[seat] >= law.top else -1.0
