"""Retention: which tables may be deleted, and how. A table is deleted whole, so every other hash chain stays as it is.

The seal log keeps the rows of deleted tables, so its chain stays whole too. A row names no table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from bridgehead.players import book
from bridgehead.server.storage import correspondence
from bridgehead.server.storage.event_log import EventLog, Statement

PAGE = 200  # tables in one query; a long query would keep readers waiting
DAY = 86_400.0
SLOW = 60.0  # days for which a table with days for each turn is kept at least, although nobody has decided anything there
# Each table with its last event, whether a person or a computer has decided anything there, and whether its turns have days.
QUERY = f"""
select g.id, g.created,
    (select e.version from event e where e.game = g.id order by e.version desc limit 1),
    (select e.time from event e where e.game = g.id order by e.version desc limit 1),
    exists (select 1 from event e where e.game = g.id and e.kind = 'action' and e.by not in ('chance', 'fork')),
    exists (select 1 from wake w where w.game = g.id)
from game g where g.id > ? order by g.id limit {PAGE}"""
IMPORTS = f"""
select g.id, e.body from game g join event e on e.game = g.id and e.version = 1 and e.kind = 'import'
where g.id > ? order by g.id limit {PAGE}"""
UNUSED = "select hash from imported where used < ?"


class Policy(NamedTuple):
    """Days without an event after which a table is deleted; 0: never. idle: whether it was played or not."""

    unplayed: float = 7.0
    idle: float = 0.0


class Expired(NamedTuple):
    """A table that may be deleted. version: its last event; played: somebody has decided something there."""

    id: str
    version: int
    played: bool

    @property
    def statements(self) -> list[Statement]:
        """Delete it. They fail together if it has got a newer event, because a table with events cannot be deleted."""
        return [
            ("delete from said where game = ?", (self.id,)),
            ("delete from listed where game = ?", (self.id,)),
            ("delete from code where game = ?", (self.id,)),
            *((query, (self.id,)) for query in book.FORGET),
            *correspondence.over(self.id),
            ("delete from played where game = ?", (self.id,)),
            ("delete from luck where game = ?", (self.id,)),
            ("delete from event where game = ? and not exists (select 1 from event n where n.game = ? and n.version > ?)",
             (self.id, self.id, self.version)),
            ("delete from game where id = ?", (self.id,)),
        ]  # fmt: skip


def find_expired(store: EventLog, policy: Policy, now: float) -> Iterator[Expired]:
    """The tables that may be deleted. Reading waits for the disk: call it in a thread. Errors: StorageError."""
    for table, created, version, last, played, is_slow in _pages(store, QUERY):
        quiet = (now - max(created, last or created)) / DAY
        unplayed = max(policy.unplayed, SLOW * bool(is_slow))
        if (policy.idle and quiet >= policy.idle) or (policy.unplayed and not played and quiet >= unplayed):
            yield Expired(table, version or 0, bool(played))


def _pages(store: EventLog, query: str) -> Iterator[Any]:
    """The rows of a query that is ordered by the id of a table, its first column."""
    after = ""
    while rows := store.read(query, after):
        yield from rows
        after = rows[-1][0]


def expire_imports(store: EventLog, now: float) -> list[Statement]:
    """Statements that delete imported actions which no table names and nobody has imported for a day. Errors: StorageError."""
    old = {row[0] for row in store.read(UNUSED, now - DAY)}
    if old:
        old -= {msgspec.json.decode(body)["hash"] for _, body in _pages(store, IMPORTS)}
    return [("delete from imported where hash = ? and used < ?", (digest, now - DAY)) for digest in sorted(old)]


async def prune(store: EventLog, policy: Policy, now: float, delete: bool = True) -> list[Expired]:
    """Delete expired tables of a store that no server has in use; returns them. Errors: StorageError, Conflict."""
    found = list(find_expired(store, policy, now))
    if delete:
        for each in found:
            await store.write(*each.statements)
        if unused := expire_imports(store, now):
            await store.write(*unused)
    return found
