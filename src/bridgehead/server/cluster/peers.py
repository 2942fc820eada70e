"""Synchronises server processes over one database: each shows the changes that the others make.

The event log is authoritative. A bus message only names a table that has changed. Every POLL seconds, a process also reads the
logs of all its tables with pages. Data outside the log, such as presence, travels over the bus only: best effort.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Container, Coroutine, Mapping
from typing import Any

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.cluster.redis_bus import Bus
from bridgehead.server.rooms.room import Peers, Room
from bridgehead.server.rooms.rule_errors import Attempt, RuleErrors
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.storage.event_log import StorageError
from bridgehead.server.storage.postgres import PostgresStore

log = logging.getLogger("bridgehead")

POLL = 5.0  # seconds
LEASE = 12.0  # seconds that a lease on a table's computer players lasts, unless it is renewed
LINGER = 1.0  # seconds for releasing leases when a process stops
GONE = 16.0  # seconds of silence after which the pages of a peer count as gone


class ClusterPeers(Peers):
    """The other processes. bus: None if there is none; then a change shows at the next poll."""

    def __init__(self, store: PostgresStore, bus: Bus | None = None) -> None:
        super().__init__()
        self.store = store
        self.bus = bus
        self.name = secrets.token_hex(8)
        self.receivers |= {
            "news": lambda room, sender, message: self._look(room.table.id),
            "wake": lambda room, sender, message: self._updates.wake(room),
            "who": lambda room, sender, message: self._send_attendance(room),
            "here": self._receive_attendance,
        }
        self._rooms: Mapping[str, Room] = {}
        self._updates: Updates
        self._errors: RuleErrors
        self._thinking: Container[Room]
        self._unseen: set[str] = set()
        self._wanted = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_away = False

    def start(self, rooms: Mapping[str, Room], updates: Updates, errors: RuleErrors, thinking: Container[Room]) -> None:
        """Start to follow the other processes. rooms: the tables with pages here; thinking: those whose computers think here."""
        self._rooms, self._updates, self._errors, self._thinking = rooms, updates, errors, thinking
        self._begin(self._follow())
        if self.bus is not None:
            self.bus.start(self._receive, self._look_everywhere)

    async def stop(self) -> None:
        """Stop following, release all leases, and send the queued messages."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(StorageError, TimeoutError):
            async with asyncio.timeout(LINGER):
                await asyncio.to_thread(self.store.release_all, self.name)
        if self.bus is not None:
            await self.bus.stop()

    def send(self, table: str, kind: str, message: Any = None) -> None:
        if self.bus is not None:
            self.bus.send(table, kind, message)

    # Events at this process

    def enter_room(self, room: Room) -> None:
        if len(room.connections) == 1:
            self._look(room.table.id)
            self.send(room.table.id, "who")
        self._send_attendance(room)

    def leave_room(self, room: Room) -> None:
        self._send_attendance(room, even_if_empty=True)

    async def begin_thinking(self, room: Room) -> bool:
        if not await self._lease(room):
            return False
        try:
            await self._catch_up({room.table.id})
        except StorageError:
            log.exception("changes of other processes cannot be read, so no computer thinks", extra={"table": room.table.id})
            self._begin(self._release(room, wakes=False))
            return False
        return True

    def end_thinking(self, room: Room) -> None:
        self._begin(self._release(room))

    async def _lease(self, room: Room) -> bool:
        """Acquire or renew the lease on a table's computer players; False if another process has it."""
        try:
            return await asyncio.to_thread(self.store.lease, _job(room), self.name, LEASE)
        except StorageError:
            log.exception("the lease on a computer's turn cannot be acquired", extra={"table": room.table.id})
            return False

    async def _release(self, room: Room, wakes: bool = True) -> None:
        try:
            await asyncio.to_thread(self.store.release, _job(room), self.name)
        except StorageError:
            return  # the lease expires by itself
        if wakes:
            self.send(room.table.id, "wake")

    # Messages from the other processes

    def _receive(self, sender: str, table: str, kind: str, message: Any) -> None:
        room, receiver = self._rooms.get(table), self.receivers.get(kind)
        if room is not None and receiver is not None:
            receiver(room, sender, message)

    def _look(self, table: str) -> None:
        self._unseen.add(table)
        self._wanted.set()

    def _look_everywhere(self) -> None:
        self._unseen.update(self._rooms)
        self._wanted.set()

    async def _follow(self) -> None:
        """Read the logs of tables that peers have named, and every POLL seconds those of all tables with pages."""
        following = time.monotonic()
        while True:
            try:
                async with asyncio.timeout(max(0.0, following - time.monotonic())):  # wait_for of Python 3.11 loses cancellations
                    await self._wanted.wait()
            except TimeoutError:
                following = time.monotonic() + POLL
                self._look_everywhere()
                await self._heartbeat()
            self._wanted.clear()
            tables, self._unseen = self._unseen, set()
            try:
                await self._catch_up(tables)
                self._is_away = False
            except StorageError:
                if not self._is_away:
                    log.exception("changes of other processes cannot be read")
                self._is_away = True

    async def _catch_up(self, tables: set[str]) -> None:
        """Show the new events of these tables to the pages that are here. Errors: StorageError."""
        rooms = {table: room.table for table in tables if (room := self._rooms.get(table))}
        known = {table: there.version for table, there in rooms.items() if there.damage is None}
        if not known:
            return
        for table, events in (await asyncio.to_thread(self.store.newer, known)).items():
            room = self._rooms.get(table)
            if room is None:
                continue
            try:
                await self._updates.take(room, events)
            except BridgeheadError:
                log.exception("a change of another process cannot be followed", extra={"table": table})
            except Exception as error:  # the rules failed: continue with the other tables
                async with room.table.lock:
                    await self._errors.report(room, error, Attempt("follow"))
                    await self._errors.pause(room)

    async def _heartbeat(self) -> None:
        """Heartbeat: silence means absence. Renews leases, and starts turns whose lease has expired elsewhere."""
        for room in list(self._rooms.values()):
            self._send_attendance(room)
            self._forget_the_silent(room)
            if room in self._thinking:
                await self._lease(room)
            else:
                self._updates.wake(room)

    def _send_attendance(self, room: Room, even_if_empty: bool = False) -> None:
        seats = sorted({seat for connection in room.connections for seat in connection.you})
        if seats or even_if_empty:
            self.send(room.table.id, "here", seats)

    def _receive_attendance(self, room: Room, sender: str, seats: Any) -> None:
        before = room.here
        room.elsewhere[sender] = frozenset(map(int, seats)), time.monotonic() + GONE
        self._show_attendance(room, before)

    def _forget_the_silent(self, room: Room) -> None:
        before, now = room.here, time.monotonic()
        room.elsewhere = {sender: there for sender, there in room.elsewhere.items() if there[1] > now}
        self._show_attendance(room, before)

    def _show_attendance(self, room: Room, before: frozenset[int]) -> None:
        self._updates.presence.attend(room)
        if room.here != before:
            self._begin(self._updates.attendance(room))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task, which is cancelled when the server stops."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _job(room: Room) -> str:
    return f"think:{room.table.id}"
