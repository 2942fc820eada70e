"""The documents do what they say: every link leads somewhere, and every command names what is there.

tests/test_bare_machine.py runs their code and their commands.
"""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import command_line
from bridgehead.core import registry
from programs import program

pytestmark = pytest.mark.wide
ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
bare_machine = program("bare_machine")
PAGES = bare_machine.PAGES
COMMANDS = [
    (each.page, each.text.rpartition(" && ")[2])
    for each in bare_machine.collect_promises()
    if re.match(bare_machine.PROGRAMS, each.text) and "\n" not in each.text
]
OPTION = re.compile(r"--[a-z-]+")


def test_every_link_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"


def test_every_heading_that_a_link_names_is_there() -> None:
    for page in PAGES:
        for target, heading in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text("utf-8")):
            if "://" in target:
                continue
            there = (page.parent / target if target else page).read_text("utf-8")
            titles = re.findall(r"^#+ (.+)$", there, re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
            assert heading in slugs, f"{page.relative_to(ROOT)}: {target}#{heading}"


def test_where_to_change_what_names_files_that_are_there() -> None:
    text = (ROOT / "docs" / "understand" / "where.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| I want")]
    paths = [word.split()[0] for word in re.findall(r"`([^`]+)`", "".join(rows))]
    paths = [word for word in paths if re.search(r"/|\.(py|toml|md|txt|svg)$", word)]
    assert len(rows) == 20 and len(set(paths)) > 40
    games = [file.parent.name for file in (ROOT / "src" / "bridgehead" / "games").glob("*/rules.py")]
    there = (ROOT, ROOT / "src" / "bridgehead")
    assert [
        path for path in paths if not any((folder / path.replace("NAME", game)).exists() for folder in there for game in games)
    ] == []


def test_every_page_is_one_click_from_the_readme() -> None:
    named = set(re.findall(r"\]\(([^)#]+)[^)]*\)", (ROOT / "README.md").read_text("utf-8")))
    parts = ("learn", "do", "lookup", "understand", "notebook")
    pages = {page.relative_to(ROOT).as_posix() for part in parts for page in (ROOT / "docs" / part).rglob("*.md")}
    assert pages <= named, f"README.md does not name {', '.join(sorted(pages - named))}"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/index.md", "docs/reports/README.md"])
def test_the_first_pages_can_be_read_aloud(name: str) -> None:
    text = re.sub(r"^```.*?^```$", "", (ROOT / name).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in text.splitlines() if not line.startswith(("    ", "!", "#"))]
    read = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "code", "\n".join(lines)))
    assert not re.search(r"\([^()]*\(", read), "brackets in brackets"
    for sentence in re.split(r"(?<=[.:;!?])\s|\n\s*[-|]|\n\n| \| ", read):
        assert len(re.findall(r"\b\d[\d.,]*", sentence.replace("40 Bridges", ""))) <= 3, sentence
        assert len(sentence.split()) <= 40 or " · " in sentence, sentence


@pytest.mark.parametrize(("page", "line"), [each for each in COMMANDS if each[1].startswith("bridgehead ")])
def test_a_command_and_its_options_are_there(page: str, line: str) -> None:
    shown = command_line.run(line.split()[1], "--help", COLUMNS="200")
    assert shown.returncode == 0, page
    assert set(OPTION.findall(line)) <= set(OPTION.findall(shown.stdout)), page


@pytest.mark.parametrize(("page", "line"), [each for each in COMMANDS if not each[1].startswith("bridgehead ")])
def test_every_other_command_names_what_is_there(page: str, line: str) -> None:
    words = shlex.split(line)
    if words[0] == "make":
        assert {word for word in words[1:] if word.islower() and "=" not in word} <= TARGETS, page
    elif words[0] == "python":
        assert words[1] == "-m" or (ROOT / words[1]).exists(), page
    elif words[0] == "pip":
        for extras in re.findall(r"bridgehead\[([\w,]+)\]", line):
            assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"]), page
        for file in re.findall(r"[\w/]+\.lock|[\w/]+\.txt", line):
            assert (ROOT / file).exists(), page
    elif words[0] == "eval":
        assert command_line.run(*shlex.split(words[1].strip("$()"))[1:]).returncode == 0, page
    else:
        assert words[0] in bare_machine.HOST and page in ("docs/do/host.md", "CONTRIBUTING.md"), page


def test_the_page_of_puzzles_is_what_the_tool_makes_and_has_three_pictures_a_game() -> None:
    tool = program("puzzle_page")
    text = tool.PAGE.read_text("utf-8")
    assert text == tool.page(), "python tools/puzzle_page.py"
    for spec in registry.specs().values():
        assert len({each.position for each in tool.chosen(spec)}) == 3
        for number in (1, 2, 3):
            name = f"{spec.id}-{number}.webp"
            assert f"(../pictures/puzzles/{name})" in text and (tool.PICTURES / name).read_bytes()[8:12] == b"WEBP"


def test_the_generated_parts_of_the_game_pages_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "game_pages.py"), "--check"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
