"""Room manager: the tables with pages at them, from the first message of a page to its last."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Phrase
from bridgehead.server.connections.connection import LATER, CloseConnection, Connection, Disconnected, Transport
from bridgehead.server.connections.effort import COMING, WAITING, Share, WorkBudget
from bridgehead.server.connections.rate_limits import ConnectionQuota, Limits, TableQuota, WrongCodeLimit
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.jobs.worker_pool import WorkerLost
from bridgehead.server.messages import client
from bridgehead.server.messages.client import Hello
from bridgehead.server.rooms import permissions
from bridgehead.server.rooms.chat import Chat
from bridgehead.server.rooms.computer_turns import ComputerTurns, Hints
from bridgehead.server.rooms.dispatcher import Dispatcher, Queries
from bridgehead.server.rooms.lobby import Lobby
from bridgehead.server.rooms.presence import Presence
from bridgehead.server.rooms.room import Handler, Peers, Room, Session, Tasks, ViewCache
from bridgehead.server.rooms.rule_errors import RuleErrors
from bridgehead.server.rooms.sealing_tasks import SealingTasks
from bridgehead.server.rooms.timers import Timers
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables import proposal_changes, sealing, table
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.table import Refused, Table
from bridgehead.server.usage import measure

T = TypeVar("T")
log = logging.getLogger("bridgehead")
CLOSING = 10.0  # seconds for the running tasks of a server that stops, at most
STORED = client.Change | client.SendChat  # messages that the disk has to have room for
# Handlers of the messages that may change the game, by message type.
TABLE_HANDLERS: dict[type, Handler] = {
    client.PlayAction: table.act, client.UndoAction: table.undo, client.MakeProposal: proposal_changes.make_proposal,
    client.AnswerProposal: proposal_changes.answer,
    client.WithdrawProposal: proposal_changes.withdraw, client.SealSeats: sealing.commit, client.RevealLinks: sealing.reveal,
    client.CompleteSealing: sealing.begin_now,
}  # fmt: skip


class RoomManager:
    """All rooms, and the services that their pages use.

    counts: messages sent, by kind and code; misses: wrong table codes; effort: work that each address causes. Pages with a
    seat have a budget of their own there, and places of their own among the connections of their address.
    """

    def __init__(
        self,
        repository: Repository,
        computers: ComputerPlayers,
        limits: Limits,
        webhooks: Webhooks,
        peers: Peers,
        effort: WorkBudget,
    ) -> None:
        self.repository, self.limits, self.peers, self.webhooks = repository, limits, peers, webhooks
        self.rooms: dict[str, Room] = {}
        self.counts: Counter[tuple[str, str]] = Counter()
        self.misses = WrongCodeLimit(limits.misses, limits.guesses)
        self.effort = effort
        self.tasks = Tasks()
        self.lobby, self.chat = Lobby(repository.store, repository.codes), Chat(repository.store, peers, self.tasks)
        self.presence = Presence(limits.away, webhooks.on)
        self.updates = Updates(self.presence, self.lobby, peers, webhooks)
        self.rollback_guard = RollbackGuard(self.rooms, peers, self.updates)
        self.rule_errors = RuleErrors(repository, self.updates)
        self.timers = Timers(self.tasks, self.updates)
        self.sealing = SealingTasks(self.rooms, limits.answer, self.tasks, self.updates, self.rule_errors)
        self.computer_turns = ComputerTurns(computers, peers, self.updates, self.rule_errors)
        self.updates.seats_changed.append(self.computer_turns.prepare)
        self.updates.due += [self.presence.follow, self.timers.set, self.sealing.follow, self.computer_turns.follow]
        self.seats = permissions.SeatChanges(limits, self.presence, peers)
        self.hints = Hints(computers, limits.hints, self.tasks, effort, self.updates)
        self.dispatcher = Dispatcher(
            {
                **TABLE_HANDLERS,
                **Queries(self.presence).handlers,
                **self.seats.handlers,
                **permissions.HostSettings(webhooks, self.lobby).handlers,
                **permissions.Rematches(repository, limits.tables).handlers,
                **self.chat.handlers,
                **self.hints.handlers,
            },
            self.updates,
            self.rule_errors,
        )
        self._view_cache = ViewCache()
        self._places = ConnectionQuota(limits.silent, limits.sockets)
        self._shares = TableQuota()

    @property
    def open_connections(self) -> int:
        return len(self._places)

    async def serve(self, transport: Transport) -> None:
        """Serve one page, from its first message to its last."""
        with contextlib.suppress(Disconnected):
            await measure(transport.accept(), transport.usage)
        connection = Connection(transport, self.limits, self.counts)
        if silent := self._places.add_pending(connection.address, connection):
            silent.dismiss(CloseConnection("rate", "bye.rate"))
        try:
            hello = await measure(connection.hello(), transport.usage)
            connection.language = hello.lang
            finding = partial(self._find, hello, connection)
            waiting: Share = "seat" if hello.tokens else "pages"
            if self.effort.is_full(connection.address, waiting, WAITING if hello.tokens else COMING):
                raise CloseConnection("rate", "bye.rate")
            # Whether the tokens give a seat is known afterwards: then the seat's budget pays, else the watchers'.
            table = await self.effort.run(connection.address, waiting, finding, transport.usage, lambda: connection.share)
            await self._admit(connection, table)
        except CloseConnection as reason:
            await connection.part(reason)
        except (StorageError, WorkerLost):
            log.exception("the table cannot be opened now", extra={"address": connection.address})
            await connection.close(LATER)
        except Disconnected:
            pass
        finally:
            self._places.drop_pending(connection.address, connection)
            self.effort.charge(connection.address, connection.share, transport.usage)

    async def _admit(self, connection: Connection, table: Table) -> None:
        """Keep a page at a table, if its address has a place left. Errors: CloseConnection, Disconnected."""
        address, seated = connection.address, bool(connection.you or connection.back)
        if not self._places.admit(address, connection, seated):
            raise CloseConnection("rate", "bye.rate")
        try:
            if not self._shares.take(address, table.id, table.weight, self.limits.weight):
                raise CloseConnection("rate", "bye.rate")
            try:
                await self._attend(connection, table)
            finally:
                self._shares.leave(address, table.id)
        finally:
            self._places.release(address, seated)

    async def _find(self, hello: Hello, connection: Connection) -> Table:
        """The table that a hello names. Errors: CloseConnection; StorageError or WorkerLost, which are temporary.

        After too many wrong codes, a code is accepted only from a page that has a seat there.
        """
        looked_up = self.misses.may(connection.address, hello.table)
        if not looked_up and not hello.tokens and not hello.host:
            raise CloseConnection("rate", "bye.codes")
        try:
            table = await self.repository.find(hello.table, connection.address)
        except (StorageError, WorkerLost):
            raise
        except BridgeheadError as error:
            raise CloseConnection("game", "bye.game", what=error.whole) from None
        if table is not None and looked_up:
            self.misses.hit(connection.address, hello.table)
        known = table is not None and connection.introduce(hello, table)
        if table is not None and not known and await self._catch_up(table):  # another process has perhaps just given the link
            known = connection.introduce(hello, table)
        if not looked_up and not (known and (connection.hashes or connection.host)):
            raise CloseConnection("rate", "bye.codes")
        if table is None:
            raise CloseConnection("table", "bye.table", table=hello.table)
        if not known:
            raise CloseConnection("token", "bye.token", connection.stray(table))
        await self.rollback_guard.check(table, hello)
        return table

    async def _catch_up(self, table: Table) -> bool:
        """Read what other processes have added to the log; False if that is nothing. Errors: StorageError."""
        if not self.repository.store.shared:
            return False
        async with table.lock:
            before, room = table.version, self.rooms.get(table.id)
            await (self.updates.refresh(room) if room is not None else table.refresh())
            return table.version > before

    async def _attend(self, connection: Connection, table: Table) -> None:
        """Keep a page at its table until it goes. Errors: CloseConnection, Disconnected."""
        room = self._come(table)
        try:
            entering = partial(self._enter, room, connection)
            address, usage = connection.address, connection.transport.usage
            await self.effort.run(address, connection.share, lambda: self.tasks.complete(entering()), usage)
            await connection.attend(self._receive(Session(room, connection)))
        finally:
            self.hints.stop(connection)
            await self.tasks.complete(self._leave(room, connection))
        if connection.farewell is not None:
            raise connection.farewell
        if connection.overflow:
            await connection.close(LATER)

    async def _enter(self, room: Room, connection: Connection) -> None:
        """Show a page its table, and show the other pages its arrival. Errors: CloseConnection."""
        async with room.table.lock:
            await room.prepare(connection.viewer)
            _refuse_stray(room, connection)
            room.connections.add(connection)
            self.presence.attend(room)
            sat = await self._sit_down(room, connection)
            news = await self.timers.start_waiting_clocks(room, connection)
            news = News.CHANGE if sat else news
            self.computer_turns.prepare(room)
            room.welcome(connection)
            if connection.you:
                room.broadcast(news, apart_from=connection)
            if connection.you:
                await self.lobby.follow(room, connection.address)
            self.presence.send(room, None if connection.you | connection.back else connection)
            self.peers.enter_room(room)
            if news is News.CHANGE:
                self.peers.send(room.table.id, "news")
            self.updates.wake(room)
        with contextlib.suppress(StorageError):
            await self.chat.welcome(room, connection)

    async def _sit_down(self, room: Room, connection: Connection) -> bool:
        """Seat a person on the first use of a link; True if somebody sat down. Errors: CloseConnection."""
        for _ in range(2):
            try:
                sat = await permissions.sit_down(room.table, connection)
                self.presence.attend(room)
                return sat
            except Conflict:
                await self.updates.refresh(room)
                _refuse_stray(room, connection)
            except (StorageError, Refused):
                log.exception("a person who sat down could not be stored", extra={"table": room.table.id})
                break
        return False

    async def _leave(self, room: Room, connection: Connection) -> None:
        """Show that a page has left, and close the room after its last page."""
        async with room.table.lock:
            room.connections.discard(connection)
            self.presence.attend(room)
            if connection.you:
                room.broadcast(News.PRESENCE)
                self.peers.leave_room(room)
            if connection.you or connection.back:
                self.presence.send(room)
                await self.lobby.follow(room, connection.address)
            self._go(room)

    def _come(self, table: Table) -> Room:
        """Count a page or a visit at a table; the first one opens its room."""
        room = self.rooms.get(table.id)
        if room is None:
            room = self.rooms[table.id] = Room(table, self._view_cache)
            self.updates.open(room)
        self.repository.come(room.table)
        return room

    def _go(self, room: Room) -> None:
        """Close a room after its last page or visit. Needs the lock."""
        self.computer_turns.cancel_stale(room)
        self.repository.go(room.table)
        if room.table.attendance.crowd == 0:
            room.close()
            self.timers.close(room)
            self.presence.close(room)
            del self.rooms[room.table.id]

    async def visit(self, table: Table, work: Callable[[Room], Awaitable[T]]) -> T:
        """Do some work at a table without a page, under its lock, and let its computer players act. Errors: those of the work."""
        room = self._come(table)
        room.visits += 1
        try:
            async with room.table.lock:
                done = await work(room)
                self.computer_turns.follow(room)
            while thinking := self.computer_turns.thinking.get(room):
                await asyncio.wait([thinking])
            return done
        finally:
            async with room.table.lock:
                room.visits -= 1
                self._go(room)

    async def erase(self, table_id: str, reason: str) -> None:
        """Delete a table whatever was played there, and send everybody away. reason: the key of a sentence.

        Errors: StorageError.
        """
        await self.repository.erase(table_id)
        if room := self.rooms.get(table_id):
            self.updates.send_away(room, reason)
        self.peers.send(table_id, "gone", reason)

    async def _receive(self, session: Session) -> None:
        """Answer messages, each in a turn of the page's address, which pays. Errors: CloseConnection, Disconnected."""
        connection = session.connection
        address, usage = connection.address, connection.transport.usage
        while not connection.ended:
            message, wrong = None, Phrase("bad")
            try:
                message = await connection.receive()
            except BridgeheadError as error:
                wrong = error.whole
            share = connection.share
            await self.effort.begin(address, share)
            try:
                left = connection.bucket.take()
                if left <= -connection.bucket.size:
                    raise CloseConnection("rate", "bye.rate")
                if left < 0:
                    session.reject(getattr(message, "k", ""), "rate", "rate")
                elif message is None:
                    session.reject("", "bad", "bad", what=wrong)
                elif isinstance(message, STORED) and self.effort.owing.get((address, "disk"), 0.0) > time.monotonic():
                    session.reject(getattr(message, "k", ""), "rate", "disk")
                else:
                    await connection.complete(self.dispatcher.answer(session, message))
            finally:
                self.effort.end(address, share, usage)

    async def close(self) -> None:
        """Stop computer players, and complete the running tasks, as far as they do not take long."""
        self.webhooks.stop()
        await self.computer_turns.stop()
        await self.tasks.wait(CLOSING)


class RollbackGuard:
    """The tables that are frozen until the server stops. rooms: the tables with pages at them."""

    def __init__(self, rooms: Mapping[str, Room], peers: Peers, updates: Updates) -> None:
        self._rooms, self._peers, self._updates = rooms, peers, updates
        self.frozen: set[str] = set()
        peers.receivers["behind"] = self._receive

    async def check(self, table: Table, hello: Hello) -> None:
        """Check that the log holds all versions that the page has seen. Errors: CloseConnection if not; StorageError.

        A log that is known to be damaged passes. If the page's mark proves a missing version, the table is frozen for everybody.
        Without proof, only the page is rejected.
        """
        if table.damage is not None:
            return
        if hello.last > table.version:
            async with table.lock:
                room = self._rooms.get(table.id)
                await (table.refresh() if room is None else self._updates.refresh(room))
        if self.freeze(table, hello.last, hello.mark):
            self._peers.send(table.id, "behind", [hello.last, hello.mark])
        if hello.last > table.version or table.id in self.frozen:
            raise CloseConnection("behind", "bye.behind")

    def freeze(self, table: Table, last: int, mark: str) -> bool:
        """Freeze a table if the mark proves that somebody has seen a later version; True if it does."""
        if table.damage is not None or last <= table.version or not hmac.compare_digest(mark.encode(), table.mark(last).encode()):
            return False
        if table.id not in self.frozen:
            log.error("a table's log is older than what people saw of it: frozen", extra={"table": table.id})
        self.frozen.add(table.id)
        room = self._rooms.get(table.id)
        for connection in room.connections if room else ():
            connection.dismiss(CloseConnection("behind", "bye.behind"))
        return True

    def _receive(self, room: Room, sender: str, message: Any) -> None:
        last, mark = message
        self.freeze(room.table, int(last), str(mark))


def _refuse_stray(room: Room, connection: Connection) -> None:
    """Refuse a page of which a token was revoked, or whose table was deleted, while it came in. Errors: CloseConnection."""
    if room.table.deleted:
        raise CloseConnection("table", "bye.table", table=room.table.id)
    if stray := connection.stray(room.table):
        raise CloseConnection("token", "bye.token", stray)
