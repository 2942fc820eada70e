"""Copies of all tables in a file of SQLite: made while they are played, checked, and put back."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Any

import apsw

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import COLUMNS, FORMAT, Event
from bridgehead.server.storage.sqlite import FILE, tables_file

BESIDE = ("-wal", "-shm")  # files that SQLite keeps beside its own


def save(copy: Path, data: Path | None) -> str:
    """Copy the tables as they are at one moment, and check the copy; what was copied, in words. Errors: BridgeheadError."""
    file = tables_file(data)
    if not file.exists():
        raise BridgeheadError("server:error.no_tables_kept_here", str(file))
    if copy.exists():
        raise BridgeheadError("server:error.such_file_already", str(copy))
    part = copy.with_name(f"{copy.name}.part")
    try:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # the seeds of the dice are in the copy too
        with _opened(file, apsw.SQLITE_OPEN_READWRITE) as connection:
            connection.execute("vacuum into ?", (str(part),))
        told = check(part)
        _settle(part)
        part.replace(copy)
    except (OSError, apsw.Error) as error:
        raise BridgeheadError("server:error.no_copy_could_made", str(copy), error=error) from None
    return f"{copy}: {told}"


def put_back(copy: Path, data: Path | None) -> str:
    """Put a checked copy in the place of the tables, which are moved aside; what was done, in words.

    Errors: BridgeheadError, also while a server has the tables open; then nothing is changed.
    """
    file = tables_file(data)
    told = check(copy)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh, aside = file.with_name(f"{FILE}.new"), file.with_name(f"{FILE}.before-{time.strftime('%Y%m%d-%H%M%S')}")
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
            out.write(copy.read_bytes())
        _settle(fresh)
        if file.exists():
            _close_up(file)
            file.rename(aside)
            told += f"; what was there is now {aside.name}"
        fresh.rename(file)
        _settle(file)
    except apsw.BusyError:
        raise BridgeheadError("server:error.server_these_tables_open_stop", str(file)) from None
    except (OSError, apsw.Error) as error:
        raise BridgeheadError("server:error.copy_could_not_put_place", str(file), error=error) from None
    return f"{file}: {told}"


def check(file: Path) -> str:
    """Look through a file of tables; how much is in it, in words. Errors: BridgeheadError for one that is none or damaged."""
    try:
        with _opened(file, apsw.SQLITE_OPEN_READONLY) as connection:
            if connection.pragma("user_version") not in range(1, FORMAT + 1):
                raise BridgeheadError("server:error.these_no_tables_bridgehead", str(file))
            if connection.pragma("quick_check") != "ok":
                raise BridgeheadError("server:error.file_damaged", str(file))
            tables, events = 0, 0
            for table, body in connection.execute("select id, body from game"):
                events += _checked(connection, table, body, file)
                tables += 1
    except (OSError, apsw.Error) as error:
        raise BridgeheadError("server:error.cannot_read", str(file), error=error) from None
    return f"{tables} tables, {events} events, all whole"


def _checked(connection: apsw.Connection, table: str, body: str, file: Path) -> int:
    """How many events a table has. Errors: BridgeheadError where they do not follow from one another."""
    columns = COLUMNS if connection.pragma("user_version") == FORMAT else "version, key, kind, actor, action, by, time"
    rows = connection.execute(f"select {columns} from event where game = ? order by version", (table,))
    log = [Event(*row) for row in rows]
    wrong = hash_chain.broken(hash_chain.first(table, body), log)
    if wrong is not None:
        raise BridgeheadError("server:error.table_damaged_event_does_not", str(file), table=table, wrong=wrong)
    return len(log)


def _close_up(file: Path) -> None:
    """Bring everything into the one file. Errors: apsw.BusyError while somebody else has it open."""
    with _opened(file, apsw.SQLITE_OPEN_READWRITE) as connection:
        connection.set_busy_timeout(0)
        connection.pragma("journal_mode", "delete")
    for each in BESIDE:
        with contextlib.suppress(FileNotFoundError):
            file.with_name(file.name + each).unlink()


@contextlib.contextmanager
def _opened(file: Path, flags: int) -> Any:
    connection = apsw.Connection(str(file), flags=flags)
    try:
        connection.set_busy_timeout(5000)
        yield connection
    finally:
        connection.close()


def _settle(file: Path) -> None:
    """Bring a file and its name to the disk."""
    for each in (file, file.parent):
        if each.is_dir() and os.name != "posix":
            continue
        number = os.open(each, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
