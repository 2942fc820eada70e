"""The functions of a game's rules: those marked `@rule` in rules.py and in the modules that it imports."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

GAMES = Path(__file__).parents[1] / "src" / "bridgehead" / "games"


def files(game: str) -> list[str]:
    """The files with a game's rules, `rules.py` first. The evaluation is not a rule, and rules do not import it."""
    found = ["rules.py"]
    for name in found:
        found += [other for other in imported(GAMES / game / name) if other not in found]
    return sorted((name for name in found if any(functions(GAMES / game / name))), key=lambda name: (name != "rules.py", name))


def imported(file: Path) -> list[str]:
    """The modules of the same game that a file imports, as file names."""
    package = f"bridgehead.games.{file.parent.name}"
    modules: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{name.name}" for name in node.names] if node.module == package else [node.module]
            modules |= {name.removeprefix(f"{package}.") for name in names if name.startswith(f"{package}.")}
    return sorted(f"{module}.py" for module in modules if (file.parent / f"{module}.py").exists())


def functions(file: Path) -> Iterator[tuple[str, int, str]]:
    """Name, first line and source (without decorators) of every function marked `@rule`."""
    text = file.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and any(getattr(mark, "id", "") == "rule" for mark in node.decorator_list):
            yield node.name, node.lineno, "".join(lines[node.lineno - 1 : node.end_lineno])


def digest(game: str) -> str:
    """A short hash of the source of all mutants: the rules' functions, wherever they stand in their files."""
    found = hashlib.sha256()
    for name in files(game):
        for function, _, source in functions(GAMES / game / name):
            found.update(f"{name}\0{function}\0{source}".encode())
    return found.hexdigest()[:12]
