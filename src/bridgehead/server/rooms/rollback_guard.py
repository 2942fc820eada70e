"""Tables whose log has fallen behind what people saw, as after an old copy was restored: nobody may play on there (T27).

Else the same dice could be rolled again by whoever did not like them.
"""

from __future__ import annotations

import hmac
import logging
from typing import TYPE_CHECKING

from bridgehead.server.connections.connection import CloseConnection

if TYPE_CHECKING:
    from bridgehead.server.messages.client import Hello
    from bridgehead.server.rooms.room_manager import RoomManager
    from bridgehead.server.tables.table import Table

log = logging.getLogger("bridgehead")


class Behind:
    """Which tables are frozen, until the server stops."""

    def __init__(self, manager: RoomManager) -> None:
        self._manager = manager
        self.frozen: set[str] = set()

    async def refuse(self, table: Table, hello: Hello) -> None:
        """Errors: CloseConnection where somebody has seen more of a table than there is; StorageError.

        Who proves it freezes the table for all; who only says so is sent away alone.
        """
        if hello.last > table.version:
            async with table.lock:
                await table.refresh()
        if self.freeze(table, hello.last, hello.mark) and self._manager.others:
            self._manager.others.tell(table.id, "behind", [hello.last, hello.mark])
        if hello.last > table.version or table.id in self.frozen:
            raise CloseConnection("behind", "bye.behind")

    def freeze(self, table: Table, last: int, mark: str) -> bool:
        """Let nobody play on if a mark proves that somebody has seen more; does it?"""
        if last <= table.version or not hmac.compare_digest(mark.encode(), table.mark(last).encode()):
            return False
        if table.id not in self.frozen:
            log.error("%s: its log has fallen behind what people saw; was an old copy restored? Nobody can play on", table.id)
        self.frozen.add(table.id)
        room = self._manager.rooms.get(table.id)
        for connection in room.connections if room else ():
            connection.dismiss(CloseConnection("behind", "bye.behind"))
        return True
