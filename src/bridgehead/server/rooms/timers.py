"""Timers of rooms: they store events that are due because time has passed."""

from __future__ import annotations

import asyncio
import logging

from bridgehead.server.connections.connection import Connection
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.tasks import Tasks
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables import timeouts
from bridgehead.server.tables.table import Refused

log = logging.getLogger("bridgehead")
AGAIN = 2.0  # seconds until a failed write is tried again


class Timers:
    """One timer per room, reset after every change."""

    def __init__(self, tasks: Tasks, updates: Updates) -> None:
        self.tasks, self.updates = tasks, updates

    def set(self, room: Room) -> None:
        """Set the timer to the next event that will be due, and measure the round trip of the seat whose clock runs."""
        self._set(room, timeouts.next_due(room.table) if room.connections else None)
        clocks = room.table.clocks
        if clocks.has_banks:
            for connection in room.connections:
                if clocks.running in connection.you:
                    connection.probe()

    async def arrive(self, room: Room, connection: Connection) -> News:
        """Start clocks that waited for this page. Returns the reason for which the other pages get a view. Needs the lock."""
        try:
            if await timeouts.arrive(room.table, connection.you):
                return News.CHANGE
        except Conflict:
            await self.updates.refresh(room)
        except (StorageError, Refused):
            log.exception("an arrival could not be stored", extra={"table": room.table.id})
        return News.PRESENCE

    def _set(self, room: Room, seconds: float | None) -> None:
        room.stop_timer()
        if seconds is not None:
            room.timer = asyncio.get_running_loop().call_later(seconds, lambda: self.tasks.start(self._store_due(room)))

    async def _store_due(self, room: Room) -> None:
        async with room.table.lock:
            try:
                if await timeouts.store_due(room.table):
                    await self.updates.changed(room, people=bool(room.table.late))
                self.updates.wake(room)
            except Conflict:
                await self.updates.refresh(room)
            except Refused:
                pass  # the table is full
            except StorageError:
                log.exception("an event that was due could not be stored", extra={"table": room.table.id})
                self._set(room, AGAIN)
