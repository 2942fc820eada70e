"""How often each clause decided something in fuzzed play: counted in plain mode, by the lines of the rules that name it.

A line whose comment names a clause counts when it runs; on a condition, when it holds. A function whose docstring names a
clause counts when it is called, and an event of tests/proof/rare.py that shows the clause when it happens. Besides: action
ids refused by the clause, games that it ended, and matches in which a house rule of the clause was drawn.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
CLAUSE = re.compile(r"\b(?:BB|FB|FL|BA|BBQ|FBQ|FLQ|BAQ|ALLQ)-[A-Za-z0-9]+(?:\.[A-Za-z0-9]+)*")
TELLERS = ("words.py", "text.py", "scene.py", "options.py", "__init__.py", "drawing.py")  # they tell of rules, they decide none
EVERY = 25  # plies between two positions whose refusals are counted


def marks(file: Path) -> dict[int, set[str]]:
    """Line that runs -> clauses that it fires. A function's call is told by its own first line."""
    text = file.read_text("utf-8")
    noted = {number: set(CLAUSE.findall(line.partition("#")[2])) for number, line in enumerate(text.splitlines(), start=1)}
    found: dict[int, set[str]] = defaultdict(set)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            told = CLAUSE.findall(ast.get_docstring(node) or "")
            found[-node.lineno] |= set(told)
        elif isinstance(node, (ast.If, ast.While, ast.For)):
            head = range(node.lineno, node.body[0].lineno)
            for line in head:
                found[node.body[0].lineno] |= noted.pop(line, set())
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.If, ast.While, ast.For, ast.FunctionDef)):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found[node.lineno] |= noted.pop(line, set())
    return {line: clauses for line, clauses in found.items() if clauses}


class Counting:
    """Counts the marked lines of a game's rules while play goes on."""

    def __init__(self, folder: Path) -> None:
        self.marks = {str(file): marks(file) for file in folder.glob("*.py") if file.name not in TELLERS}
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


def fired(name: str, plies: int) -> dict[str, Any]:
    """Counts of one game: plies, matches, and for each clause how often it decided, refused, ended, was drawn."""
    import random

    from make_refusals import reasons
    from rare import SHOWS, TELLERS
    from test_rare import RUNS

    from bridgehead.core import options as house
    from bridgehead.core import registry
    from variants import make, mixture_with, values

    spec = registry.spec(name)
    told: dict[str, Counter[str]] = {kind: Counter() for kind in ("refused", "ended", "matches")}
    of_rule = defaultdict(set)
    for clause in registry.game(name).rulebook.clauses:
        for rule in clause.options:
            of_rule[rule].add(clause.id)
    for info in house.describe(spec):
        of_rule[info.name].add(info.clause)
    rng, counting, played, matches = random.Random(f"firing {name}"), Counting(spec.folder), 0, 0
    turns, seen = values(name), Counter[str]()
    while played < plies:
        kinds = ({}, mixture_with(name, rng, 0.2, *turns[matches % len(turns)]), rng.choice(RUNS[name])[0])
        options: dict[str, Any] = kinds[matches % 3]
        position = make(name, options).start()
        matches, facts = matches + 1, position.facts()
        told["matches"].update({clause for rule in options for clause in of_rule[rule]})
        for ply in range(rng.choice((150, 150, 150, 3_000))):
            if position.is_over:
                break
            if ply % EVERY == 0:
                told["refused"].update({reason.split()[0]: number for reason, number in reasons(position).items()})
            weights = position.weights if position.is_chance else None
            action = rng.choices(position.legal, weights)[0]
            names, before, earlier = [position.name(each) for each in position.legal], facts, position
            sys.settrace(counting.calls)
            position = position.play(action)
            _ = position.legal, position.actor
            sys.settrace(None)
            played, facts = played + 1, position.facts()
            text = earlier.name(action)
            for event in TELLERS[name](before, text, facts, names) if not text.startswith("first") else ():
                seen.update(SHOWS[name].get(event, "").split())
        if position.outcome:
            told["ended"][position.outcome.clause] += 1
    lines = counting.clauses()
    told["decided"] = Counter({clause: max(lines[clause], seen[clause]) for clause in lines | seen})
    ids = [clause.id for clause in registry.game(name).rulebook.clauses]
    rows = {clause: {kind: told[kind][clause] for kind in told if told[kind][clause]} for clause in ids}
    return {"plies": played, "matches": matches, "clauses": rows}
