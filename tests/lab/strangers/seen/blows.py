"""Blows: two fighters with stamina; whoever has none left loses. Who begins is drawn by lot."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("BL-1", "In turn a fighter jabs (one stamina of the other), swings (two, in two of three cases), or guards."),
    Clause("BL-2", "A guard takes one from the next blow."),
    Clause("BL-3", "Whoever has no stamina left loses."),
    Clause("BL-4", "A bow may be allowed: it lowers the guard."),
    Clause("BL-5", "A kick may be allowed: so much stamina, for sure."),
    Clause("BL-6", "Blows may miss and hit by a die alone, whatever is done."),
)
SPEC = Spec(
    id="blows", title="Blows", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Keep your stamina.", clauses=CLAUSES, sentences={"en": {
        "option.stamina.title": "Stamina", "option.stamina.text": "Stamina of each at the start.", "option.kick.title": "Kick",
        "option.kick.text": "Stamina that a kick takes.", "option.bow.title": "Bow", "option.bow.text": "May one bow?",
        "option.blind.title": "Blind", "option.blind.text": "Does a die decide each blow, whatever is done?",
    }},
)  # fmt: skip
JAB, SWING, GUARD, BOW, KICK, HIT, MISS, LOT = 0, 1, 2, 3, 4, 5, 6, 7
REASONS = (("", ""), ("down", "BL-3"), ("tired", "BL-3"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "BL-1"})] = 2
    stamina: Annotated[int, Meta(ge=1, le=30, extra={"clause": "BL-3"})] = 8
    kick: Annotated[int, Meta(ge=0, le=6, extra={"clause": "BL-5"})] = 0
    bow: Annotated[bool, Meta(extra={"clause": "BL-4"})] = False
    blind: Annotated[bool, Meta(extra={"clause": "BL-6"})] = False


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """seat: to act, -1 before the lot; swung: a die is due; guard: by seat."""
    return [
        ("stamina", "int64", (2,)), ("guard", "int64", (2,)), ("seat", "int64"), ("swung", "int64"), ("turns", "int64"),
        ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + 2


def names(game):
    return ("jab", "swing", "guard", "bow", "kick", "hit", "miss", "first begins", "second begins")


@rule
def setup(state, law):
    for seat in range(2):
        state.stamina[seat], state.guard[seat] = law.stamina, 0
    state.seat, state.swung, state.turns, state.reason = -1, 0, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.seat < 0 or state.swung else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        out[0], out[1] = LOT, LOT + 1
        return 2
    if state.swung:
        out[0], out[1] = HIT, MISS
        return 2
    out[0], out[1], out[2] = JAB, SWING, GUARD
    found = 3
    if law.bow:
        out[found] = BOW
        found += 1
    if law.kick > 0:
        out[found] = KICK
        found += 1
    return found


@rule
def weight(state, law, action):
    return 2 if action == HIT and not law.blind else 1


@rule
def apply(state, law, action):
    if action >= LOT:
        state.seat = action - LOT
        return
    if action <= KICK and (law.blind or action == SWING):
        state.swung = 1
        return
    seat, other = state.seat, 1 - state.seat
    blow = 1 if action == JAB else 2 if action == HIT else 0  # BL-1
    if action == KICK:
        blow = law.kick  # BL-5
    if blow > 0:
        state.stamina[other] -= max(0, blow - state.guard[other])
        state.guard[other] = 0
    if action == GUARD:
        state.guard[seat] = 1  # BL-2
    if action == BOW:
        state.guard[seat] = 0  # BL-4
    state.swung = 0
    state.turns += 1
    state.seat = other
    if state.stamina[other] <= 0:
        state.reason = 1  # BL-3
    elif state.turns >= 80:
        state.reason = 2


@rule
def value(state, law, seat):
    if state.reason == 1:
        return 20.0 if state.stamina[seat] > 0 else -20.0
    return float(state.stamina[seat] - state.stamina[1 - seat]) / 2 + 0.3 * (state.guard[seat] - state.guard[1 - seat])


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 0.0 if state.reason == 2 else 1.0 if state.stamina[seat] > 0 else -1.0
