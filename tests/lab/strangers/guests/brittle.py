"""Brittle: two seats break a bar of sugar into ever smaller pieces, and whoever breaks last wins."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("BR-1", "In turn a seat breaks one piece in two, first a bar of so many grains, or by lot of 10 or 11."),
    Clause("BR-2", "The two parts differ in length, unless equal parts are allowed."),
    Clause("BR-3", "Whoever breaks last wins."),
)
SPEC = Spec(
    id="brittle", title="Brittle", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Break the last piece.", clauses=CLAUSES, sentences={"en": {
        "option.grains.title": "Grains", "option.grains.text": "Grains of the bar; 0 draws 10 or 11 by lot.",
        "option.halves.title": "Halves", "option.halves.text": "May a piece be broken in two equal parts?",
    }},
)  # fmt: skip
LONGEST, PARTS = 16, 8
LOT = (LONGEST + 1) * PARTS
REASONS = (("", ""), ("broken", "BR-3"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "BR-1"})] = 2
    grains: Annotated[Literal[0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], Meta(extra={"clause": "BR-1"})] = 0
    halves: Annotated[bool, Meta(extra={"clause": "BR-2"})] = False


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """pieces: how many of each length; drawn: 0 before the lot."""
    return [("pieces", "int64", (LONGEST + 1,)), ("drawn", "int64"), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    return LOT + 2


def names(game):
    """A break names the length of the piece and its smaller part."""
    breaks = (f"break {action // PARTS} at {action % PARTS + 1}" for action in range(LOT))
    return (*breaks, "bar 10", "bar 11")


@rule
def breakable(state, law, length, part):
    """Whether there is a piece of this length that may be broken at this part (BR-2)."""
    if state.pieces[length] == 0 or 2 * part > length:
        return False
    return 2 * part < length or law.halves == 1


@rule
def setup(state, law):
    for length in range(LONGEST + 1):
        state.pieces[length] = 0
    state.drawn, state.turns, state.reason = int(law.grains > 0), 0, 0
    if law.grains > 0:
        state.pieces[law.grains] = 1


@rule
def actor(state, law):
    return OVER if state.reason != 0 else int(state.turns % 2) if state.drawn else CHANCE


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.drawn == 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    found = 0
    for action in range(LOT):
        if breakable(state, law, action // PARTS, action % PARTS + 1):
            out[found] = action
            found += 1
    return found


@rule
def apply(state, law, action):
    if action >= LOT:
        state.drawn = 1
        state.pieces[10 + action - LOT] = 1  # BR-1
        return
    length, part = action // PARTS, action % PARTS + 1
    state.pieces[length] -= 1
    state.pieces[part] += 1
    state.pieces[length - part] += 1
    state.turns += 1
    state.reason = 1  # BR-3
    for other in range(LOT):
        if breakable(state, law, other // PARTS, other % PARTS + 1):
            state.reason = 0


@rule
def value(state, law, seat):
    return 0.0 if state.reason == 0 else 1.0 if (state.turns + 1) % 2 == seat else -1.0


@rule
def returns(state, law, out):
    out[0], out[1] = value(state, law, 0), value(state, law, 1)
