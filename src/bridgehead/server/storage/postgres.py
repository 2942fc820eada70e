"""Event log in PostgreSQL, for several server processes. Unique indexes decide which process was first.

Each process writes in one thread: the whole queue goes into one transaction, in few statements. If the connection breaks
during the commit, the result is unknown. Then the same rows are inserted again on a new connection, where they wait for the
end of the first attempt. Rows that exist already were written by it.
"""

from __future__ import annotations

import contextlib
import queue
import secrets
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bridgehead.core.extras import needs
from bridgehead.core.phrases import join_phrases
from bridgehead.fairness import signatures
from bridgehead.players import book
from bridgehead.server.storage import correspondence, imports, people, seal_log
from bridgehead.server.storage.causes import explain_failure
from bridgehead.server.storage.event_log import COLUMNS, FORMAT, Conflict, Event, StorageError
from bridgehead.server.storage.group_commit import Job, Result, WrittenLog

with needs("cluster"):
    import psycopg
    from psycopg import errors

READERS = 4  # number of connections for reading
PATIENCE = 10.0  # seconds to wait for a lost database
PAUSE = 0.1  # seconds between attempts to connect, after the first
OLDEST = 140_000  # server_version_num: PostgreSQL 14
OLDEST_FORMAT = 2  # that a database can have
OURS = 4_201_114  # the advisory lock for creating tables
KEPT: Mapping[str, Any] = {
    "autocommit": True, "connect_timeout": 5, "application_name": f"bridgehead {FORMAT}", "client_encoding": "utf8",
    "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 10_000,
}  # fmt: skip
SAFE = {"synchronous_commit": ("on", "remote_apply"), "fsync": ("on",), "server_encoding": ("UTF8",)}
CODE = """create table if not exists code (
    code text collate "C" primary key, game text collate "C" not null references game, until double precision not null)"""
TYPES = ("text", "bigint", "text", "text", "bigint", "bigint", "text", "double precision", "text", "bytea", "bytea")
ADD_GAMES = """
    insert into game select * from unnest(?::text[], ?::text[], ?::double precision[]) on conflict do nothing returning id"""
ADD_EVENTS = f"""
    insert into event (game, {COLUMNS}) select * from unnest({", ".join(f"?::{each}[]" for each in TYPES)})
    on conflict do nothing returning game, version, key"""
TAKE_BACK = "delete from event using unnest(?::text[], ?::bigint[]) as x(g, v) where game = g and version = v"
NEWER = f"""
    select game, {COLUMNS} from unnest(?::text[], ?::bigint[]) as x(g, v)
    join event on game = g and version > v order by game, version"""
OLDER_PROCESSES = """
    select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and application_name like 'bridgehead%%' and application_name <> %s"""
LEASE = """
    insert into lease values (?, ?, now() + make_interval(secs => ?))
    on conflict (job) do update set owner = excluded.owner, until = excluded.until
    where lease.owner = excluded.owner or lease.until < now() returning job"""


class PostgresStore(WrittenLog):
    """Event log in a database. Errors: StorageError with the reason why it cannot be used.

    url: postgresql://user:password@host/name; patience: seconds without connection before an append fails. key: the private
    key, 32 bytes, the same in all processes; by default the one in the database. A key outside the database protects
    signatures from those who can read the database. id: the name of this database.
    """

    shared = True
    probe = "select 1"

    def __init__(self, url: str, patience: float = PATIENCE, key: bytes = b"") -> None:
        self._url, self._patience = url, patience
        try:
            self._writer = psycopg.connect(url, **KEPT)
            with contextlib.ExitStack() as stack:
                stack.callback(self._writer.close)
                _refuse_unsafe(self._writer)
                self.id, kept = _prepare(self._writer)
                self.key = key or kept
                self.shown = signatures.public_key(self.key).hex()
                stack.pop_all()
        except psycopg.Error as error:
            raise StorageError("server:error.tables_cannot_kept_database", error=explain_failure(error)) from None
        self._reading = threading.Semaphore(READERS)
        self._idle: queue.LifoQueue[psycopg.Connection[Any]] = queue.LifoQueue()
        super().__init__()

    def read(self, query: str, *values: object) -> list[Any]:
        """Rows of a single statement. Waits for a lost database. Errors: StorageError."""
        deadline, pause = time.monotonic() + self._patience, 0.0
        with self._reading:
            while True:
                try:
                    return self._ask(query, values)
                except psycopg.Error as error:
                    lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
                    if self._closed or not lost or time.monotonic() > deadline:
                        raise StorageError("server:error.log_cannot_read", error=explain_failure(error)) from error
                time.sleep(pause)
                pause = PAUSE

    def newer(self, known: Mapping[str, int]) -> dict[str, list[Event]]:
        """New events after the known version of each table; only tables that have any."""
        found: dict[str, list[Event]] = {}
        for game, *row in self.read(NEWER, list(known), list(known.values())):
            found.setdefault(game, []).append(Event(*row))
        return found

    def lease(self, job: str, owner: str, seconds: float) -> bool:
        """Acquire or renew the lease on a job; False if another owner has it."""
        return bool(self.read(LEASE, job, owner, seconds))

    def release(self, job: str, owner: str) -> None:
        """Release the lease on a job."""
        self.read("delete from lease where job = ? and owner = ? returning job", job, owner)

    def release_all(self, owner: str) -> None:
        """Release all leases of an owner."""
        self.read("delete from lease where owner = ? returning job", owner)

    def _ask(self, query: str, values: Sequence[Any]) -> list[Any]:
        """Rows of a statement. Errors: psycopg.Error; then the connection is closed."""
        if self._closed:
            raise psycopg.InterfaceError("the store is closed")
        try:
            connection = self._idle.get_nowait()
        except queue.Empty:
            connection = self._connect()
        try:
            rows: list[Any] = connection.execute(_ours(query), values).fetchall()
        except BaseException:
            connection.close()
            raise
        self._idle.put(connection)
        return rows

    def _connect(self) -> psycopg.Connection[Any]:
        """Connect again. Errors: psycopg.Error; StorageError if a newer release has upgraded the database meanwhile."""
        connection = psycopg.connect(self._url, **KEPT)
        try:
            _refuse_newer(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _release(self) -> None:
        self._writer.close()
        while not self._idle.empty():
            self._idle.get().close()

    def _store(self, jobs: list[Job]) -> list[Result]:
        """As `EventLog._store`. Waits for a lost database. Errors: StorageError; then the result is unknown."""
        deadline, unsure, pause = time.monotonic() + self._patience, False, 0.0
        while True:
            try:
                if self._writer.closed:
                    self._writer = self._connect()
                return self._attempt(jobs, unsure)
            except (psycopg.OperationalError, psycopg.InterfaceError, errors.ReadOnlySqlTransaction) as error:
                if isinstance(error, errors.ReadOnlySqlTransaction) or error.sqlstate is None:
                    self._writer.close()  # a server that is no longer the primary, or a broken connection unnoticed by psycopg
                elif not self._writer.closed and not isinstance(error, errors.DeadlockDetected):
                    raise
                unsure = True
                if self._closed or time.monotonic() > deadline:
                    raise StorageError("server:error.database_away", error=error) from error
            time.sleep(pause)
            pause = PAUSE

    def _attempt(self, jobs: list[Job], unsure: bool) -> list[Result]:
        try:
            if all(_is_plain(job) for job in jobs):
                return self._offer(jobs, unsure)  # a single statement is its own transaction: a third of the round trips
            with self._writer.transaction():
                return self._offer(jobs, unsure)
        except (psycopg.IntegrityError, psycopg.DataError, ValueError, TypeError, OverflowError) as error:
            if len(jobs) > 1:  # one job failed and rolled back the others, so try each alone
                return [result for job in jobs for result in self._attempt([job], unsure)]
            if isinstance(error, psycopg.IntegrityError):
                return [Conflict("server:error.no_such_table", error=error)]
            return [StorageError("server:error.cannot_stored", error=error)]

    def _offer(self, jobs: list[Job], unsure: bool) -> list[Result]:
        """Insert the new rows, then delete those of jobs that are only partly new. unsure: an earlier attempt may be stored.

        Needs a transaction, unless all jobs are plain.
        """
        now = time.time()
        games = [(job.game, job.body, now) for job in jobs if job.body is not None]
        # Sorted, to avoid deadlocks between processes.
        rows = sorted(((job.game, *event) for job in jobs for event in job.events), key=lambda row: row[:2])
        made = {game for (game,) in self._add(ADD_GAMES, games)}
        added = set(self._add(ADD_EVENTS, rows))
        results: list[Result] = []
        for job in jobs:
            if job.beside:
                results.append(self._beside(job))
                continue
            keys = [(job.game, event.version, event.key) for event in job.events]
            if (job.body is None or job.game in made) and added.issuperset(keys):
                results.append(None)
                self._seal(job.events)
                added.difference_update(keys)  # an identical job in the same batch is a conflict
                made.discard(job.game)
            else:
                results.append(None if unsure and self._is_there(job) else Conflict("server:error.stored_already_2"))
        if added:
            self._execute(TAKE_BACK, ([game for game, _, _ in added], [version for _, version, _ in added]))
        return results

    def _seal(self, events: Sequence[Event]) -> None:
        """Append to the seal log. It is one chain, so a lock lets one process write at a time."""
        for event in events:
            if event.kind == seal_log.LISTED:
                self._execute("select pg_advisory_xact_lock(?)", (OURS + 1,))
                seal_log.append_frozen_era(self._execute, event.body)

    def _beside(self, job: Job) -> Result:
        try:
            with self._writer.transaction():
                for statement, values in job.beside:
                    self._execute(statement, values)
        except psycopg.IntegrityError as error:
            return Conflict("server:error.stored_already", error=error)
        return None

    def _execute(self, statement: str, values: Sequence[Any]) -> psycopg.Cursor[Any]:
        return self._writer.execute(_ours(statement), values)

    def _add(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> Iterable[tuple[Any, ...]]:
        """Insert the rows that are new; returns their keys."""
        return self._execute(statement, [list(column) for column in zip(*rows, strict=True)]).fetchall() if rows else ()

    def _is_there(self, job: Job) -> bool:
        """Is exactly this job stored? The nonces prove that this process wrote it."""
        if job.body is not None:
            found = self._execute("select 1 from game where id = ? and body = ?", (job.game, job.body))
            if found.fetchone() is None:
                return False
        first = min((event.version for event in job.events), default=1)
        rows = self._execute(NEWER, ([job.game], [first - 1])).fetchall()
        return [Event(*row[1:]) for row in rows[: len(job.events)]] == list(job.events)


def _is_plain(job: Job) -> bool:
    """Is it one event of an existing table? Such a job is never stored in part."""
    return job.body is None and not job.beside and len(job.events) == 1 and job.events[0].kind != seal_log.LISTED


def _ours(statement: str) -> bytes:
    """A statement with psycopg's placeholders in place of ?."""
    return statement.replace("?", "%s").encode()


def _refuse_unsafe(connection: psycopg.Connection[Any]) -> None:
    """Check the database server. Errors: StorageError if it may lose confirmed data, or if its encoding is not UTF-8."""
    if connection.info.server_version < OLDEST:
        raise StorageError("server:error.postgresql_too_old_14_newer")
    for setting, wanted in SAFE.items():
        row = connection.execute("select current_setting(%s)", (setting,)).fetchone()
        if row is None or row[0] not in wanted:
            raise StorageError("server:error.database", setting=setting, row=row and row[0], wanted=join_phrases("or", wanted))


def _prepare(connection: psycopg.Connection[Any]) -> tuple[str, bytes]:
    """Create the tables of an empty database, and upgrade an older one. A lock lets one process do so at a time.

    Returns the name of the database and its signing key. Errors: StorageError for a database of another program or release.
    """
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (OURS,))
        ours = connection.execute("select to_regclass('bridgehead') is not null, to_regclass('game') is not null").fetchone()
        if ours == (False, False):
            connection.execute((Path(__file__).parent / "postgres.sql").read_bytes())
            made = (FORMAT, secrets.token_hex(8), secrets.token_bytes(32))
            connection.execute("insert into bridgehead values (%s, %s, %s)", made)
        elif ours is None or not ours[0]:
            raise StorageError("server:error.database_belongs_something_else")
        else:
            _upgrade(connection)
        if connection.execute("select to_regclass('said_key') is null").fetchone() == (True,):  # made by an older release
            connection.execute("alter table said add column key text not null default ''")
            connection.execute("create unique index said_key on said (game, key) where key <> ''")
        connection.execute(CODE.encode())  # a database of an older release has none
        connection.execute(correspondence.POSTGRES.encode())
        connection.execute(imports.SCHEMA.format(blob="bytea", real="double precision").encode())
        for statement in book.SCHEMA:
            connection.execute(statement.format(blob="bytea", real="double precision", strict="").encode())
        for statement in people.schema(people.POSTGRES):
            connection.execute(statement.encode())
        connection.execute(f"select {COLUMNS} from event limit 0".encode())  # an error, if it lacks one
        [(name, key)] = connection.execute("select id, key from bridgehead").fetchall()
    return str(name), bytes(key)


def _refuse_newer(connection: psycopg.Connection[Any]) -> int:
    """The format of a database of ours. Errors: StorageError for one that this release does not read; nothing is written."""
    row = connection.execute("select format from bridgehead").fetchone()
    if row is not None and row[0] > FORMAT:
        raise StorageError("server:error.newer_release", version=row[0], format=FORMAT)
    if row is None or row[0] < OLDEST_FORMAT:
        raise StorageError("server:error.database_format_another_release_reads", row=row and row[0], format=FORMAT)
    return int(row[0])


def _upgrade(connection: psycopg.Connection[Any]) -> None:
    """Raise the format of an older database, unless an older release, which would misread what follows, is connected to it.

    Errors: StorageError.
    """
    if _refuse_newer(connection) < FORMAT:
        if connection.execute(OLDER_PROCESSES, (KEPT["application_name"],)).fetchone() != (0,):
            raise StorageError("server:error.older_workers_connected")
        connection.execute("update bridgehead set format = %s", (FORMAT,))
