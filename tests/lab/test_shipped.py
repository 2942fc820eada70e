"""The reports in docs/reports come from the code of today, under the standard rules and seats."""

import json
from pathlib import Path

import pytest

from bridgehead.core.phrases import ENGLISH
from programs import program

ROOT = Path(__file__).parents[2]


reports = program("reports")

PRINTS = json.loads(reports.PRINTS.read_text("utf-8"))


@pytest.mark.parametrize("name", list(PRINTS))
def test_a_shipped_report_comes_from_the_code_of_today(name: str) -> None:
    """If not, `make reports` makes it again."""
    assert PRINTS[name] == reports.fingerprint(name)
    assert not {"--rules", "--versus", "--board"} & set(reports.STUDIES[name])
    text = reports.page_of(name, ENGLISH).read_text("utf-8")
    assert '<html lang="en">' in text and "--games" in text


def test_no_other_report_is_shipped() -> None:
    assert set(reports.PAGES.glob("*.html")) == {reports.page_of(name, ENGLISH) for name in PRINTS}


def test_the_table_of_wrong_answers_has_the_rows_of_its_command() -> None:
    """If not, `python bench/wrong_answers.py --write` writes it again."""
    wrong = program("wrong_answers", "bench")
    found = wrong.MARKED.search(wrong.PAGE.read_text("utf-8"))
    shown = [tuple(line.strip("| ").split(" | ")[:4]) for line in found[0].splitlines()[2:]]
    assert shown == [tuple(row[:4]) for row in wrong.ROWS]


def test_games_of_other_code_are_played_again(tmp_path: Path) -> None:
    folder = reports.of_today(tmp_path / "study", "one")
    (folder / "games.csv").write_text("of yesterday", "utf-8")
    assert (reports.of_today(folder, "one") / "games.csv").exists(), "a stopped study continues"
    assert not (reports.of_today(folder, "other") / "games.csv").exists()
