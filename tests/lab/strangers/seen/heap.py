"""Heap: two seats take one to three stones in turn, and whoever takes the last one wins."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("HE-1", "The seats take one, two or three stones in turn. The last stone wins."),
    Clause("HE-2", "The heap has as many stones as the house rules say, or by lot 20 or 21."),
)
SPEC = Spec(
    id="heap", title="Heap", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Take the last stone.", clauses=CLAUSES, sentences={"en": {
        "option.stones.title": "Stones", "option.stones.text": "Stones of the heap; 0 draws 20 or 21 by lot.",
    }},
)  # fmt: skip
LOT = 3
REASONS = (("", ""), ("taken", "HE-1"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "HE-1"})] = 2
    stones: Annotated[int, Meta(ge=0, le=40, extra={"clause": "HE-2"})] = 0


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """left: stones, -1 before the lot."""
    return [("left", "int64"), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    return LOT + 2


def names(game):
    return ("take one", "take two", "take three", "heap 20", "heap 21")


@rule
def setup(state, law):
    state.left, state.turns, state.reason = law.stones if law.stones else -1, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.left < 0 else int(state.turns % 2)


@rule
def legal(state, law, out):
    if state.left < 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    found = min(3, int(state.left))
    for action in range(found):
        out[action] = action
    return found


@rule
def apply(state, law, action):
    if action >= LOT:
        state.left = 20 + action - LOT
        return
    state.left -= action + 1
    state.turns += 1
    state.reason = int(state.left == 0)


@rule
def value(state, law, seat):
    return 0.0 if state.reason == 0 else 1.0 if (state.turns + 1) % 2 == seat else -1.0


@rule
def returns(state, law, out):
    out[0], out[1] = value(state, law, 0), value(state, law, 1)
