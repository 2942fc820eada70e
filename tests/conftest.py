"""Fixtures of all tests: rules run uncompiled unless a test starts a process of its own."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
# A shell that runs this in the background has Ctrl-C ignored, and so would all that is started here.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, str(Path(__file__).parent))


# No example is too slow because the machine is; and the run that everything has to pass makes the same examples every time.
settings.register_profile("searching", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeating", settings.get_profile("searching"), derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("repeating" if config.getoption("markexpr") == "not slow" else "searching")


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> Callable[[str, int, str], None]:
    """Tells the report of a run the game, a number, and what it is a number of; `tools/proof.py` adds them up."""

    def tell(game: str, number: int, what: str) -> None:
        record_property("game", game)
        record_property("number", number)
        record_property("what", what)

    return tell
