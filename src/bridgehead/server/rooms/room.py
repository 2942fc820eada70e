"""A room: a table with pages at it, and the views that they get; its sessions, its tasks, and its peers at other processes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from bridgehead.server.connections.connection import Connection, Viewer
from bridgehead.server.messages.server import RejectionCode
from bridgehead.server.rooms import views
from bridgehead.server.rooms.views import News
from bridgehead.server.tables.table import Table
from bridgehead.server.usage import charge_to_request

FRESH = 8  # whole views that a room keeps for the next arrivals
WARM = 2000  # rooms that keep the parts of their views
WHOLE = 200  # rooms that keep whole views
TICK = 250  # milliseconds by which the clocks in a kept view may be late


class _RecentRooms:
    """The most recently used rooms, `most` of them. evict: frees the caches of a room that another one displaces."""

    def __init__(self, most: int, evict: Callable[[Room], None]) -> None:
        self._most, self._evict = most, evict
        self._rooms: OrderedDict[Room, None] = OrderedDict()

    def use(self, room: Room) -> None:
        self._rooms[room] = None
        self._rooms.move_to_end(room)
        if len(self._rooms) > self._most:
            self._evict(self._rooms.popitem(last=False)[0])

    def forget(self, room: Room) -> None:
        self._rooms.pop(room, None)


class ViewCache:
    """The rooms that sent views most recently. Only these keep parts of their views in memory."""

    def __init__(self) -> None:
        self._parts = _RecentRooms(WARM, lambda room: room.rest())
        self._whole = _RecentRooms(WHOLE, lambda room: room.fresh.clear())

    def note(self, room: Room, whole: bool) -> None:
        """Note that a room sends views: whole ones, or only changes."""
        self._parts.use(room)
        if whole:
            self._whole.use(room)

    def forget(self, room: Room) -> None:
        self._parts.forget(room)
        self._whole.forget(room)


class Room:
    """A table with pages at it. What a service needs to know of a room, it keeps itself, by room."""

    def __init__(self, table: Table, warm: ViewCache) -> None:
        self.table = table
        self._view_cache = warm
        self.connections: set[Connection] = set()
        self.visits = 0  # of `RoomManager.visit` under way
        self.elsewhere: dict[str, tuple[frozenset[int], float]] = {}  # by process, the seats with a page there, and until when
        self.narrators: dict[str, views.TableText] = {}
        self.fresh: dict[tuple[int, int, frozenset[int], Viewer], bytes] = {}

    @property
    def is_open(self) -> bool:
        """Is a page here, or the server itself on a visit? Only then do computer players act."""
        return bool(self.connections) or self.visits > 0

    @property
    def here(self) -> frozenset[int]:
        """The seats with a page at the table, at any process."""
        own = frozenset(seat for connection in self.connections for seat in connection.you)
        return own.union(*(seats for seats, _ in self.elsewhere.values()))

    def narrator(self, language: str) -> views.TableText:
        narrator = self.narrators.get(language)
        if narrator is None or narrator.match is not self.table.match or narrator.stored != self.table.names:
            narrator = self.narrators[language] = views.TableText(self.table.match, self.table.names, language)
        return narrator

    def rest(self) -> None:
        """Drop the caches that only speed up the sending of many views."""
        self.fresh.clear()
        for connection in self.connections:
            connection.shown = None  # its next view has all items
        for narrator in self.narrators.values():
            narrator.rest()

    def close(self) -> None:
        """Close the room after its last page. Dropping all references frees the table without the garbage collector."""
        self._view_cache.forget(self)

    async def prepare(self, viewer: Viewer) -> None:
        """Build the sentences of the log for a viewer, in a thread if there are many. Needs the lock."""
        narrator = self.narrator(viewer.language)
        if narrator.is_behind(viewer.you):
            await asyncio.to_thread(narrator.prepare, viewer.you)

    def broadcast(self, news: News, apart_from: Connection | None = None) -> None:
        """Send everybody a view; pages that may see the same share one."""
        self._view_cache.note(self, whole=False)
        self.fresh.clear()  # kept whole views are out of date
        here = self.table.attendance.here
        made: dict[tuple[Viewer, int], bytes] = {}
        for connection in self.connections - {apart_from}:
            key = viewer, _ = connection.viewer, id(connection.shown)
            narrator = self.narrator(viewer.language)
            if key not in made:
                made[key] = views.view(self.table, narrator, viewer, here, news, connection.shown)
            connection.send(made[key])
            connection.shown = narrator.present_snapshot.things

    def welcome(self, connection: Connection) -> None:
        """Send one page the whole view. Pages that arrive while nothing changes share one view."""
        self._view_cache.note(self, whole=True)
        here, viewer = self.table.attendance.here, connection.viewer
        ticks = self.table.clock.measure_elapsed(self.table.now()) // TICK
        key = (self.table.version, ticks, here, viewer)
        if key not in self.fresh:
            if len(self.fresh) >= FRESH:
                self.fresh.clear()
            self.fresh[key] = views.view(self.table, self.narrator(viewer.language), viewer, here, News.FRESH)
        connection.send(self.fresh[key])
        connection.shown = self.narrator(viewer.language).present_snapshot.things


class Session:
    """One page at one table. It serves as `TableSession` for the handlers of `tables`.

    you: the seats that the page plays, read from its tokens before every message.
    """

    __slots__ = ("connection", "room", "table", "you")

    def __init__(self, room: Room, connection: Connection) -> None:
        self.room, self.connection = room, connection
        self.table: Table = room.table
        self.you: frozenset[int] = frozenset()

    @property
    def host(self) -> bool:
        return self.connection.host

    def reject(self, key: str, code: RejectionCode, phrase: str, **params: object) -> None:
        """Reject a message with one of the server's own sentences. key: of the message; phrase: of the sentence."""
        connection = self.connection
        connection.reject(key, code, connection.words(phrase, **params), self.table.version)


# Handles one type of message. Returns the table's version to acknowledge; None: no acknowledgement.
Handler = Callable[[Session, Any], Awaitable[int | None]]


class Tasks:
    """A set of running tasks. A change that has begun is completed even if the requesting page disconnects."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task. A request in whose context it starts pays for it."""
        task = asyncio.create_task(charge_to_request(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def complete(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for some work. The work is completed even if the waiting task is cancelled."""
        await asyncio.shield(self.start(work))

    async def wait(self, seconds: float) -> None:
        """Wait for all running tasks, so many seconds at most; then cancel those that still run."""
        if self._running:
            _done, late = await asyncio.wait(self._running, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


Receiver = Callable[[Room, str, Any], None]  # its arguments: a table with pages here, the sender's name, the message


class Peers:
    """The other server processes. This class is for a server without any.

    receivers: the handler of each kind of message.
    """

    def __init__(self) -> None:
        self.receivers: dict[str, Receiver] = {}

    def send(self, table: str, kind: str, message: Any = None) -> None:
        """Send a message about a table to all peers with pages there. Best effort; never blocks."""

    def enter_room(self, room: Room) -> None:
        """A page has connected to a table here."""

    def leave_room(self, room: Room) -> None:
        """A page has left a table here."""

    async def begin_thinking(self, room: Room) -> bool:
        """Acquire the lease on a table's computer players, after catching up with its previous holder."""
        return True

    def end_thinking(self, room: Room) -> None:
        """Release that lease."""
