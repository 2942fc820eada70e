"""Timers of rooms: they store events that are due because time has passed. A clock runs out, or a proposal lapses."""

from __future__ import annotations

import asyncio
import logging
import secrets

from bridgehead.core.ending import TIME
from bridgehead.server.connections.connection import Connection
from bridgehead.server.rooms.room import Room, Tasks
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.table import NewEvent, Refused, Table

log = logging.getLogger("bridgehead")
AGAIN = 2.0  # seconds until a failed write is tried again


class Timers:
    """One timer per room, reset after every change."""

    def __init__(self, tasks: Tasks, updates: Updates) -> None:
        self.tasks, self.updates = tasks, updates

    def set(self, room: Room) -> None:
        """Set the timer to the next event that will be due, and measure the round trip of the seat whose clock runs."""
        self._set(room, next_due(room.table) if room.connections else None)
        clocks = room.table.clocks
        if clocks.has_banks:
            for connection in room.connections:
                if clocks.running in connection.you:
                    connection.probe()

    async def arrive(self, room: Room, connection: Connection) -> News:
        """Start clocks that waited for this page. Returns the reason for which the other pages get a view. Needs the lock."""
        try:
            if await arrive(room.table, connection.you):
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
                if await store_due(room.table):
                    await self.updates.changed(room, people=bool(room.table.late))
                self.updates.wake(room)
            except Conflict:
                await self.updates.refresh(room)
            except Refused:
                pass  # the table is full
            except StorageError:
                log.exception("an event that was due could not be stored", extra={"table": room.table.id})
                self._set(room, AGAIN)


async def arrive(table: Table, you: frozenset[int]) -> bool:
    """Store the first arrival of persons at the table; True if there is one. The clocks run once every person has arrived.

    Errors: Refused, StorageError, Conflict.
    """
    events = _arrivals(table, you)
    if events:
        await table.write(secrets.token_hex(16), *events)
    return bool(events)


def _arrivals(table: Table, seats: frozenset[int]) -> list[NewEvent]:
    """The event for those of these persons who have not been at the table before. It matters to clocks only."""
    new = (seats & table.persons) - table.clocks.came
    return [NewEvent("came", min(new), bodies.Came(sorted(new)))] if new and table.clocks.has_banks else []


def next_due(table: Table) -> float | None:
    """Seconds until an event is due; None if none will be. An arrival is due at once: somebody here has taken a seat."""
    if _arrivals(table, table.here):
        return 0.0
    proposal = table.proposals.last
    waits = [table.clocks.remaining(), proposal.until - table.now() if proposal and proposal.state == "open" else None]
    return min((max(0.0, wait) for wait in waits if wait is not None), default=None)


async def store_due(table: Table) -> bool:
    """Store the events that are due; True if there were any. Errors: Refused, StorageError, Conflict."""
    proposal, clocks = table.proposals.last, table.clocks
    due = _arrivals(table, table.here)
    if proposal and proposal.state == "open" and table.proposals.open is None:
        due.append(NewEvent("lapse", proposal.actor, bodies.About(proposal.version), by="clock"))
    if clocks.running is not None and clocks.remaining() == 0:
        due.append(_out_of_time(table, clocks.running))
    if due:
        await table.write(secrets.token_hex(16), *due)
    return bool(due)


def _out_of_time(table: Table, seat: int) -> NewEvent:
    """Between two sides, the late one loses. Among more, the seat plays on, and the others may decide for it."""
    if table.game.has_two_sides:
        return NewEvent("end", seat, bodies.End(TIME, seat), by="clock")
    return NewEvent("late", seat, by="clock")
