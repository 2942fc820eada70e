"""Arena: three throw at each other; the last one in the arena wins."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("AR-1", "Who begins is drawn. In turn each throws at one of the others: two of three throws hit, and cost one life."),
    Clause("AR-2", "Or one ducks: the next throw at it misses."),
    Clause("AR-3", "Whoever has no life left is out. The last one wins; after 60 turns whoever has most lives, if it is one."),
    Clause("AR-4", "Whoever falls may leave two lives to one of the others."),
)
SPEC = Spec(
    id="arena", title="Arena", version="1", seats=(3, 3), package=__name__, folder=Path(__file__), players="3 players",
    line="Stay in the arena.", clauses=CLAUSES, sentences={"en": {
        "option.lives.title": "Lives", "option.lives.text": "Lives of each.", "option.will.title": "Last will",
        "option.will.text": "Who gets lives of the one who falls?", "option.volley.title": "Volley",
        "option.volley.text": "Throws in a row.",
    }},
)  # fmt: skip
THROW, DUCK, LEAVE, HIT, MISS, LOT = 0, 3, 4, 7, 8, 9
REASONS = (("", ""), ("last", "AR-3"), ("dusk", "AR-3"))


class Options(House, frozen=True):
    seats: Annotated[Literal[3], Meta(extra={"clause": "AR-1"})] = 3
    lives: Annotated[int, Meta(ge=1, le=12, extra={"clause": "AR-3"})] = 4
    will: Annotated[bool, Meta(extra={"clause": "AR-4"})] = False
    volley: Annotated[int, Meta(ge=1, le=12, extra={"clause": "AR-1"})] = 1


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """aim: whom the throw is for, -1; heir: 1 while the one who fell decides; fell: who that is."""
    return [
        ("lives", "int64", (3,)), ("ducks", "int64", (3,)), ("seat", "int64"), ("aim", "int64"), ("heir", "int64"),
        ("fell", "int64"), ("thrown", "int64"), ("turns", "int64"), ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + 3


def names(game):
    throws, wills = (f"throw at {name}" for name in "abc"), (f"leave to {name}" for name in "abc")
    return (*throws, "duck", *wills, "hit", "miss", "begin a", "begin b", "begin c")


@rule
def setup(state, law):
    for seat in range(3):
        state.lives[seat], state.ducks[seat] = law.lives, 0
    state.seat, state.aim, state.heir, state.fell, state.thrown, state.turns, state.reason = -1, -1, 0, -1, 0, 0, 0


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    if state.seat < 0 or state.aim >= 0:
        return CHANCE
    return int(state.fell) if state.heir else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1], out[2] = LOT, LOT + 1, LOT + 2
        return 3
    if state.aim >= 0:
        out[0], out[1] = HIT, MISS
        return 2
    found, first, own = 0, LEAVE if state.heir else THROW, state.fell if state.heir else state.seat
    for seat in range(3):
        if seat != own and state.lives[seat] > 0:
            out[found] = first + seat
            found += 1
    if not state.heir:
        out[found] = DUCK
        found += 1
    return found


@rule
def weight(state, law, action):
    return 2 if action == HIT else 1


@rule
def pass_on(state, law):
    """The next one that is still there, and the end."""
    left = 0
    for seat in range(3):
        left += int(state.lives[seat] > 0)
    state.turns += 1
    state.thrown += 1
    if left == 1:
        state.reason = 1
    elif state.turns >= 60:
        state.reason = 2
    elif state.thrown >= law.volley or state.lives[state.seat] <= 0:
        state.thrown = 0
        state.seat = (state.seat + 1) % 3
        if state.lives[state.seat] <= 0:
            state.seat = (state.seat + 1) % 3


@rule
def apply(state, law, action):
    if action >= LOT:
        state.seat = action - LOT
        return
    if action < DUCK:
        state.aim = action - THROW
        return
    if action == DUCK:
        state.ducks[state.seat] = 1
    elif action < HIT:
        state.lives[action - LEAVE] += 2
        state.heir = 0
    else:
        hit = state.aim
        if action == HIT and not state.ducks[hit]:
            state.lives[hit] -= 1
            if state.lives[hit] <= 0:
                state.fell = hit
                state.heir = law.will
        state.ducks[hit] = 0
        state.aim = -1
        if state.heir:
            return
    pass_on(state, law)


@rule
def best(state, law):
    """The one with most lives, -1 if there are several."""
    found, most, several = -1, 0, False
    for seat in range(3):
        if state.lives[seat] > most:
            found, most, several = seat, state.lives[seat], False
        elif state.lives[seat] == most:
            several = True
    return -1 if several else found


@rule
def value(state, law, seat):
    if state.reason != 0:
        return 20.0 if best(state, law) == seat else -20.0
    total = state.lives[0] + state.lives[1] + state.lives[2]
    return float(3 * state.lives[seat] - total) / 4 + 0.2 * state.ducks[seat] if state.lives[seat] > 0 else -10.0


@rule
def returns(state, law, out):
    found = best(state, law)
    for seat in range(3):
        out[seat] = 0.0 if found < 0 else 1.0 if found == seat else -1.0
