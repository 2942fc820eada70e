"""Doors: behind one of three doors lies a coin."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("DO-1", "Who begins is drawn. In turn a seat opens a door; by lot it holds a coin. It may also look first."),
    Clause("DO-2", "Most coins win after so many turns of each; if they are equal, whoever went second."),
    Clause("DO-3", "The first coin may count more."),
    Clause("DO-4", "Looking may help: the next door holds a coin in two of three cases, twice as likely as else."),
)
SPEC = Spec(
    id="doors", title="Doors", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Find most coins.", clauses=CLAUSES, sentences={"en": {
        "option.first.title": "First coin", "option.first.text": "What the first coin counts.",
        "option.look.title": "Looking", "option.look.text": "Does looking help?", "option.turns.title": "Turns",
        "option.turns.text": "Turns of each.",
    }},
)  # fmt: skip
OPEN, LOOK, COIN, NONE, LOT = 0, 3, 4, 5, 6
REASONS = (("", ""), ("counted", "DO-2"))


class Options(House, frozen=True):
    seats: Annotated[Literal[2], Meta(extra={"clause": "DO-1"})] = 2
    first: Annotated[int, Meta(ge=1, le=20, extra={"clause": "DO-3"})] = 1
    look: Annotated[bool, Meta(extra={"clause": "DO-4"})] = True
    turns: Annotated[int, Meta(ge=1, le=20, extra={"clause": "DO-2"})] = 8


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """seat: -1 before the lot; began: who that was; door: 1 while it opens; looked: by seat."""
    return [
        ("coins", "int64", (2,)), ("looked", "int64", (2,)), ("seat", "int64"), ("began", "int64"), ("door", "int64"),
        ("turns", "int64"), ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + 2


def names(game):
    return ("open a", "open b", "open c", "look", "coin", "nothing", "first begins", "second begins")


@rule
def setup(state, law):
    for seat in range(2):
        state.coins[seat], state.looked[seat] = 0, 0
    state.seat, state.began, state.door, state.turns, state.reason = -1, 0, 0, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.seat < 0 or state.door else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    if state.door:
        out[0], out[1] = COIN, NONE
        return 2
    for action in range(3):
        out[action] = action
    out[3] = LOOK
    return 4 if law.look else 3


@rule
def weight(state, law, action):
    if state.seat < 0:
        return 1
    return 4 if state.looked[state.seat] and action == COIN else 2


@rule
def apply(state, law, action):
    if action >= LOT:
        state.seat = state.began = action - LOT
        return
    seat = state.seat
    if action < LOOK:
        state.door = 1
        return
    if action == LOOK:
        state.looked[seat] = 1
    else:
        if action == COIN:
            state.coins[seat] += law.first if state.coins[0] + state.coins[1] == 0 else 1
        state.looked[seat] = 0
    state.door = 0
    state.turns += 1
    state.seat = 1 - seat
    state.reason = int(state.turns == 2 * law.turns)


@rule
def winner(state, law):
    lead = state.coins[0] - state.coins[1]
    return 0 if lead > 0 else 1 if lead < 0 else 1 - int(state.began)


@rule
def value(state, law, seat):
    if state.reason != 0:
        return 20.0 if winner(state, law) == seat else -20.0
    return float(state.coins[seat] - state.coins[1 - seat]) + 0.2 * (state.looked[seat] - state.looked[1 - seat])


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 1.0 if winner(state, law) == seat else -1.0
