"""What a request uses of the machine, measured while it is answered. `connections.effort` charges it to an address.

`USAGE` names the request in whose context some code runs, so the threads and tasks that it starts add to the same sum.
"""

from __future__ import annotations

import contextlib
import contextvars
import time
import types
from collections.abc import Callable, Coroutine, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
IN_SCOPE = "bridgehead.usage"  # key of an ASGI scope: the `Usage` of its connection


def _clock() -> Callable[[], float]:
    """The processor time of a thread in seconds, or where the system does not tell it, as in a browser, that on the wall."""
    try:
        time.thread_time()
    except (AttributeError, OSError):
        return time.perf_counter
    return time.thread_time


processor_time = _clock()


class Usage:
    """What a request has used and not paid for yet.

    seconds: processor time of the server's loop and its threads, which share one interpreter; carried: bytes read and sent;
    stored: bytes written to the disk.
    """

    __slots__ = ("begun", "carried", "seconds", "stored")

    def __init__(self) -> None:
        self.begun: float | None = None  # when the step in progress began
        self.seconds = 0.0
        self.carried = self.stored = 0

    def take(self) -> tuple[float, int, int]:
        """The seconds, bytes carried and bytes stored so far; resets them."""
        if self.begun is not None:
            now = processor_time()
            self.seconds, self.begun = self.seconds + now - self.begun, now
        taken = self.seconds, self.carried, self.stored
        self.seconds, self.carried, self.stored = 0.0, 0, 0
        return taken

    def add(self, other: Usage) -> None:
        """Add what another one has used, and reset that one."""
        seconds, carried, stored = other.take()
        self.seconds, self.carried, self.stored = self.seconds + seconds, self.carried + carried, self.stored + stored

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Measure what the current thread does in this context, which must not wait for the loop."""
        begun = processor_time()
        try:
            yield
        finally:
            self.seconds += processor_time() - begun


USAGE: contextvars.ContextVar[Usage | None] = contextvars.ContextVar("USAGE", default=None)


async def measure(work: Coroutine[Any, Any, T], usage: Usage) -> T:
    """Do some work, and measure each of its steps between two pauses. Errors: those of the work."""
    before = USAGE.set(usage)
    try:
        return await _measure_steps(work, usage)
    finally:
        USAGE.reset(before)


@types.coroutine
def _measure_steps(work: Coroutine[Any, Any, T], usage: Usage) -> Generator[Any, Any, T]:
    resume: Callable[[Any], Any] = work.send
    value: Any = None
    while True:
        usage.begun = processor_time()
        try:
            paused = resume(value)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            if usage.begun is not None:
                usage.seconds += processor_time() - usage.begun
            usage.begun = None
        try:
            value, resume = (yield paused), work.send
        except BaseException as error:  # the work learns that it is cancelled
            value, resume = error, work.throw


def charge_to_request(work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
    """Work for a new task, measured and charged to the request that starts it, if there is one."""
    usage = USAGE.get()
    return work if usage is None else measure(work, usage)


class MeasuredThreads(ThreadPoolExecutor):
    """The threads of a loop (`asyncio.to_thread`). Their processor time counts for the request that uses them."""

    def submit(self, work: Callable[..., T], /, *given: Any, **named: Any) -> Future[T]:
        usage = USAGE.get()
        return (
            super().submit(work, *given, **named)
            if usage is None
            else super().submit(_measure_call, usage, work, *given, **named)
        )


def _measure_call(usage: Usage, work: Callable[..., T], *given: Any, **named: Any) -> T:
    with usage.working():
        return work(*given, **named)
