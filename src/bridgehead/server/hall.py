"""All tables with the sockets at them: who hears what, and when computer players think."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.server import agreeing, sealing, tending, views
from bridgehead.server.bell import Bell
from bridgehead.server.bots import Bots
from bridgehead.server.limits import Addresses, Limits
from bridgehead.server.protocol import Act, Answer, Ask, Begin, Hello, Lag, Message, Ping, Reveal, Seal, Undo, Why, Withdraw
from bridgehead.server.sockets import LATER, Bye, Connection
from bridgehead.server.store import Conflict, StorageError
from bridgehead.server.table import Refused, Table
from bridgehead.server.tables import Tables
from bridgehead.server.views import News
from bridgehead.server.workers import WorkerLost

log = logging.getLogger("bridgehead")
# Work that a message makes, a ping being 1.
PRICES: dict[Any, int] = {Hello: 20, Act: 5, Undo: 5, Ask: 5, Answer: 5, Withdraw: 5, Why: 3, Seal: 5, Reveal: 5, Begin: 30}
SLOWED = 5.0  # most seconds for which an address that asks too much is not listened to
FRESH = 8  # whole views that a room keeps for those who come next
TICK = 250  # ms by which the clocks of a view may be late
AGAIN = 2.0  # seconds after which a computer's action that could not be stored is tried again
# What a message changes: the version of the table after it.
CHANGES: dict[type, Callable[[Table, frozenset[int], Any], Awaitable[int]]] = {
    Act: lambda table, you, said: table.act(you, said.k, said.v, said.a),
    Undo: lambda table, you, said: table.undo(you, said.k, said.v),
    Ask: agreeing.ask,
    Answer: agreeing.answer,
    Withdraw: agreeing.withdraw,
    Seal: sealing.commit,
    Reveal: sealing.reveal,
    Begin: sealing.begin_now,
}


class Room:
    """A table with somebody at it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.connections: set[Connection] = set()
        self.tellers: dict[str, views.Teller] = {}
        self.fresh: dict[tuple[int, int, str, frozenset[int], frozenset[int]], bytes] = {}
        self.thinking: asyncio.Task[None] | None = None
        self.bell: Bell | None = None
        self.asking: tuple[str, int] | None = None  # the draw for which a clock runs

    def teller(self, language: str) -> views.Teller:
        teller = self.tellers.get(language)
        if teller is None or teller.match is not self.table.match or teller.called != self.table.names:
            teller = self.tellers[language] = views.Teller(self.table.match, self.table.names, language)
        return teller

    async def prepare(self, language: str) -> None:
        """Find the words in a language, apart from the server's loop where they are many. Holders of the lock only."""
        teller = self.teller(language)
        if teller.is_behind:
            await asyncio.to_thread(teller.prepare)

    def seat(self) -> None:
        """See who is here."""
        self.table.here = frozenset(seat for connection in self.connections for seat in connection.you)

    def broadcast(self, news: News, apart_from: Connection | None = None) -> None:
        """Tell everybody; one view is made for all who may see the same."""
        here = self.table.here
        made: dict[tuple[str, frozenset[int]], bytes] = {}
        for connection in self.connections - {apart_from}:
            key = (connection.language, connection.you)
            if key not in made:
                made[key] = views.view(self.table, self.teller(connection.language), connection.you, here, news)
            connection.tell(made[key])

    def welcome(self, connection: Connection) -> None:
        """The whole view, for one; it is made once for all who come while nothing changes."""
        here = self.table.here
        ticks = self.table.clocks.elapsed // TICK
        key = (self.table.version, ticks, connection.language, connection.you, here)
        if key not in self.fresh:
            if len(self.fresh) >= FRESH:
                self.fresh.clear()
            self.fresh[key] = views.view(self.table, self.teller(connection.language), connection.you, here, News.FRESH)
        connection.tell(self.fresh[key])


class Hall:
    """All rooms. A change that has begun is finished, whatever becomes of the socket that asked for it."""

    def __init__(self, tables: Tables, bots: Bots, limits: Limits) -> None:
        self.tables = tables
        self.bots = bots
        self.limits = limits
        self.rooms: dict[str, Room] = {}
        self._sockets: Counter[str] = Counter()
        self._places: dict[str, Counter[str]] = {}  # sockets of an address by table
        self.misses = Addresses(limits.misses)
        self.effort = Addresses(limits.effort, limits.window)
        self._work: set[asyncio.Task[None]] = set()

    async def serve(self, socket: WebSocket) -> None:
        """One socket from its hello to its end."""
        await socket.accept()
        connection = Connection(socket, self.limits)
        self._sockets[connection.address] += 1
        try:
            if self._sockets[connection.address] > self.limits.sockets:
                raise Bye("rate", "bye.rate")
            hello = await connection.hello()
            connection.language = hello.lang
            await self._slow_down(connection, hello)
            table = await self._table(hello, connection)
            with self._place(connection.address, table):
                await self._attend(connection, table)
        except Bye as bye:
            await connection.part(bye)
        except (StorageError, WorkerLost):
            log.exception("%s: the table cannot be opened now", connection.address)
            await connection.close(LATER)
        except WebSocketDisconnect:
            pass  # the page went before it said anything
        finally:
            self._sockets -= Counter([connection.address])

    @contextlib.contextmanager
    def _place(self, address: str, table: Table) -> Iterator[None]:
        """Count an address to those who keep a table in memory. Errors: Bye, if its tables are too large together."""
        places = self._places.setdefault(address, Counter())
        held = [room.table.weight for at in places if (room := self.rooms.get(at))]
        if table.id not in places and sum(held) + table.weight > self.limits.weight:
            raise Bye("rate", "bye.rate")
        places[table.id] += 1
        try:
            yield
        finally:
            places[table.id] -= 1
            if not places[table.id]:
                del places[table.id]
            if not places:
                del self._places[address]

    async def _table(self, hello: Hello, connection: Connection) -> Table:
        """The table a hello names, and its seats. Errors: Bye; StorageError, WorkerLost where it may go well later.

        An address that has tried too many codes is told nothing about any, unless it holds a seat there.
        """
        guessed = self.misses.spent(connection.address)
        if guessed and not hello.tokens:
            raise Bye("rate", "bye.rate")
        try:
            table = await self.tables.find(hello.table, connection.address)
        except (StorageError, WorkerLost):
            raise
        except BridgeheadError as error:
            raise Bye("game", "bye.game", what=str(error)) from None
        you = None if table is None else table.held(hello.tokens)
        if guessed and not you:
            raise Bye("rate", "bye.rate")
        if table is None:
            self.misses.may(connection.address)
            raise Bye("table", "bye.table", table=hello.table)
        if you is None:
            raise Bye("token", "bye.token")
        connection.seat(you, hello.lang)
        return table

    async def _attend(self, connection: Connection, table: Table) -> None:
        room = self.rooms.setdefault(table.id, Room(table))
        room.table.crowd += 1
        tasks = [asyncio.create_task(connection.send_all()), asyncio.create_task(connection.overflow.wait())]
        try:
            await self._finish(self._enter(room, connection))
            tasks.append(asyncio.create_task(self._listen(room, connection)))
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await self._finish(self._leave(room, connection))
        if connection.overflow.is_set():
            await connection.close(LATER)
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect):
            await tasks[-1]

    async def _enter(self, room: Room, connection: Connection) -> None:
        async with room.table.lock:
            await room.prepare(connection.language)
            room.connections.add(connection)
            room.seat()
            room.bell = room.bell or Bell(room, self._finish, self.reload, self.wake)
            news = await room.bell.arrive(connection)
            room.welcome(connection)
            if connection.you:
                room.broadcast(news, apart_from=connection)
            self.wake(room)

    async def _leave(self, room: Room, connection: Connection) -> None:
        async with room.table.lock:
            room.connections.discard(connection)
            room.seat()
            if connection.you:
                room.broadcast(News.PRESENCE)
            room.table.crowd -= 1
            if room.table.crowd == 0:
                if room.bell is not None:
                    room.bell.stop()
                del self.rooms[room.table.id]

    async def _listen(self, room: Room, connection: Connection) -> None:
        """Answer one message after another. Errors: Bye, WebSocketDisconnect."""
        while True:
            try:
                message = await connection.hear()
            except msgspec.DecodeError as error:
                message = None
                text = connection.words("bad", what=str(error))
            await self._slow_down(connection, message)
            left = connection.bucket.take()
            if left <= -connection.bucket.size:
                raise Bye("rate", "bye.rate")
            key = getattr(message, "k", "")
            if left < 0:
                connection.reject(key, "rate", connection.words("rate"), room.table.version)
            elif message is None:
                connection.reject(key, "bad", text, room.table.version)
            else:
                await self._finish(self._answer(room, connection, message))

    async def _slow_down(self, connection: Connection, message: Message | None) -> None:
        """Count the work of a message; an address that asks for too much waits."""
        await asyncio.sleep(min(SLOWED, self.effort.wait(connection.address, PRICES.get(type(message), 1))))

    async def _finish(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something to its end, even if whoever waits for it is gone by then."""
        await asyncio.shield(self.start(work))

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin something that is finished before the server stops."""
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def _answer(self, room: Room, connection: Connection, message: Message) -> None:
        async with room.table.lock:
            if isinstance(message, Ping):
                connection.tell({"t": "pong", "n": message.n})
            elif isinstance(message, Why):
                answer = views.why(room.table, room.teller(connection.language), tuple(message.touch))
                connection.tell({"t": "why", "k": message.k, **answer})
            elif isinstance(message, Hello):
                await room.prepare(message.lang)
                connection.language = message.lang
                room.welcome(connection)
            elif isinstance(message, Lag):
                connection.echoed(message.n, room.table.clocks)
            else:
                await self._change(room, connection, message)

    async def _change(
        self, room: Room, connection: Connection, message: Act | Undo | Ask | Answer | Withdraw | Seal | Reveal | Begin
    ) -> None:
        table, before, change = room.table, room.table.version, CHANGES[type(message)]
        try:
            try:
                version = await change(table, connection.you, message)
            except Conflict:  # another process has written: it may have been this very message
                await self.reload(room)
                before = table.version
                version = await change(table, connection.you, message)
        except IllegalAction as error:
            refusal = room.teller(connection.language).refusal(error.refusal)
            connection.tell({"t": "rej", "k": message.k, "code": "illegal", **refusal, "v": table.version})
        except Refused as error:
            connection.reject(message.k, error.code, connection.words(error.key, **error.params), table.version)
            if error.code == "stale":
                room.welcome(connection)
        except (Conflict, StorageError):
            log.exception("%s: an action could not be stored", table.id)
            connection.reject(message.k, "storage", connection.words("storage"), table.version)
        except BridgeheadError as error:
            connection.reject(message.k, "bad", connection.words("bad", what=str(error)), table.version)
        except Exception:
            log.exception("%s: an action failed", table.id)
            connection.reject(message.k, "bad", connection.words("broken"), table.version)
        else:
            connection.tell({"t": "ack", "k": message.k, "v": version})
            if table.version != before:
                room.broadcast(News.CHANGE)
                self.wake(room)

    async def reload(self, room: Room) -> None:
        """Another process has written to this table's log: show what is there."""
        await asyncio.to_thread(room.table.reload)
        for language in {connection.language for connection in room.connections}:
            await room.prepare(language)
        for connection in room.connections:
            room.welcome(connection)
        self.wake(room)

    def wake(self, room: Room) -> None:
        """Let a computer player think, if it is its turn and none is thinking yet; let the clocks run, and chance answer."""
        if room.bell is not None:
            room.bell.set()
        tending.tend(self, room)
        if room.table.computer() and room.thinking is None:
            room.thinking = asyncio.create_task(self._think(room))

    async def _think(self, room: Room) -> None:
        """Computer players act while somebody is there and it is their turn."""
        try:
            while room.table.computer() and room.connections:
                version, actor = room.table.version, room.table.actor
                action, by = await self.bots.choose(room.table, min(connection.address for connection in room.connections))
                if not await self._play(room, actor, version, action, by):
                    await asyncio.sleep(AGAIN)
        except Refused:
            pass  # the table holds no more
        except Exception:
            log.exception("%s: a computer's turn failed", room.table.id)
        finally:
            room.thinking = None

    async def _play(self, room: Room, actor: int, version: int, action: int, by: str) -> bool:
        """Store and show a computer's action, unless the table has moved on; False if it could not be stored."""
        async with room.table.lock:
            if room.table.moved > version or room.table.paused or not room.connections:
                return True
            try:
                await room.table.act(frozenset([actor]), secrets.token_hex(16), version, action, by)
            except Conflict:
                await self.reload(room)
                return True
            except StorageError:
                log.exception("%s: a computer's action could not be stored", room.table.id)
                return False
            room.broadcast(News.CHANGE)
            self.wake(room)
            return True

    async def close(self) -> None:
        """Stop thinking, and finish what has begun."""
        thinking = [room.thinking for room in self.rooms.values() if room.thinking is not None]
        for task in thinking:
            task.cancel()
        await asyncio.gather(*thinking, *self._work, return_exceptions=True)
