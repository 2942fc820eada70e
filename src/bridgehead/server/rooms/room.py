"""A table with somebody at it: who hears what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from cachetools import LRUCache

from bridgehead.server.connections.connection import Connection
from bridgehead.server.rooms import views
from bridgehead.server.rooms.timers import RoomTimers
from bridgehead.server.rooms.views import News
from bridgehead.server.tables.table import Table

FRESH = 8  # whole views that a room keeps for those who come next
WARM = 2000  # rooms that keep what their views are made of
WHOLE = 200  # of them that keep whole views
TICK = 250  # ms by which the clocks of a view may be late


class _RecentRooms(LRUCache["Room", None]):
    """The rooms used last. evict: releases what a room keeps when another one takes its place."""

    def __init__(self, most: int, evict: Callable[[Room], None]) -> None:
        super().__init__(most)
        self.evict = evict

    def popitem(self) -> tuple[Room, None]:
        room, _ = super().popitem()
        self.evict(room)
        return room, None


class ViewCache:
    """Limits memory: only the rooms that needed a view most recently keep the parts of their views."""

    def __init__(self) -> None:
        self._parts = _RecentRooms(WARM, lambda room: room.rest())
        self._whole = _RecentRooms(WHOLE, lambda room: room.fresh.clear())

    def note(self, room: Room, whole: bool) -> None:
        """A view is needed: a whole one, or only its changes."""
        self._parts[room] = None
        if whole:
            self._whole[room] = None

    def forget(self, room: Room) -> None:
        self._parts.pop(room, None)
        self._whole.pop(room, None)


class Room:
    """A table with somebody at it."""

    def __init__(self, table: Table, warm: ViewCache) -> None:
        self.table = table
        self._view_cache = warm
        self.connections: set[Connection] = set()
        self.narrators: dict[str, views.Narrator] = {}
        self.fresh: dict[tuple[int, int, frozenset[int], views.Viewer], bytes] = {}
        self.thinking: asyncio.Task[None] | None = None
        self.choosing: tuple[asyncio.Task[tuple[int, str]], int] | None = None  # a computer's decision, after which move
        self.hint: tuple[tuple[int, int, str], asyncio.Task[dict[str, Any]]] | None = None  # the last one, and what it is of
        self.preparing: asyncio.Task[None] | None = None  # the game is compiled for its levels
        self.timers: RoomTimers | None = None
        self.asking: tuple[str, int] | None = None  # the draw for which a clock runs
        self.elsewhere: dict[str, tuple[frozenset[int], float]] = {}  # seats at other workers, and until when that is believed
        self.talk = asyncio.Lock()  # what is said comes one after another, also to those who come just then
        self.attended: frozenset[int] = frozenset()  # seats somebody is at, or may take back at once
        self.votes: dict[tuple[int, str, str], set[int]] = {}  # what seats want about a seat that is away
        self.sat = list(table.seats)  # as they were when votes were looked through
        self.later: asyncio.TimerHandle | None = None  # when somebody has been away for long
        self.listed = table.people.listed
        self.called = (table.actor, table.match.position.turn)  # the turn that was told last

    @property
    def here(self) -> frozenset[int]:
        """The seats of which somebody is at the table, at whichever worker."""
        own = frozenset(seat for connection in self.connections for seat in connection.you)
        return own.union(*(seats for seats, _ in self.elsewhere.values()))

    def seat(self, anew: bool = False) -> None:
        """See who is here. anew: seats have changed hands, so that tokens may give something else than before."""
        for connection in self.connections if anew else ():
            connection.seat(self.table.holding(connection.hashes))
        self.table.here = self.here
        self.attended = self.table.here.union(*(connection.back for connection in self.connections))
        self.table.people.see(self.attended)
        same = {seat for seat, sat in enumerate(self.sat) if sat == self.table.seats[seat]} - self.attended
        self.sat = list(self.table.seats)
        self.votes = {vote: voters for vote, voters in self.votes.items() if vote[0] in same}

    def narrator(self, language: str) -> views.Narrator:
        narrator = self.narrators.get(language)
        if narrator is None or narrator.match is not self.table.match or narrator.called != self.table.names:
            narrator = self.narrators[language] = views.Narrator(self.table.match, self.table.names, language)
        return narrator

    def rest(self) -> None:
        """Let go of what only saves time where many want a view."""
        self.fresh.clear()
        for connection in self.connections:
            connection.shown = None  # it is told all things again
        for narrator in self.narrators.values():
            narrator.rest()

    def close(self) -> None:
        """Nobody is at the table any more. What refers to this room is let go of, so that table and log go with it at once."""
        self._view_cache.forget(self)
        if self.later is not None:
            self.later.cancel()
        if self.timers is not None:
            self.timers.stop()
            self.timers = None

    async def prepare(self, language: str) -> None:
        """Find the words in a language, apart from the server's loop where they are many. Holders of the lock only."""
        narrator = self.narrator(language)
        if narrator.is_behind:
            await asyncio.to_thread(narrator.prepare)

    def broadcast(self, news: News, apart_from: Connection | None = None) -> None:
        """Tell everybody; one view is made for all who may see the same."""
        self._view_cache.note(self, whole=False)
        self.fresh.clear()  # they have told of what was before
        here = self.table.here
        made: dict[tuple[views.Viewer, int], bytes] = {}
        for connection in self.connections - {apart_from}:
            key = viewer, _ = connection.viewer, id(connection.shown)
            narrator = self.narrator(viewer.language)
            if key not in made:
                made[key] = views.view(self.table, narrator, viewer, here, news, connection.shown)
            connection.tell(made[key])
            connection.shown = narrator.now.things

    def welcome(self, connection: Connection) -> None:
        """The whole view, for one; it is made once for all who come while nothing changes."""
        self._view_cache.note(self, whole=True)
        here, viewer = self.table.here, connection.viewer
        ticks = self.table.clocks.elapsed // TICK
        key = (self.table.version, ticks, here, viewer)
        if key not in self.fresh:
            if len(self.fresh) >= FRESH:
                self.fresh.clear()
            self.fresh[key] = views.view(self.table, self.narrator(viewer.language), viewer, here, News.FRESH)
        connection.tell(self.fresh[key])
        connection.shown = self.narrator(viewer.language).now.things
