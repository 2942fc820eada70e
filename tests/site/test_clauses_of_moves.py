"""The site's Python, whose modules have no comments, finds the clauses of a played action that the sources name."""

from pathlib import Path

import pytest
from both_sides import same

pytestmark = pytest.mark.wide
RECORDS = Path(__file__).parents[1] / "proof" / "records"


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_the_clauses_of_the_actions_of_a_game_are_the_same(game: str) -> None:
    (found,) = same([["applied", (RECORDS / f"{game}-1.txt").read_text("utf-8")]], game)
    assert sum(map(bool, found)) > len(found) / 3
