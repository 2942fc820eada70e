"""The engines against the independent oracles: equal legal actions, weights and facts on every ply."""

from __future__ import annotations

import importlib
import math
import random
from pathlib import Path

import pytest

from bridgehead.core import registry
from variants import make, mixture

BOARDS = Path(__file__).parent / "boards"
PLIES = {"burning_bridges": 2500, "forty_bridges": 3000, "front_lines": 3000, "barricade": 3000}


def compare(name: str, options: dict, seed: int, most: int) -> int:  # type: ignore[type-arg]
    """Play one game on both sides; the number of plies that agreed."""
    oracle_type = importlib.import_module(f"oracles.{name}").Oracle
    oracle, position = oracle_type(options, BOARDS), make(name, options).start()
    rng, plies = random.Random(seed), 0
    while True:
        where = (options, position.text)
        assert position.facts() == {key: oracle.facts()[key] for key in position.facts()}, where
        if position.is_over:
            assert oracle.actor() is None, where
            return plies
        names = {position.name(action): action for action in position.legal}
        expected = oracle.legal()
        assert set(names) == set(expected), where
        if position.is_chance:
            assert oracle.actor() == "chance", where
            assert normal(dict(zip(names, position.weights, strict=True))) == normal(expected), where
        else:
            assert oracle.actor() == position.actor, where
        if plies == most:
            return plies
        choice = rng.choice(sorted(names))
        oracle.play(choice)
        position = position.play(names[choice])
        plies += 1


def normal(weights: dict[str, int]) -> dict[str, int]:
    """Weights without their common factor."""
    factor = math.gcd(*weights.values())
    return {name: weight // factor for name, weight in weights.items()}


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_engine_and_oracle_agree_on_the_standard_game(name: str) -> None:
    assert sum(compare(name, {}, seed, 400) for seed in range(3)) > 100


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_engine_and_oracle_agree_under_mixed_house_rules(name: str) -> None:
    rng, plies, seed = random.Random(f"oracle {name}"), 0, 0
    while plies < PLIES[name]:
        plies += compare(name, mixture(name, rng, 0.3), seed, 150)
        seed += 1
    assert plies >= PLIES[name]
