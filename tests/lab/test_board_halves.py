"""Halves of boards that are their own mirror image."""

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.lab.answers import symmetry
from bridgehead.lab.readings import fields_of
from bridgehead.lab.words import tell

ROWS = 30


def fields(game: Game) -> dict[str, int]:
    return {name.removeprefix("f:"): i for i, name in enumerate(fields_of(game))}


@pytest.mark.parametrize(
    ("name", "rules", "axes"),
    [
        ("barricade", {}, [0]), ("burning_bridges", {}, [0]), ("burning_bridges", {"seats": 4}, [0, 1]),
        ("forty_bridges", {}, [0, 1]), ("front_lines", {}, [0, 1]),
    ],
)  # fmt: skip
def test_symmetric_boards_are_known_by_their_pictures(name: str, rules: dict[str, int], axes: list[int]) -> None:
    game = registry.game(name, **rules)
    assert [axis for axis in (0, 1) if symmetry.pairs(game, axis)] == axes
    for axis in axes:
        both = symmetry.pairs(game, axis)
        assert len({field for pair in both for field in pair}) == 2 * len(both), "each once, none its own image"


def test_squares_have_their_mirror_images() -> None:
    game = registry.game("forty_bridges")
    place, found = fields(game), dict(symmetry.pairs(game, 0))
    assert len(found) == 18 and found[place["a1"]] == place["e1"] and found[place["B3"]] == place["C3"]


def test_a_half_that_is_used_more_is_told_and_even_use_is_not_called_uneven() -> None:
    game = registry.game("forty_bridges")
    lot = np.random.default_rng(1)
    even = lot.poisson(5.0, (ROWS, len(fields_of(game))))
    found = symmetry.used(game, even)
    assert list(found) == list(symmetry.AXES)
    assert all(each.low <= 0.5 <= each.high and each.high - each.low < 0.05 for each in found.values())
    assert "neither half" in tell(symmetry.sentence(found))
    left = [pair[0] for pair in symmetry.pairs(game, 0)]
    uneven = even.copy()
    uneven[:, left] *= 3
    found = symmetry.used(game, uneven)
    assert 0.72 < found["left"].value < 0.78 and "% (" in tell(symmetry.sentence(found))
    assert "left of the middle" in tell(symmetry.sentence(found)) and "above" not in tell(symmetry.sentence(found))


def test_nothing_is_told_of_games_in_which_nobody_moved() -> None:
    game = registry.game("forty_bridges")
    found = symmetry.used(game, np.zeros((2, len(fields_of(game))), np.int32))
    assert all(each.games == 0 for each in found.values())
