"""Orchard: two to four seats gather apples for some rounds; the most apples win. Who begins is drawn by lot."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("OR-1", "Who begins is drawn. In turn a seat picks two apples, or shakes a tree: none or four by a coin."),
    Clause("OR-2", "Or it robs a seat that has apples: a coin says whether it takes as many as the house rules say."),
    Clause("OR-3", "After the last round the most apples win; of equals a lot decides."),
    Clause("OR-4", "The first seat may have a guard: nobody robs it."),
    Clause("OR-5", "In the first half of the game one may prune a tree, which costs an apple, if one has any."),
    Clause("OR-6", "There may be a cart, which brings four apples for sure."),
)
SPEC = Spec(
    id="orchard", title="Orchard", version="1", seats=(2, 4), package=__name__, folder=Path(__file__), players="2 to 4 players",
    line="Gather the most apples.", clauses=CLAUSES, sentences={"en": {
        "option.rounds.title": "Rounds", "option.rounds.text": "Rounds of the game.",
        "option.rob.title": "Rob", "option.rob.text": "Apples that a robber takes.",
        "option.guard.title": "Guard", "option.guard.text": "Is the first seat safe from robbers?",
        "option.prune.title": "Prune", "option.prune.text": "May one prune a tree?",
        "option.cart.title": "Cart", "option.cart.text": "Is there a cart?",
    }},
)  # fmt: skip
PICK, SHAKE, PRUNE, CART, ROB, HEADS, TAILS, LOT = 0, 1, 2, 3, 4, 8, 9, 10
REASONS = (("", ""), ("counted", "OR-3"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2, 3, 4], Meta(extra={"clause": "OR-1"})] = 3
    rounds: Annotated[int, Meta(ge=2, le=200, extra={"clause": "OR-3"})] = 8
    rob: Annotated[int, Meta(ge=1, le=6, extra={"clause": "OR-2"})] = 3
    guard: Annotated[bool, Meta(extra={"clause": "OR-4"})] = False
    prune: Annotated[bool, Meta(extra={"clause": "OR-5"})] = False
    cart: Annotated[bool, Meta(extra={"clause": "OR-6"})] = False


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """first: the seat that begins, -1 before the lot; asked: 1 after a shake, 2 + seat after a robbery; best: who wins, -1."""
    return [
        ("apples", "int64", (4,)), ("first", "int64"), ("asked", "int64"), ("best", "int64"), ("turns", "int64"),
        ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + 4


def names(game):
    """Actions, then the coin and the lot."""
    robs, lots = (f"rob {letter}" for letter in "abcd"), (f"lot {letter}" for letter in "abcd")
    return ("pick", "shake", "prune", "cart", *robs, "heads", "tails", *lots)


@rule
def most(state, law):
    """The most apples that a seat has."""
    found = 0
    for seat in range(law.seats):
        found = max(found, int(state.apples[seat]))
    return found


@rule
def setup(state, law):
    for seat in range(4):
        state.apples[seat] = 0
    state.first, state.asked, state.best, state.turns, state.reason = -1, 0, -1, 0, 0


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    if state.first < 0 or state.asked or state.turns >= law.rounds * law.seats:
        return CHANCE
    return int((state.first + state.turns) % law.seats)


@rule
def legal(state, law, out):
    found = 0
    if state.reason != 0:
        return 0
    if state.asked:
        out[0], out[1] = HEADS, TAILS
        return 2
    if state.first < 0 or state.turns >= law.rounds * law.seats:
        for seat in range(law.seats):
            if state.first < 0 or state.apples[seat] == most(state, law):  # OR-3
                out[found] = LOT + seat
                found += 1
        return found
    out[0], out[1] = PICK, SHAKE
    found = 2
    if law.prune and 2 * state.turns < law.rounds * law.seats:  # OR-5
        out[found] = PRUNE
        found += 1
    if law.cart:  # OR-6
        out[found] = CART
        found += 1
    for seat in range(law.seats):
        safe = law.guard and seat == 0  # OR-4
        if seat != (state.first + state.turns) % law.seats and state.apples[seat] > 0 and not safe:
            out[found] = ROB + seat
            found += 1
    return found


@rule
def apply(state, law, action):
    if action >= LOT:
        if state.first < 0:
            state.first = action - LOT
        else:
            state.best, state.reason = action - LOT, 1
        return
    seat = (state.first + state.turns) % law.seats
    if action == SHAKE:
        state.asked = 1
        return
    if ROB <= action < HEADS:
        state.asked = 2 + action - ROB
        return
    if action == HEADS and state.asked == 1:
        state.apples[seat] += 4  # OR-1
    elif action == HEADS:
        other = state.asked - 2
        loot = min(int(law.rob), int(state.apples[other]))  # OR-2
        state.apples[other] -= loot
        state.apples[seat] += loot
    elif action == PICK:
        state.apples[seat] += 2  # OR-1
    elif action == CART:
        state.apples[seat] += 4  # OR-6
    elif action == PRUNE:
        state.apples[seat] -= min(1, int(state.apples[seat]))  # OR-5
    state.asked = 0
    state.turns += 1


@rule
def value(state, law, seat):
    if state.reason != 0:
        return 20.0 if state.best == seat else -20.0
    other = 0
    for one in range(law.seats):
        if one != seat:
            other = max(other, int(state.apples[one]))
    return float(state.apples[seat] - other) / 3


@rule
def returns(state, law, out):
    for seat in range(law.seats):
        out[seat] = 1.0 if state.best == seat else -1.0
