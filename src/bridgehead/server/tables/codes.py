"""Names of tables: the long id that links carry, and a short code to read aloud, which ends when the table is full.

An id cannot be guessed: it has 100 bits. A code can,
so the server limits wrong ones (`rate_limits.WrongCodeLimit`). A code lasts for
DAYS at most. Older tables have an id of five letters, which serves as their code and does not end.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time

from bridgehead.core.spec import OVER
from bridgehead.server.storage.event_log import Conflict, EventLog, StorageError
from bridgehead.server.tables.table import Table

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # people read codes aloud and type them: no I, no O, no digits
LONG = 22  # letters of an id
SHORT = 6  # letters of a code
OLD = 5  # letters of an id in older releases
DAYS = 7
TRIES = 5  # attempts to find a code that no other table has

FIND = "select game from code where code = ? and until > ?"
OF = "select code from code where game = ? and until > ?"
END = "delete from code where game = ? or until < ?"
GIVE = "insert into code values (?, ?, ?)"


def fresh_id() -> str:
    """A new id of a table."""
    return _drawn(LONG)


def fresh_code() -> str:
    """A short code, which another table or tournament may have."""
    return _drawn(SHORT)


def can_be_guessed(name: str) -> bool:
    """Is it a code, or an id as short as one?"""
    return len(name) < LONG


def is_code(name: str) -> bool:
    """Could it be the code of a table, or the id of an old one?"""
    return len(name) in (OLD, SHORT) and set(name) <= set(LETTERS)


class Codes:
    """The codes of all tables. They stand in the database, so all servers over it know them."""

    def __init__(self, store: EventLog) -> None:
        self.store = store

    async def table_of(self, name: str) -> str:
        """The id of the table with this code; the name itself if no table has it. Errors: StorageError."""
        rows = await asyncio.to_thread(self.store.read, FIND, name, time.time())
        return str(rows[0][0]) if rows else name

    def of(self, table: str) -> str:
        """The code of a table; "" if it has none. Waits for the disk: call it in a thread. Errors: StorageError."""
        if can_be_guessed(table):
            return table
        rows = self.store.read(OF, table, time.time())
        return str(rows[0][0]) if rows else ""

    async def give(self, table: Table) -> None:
        """Give a table a new code. Errors: none; a table that gets no code is reached by its links."""
        with contextlib.suppress(StorageError):
            for _ in range(TRIES):
                code, now = _drawn(SHORT), time.time()
                try:
                    await self.store.write((END, (table.id, now)), (GIVE, (code, table.id, now + DAYS * 86_400)))
                except Conflict:  # another table has this code
                    continue
                table.code = code
                return

    async def follow(self, table: Table) -> None:
        """End the code of a table that is full or over; give one to a table whose seat somebody has opened. Errors: none."""
        if can_be_guessed(table.id):
            return
        free = table.actor != OVER and any(seat.free for seat in table.seats)
        if free and not table.code:
            await self.give(table)
        elif table.code and (table.actor == OVER or (not free and table.persons <= table.attendance.here)):
            with contextlib.suppress(StorageError):
                await self.store.write((END, (table.id, time.time())))
                table.code = ""


def _drawn(letters: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(letters))
