"""Detects a log that was rolled back, as by restoring an old copy, and freezes its table (T27).

Without this, a rollback would let a player roll the same dice again.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Mapping
from typing import Any

from bridgehead.server.connections.connection import CloseConnection
from bridgehead.server.messages.client import Hello
from bridgehead.server.rooms.peers import Peers
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.tables.table import Table

log = logging.getLogger("bridgehead")


class RollbackGuard:
    """The tables that are frozen until the server stops. rooms: the tables with pages at them."""

    def __init__(self, rooms: Mapping[str, Room], peers: Peers, updates: Updates) -> None:
        self._rooms, self._peers, self._updates = rooms, peers, updates
        self.frozen: set[str] = set()
        peers.receivers["behind"] = self._receive

    async def check(self, table: Table, hello: Hello) -> None:
        """Check that the log holds all versions that the page has seen. Errors: CloseConnection if not; StorageError.

        If the page's mark proves a missing version, the table is frozen for everybody. Without proof, only the page is rejected.
        """
        if hello.last > table.version:
            async with table.lock:
                room = self._rooms.get(table.id)
                await (table.refresh() if room is None else self._updates.refresh(room))
        if self.freeze(table, hello.last, hello.mark):
            self._peers.send(table.id, "behind", [hello.last, hello.mark])
        if hello.last > table.version or table.id in self.frozen:
            raise CloseConnection("behind", "bye.behind")

    def freeze(self, table: Table, last: int, mark: str) -> bool:
        """Freeze a table if the mark proves that somebody has seen a later version; True if it does."""
        if last <= table.version or not hmac.compare_digest(mark.encode(), table.mark(last).encode()):
            return False
        if table.id not in self.frozen:
            log.error("a table's log is older than what people saw of it: frozen", extra={"table": table.id})
        self.frozen.add(table.id)
        room = self._rooms.get(table.id)
        for connection in room.connections if room else ():
            connection.dismiss(CloseConnection("behind", "bye.behind"))
        return True

    def _receive(self, room: Room, sender: str, message: Any) -> None:
        last, mark = message
        self.freeze(room.table, int(last), str(mark))
