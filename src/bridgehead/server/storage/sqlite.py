"""Event log in an SQLite file (journal_mode=WAL, synchronous=FULL), for one server process. Several share PostgreSQL."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from bridgehead.core.phrases import Phrase
from bridgehead.fairness import signatures
from bridgehead.players import book
from bridgehead.server.storage import correspondence, imports, people, seal_log
from bridgehead.server.storage.causes import DAMAGED, explain_failure
from bridgehead.server.storage.event_log import COLUMNS, FORMAT, Conflict, Event, StorageError
from bridgehead.server.storage.group_commit import Job, Result, WrittenLog

__all__ = ["Conflict", "Event", "StorageError", "Store"]

HERE = Path(__file__).parent
FILE = "bridgehead.sqlite"
BESIDE = ("-wal", "-shm")  # files that SQLite keeps next to the database
MAGIC, USER_VERSION = b"SQLite format 3\0", slice(60, 64)  # in the header of a file
SAFE_SQLITE = (3, 51, 3)  # older versions can corrupt the write-ahead log when two connections checkpoint at once
CHECKPOINT = 1000  # pages of the write-ahead log after which the writer copies them into the file
PRAGMAS = (
    "journal_mode = wal", "synchronous = full", "wal_autocheckpoint = 0", "foreign_keys = on", "trusted_schema = off",
    "temp_store = memory",  # keeps temporary data for the rollback of large statements in memory
)  # fmt: skip
UNSYNCED = (apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC)
PLACES = f"({', '.join('?' * (1 + len(Event._fields)))})"
INSERT = f"insert into event (game, {COLUMNS}) values {PLACES}"
ROWS = 32  # events in one statement
INSERT_MANY = f"{INSERT}{f', {PLACES}' * (ROWS - 1)}"
BUSY = 5000  # milliseconds to wait for another process that writes
FROM_1 = """
alter table event add column body text not null default '';
alter table event add column nonce blob not null default x'';
alter table event add column link blob not null default x'';
"""
SAID_ONCE = "create unique index if not exists said_key on said (game, key) where key <> ''"


def tables_file(folder: Path | None = None) -> Path:
    """The file of the tables. folder: None for the user's data folder."""
    if folder is None and sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", Path.home())) / "bridgehead" / "tables"
    elif folder is None:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bridgehead"
    return folder / FILE


class Store(WrittenLog):
    """Event log in a file. Errors: StorageError with the reason why the file cannot be used."""

    probe = f"pragma user_version = {FORMAT}"

    def __init__(self, file: Path) -> None:
        if tuple(map(int, apsw.sqlite_lib_version().split("."))) < SAFE_SQLITE:
            raise StorageError("server:error.sqlite_can_damage_log_3", sqlite_lib_version=apsw.sqlite_lib_version())
        try:
            refuse_newer(file)
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _reserve(file)
            if 0 < format_of(file) < FORMAT:
                close_up(file)  # an older release that has the file open would misread what follows
            self._writer = _open(file)
            if self._writer.readonly("main"):  # SQLite opens such a file too, and fails at the first commit
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
            _prepare(self._writer, file)
            self._reader = _open(file)
            self.key = seal_log.signing_key(file.with_suffix(".key"))
            self.shown = signatures.public_key(self.key).hex()
        except apsw.BusyError:
            raise StorageError("server:error.server_these_tables_open_stop", str(file)) from None
        except (OSError, apsw.Error) as error:
            raise StorageError("server:error.tables_cannot_kept_here", str(file), error=explain_failure(error)) from None
        self._pages = 0
        self._writer.set_wal_hook(self._count_pages)
        self._reading = threading.Lock()
        self.file = file
        super().__init__()

    def read(self, query: str, *values: object) -> list[Any]:
        try:
            with self._reading:
                return list(self._reader.execute(query, values))
        except apsw.Error as error:
            raise StorageError("server:error.log_cannot_read", error=explain_failure(error)) from error

    def _release(self) -> None:
        with self._reading, contextlib.suppress(apsw.Error):  # all confirmed data is already on the disk
            self._reader.close()
            self._writer.close()

    def _is_final(self, error: Exception) -> bool:
        return getattr(error, "extendedresult", 0) in UNSYNCED

    def _count_pages(self, connection: apsw.Connection, name: str, pages: int) -> int:
        self._pages = pages
        return int(apsw.SQLITE_OK)

    def _check_in(self) -> None:
        """Checkpoint a long write-ahead log in this thread, which handles failures."""
        if self._pages >= CHECKPOINT:
            self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    def _store(self, jobs: list[Job]) -> list[Result]:
        try:
            self._writer.execute("begin immediate")
            stored = _is_plain(jobs) and self._attempt(lambda: self._insert_many(jobs)) is None
            results = [None if stored else self._attempt(partial(self._insert, job)) for job in jobs]
            self._writer.execute("commit")
        except Exception:
            with contextlib.suppress(apsw.Error):
                if self._writer.in_transaction:
                    self._writer.execute("rollback")
            raise
        return results

    def _attempt(self, insert: Callable[[], None]) -> Result:
        """Store a part of a batch. A failed constraint or an impossible value rolls back this part only."""
        result: Result = None
        self._writer.execute("savepoint part")
        try:
            insert()
        except apsw.ConstraintError as error:
            result = Conflict("server:error.stored_already", error=error)
        except (TypeError, ValueError, OverflowError) as error:
            result = StorageError("server:error.cannot_stored", error=error)
        if result:
            self._writer.execute("rollback to part")
        self._writer.execute("release part")
        return result

    def _insert_many(self, jobs: list[Job]) -> None:
        """Insert plain jobs with few statements. At each, this thread releases the interpreter lock and waits to get it back."""
        rows = [(job.game, *event) for job in jobs for event in job.events]
        for first in range(0, len(rows) - ROWS + 1, ROWS):
            self._writer.execute(INSERT_MANY, tuple(itertools.chain.from_iterable(rows[first : first + ROWS])))
        self._writer.executemany(INSERT, rows[len(rows) // ROWS * ROWS :])

    def _insert(self, job: Job) -> None:
        if job.body is not None:
            self._writer.execute("insert into game values (?, ?, ?)", (job.game, job.body, time.time()))
        self._writer.executemany(INSERT, [(job.game, *event) for event in job.events])
        for event in job.events:
            if event.kind == seal_log.LISTED:
                seal_log.append_frozen_era(self._writer.execute, event.body)
        for statement, values in job.beside:
            self._writer.execute(statement, values)


def _is_plain(jobs: list[Job]) -> bool:
    """Are these several jobs with moves only, as in most batches?"""
    special = any(job.body is not None or job.beside or any(each.kind == seal_log.LISTED for each in job.events) for job in jobs)
    return len(jobs) > 1 and not special


def format_of(file: Path) -> int:
    """The format in the header of a file; 0 without one. A connection would write beside the file, so this opens none."""
    if not file.is_file():
        return 0
    with file.open("rb") as content:
        header = content.read(USER_VERSION.stop)
    return int.from_bytes(header[USER_VERSION], signed=True) if header.startswith(MAGIC) else 0


def refuse_newer(file: Path) -> None:
    """Refuse the file of a newer release, and touch nothing. Errors: StorageError, OSError."""
    if (version := format_of(file)) > FORMAT:
        raise StorageError("server:error.newer_release", str(file), version=version, format=FORMAT)


def close_up(file: Path) -> None:
    """Copy the write-ahead log into the file, and empty it. Errors: apsw.BusyError while another process has it open."""
    with contextlib.closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        connection.pragma("journal_mode", "delete")
    for each in BESIDE:
        file.with_name(file.name + each).unlink(missing_ok=True)


def _open(file: Path) -> Any:
    connection = apsw.Connection(str(file))
    connection.set_busy_timeout(BUSY)
    for pragma in PRAGMAS:
        connection.execute(f"pragma {pragma}").fetchall()
    return connection


def _reserve(file: Path) -> None:
    """Create the file before SQLite does, readable by its owner only, because it contains the seeds of the dice."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _prepare(connection: Any, file: Path) -> None:
    """Create the tables of a new file, and upgrade an older one. Errors: StorageError for a file of another program or release.

    A new format is in the file's header before anything is stored in it: `format_of` does not read the write-ahead log.
    """
    with connection:
        version = connection.pragma("user_version")
        if version == 0 and not connection.execute("select 1 from sqlite_schema").fetchone():
            connection.execute((HERE / "sqlite.sql").read_text("utf-8"))
        elif version == 1:
            connection.execute(FROM_1)
        elif version not in range(1, FORMAT + 1):
            raise StorageError("server:error.format_another_release_reads_format", str(file), version=version, format=FORMAT)
        _create_missing(connection)
        _expect_whole(connection, file)
        if version != FORMAT:
            connection.pragma("user_version", FORMAT)
    if format_of(file) != FORMAT:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_FULL)


def _create_missing(connection: Any) -> None:
    """Create the tables beside the event log that a file does not have."""
    connection.execute((HERE / "sqlite_aside.sql").read_text("utf-8"))
    connection.execute(correspondence.SQLITE)
    connection.execute(imports.SCHEMA.format(blob="blob", real="real") + " strict, without rowid")
    for statement in book.SCHEMA:
        connection.execute(statement.format(blob="blob", real="real", strict=" strict, without rowid"))
    for statement in people.schema(people.SQLITE, " strict, without rowid"):
        connection.execute(statement)
    if "key" not in [row[1] for row in connection.execute("pragma table_info(said)")]:
        connection.execute("alter table said add column key text not null default ''")
    connection.execute(SAID_ONCE)


def _expect_whole(connection: Any, file: Path) -> None:
    """Compare the tables of a file with those of a new one. Errors: StorageError if a part is missing."""
    with contextlib.closing(apsw.Connection(":memory:")) as model:
        model.execute((HERE / "sqlite.sql").read_text("utf-8"))
        _create_missing(model)
        missing = sorted(_parts(model) - _parts(connection))
    if missing:
        raise StorageError(
            "server:error.tables_cannot_kept_here", str(file), error=Phrase(DAMAGED, {"error": f"no {missing[0]}"})
        )


def _parts(connection: Any) -> set[str]:
    """The tables, their columns with the places in the primary key, and what is unique in them."""
    found = set()
    columns = "select name, pk from pragma_table_info(?)"
    unique = (
        'select group_concat(i.name) from pragma_index_list(?) l, pragma_index_info(l.name) i where l."unique" group by l.name'
    )
    for (table,) in connection.execute("select name from sqlite_schema where type = 'table'").fetchall():
        found.add(f"table {table}")
        found |= {
            f"table {table}, column {name}, key {place}" for name, place in connection.execute(columns, (table,)).fetchall()
        }
        found |= {f"table {table}, unique {names}" for (names,) in connection.execute(unique, (table,)).fetchall()}
    return found
