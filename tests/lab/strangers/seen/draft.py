"""Draft: eight stones lie on the table, the two seats take them in turns, and the larger sum wins."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("DR-1", "Eight stones of 1 to 6 are rolled; then the seats take one each, in the order of the house rules."),
    Clause("DR-2", "The larger sum wins. A lead below the margin is none."),
    Clause("DR-3", "A seat may begin with points."),
)
SPEC = Spec(
    id="draft", title="Draft", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Take the better stones.", clauses=CLAUSES, sentences={"en": {
        "option.order.title": "Order", "option.order.text": "Who takes when?", "option.begins.title": "Who begins",
        "option.begins.text": "Who begins?", "option.margin.title": "Margin", "option.margin.text": "The least lead that wins.",
        "option.gift.title": "Gift", "option.gift.text": "Points of the first seat before the game.",
    }},
)  # fmt: skip
STONES, SIDES, LOT = 8, 6, 8 + 6
REASONS = (("", ""), ("counted", "DR-2"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "DR-1"})] = 2
    order: Annotated[Literal["snake", "straight"], Meta(extra={"clause": "DR-1"})] = "snake"
    begins: Annotated[Literal["lot", "first"], Meta(extra={"clause": "DR-1"})] = "lot"
    margin: Annotated[int, Meta(ge=1, le=20, extra={"clause": "DR-2"})] = 1
    gift: Annotated[int, Meta(ge=0, le=9, extra={"clause": "DR-3"})] = 0


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """stones: 0 once taken; sums by seat; first: the seat that begins, -1 before the lot."""
    return [("stones", "int64", (STONES,)), ("sums", "int64", (2,)), ("first", "int64"), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    return LOT + 2


def names(game):
    takes, rolls = (f"take {place + 1}" for place in range(STONES)), (f"roll {side + 1}" for side in range(SIDES))
    return (*takes, *rolls, "first begins", "second begins")


@rule
def setup(state, law):
    for place in range(STONES):
        state.stones[place] = 0
    state.sums[0], state.sums[1], state.turns, state.reason = law.gift, 0, 0, 0
    state.first = -1 if law.begins == 0 else 0


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    if state.first < 0 or state.turns < STONES:
        return CHANCE
    turn = int(state.turns) - STONES
    other = turn % 2 if law.order == 1 else (turn + 1) // 2 % 2
    return int((state.first + other) % 2)


@rule
def legal(state, law, out):
    found = 0
    if state.first < 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    for action in range(STONES):
        if state.turns >= STONES and state.stones[action] > 0:
            out[found] = action
            found += 1
    for side in range(SIDES):
        if state.turns < STONES:
            out[found] = STONES + side
            found += 1
    return found if state.reason == 0 else 0


@rule
def apply(state, law, action):
    if action >= LOT:
        state.first = action - LOT
    elif action >= STONES:
        state.stones[state.turns] = action - STONES + 1
        state.turns += 1
    else:
        state.sums[actor(state, law)] += state.stones[action]
        state.stones[action] = 0
        state.turns += 1
        state.reason = int(state.turns == 2 * STONES)


@rule
def value(state, law, seat):
    return float(state.sums[seat] - state.sums[1 - seat]) / 3


@rule
def returns(state, law, out):
    lead = state.sums[0] - state.sums[1]
    for seat in range(2):
        out[seat] = 0.0 if abs(lead) < law.margin else 1.0 if (lead > 0) == (seat == 0) else -1.0
