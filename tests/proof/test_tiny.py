"""Tiny games looked at whole: engine and oracle, each alone, find the same positions, actions and endings."""

from typing import Any

import pytest
from pair import GAMES
from tiny import TINY, by_engine, by_oracle

SIZES = {  # positions and actions between them
    "ring without barricades": (633, 1814),
    "ring with a barricade": (3620, 10087),
    "ring with a barricade, classic": (1718, 3417),
    "a square of four pillars, one round": (576, 845),
    "two against two": (1958, 3558),
    "two against two, two sides": (7656, 15898),
    "one against one in the corner": (274, 554),
    "one row, red and black": (8057, 11233),
    "two rows, two lives": (988, 1115),
    "a path of three pillars, two rounds": (34530, 61883),
    "two pillars, two rounds": (17601, 39810),
    "one row of mines for red": (19618, 34381),
    "ring with two barricades": (12210, 35571),
    "ring with a barricade, two pawns each": (19455, 45833),
    "two against two, six quiet turns": (16945, 42304),
    "two against two, one side": (15391, 36551),
}
LARGE = 7_000  # positions; larger ones are looked at in `make test-long`


def rows() -> list[object]:
    return [pytest.param(name, id=name, marks=[pytest.mark.long] if size[0] > LARGE else []) for name, size in SIZES.items()]


def test_every_tiny_game_has_its_size_and_every_game_twenty_thousand_positions() -> None:
    assert set(SIZES) == set(TINY)
    assert {tiny.game for name, tiny in TINY.items() if SIZES[name][0] <= LARGE} == {tiny.game for tiny in TINY.values()}
    for game in GAMES:
        assert sum(SIZES[name][0] for name, tiny in TINY.items() if tiny.game == game) >= 20_000


@pytest.mark.parametrize("name", rows())
def test_engine_and_oracle_find_the_same_positions_actions_and_endings(name: str, counted: Any) -> None:
    ours, theirs = by_engine(TINY[name]), by_oracle(TINY[name])
    counted(TINY[name].game, len(ours.positions), "positions")
    assert (len(ours.positions), ours.edges) == SIZES[name]
    assert ours.positions == theirs.positions
    assert (ours.edges, ours.ends) == (theirs.edges, theirs.ends)
