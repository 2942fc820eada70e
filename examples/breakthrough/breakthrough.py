"""Breakthrough, a game in one file: two rows of men a side, and whoever reaches the far row wins."""

from pathlib import Path

from bridgehead.core.clauses import Clause, RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.spec import OVER, Spec

CLAUSES = (
    Clause("BT-1", "Each seat has two rows of men. Seats take turns; a turn moves one own man."),
    Clause("BT-2", "A man moves one row forward, straight or diagonally, to an empty field; diagonally it may also take."),
    Clause("BT-3", "The first man on the far row wins for its seat. So does taking the last man of the other seat."),
)
ENGLISH = {
    "prompt": "{seat}: move a man forward.",
    "refused.other": "There is no man of {seat} on {origin} that moves this way.",
    "refused.blocked": "{field} is blocked: a man takes only men of the other seat, and only diagonally.",
}
SPEC = Spec(
    id="breakthrough", title="Breakthrough", version="1", seats=(2, 2), package=__name__, folder=Path(__file__),
    players="2 players", line="Bring one man to the far row.", clauses=CLAUSES, sentences={"en": ENGLISH},
)  # fmt: skip

SIDE, FIELDS = 6, 36
STEPS = [(x, y, x + right, y + up) for up in (1, -1) for y in range(SIDE) for x in range(SIDE) for right in (-1, 0, 1)]
MOVES = [(y * SIDE + x, b * SIDE + a) for x, y, a, b in STEPS if 0 <= a < SIDE and 0 <= b < SIDE]
FROM, TO = zip(*MOVES, strict=True)
REASONS = (("", ""), ("through", "BT-3"))


class REFUSALS(RefusalCode):
    OK = "", ""
    OTHER = "BT-1", "refused.other"
    BLOCKED = "BT-2", "refused.blocked"


def state_dtype(law):
    """cells: 0 is empty, 1 and 2 are the men of seats 0 and 1."""
    return [("cells", "int8", (FIELDS,)), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    return len(MOVES)


def limits(law):
    """The lowest and highest number in each field of a state."""
    return {"cells": (0, 2), "turns": (0, 1000)}


@rule
def setup(state, law):
    """Two rows of men on each side (BT-1)."""
    for field in range(FIELDS):
        state.cells[field] = 1 if field < 2 * SIDE else 2 if field >= FIELDS - 2 * SIDE else 0
    state.turns = state.reason = 0


@rule
def actor(state, law):
    """Seats take turns (BT-1)."""
    return OVER if state.reason != 0 else int(state.turns % 2)


@rule
def refusal(state, law, action):
    """0 exactly when an action is legal (BT-2)."""
    seat, start, end = int(state.turns % 2), FROM[action], TO[action]
    if state.reason != 0 or state.cells[start] != seat + 1 or (end > start) != (seat == 0):
        return REFUSALS.OTHER
    may_take = state.cells[end] == 2 - seat and abs(end - start) != SIDE
    return REFUSALS.OK if state.cells[end] == 0 or may_take else REFUSALS.BLOCKED


@rule
def legal(state, law, out):
    """Every step that is not refused."""
    found = 0
    for action in range(len(FROM)):
        out[found] = action  # a refused one is overwritten
        found += int(refusal(state, law, action) == 0)
    return found


@rule
def apply(state, law, action):
    """Move a man, and take what stands there; the far row, or the last man taken, wins (BT-3)."""
    seat, left = int(state.turns % 2), 0
    state.cells[TO[action]], state.cells[FROM[action]], state.turns = seat + 1, 0, state.turns + 1
    for field in range(FIELDS):
        left += int(state.cells[field] == 2 - seat)
    state.reason = int(left == 0 or TO[action] // SIDE in (0, SIDE - 1))


@rule
def value(state, law, seat):
    """How good a position is for a seat: the last mover has won."""
    return 0.0 if state.reason == 0 else 1.0 if (state.turns + 1) % 2 == seat else -1.0


@rule
def returns(state, law, out):
    """The result of each seat."""
    out[0], out[1] = value(state, law, 0), value(state, law, 1)


def places(game):
    """The fields by name, in the order of `cells`: a1 is at the lower left."""
    return {f"{'abcdef'[x]}{y + 1}": (x, -y) for y in range(SIDE) for x in range(SIDE)}


def pieces(position):
    """The seat of the man on each field."""
    return {name: int(cell) - 1 for name, cell in zip(places(position.game), position.state.cells, strict=True) if cell}


def names(game):
    """The text of each action: `a2-a3`."""
    return tuple(f"{list(places(game))[start]}-{list(places(game))[end]}" for start, end in MOVES)
