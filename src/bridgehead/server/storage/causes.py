"""Why nothing can be kept: the errors of the disk, of SQLite and of PostgreSQL as sentences that say what to do."""

from __future__ import annotations

import errno

import apsw

from bridgehead.core.phrases import Phrase, plain

FULL, CLOSED, DAMAGED = "server:cause.full", "server:cause.closed", "server:cause.damaged"
SYSTEM = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EACCES: CLOSED, errno.EPERM: CLOSED, errno.EROFS: CLOSED}
SQLITE: dict[int, str] = {
    apsw.SQLITE_FULL: FULL, apsw.SQLITE_IOERR_SHMSIZE: FULL, apsw.SQLITE_READONLY: CLOSED, apsw.SQLITE_PERM: CLOSED,
    apsw.SQLITE_CANTOPEN: CLOSED, apsw.SQLITE_CORRUPT: DAMAGED, apsw.SQLITE_NOTADB: DAMAGED,
}  # fmt: skip
# Disk full; read-only transaction, no privilege; data or index corrupted, undefined column, undefined table.
POSTGRES = {
    "53100": FULL,
    "25006": CLOSED,
    "42501": CLOSED,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
    "42703": DAMAGED,
    "42P01": DAMAGED,
}
MISSING = "no such table", "no such column", "has no column named"  # how SQLite begins to say that its tables are others


def explain_failure(error: BaseException) -> Phrase:
    """The cause of a failure and what to do about it, or else what the error says."""
    text = str(error) or type(error).__name__
    known = _known(error, text)
    return Phrase(known, {"error": text}) if known else plain(text)


def _known(error: BaseException, text: str) -> str:
    """The key of the sentence for an error; "" for any other."""
    if isinstance(error, OSError):
        return SYSTEM.get(error.errno or 0, "")
    if isinstance(error, apsw.SQLError) and any(each in text for each in MISSING):
        return DAMAGED
    if isinstance(error, apsw.Error):
        extended = getattr(error, "extendedresult", 0)
        return SQLITE.get(extended) or SQLITE.get(extended & 0xFF, "")
    return POSTGRES.get(getattr(error, "sqlstate", None) or "", "")
