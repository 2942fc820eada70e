"""Planted faults of `bench/planted_faults.py` from end to end: found by a light, named by a cause, mended by the search."""

import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))

from bridgehead.core import registry
from bridgehead.workshop.lab.because import better_homes
from bridgehead.workshop.lab.bench import Truth
from bridgehead.workshop.lab.words import tell
from planted_faults import FAULTS, near_board, row

pytestmark = pytest.mark.wide

FOUND, NAMED, MENDED, CHANGE = 2, 4, 6, 7  # cells of a row


def find_fault(kind: str) -> Truth:
    (fault,) = (each for each in FAULTS if each.kind == kind)
    return fault


@pytest.mark.parametrize(
    ("kind", "change"), [("chance: a biased coin", "edge: 85 → 50"), ("skill: all is luck", "kind: coin → skill")]
)
def test_a_planted_fault_is_found_named_and_mended(kind: str, change: str) -> None:
    cells = row(find_fault(kind))
    assert [cells[FOUND], cells[NAMED], cells[MENDED]] == ["yes"] * 3, cells
    assert change in cells[CHANGE]


def test_rules_without_the_fault_show_none() -> None:
    fair = find_fault("chance: a biased coin")
    cells = row(msgspec.structs.replace(fair, rules=fair.rules | {"edge": 50}))
    assert [cells[FOUND], cells[NAMED]] == ["no", "no"], cells


def test_a_single_step_is_a_step() -> None:
    game = registry.game("burning_bridges", seats=4, board=near_board())
    steps, _ = better_homes(game, np.array([9, 3, 3, 1]))
    assert tell(steps) == "Black has 1 step to go at the start, Orange has 4"
