"""The last whole run of mutation testing: nine of ten wrong rules are noticed, and every other one is explained."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from mutant_page import PAGE, explained, killed, page, summary  # noqa: E402
from rule_functions import files  # noqa: E402

GAMES = sorted(summary())


@pytest.mark.parametrize("game", GAMES)
def test_nine_of_ten_mutants_are_killed(game: str) -> None:
    row = summary()[game]
    assert row["files"] == files(game)
    assert sum(row["fates"].values()) == row["mutants"] > 400
    assert len(row["survivors"]) == row["mutants"] - killed(row)
    assert killed(row) >= 0.9 * row["mutants"]


@pytest.mark.parametrize("game", GAMES)
def test_every_survivor_is_explained_and_nothing_else_is(game: str) -> None:
    survivors, told = set(summary()[game]["survivors"]), explained().get(game, {})
    assert sorted(survivors - set(told)) == []
    assert sorted(set(told) - survivors) == []
    assert all(len(why.split()) > 4 for why in told.values())


def test_the_page_of_mutants_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page()
