"""Fixtures of all tests. Rules run uncompiled here; `compiled` runs them compiled in a process of its own."""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from compiled import CompiledProcess

GAMES = ("barricade", "burning_bridges", "forty_bridges", "front_lines", "connect_four")
TESTS = Path(__file__).parent
LONGEST_FIRST = ("e2e", "compiled", "players", "server", "core", "proof")  # the parts that take and wait longest begin

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
# A shell that runs this in the background has Ctrl-C ignored, and so would all that is started here.
signal.signal(signal.SIGINT, signal.default_int_handler)


# No example is too slow because the machine is; and the run that everything has to pass makes the same examples every time.
settings.register_profile("searching", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeating", settings.get_profile("searching"), derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("repeating" if config.getoption("markexpr") == "not slow" else "searching")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests into groups; each group runs in one of the parallel processes (`--dist loadgroup`).

    A group shares what is costly: a file its fixtures, all tests of a game's compiled rules their process.
    """
    parts = {part: number for number, part in enumerate(LONGEST_FIRST)}

    def group(item: Any) -> str:
        if "compiled" in getattr(item, "fixturenames", ()):
            return "compiled/" + next(each for each in item.callspec.params.values() if each in GAMES)
        return str(item.path.relative_to(TESTS).with_suffix("").as_posix())

    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(group(item)))
    items.sort(key=lambda item: parts.get(item.get_closest_marker("xdist_group").args[0].split("/")[0], len(parts)))


@pytest.fixture(scope="session")
def compiled() -> Iterator[Callable[[str], CompiledProcess]]:
    """The process with compiled rules of a game: `compiled("barricade")("explained", "look", ...)` calls a function there."""
    processes: defaultdict[str, CompiledProcess] = defaultdict(CompiledProcess)
    yield processes.__getitem__
    for process in processes.values():
        process.stop()


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> Callable[[str, int, str], None]:
    """Tells the report of a run the game, a number, and what it is a number of; `tools/proof.py` adds them up."""

    def tell(game: str, number: int, what: str) -> None:
        record_property("game", game)
        record_property("number", number)
        record_property("what", what)

    return tell
