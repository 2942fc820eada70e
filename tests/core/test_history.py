"""The positions of a match: few are kept, and all are there."""

import random

import pytest

from bridgehead.core import match as matches
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.core.position import Position


def played(name: str, length: int) -> tuple[Match, list[Position]]:
    """A match at random, and its positions as they were made."""
    match, lot = Match(registry.game(name)), random.Random(3)
    seen = [match.position]
    while len(match.log) < length and not match.position.is_over:
        here = match.position
        seen.append(match.play(SeededDealer("x").deal(here, match.chances) if here.is_chance else lot.choice(here.legal)))
    return match, seen


@pytest.mark.parametrize("name", ["burning_bridges", "forty_bridges"])
def test_positions_that_are_not_kept_are_the_same_when_they_are_asked_for(name: str) -> None:
    match, seen = played(name, 90)
    assert len(match.positions) == len(seen) > 60 and list(match.positions) == seen
    for index in random.Random(1).sample(range(-len(seen), len(seen)), 60):
        assert match.positions[index] == seen[index] and match.positions[index].actor == seen[index].actor
    assert match.positions[5:40:3] == seen[5:40:3] and match.positions[-1] is match.position
    for wrong in (len(seen), -len(seen) - 1):
        with pytest.raises(IndexError):
            match.positions[wrong]


def test_few_positions_are_kept() -> None:
    match, seen = played("forty_bridges", 90)
    kept = [each for each in match.positions._kept if each is not None]
    assert len(kept) == match.positions.held <= matches.LAST + len(seen) // matches.STEP + 1
    assert sum("legal" in vars(each) for each in kept) <= matches.LAST, "of the old ones nothing more than the state"


@pytest.mark.parametrize("back", [0, 1, 3, matches.STEP, matches.STEP + 1, 50])
def test_a_match_that_is_taken_back_goes_on_from_there(back: int) -> None:
    match, seen = played("burning_bridges", 70)
    other = match.positions.copy(list(match.log))
    match.rewind(len(match.log) - back)
    assert list(match.positions) == seen[: len(seen) - back] and match.position.legal == seen[-1 - back].legal
    match.play(match.position.legal[0])
    assert match.positions[-2] == seen[-1 - back]
    assert list(other) == seen, "a copy is one of its own"
