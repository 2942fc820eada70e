"""Lure: two seats dig for gold; a quick grab leaves something for the other. Who begins is drawn by lot."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("LU-1", "Who begins is drawn. In turn a seat digs (one gold) or gambles (none or two, by a coin)."),
    Clause("LU-2", "Or it grabs two to four gold, by a die, but not in the last turn of the game."),
    Clause("LU-3", "After a grab the other may loot in its next turn: as much gold as the house rules say; 0: it may not."),
    Clause("LU-4", "After the last turn more gold wins; of equals a lot decides."),
    Clause("LU-5", "In the first half of the game one may beg, which brings nothing."),
    Clause("LU-6", "A lot alone may crown the winner, whoever has more gold."),
)
SPEC = Spec(
    id="lure", title="Lure", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Have more gold at the end.", clauses=CLAUSES, sentences={"en": {
        "option.rounds.title": "Rounds", "option.rounds.text": "Turns of each seat.",
        "option.loot.title": "Loot", "option.loot.text": "Gold for the other after a grab.",
        "option.beg.title": "Beg", "option.beg.text": "May one beg?",
        "option.crown.title": "Crown", "option.crown.text": "What decides who wins?",
    }},
)  # fmt: skip
DIG, GAMBLE, GRAB, LOOT, BEG, HEADS, TAILS, GRIP, LOT = 0, 1, 2, 3, 4, 5, 6, 7, 10
REASONS = (("", ""), ("counted", "LU-4"), ("crowned", "LU-6"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "LU-1"})] = 2
    rounds: Annotated[int, Meta(ge=2, le=30, extra={"clause": "LU-4"})] = 8
    loot: Annotated[int, Meta(ge=0, le=12, extra={"clause": "LU-3"})] = 3
    beg: Annotated[bool, Meta(extra={"clause": "LU-5"})] = False
    crown: Annotated[Literal["gold", "lot"], Meta(extra={"clause": "LU-6"})] = "gold"


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """gold by seat; left: 1 after a grab; seat: to act, -1 before the lot; asked: 1 for a coin, 2 for a die; best: the winner."""
    return [
        ("gold", "int64", (2,)), ("left", "int64"), ("seat", "int64"), ("asked", "int64"), ("best", "int64"),
        ("turns", "int64"), ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + 2


def names(game):
    return ("dig", "gamble", "grab", "loot", "beg", "heads", "tails", "grip 2", "grip 3", "grip 4", "lot a", "lot b")


@rule
def setup(state, law):
    state.gold[0], state.gold[1], state.left, state.seat, state.asked = 0, 0, 0, -1, 0
    state.best, state.turns, state.reason = -1, 0, 0


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    return CHANCE if state.seat < 0 or state.asked or state.turns >= 2 * law.rounds else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.asked == 2:
        out[0], out[1], out[2] = GRIP, GRIP + 1, GRIP + 2
        return 3
    if state.asked:
        out[0], out[1] = HEADS, TAILS
        return 2
    found = 0
    if state.seat < 0 or state.turns >= 2 * law.rounds:
        for seat in range(2):
            if state.seat < 0 or law.crown == 1 or state.gold[seat] >= state.gold[1 - seat]:
                out[found] = LOT + seat  # LU-4, LU-6
                found += 1
        return found
    out[0], out[1] = DIG, GAMBLE
    found = 2
    if state.turns < 2 * law.rounds - 1:
        out[found] = GRAB  # LU-2
        found += 1
    if state.left:
        out[found] = LOOT  # LU-3
        found += 1
    if law.beg and state.turns < law.rounds:
        out[found] = BEG  # LU-5
        found += 1
    return found


@rule
def apply(state, law, action):
    if action >= LOT:
        if state.seat < 0:
            state.seat = action - LOT
        else:
            state.best, state.reason = action - LOT, 1 + int(law.crown)
        return
    if action in (GAMBLE, GRAB):
        state.asked = 1 if action == GAMBLE else 2
        return
    seat = int(state.seat)
    if action == DIG:
        state.gold[seat] += 1  # LU-1
    elif action == HEADS:
        state.gold[seat] += 2  # LU-1
    elif action >= GRIP:
        state.gold[seat] += action - GRIP + 2  # LU-2
    elif action == LOOT:
        state.gold[seat] += law.loot  # LU-3
    state.left = int(action >= GRIP and law.loot > 0)
    state.asked = 0
    state.turns += 1
    state.seat = 1 - seat


@rule
def value(state, law, seat):
    if state.reason != 0:
        return 20.0 if state.best == seat else -20.0
    return 0.0 if law.crown == 1 else float(state.gold[seat] - state.gold[1 - seat]) / 3


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 1.0 if state.best == seat else -1.0
