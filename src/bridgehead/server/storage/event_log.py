"""The append-only log of every table, whatever keeps it: what its lines are, and group commit by one writer thread.

An event is stored before anybody hears of it. `(game, version)` and `(game, key)` are unique, so that nothing is stored
twice whatever is sent twice.
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
WAITING = 10_000  # changes that may wait for the disk before new ones are refused
FORMAT = 2  # of what is stored
COLUMNS = "version, key, kind, actor, action, by, time, body, nonce, link"


class Event(NamedTuple):
    """One line of a table's log; version counts from 1 without holes.

    kind: "action", "undo", or what else happens at a table (`table.KINDS`); actor: a seat or CHANCE; action: -1 where the
    kind has none; by: who chose: "person", "chance", a level, "fallback" where a computer player failed, or "fork" where
    the match began with a record's actions. time: seconds since 1970; body: JSON of what the kind needs more, or "";
    nonce, link: see `chain`.
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
    """Another event of that version or key is in the log already."""


class StorageError(BridgeheadError):
    """The log could not be written; nothing of the request is in it, unless the database was lost in the middle."""


Statement = tuple[str, tuple[Any, ...]]  # SQL that every database here understands, with ? for each value


class Job(NamedTuple):
    """What one request wants stored, all or nothing. body: what a new table is made with; None: the table is there.

    beside: statements of SQL with their values, for what is kept beside the log.
    """

    game: str
    body: str | None
    events: Sequence[Event]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]
    beside: Sequence[Statement] = ()


Result = Conflict | StorageError | None


class EventLog(ABC):
    """The log. Appending is asynchronous and answers after the commit; reading waits for the disk: call it in a thread.

    Subclasses open what they need first and then call `__init__`. shared: do other workers write to it as a rule? file: where
    it is, if in one. probe: SQL that tries to write and changes nothing. key: what transcripts are signed with;
    shown: its public half, hex. failing: why the last commit failed, or "". broken:
    why nothing can be stored any more, or "": after a write-through that failed nobody knows what is on the disk, and only a
    new start finds out; `on_broken` is called then, in the writer's thread.
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
        """Why nothing can be stored now, or "". After a failure this tries to write, so that it ends when its cause does."""
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
        """Write beside the log, all or nothing; returns when it is on the disk. Errors: as `append`."""
        await self._submit("", None, (), beside)

    @abstractmethod
    def read(self, query: str, *values: object) -> list[Any]:
        """What a statement of SQL with ? for each value finds. Errors: StorageError."""

    @abstractmethod
    def body(self, game: str) -> str | None:
        """What a table was created with, or None if there is no such table."""

    @abstractmethod
    def events(self, game: str, after: int = 0) -> list[Event]:
        """The log of a table, from the event that follows version `after`."""

    def sealed(self, first: int) -> list[seal_log.Row]:
        """Rows of the list of all that was sealed, from that number on, at most a page of them."""
        rows = self.read(f"select n, gid, root, link from sealed where n >= ? order by n limit {seal_log.PAGE}", first)
        return [seal_log.Row(*row) for row in rows]

    def place(self, gid: str) -> int:
        """Where an era stands in that list; 0 if it does not."""
        rows = self.read("select n from sealed where gid = ?", gid)
        return int(rows[0][0]) if rows else 0

    def close(self) -> None:
        """Finish what is queued and let go of what keeps it."""
        self._closed = True
        for loop in list(self._gathered):
            self._hand_over(loop)
        self._jobs.put(None)
        self._thread.join()
        self._release()

    @abstractmethod
    def _store(self, jobs: list[Job]) -> list[Result]:
        """In the writer thread: bring all of these into the log in one commit; what became of each.

        Errors: any; then none of them is in the log.
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
        """Give the writer what was gathered in one turn of the loop: to wake a thread is dear."""
        if jobs := self._gathered.pop(loop, None):
            self._count(len(jobs))
            self._jobs.put(jobs)

    def _write(self) -> None:
        """The writer thread: everything that is queued goes into one commit; the time of a commit makes the batch."""
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
        except Exception as error:  # whatever it is, the writer has to live on
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
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for an answer any more
                loop.call_soon_threadsafe(_settle, settled)

    def _fail(self, error: Exception) -> None:
        """Remember why it failed; after a write-through that failed, nothing more is written."""
        self.failing = str(error) or type(error).__name__
        self.meter.failures.inc()
        if self._is_final(error) and not self.broken:
            self.broken = f"the disk does not write through: {self.failing}"
            log.error("the disk does not write through; the server stops", exc_info=error)
            self.on_broken()

    def _is_final(self, error: Exception) -> bool:
        """Did a write-through fail, so that nobody knows what is stored?"""
        return False

    def _check_in(self) -> None:  # noqa: B027 - most have nothing to do
        """In the writer thread, after a commit: whatever is to be done from time to time. Errors: any."""


def _nothing() -> None:
    """What happens when a log is broken and nobody minds."""


def _settle(settled: list[tuple[asyncio.Future[None], Result]]) -> None:
    for future, error in settled:
        if not future.done():
            future.set_result(None) if error is None else future.set_exception(error)
