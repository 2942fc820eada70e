"""Group commit: a thread writes the events of all tables, all that wait in one commit. `sqlite` and `postgres` store them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from prometheus_client import Counter, Histogram, disable_created_metrics

from bridgehead.core.phrases import sentence
from bridgehead.server.storage.causes import explain_failure
from bridgehead.server.storage.event_log import Conflict, Event, EventLog, Statement, StorageError
from bridgehead.server.usage import USAGE

log = logging.getLogger("bridgehead")
BATCH = 1000
ROW = 200  # bytes of a row besides its texts, with its indexes
WAITING = 10_000  # changes in the queue; beyond that, new ones are refused
BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)  # seconds


class Job(NamedTuple):
    """One write, stored whole or not at all. body: JSON of a new table; None: the table exists.

    beside: SQL statements with their values, for data outside the log.
    """

    game: str
    body: str | None
    events: Sequence[Event]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]
    beside: Sequence[Statement] = ()


Result = Conflict | StorageError | None


class WrittenLog(EventLog):
    """Event log with a writer thread. Subclasses open their connections, then call `__init__`.

    probe: SQL that writes without changing anything; failing: why the last commit failed, or "". broken: why nothing can be
    stored any more, or "". After a failed fsync the content of the disk is unknown until the next start; then the writer
    thread calls `on_broken`.
    """

    probe = ""

    def __init__(self) -> None:
        self.failing = self.broken = ""
        self.on_broken: Callable[[], object] = bool
        self.meter = Meter()
        self._closed = False
        self._jobs: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        self._waiting, self._counting = 0, threading.Lock()
        self._thread = threading.Thread(target=self._write, name="bridgehead-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Number of changes in the queue."""
        return self._waiting + sum(map(len, list(self._gathered.values())))

    async def trouble(self) -> str:
        """Why nothing can be stored now, or "". After a failure it tries to write, to find out whether the cause is gone."""
        if self.failing and not self.broken:
            with contextlib.suppress(StorageError):
                await self.write((self.probe, ()))
        return self.broken or self.failing

    async def create(self, game: str, body: str, events: Sequence[Event]) -> None:
        """Store a new table with its first events. Errors: Conflict if the id exists, StorageError."""
        await self._submit(game, body, events)

    async def append(self, game: str, events: Sequence[Event]) -> None:
        """Store events, all or none. Returns when they are on the disk. Errors: Conflict, StorageError."""
        await self._submit(game, None, events)

    async def write(self, *beside: Statement) -> None:
        """Run statements outside the log, all or none. Returns when they are on the disk. Errors: as `append`."""
        await self._submit("", None, (), beside)

    def close(self) -> None:
        """Commit the queue and close all connections."""
        self._closed = True
        for loop in list(self._gathered):
            self._hand_over(loop)
        self._jobs.put(None)
        self._thread.join()
        self._release()

    @abstractmethod
    def _store(self, jobs: list[Job]) -> list[Result]:
        """Store these jobs in one commit, in the writer thread. Returns the result of each.

        Errors: any; then none of them is stored.
        """

    @abstractmethod
    def _release(self) -> None:
        """Close connections."""

    async def _submit(self, game: str, body: str | None, events: Sequence[Event], beside: Sequence[Statement] = ()) -> None:
        if self._closed or self.broken:
            raise self._unwritable()
        if usage := USAGE.get():
            usage.stored += _size(body, events, beside)
        loop = asyncio.get_running_loop()
        if self._waiting + len(self._gathered.get(loop, ())) >= WAITING:
            raise StorageError("server:error.too_much_waits_disk")
        future: asyncio.Future[None] = loop.create_future()
        gathered = self._gathered.setdefault(loop, [])
        if not gathered:
            loop.call_soon(self._hand_over, loop)
        gathered.append(Job(game, body, events, loop, future, beside))
        await future

    def _count(self, more: int) -> None:
        with self._counting:
            self._waiting += more

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the writer one batch for each turn of the loop, because waking a thread is expensive."""
        if jobs := self._gathered.pop(loop, None):
            self._count(len(jobs))
            self._jobs.put(jobs)

    def _write(self) -> None:
        """The writer thread. It commits everything in the queue at once; a batch collects while the commit before it runs."""
        running = True
        while running:
            jobs: list[Job] = []
            more = self._jobs.get()
            while more is not None:
                jobs += more
                self._count(-len(more))
                if len(jobs) >= BATCH or self._jobs.empty():
                    break
                more = self._jobs.get()
            running = more is not None
            self._commit(jobs)

    def _commit(self, jobs: list[Job]) -> None:
        if not jobs:
            return
        begun = time.perf_counter()
        try:
            if self.broken:
                raise self._unwritable()
            results = self._store(jobs)
            self.failing = ""
            self.meter.writes.inc(len(jobs))
        except Exception as error:  # the writer must survive any error
            self._fail(error)
            results = [StorageError("server:error.log_cannot_written", error=explain_failure(error))] * len(jobs)
        self.meter.commits.observe(time.perf_counter() - begun)
        self._resolve(jobs, results)
        if not self.broken:
            try:
                self._check_in()
            except Exception as error:
                self._fail(error)

    def _unwritable(self) -> StorageError:
        return StorageError("server:error.disk", failing=self.failing) if self.broken else StorageError("server:error.closing")

    def _resolve(self, jobs: list[Job], results: list[Result]) -> None:
        for loop in {job.loop for job in jobs}:
            settled = [(job.future, result) for job, result in zip(jobs, results, strict=True) if job.loop is loop]
            with contextlib.suppress(RuntimeError):  # the loop is closed, so nothing waits for the result
                loop.call_soon_threadsafe(_settle, settled)

    def _fail(self, error: Exception) -> None:
        """Note a failure. After a failed fsync nothing more is written."""
        before, self.failing = self.failing, sentence(explain_failure(error))
        if self.failing != before:
            log.error(f"nothing can be stored: {self.failing}")
        self.meter.failures.inc()
        if self._is_final(error) and not self.broken:
            self.broken = f"the disk does not write through: {self.failing}"
            log.error("the disk does not write through; the server stops", exc_info=error)
            self.on_broken()

    def _is_final(self, error: Exception) -> bool:
        """Was it a failed fsync? Then the content of the disk is unknown."""
        return False

    def _check_in(self) -> None:
        """Maintenance after a commit, in the writer thread. Errors: any."""


def _size(body: str | None, events: Sequence[Event], beside: Sequence[Statement]) -> int:
    """The bytes that a change takes on the disk, about."""
    rows = [*events, *(values for _, values in beside), *([] if body is None else [(body,)])]
    return sum(ROW + sum(len(value) for value in row if isinstance(value, str | bytes)) for row in rows)


def _settle(settled: list[tuple[asyncio.Future[None], Result]]) -> None:
    for future, error in settled:
        if not future.done():
            future.set_result(None) if error is None else future.set_exception(error)


disable_created_metrics()  # type: ignore[no-untyped-call]  # no extra sample for the time at which a metric was made


def durations(name: str, text: str) -> Histogram:
    """A histogram of seconds."""
    return Histogram(f"bridgehead_{name}", text, buckets=BOUNDS, registry=None)


class Meter:
    """What the writer thread of an event log measures."""

    def __init__(self) -> None:
        self.commits = durations("commit_seconds", "How long commits took")
        self.writes = Counter("bridgehead_writes", "Changes stored", registry=None)
        self.failures = Counter("bridgehead_commit_failures", "Commits that failed", registry=None)
