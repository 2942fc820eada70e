"""Run mutants against tests that were collected once: each in a fork, with the mutated function in place.

In plain mode a function of the rules is ordinary Python, so replacing its code changes it for every importer. A first
pass measures the cost of each test and the lines of the rules it runs. A mutant then meets only the tests that run its
lines, the cheap ones first.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol
from mutant_making import Mutant
from rule_functions import GAMES

KILLED, SURVIVED, HUNG, UNSEEN = "killed", "survived", "hung", "unseen"
MEMORY = 6 << 30
PATIENCE = 6.0  # a test hangs if it exceeds this multiple of its usual time plus a few seconds
# Tests that run compiled, and those that find only what cheaper ones find.
DULL = ("compiled", "test_bad_input", "test_stateful", "test_draws", "forty_times", "test_mutants", "test_rulings")
DEAREST = 15.0  # seconds (traced); more expensive tests are left out


class Cost(NamedTuple):
    """The cost of a test (CPU seconds while its lines were traced) and the (file, line) pairs of the rules that it runs."""

    seconds: float
    lines: frozenset[tuple[str, int]]


class Verdict(NamedTuple):
    """The fate of a mutant, the test that killed it, and the time."""

    fate: str
    by: str
    seconds: float


class Court:
    """A pytest plugin: instead of running the tests, it runs `judge(court)` with the tests of the game."""

    def __init__(self, game: str, files: list[str], judge: Callable[[Court], None]) -> None:
        self.game, self.judge = game, judge
        self.folder = GAMES / game
        self.files = {str(self.folder / name): name for name in files}
        self.items: list[pytest.Item] = []
        self.costs: dict[str, Cost] = {}
        self.kills: dict[str, int] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = [item for item in session.items if self.concerns(item)]
        self.judge(self)
        return True

    def concerns(self, item: pytest.Item) -> bool:
        """Does a test concern this game: by its file, by its parameter, or by naming no other game?"""
        others = [name for name in ("barricade", "burning_bridges", "forty_bridges", "front_lines") if name != self.game]
        called = item.nodeid.replace("test_burning_bridges_is", "burning_bridges").lower()
        if item.get_closest_marker("long") is not None or any(part in called for part in DULL):
            return False
        return not any(other in called for other in others)

    # -- the first pass ------------------------------------------------------------------------------------------------

    def measure(self, known: dict[str, Any]) -> dict[str, Any]:
        """The cost of every test; tests that fail, hang or cost too much are left out. The result can be stored on disk."""
        costs = dict(known)
        for item in self.items:
            if item.nodeid not in costs:
                status, text = in_fork(lambda item=item: self._traced(item), 120.0)  # type: ignore[misc]
                costs[item.nodeid] = json.loads(text) if status == 0 and text else None
        self.costs = {
            name: Cost(row["seconds"], frozenset((file, line) for file, lines in row["lines"].items() for line in lines))
            for name, row in costs.items()
            if row and row["seconds"] < DEAREST and any(row["lines"].values())
        }
        return costs

    def _traced(self, item: pytest.Item) -> tuple[int, str]:
        found: dict[str, set[int]] = {name: set() for name in self.files.values()}

        def lines(frame: FrameType, event: str, arg: Any) -> Any:
            found[self.files[frame.f_code.co_filename]].add(frame.f_lineno)
            return lines

        def calls(frame: FrameType, event: str, arg: Any) -> Any:
            return lines if frame.f_code.co_filename in self.files else None

        began = time.process_time()
        sys.settrace(calls)
        failed = not passes(item)
        sys.settrace(None)
        row = {"seconds": time.process_time() - began, "lines": {name: sorted(found[name]) for name in found}}
        return int(failed), json.dumps(row)

    # -- a mutant ------------------------------------------------------------------------------------------------------

    def witnesses(self, mutant: Mutant) -> list[pytest.Item]:
        """The tests that run the mutant's function at or around its line, cheap ones and good killers first."""
        tests = [item for item in self.items if item.nodeid in self.costs]
        seeing = [item for item in tests if (mutant.file, mutant.line) in self.costs[item.nodeid].lines]
        if not seeing:
            span = range(mutant.line - 1, mutant.line + mutant.code.count("\n") + 1)
            seeing = [i for i in tests if any((mutant.file, line) in self.costs[i.nodeid].lines for line in span)]
        return sorted(seeing, key=lambda item: (self.costs[item.nodeid].seconds + 0.05) / (1 + self.kills.get(item.nodeid, 0)))

    def try_mutant(self, mutant: Mutant) -> Verdict:
        """Run tests on the mutant until one of them fails."""
        items, began = self.witnesses(mutant), time.monotonic()
        if not items:
            return Verdict(UNSEEN, "", 0.0)
        status, text = in_fork(lambda: self._meet(mutant, items), 600.0)
        last = text.split("\n")[-2] if "\n" in text else ""
        fate = SURVIVED if status == 0 else KILLED if status == 1 else HUNG
        if fate == KILLED:
            self.kills[last] = self.kills.get(last, 0) + 1
        return Verdict(fate, last if fate != SURVIVED else "", round(time.monotonic() - began, 2))

    def _meet(self, mutant: Mutant, items: Iterable[pytest.Item]) -> tuple[int, str]:
        module = importlib.import_module(f"bridgehead.games.{self.game}.{mutant.file[:-3]}")
        replace(getattr(module, mutant.function), mutant)
        for item in items:
            limit = PATIENCE * self.costs[item.nodeid].seconds + 3.0
            signal.setitimer(signal.ITIMER_VIRTUAL, limit)  # the signal ends the process
            say(item.nodeid)
            if not passes(item):
                return 1, ""
        return 0, ""


def replace(function: Any, mutant: Mutant) -> None:
    """Give the function the mutant's code."""
    assert isinstance(function, FunctionType), f"{mutant.function} is not a plain function"
    code = compile(mutant.code, function.__code__.co_filename, "exec")
    function.__code__ = next(part for part in code.co_consts if isinstance(part, CodeType))


def passes(item: pytest.Item) -> bool:
    """Run one test from its set-up to its tear-down."""
    return all(report.passed or report.skipped for report in runtestprotocol(item, log=False, nextitem=None))


_mouth = -1


def say(text: str) -> None:
    """Send the parent process a line, at once."""
    os.write(_mouth, text.encode() + b"\n")


def in_fork(work: Callable[[], tuple[int, str]], seconds: float) -> tuple[int, str]:
    """Exit status (negative: a signal) and output of `work`, run in a silent child process."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        _child(work, ear, mouth, seconds)
    os.close(mouth)
    with os.fdopen(ear, "rb") as pipe:
        text = pipe.read().decode()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


def _child(work: Callable[[], tuple[int, str]], ear: int, mouth: int, seconds: float) -> None:
    global _mouth
    status = 3
    try:
        os.close(ear)
        _mouth = mouth
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        status, text = work()
        with contextlib.suppress(OSError):
            os.write(mouth, text.encode()) if len(text) < 60_000 else _write(mouth, text)
    except BaseException:
        status = 1
    finally:
        os._exit(status)


def _write(mouth: int, text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(mouth, data) :]


def collect(court: Court, root: Path) -> int:
    """Collect the tests in this process and run the judge."""
    sys.path[:0] = [str(root / "src"), str(root / "tests")]
    command = [
        str(root / "tests" / part) for part in ("games", "proof", "test_oracles.py", "test_conformance.py", "test_symmetries.py")
    ]
    return int(
        pytest.main(
            ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "--capture=no", *command], plugins=[court]
        )
    )
