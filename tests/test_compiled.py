"""The same functions, compiled and plain, give the same games."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from bridgehead.core import registry

PLAY = """
import json, sys, zlib
import numpy as np
from bridgehead.core import registry
from bridgehead.core.kernels import kernels
from bridgehead.core.law import quick
name, options, games, limit = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
game = registry.game(name, **options)
states, seeds = game.new_states(games), np.arange(1, games + 1, dtype=np.uint64)
lengths, results = np.zeros(games, np.int64), np.zeros((games, game.seats))
out, skill = np.empty(game.max_legal, np.int32), np.zeros(game.seats, np.int64)
skill[0] = 1
made = kernels(game.spec).play_games(states, quick(game.law), seeds, limit, skill, out, lengths, results)
read = registry.game(name).load((game.spec.folder / "showpiece.txt").read_text("utf-8").strip()).text
print(json.dumps([zlib.crc32(states.tobytes()), lengths.tolist(), results.tolist(), [int(n) for n in made], read]))
"""


def play(name: str, options: dict[str, Any], compiled: bool, games: int, limit: int) -> list[Any]:
    """Games with a greedy first seat, in a process of its own."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "0" if compiled else "1"}
    command = [sys.executable, "-c", PLAY, name, json.dumps(options), str(games), str(limit)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


OPTIONS: dict[str, dict[str, Any]] = {
    "barricade": {"board": "mini"},
    "burning_bridges": {"seats": 3},
    "forty_bridges": {"bentJumps": True},
    "front_lines": {"jokersInField": 2},
}


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_compiled_and_plain_rules_play_the_same_games(name: str, counted: Callable[[str, int, str], None]) -> None:
    games = 60 if name in ("forty_bridges", "front_lines") else 20  # their games are short
    compiled = play(name, OPTIONS[name], True, games, 160)
    plain = play(name, OPTIONS[name], False, games, 160)
    assert compiled == plain
    decisions, chances = compiled[3]
    counted(name, decisions + chances, "plies")
    assert decisions + chances >= 1000
