"""Cheating servers by generation: every change of a message ends in an alarm, in "open", in a stop, or in nothing changed."""

import pytest

from fairness.cheating_generator import table_of


@pytest.mark.parametrize("seed", [1, 2])
def test_no_change_of_a_message_goes_unseen(seed: int) -> None:
    made, missed = table_of(60, seed)
    assert missed == [] and sum(made.values()) == 60
    assert made[1, "alarm"] and made[2, "alarm"] and made[2, "harmless"], made


@pytest.mark.wide
@pytest.mark.parametrize("seed", range(10, 16))
def test_no_change_of_many_goes_unseen(seed: int) -> None:
    made, missed = table_of(250, seed)
    print(sorted(made.items()))
    assert missed == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_no_change_of_thousands_goes_unseen(seed: int) -> None:
    made, missed = table_of(500, seed)
    print(sorted(made.items()))
    assert missed == []
