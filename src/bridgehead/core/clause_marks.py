"""Finds the clauses of the rulebook that apply an action: it traces the marked lines of a game's rules.

A line of the rules whose comment names a clause counts when it runs; on a condition, when the condition holds. A function whose
docstring names a clause counts when it is called. Compiled rules have no lines to trace.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

CLAUSE = re.compile(r"\b(?:BB|FB|FL|BA|BBQ|FBQ|FLQ|BAQ|ALLQ)-[A-Za-z0-9]+(?:\.[A-Za-z0-9]+)*")
# Files that describe rules and do not apply them.
DESCRIPTIONS = ("words.py", "text.py", "scene.py", "options.py", "__init__.py")
FILE = "clause_marks.json"  # in the folder of a game whose sources have no comments: the marks of its modules


def marks(file: Path) -> dict[int, set[str]]:
    """Executed line -> clauses that it fires. A call counts at the function's first line."""
    text = file.read_text("utf-8")
    noted = {number: set(CLAUSE.findall(line.partition("#")[2])) for number, line in enumerate(text.splitlines(), start=1)}
    found: dict[int, set[str]] = defaultdict(set)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            named = CLAUSE.findall(ast.get_docstring(node) or "")
            found[-node.lineno] |= set(named)
        elif isinstance(node, (ast.If, ast.While, ast.For)):
            head = range(node.lineno, node.body[0].lineno)
            for line in head:
                found[node.body[0].lineno] |= noted.pop(line, set())
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.If, ast.While, ast.For, ast.FunctionDef)):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found[node.lineno] |= noted.pop(line, set())
    return {line: clauses for line, clauses in found.items() if clauses}


def of_folder(folder: Path) -> dict[str, dict[int, set[str]]]:
    """The marks of each module that has any, by file name."""
    if (stored := folder / FILE).exists():
        return msgspec.json.decode(stored.read_bytes(), type=dict[str, dict[int, set[str]]])
    found = {file.name: marks(file) for file in sorted(folder.glob("*.py")) if file.name not in DESCRIPTIONS}
    return {name: each for name, each in found.items() if each}


class Counting:
    """Counts the marked lines of a game's rules during play."""

    def __init__(self, folder: Path) -> None:
        self.marks = {str(folder / name): found for name, found in of_folder(folder).items()}
        self.runs: Counter[tuple[str, int]] = Counter()

    def calls(self, frame: FrameType, event: str, arg: Any) -> Any:
        marked = self.marks.get(frame.f_code.co_filename)
        if marked is None:
            return None
        line = -frame.f_code.co_firstlineno
        for number in (line, line - 1):  # the first line is the decorator's, if there is one
            if number in marked:
                self.runs[frame.f_code.co_filename, number] += 1
        return self.lines

    def lines(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line" and frame.f_lineno in self.marks[frame.f_code.co_filename]:
            self.runs[frame.f_code.co_filename, frame.f_lineno] += 1
        return self.lines

    def clauses(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for (file, line), number in self.runs.items():
            for clause in self.marks[file][line]:
                found[clause] += number
        return found
