"""Random games of every game, board and preset, compiled, played to their end."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from bridgehead.cli import app

pytestmark = pytest.mark.wide
RUNS = [
    ("barricade", "", 300),
    ("barricade", "seats=2", 300),
    ("barricade", "seats=3", 200),
    ("barricade", "classic", 200),
    ("barricade", "board=mini,seats=2", 500),
    pytest.param("barricade", "board=six,seats=6", 60, marks=pytest.mark.long),  # other machine code
    ("barricade", "teams=0,2/1,3", 200),
    ("barricade", "teams=0/1,2,3", 200),
    ("barricade", "seats=2,twoColours=true", 200),
    ("burning_bridges", "roundLimit=200", 40),
    ("burning_bridges", "seats=4,roundLimit=200", 40),
    ("burning_bridges", "seats=3,roundLimit=200", 60),
    ("burning_bridges", "seats=2,roundLimit=200", 60),
    ("burning_bridges", "seats=3,board=star6,roundLimit=100", 40),
    ("forty_bridges", "", 2000),
    ("forty_bridges", "setup=row", 1000),
    ("forty_bridges", "bentJumps=true", 1000),
    ("front_lines", "", 2000),
    ("front_lines", "seats=2", 1000),
    ("front_lines", "seats=3,allow3=true", 1000),
    ("front_lines", "fallen-soldiers", 2000),
    ("front_lines", "leap", 500),
    ("front_lines", "lives=3", 1000),
]


def end(game: str, rules: str, games: int) -> str:
    """What `bridgehead random` prints."""
    command = ["random", game, "--games", str(games), "--seed", "7", "--rules", rules, "--json"]
    return CliRunner().invoke(app, command, catch_exceptions=False).stdout


@pytest.mark.parametrize(("game", "rules", "games"), RUNS, ids=lambda value: str(value) or "standard")
def test_random_games_end(game: str, rules: str, games: int, compiled: Callable[[str], Any]) -> None:
    summary = json.loads(compiled(game)("test_random_games", "end", game, rules, games))
    assert summary["unfinished"] == 0
    assert sum(summary["wins"]) + summary["nobody"] >= games
