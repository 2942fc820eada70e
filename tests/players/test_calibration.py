"""Calibration finds what is too sure and what is too careful, and maps it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.players import calibration
from bridgehead.players.contest import Setting


def drawn(sharpness: float, seats: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Chances that are told, what came of them, and numbers of games: the true odds are the told ones to this power."""
    lot = np.random.default_rng(3)
    told = lot.dirichlet(np.ones(seats), 30_000)
    true = calibration.mapped(told, sharpness)
    winners = (lot.random((30_000, 1)) > true.cumsum(axis=1)).sum(axis=1).clip(0, seats - 1)
    return told, np.eye(seats)[winners], np.arange(30_000)


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("sharpness", [0.5, 2.0])
def test_a_wrong_sharpness_is_found_and_mapped_away(seats: int, sharpness: float) -> None:
    found = calibration.judged(*drawn(sharpness, seats))
    assert found.raw > 0.03 and found.mapped < 0.01
    assert found.sharpness == pytest.approx(sharpness, rel=0.05)


def test_true_chances_have_hardly_any_error() -> None:
    told, won, _ = drawn(1.0, 5)
    assert calibration.error(told, won) < 0.01
    assert calibration.error(np.full((10, 2), 0.75), np.eye(2)[np.zeros(10, int)]) == pytest.approx(0.25)


def test_the_map_keeps_the_sum_and_the_order() -> None:
    told = np.array([[0.5, 0.3, 0.2]])
    sharp = calibration.mapped(told, 2.0)[0]
    assert sharp.sum() == pytest.approx(1.0) and sharp.tolist() == sorted(sharp, reverse=True) and sharp[0] > 0.5


def test_games_between_players_are_gathered() -> None:
    setting = Setting("burning_bridges", json.dumps({"seats": 2, "roundLimit": 2}), 1, ("greedy", "random"))
    trial = calibration.Trial(setting, 2, 3, every=1)
    likely, won, numbers = calibration.gather(trial)
    assert likely.shape == won.shape and len(numbers) == len(likely) > 2 and set(numbers) == {0, 1}
    assert likely.sum(axis=1) == pytest.approx(1.0, abs=1e-6) and won.sum(axis=1) == pytest.approx(1.0)
    with pytest.raises(BridgeheadError, match="too few"):
        calibration.judged(likely[:1], won[:1], numbers[:1])


def test_chances_of_a_game_go_by_its_map() -> None:
    spec = registry.spec("burning_bridges")
    found = calibration.chances(spec, (0.0, -0.5, -0.5))
    assert sum(found) == pytest.approx(1.0) and found[0] > found[1] == found[2]
