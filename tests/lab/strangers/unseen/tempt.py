"""Tempt: gather fruit now, or plant and harvest at the end."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("TE-1", "Who begins is drawn. In turn a seat gathers what the weather gives, one to three, or plants."),
    Clause("TE-2", "At the end each plant gives so much fruit."),
    Clause("TE-3", "Most fruit wins; if it is equal, a coin decides."),
)
SPEC = Spec(
    id="tempt", title="Tempt", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Have most fruit.", clauses=CLAUSES, sentences={"en": {
        "option.harvest.title": "Harvest", "option.harvest.text": "Fruit of each plant at the end.",
        "option.rounds.title": "Rounds", "option.rounds.text": "Turns of each.",
    }},
)  # fmt: skip
GATHER, PLANT, WEATHER, LOT, COIN = 0, 1, 2, 5, 7
REASONS = (("", ""), ("harvest", "TE-3"))


class Options(House, frozen=True):
    seats: Annotated[Literal[2], Meta(extra={"clause": "TE-1"})] = 2
    harvest: Annotated[int, Meta(ge=1, le=9, extra={"clause": "TE-2"})] = 2
    rounds: Annotated[int, Meta(ge=1, le=12, extra={"clause": "TE-1"})] = 6


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """rain: of this turn, 0 before it is drawn; seat: to act, -1 before the lot; coin: 1 + who it favours."""
    return [
        ("fruit", "int64", (2,)), ("plants", "int64", (2,)), ("seat", "int64"), ("rain", "int64"), ("coin", "int64"),
        ("turns", "int64"), ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return COIN + 2


def names(game):
    return ("gather", "plant", "rain 1", "rain 2", "rain 3", "first begins", "second begins", "coin first", "coin second")


@rule
def total(state, law, seat):
    return int(state.fruit[seat] + law.harvest * state.plants[seat])


@rule
def setup(state, law):
    for seat in range(2):
        state.fruit[seat], state.plants[seat] = 0, 0
    state.seat, state.rain, state.coin, state.turns, state.reason = -1, 0, 0, 0, 0


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    return CHANCE if state.seat < 0 or state.rain == 0 or state.turns >= 2 * law.rounds else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    first = LOT if state.seat < 0 else COIN if state.turns >= 2 * law.rounds else WEATHER if state.rain == 0 else GATHER
    count = 3 if first == WEATHER else 2
    for place in range(count):
        out[place] = first + place
    return count


@rule
def apply(state, law, action):
    if action >= COIN:
        state.coin, state.reason = action - COIN + 1, 1
    elif action >= LOT:
        state.seat = action - LOT
    elif action >= WEATHER:
        state.rain = action - WEATHER + 1
    else:
        if action == GATHER:
            state.fruit[state.seat] += state.rain
        else:
            state.plants[state.seat] += 1
        state.turns += 1
        state.rain, state.seat = 0, 1 - state.seat
        if state.turns >= 2 * law.rounds and total(state, law, 0) != total(state, law, 1):
            state.reason = 1


@rule
def leader(state, law):
    lead = total(state, law, 0) - total(state, law, 1)
    return 0 if lead > 0 else 1 if lead < 0 else int(state.coin) - 1


@rule
def value(state, law, seat):
    """What lies on the table: plants are not seen."""
    if state.reason != 0:
        return 20.0 if leader(state, law) == seat else -20.0
    return float(state.fruit[seat] - state.fruit[1 - seat]) / 2


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 1.0 if leader(state, law) == seat else -1.0
