"""Backups of the SQLite file: made while the server runs, checked, and restored."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

import apsw

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Phrase, detect_language
from bridgehead.server.catalogue import WORDS
from bridgehead.server.storage.audit import Audit
from bridgehead.server.storage.sqlite import BUSY, FILE, close_up, refuse_newer, tables_file


class TablesInUse(BridgeheadError):
    """A server has the tables open."""


def save(copy: Path, data: Path | None) -> str:
    """Copy all tables as they are at one moment, and check the copy. Returns a summary. Errors: BridgeheadError."""
    file = tables_file(data)
    if not file.exists():
        raise BridgeheadError("server:error.no_tables_kept_here", str(file))
    if copy.exists():
        raise BridgeheadError("server:error.such_file_already", str(copy))
    part = copy.with_name(f"{copy.name}.part")
    try:
        refuse_newer(file)
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # the copy contains the seeds of the dice
        with contextlib.closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            connection.set_busy_timeout(BUSY)
            connection.execute("vacuum into ?", (str(part),))
        summary = check(part)
        _settle(part)
        part.replace(copy)
    except (OSError, apsw.Error) as error:
        raise BridgeheadError("server:error.no_copy_could_made", str(copy), error=error) from None
    return f"{copy}: {summary}"


def put_back(copy: Path, data: Path | None) -> str:
    """Restore a checked copy. The old file is kept under another name. Returns a summary.

    Errors: BridgeheadError, also while a server has the file open; then nothing has changed.
    """
    file = tables_file(data)
    try:
        summary = check(copy)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh, aside = file.with_name(f"{FILE}.new"), file.with_name(f"{FILE}.before-{time.strftime('%Y%m%d-%H%M%S')}")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
            out.write(copy.read_bytes())
        _settle(fresh)
        if file.exists():
            close_up(file)
            file.rename(aside)
            summary += f"; what was there is now {aside.name}"
        fresh.rename(file)
        _settle(file)
    except apsw.BusyError:
        raise BridgeheadError("server:error.server_these_tables_open_stop", str(file)) from None
    except (OSError, apsw.Error) as error:
        raise BridgeheadError("server:error.copy_could_not_put_place", str(file), error=error) from None
    return f"{file}: {summary}"


def check(file: Path) -> str:
    """Audit a file and return a summary. Errors: BridgeheadError for a damaged file, or one of another program."""
    with Audit(file) as audit:
        for damage in audit.damages():
            raise BridgeheadError(damage.phrase, str(file))
        return WORDS.tell(Phrase("backup.whole", {"tables": audit.tables, "events": audit.events}), detect_language())


def compact(file: Path, whole: bool = True) -> None:
    """Give the space of deleted tables back to the disk. whole: False only checks that no server has the file open.

    Errors: BridgeheadError; TablesInUse while a server has the file open.
    """
    try:
        refuse_newer(file)
        close_up(file)
        if whole:
            with contextlib.closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
                connection.set_busy_timeout(BUSY)
                connection.execute("vacuum")
    except apsw.BusyError:
        raise TablesInUse("server:error.server_these_tables_open_stop", str(file)) from None
    except (OSError, apsw.Error) as error:
        raise BridgeheadError("server:error.file_cannot_read", str(file), error=error) from None


def _settle(file: Path) -> None:
    """Flush a file and its directory to the disk."""
    for each in (file, file.parent):
        if each.is_dir() and os.name != "posix":
            continue
        number = os.open(each, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
