"""Fixtures of all tests. Rules run uncompiled here; `compiled` runs them compiled in a process of its own."""

import functools
import os
import re
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from compiled import CompiledProcess
from made_up_change import misere, misere_folder  # noqa: F401 (fixtures)

GAME = re.compile(r"\[(barricade|burning_bridges|forty_bridges|front_lines)\b")
TESTS = Path(__file__).parent
COMPILED = "forty_bridges"  # the only game whose rules `make test` compiles, since that takes long
LONGEST_FIRST = ("test_bare_machine.py", "e2e", "compiled", "players", "server", "core", "proof")

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
os.environ.setdefault("BRIDGEHEAD_MODULES", "1")  # tests import modules and hold them back; test_serving.py is about bundles
# These tests are about the games of this repository, whatever else is installed beside them.
OWN = sorted(each.parent.name for each in TESTS.parent.glob("src/bridgehead/games/*/rules.py"))
os.environ["BRIDGEHEAD_GAMES"] = " ".join(OWN)
# A shell that runs this in the background has Ctrl-C ignored, and so would all that is started here.
signal.signal(signal.SIGINT, signal.default_int_handler)


# No example is too slow because the machine is; and the run that everything has to pass makes the same examples every time.
settings.register_profile("searching", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeating", settings.get_profile("searching"), derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("repeating" if "not long" in config.getoption("markexpr") else "searching")


@functools.cache
def group_of(test: str) -> str:
    """The tests that run in the same one of the parallel processes as this one, because they share what is costly.

    They are those of a file, which share its fixtures; of files that use `compiled`, those of a game, which share its process;
    and browser tests whose server has to compile a search, which would be compiled at three servers at a time.
    """
    file, _, name = test.partition("::")
    if file.endswith(("e2e/test_hints.py", "e2e/test_people.py")):
        return "e2e with searches"
    if "e2e/test_site" in file:
        return "e2e of the static site"  # which is built once a process
    if (game := GAME.search(name)) and "compiled: " in (TESTS.parent / file).read_text("utf-8"):
        return f"compiled {game[1]}"
    return file.removeprefix("tests/")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave compiled rules to `make test-all`, but for one game; and begin with the groups that take longest.

    So all processes end at about the same time.
    """
    for item in items:
        if group_of(item.nodeid).startswith("compiled ") and not group_of(item.nodeid).endswith(COMPILED):
            item.add_marker("wide")
    begin = dict(zip(LONGEST_FIRST, range(-len(LONGEST_FIRST), 0), strict=True))
    items.sort(key=lambda item: begin.get(re.split("[ /]", group_of(item.nodeid))[0], 0))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out whole groups, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    config.option.loadscopereorder = False
    return Groups(config, log)


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
