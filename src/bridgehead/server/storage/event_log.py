"""The append-only event log of all tables, as they use it. `group_commit` writes it for a server, in SQLite or PostgreSQL.

An event is stored before any page sees it. `(game, version)` and `(game, key)` are unique, so a message that is sent twice
is stored once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bridgehead.core.errors import BridgeheadError
from bridgehead.fairness import bgf2, signatures
from bridgehead.fairness.statements import Listed, SignedHead
from bridgehead.server.messages.sealing import SealLogRow
from bridgehead.server.storage import seal_log

# The format of the stored data. It rises with every change of what stored events mean, so that an older release refuses them.
# 1: events without bodies; 2: bodies and the hash chain; 3: as 2, since releases of 2 read eras of sealed chance in two ways.
FORMAT = 3
# A digest of the structs of stored tables and events in this format: `tests/server/test_formats.py` compares and explains it.
MEANING = "9e7a03f44fc1844c"


class Event(NamedTuple):
    """One event of a table's log. version: counts from 1 without gaps.

    kind: "action", "undo", or another key of `event_handlers.HANDLERS`; actor: a seat or CHANCE; action: -1 if the kind has
    none; by: "person", "chance", the level of a computer player, "fallback" if that player failed, or "fork" if
    the match continues a record. time: Unix seconds; body: JSON of an `event_bodies` struct, or ""; nonce, link: see
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


COLUMNS = ", ".join(Event._fields)


class Conflict(BridgeheadError):
    """The log already has another event of that version or key."""


class StorageError(BridgeheadError):
    """Writing failed. Nothing of the request is stored, unless the connection to the database broke during the commit."""


Statement = tuple[str, tuple[Any, ...]]  # SQL that both databases understand, with ? for each value


def insert_events(game: str, events: Sequence[Event]) -> list[Statement]:
    """Statements that store events of a table, for changes of several tables at once. No era of sealed chance may begin there."""
    insert = f"insert into event (game, {COLUMNS}) values ({', '.join('?' * (1 + len(Event._fields)))})"
    return [(insert, (game, *event)) for event in events]


class EventLog(ABC):
    """Event log. Appending is asynchronous and returns after the commit. Reading waits for the disk: call it in a thread.

    shared: other processes usually write to the same log; alone: it is the log of one browser, whose random generator is
    chance; file: its path, if it is a file; key: the private key that signs transcripts; shown: the public key, hex.
    """

    shared = alone = False
    key: bytes
    shown: str
    file: Path | None = None

    @abstractmethod
    async def create(self, game: str, body: str, events: Sequence[Event]) -> None:
        """Store a new table with its first events. Errors: Conflict if the id exists, StorageError."""

    @abstractmethod
    async def append(self, game: str, events: Sequence[Event]) -> None:
        """Store events, all or none. Returns when they are on the disk. Errors: Conflict, StorageError."""

    @abstractmethod
    async def write(self, *beside: Statement) -> None:
        """Run statements outside the log, all or none. Returns when they are on the disk. Errors: as `append`."""

    @abstractmethod
    def read(self, query: str, *values: object) -> list[Any]:
        """Rows of an SQL query with ? for each value. Errors: StorageError."""

    def body(self, game: str) -> str | None:
        """JSON of the table as it was created; None if there is no such table."""
        rows = self.read("select body from game where id = ?", game)
        return str(rows[0][0]) if rows else None

    def events(self, game: str, after: int = 0) -> list[Event]:
        """The events of a table after version `after`."""
        query = f"select {COLUMNS} from event where game = ? and version > ? order by version"
        return [Event(*row) for row in self.read(query, game, after)]

    def read_seal_log(self, first: int) -> list[SealLogRow]:
        """A page of the seal log, from that row on."""
        rows = self.read(f"select n, gid, root, link from sealed where n >= ? order by n limit {seal_log.PAGE}", first)
        return [SealLogRow(*row) for row in rows]

    def find_listed_era(self, era: str) -> Listed | None:
        """The signed row of an era of BGF2 in the seal log; None if it has no row."""
        rows = self.read("select n, link from sealed where gid = ?", era)
        if not rows:
            return None
        (n, link), before = rows[0], self.read("select link from sealed where n = ?", rows[0][0] - 1)
        return Listed(n, before[0][0] if before else seal_log.FIRST, link, self._signed_head(n, link))

    def head(self) -> SignedHead | None:
        """The newest row of the seal log, signed; None if it is empty."""
        rows = self.read("select n, link from sealed order by n desc limit 1")
        return SignedHead(rows[0][0], rows[0][1], self._signed_head(*rows[0])) if rows else None

    def _signed_head(self, n: int, link: str) -> str:
        return signatures.sign(self.key, bgf2.list_statement(n, bytes.fromhex(link))).hex()

    @abstractmethod
    def close(self) -> None:
        """Commit what is queued, and close all connections."""
