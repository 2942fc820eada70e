"""An action is legal or refused with a reason, never both, never neither: over all action ids of every fuzzed position."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pair import GAMES

from variants import mixture, sound

HERE = Path(__file__).parent
SAME_BOARD = {  # house rules that change the size of a state, for which other machine code is needed: only the long run
    "barricade": {"board", "seats", "homes", "pawns", "twoColours", "teams"},
    "burning_bridges": {"board", "seats", "families"},
    "forty_bridges": set(),
    "front_lines": {"rows", "seats"},
}
SHORT, LONG = (8, 2_500), (40, 20_000)  # mixtures of house rules, positions of each


def look(name: str, mixtures: list[dict[str, Any]], positions: int) -> list[dict[str, Any]]:
    """What `explained.py` finds, in a process of its own, compiled."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path])}
    typed = json.dumps([[name, options, seed, positions] for seed, options in enumerate(mixtures, start=1)])
    done = subprocess.run(
        [sys.executable, str(HERE / "explained.py")], env=env, input=typed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def judge(name: str, mixtures: list[dict[str, Any]], positions: int, counted: Any) -> None:
    found = look(name, mixtures, positions)
    counted(name, sum(row["positions"] for row in found), "positions")
    assert [row["wrong"] for row in found if row["wrong"]] == []
    assert all(row["positions"] >= positions for row in found)
    assert sum(row["ids"] for row in found) > sum(row["positions"] for row in found) * 100


@pytest.mark.parametrize("name", GAMES)
def test_every_action_id_is_legal_or_refused(name: str, counted: Any) -> None:
    rng, mixtures = random.Random(f"explain {name}"), [{}]
    while len(mixtures) < SHORT[0]:
        options = {rule: value for rule, value in mixture(name, rng, 0.4).items() if rule not in SAME_BOARD[name]}
        mixtures.append(options if sound(name, options) else {})
    judge(name, mixtures, SHORT[1], counted)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", GAMES)
def test_every_action_id_is_legal_or_refused_on_every_board(name: str, counted: Any) -> None:
    rng = random.Random(f"explain {name} long")
    judge(name, [mixture(name, rng, 0.3) for _ in range(LONG[0])], LONG[1], counted)
