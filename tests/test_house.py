"""The floors of the house: imports only go down, and games do not know one another."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "bridgehead"
FLOORS = {
    "core": 1,
    "games": 2,
    "players": 3,
    "batch": 3,
    "lab": 4,
    "adapters": 4,
    "fairness": 4,
    "printing": 4,
    "client": 5,
    "server": 5,
    "terminal": 5,
    "web": 5,
    "cli": 5,
    "__main__": 5,
}


def imports(file: Path) -> set[str]:
    """Every bridgehead module that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("bridgehead.")}


def room(name: str) -> str:
    return name.split(".")[1]


def test_no_floor_imports_one_above_it() -> None:
    for file in ROOT.rglob("*.py"):
        parts = file.relative_to(ROOT).with_suffix("").parts
        if parts == ("__init__",):
            continue
        assert parts[0] in FLOORS, f"{file} stands on no floor"
        above = {name for name in imports(file) if room(name) in FLOORS and FLOORS[room(name)] > FLOORS[parts[0]]}
        assert above == set(), file


def test_games_do_not_import_one_another() -> None:
    for file in (ROOT / "games").rglob("*.py"):
        own = file.relative_to(ROOT / "games").parts[0]
        others = {name for name in imports(file) if room(name) == "games" and name.split(".")[2:3] not in ([], [own])}
        assert others == set(), file


def test_core_names_no_game() -> None:
    games = [folder.name for folder in (ROOT / "games").iterdir() if (folder / "__init__.py").exists()]
    for file in (ROOT / "core").rglob("*.py"):
        code = ast.unparse(ast.parse(file.read_text("utf-8")))
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("bridgehead.games"), file
        assert all(f"bridgehead.games.{name}" not in code for name in games), file


def test_rules_use_no_randomness_and_no_clock() -> None:
    for file in (ROOT / "games").rglob("*.py"):
        if file.stem in ("scene", "drawing"):  # pictures have a seeded grain
            continue
        text = file.read_text("utf-8")
        for banned in ("import random", "import time", "import secrets", "np.random", "from random", "from time", "datetime"):
            assert banned not in text, (file, banned)


def test_files_stay_under_four_hundred_lines_and_functions_under_forty() -> None:
    for file in sorted(ROOT.rglob("*.py")):
        text = file.read_text("utf-8")
        assert text.count("\n") <= 400, file
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno is not None:
                assert node.end_lineno - node.lineno < 45, (file, node.name)
    for file in [*ROOT.rglob("*.js"), *ROOT.rglob("*.css")]:
        assert file.read_text("utf-8").count("\n") <= 400, file


def test_files_of_tools_and_measurements_stay_under_four_hundred_lines_and_tests_under_five() -> None:
    for room, most in (("tests", 500), ("tools", 400), ("bench", 400), ("examples", 400)):
        files = [*(ROOT.parents[1] / room).rglob("*.py")]
        assert files
        for file in files:
            assert file.read_text("utf-8").count("\n") <= most, file


LOADS = re.compile(r'(?:src|href)="/static/([^"]+\.(?:js|css))"|^(?:import|export)[^"]*"\./([^"]+)"', re.M)
LATER = re.compile(r'\bimport\("\./([^"]+)"\)')


def loaded(file: Path, pattern: re.Pattern[str] = LOADS) -> set[Path]:
    """The scripts and styles that a page or a script names."""
    return {ROOT / "web/static" / "".join(names) for names in pattern.findall(file.read_text("utf-8"))}


def with_all_it_loads(files: set[Path]) -> set[Path]:
    """Files with everything that comes with them at once."""
    found, new = set(), files
    while new:
        found |= new
        new = {each for file in new for each in loaded(file)} - found
    return found


def test_what_a_page_loads_at_once_is_small() -> None:
    base = ROOT / "web/templates/base.html"
    for page in (ROOT / "web/templates").glob("*.html"):
        at_once = with_all_it_loads({base, page}) - {base, page}
        assert at_once and sum(file.stat().st_size for file in at_once) <= 90_000, page
    for script in (ROOT / "web/static").glob("*.js"):
        for part in loaded(script, LATER):
            assert sum(file.stat().st_size for file in with_all_it_loads({part})) <= 90_000, part
