"""Chance: exact weights, draws that follow them, and every outcome drawn."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from pair import GAMES, engine

from bridgehead.core.chance import SeededDealer
from bridgehead.core.kernels import kernels

pytestmark = pytest.mark.wide
DRAWS = 100_000
Z = 3.719  # quantile of the normal distribution that one sound generator in 10,000 exceeds

# Positions where chance acts: game, house rules, the way there, and the number of outcomes.
POSITIONS: dict[str, tuple[str, dict[str, Any], list[str], int]] = {
    "a die": ("barricade", {}, ["first 1"], 6),
    "a die of twelve": ("barricade", {"dieSides": 12}, ["first 1"], 12),
    "the first of four seats": ("barricade", {}, [], 4),
    "a roll-off": ("barricade", {"first": "highestRoll"}, ["roll 3"], 6),
    "the first of five families": ("burning_bridges", {}, [], 5),
    "the first of two players": ("forty_bridges", {"first": "random"}, [], 2),
    "a card of the draw pack": ("front_lines", {}, [], 40),
    "a card of the draw pack after some": ("front_lines", {}, ["draw AH", "to a1", "flip 2H"], 39),
    "a card of the whole second pack": ("front_lines", {"drawPack": "J11Q12K13"}, [], 52),
    "a card of the field": ("front_lines", {}, ["draw 2H", "to b1"], 48),
    "a card of the field after some": ("front_lines", {}, ["draw 3H", "to b1", "flip 2H", "to b2"], 47),
    "a card of a field with Jokers": ("front_lines", {"jokersInField": 2}, ["draw 2H", "to b1"], 49),
    "a card of an arranged field": (
        "front_lines", {"rows": 1, "layout": [["2H", "2S", "3D", "3C"]]}, ["draw 2H", "to b1"], 1,
    ),
}  # fmt: skip
DEALT = [
    "a die", "a die of twelve", "the first of four seats", "the first of five families", "the first of two players",
    "a card of the draw pack after some", "a card of a field with Jokers",
]  # fmt: skip


def drawn(name: str, options: dict[str, Any], line: list[str]) -> list[tuple[int, int]]:
    """Actions that `choose` drew in a position where chance acts, and how often."""
    position = engine(name, options, line)
    game, state, rng = position.game, position.copy_states()[0], np.array([2026], np.uint64)
    out, choose = np.empty(game.max_legal, np.int32), kernels(game.spec).choose
    return [*Counter(int(choose(state, game.law, out, rng, True)) for _ in range(DRAWS)).items()]


def statistic(counts: Counter[int], actions: Sequence[int], weights: Sequence[int]) -> float:
    """Pearson's chi-square of the draws against the weights."""
    draws, total = sum(counts.values()), sum(weights)
    expected = {action: draws * weight / total for action, weight in zip(actions, weights, strict=True)}
    return sum((counts[action] - number) ** 2 / number for action, number in expected.items())


def critical(freedom: int) -> float:
    """What chi-square of so many degrees of freedom exceeds once in 10,000 (Wilson and Hilferty 1931)."""
    return freedom * (1 - 2 / (9 * freedom) + Z * math.sqrt(2 / (9 * freedom))) ** 3


def judge(name: str, counts: Counter[int]) -> None:
    """Every outcome was drawn, no other was, and the numbers fit the weights."""
    position = engine(*POSITIONS[name][:3])
    assert set(counts) == set(position.legal)
    found, limit = statistic(counts, position.legal, position.weights), critical(max(1, len(position.legal) - 1))
    print(f"{name}: chi-square {found:.1f}, critical value {limit:.1f}")
    assert found < limit


@pytest.mark.clause("BAQ-17", "FLQ-2", "FLQ-28", "BBQ-1", "FBQ-2", "ALLQ-1")
@pytest.mark.parametrize("name", POSITIONS)
def test_weights_are_whole_numbers_that_sum_exactly(name: str) -> None:
    position = engine(*POSITIONS[name][:3])
    assert len(position.legal) == len(position.weights) == POSITIONS[name][3]
    assert all(isinstance(weight, int) and weight > 0 for weight in position.weights)
    if "Jokers" not in name:  # those have a test of their own
        assert set(position.weights) == {position.weights[0]}


@pytest.mark.clause("FLQ-3", "FLQ-28")
def test_two_jokers_replace_two_random_cards_of_the_field() -> None:
    position = engine("front_lines", {"jokersInField": 2}, ["draw 2H", "to b1"])
    shares = {position.name(a): w / sum(position.weights) for a, w in zip(position.legal, position.weights, strict=True)}
    assert shares.pop("flip JK") == pytest.approx(2 / 48)
    assert list(shares.values()) == [pytest.approx(46 / 48 / 48)] * 48


@pytest.mark.parametrize("name", DEALT)
def test_a_seeded_dealer_draws_by_the_weights(name: str, counted: Any) -> None:
    counted(POSITIONS[name][0], DRAWS, "draws")
    position, dealer = engine(*POSITIONS[name][:3]), SeededDealer("proof")
    judge(name, Counter(dealer.deal(position, index) for index in range(DRAWS)))


# Other house rules may need other machine code, which takes seconds to compile.
OTHER = [pytest.param(game, False, marks=pytest.mark.long) for game in ("barricade", "front_lines")]


@pytest.mark.parametrize("game, first", [*((game, True) for game in GAMES), *OTHER])
def test_compiled_chance_draws_by_the_weights(game: str, first: bool, compiled: Any, counted: Any) -> None:
    rows = {name: rules for name, (of, rules, *_) in POSITIONS.items() if of == game}
    names = [name for name, rules in rows.items() if (rules == next(iter(rows.values()))) == first]
    assert names
    counted(game, DRAWS * len(names), "draws")
    for name in names:
        judge(name, Counter(dict(compiled(game)("test_draws", "drawn", *POSITIONS[name][:3]))))
