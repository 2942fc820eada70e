"""Damage in the log of a table, as a release with a mistake or a hand in the file makes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw

from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import COLUMNS, Event


def chained(table: str, body: str, events: list[Event]) -> list[Event]:
    """The events with a hash chain that is whole."""
    return hash_chain.chain_events(hash_chain.first_link(table, body), events)


def relink(file: Path, table: str, change: Callable[[Event], Event]) -> None:
    """Change the events of a table in a file, and make its hash chain whole again."""
    with apsw.Connection(str(file)) as connection:
        body = connection.execute("select body from game where id = ?", (table,)).get
        rows = connection.execute(f"select {COLUMNS} from event where game = ? order by version", (table,)).fetchall()
        events = chained(table, body, [change(Event(*row)) for row in rows])
        connection.execute("delete from event where game = ?", (table,))
        places = ", ".join("?" * len(Event._fields))
        connection.executemany(f"insert into event (game, {COLUMNS}) values (?, {places})", [(table, *each) for each in events])
    connection.close()
