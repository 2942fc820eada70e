"""Ember: blow on the embers for points and keep them in time; whoever reaches the goal wins. Who begins is drawn by lot."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("EM-1", "Who begins is drawn. A seat blows (a point), fans (two points), or keeps its points and ends the turn."),
    Clause("EM-2", "A blow raises a spark in one case of so many, a fan in two: the turn and its points are lost."),
    Clause("EM-3", "Whoever has so many points, kept ones and those of the turn, wins."),
    Clause("EM-4", "Heat may give whoever has kept most so many points more for each success."),
    Clause("EM-5", "A spark may burn the kept points too."),
    Clause("EM-6", "A turn may be one blow, kept at once, and nothing else."),
)
SPEC = Spec(
    id="ember", title="Ember", version="1", seats=(2, 4), package=__name__, folder=Path(__file__), players="2 to 4 players",
    line="Be the first at the goal.", clauses=CLAUSES, sentences={"en": {
        "option.goal.title": "Goal", "option.goal.text": "Points that win.",
        "option.sides.title": "Sides", "option.sides.text": "One case of how many is a spark?",
        "option.heat.title": "Heat", "option.heat.text": "Points more for whoever has kept most.",
        "option.burn.title": "Burn", "option.burn.text": "Does a spark burn the kept points too?",
        "option.turn.title": "Turn", "option.turn.text": "How long is a turn?",
    }},
)  # fmt: skip
BLOW, FAN, KEEP, GLOW, SPARK, LOT = 0, 1, 2, 3, 4, 5
REASONS = (("", ""), ("goal", "EM-3"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2, 3, 4], Meta(extra={"clause": "EM-1"})] = 2
    goal: Annotated[int, Meta(ge=1, le=100, extra={"clause": "EM-3"})] = 20
    sides: Annotated[int, Meta(ge=3, le=60, extra={"clause": "EM-2"})] = 6
    heat: Annotated[int, Meta(ge=0, le=6, extra={"clause": "EM-4"})] = 0
    burn: Annotated[bool, Meta(extra={"clause": "EM-5"})] = False
    turn: Annotated[Literal["free", "one"], Meta(extra={"clause": "EM-6"})] = "free"


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """kept: points by seat; pot: points of this turn; seat: to act, -1 before the lot; tried: 1 a blow, 2 a fan."""
    return [
        ("kept", "int64", (4,)), ("pot", "int64"), ("seat", "int64"), ("tried", "int64"), ("turns", "int64"), ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + 4


def names(game):
    return ("blow", "fan", "keep", "glow", "spark", "begin a", "begin b", "begin c", "begin d")


@rule
def leads(state, law, seat):
    """Whether a seat has kept more than every other."""
    others = 0
    for other in range(law.seats):
        if other != seat and state.kept[other] >= state.kept[seat]:
            others += 1
    return others == 0


@rule
def setup(state, law):
    for seat in range(4):
        state.kept[seat] = 0
    state.pot, state.seat, state.tried, state.turns, state.reason = 0, -1, 0, 0, 0


@rule
def actor(state, law):
    return OVER if state.reason != 0 else CHANCE if state.seat < 0 or state.tried else int(state.seat)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.seat < 0:
        for seat in range(law.seats):
            out[seat] = LOT + seat
        return int(law.seats)
    if state.tried:
        out[0], out[1] = GLOW, SPARK
        return 2
    out[0] = BLOW
    if law.turn == 1:
        return 1  # EM-6
    out[1], out[2] = FAN, KEEP
    return 3 if state.pot > 0 else 2


@rule
def weight(state, law, action):
    if action == SPARK:
        return int(state.tried)  # EM-2
    return int(law.sides - state.tried) if action == GLOW else 1


@rule
def apply(state, law, action):
    if action >= LOT:
        state.seat = action - LOT
        return
    if action < KEEP:
        state.tried = action + 1
        return
    seat = int(state.seat)
    if action == SPARK:
        state.pot = 0  # EM-2
        if law.burn:
            state.kept[seat] = 0  # EM-5
    if action == GLOW:
        state.pot += state.tried
        if law.heat > 0 and leads(state, law, seat):
            state.pot += law.heat  # EM-4
    state.tried = 0
    if state.kept[seat] + state.pot >= law.goal:
        state.reason = 1  # EM-3
    elif action != GLOW or law.turn == 1:
        state.kept[seat] += state.pot  # EM-1
        state.pot = 0
        state.turns += 1
        state.seat = (seat + 1) % law.seats


@rule
def value(state, law, seat):
    if state.reason != 0:
        return 20.0 if state.seat == seat else -20.0
    best, mine = 0, 0
    for one in range(law.seats):
        points = int(state.kept[one]) + (int(state.pot) if one == state.seat else 0)
        if one == seat:
            mine = points
        else:
            best = max(best, points)
    return 8.0 * float(mine - best) / law.goal


@rule
def returns(state, law, out):
    for seat in range(law.seats):
        out[seat] = 1.0 if state.seat == seat else -1.0
