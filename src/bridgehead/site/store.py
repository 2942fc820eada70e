"""Event log of one browser: SQLite in memory, and every row kept by the browser (IndexedDB) before anybody sees it.

A table's row 0 is the table itself, rows 1, 2, ... are its events, each as a JSON text. Rows of "imported:HASH" are the actions
of a record that a table continues. Short codes, chat and the lobby last as long as the page.
"""

from __future__ import annotations

import base64
import json
import sqlite3
import time
from collections.abc import Sequence
from importlib import resources
from typing import Any, Protocol

from bridgehead.players import book
from bridgehead.server.storage import imports
from bridgehead.server.storage.event_log import COLUMNS, Conflict, Event, EventLog, Statement, StorageError

INSERT = f"insert into event (game, {COLUMNS}) values ({', '.join('?' * (1 + len(Event._fields)))})"
IMPORTED = "imported:"
TAKEN = "ConstraintError"  # the name of IndexedDB's error for a key that exists
Row = tuple[str, int, str]  # a table, a number, a text


class Browser(Protocol):
    """What keeps the rows, as JSON, and has the pages."""

    async def rows(self, table: str) -> str:
        """The stored rows of a table as JSON: [[number, text], …], ascending."""

    async def tables(self) -> str:
        """[name, ...] of all tables, as JSON."""

    async def keep(self, rows: str) -> None:
        """Keep [[table, number, text], ...], all or none. Errors: one named TAKEN if such a row exists; any other."""

    def help(self, number: int) -> bool:
        """Ask a page to start further thinking workers under this number, or all pages to end theirs (0). Is there a page?"""


class BrowserLog(EventLog):
    """Event log of a browser. `load` a table before it is read."""

    alone = True
    key, shown = b"", ""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        folder = resources.files("bridgehead") / "server" / "storage"
        for name in ("sqlite.sql", "sqlite_aside.sql"):
            self._memory.executescript((folder / name).read_text("utf-8"))
        for statement in (imports.SCHEMA, *book.SCHEMA):
            self._memory.execute(statement.format(blob="blob", real="real", strict=""))
        self._loaded: set[str] = set()

    async def tables(self) -> list[str]:
        """The tables that the browser keeps. Errors: StorageError."""
        try:
            names = json.loads(str(await self.browser.tables()))
        except Exception as error:
            raise StorageError("server:error.log_cannot_read", error=error) from None
        return [name for name in names if not name.startswith(IMPORTED)]

    async def load(self, table: str, again: bool = False) -> None:
        """Read what is kept of a table, unless that was done. Errors: StorageError."""
        if table in self._loaded and not again:
            return
        try:
            rows = json.loads(str(await self.browser.rows(table)))
        except Exception as error:
            raise StorageError("server:error.log_cannot_read", error=error) from None
        known = self._newest(table)
        for number, text in rows:
            if number > known:
                self._insert(table, number, text)
        if rows:
            self._loaded.add(table)
        if rows and len(rows) > 1 and json.loads(rows[1][1])[2] == "import":
            await self.load(IMPORTED + json.loads(json.loads(rows[1][1])[7])["hash"])

    def _newest(self, table: str) -> int:
        """The newest event of a table in memory; -1 if it is not there."""
        query = "select max(version) from event where game = ?"
        return -1 if self.body(table) is None else self.read(query, table)[0][0] or 0

    def _insert(self, table: str, number: int, text: str) -> None:
        if table.startswith(IMPORTED):
            self._run(imports.KEEP, (table.removeprefix(IMPORTED), base64.b64decode(text), time.time()))
        elif number == 0:
            self._run("insert into game values (?, ?, ?)", (table, text, time.time()))
        else:
            *parts, nonce, link = json.loads(text)
            self._run(INSERT, (table, *parts, bytes.fromhex(nonce), bytes.fromhex(link)))

    async def create(self, game: str, body: str, events: Sequence[Event]) -> None:
        await self._keep([(game, 0, body), *_rows(game, events)])
        self._loaded.add(game)

    async def append(self, game: str, events: Sequence[Event]) -> None:
        await self._keep(_rows(game, events))

    async def write(self, *beside: Statement) -> None:
        rows = [
            (IMPORTED + values[0], 0, base64.b64encode(values[1]).decode())
            for statement, values in beside
            if statement == imports.KEEP and not self.read(imports.KNOWN, values[0])
        ]
        if rows:
            await self._keep(rows)
        for statement, values in beside:
            self._run(statement, values)

    def read(self, query: str, *values: object) -> list[Any]:
        return self._memory.execute(query, values).fetchall()

    def close(self) -> None:
        self._memory.close()

    async def _keep(self, rows: list[Row]) -> None:
        """Take rows into memory, and let the browser keep them. Errors: Conflict, StorageError; then they are not in memory."""
        self._memory.execute("savepoint kept")
        try:
            for row in rows:
                self._insert(*row)
        except Conflict:
            self._memory.execute("rollback to kept")
            raise
        finally:
            self._memory.execute("release kept")
        try:
            await self.browser.keep(json.dumps(rows, ensure_ascii=False))
        except Exception as error:
            for table, number, _ in rows:
                self._drop(table, number)
            if getattr(error, "name", "") != TAKEN:
                raise StorageError("server:error.log_cannot_written", error=error) from None
            for table in dict.fromkeys(table for table, _, _ in rows):
                await self.load(table, again=True)
            raise Conflict("server:error.stored_already", error=error) from None

    def _drop(self, table: str, number: int) -> None:
        query = ("delete from event where game = ? and version = ?", (table, number))
        if table.startswith(IMPORTED):
            query = ("delete from imported where hash = ?", (table.removeprefix(IMPORTED),))  # type: ignore[assignment]
        elif number == 0:
            query = ("delete from game where id = ?", (table,))  # type: ignore[assignment]
        self._run(*query)

    def _run(self, statement: str, values: tuple[Any, ...]) -> None:
        try:
            self._memory.execute(statement, values)
        except sqlite3.IntegrityError as error:
            raise Conflict("server:error.stored_already", error=error) from None


def _rows(game: str, events: Sequence[Event]) -> list[Row]:
    """Events as rows to keep."""
    texts = (json.dumps([*event[:-2], event.nonce.hex(), event.link.hex()], ensure_ascii=False) for event in events)
    return [(game, event.version, text) for event, text in zip(events, texts, strict=True)]
