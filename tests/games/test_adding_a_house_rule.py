"""A house rule takes at most four source files: `firstRowSafe` of Barricade, as the page about adding a game shows it."""

from pathlib import Path

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "bridgehead"
GAME = SOURCES / "games" / "barricade"
PAGE = ROOT / "docs" / "do" / "add_a_game.md"
MARKS = ("firstRowSafe", "first_row_safe", "refused.safe")


def is_translation(file: Path) -> bool:
    """Is a file a catalogue of a language other than English?"""
    return file.parent.name == "languages" and file.stem != "en"


def mentioning() -> list[Path]:
    files = (file for file in SOURCES.rglob("*") if file.suffix in (".py", ".toml", ".json", ".js", ".html"))
    return [file for file in files if not is_translation(file) and any(mark in file.read_text("utf-8") for mark in MARKS)]


def test_at_most_four_source_files_know_of_the_house_rule() -> None:
    found = mentioning()
    assert all(file.is_relative_to(GAME) for file in found)
    code = sorted(file.name for file in found if file.suffix == ".py")
    assert code == ["options.py", "rules.py"]
    assert len(found) == 4, found


def test_the_page_shows_the_real_lines() -> None:
    section = PAGE.read_text("utf-8").partition("## Adding a house rule\n")[2].partition("\n## ")[0]
    shown = [line.strip() for line in section.splitlines() if line.startswith("        ")]
    real = {line.strip() for file in mentioning() for line in file.read_text("utf-8").splitlines()}
    assert len(shown) == 7
    assert [line for line in shown if line not in real] == []


def test_a_house_rule_is_in_the_law_by_itself() -> None:
    spec = registry.spec("barricade")
    for value in (False, True):
        options = house.build(spec, "", {"firstRowSafe": value})
        assert Game(spec, options).law.first_row_safe == value == house.numbers(options)["first_row_safe"]
