"""A game as WebAssembly plays by the same rules, to the last digit, and its computers think the same."""

from collections.abc import Callable
from typing import Any

import pytest

GAMES = ["connect_four", "forty_bridges", "front_lines", "barricade", "burning_bridges"]
PERFT = {"connect_four": 7, "forty_bridges": 3, "front_lines": 3, "barricade": 4, "burning_bridges": 3}


@pytest.mark.parametrize("game", GAMES)
def test_a_module_plays_as_the_compiled_rules_do(compiled: Callable[[str], Any], game: str) -> None:
    """Random positions with mixed house rules and boards; perft; random games of the same seed; searches."""
    run = compiled(game)
    seen = run("in_wasm", "same_positions", game, 400, 3)
    assert seen["positions"] >= 400
    assert run("in_wasm", "same_loops", game, PERFT[game])["decisions"] > 20
    assert run("in_wasm", "same_searches", game, 2, 60) >= 4
