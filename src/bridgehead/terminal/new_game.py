"""`bridgehead new-game`: writes a package with a small working game, as the start of a new one. See docs/do/add_a_game.md."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError

NAME = re.compile("[a-z][a-z0-9_]*[a-z0-9]")

FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "NAME"
version = "0.1"
requires-python = ">=3.11"
dependencies = ["bridgehead"]

[project.optional-dependencies]
test = ["pytest>=9"]

[project.entry-points."bridgehead.games"]
NAME = "NAME:SPEC"

[tool.hatch.build.targets.wheel]
packages = ["NAME"]
""",
    "test_NAME.py": '''\
"""Tests of TITLE. The conformance tests: pytest --pyargs bridgehead.conformance --game NAME"""

import bridgehead


def test_three_in_a_row_win():
    position = bridgehead.game("NAME").start()
    for action in ("a1", "b1", "a2", "b2", "a3"):
        position = position.play(action)
    assert position.outcome.reason == "three" and position.outcome.winners == (0,)
''',
    "NAME/__init__.py": '''\
"""TITLE: a game for Bridgehead."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(id="NAME", title="TITLE", version="1", seats=(2, 2), package=__name__, folder=Path(__file__).parent)
''',
    "NAME/rules.py": '''\
"""The rules of TITLE: three pieces in a row win."""

import numpy as np

from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.spec import OVER

SIDE = 3
FIELDS = SIDE * SIDE
REASONS = (("", ""), ("three", "T-2"), ("full", "T-3"))
THREE, FULL = 1, 2


class REFUSALS(RefusalCode):
    """Why an action is not legal."""

    OK = "", ""
    OVER = "T-2", "over.refused"
    TAKEN = "T-1", "refused.taken"


def state_dtype(law):
    """cells: 0 is empty, 1 and 2 are the pieces of seats 0 and 1. winner: a seat or -1."""
    return np.dtype([("cells", np.int8, (FIELDS,)), ("turns", np.int64), ("reason", np.int64), ("winner", np.int64)])


def action_count(law):
    """One action for each field."""
    return FIELDS


def limits(law):
    """The lowest and highest number in each field of a state."""
    return {"cells": (0, 2), "turns": (0, FIELDS), "winner": (-1, 1)}


def impossible(state, law):
    """Why a state cannot occur."""
    if [int((state.cells == seat + 1).sum()) for seat in (0, 1)] != [int(state.turns + 1) // 2, int(state.turns) // 2]:
        return "seats move in turn"
    rows = [has_row(state, seat) for seat in (0, 1)]
    reason, winner = (THREE, 1 - int(state.turns) % 2) if any(rows) else (FULL if state.turns == FIELDS else 0, -1)
    ends_well = (int(state.reason), int(state.winner)) == (reason, winner) and not rows[int(state.turns) % 2]
    return "" if ends_well else "it ends otherwise than the rules say"


@rule
def setup(state, law):
    """The empty board."""
    state.cells[:] = 0
    state.turns = 0
    state.reason = 0
    state.winner = -1


@rule
def actor(state, law):
    """Seats take turns (T-1)."""
    return OVER if state.reason != 0 else int(state.turns % 2)


@rule
def legal(state, law, out):
    """Every empty field (T-1)."""
    found = 0
    for field in range(FIELDS):
        if state.reason == 0 and state.cells[field] == 0:
            out[found] = field
            found += 1
    return found


@rule
def refusal(state, law, action):
    """0 exactly when an action is legal."""
    if state.reason != 0:
        return REFUSALS.OVER
    return REFUSALS.OK if state.cells[action] == 0 else REFUSALS.TAKEN


@rule
def is_row(state, seat, first, step):
    """Whether three fields, `step` apart, have pieces of a seat."""
    own = seat + 1
    return state.cells[first] == own and state.cells[first + step] == own and state.cells[first + 2 * step] == own


@rule
def has_row(state, seat):
    """Whether a seat has three in a row (T-2)."""
    for line in range(SIDE):
        if is_row(state, seat, SIDE * line, 1) or is_row(state, seat, line, SIDE):
            return True
    return is_row(state, seat, 0, SIDE + 1) or is_row(state, seat, SIDE - 1, SIDE - 1)


@rule
def apply(state, law, action):
    """Put a piece on a field."""
    seat = int(state.turns % 2)
    state.cells[action] = seat + 1
    state.turns += 1
    if has_row(state, seat):
        state.reason = THREE
        state.winner = seat
    elif state.turns == FIELDS:
        state.reason = FULL


@rule
def value(state, law, seat):
    """How good a position is for a seat: 1.0 when it has won, -1.0 when it has lost."""
    return 0.0 if state.winner < 0 else 1.0 if state.winner == seat else -1.0


@rule
def returns(state, law, out):
    """The result of each seat."""
    for seat in range(2):
        out[seat] = value(state, law, seat)
''',
    "NAME/scene.py": '''\
"""What a screen shows of TITLE: fields by name, and the pieces on them."""

from NAME.rules import SIDE


def places(game):
    """The fields, in the order of their action ids."""
    return {f"{column}{row + 1}": (x, row) for row in range(SIDE) for x, column in enumerate("abc")}


def pieces(position):
    """The seat of the piece on each field."""
    cells = zip(places(position.game), position.state.cells, strict=True)
    return {name: int(cell) - 1 for name, cell in cells if cell}
''',
    "NAME/rulebook.toml": """\
[[clause]]
id = "T-1"

[[clause]]
id = "T-2"

[[clause]]
id = "T-3"
""",
    "NAME/languages/en.toml": """\
"game.players" = "2 players"
"game.line" = "Three in a row win."
"prompt" = "{seat}: choose a field."
"end.three" = "Three in a row: {seat} wins."
"end.full" = "The board is full: nobody wins."
"refused.taken" = "{action} is taken."
"clause.T-1" = "Two players take turns. A turn puts a piece on an empty field."
"clause.T-2" = "Three own pieces in a row win."
"clause.T-3" = "If the board is full, nobody wins."
""",
}


def write(name: str, folder: Path) -> list[Path]:
    """Write the package and list its files. Errors: BridgeheadError for a bad name, or a folder that is not empty."""
    if not NAME.fullmatch(name):
        raise BridgeheadError("error.game_name", "NAME")
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or name in ("bridgehead", *registry.specs()):
        raise BridgeheadError("error.game_name_taken", "NAME", name=repr(name))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BridgeheadError("error.folder_in_use", str(folder))
    written = []
    for file, text in FILES.items():
        path = folder / file.replace("NAME", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("NAME", name).replace("TITLE", name.replace("_", " ").title()), "utf-8")
        written.append(path)
    return written
