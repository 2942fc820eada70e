"""Timers of rooms: they store events that are due because time has passed. A clock runs out, or a proposal lapses.

After a start of the server, nobody is out of days for some time: perhaps it was down when they wanted to play.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time

from bridgehead.core.ending import TIME
from bridgehead.players import usual
from bridgehead.server.connections.connection import Connection
from bridgehead.server.rooms.room import Room, Tasks
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.table import NewEvent, Refused, Table

log = logging.getLogger("bridgehead")
AGAIN = 2.0  # seconds until a failed write is tried again
GRACE = 3600.0  # seconds after a start of the server in which no days run out
LONGEST = 86_400.0  # seconds that a timer waits; then it looks again


class Timers:
    """One timer per room, reset after every change."""

    def __init__(self, tasks: Tasks, updates: Updates) -> None:
        self.tasks, self.updates = tasks, updates
        self.started = time.monotonic()
        self._running: dict[Room, asyncio.TimerHandle] = {}

    @property
    def grace(self) -> float:
        """Seconds for which nobody is out of days yet."""
        return max(0.0, self.started + GRACE - time.monotonic())

    def set(self, room: Room) -> None:
        """Set the timer to the next event that will be due, and measure the round trip of the seat whose clock runs."""
        self._set(room, next_due(room.table, self.grace) if room.connections else None)
        clock = room.table.clock
        if clock.has_banks:
            for connection in room.connections:
                if clock.running in connection.you:
                    connection.probe()

    async def start_waiting_clocks(self, room: Room, connection: Connection) -> News:
        """Start clocks that waited for this page. Returns the reason for which the other pages get a view. Needs the lock."""
        try:
            if await store_arrivals(room.table, connection.you):
                return News.CHANGE
        except Conflict:
            await self.updates.refresh(room)
        except (StorageError, Refused):
            log.exception("an arrival could not be stored", extra={"table": room.table.id})
        return News.PRESENCE

    def _set(self, room: Room, seconds: float | None) -> None:
        self.close(room)
        if seconds is not None:
            self._running[room] = asyncio.get_running_loop().call_later(
                min(seconds, LONGEST), lambda: self.tasks.start(self._store_due(room))
            )

    def close(self, room: Room) -> None:
        """Stop the timer of a room."""
        if timer := self._running.pop(room, None):
            timer.cancel()

    async def _store_due(self, room: Room) -> None:
        async with room.table.lock:
            await self.store_due(room)

    async def store_due(self, room: Room) -> None:
        """Store what is due, and show it. Needs the lock. Errors: none."""
        try:
            if await store_due(room.table, self.grace):
                await self.updates.show_change(room, people=bool(room.table.late) or room.table.clock.stands_in)
            self.updates.wake(room)
        except Conflict:
            await self.updates.refresh(room)
        except Refused:
            pass  # the table is full
        except StorageError:
            log.exception("an event that was due could not be stored", extra={"table": room.table.id})
            self._set(room, AGAIN)


async def store_arrivals(table: Table, you: frozenset[int]) -> bool:
    """Store the first arrival of persons at the table; True if there is one. The clocks run once every person has arrived.

    Errors: Refused, StorageError, Conflict.
    """
    events = _arrivals(table, you)
    if events:
        await table.write(secrets.token_hex(16), *events)
    return bool(events)


def _arrivals(table: Table, seats: frozenset[int]) -> list[NewEvent]:
    """The event for those of these persons who have not been at the table before. It matters to clocks and tournaments only."""
    waits = (table.clock.waits_for_all or table.body.awaits) and not table.is_final
    new = (seats & table.persons) - table.came if waits else frozenset()
    return [NewEvent("came", min(new), bodies.PersonsArrived(sorted(new)))] if new else []


def next_due(table: Table, grace: float = 0.0) -> float | None:
    """Seconds until an event is due; None if none will be. An arrival is due at once: somebody here has taken a seat.

    grace: seconds for which nobody is out of days yet, here and below.
    """
    if table.damage is not None:
        return None
    if _arrivals(table, table.attendance.here):
        return 0.0
    proposal = table.proposals.last
    waits = [time_left(table, grace), proposal.until - table.now() if proposal and proposal.state == "open" else None]
    return min((max(0.0, wait) for wait in waits if wait is not None), default=None)


def time_left(table: Table, grace: float) -> float | None:
    """Seconds until the running clock has consequences; None if no clock can run out."""
    left = table.remaining()
    return left if left is None or not table.days.limit else max(left, grace)


async def store_due(table: Table, grace: float = 0.0) -> bool:
    """Store the events that are due; True if there were any. Errors: Refused, StorageError, Conflict."""
    if table.damage is not None:
        return False
    proposal, seat = table.proposals.last, table.clock.running
    due = _arrivals(table, table.attendance.here)
    if proposal and proposal.state == "open" and table.proposals.open is None:
        due.append(NewEvent("lapse", proposal.actor, bodies.ProposalClosed(proposal.version), by="clock"))
    if seat is not None and time_left(table, grace) == 0:
        due.append(_out_of_time(table, seat))
    if due:
        await table.write(secrets.token_hex(16), *due)
    return bool(due)


def _out_of_time(table: Table, seat: int) -> NewEvent:
    """Between two sides, the late one loses.

    Among more, the seat of a person with a bank plays on, and the others may decide for it. If days have run out, or if the table
    says so, a computer plays until the person takes the seat back. Its turns gain the increments of the seat's bank.
    """
    if table.game.has_two_sides:
        return NewEvent("end", seat, bodies.MatchEnded(TIME, seat), by="clock")
    if table.clock.stands_in:
        return NewEvent("seat", seat, bodies.ComputerSeated(usual(table.game.spec), table.charge_time(), keeps=True), by="clock")
    return NewEvent("late", seat, by="clock")
