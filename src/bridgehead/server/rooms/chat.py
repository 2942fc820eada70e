"""Chat. Stored outside the event log, so a message never makes a pending move stale."""

from __future__ import annotations

import asyncio
import time
from contextlib import nullcontext
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UNSET

from bridgehead.core.validation import ready
from bridgehead.server.connections.connection import Connection
from bridgehead.server.connections.rate_limits import Addresses
from bridgehead.server.messages.client import PointAt, SendChat
from bridgehead.server.messages.server import ChatLine, ChatMessages, Pointer, Signal
from bridgehead.server.rooms.room import Handler, Peers, Room, Session, Tasks
from bridgehead.server.storage.event_log import Conflict, EventLog, StorageError
from bridgehead.server.tables.names import clean_text
from bridgehead.server.tables.table import Refused, Table

REACTIONS = ("hello", "luck", "nice", "thanks", "oops", "moment", "sorry", "good_game")
SIGNAL: Any = ready(Signal)  # type: ignore[arg-type]
KEPT = 100  # messages of each channel
OPEN = -1  # the channel for everybody; the others are sides
WATCHER = -1
HOST = -2  # who hosts the server, and speaks to all tables
TRIES = 5  # attempts to find a number for a message
ADD = "insert into said select ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ? from said where game = ?"
FIND = "select time, seat, channel, text, react from said where game = ? and key = ?"
FORGET = (
    "delete from said where game = ? and channel = ? and number not in"
    " (select number from said where game = ? and channel = ? order by number desc limit ?)"
)


class ChatMessage(NamedTuple):
    """One message. seat: WATCHER for a spectator, or HOST; channel: OPEN, or the side that gets it."""

    time: float
    seat: int
    channel: int
    text: str
    react: str


def has_teams(table: Table) -> bool:
    """Do some seats win together?"""
    return len(set(table.game.sides)) < len(table.seats)


def channels(table: Table, connection: Connection) -> frozenset[int]:
    """The channels that a page gets: OPEN, and the sides of its seats."""
    sides = table.game.sides
    return frozenset([OPEN, *(sides[seat] for seat in connection.you | connection.back)])


class Chat:
    """Chat at all tables. store: keeps the messages; size, seconds: one person may send `size` messages in `seconds`."""

    def __init__(self, store: EventLog, peers: Peers, tasks: Tasks, size: int = 10, seconds: float = 30.0) -> None:
        self.store, self.peers, self.tasks = store, peers, tasks
        self.sent, self.pointed = Addresses(size, seconds), Addresses(size, seconds)
        self._order: WeakKeyDictionary[Room, asyncio.Lock] = WeakKeyDictionary()  # locks that keep the order of messages
        self.handlers: dict[type, Handler] = {SendChat: self.say, PointAt: self.point}
        peers.receivers["said"] = self._receive

    async def say(self, session: Session, message: SendChat) -> int:
        """Store a message, then send it to its channel. Errors: Refused, StorageError."""
        room, table, connection, text = session.room, session.table, session.connection, clean_text(message.text)
        if bool(text) == bool(message.react) or (message.react and message.react not in REACTIONS):
            raise Refused("bad", "chat.empty")
        seat = speaker(table, connection)
        if not table.people.chat or (seat == WATCHER and not table.people.watchers):
            raise Refused("closed", "chat.off")
        if message.channel == "team" and (seat == WATCHER or not has_teams(table)):
            raise Refused("illegal", "chat.team")
        channel = table.game.sides[seat] if message.channel == "team" else OPEN
        line = ChatMessage(time.time(), seat, channel, text, message.react)
        async with self._in_order(room):
            if await self._found(table.id, message.k, line) is None:
                if not self.sent.may(_sender(table, connection, seat)):
                    raise Refused("rate", "rate")
                if await self._keep(table.id, message.k, line):
                    self._publish(room, line.channel, ChatMessages(lines=[_shown(line)]))
        return table.version

    async def announce(self, table: Table, room: Room | None, key: str, text: str) -> None:
        """Store a message of the server's host at a table, and send it to everybody there. Errors: Refused, StorageError."""
        line = ChatMessage(time.time(), HOST, OPEN, text, "")
        async with self._in_order(room) if room else nullcontext():
            if await self._found(table.id, key, line) is None and await self._keep(table.id, key, line):
                message = ChatMessages(lines=[_shown(line)])
                if room:
                    self._send(room, OPEN, message)
                self.peers.send(table.id, "said", [OPEN, message])

    async def point(self, session: Session, message: PointAt) -> None:
        """Point out a place on the board to the sender's team, or to everybody if there are no teams. Errors: Refused."""
        table, connection = session.table, session.connection
        seat = speaker(table, connection)
        if not table.people.chat or seat == WATCHER:
            raise Refused("closed", "chat.off")
        if not self.pointed.may(_sender(table, connection, seat)):
            raise Refused("rate", "rate")
        channel = table.game.sides[seat] if has_teams(table) else OPEN
        self._publish(session.room, channel, Pointer(seat, message.at))

    def _in_order(self, room: Room) -> asyncio.Lock:
        return self._order.get(room) or self._order.setdefault(room, asyncio.Lock())

    async def _found(self, game: str, key: str, line: ChatMessage) -> ChatMessage | None:
        """The stored message of this key; None if there is none. Errors: Refused if it is another message; StorageError."""
        rows = await asyncio.to_thread(self.store.read, FIND, game, key)
        if rows and ChatMessage(*rows[0])[1:] != line[1:]:
            raise Refused("bad", "key")
        return ChatMessage(*rows[0]) if rows else None

    async def _keep(self, game: str, key: str, line: ChatMessage) -> bool:
        """Store a message and delete the oldest ones of its channel; True if this very message is stored now.

        Two processes may choose the same number; then the second one chooses another. A message whose key is already stored, as
        after a lost answer to a commit, is not stored again. Errors: StorageError.
        """
        for attempt in range(TRIES):
            statement = (ADD, (game, *line, key, game))
            try:
                await self.store.write(statement, (FORGET, (game, line.channel, game, line.channel, KEPT)))
            except Conflict:
                if found := await self._found(game, key, line):
                    return found.time == line.time
                if attempt == TRIES - 1:
                    raise StorageError("server:error.too_much_said_once") from None
            else:
                break
        return True

    def _publish(self, room: Room, channel: int, message: Signal) -> None:
        """Send a message to all pages of a channel, here and at the peers."""
        self._send(room, channel, message)
        self.peers.send(room.table.id, "said", [channel, message])

    def _receive(self, room: Room, sender: str, content: Any) -> None:
        channel, message = content
        self.tasks.start(self._send_in_order(room, channel, msgspec.convert(message, SIGNAL)))

    async def _send_in_order(self, room: Room, channel: int, message: Signal) -> None:
        """Send a peer's message to the pages here, after the welcome of a page that arrives at the same time."""
        async with self._in_order(room):
            self._send(room, channel, message)

    def _send(self, room: Room, channel: int, message: Signal) -> None:
        data = msgspec.json.encode(message)
        for each in room.connections:
            if channel in channels(room.table, each):
                each.send(data)

    async def welcome(self, room: Room, connection: Connection) -> None:
        """Send the newest messages to a page that arrives. Errors: StorageError."""
        async with self._in_order(room):
            connection.send(await asyncio.to_thread(self._recent, room.table, connection))

    def _recent(self, table: Table, connection: Connection) -> ChatMessages:
        query = "select time, seat, channel, text, react from said where game = ? order by number"
        mine = channels(table, connection)
        lines = [line for row in self.store.read(query, table.id) if (line := ChatMessage(*row)).channel in mine]
        return ChatMessages(all=True, lines=[_shown(line) for line in lines[-KEPT:]])


def speaker(table: Table, connection: Connection) -> int:
    """The seat that a page speaks for: of its seats the one to act, else the first; WATCHER for a spectator."""
    seats = connection.you or connection.back
    return table.actor if table.actor in seats else min(seats, default=WATCHER)


def _sender(table: Table, connection: Connection, seat: int) -> str:
    """The subject of the rate limit: a seat, or the address of a spectator."""
    return f"{table.id}:{seat}" if seat != WATCHER else connection.address


def _shown(line: ChatMessage) -> ChatLine:
    text, react = (UNSET, line.react) if line.react else (line.text, UNSET)
    return ChatLine(line.seat, int(line.time), line.channel != OPEN, react, text)
