"""docs/understand/trust.md: every row is shown by tests that exist, or says why it does not apply."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "understand" / "trust.md").read_text("utf-8")
ROW = re.compile(r"^\| ([TF]\d+) \| ([^|]+) \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`( \(long\))?")


def is_there(file: str, name: str) -> ast.FunctionDef | None:
    """The test function of that name."""
    path = TESTS / file
    found = ast.walk(ast.parse(path.read_text("utf-8"))) if path.exists() else ()
    return next((node for node in found if isinstance(node, ast.FunctionDef) and node.name == name), None)


def test_every_threat_and_fault_has_a_row() -> None:
    rows = [name for name, _, _ in ROW.findall(PAGE)]
    assert rows == [f"T{n}" for n in range(1, 37)] + [f"F{n}" for n in range(1, 26)]


def test_every_test_that_is_named_exists_and_is_long_where_it_says_so() -> None:
    named = NAMED.findall(PAGE)
    assert len(named) > 60
    for file, name, long in named:
        test = is_there(file, name)
        assert test is not None, f"{file}::{name}"
        assert bool(long) == any("mark.long" in ast.unparse(each) for each in test.decorator_list), (name, long)


def test_every_row_names_a_test_or_says_why_not() -> None:
    for name, _, shown in ROW.findall(PAGE):
        said = NAMED.sub("", shown).strip(" ·")
        assert NAMED.search(shown) or len(said.split()) >= 4 or re.match(r"See [TF]\d+\.", said), name
