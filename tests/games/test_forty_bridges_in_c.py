"""40 Bridges against a program in C, written from the rules alone: the same seeds make the same games."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "bench" / "c_forty_bridges.py"
CPU = Path("/proc/cpuinfo")
CAN_COMPILE = shutil.which("cc") is not None and CPU.exists() and " bmi2" in CPU.read_text()


@pytest.mark.long
@pytest.mark.skipif(not CAN_COMPILE, reason="needs a C compiler and a processor with BMI2")
def test_random_games_end_as_in_c() -> None:
    command = [sys.executable, str(PROGRAM), "--check", "3000", "--rounds", "1", "--games", "10"]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    found = re.search(r"3000 games end alike: corner (\d+), captured (\d+), repetition (\d+), quiet (\d+)", done.stdout)
    assert found is not None, done.stdout
    assert all(int(number) > 0 for number in found.groups())
