"""No clause without a test, no test of a clause that does not exist."""

from collections.abc import Callable

import pytest

from bridgehead.core import registry
from clause_matrix import matrix, scenarios, shown

GAMES = sorted(registry.specs())
Counted = Callable[[str, int, str], None]


@pytest.mark.parametrize("name", GAMES)
def test_every_clause_of_the_rulebook_is_shown_by_a_test(name: str, counted: Counted) -> None:
    counted(name, len(matrix()[name]), "clauses")
    assert [clause for clause, tests in matrix()[name].items() if not tests] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_ruling_has_two_tests_the_reading_taken_and_the_reading_refused(name: str) -> None:
    book = registry.game(name).rulebook
    thin = [clause for clause, tests in matrix()[name].items() if book[clause].status != "stated" and len(tests) < 2]
    assert thin == []


@pytest.mark.parametrize("name", GAMES)
def test_every_scenario_of_the_rules_is_played_by_a_test(name: str) -> None:
    played = shown("scenario")
    assert [scenario for scenario in scenarios(name) if scenario not in played] == []


def test_tests_name_only_clauses_that_exist() -> None:
    known = {clause.id for name in GAMES for clause in registry.game(name).rulebook.clauses}
    assert sorted(set(shown()) - known) == []
    assert sorted(set(shown("scenario")) - {scenario for name in GAMES for scenario in scenarios(name)}) == []
