"""Which tests show which clauses: `python tests/clause_matrix.py` prints the matrix, tests/test_clauses.py gates it."""

import ast
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

from bridgehead.core import registry

TESTS = Path(__file__).parent


SCENARIOS = {  # sections of the rules with scenarios, and how many each has
    "burning_bridges": ("1.5", 8),
    "forty_bridges": ("2.4", 7),
    "front_lines": ("3.5", 7),
    "barricade": ("4.5", 6),
}


@cache
def scenarios(game: str) -> list[str]:
    """Numbers of all scenarios that the rules tell of a game."""
    section, number = SCENARIOS[game]
    return [f"{section}.{i}" for i in range(1, number + 1)]


@cache
def shown(kind: str = "clause") -> dict[str, list[str]]:
    """Clause id -> the tests that carry it in `@pytest.mark.clause(...)`; or the same of `scenario`."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    for clause in _ids(mark, kind):
                        found[clause].append(f"{file.stem}::{node.name}")
    return found


def _ids(mark: ast.expr, kind: str) -> list[str]:
    if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == kind:
        return [str(arg.value) for arg in mark.args if isinstance(arg, ast.Constant)]
    return []


def matrix() -> dict[str, dict[str, list[str]]]:
    """Game -> clause id -> tests, for every clause of every rulebook."""
    tests = shown()
    return {
        name: {clause.id: tests.get(clause.id, []) for clause in registry.game(name).rulebook.clauses}
        for name in registry.specs()
    }


def main() -> None:
    for name, rows in matrix().items():
        book = registry.game(name).rulebook
        covered = sum(bool(tests) for tests in rows.values())
        print(f"\n{name}: {covered} of {len(rows)} clauses shown by tests")
        for clause, tests in rows.items():
            print(f"  {clause:14} {book[clause].status:7} {len(tests):3}  {', '.join(tests[:4]) or '-'}")


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    main()
