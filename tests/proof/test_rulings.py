"""The page of rulings is made from the rulebooks, and holds all of them."""

import sys
from types import SimpleNamespace
from unittest import mock

import pytest
from pair import GAMES

from bridgehead.core import registry
from bridgehead.core.clauses import Clause, Rulebook
from programs import program


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_rulings_tells_every_clause_with_its_house_rules_and_tests(name: str) -> None:
    lines = [*program("rulings").rows(name)]
    for clause in registry.game(name).rulebook.clauses:
        own = [line for line in lines if line.startswith(f"| {clause.id} |")]
        assert own, clause.id
        assert any(all(f"`{option}`" in line for option in clause.options) and "`test_" in line for line in own), clause.id


def test_a_clause_that_is_newer_than_the_counts_is_written_as_not_counted() -> None:
    rulings = program("rulings")
    assert rulings.times(None).startswith("not counted yet")
    assert rulings.times({"decided": 1200, "ended": 0}) == "decided 1,200" and rulings.times({}) == "-"
    book = registry.game("barricade").rulebook
    newer = Rulebook((*book.clauses, Clause("BA-9.z", "A new clause.")))
    counts = {"barricade": {"plies": 1, "matches": 1, "clauses": {clause.id: {} for clause in book}}}
    tests = {clause.id: [] for clause in newer}
    game = SimpleNamespace(spec=registry.spec("barricade"), rulebook=newer)
    with (
        mock.patch.object(registry, "game", return_value=game), mock.patch.object(rulings, "load", return_value=counts),
        mock.patch.dict(sys.modules, {"clause_matrix": SimpleNamespace(matrix=lambda: {"barricade": tests})}),
    ):  # fmt: skip
        assert [row for row in rulings.rows("barricade") if row.startswith("| BA-9.z | A new clause. |  | not counted yet")]
