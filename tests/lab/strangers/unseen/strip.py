"""Strip: two runners on a strip of fields, and a shortcut."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("ST-1", "Who begins is drawn. In turn a runner moves a rolled 1 to 3 on either lane, or so far back."),
    Clause("ST-2", "On the upper lane a runner that lands on the other one sends it back to the start."),
    Clause("ST-3", "Whoever reaches the end of the strip wins."),
    Clause("ST-4", "One runner may start ahead."),
    Clause("ST-5", "The meadow beside the strip belongs to the board."),
    Clause("ST-6", "The rules may allow no way but forwards on the lower lane."),
)
SPEC = Spec(
    id="strip", title="Strip", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Run to the end.", clauses=CLAUSES, sentences={"en": {
        "option.ahead.title": "Start ahead", "option.ahead.text": "Fields that the first seat starts ahead.",
        "option.meadow.title": "Meadow", "option.meadow.text": "Is there a meadow?",
        "option.narrow.title": "Narrow", "option.narrow.text": "Is there only one way?",
    }},
)  # fmt: skip
LONG, LANES = 16, 2
FIELDS = LONG * LANES
BACK, ROLL, LOT = FIELDS, FIELDS + 1, FIELDS + 4
REASONS = (("", ""), ("there", "ST-3"), ("dusk", "ST-3"))


class Options(House, frozen=True):
    seats: Annotated[Literal[2], Meta(extra={"clause": "ST-1"})] = 2
    ahead: Annotated[int, Meta(ge=0, le=10, extra={"clause": "ST-4"})] = 0
    meadow: Annotated[bool, Meta(extra={"clause": "ST-5"})] = False
    narrow: Annotated[bool, Meta(extra={"clause": "ST-6"})] = False


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """at: the field of each runner; steps: 0 before the roll; seat: -1 before the lot."""
    return [("at", "int64", (2,)), ("seat", "int64"), ("steps", "int64"), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    return LOT + 2


def places(game):
    strip = {f"{'ab'[lane]}{x + 1}": (x, -lane) for lane in range(LANES) for x in range(LONG)}
    meadow = {f"{'cdef'[row]}{x + 1}": (x, -2 - row) for row in range(4) for x in range(LONG)}
    return strip | (meadow if game.options.meadow else {})


def pieces(position):
    fields = [f"{'ab'[lane]}{x + 1}" for lane in range(LANES) for x in range(LONG)]
    return {fields[at]: seat for seat, at in enumerate(position.state.at)}


def names(game):
    return (*list(places(game))[:FIELDS], "back", "roll 1", "roll 2", "roll 3", "first begins", "second begins")


@rule
def setup(state, law):
    state.at[0], state.at[1] = law.ahead, 0
    state.seat, state.steps, state.turns, state.reason = -1, 0, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.seat < 0 or state.steps == 0 else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    if state.steps == 0:
        out[0], out[1], out[2] = ROLL, ROLL + 1, ROLL + 2
        return 3
    to = min(int(state.at[state.seat] % LONG + state.steps), LONG - 1)
    out[0] = to
    if law.narrow:
        return 1
    out[1], out[2] = LONG + to, BACK
    return 3


@rule
def apply(state, law, action):
    if action >= LOT:
        state.seat = action - LOT
        return
    if action >= ROLL:
        state.steps = action - ROLL + 1
        return
    seat = state.seat
    if action == BACK:
        state.at[seat] = max(0, state.at[seat] % LONG - state.steps)
    else:
        state.at[seat] = action
        if action >= LONG and action == state.at[1 - seat]:
            state.at[1 - seat] = 0  # ST-2
    state.turns += 1
    state.steps = 0
    state.reason = 1 if state.at[seat] % LONG == LONG - 1 else 2 if state.turns >= 200 else 0
    state.seat = 1 - seat


@rule
def value(state, law, seat):
    if state.reason == 1:
        return 20.0 if state.at[seat] % LONG == LONG - 1 else -20.0
    return float(state.at[seat] % LONG - state.at[1 - seat] % LONG) / 3


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 0.0 if state.reason != 1 else 1.0 if state.at[seat] % LONG == LONG - 1 else -1.0
