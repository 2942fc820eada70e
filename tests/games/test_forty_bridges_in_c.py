"""40 Bridges against a program in C, written from the rules alone: the same seeds make the same games."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from bridgehead.core.jit import COMPILED

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import c_forty_bridges

CPU = Path("/proc/cpuinfo")
CAN_COMPILE = shutil.which("cc") is not None and CPU.exists() and " bmi2" in CPU.read_text()


@pytest.mark.skipif(not (COMPILED and CAN_COMPILE), reason="needs compiled rules, a C compiler and a processor with BMI2")
def test_two_thousand_random_games_end_as_in_c_and_end_in_every_way(tmp_path: Path) -> None:
    library = c_forty_bridges.in_c(tmp_path)
    assert c_forty_bridges.first_difference(library, 2000) is None
    seeds = np.arange(1, 2001, dtype=np.uint64)
    assert {int(reason) for reason in c_forty_bridges.results_in_c(library, seeds)["reason"]} >= {1, 2, 3, 4}
