"""Append-only event log with group commit. One writer thread stores the events of all tables.

An event is stored before anybody sees it. `(game, version)` and `(game, key)` are unique, so a message that is sent twice is
stored once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.storage import seal_log
from bridgehead.server.storage.meter import Meter

log = logging.getLogger("bridgehead")
BATCH = 1000
WAITING = 10_000  # changes that may wait for the disk; more are refused
FORMAT = 2  # version of the stored format
COLUMNS = "version, key, kind, actor, action, by, time, body, nonce, link"


class Event(NamedTuple):
    """One event of a table. version counts from 1 without gaps.

    kind: "action", "undo", or another of `event_handlers.HANDLERS`; actor: a seat or CHANCE; action: -1 where the kind has
    none; by: the chooser: "person", "chance", a level, "fallback" where a computer player failed, or "fork" for actions that
    were taken over from a record. time: seconds since 1970; body: further fields as JSON, or ""; nonce, link: see
    `hash_chain`.
    """

    version: int
    key: str
    kind: str
    actor: int
    action: int
    by: str
    time: float
    body: str = ""
    nonce: bytes = b""
    link: bytes = b""


class Conflict(BridgeheadError):
    """The log has another event of that version or key."""


class StorageError(BridgeheadError):
    """The log could not be written. Nothing of the request is stored, unless the connection broke during the commit."""


Statement = tuple[str, tuple[Any, ...]]  # SQL that every database here understands, with ? for each value


class Job(NamedTuple):
    """What one request stores, all or nothing. body: of a new table; None: the table exists.

    beside: SQL statements with their values, for data outside the log.
    """

    game: str
    body: str | None
    events: Sequence[Event]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]
    beside: Sequence[Statement] = ()


Result = Conflict | StorageError | None


class EventLog(ABC):
    """The log. Appending is asynchronous and returns after the commit. Reading waits for the disk: call it in a thread.

    Subclasses open their files or connections first and then call `__init__`. shared: other processes write to it too;
    file: its file, if it has one; probe: SQL that tries to write and changes nothing; key, shown: private and public (hex)
    key of signatures. failing: why the last commit failed, or ""; broken: why nothing can be stored any more, or "". After a
    write-through that failed, the state of the disk is unknown until the next start, so the log breaks; `on_broken` is called
    then, in the writer thread.
    """

    shared = False
    probe = ""
    key: bytes
    shown: str
    file: Path | None = None

    def __init__(self) -> None:
        self.failing = self.broken = ""
        self.on_broken: Callable[[], None] = _nothing
        self.meter = Meter()
        self._closed = False
        self._jobs: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        self._waiting, self._counting = 0, threading.Lock()
        self._thread = threading.Thread(target=self._write, name="bridgehead-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Changes that wait for the disk."""
        return self._waiting + sum(map(len, list(self._gathered.values())))

    async def trouble(self) -> str:
        """Why nothing can be stored now, or "". After a failure this tries to write again."""
        if self.failing and not self.broken:
            with contextlib.suppress(StorageError):
                await self.write((self.probe, ()))
        return self.broken or self.failing

    async def create(self, game: str, body: str, events: Sequence[Event]) -> None:
        """Store a new table with its first events. Errors: Conflict if the id is taken, StorageError."""
        await self._submit(game, body, events)

    async def append(self, game: str, events: Sequence[Event]) -> None:
        """Store events, all or none; returns when they are on the disk. Errors: Conflict, StorageError."""
        await self._submit(game, None, events)

    async def write(self, *beside: Statement) -> None:
        """Run SQL statements outside the log, all or nothing; returns when it is on the disk. Errors: as `append`."""
        await self._submit("", None, (), beside)

    @abstractmethod
    def read(self, query: str, *values: object) -> list[Any]:
        """The rows that an SQL query finds; ? stands for each value. Errors: StorageError."""

    @abstractmethod
    def body(self, game: str) -> str | None:
        """What a table was created with, or None if there is no such table."""

    @abstractmethod
    def events(self, game: str, after: int = 0) -> list[Event]:
        """The log of a table, from the event that follows version `after`."""

    def sealed(self, first: int) -> list[seal_log.Row]:
        """A page of the list of sealed eras, from that number on."""
        rows = self.read(f"select n, gid, root, link from sealed where n >= ? order by n limit {seal_log.PAGE}", first)
        return [seal_log.Row(*row) for row in rows]

    def place(self, gid: str) -> int:
        """The number of an era in that list; 0 if it is not there."""
        rows = self.read("select n from sealed where gid = ?", gid)
        return int(rows[0][0]) if rows else 0

    def close(self) -> None:
        """Store what is queued, and close the files or connections."""
        self._closed = True
        for loop in list(self._gathered):
            self._hand_over(loop)
        self._jobs.put(None)
        self._thread.join()
        self._release()

    @abstractmethod
    def _store(self, jobs: list[Job]) -> list[Result]:
        """In the writer thread: store all jobs in one commit; the result of each.

        Errors: any; then nothing is stored.
        """

    @abstractmethod
    def _release(self) -> None:
        """Close connections."""

    async def _submit(self, game: str, body: str | None, events: Sequence[Event], beside: Sequence[Statement] = ()) -> None:
        if self._closed or self.broken:
            raise self._unwritable()
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
        """Hand over one batch per turn of the loop: waking a thread is expensive."""
        if jobs := self._gathered.pop(loop, None):
            self._count(len(jobs))
            self._jobs.put(jobs)

    def _write(self) -> None:
        """The writer thread: all queued jobs go into one commit. While it runs, the next batch gathers."""
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
        except Exception as error:  # the writer thread must survive any error
            self._fail(error)
            results = [StorageError("server:error.log_cannot_written", error=error)] * len(jobs)
        self.meter.commits.observe(time.perf_counter() - begun)
        self._tell(jobs, results)
        if not self.broken:
            try:
                self._check_in()
            except Exception as error:
                self._fail(error)

    def _unwritable(self) -> StorageError:
        return StorageError("server:error.disk", failing=self.failing) if self.broken else StorageError("server:error.closing")

    def _tell(self, jobs: list[Job], results: list[Result]) -> None:
        for loop in {job.loop for job in jobs}:
            settled = [(job.future, result) for job, result in zip(jobs, results, strict=True) if job.loop is loop]
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_settle, settled)

    def _fail(self, error: Exception) -> None:
        """Note why a commit failed. After a write-through that failed, nothing more is written."""
        self.failing = str(error) or type(error).__name__
        self.meter.failures.inc()
        if self._is_final(error) and not self.broken:
            self.broken = f"the disk does not write through: {self.failing}"
            log.error("the disk does not write through; the server stops", exc_info=error)
            self.on_broken()

    def _is_final(self, error: Exception) -> bool:
        """Did a write-through fail, so that the state of the disk is unknown?"""
        return False

    def _check_in(self) -> None:  # noqa: B027 - most have nothing to do
        """In the writer thread, after a commit: periodic work. Errors: any."""


def _nothing() -> None:
    """The default of `on_broken`."""


def _settle(settled: list[tuple[asyncio.Future[None], Result]]) -> None:
    for future, error in settled:
        if not future.done():
            future.set_result(None) if error is None else future.set_exception(error)
