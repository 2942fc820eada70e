"""The site's Python shows, says, counts and advises what compiled rules do here, to the byte."""

import os
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.wide
GAMES = ["forty_bridges", "barricade", "front_lines", "burning_bridges"]
MANY = int(os.environ.get("BRIDGEHEAD_POSITIONS", "2000"))  # positions a game of the long test
ADVISED = int(os.environ.get("BRIDGEHEAD_ADVISED", "2"))  # games whose positions are analysed, with some hints
GAMES_A_LEVEL = int(os.environ.get("BRIDGEHEAD_EQUAL_GAMES", "5"))  # games of each level of the long test
DEPTH = {"forty_bridges": 2, "front_lines": 2, "barricade": 2, "burning_bridges": 2}


def test_random_positions_are_shown_alike(compiled: Callable[[str], Any]) -> None:
    assert compiled("forty_bridges")("both_sides", "same_positions", "forty_bridges", 40) >= 40


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_many_positions_under_mixed_house_rules_are_shown_alike(compiled: Callable[[str], Any], game: str) -> None:
    run = compiled(game)
    assert run("both_sides", "same_positions", game, MANY) >= MANY
    assert run("both_sides", "same_counts", game, DEPTH[game]) > 10


@pytest.mark.long
def test_searches_that_reach_endgame_tables_are_alike(compiled: Callable[[str], Any]) -> None:
    assert compiled("forty_bridges")("both_sides", "same_endings", 40, 300) >= 10


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_hints_and_analyses_are_alike(compiled: Callable[[str], Any], game: str) -> None:
    assert compiled(game)("both_sides", "same_advice", game, ADVISED) >= 10 * ADVISED


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_replays_of_games_of_each_level_are_alike(compiled: Callable[[str], Any], game: str) -> None:
    assert compiled(game)("both_sides", "same_replays", game, GAMES_A_LEVEL) >= 8 * GAMES_A_LEVEL
