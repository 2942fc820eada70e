"""Halves of boards that are their own mirror image."""

import json
from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.workshop.lab.answers import symmetry
from bridgehead.workshop.lab.readings import fields_of
from bridgehead.workshop.lab.words import tell

ROWS = 30


def fields(game: Game) -> dict[str, int]:
    return {name.removeprefix("f:"): i for i, name in enumerate(fields_of(game))}


@pytest.mark.parametrize(
    ("name", "rules", "axes"),
    [
        ("barricade", {}, ["left"]), ("burning_bridges", {}, ["left"]), ("burning_bridges", {"seats": 4}, list(symmetry.AXES)),
        ("forty_bridges", {}, ["rising", "falling"]), ("front_lines", {}, ["above"]),
        ("front_lines", {"opposedSides": True}, ["left", "above"]),
    ],
)  # fmt: skip
def test_symmetric_boards_are_known_by_their_ways(name: str, rules: dict[str, Any], axes: list[str]) -> None:
    """The corners of 40 Bridges lie on a diagonal; the sides of The Front Lines start at one end, or at both."""
    game = registry.game(name, **rules)
    assert [axis for axis in symmetry.AXES if symmetry.pairs(game, axis)] == axes
    for axis in axes:
        both = symmetry.pairs(game, axis)
        assert len({field for pair in both for field in pair}) == 2 * len(both), "each once, none its own image"


def test_a_board_that_only_looks_symmetric_is_not_called_so() -> None:
    """One of four homes has another entry: of 137 fields only its own lies elsewhere, but its way to the goal is shorter."""
    board = json.loads((registry.spec("barricade").folder / "boards" / "classic.json").read_text("utf-8"))
    board["homes"][0]["entry"] = [4, 13]
    game, usual = registry.game("barricade", board=board), registry.game("barricade")
    one, other = ([(each.x, each.y) for each in made.spec.scene.picture(made, "en").fields] for made in (game, usual))
    assert np.mean([place == same for place, same in zip(one, other, strict=True)]) > 0.95
    assert symmetry.pairs(usual, "left") and not symmetry.pairs(game, "left")
    assert not symmetry.compare_halves(game, np.ones((5, len(one)), np.int32))


def test_squares_have_their_mirror_images() -> None:
    game = registry.game("forty_bridges")
    place, found = fields(game), dict(symmetry.pairs(game, "rising"))
    assert len(found) == 16 and found[place["a5"]] == place["e1"] and found[place["A3"]] == place["C1"]


def test_a_half_that_is_used_more_is_told_and_even_use_is_not_called_uneven() -> None:
    game = registry.game("forty_bridges")
    lot = np.random.default_rng(1)
    even = lot.poisson(5.0, (ROWS, len(fields_of(game))))
    found = symmetry.compare_halves(game, even)
    assert list(found) == ["rising", "falling"]
    assert all(each.low <= 0.5 <= each.high and each.high - each.low < 0.05 for each in found.values())
    assert "neither half" in tell(symmetry.sentence(found))
    upper = [pair[0] for pair in symmetry.pairs(game, "rising")]
    uneven = even.copy()
    uneven[:, upper] *= 3
    found = symmetry.compare_halves(game, uneven)
    assert 0.72 < found["rising"].value < 0.78 and "% (" in tell(symmetry.sentence(found))
    assert "rising diagonal" in tell(symmetry.sentence(found)) and "falling" not in tell(symmetry.sentence(found))


def test_nothing_is_told_of_games_in_which_nobody_moved() -> None:
    game = registry.game("forty_bridges")
    found = symmetry.compare_halves(game, np.zeros((2, len(fields_of(game))), np.int32))
    assert all(each.games == 0 for each in found.values())
