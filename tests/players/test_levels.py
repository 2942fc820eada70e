"""Levels by name: which there are of a game, which of them people are offered, what is proposed."""

from dataclasses import replace
from pathlib import Path

import pytest

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.players import LEVELS, level_named, levels_of, list_levels, player, strengths, usual
from bridgehead.players.levels import NAMES, levels, searches
from connect_four import SPEC

GAME = Game(SPEC, house.build(SPEC))
BARE = replace(SPEC, id="without_levels", folder=Path(__file__).parent)


def test_eight_levels_are_offered_and_a_middle_one_is_proposed() -> None:
    assert list_levels(SPEC) == NAMES and len(NAMES) == 8
    assert usual(SPEC) in NAMES[2:6]
    assert strengths(SPEC) == {"easy": "scout", "medium": "ranger", "hard": "captain"}
    assert levels_of(SPEC) == (*LEVELS, *NAMES), "old tables and records name the two of every game"
    assert list_levels(BARE) == levels_of(BARE) == LEVELS and usual(BARE) == "greedy"
    assert strengths(BARE) == {"easy": "random", "medium": "random", "hard": "greedy"}


@pytest.mark.parametrize("named, level", [(1, "wanderer"), ("8", "master"), ("ranger", "ranger"), ("random", "random")])
def test_a_level_is_named_or_numbered(named: str | int, level: str) -> None:
    assert level_named(SPEC, named) == level


@pytest.mark.parametrize("named", [0, 9, "god", "", "-1"])
def test_other_levels_are_refused(named: str | int) -> None:
    with pytest.raises(OptionError, match=r"no level .*wanderer.*1 to 8"):
        level_named(SPEC, named)


@pytest.mark.parametrize("level", ["random", "greedy", "captain"])
def test_no_level_chooses_what_chance_gives_or_anything_after_the_end(level: str) -> None:
    dice, over = registry.game("barricade").start(), Match(Game(SPEC, house.build(SPEC)))
    while over.outcome is None:
        over.play(over.position.legal[0])
    assert dice.is_chance
    with pytest.raises(BridgeheadError, match=r"no seat is to act: chance .*Match\.deal"):
        player(level, 1).choose(dice)
    with pytest.raises(BridgeheadError, match="no seat is to act: the game is over"):
        player(level, 1).choose(over.position)


def test_a_level_that_there_is_nowhere_is_refused_with_all_that_there_are() -> None:
    with pytest.raises(OptionError, match=r"no level 'Master'; there are: random, .*master"):
        player("Master", 1)


def test_only_levels_that_search_need_compiled_rules() -> None:
    needing = {name for name in NAMES if searches(GAME, name)}
    assert needing == {name for name, level in levels(SPEC).items() if level.looks != "ahead"}
    assert "master" in needing and not searches(GAME, "greedy")


def test_a_level_repeats_its_game_with_its_seed() -> None:
    def game(seed: int) -> tuple[int, ...]:
        match, who = Match(Game(SPEC, house.build(SPEC))), player("wanderer", seed)
        while match.outcome is None:
            match.play(who.choose(match.position))
        return match.actions

    assert game(1) == game(1)
    assert len({game(seed) for seed in range(5)}) > 1


@pytest.mark.parametrize("game", sorted(registry.specs()))
def test_what_is_proposed_is_offered(game: str) -> None:
    spec = registry.spec(game)
    assert usual(spec) in list_levels(spec) and set(list_levels(spec)) <= set(levels_of(spec))
