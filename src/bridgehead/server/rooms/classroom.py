"""The tables of a server as its host sees them: all at once, with one message to all, and a pause for all.

The host of a server holds its key. A pause of the host stands beside one on which the people of a table agreed: when the host
lets all go on, such a table stays paused. Games by days are left out: their people are not in the room.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import time

from bridgehead.core.ending import CLOSED
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.server.connections.rate_limits import Addresses
from bridgehead.server.messages.classroom import ClassActed
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables.names import clean_text
from bridgehead.server.tables.table import NewEvent, Refused, Table

log = logging.getLogger("bridgehead")
MOST = 60  # tables that are shown, the newest
YOUNG = 12 * 3600.0  # seconds for which a new table belongs to the class, although nobody is there
QUIET = 3600.0  # seconds after the last turn for which it does, if nobody is there
KEPT = 3.0  # seconds between two looks into the store
MESSAGES = 6  # of the host to all tables, a minute
NEW = "select id, created from game where created > ? order by created desc limit ?"


class WrongKey(BridgeheadError):
    """It is not the key of this server's host."""


class Classroom:
    """The class of a server. key: of its host; "": nobody has one."""

    def __init__(self, manager: RoomManager, key: str = "") -> None:
        self.manager, self.key = manager, key
        self._messages = Addresses(MESSAGES)
        self._new: tuple[float, dict[str, float]] = (-KEPT, {})
        self._changing = asyncio.Lock()

    def check(self, key: str) -> None:
        """Errors: WrongKey."""
        if not self.key:
            raise WrongKey("server:error.class_off")
        if not hmac.compare_digest(self.key.encode(), key.encode()):
            raise WrongKey("server:error.class_key", "key")

    async def tables(self) -> list[Table]:
        """All tables of the class, the newest first. One that cannot be opened is left out. Errors: StorageError."""
        found, created = [], await self._created()
        for name in dict.fromkeys([*created, *self.manager.rooms]):
            try:
                table = await self.manager.repository.find(name)
            except BridgeheadError:
                log.warning("a table of the class cannot be opened", extra={"table": name})
                continue
            if table is not None and self._belongs(table, created.get(name, 0.0)):
                found.append(table)
        return found

    async def _created(self) -> dict[str, float]:
        """When each new table was made (Unix seconds)."""
        looked, made = self._new
        if time.monotonic() - looked >= KEPT:
            rows = await asyncio.to_thread(self.manager.repository.store.read, NEW, time.time() - YOUNG, 5 * MOST)
            made = {str(name): float(created) for name, created in rows}
            self._new = time.monotonic(), made
        return made

    def _belongs(self, table: Table, created: float) -> bool:
        """Is it a table of the people in the room? A game by days is not; one of a tournament also before they come."""
        if table.match.ended and table.match.ended.how == CLOSED and not table.attendance.here:
            return False
        began = max(table.waiting, created if table.body.awaits else 0.0)
        recent = table.attendance.here or began > time.time() - QUIET
        return not table.days.limit and bool(recent or (table.frozen_by_host and table.actor != OVER))

    async def hold(self, only: str = "") -> ClassActed:
        """Pause all tables at which a game goes on, or one of them. Errors: StorageError."""
        return await self._write("hold", only)

    async def release(self, only: str = "") -> ClassActed:
        """Let all tables go on that the host has paused, or one of them. Errors: StorageError."""
        return await self._write("release", only)

    async def _chosen(self, only: str) -> list[Table]:
        """All tables of the class, or one of them."""
        return [table for table in await self.tables() if only in ("", table.id)]

    async def _write(self, kind: str, only: str) -> ClassActed:
        self._new = (-KEPT, {})
        async with self._changing:
            done = [await self._change(table, kind) for table in await self._chosen(only)]
        return ClassActed(done.count(True), done.count(False))

    async def _change(self, table: Table, kind: str) -> bool | None:
        """Hold or release one table; None if there is nothing to do, False if it cannot be stored."""
        repository, rooms = self.manager.repository, self.manager.rooms
        repository.come(table)  # it stays in memory
        try:
            async with table.lock:
                for _ in range(2):
                    if not _is_due(table, kind):
                        return None
                    try:
                        await table.write(secrets.token_hex(16), NewEvent(kind, CHANCE, by="host"))
                    except Conflict:  # another process was first
                        room = rooms.get(table.id)
                        await (self.manager.updates.refresh(room) if room else table.refresh())
                        continue
                    if room := rooms.get(table.id):
                        await self.manager.updates.show_change(room)
                    else:
                        self.manager.peers.send(table.id, "news")
                    return True
        except (StorageError, Refused):
            log.exception("a table could not be paused, or go on", extra={"table": table.id})
        finally:
            repository.go(table)
        return False

    async def say(self, key: str, text: str, only: str = "") -> ClassActed:
        """Send one message to all tables, or to one of them; with a used key only to those that did not get it.

        Errors: BridgeheadError.
        """
        shown = clean_text(text)
        if not shown:
            raise BridgeheadError("server:error.class_empty", "text")
        if not self._messages.may("host"):
            raise BridgeheadError("server:error.class_often", "text", most=MESSAGES)
        done, failed = 0, 0
        for table in await self._chosen(only):
            try:
                await self.manager.chat.announce(table, self.manager.rooms.get(table.id), key, shown)
                done += 1
            except StorageError:
                failed += 1
        return ClassActed(done, failed)


def _is_due(table: Table, kind: str) -> bool:
    """Is there anything to hold or to release at a table?"""
    if table.damage is not None or (kind == "hold" and table.actor == OVER):
        return False
    return table.frozen_by_host != (kind == "hold")
