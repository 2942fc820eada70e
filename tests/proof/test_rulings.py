"""The page of rulings is made from the rulebooks, and holds all of them."""

import subprocess
import sys
from pathlib import Path

import pytest
from pair import GAMES

from bridgehead.core import registry

ROOT = Path(__file__).parents[2]


def test_the_page_of_rulings_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "rulings.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_rulings_tells_every_clause_with_its_house_rules_and_tests(name: str) -> None:
    lines = (ROOT / "docs" / "lookup" / "rulings.md").read_text("utf-8").splitlines()
    for clause in registry.game(name).rulebook.clauses:
        own = [line for line in lines if line.startswith(f"| {clause.id} |")]
        assert own, clause.id
        assert any(all(f"`{option}`" in line for option in clause.options) and "`test_" in line for line in own), clause.id
