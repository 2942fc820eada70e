"""Compiling: a cache that cannot be stale, templates bound to a game, and a foreign game with the same kit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bridgehead.core import jit, registry
from bridgehead.core.law import packed
from bridgehead.games.forty_bridges.state import Law

ROOT = Path(__file__).parents[2]
FOLDER = registry.spec("forty_bridges").folder

PERFT = """
import sys
import numpy as np
from bridgehead.core import options as house
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from connect_four import SPEC
game, depth = Game(SPEC, house.build(SPEC)), int(sys.argv[1])
states, out = game.new_states(depth + 1), np.zeros((depth + 1, game.max_legal), np.int32)
SPEC.rules.setup(states[0], game.law)
work = np.zeros(depth + 1, np.int64)
print(kernels(SPEC).perft(states, game.law, depth, out, work, work.copy()))
"""


def run(code: str, *arguments: str, compiled: bool, cache: Path) -> str:
    env = os.environ | {
        "NUMBA_DISABLE_JIT": "0" if compiled else "1",
        "BRIDGEHEAD_CACHE": str(cache),
        "PYTHONPATH": str(ROOT / "examples"),
    }
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_game_of_another_package_compiles_and_counts_as_it_must(tmp_path: Path) -> None:
    """Known numbers of Connect Four: 7**7 less the seven ways to drop seven discs into one column; then the first wins."""
    assert run(PERFT, "7", compiled=True, cache=tmp_path) == "823536"
    assert run(PERFT, "8", compiled=True, cache=tmp_path) == "5673234"
    assert any(tmp_path.rglob("*.nbi")), "nothing was cached"
    assert run(PERFT, "5", compiled=False, cache=tmp_path) == "16807"


def test_a_template_bound_to_a_game_is_loaded_from_the_cache_at_the_second_start(tmp_path: Path) -> None:
    watch = PERFT + "\nstats = kernels(SPEC).perft.stats\nprint(len(stats.cache_hits), len(stats.cache_misses))"
    assert run(watch, "3", compiled=True, cache=tmp_path).split() == ["343", "0", "1"]
    assert run(watch, "3", compiled=True, cache=tmp_path).split() == ["343", "1", "0"]


def test_the_cache_folder_changes_with_any_source_of_the_game(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(FOLDER, game)
    before = jit.cache_folder(game)
    source = game / "state.py"
    source.write_text(source.read_text("utf-8") + "\n# changed\n", "utf-8")
    jit.cache_folder.cache_clear()
    assert jit.cache_folder(game) != before
    (game / "words.toml").write_text("", "utf-8")
    changed = jit.cache_folder(game)
    jit.cache_folder.cache_clear()
    assert jit.cache_folder(game) == changed, "sentences do not influence machine code"


def test_plain_rules_are_plain_functions() -> None:
    def double(x: int) -> int:
        return 2 * x

    if jit.COMPILED:
        pytest.skip("rules are compiled in this process")
    assert jit.rule(double) is double


def test_a_packed_law_has_the_attributes_of_the_law_and_cannot_be_changed() -> None:
    game = registry.game("forty_bridges", sidesNeeded=4)
    assert set(game.law.dtype.names) == set(Law._fields)
    assert game.law.sides_needed == 4 and game.law.between.shape == (41, 41)
    with pytest.raises(ValueError, match="read-only"):
        game.law.touch[0] = np.uint64(1)
    with pytest.raises(AttributeError):
        packed((1, 2))
