"""Waiting for facts and for coroutines, and times that do not depend on how busy the machine is."""

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE = 300.0  # seconds that a test waits for a fact before it fails: twelve programs may work beside it
SOON = 30.0  # seconds in which a limit that a test has made short takes effect; the usual limits are longer


def wait_for(fact: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """The answer of `fact`, as soon as it is true. AssertionError when it is not after so many seconds."""
    until = time.monotonic() + seconds
    while not (answer := fact()):
        assert time.monotonic() < until, "what the test waits for does not come"
        time.sleep(0.005)
    return answer


def in_thread(work: Callable[..., T], *given: Any) -> T:
    """What a function that runs a loop returns, in a thread of its own: a browser in the same process keeps a loop here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, *given).result()


def apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own."""
    return in_thread(asyncio.run, work)


def least(attempt: Callable[[], float], enough: float) -> float:
    """The least of the times of an attempt, which is repeated up to three times until it is quick enough.

    A needless wait is there each time; a disturbance by the machine is not.
    """
    taken = [attempt()]
    while min(taken) > enough and len(taken) < 3:
        taken.append(attempt())
    return min(taken)


def lines(thinking: Callable[[], object]) -> int:
    """How many lines of Python run: the same on a busy machine as on a quiet one, which seconds are not."""
    count, before = 0, sys.gettrace()

    def trace(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        thinking()
    finally:
        sys.settrace(before)
    return count


class Stopwatch:
    """Seconds from now on, less the time for which threads of these processes were ready to run and had no processor.

    On an idle machine this is the time by the clock. A busy machine is not counted, so a limit on it does not depend on
    the machine. Where Linux does not tell how long threads wait, it is the time by the clock.
    """

    def __init__(self, *pids: int) -> None:
        self._pids = pids
        self._begun, self._delays = time.monotonic(), self._read()

    def seconds(self) -> float:
        """How many there were until now; at least 0, since threads wait side by side."""
        delayed = sum(delay - self._delays.get(thread, 0) for thread, delay in self._read().items()) / 1e9
        return max(0.0, time.monotonic() - self._begun - delayed)

    def _read(self) -> dict[str, int]:
        """Nanoseconds for which each thread has waited for a processor so far."""
        found = {}
        for pid in self._pids:
            for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError, IndexError):  # the thread has just ended
                    found[thread.parent.name] = int(thread.read_text().split()[1])
        return found
