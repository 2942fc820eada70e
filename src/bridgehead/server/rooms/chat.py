"""Chat. Stored outside the event log, so a message never makes a pending move stale."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET

from bridgehead.core.validation import ready
from bridgehead.server.connections.rate_limits import Addresses
from bridgehead.server.messages.client import Point, Say
from bridgehead.server.messages.server import Ack, ChatLine, ChatMessages, Pointer, Signal
from bridgehead.server.storage.event_log import Conflict, EventLog, StorageError
from bridgehead.server.tables.sanitize import composed
from bridgehead.server.tables.table import Refused, Table

if TYPE_CHECKING:
    from bridgehead.server.cluster.peers import Others
    from bridgehead.server.connections.connection import Connection
    from bridgehead.server.rooms.room import Room

REACTIONS = ("hello", "luck", "nice", "thanks", "oops", "moment", "sorry", "good_game")
KEPT = 100  # lines of each channel
OPEN = -1  # the channel of all; others are sides
WATCHER = -1
TRIES = 5  # to find a number for a line
ADD = "insert into said select ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ? from said where game = ?"
FIND = "select time, seat, channel, text, react from said where game = ? and key = ?"
FORGET = (
    "delete from said where game = ? and channel = ? and number not in"
    " (select number from said where game = ? and channel = ? order by number desc limit ?)"
)


class Line(NamedTuple):
    """One thing said. seat: WATCHER for a spectator; channel: OPEN, or the side that hears it."""

    time: float
    seat: int
    channel: int
    text: str
    react: str


def has_teams(table: Table) -> bool:
    """Do some seats win together?"""
    return len(set(table.game.sides)) < len(table.seats)


def channels(table: Table, connection: Connection) -> frozenset[int]:
    """The channels that somebody hears: all, and those of the sides where they have a seat."""
    sides = table.game.sides
    return frozenset([OPEN, *(sides[seat] for seat in connection.you | connection.back)])


class Chat:
    """What is said at all tables. store: where it is kept; others: the other workers, if there are any."""

    def __init__(self, store: EventLog, others: Others | None = None, size: int = 10, seconds: float = 30.0) -> None:
        self.store, self.others = store, others
        if others:
            others.ears["said"] = lambda room, narrator, said: others.begin(self._hear(room, *said))
        self.said, self.pointed = Addresses(size, seconds), Addresses(size, seconds)

    async def answer(self, room: Room, connection: Connection, message: Say | Point) -> None:
        """Something is said, which changes nothing at the table."""
        key = getattr(message, "k", "")
        try:
            if isinstance(message, Point):
                self.point(room, connection, message)
            else:
                await self.say(room, connection, message)
                connection.tell(Ack(key, room.table.version))
        except Refused as error:
            connection.reject(key, error.code, connection.words(error.key, **error.params), room.table.version)
        except StorageError:
            connection.reject(key, "storage", connection.words("storage"), room.table.version)

    async def say(self, room: Room, connection: Connection, said: Say) -> None:
        """Store something said, then tell it to those who may hear it. Errors: Refused, StorageError."""
        table, text = room.table, composed(said.text)
        if bool(text) == bool(said.react) or (said.react and said.react not in REACTIONS):
            raise Refused("bad", "chat.empty")
        seat = speaker(table, connection)
        if not table.people.chat or (seat == WATCHER and not table.people.watchers):
            raise Refused("closed", "chat.off")
        if said.channel == "team" and (seat == WATCHER or not has_teams(table)):
            raise Refused("illegal", "chat.team")
        line = Line(time.time(), seat, table.game.sides[seat] if said.channel == "team" else OPEN, text, said.react)
        async with room.talk:
            if await self._found(table.id, said.k, line) is not None:
                return
            if not self.said.may(_who(table, connection, seat)):
                raise Refused("rate", "rate")
            if await self._keep(table.id, said.k, line):
                self._pass_on(room, line.channel, ChatMessages(lines=[_shown(line)]))

    async def _found(self, game: str, key: str, line: Line) -> Line | None:
        """What was said with this key, if anything was. Errors: Refused where it was something else; StorageError."""
        rows = await asyncio.to_thread(self.store.read, FIND, game, key)
        if rows and Line(*rows[0])[1:] != line[1:]:
            raise Refused("bad", "key")
        return Line(*rows[0]) if rows else None

    async def _keep(self, game: str, key: str, line: Line) -> bool:
        """Store a line, and let go of those of its channel that are too old: how many there are of one says nothing of another.

        Two workers may choose the same number; who is second chooses again. Where a line of that key is there already, as when
        the answer to a commit was lost, it is not stored again. Is it this very line that is there now? Errors: StorageError.
        """
        for attempt in range(TRIES):
            statement = (ADD, (game, *line, key, game))
            try:
                await self.store.write(statement, (FORGET, (game, line.channel, game, line.channel, KEPT)))
            except Conflict:
                if found := await self._found(game, key, line):
                    return found.time == line.time
                if attempt == TRIES - 1:
                    raise StorageError("too much is said at once") from None
            else:
                break
        return True

    def point(self, room: Room, connection: Connection, said: Point) -> None:
        """Show a place on the board to one's own team, or to all where there are no teams. Errors: Refused."""
        table, seat = room.table, speaker(room.table, connection)
        if not table.people.chat or seat == WATCHER:
            raise Refused("closed", "chat.off")
        if not self.pointed.may(_who(table, connection, seat)):
            raise Refused("rate", "rate")
        channel = table.game.sides[seat] if has_teams(table) else OPEN
        self._pass_on(room, channel, Pointer(seat, said.at))

    def _pass_on(self, room: Room, channel: int, message: Signal) -> None:
        """Send a message to everyone on a channel, here and at other servers."""
        self._tell(room, channel, message)
        if self.others:
            self.others.tell(room.table.id, "said", [channel, message])

    async def _hear(self, room: Room, channel: int, message: Any) -> None:
        """Send a message from another server, after the welcome of a page that arrives at the same time."""
        kept: Signal = msgspec.convert(message, ready(Signal))  # type: ignore[arg-type]
        async with room.talk:
            self._tell(room, channel, kept)

    def _tell(self, room: Room, channel: int, message: Signal) -> None:
        data = msgspec.json.encode(message)
        for each in room.connections:
            if channel in channels(room.table, each):
                each.tell(data)

    async def welcome(self, room: Room, connection: Connection) -> None:
        """Send the recent lines to a page that arrives. Errors: StorageError."""
        async with room.talk:
            connection.tell(await asyncio.to_thread(self._recent, room.table, connection))

    def _recent(self, table: Table, connection: Connection) -> ChatMessages:
        query = "select time, seat, channel, text, react from said where game = ? order by number"
        mine = channels(table, connection)
        lines = [line for row in self.store.read(query, table.id) if (line := Line(*row)).channel in mine]
        return ChatMessages(all=True, lines=[_shown(line) for line in lines[-KEPT:]])


def speaker(table: Table, connection: Connection) -> int:
    """For which of their seats somebody speaks: the one that is to act, else their first; WATCHER for a spectator."""
    seats = connection.you or connection.back
    return table.actor if table.actor in seats else min(seats, default=WATCHER)


def _who(table: Table, connection: Connection, seat: int) -> str:
    """Who has a bucket of their own: a seat, or an address that only watches."""
    return f"{table.id}:{seat}" if seat != WATCHER else connection.address


def _shown(line: Line) -> ChatLine:
    text, react = (UNSET, line.react) if line.react else (line.text, UNSET)
    return ChatLine(line.seat, int(line.time), line.channel != OPEN, react, text)
