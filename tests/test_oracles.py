"""The engines against the independent oracles: equal legal actions, weights and facts on every ply."""

from collections.abc import Callable

import pytest

from bridgehead.core import registry
from variants import values
from versus import Disagreement, Pair, compare, drawn, fuzz, short

GAMES = sorted(registry.specs())
PLIES, MORE, PARTS = 5_000, 5_000, 4
Counted = Callable[[str, int, str], None]


@pytest.mark.parametrize("name", GAMES)
def test_engine_and_oracle_agree_on_the_standard_game(name: str, counted: Counted) -> None:
    plies = sum(compare(name, {}, seed, 400).plies for seed in range(3))
    counted(name, plies, "plies")
    assert plies > 100


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.wide) for part in range(1, PARTS))])
@pytest.mark.parametrize("name", GAMES)
def test_engine_and_oracle_agree_under_mixed_house_rules(name: str, part: int, counted: Counted) -> None:
    wanted = values(name)[part::PARTS]
    matches = list(fuzz(name, f"tests {part}", PLIES // PARTS, wanted=wanted))
    plies, told = sum(match.plies for match in matches), drawn(matches)
    counted(name, plies, "plies")
    assert plies >= PLIES // PARTS
    assert [f"{rule}={value}" for rule, value in wanted if not told[f"{rule}={short(value)}"]] == []


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_engine_and_oracle_agree_for_longer(name: str, counted: Counted) -> None:
    plies = sum(match.plies for match in fuzz(name, "longer", MORE))
    counted(name, plies, "plies")
    assert plies >= MORE


@pytest.mark.parametrize("name", GAMES)
def test_a_difference_between_engine_and_oracle_is_told_with_the_way_there(name: str) -> None:
    pair = Pair(name, {})
    names = pair.look()
    first = sorted(names)[0]
    pair.oracle.play(first)
    with pytest.raises(Disagreement, match="engine .*oracle"):
        pair.look()
