"""The append-only log of every table, in SQLite: one writer thread, group commit, synchronous=FULL.

An event is in the file before anybody hears of it. `(game, version)` and `(game, key)` are unique, so that nothing is
stored twice whatever is sent twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from bridgehead.core.errors import BridgeheadError
from bridgehead.fairness import ed25519
from bridgehead.server import roots

SAFE_SQLITE = (3, 51, 3)  # older ones can damage a write-ahead log when two connections check it in at once
BATCH = 1000
BUSY = 5000  # milliseconds to wait for another process that writes
FORMAT = 2  # of the file; one of format 1 is brought up to it, any other is refused
SCHEMA = f"""
create table game (
    id text primary key, body text not null, created real not null) strict, without rowid;
create table event (
    game text not null references game, version integer not null, key text not null, kind text not null,
    actor integer not null, action integer not null, by text not null, time real not null,
    body text not null, nonce blob not null, link blob not null,
    primary key (game, version)) strict, without rowid;
create unique index event_key on event (game, key);
pragma user_version = {FORMAT};
"""
FROM_1 = f"""
alter table event add column body text not null default '';
alter table event add column nonce blob not null default x'';
alter table event add column link blob not null default x'';
pragma user_version = {FORMAT};
"""
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
    """The log could not be written; nothing of the request is in it."""


class _Job(NamedTuple):
    work: Callable[[apsw.Connection], None]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]


class Store:
    """The log. Appending is asynchronous and answers after the commit; reading waits for the disk: call it in a thread.

    key: what transcripts are signed with, kept beside the file; shown: its public half, hex. Errors: StorageError when the
    file cannot be used, with the reason.
    """

    def __init__(self, file: Path) -> None:
        if _sqlite_version() < SAFE_SQLITE:
            raise StorageError(
                f"SQLite {apsw.sqlite_lib_version()} can damage a log; 3.51.3 or newer is needed (pip install -U apsw)"
            )
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _reserve(file)
            self._writer = _open(file)
            _prepare(self._writer, file)
            self._reader = _open(file)
            self.key = roots.signing_key(file.with_suffix(".key"))
            self.shown = ed25519.public(self.key).hex()
        except (OSError, apsw.Error) as error:
            raise StorageError(f"tables cannot be kept here: {error}", str(file)) from None
        self._reading = threading.Lock()
        self._closed = False
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="bridgehead-writer", daemon=True)
        self._thread.start()

    async def create(self, game: str, body: str, events: Sequence[Event]) -> None:
        """Store a new table with its first events. Errors: Conflict if the id is taken, StorageError."""

        def work(connection: apsw.Connection) -> None:
            connection.execute("insert into game values (?, ?, ?)", (game, body, time.time()))
            _insert(connection, game, events)

        await self._submit(work)

    async def append(self, game: str, events: Sequence[Event]) -> None:
        """Store events, all or none; returns when they are on the disk. Errors: Conflict, StorageError."""
        await self._submit(lambda connection: _insert(connection, game, events))

    def body(self, game: str) -> str | None:
        """What a table was created with, or None if there is no such table."""
        rows = self._read("select body from game where id = ?", game)
        return str(rows[0][0]) if rows else None

    def events(self, game: str) -> list[Event]:
        """The log of a table from its first event."""
        return [Event(*row) for row in self._read(f"select {COLUMNS} from event where game = ? order by version", game)]

    def sealed(self, first: int) -> list[roots.Row]:
        """Rows of the list of all that was sealed, from that number on, at most a page of them."""
        rows = self._read(f"select n, gid, root, link from sealed where n >= ? order by n limit {roots.PAGE}", first)
        return [roots.Row(*row) for row in rows]

    def place(self, gid: str) -> int:
        """Where an era stands in that list; 0 if it does not."""
        rows = self._read("select n from sealed where gid = ?", gid)
        return int(rows[0][0]) if rows else 0

    def _read(self, query: str, game: str | int) -> list[Any]:
        try:
            with self._reading:
                rows: list[Any] = self._reader.execute(query, (game,)).fetchall()
                return rows
        except apsw.Error as error:
            raise StorageError(f"the log cannot be read: {error}") from error

    def close(self) -> None:
        """Finish what is queued and let go of the file."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()
        with self._reading:
            self._reader.close()
        self._writer.close()

    async def _submit(self, work: Callable[[apsw.Connection], None]) -> None:
        if self._closed:
            raise StorageError("the server is closing")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._jobs.put(_Job(work, loop, future))
        await future

    def _write(self) -> None:
        """The writer thread: everything that is queued goes into one commit; the time of a commit makes the batch."""
        running = True
        while running:
            jobs = [self._jobs.get()]
            while len(jobs) < BATCH and not self._jobs.empty():
                jobs.append(self._jobs.get())
            running = None not in jobs
            self._commit([job for job in jobs if job is not None])

    def _commit(self, jobs: list[_Job]) -> None:
        if not jobs:
            return
        results: list[BaseException | None] = []
        try:
            self._writer.execute("begin immediate")
            results = [_attempt(self._writer, job) for job in jobs]
            self._writer.execute("commit")
        except Exception as error:  # whatever it is, the writer has to live on
            with contextlib.suppress(apsw.Error):
                if self._writer.in_transaction:
                    self._writer.execute("rollback")
            results = [StorageError(f"the log cannot be written: {error}")] * len(jobs)
        for loop in {job.loop for job in jobs}:
            settled = [(job.future, result) for job, result in zip(jobs, results, strict=True) if job.loop is loop]
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for an answer any more
                loop.call_soon_threadsafe(_settle, settled)


def _settle(settled: list[tuple[asyncio.Future[None], BaseException | None]]) -> None:
    for future, error in settled:
        if not future.done():
            future.set_result(None) if error is None else future.set_exception(error)


def _attempt(connection: apsw.Connection, job: _Job) -> BaseException | None:
    """One job inside the batch; a constraint that fails, or a value SQLite cannot hold, takes back this job only."""
    connection.execute("savepoint job")
    try:
        job.work(connection)
    except (apsw.ConstraintError, TypeError, ValueError, OverflowError) as error:
        connection.execute("rollback to job")
        connection.execute("release job")
        if isinstance(error, apsw.ConstraintError):
            return Conflict(f"stored already: {error}")
        return StorageError(f"this cannot be stored: {error}")
    connection.execute("release job")
    return None


def _insert(connection: apsw.Connection, game: str, events: Sequence[Event]) -> None:
    places = ", ".join("?" * (1 + len(Event._fields)))
    connection.executemany(f"insert into event (game, {COLUMNS}) values ({places})", [(game, *event) for event in events])
    for event in events:
        if event.kind == "seal":
            roots.add(connection, event.body)


def _open(file: Path) -> Any:
    connection = apsw.Connection(str(file))
    connection.set_busy_timeout(BUSY)
    for pragma in ("journal_mode = wal", "synchronous = full", "foreign_keys = on", "trusted_schema = off"):
        connection.execute(f"pragma {pragma}").fetchall()
    return connection


def _reserve(file: Path) -> None:
    """Make the file before SQLite does, for its owner's eyes only: it holds the seeds of the dice."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _prepare(connection: Any, file: Path) -> None:
    """Make the tables of a new file; refuse a file that is not ours."""
    with connection:
        version = connection.pragma("user_version")
        if version == 0 and not connection.execute("select 1 from sqlite_schema").fetchone():
            connection.execute(SCHEMA)
        elif version == 1:
            connection.execute(FROM_1)
        elif version != FORMAT:
            raise StorageError(f"format {version} of another release; this one reads format {FORMAT}", str(file))
        connection.execute(roots.SCHEMA)


def _sqlite_version() -> tuple[int, ...]:
    return tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
