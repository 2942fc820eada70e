"""A room's bell: it rings when something is due at a table because time has passed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from bridgehead.server.connections.connection import Connection
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables import timeouts
from bridgehead.server.tables.table import Refused

if TYPE_CHECKING:
    from bridgehead.server.rooms.room import Room

log = logging.getLogger("bridgehead")
AGAIN = 2.0  # seconds after which what could not be stored is tried again


class RoomTimers:
    """finish: does something to its end; refresh: another process has written to the log; wake: a computer may be to act;
    changed: something was stored, which everybody is to hear."""

    def __init__(
        self,
        room: Room,
        finish: Callable[[Coroutine[Any, Any, None]], Awaitable[None]],
        refresh: Callable[[Room], Awaitable[None]],
        wake: Callable[[Room], None],
        changed: Callable[[Room], Awaitable[None]],
    ) -> None:
        self.room, self.finish, self.refresh, self.wake, self.changed = room, finish, refresh, wake, changed
        self._timer: asyncio.TimerHandle | None = None
        self._ringing: asyncio.Task[None] | None = None

    def set(self) -> None:
        """Ring when the next thing is due at the table as it is now; measure the line to whose clock runs."""
        self._set(timeouts.alarm(self.room.table) if self.room.connections else None)
        clocks = self.room.table.clocks
        if clocks.has_banks:
            for connection in self.room.connections:
                if clocks.running in connection.you:
                    connection.echo()

    def stop(self) -> None:
        self._set(None)

    async def arrive(self, connection: Connection) -> News:
        """Somebody has come: what the others are told. Clocks that waited for it run. Holders of the lock only."""
        try:
            if await timeouts.arrive(self.room.table, connection.you):
                return News.CHANGE
        except Conflict:
            await self.refresh(self.room)
        except (StorageError, Refused):
            log.exception("%s: it could not be stored that somebody has come", self.room.table.id)
        return News.PRESENCE

    def _set(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._begin)

    def _begin(self) -> None:
        self._ringing = asyncio.ensure_future(self.finish(self._ring()))

    async def _ring(self) -> None:
        room = self.room
        async with room.table.lock:
            try:
                if await timeouts.ring(room.table):
                    await self.changed(room)
                self.wake(room)
            except Conflict:
                await self.refresh(room)
            except Refused:
                pass  # the table holds no more
            except StorageError:
                log.exception("%s: what is due could not be stored", room.table.id)
                self._set(AGAIN)
