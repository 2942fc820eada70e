"""Other workers over the same database: what they do at our tables shows here, and what we do shows there.

The log is the truth. The bus only says where to look; every POLL seconds all tables with somebody at them are looked at,
whatever was said. Presence, and whatever else is not in the log, goes over the bus alone, as well as may be.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.validation import ready
from bridgehead.server.messages.server import OthersChange
from bridgehead.server.rooms import permissions, presence, rule_errors
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import StorageError

if TYPE_CHECKING:
    from bridgehead.server.cluster.redis_bus import Bus
    from bridgehead.server.rooms.room import Room
    from bridgehead.server.rooms.room_manager import RoomManager
    from bridgehead.server.storage.postgres import PostgresStore

log = logging.getLogger("bridgehead")

POLL = 5.0  # seconds
LEASE = 12.0  # seconds for which nobody else lets a table's computer players think, unless it is told again
LINGER = 1.0  # seconds for what is to be put in order when a worker stops
GONE = 16.0  # seconds after which a worker that says nothing of who is there has nobody there

Vote = tuple[int, OthersChange, str, frozenset[int]]  # a seat, what others want about it, a level, the seats that want it
Ear = Callable[["Room", str, Any], None]  # a table somebody is at, the worker that tells, and what it says


class Others:
    """The other workers. ears: what is done with each kind of word that they say of a table at which somebody is here.

    bus: None where there is none; then everything waits for the next look.
    """

    def __init__(self, store: PostgresStore, bus: Bus | None = None) -> None:
        self.store = store
        self.bus = bus
        self.name = secrets.token_hex(8)
        self.ears: dict[str, Ear] = {
            "news": lambda room, narrator, said: self._look(room.table.id),
            "wake": lambda room, narrator, said: self._manager.wake(room),
            "who": lambda room, narrator, said: self._say_who(room),
            "here": self._hear_who,
            "behind": self._hear_behind,
            "vote": self._hear_vote,
        }
        self._manager: RoomManager
        self._unseen: set[str] = set()
        self._asked = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_away = False

    def start(self, manager: RoomManager) -> None:
        """Begin to follow what others do."""
        self._manager = manager
        self.begin(self._follow())
        if self.bus is not None:
            self.bus.start(self._hear, self._look_everywhere)

    async def stop(self) -> None:
        """Stop following, let others have the computers' turns, and say what is still to be said."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(StorageError, TimeoutError):
            async with asyncio.timeout(LINGER):
                await asyncio.to_thread(self.store.release_all, self.name)
        if self.bus is not None:
            await self.bus.stop()

    def tell(self, table: str, kind: str, said: Any = None) -> None:
        """Let the workers hear that have somebody at a table, as well as may be. It never waits."""
        if self.bus is not None:
            self.bus.tell(table, kind, said)

    # What happens here

    def entered(self, room: Room) -> None:
        """Somebody has come to a table here."""
        if len(room.connections) == 1:
            self._look(room.table.id)
            self.tell(room.table.id, "who")
        self._say_who(room)

    def left(self, room: Room) -> None:
        """Somebody has gone from a table here."""
        self._say_who(room, also_nobody=True)

    async def may_think(self, room: Room) -> bool:
        """Take the turn of a table's computer players, or keep it, unless another worker has it."""
        try:
            return await asyncio.to_thread(self.store.lease, _job(room), self.name, LEASE)
        except StorageError:
            log.exception("%s: nobody can be asked whether another worker lets the computer think", room.table.id)
            return False

    async def begin_thinking(self, room: Room) -> bool:
        """Take that turn, and see first what came of it where whoever had it before has let go of it."""
        if not await self.may_think(room):
            return False
        try:
            await self._catch_up({room.table.id})
        except StorageError:
            log.exception("%s: what other workers have done cannot be seen, so no computer thinks", room.table.id)
            return False
        return True

    def has_thought(self, room: Room) -> None:
        """Let go of that turn."""
        self.begin(self._rest(room))

    # What happens there

    def _hear(self, narrator: str, table: str, kind: str, said: Any) -> None:
        room, ear = self._manager.rooms.get(table), self.ears.get(kind)
        if room is not None and ear is not None:
            ear(room, narrator, said)

    def _look(self, table: str) -> None:
        self._unseen.add(table)
        self._asked.set()

    def _look_everywhere(self) -> None:
        self._unseen.update(self._manager.rooms)
        self._asked.set()

    async def _follow(self) -> None:
        """Look where something was said to have happened, and from time to time everywhere."""
        following = time.monotonic()
        while True:
            try:
                await asyncio.wait_for(self._asked.wait(), max(0.0, following - time.monotonic()))
            except TimeoutError:
                following = time.monotonic() + POLL
                self._look_everywhere()
                await self._remind()
            self._asked.clear()
            tables, self._unseen = self._unseen, set()
            try:
                await self._catch_up(tables)
                self._is_away = False
            except StorageError:
                if not self._is_away:
                    log.exception("what other workers do cannot be seen")
                self._is_away = True

    async def _catch_up(self, tables: set[str]) -> None:
        """Show what has been added to the logs of these tables, as far as somebody is there. Errors: StorageError."""
        known = {table: room.table.version for table in tables if (room := self._manager.rooms.get(table))}
        if not known:
            return
        for table, events in (await asyncio.to_thread(self.store.newer, known)).items():
            room = self._manager.rooms.get(table)
            if room is None:
                continue
            try:
                await self._manager.take_news(room, events)
            except BridgeheadError:
                log.exception("%s: what another worker did cannot be followed", table)
            except Exception as error:  # a mistake in the rules: the other tables are followed all the same
                async with room.table.lock:
                    await rule_errors.met(self._manager, room, error, rule_errors.Attempt("follow"))
                    await rule_errors.settle(self._manager, room)

    async def _remind(self) -> None:
        """What has to be said again and again, so that its absence tells something."""
        for room in list(self._manager.rooms.values()):
            self._say_who(room)
            self._forget_the_gone(room)
            if room.thinking is not None:
                await self.may_think(room)
            else:
                self._manager.wake(room)

    def _say_who(self, room: Room, also_nobody: bool = False) -> None:
        seats = sorted({seat for connection in room.connections for seat in connection.you})
        if seats or also_nobody:
            self.tell(room.table.id, "here", seats)

    def _hear_who(self, room: Room, narrator: str, said: Any) -> None:
        before = room.here
        room.elsewhere[narrator] = frozenset(map(int, said)), time.monotonic() + GONE
        self._show_who(room, before)

    def _hear_behind(self, room: Room, narrator: str, said: Any) -> None:
        last, mark = said
        self._manager.behind.freeze(room.table, int(last), str(mark))

    def _hear_vote(self, room: Room, narrator: str, said: Any) -> None:
        vote: Vote = msgspec.convert(said, ready(Vote))  # type: ignore[arg-type]
        permissions.count(room, vote[:3], vote[3])
        presence.tell(self._manager, room)

    def _forget_the_gone(self, room: Room) -> None:
        before, now = room.here, time.monotonic()
        room.elsewhere = {narrator: there for narrator, there in room.elsewhere.items() if there[1] > now}
        self._show_who(room, before)

    def _show_who(self, room: Room, before: frozenset[int]) -> None:
        async def show() -> None:
            async with room.table.lock:
                room.broadcast(News.PRESENCE)
                presence.tell(self._manager, room)

        room.seat()
        if room.here != before:
            self.begin(show())

    async def _rest(self, room: Room) -> None:
        try:
            await asyncio.to_thread(self.store.release, _job(room), self.name)
        except StorageError:
            return  # it runs out by itself
        self.tell(room.table.id, "wake")

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside what is done now."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _job(room: Room) -> str:
    return f"think:{room.table.id}"
