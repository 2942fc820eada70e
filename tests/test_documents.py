"""The documents do what they say: every link leads somewhere, every code block and every command runs.

Commands run with small numbers in place of large ones (`shortened`), so that a study takes seconds; names and options are
those of the page.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import bridgehead
import command_line
from bridgehead.core import registry
from programs import program

pytestmark = pytest.mark.wide
ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
# Programs that only a host has: tests/server/test_deploy.py runs what docs/do/host.md does with them.
HOST = ("docker", "pg_dump", "pg_restore", "systemctl", "cp", "export", "openssl")
PROGRAMS = "|".join(("bridgehead", "make", "python", "pip", "git", *HOST))
COUNTS = [
    (r"\b(search|deep|turn|reply|answered):\d+", r"\1:4"),
    (r"(--(?:sets|budget|test)) \d+", r"\1 4"),
    (r"(--games) \d+", r"\1 20"),
    (r"(--without [a-z]+)=\d+", r"\1=4"),
    (r"(--pieces) \d", r"\1 3"),
    (r"(book .*--games) \d+ --levels \S+", r"\1 1 --levels wanderer"),
]
MORE = {"book": ["--data", "tables"],
        "lab": ["--games", "20", "--players", "random,greedy", "--workers", "1"], "train": ["--games", "10", "--test", "0"],
        "tune": ["--games", "20", "--confirm", "20", "--players", "random", "--most", "1", "--workers", "1"]}  # fmt: skip
THINKING = ("lab", "tune", "arena", "train", "analyse", "wasm", "site", "book")  # commands that compile rules and play


def blocks(page: Path, kind: str) -> list[str]:
    """The fenced code blocks of one language on a page."""
    return re.findall(rf"```{kind}\n(.+?)```", page.read_text("utf-8"), re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every indented line that starts with a program's name, with its page; comments are cut off."""
    found = []
    for page in PAGES:
        for line in page.read_text("utf-8").splitlines():
            if match := re.match(rf" {{4,}}((?:{PROGRAMS})\b.*)$", line):
                found.append((page.relative_to(ROOT).as_posix(), re.split(r"\s+#\s", match[1])[0].strip()))
    return found


def ours(program: str) -> list[tuple[str, str]]:
    return [(page, line) for page, line in commands() if line.split()[0] == program]


def shortened(line: str) -> list[str]:
    """The words of a command with large counts made small."""
    for pattern, small in COUNTS:
        line = re.sub(pattern, small, line)
    words = shlex.split(line)
    return words + MORE.get(words[1], [])


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


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_the_code_of_a_page_runs_from_top_to_bottom(page: Path) -> None:
    if page.name == "train.md":
        pytest.skip("tests/adapters/test_researchers_examples.py runs it with the environments installed")
    names: dict[str, object] = {"bridgehead": bridgehead}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for code in blocks(page, "python"):
            exec(compile(code, page.name, "exec"), names)  # noqa: S102 - it is our own page
    assert printed.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the commands name."""
    folder = tmp_path_factory.mktemp("documents")
    game = bridgehead.game("forty_bridges")
    from bridgehead.core import record
    from bridgehead.core.match import Match

    match = Match(game)
    for _ in range(4):
        match.play(match.position.legal[0])
    (folder / "game.txt").write_text(record.dump(match), "utf-8")
    shutil.copy(ROOT / "tests" / "proof" / "records" / "forty_bridges-1.txt", folder / "finished.txt")
    games = ROOT / "src" / "bridgehead" / "games"
    shutil.copy(games / "forty_bridges" / "weights-hand.json", folder)
    shutil.copy(games / "barricade" / "weights-two.json", folder)
    shutil.copy(games / "barricade" / "boards" / "mini.json", folder / "own.json")
    (folder / "node_modules").symlink_to(ROOT / "node_modules")  # so that Pyodide is there
    return folder


def run(page: str, line: str, folder: Path) -> str:
    """What a command prints; it has to end well. Commands that play games have a process of their own."""
    words = shortened(line)[1:]
    if words[0] in THINKING:
        program, env = [sys.executable, "-m", "bridgehead"], {**os.environ, "COLUMNS": "200", "TERM": "dumb"}
        env["NUMBA_DISABLE_JIT"] = "0" if words[0] in ("wasm", "site") else env["NUMBA_DISABLE_JIT"]
        ran: Any = subprocess.run(
            [*program, *words], cwd=folder, env=env, input="quit\n", capture_output=True, text=True, check=False
        )
    else:
        with contextlib.chdir(folder):
            ran = command_line.run(*words, typed="quit\n", COLUMNS="200", TERM="dumb")
    assert ran.returncode == 0, f"{page}: {line}\n{ran.stdout[-800:]}\n{ran.stderr[-800:]}"
    return str(ran.stdout)


def needs_more(line: str) -> bool:
    """Does the command need a server, a cluster, or something that the page leaves open?"""
    words = shlex.split(line)
    return words[1] == "serve" or "--cluster" in words or any(word.isupper() and len(word) > 2 for word in words)


@pytest.mark.parametrize(("page", "line"), [each for each in ours("bridgehead") if each[1].split()[1] not in THINKING])
def test_a_command_runs(page: str, line: str, folder: Path) -> None:
    if needs_more(line):  # tests/server/test_deploy.py runs these; here, their options have to exist
        shown = run(page, f"bridgehead {line.split()[1]} --help", folder)
        assert set(re.findall(r"--[a-z-]+", line)) <= set(re.findall(r"--[a-z-]+", shown)), page
    else:
        run(page, line, folder)


@pytest.mark.long
@pytest.mark.parametrize(("page", "line"), [each for each in ours("bridgehead") if each[1].split()[1] in THINKING])
def test_a_command_that_plays_games_runs(page: str, line: str, folder: Path) -> None:
    if needs_more(line):  # tests/lab/test_cluster.py runs them on a cluster
        shown = run(page, f"bridgehead {line.split()[1]} --help", folder)
        assert set(re.findall(r"--[a-z-]+", line)) <= set(re.findall(r"--[a-z-]+", shown)), page
    else:
        run(page, line, folder)


@pytest.mark.parametrize(("page", "line"), [(page, line) for page, line in commands() if not line.startswith("bridgehead")])
def test_every_other_command_names_what_is_there(page: str, line: str) -> None:
    words = shlex.split(line)
    if words[0] == "make":
        assert {word for word in words[1:] if word.islower() and "=" not in word} <= TARGETS, page
    elif words[0] == "python":
        assert (ROOT / words[1]).exists() or words[1] == "-m", page
    elif words[0] == "pip":
        for extras in re.findall(r"bridgehead\[([\w,]+)\]", line):
            assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"]), page
        for file in re.findall(r"[\w/]+\.lock|[\w/]+\.txt", line):
            assert (ROOT / file).exists(), page
    else:
        assert words[0] in HOST and page in ("docs/do/host.md", "CONTRIBUTING.md"), page


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
