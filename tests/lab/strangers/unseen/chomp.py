"""Chomp: bite from a bar of chocolate; the last piece is bitter."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("CH-1", "In turn a seat bites a piece, with all that is above it and to its right."),
    Clause("CH-2", "Whoever bites the piece at the lower left loses."),
    Clause("CH-3", "Some first bites may be thrown."),
)
SPEC = Spec(
    id="chomp", title="Chomp", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Leave the bitter piece.", clauses=CLAUSES, sentences={"en": {
        "option.thrown.title": "Thrown bites", "option.thrown.text": "First bites that are thrown.",
        "option.rows.title": "Rows", "option.rows.text": "Rows of the bar.",
    }},
)  # fmt: skip
WIDE, HIGH = 5, 4
REASONS = (("", ""), ("bitter", "CH-2"))


class Options(House, frozen=True):
    seats: Annotated[Literal[2], Meta(extra={"clause": "CH-1"})] = 2
    rows: Annotated[Literal[2, 3, 4], Meta(extra={"clause": "CH-1"})] = 3
    thrown: Annotated[int, Meta(ge=0, le=1, extra={"clause": "CH-3"})] = 0


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """left: pieces of each row."""
    return [("left", "int64", (HIGH,)), ("thrown", "int64"), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    return WIDE * HIGH


def places(game):
    return {f"{'abcde'[x]}{y + 1}": (x, -y) for y in range(HIGH) for x in range(WIDE)}


def names(game):
    return tuple(places(game))


@rule
def setup(state, law):
    for row in range(HIGH):
        state.left[row] = WIDE if row < law.rows else 0
    state.thrown, state.turns, state.reason = 0, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.thrown < law.thrown else int(state.turns % 2)


@rule
def legal(state, law, out):
    found = 0
    for action in range(1 if state.thrown < law.thrown else 0, WIDE * HIGH):
        if state.reason == 0 and action % WIDE < state.left[action // WIDE]:
            out[found] = action
            found += 1
    return found


@rule
def apply(state, law, action):
    if state.thrown < law.thrown:
        state.thrown += 1
    else:
        state.turns += 1
    for row in range(action // WIDE, HIGH):
        state.left[row] = min(state.left[row], action % WIDE)
    state.reason = int(state.left[0] == 0)


@rule
def value(state, law, seat):
    return 0.0 if state.reason == 0 else 1.0 if state.turns % 2 == seat else -1.0


@rule
def returns(state, law, out):
    out[0], out[1] = value(state, law, 0), value(state, law, 1)
