"""Meadow: two seats put sheep on a meadow of 25 fields, and the sheep that eat more win. Who begins is drawn by lot."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("ME-1", "Grass of 1 to 3 is rolled for each field, then who begins. Sheep are put down one, two, two, and so on."),
    Clause("ME-2", "A sheep on an empty field eats its grass and that of the four fields beside it."),
    Clause("ME-3", "After the last sheep more grass wins; of equals a lot decides."),
    Clause("ME-4", "Sheep may have to flock: the first stands in the top row, each other one beside a sheep."),
    Clause("ME-5", "Clover may grow on field c2: so much more grass."),
    Clause("ME-6", "Whoever begins second has eaten so much before the game."),
)
SPEC = Spec(
    id="meadow", title="Meadow", version="1", seats=(2, 2), package=__name__, folder=Path(__file__), players="2 players",
    line="Eat more grass.", clauses=CLAUSES, sentences={"en": {
        "option.sheep.title": "Sheep", "option.sheep.text": "Sheep of each seat.",
        "option.flock.title": "Flock", "option.flock.text": "Has each sheep to stand beside another?",
        "option.hay.title": "Hay", "option.hay.text": "Grass that whoever begins second has eaten before the game.",
        "option.clover.title": "Clover", "option.clover.text": "Clover on field c2.",
    }},
)  # fmt: skip
WIDE, CELLS, GROW, LOT = 5, 25, 25, 28
REASONS = (("", ""), ("eaten", "ME-3"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "ME-1"})] = 2
    sheep: Annotated[int, Meta(ge=1, le=8, extra={"clause": "ME-3"})] = 6
    flock: Annotated[bool, Meta(extra={"clause": "ME-4"})] = False
    hay: Annotated[int, Meta(ge=0, le=20, extra={"clause": "ME-6"})] = 1
    clover: Annotated[int, Meta(ge=0, le=60, extra={"clause": "ME-5"})] = 0


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """owner: 0 nobody, 1 and 2 the seats; grown: fields with their roll; first: who begins, -1; best: who wins."""
    return [
        ("grass", "int64", (CELLS,)), ("owner", "int64", (CELLS,)), ("eaten", "int64", (2,)), ("grown", "int64"),
        ("first", "int64"), ("best", "int64"), ("turns", "int64"), ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + 2


def places(game):
    """The fields: a1 at the top left, e5 at the bottom right."""
    return {f"{'abcde'[cell % WIDE]}{cell // WIDE + 1}": (cell % WIDE, cell // WIDE) for cell in range(CELLS)}


def pieces(position):
    """The seat of the sheep on each field."""
    cells = zip(places(position.game), position.state.owner, strict=True)
    return {name: int(owner) - 1 for name, owner in cells if owner}


def names(game):
    return (*places(game), "grow 1", "grow 2", "grow 3", "lot a", "lot b")


@rule
def setup(state, law):
    for cell in range(CELLS):
        state.grass[cell], state.owner[cell] = 0, 0
    state.eaten[0], state.eaten[1], state.grown, state.turns, state.reason = 0, 0, 0, 0, 0
    state.first, state.best = -1, -1


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    return CHANCE if state.first < 0 or state.turns == 2 * law.sheep else int((state.first + (state.turns + 1) // 2) % 2)


@rule
def joins(state, cell):
    """Whether a sheep on this field joins the flock; the first one does in the top row."""
    if state.turns == 0:
        return cell < WIDE
    beside = cell % WIDE > 0 and state.owner[cell - 1] > 0
    beside |= cell % WIDE < WIDE - 1 and state.owner[cell + 1] > 0
    beside |= cell >= WIDE and state.owner[cell - WIDE] > 0
    beside |= cell < CELLS - WIDE and state.owner[cell + WIDE] > 0
    return beside


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.grown < CELLS:
        out[0], out[1], out[2] = GROW, GROW + 1, GROW + 2
        return 3
    if state.first < 0 or state.turns == 2 * law.sheep:
        out[0], out[1] = LOT, LOT + 1
        return 2
    found = 0
    for cell in range(CELLS):
        if state.owner[cell] == 0 and (not law.flock or joins(state, cell)):  # ME-4
            out[found] = cell
            found += 1
    return found


@rule
def eat(state, law, cell):
    """The grass of a field, which is gone then."""
    found = state.grass[cell]
    state.grass[cell] = 0
    return found


@rule
def apply(state, law, action):
    if action >= LOT and state.first >= 0:
        state.best, state.reason = action - LOT, 1  # ME-3
        return
    if action >= LOT:
        state.first = action - LOT
        state.eaten[1 - state.first] = law.hay  # ME-6
        return
    if action >= GROW:
        cell = int(state.grown)
        state.grass[cell] = action - GROW + 1
        if cell == 7:
            state.grass[cell] += law.clover  # ME-5
        state.grown += 1
        return
    seat = (state.first + (state.turns + 1) // 2) % 2
    state.owner[action] = seat + 1
    food = eat(state, law, action)  # ME-2
    if action % WIDE > 0:
        food += eat(state, law, action - 1)
    if action % WIDE < WIDE - 1:
        food += eat(state, law, action + 1)
    if action >= WIDE:
        food += eat(state, law, action - WIDE)
    if action < CELLS - WIDE:
        food += eat(state, law, action + WIDE)
    state.eaten[seat] += food
    state.turns += 1
    if state.turns == 2 * law.sheep and state.eaten[0] != state.eaten[1]:
        state.best, state.reason = int(state.eaten[1] > state.eaten[0]), 1  # ME-3


@rule
def value(state, law, seat):
    if state.reason != 0:
        return 20.0 if state.best == seat else -20.0
    return float(state.eaten[seat] - state.eaten[1 - seat]) / 4


@rule
def returns(state, law, out):
    for seat in range(2):
        out[seat] = 1.0 if state.best == seat else -1.0
