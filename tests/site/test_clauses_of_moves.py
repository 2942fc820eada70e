"""The site's Python, whose modules have no comments, finds the clauses of a played action that the sources name."""

import pytest
from both_sides import same

from records import recorded

pytestmark = pytest.mark.wide


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_the_clauses_of_the_actions_of_a_game_are_the_same(game: str) -> None:
    (found,) = same([["applied", recorded(f"{game}-1")]], game)
    assert sum(map(bool, found)) > len(found) / 3
