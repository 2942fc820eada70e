"""The example of a game in a package of its own keeps the contract of the kit."""

import pytest

from bridgehead.core import options as house
from bridgehead.core.errors import IllegalAction, PositionError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from connect_four import SPEC


def game() -> Game:
    return Game(SPEC, house.build(SPEC))


@pytest.mark.parametrize("moves", ["aabbccd", "abababa", "gfgfgfg", "abbccdcddgd"])
def test_four_in_a_row_win_in_every_direction(moves: str) -> None:
    match = Match(game())
    for column in moves[:-1]:
        match.play(column)
        assert match.outcome is None
    match.play(moves[-1])
    assert match.outcome is not None and match.outcome.reason == "four"


def test_a_full_column_is_refused_by_its_clause() -> None:
    match = Match(game())
    for column in "aaaaaa":
        match.play(column)
    with pytest.raises(IllegalAction, match="Column a is full") as caught:
        match.play("a")
    assert caught.value.refusal.clause == "C4-2"


@pytest.mark.parametrize(
    "text", ["", "......./......./......./......./......./1......", "0....../......./......./......./......./.......", "0" * 47]
)
def test_a_text_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        game().load(text)


def test_it_is_five_files_and_230_lines() -> None:
    """A small game stays small: the defaults of core/defaults.py give the rest. Translations come on top."""
    files = [*SPEC.folder.glob("*.py"), *SPEC.folder.glob("*.toml"), SPEC.folder / "languages" / "en.toml"]
    assert len(files) == 5
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= 230
