"""All tables with the sockets at them: who hears what, and when computer players think."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.core.spec import OVER
from bridgehead.server.cluster.peers import Others
from bridgehead.server.connections.connection import LATER, CloseConnection, Connection
from bridgehead.server.connections.rate_limits import PRICES, Addresses, Limits, Shares
from bridgehead.server.jobs.computer_players import Bots
from bridgehead.server.jobs.worker_pool import WorkerLost
from bridgehead.server.messages.client import (
    Act,
    Change,
    ClientMessage,
    Hello,
    Hint,
    Lag,
    Ping,
    Point,
    Say,
    Sealing,
    Seating,
    Undo,
    Why,
)
from bridgehead.server.messages.server import Ack, Pong, Rejection, WhyNot
from bridgehead.server.rooms import permissions, presence, rule_errors, sealing_tasks, views
from bridgehead.server.rooms.chat import Chat
from bridgehead.server.rooms.computer_turns import prepare, think, unsettle
from bridgehead.server.rooms.hints import Hints
from bridgehead.server.rooms.lobby import Lobby
from bridgehead.server.rooms.rollback_guard import Behind
from bridgehead.server.rooms.room import Room, ViewCache
from bridgehead.server.rooms.timers import RoomTimers
from bridgehead.server.rooms.views import News
from bridgehead.server.rooms.webhooks import Hooks
from bridgehead.server.storage.event_log import Conflict, Event, StorageError
from bridgehead.server.tables import proposal_changes, sealing
from bridgehead.server.tables.repository import Tables
from bridgehead.server.tables.table import Refused, Table

log = logging.getLogger("bridgehead")
PLAYED = ("action", "undo")  # events that say nothing of who sits where
SLOWED = 5.0  # most seconds for which an address that asks too much is not listened to
# What a message changes: the version of the table after it.
CHANGES: dict[type, Callable[[Table, frozenset[int], Any], Awaitable[int]]] = {
    Act: lambda table, you, said: table.act(you, said.k, said.v, said.a),
    Undo: lambda table, you, said: table.undo(you, said.k, said.v),
    **proposal_changes.CHANGES,
    **sealing.CHANGES,
}


class RoomManager:
    """All rooms. A change that has begun is finished, whatever becomes of the socket that asked for it.

    others: the other workers over the same log, or None.
    """

    def __init__(self, tables: Tables, bots: Bots, limits: Limits, hooks: Hooks, others: Others | None = None) -> None:
        self.tables = tables
        self.lobby, self.chat, self.hooks = Lobby(tables.store), Chat(tables.store, others), hooks
        self.claims, self.rematches = Addresses(limits.claims), Addresses(limits.tables)
        self.bots, self.hints = bots, Hints(bots, limits.hints)
        self.limits = limits
        self.others = others
        self.behind = Behind(self)
        self.mistakes = rule_errors.Mistakes(tables.store.file.parent / "mistakes" if tables.store.file else None)
        self.rooms: dict[str, Room] = {}
        self._view_cache = ViewCache()
        self._sockets: Counter[str] = Counter()
        self.counts: Counter[tuple[str, str]] = Counter()  # messages told, by kind and code
        self._places = Shares()
        self.misses = Addresses(limits.misses)
        self.effort = Addresses(limits.effort, limits.window)
        self._work: set[asyncio.Task[None]] = set()

    @property
    def open_sockets(self) -> int:
        return self._sockets.total()

    async def serve(self, socket: WebSocket) -> None:
        """One socket from its hello to its end."""
        await socket.accept()
        connection = Connection(socket, self.limits, self.counts)
        self._sockets[connection.address] += 1
        try:
            if self._sockets[connection.address] > self.limits.sockets:
                raise CloseConnection("rate", "bye.rate")
            hello = await connection.hello()
            connection.language = hello.lang
            await self._slow_down(connection, hello)
            table = await self._table(hello, connection)
            if not self._places.take(connection.address, table.id, table.weight, self.limits.weight):
                raise CloseConnection("rate", "bye.rate")
            try:
                await self._attend(connection, table)
            finally:
                self._places.leave(connection.address, table.id)
        except CloseConnection as bye:
            await connection.part(bye)
        except (StorageError, WorkerLost):
            log.exception("the table cannot be opened now", extra={"address": connection.address})
            await connection.close(LATER)
        except WebSocketDisconnect:
            pass  # the page went before it said anything
        finally:
            self._sockets[connection.address] -= 1
            if not self._sockets[connection.address]:
                del self._sockets[connection.address]

    async def _table(self, hello: Hello, connection: Connection) -> Table:
        """The table a hello names, and its seats. Errors: CloseConnection; StorageError, WorkerLost where it may go well later.

        An address that has tried too many codes is told nothing about any, unless it holds a seat there.
        """
        guessed = self.misses.spent(connection.address)
        if guessed and not hello.tokens and not hello.host:
            raise CloseConnection("rate", "bye.rate")
        try:
            table = await self.tables.find(hello.table, connection.address)
        except (StorageError, WorkerLost):
            raise
        except BridgeheadError as error:
            raise CloseConnection("game", "bye.game", what=str(error)) from None
        known = table is not None and connection.introduce(hello, table)
        if guessed and not (known and (connection.hashes or connection.host)):
            raise CloseConnection("rate", "bye.rate")
        if table is None:
            self.misses.may(connection.address)
            raise CloseConnection("table", "bye.table", table=hello.table)
        if not known:
            raise CloseConnection(
                "token", "bye.token", stray=[i for i, each in enumerate(connection.hashes) if table.holding([each]).stray]
            )
        await self.behind.refuse(table, hello)
        return table

    async def _attend(self, connection: Connection, table: Table) -> None:
        room = self.rooms.get(table.id) or Room(table, self._view_cache)
        self.rooms[table.id] = room
        self.tables.come(room.table)
        try:
            await self._finish(self._enter(room, connection))
            await connection.attend(self._listen(room, connection))
        finally:
            await self._finish(self._leave(room, connection))
        if connection.farewell is not None:
            raise connection.farewell
        if connection.overflow:
            await connection.close(LATER)

    async def _enter(self, room: Room, connection: Connection) -> None:
        async with room.table.lock:
            await room.prepare(connection.language)
            room.connections.add(connection)
            room.seat()
            room.timers = room.timers or RoomTimers(room, self._finish, self.refresh, self.wake, self.changed)
            sat = await self._arrive(room, connection)
            news = await room.timers.arrive(connection)
            news = News.CHANGE if sat else news
            prepare(self, room)
            room.welcome(connection)
            if connection.you:
                room.broadcast(news, apart_from=connection)
            presence.tell(self, room, None if connection.you | connection.back else connection)
            if connection.you:
                await self.lobby.follow(room, connection.address)
            if self.others:
                self.others.entered(room)
                if news is News.CHANGE:
                    self.others.tell(room.table.id, "news")
            self.wake(room)
        with contextlib.suppress(StorageError):
            await self.chat.welcome(room, connection)

    async def _leave(self, room: Room, connection: Connection) -> None:
        async with room.table.lock:
            room.connections.discard(connection)
            room.seat()
            if connection.you:
                room.broadcast(News.PRESENCE)
                if self.others:
                    self.others.left(room)
            if connection.you or connection.back:
                presence.tell(self, room)
                await self.lobby.follow(room, connection.address)
            unsettle(room)
            self.tables.go(room.table)
            if room.table.crowd == 0:
                room.close()
                del self.rooms[room.table.id]

    async def _listen(self, room: Room, connection: Connection) -> None:
        """Answer one message after another. Errors: CloseConnection, WebSocketDisconnect."""
        while not connection.ended:
            try:
                message = await connection.hear()
            except msgspec.DecodeError as error:
                message = None
                text = connection.words("bad", what=str(error))
            await self._slow_down(connection, message)
            left = connection.bucket.take()
            if left <= -connection.bucket.size:
                raise CloseConnection("rate", "bye.rate")
            key = getattr(message, "k", "")
            if left < 0:
                connection.reject(key, "rate", connection.words("rate"), room.table.version)
            elif message is None:
                connection.reject(key, "bad", text, room.table.version)
            elif isinstance(message, Hint):
                self.start(self.hints.answer(room, connection, message))  # it may take seconds
            elif isinstance(message, Say | Point):
                await connection.answer(self.chat.answer(room, connection, message))
            else:
                await connection.answer(self._answer(room, connection, message))

    async def _slow_down(self, connection: Connection, message: ClientMessage | None) -> None:
        """Count the work of a message; an address that asks for too much waits."""
        if debt := self.effort.wait(connection.address, PRICES.get(type(message), 1)):
            await asyncio.sleep(min(SLOWED, debt))

    async def _finish(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something to its end, even if whoever waits for it is gone by then."""
        await asyncio.shield(self.start(work))

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin something that is finished before the server stops."""
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def _answer(self, room: Room, connection: Connection, message: ClientMessage) -> None:
        async with room.table.lock:
            if isinstance(message, Ping):
                connection.tell(Pong(message.n))
            elif isinstance(message, Why):
                reason = views.why(room.table, room.narrator(connection.language), tuple(message.touch))
                connection.tell(WhyNot(reason.text, reason.clause, reason.show, k=message.k))
            elif isinstance(message, Hello):
                await room.prepare(message.lang)
                connection.language, connection.plain, connection.brief = message.lang, message.plain, message.brief
                room.welcome(connection)
                presence.tell(self, room, connection)
            elif isinstance(message, Lag):
                connection.echoed(message.n, room.table.clocks)
            elif isinstance(message, Change):
                await self._change(room, connection, message)

    def _changing(self, room: Room, connection: Connection, message: Change) -> Awaitable[int]:
        """A change that a message wants, begun: the version after it."""
        if type(message) in CHANGES:
            return CHANGES[type(message)](room.table, connection.you, message)
        changing: Awaitable[int] = permissions.CHANGES[type(message)](self, room, connection, message)
        return changing

    async def _change(self, room: Room, connection: Connection, message: Change) -> None:
        table, before = room.table, room.table.version
        try:
            try:
                version = await self._changing(room, connection, message)
            except Conflict:  # another process has written: it may have been this very message
                await self.refresh(room)
                before = table.version
                version = await self._changing(room, connection, message)
        except IllegalAction as error:
            refusal = room.narrator(connection.language).refusal(error.refusal)
            rejection = Rejection(refusal.text, refusal.clause, refusal.show, k=message.k, code="illegal", v=table.version)
            connection.tell(rejection)
        except Refused as error:
            connection.reject(message.k, error.code, connection.words(error.key, **error.params), table.version)
            if error.code == "stale":
                room.welcome(connection)
        except (Conflict, StorageError):
            log.exception("an action could not be stored", extra={"table": table.id})
            connection.reject(message.k, "storage", connection.words("storage"), table.version)
        except BridgeheadError as error:
            connection.reject(message.k, "bad", connection.words("bad", what=str(error)), table.version)
        except Exception as error:
            tried = rule_errors.Attempt(type(message).__name__.lower(), getattr(message, "a", -1))
            await rule_errors.met(self, room, error, tried, connection.address)
            connection.reject(message.k, "internal", connection.words("broken"), table.version)
            await rule_errors.settle(self, room)
        else:
            connection.tell(Ack(message.k, version))
            if table.version != before:
                await self.changed(room, not isinstance(message, Act | Undo | Sealing), connection.address)
            elif isinstance(message, Seating):
                presence.tell(self, room)  # somebody has voted

    async def changed(self, room: Room, people: bool = False, address: str = "") -> None:
        """Show a change to everybody whom it concerns. people: it is about who sits where, and not about the game."""
        await self._show(room, people, address)
        if self.others:
            self.others.tell(room.table.id, "news")
        self.hooks.follow(room)

    async def _show(self, room: Room, people: bool, address: str = "") -> None:
        if people:
            room.seat(anew=True)
            prepare(self, room)
        room.broadcast(News.CHANGE)
        if people or room.table.actor == OVER:
            presence.tell(self, room)
            await self.lobby.follow(room, address)
        self.wake(room)

    async def _arrive(self, room: Room, connection: Connection) -> bool:
        """Let somebody sit down by a link that was not used before; whether that is news."""
        for _ in range(2):
            try:
                sat = await permissions.arrive(room.table, connection)
                room.seat(anew=sat)
                return sat
            except Conflict:
                await self.refresh(room)
            except (StorageError, Refused):
                log.exception("%s: it could not be stored that somebody sat down", room.table.id)
                break
        return False

    async def take_news(self, room: Room, events: list[Event]) -> None:
        """Show what another worker has added to a table's log. Errors: BridgeheadError."""
        async with room.table.lock:
            people = any(event.version > room.table.version and event.kind not in PLAYED for event in events)
            if room.table.catch_up(events):
                await self._show_news(room, people)

    async def refresh(self, room: Room) -> None:
        """Another process has written to this table's log: show what is there. Holders of the lock only."""
        if await room.table.refresh():
            await self._show_news(room, people=True)

    async def _show_news(self, room: Room, people: bool) -> None:
        for language in {connection.language for connection in room.connections}:
            await room.prepare(language)
        await self._show(room, people)

    def wake(self, room: Room) -> None:
        """Let a computer player think, if it is its turn and none is thinking yet; let the clocks run, and chance answer."""
        if room.timers is not None:
            room.timers.set()
        sealing_tasks.tend(self, room)
        unsettle(room)
        if room.table.computer() and room.thinking is None:
            room.thinking = asyncio.create_task(think(self, room))

    async def close(self) -> None:
        """Stop thinking, and finish what has begun."""
        self.hooks.stop()
        thinking = [task for room in self.rooms.values() for task in (room.thinking, room.preparing) if task is not None]
        for task in thinking:
            task.cancel()
        await asyncio.gather(*thinking, *self._work, return_exceptions=True)
