"""The same functions, compiled and plain, give the same games."""

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.kernels import kernels
from bridgehead.core.law import quick

OPTIONS: dict[str, dict[str, Any]] = {
    "barricade": {"board": "mini"},
    "burning_bridges": {"seats": 3},
    "forty_bridges": {"bentJumps": True},
    "front_lines": {"jokersInField": 2},
}


def play(name: str, games: int, limit: int) -> list[Any]:
    """Games with a greedy first seat, as the rules run in this process: what became of them."""
    game = registry.game(name, **OPTIONS[name])
    states, seeds = game.new_states(games), np.arange(1, games + 1, dtype=np.uint64)
    lengths, results = np.zeros(games, np.int64), np.zeros((games, game.seats))
    out, skill = np.empty(game.max_legal, np.int32), np.zeros(game.seats, np.int64)
    skill[0] = 1
    made = kernels(game.spec).play_games(states, quick(game.law), seeds, limit, skill, out, lengths, results)
    read = registry.game(name).load((game.spec.folder / "showpiece.txt").read_text("utf-8").strip()).text
    return [zlib.crc32(states.tobytes()), lengths.tolist(), results.tolist(), [int(n) for n in made], read]


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_compiled_and_plain_rules_play_the_same_games(
    name: str, compiled: Callable[[str], Any], counted: Callable[[str, int, str], None]
) -> None:
    games = 60 if name in ("forty_bridges", "front_lines") else 20  # their games are short
    plain = play(name, games, 160)
    assert compiled(name)("test_compiled", "play", name, games, 160) == plain
    decisions, chances = plain[3]
    counted(name, decisions + chances, "plies")
    assert decisions + chances >= 1000
