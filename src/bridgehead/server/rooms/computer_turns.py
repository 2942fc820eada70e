"""Computer players at tables: they act while somebody is there, and give hints to the seat to act."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections import Counter
from weakref import WeakKeyDictionary

import msgspec

from bridgehead.core.spec import OVER
from bridgehead.players.advice import Assessment
from bridgehead.players.levels import searches
from bridgehead.players.subprocess_player import describe_position
from bridgehead.players.watching import looking_back
from bridgehead.server.connections.connection import Connection
from bridgehead.server.connections.effort import WorkBudget
from bridgehead.server.connections.rate_limits import Addresses
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.messages.client import GiveHint
from bridgehead.server.messages.server import Advice
from bridgehead.server.rooms.room import Handler, Peers, Room, Session, Tasks
from bridgehead.server.rooms.rule_errors import Attempt, RuleErrors
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.table import NewEvent, Refused

log = logging.getLogger("bridgehead")
AGAIN = 2.0  # seconds until a computer's action that could not be stored is tried again


class ComputerTurns:
    """Lets computer players act. computers: choose their actions, in worker processes."""

    def __init__(self, computers: ComputerPlayers, peers: Peers, updates: Updates, errors: RuleErrors) -> None:
        self.computers, self.peers, self.updates, self.errors = computers, peers, updates, errors
        self.thinking: dict[Room, asyncio.Task[None]] = {}  # play computers' turns
        self._choosing: dict[Room, tuple[asyncio.Task[tuple[int, str]], int]] = {}  # searches, and `Table.last_move_version` then
        self._preparing: dict[Room, asyncio.Task[None]] = {}  # compile games

    async def stop(self) -> None:
        """Stop all computer players."""
        tasks = [*self.thinking.values(), *self._preparing.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def follow(self, room: Room) -> None:
        """After a change: cancel a search whose position is stale, and start a turn if a computer has to act before pages."""
        self.cancel_stale(room)
        if room.table.computer() and room.is_open and room not in self.thinking:
            self.thinking[room] = asyncio.create_task(self._think(room))

    def cancel_stale(self, room: Room) -> None:
        """Cancel a search whose table has moved on, is paused, or has no pages any more."""
        if room in self._choosing:
            choosing, moved = self._choosing[room]
            if moved != room.table.last_move_version or not room.table.computer() or not room.is_open:
                choosing.cancel()
                del self._choosing[room]

    def prepare(self, room: Room) -> None:
        """Compile the game if a computer at the table searches. Views report this until it is done."""
        table, game = room.table, room.table.game
        if room in self._preparing or not any(seat.kind == "computer" and searches(game, seat.level) for seat in table.seats):
            return
        if table.actor == OVER or self.computers.is_ready(table.game):
            return

        async def prepared() -> None:
            try:
                await asyncio.shield(self.computers.prepare(table.game, _asker(room)))
            finally:
                del self._preparing[room]
            async with table.lock:
                table.preparing = False
                if table.computer():
                    room.broadcast(News.PRESENCE)

        table.preparing = True
        self._preparing[room] = asyncio.create_task(prepared())

    async def _think(self, room: Room) -> None:
        """Think if no other server process does so for this table."""
        try:
            if await self.peers.begin_thinking(room):
                try:
                    await self._turns(room)
                finally:
                    self.peers.end_thinking(room)
        except Refused:
            pass  # the table is full
        except Exception:
            log.exception("a computer's turn failed", extra={"table": room.table.id})
        finally:
            del self.thinking[room]

    async def _turns(self, room: Room) -> None:
        """Choose and play until a person has to act, or no page is left."""
        table = room.table
        while table.computer() and room.is_open:
            version, actor = table.version, table.actor
            seed = hashlib.sha256(f"{table.body.seed}:{version}".encode()).hexdigest()  # does not reveal the dice
            choosing = asyncio.create_task(
                self.computers.choose(
                    table.match.position, table.computer(), seed, _asker(room), table.id, looking_back(table.match)
                )
            )
            self._choosing[room] = choosing, table.last_move_version
            try:
                await asyncio.wait([choosing])
            finally:
                choosing.cancel()
                self._choosing.pop(room, None)
            if choosing.cancelled():
                continue
            action, by = choosing.result()
            if not await self._play(room, actor, version, action, by):
                await asyncio.sleep(AGAIN)

    async def _play(self, room: Room, actor: int, version: int, action: int, by: str) -> bool:
        """Store and show a computer's action, unless the table has moved on; False if it could not be played or stored."""
        table = room.table
        async with table.lock:
            moved = table.last_move_version > version or table.stopped
            if moved or not table.computer() or not room.is_open:
                return True
            try:
                await table.act(frozenset([actor]), secrets.token_hex(16), version, action, by)
            except Conflict:
                await self.updates.refresh(room)
                return True
            except StorageError:
                log.exception("a computer's action could not be stored", extra={"table": table.id})
                return False
            except Refused:
                raise
            except Exception as error:
                await self.errors.report(room, error, Attempt("act", action, by), _asker(room))
                await self.errors.pause(room)
                return False
            await self.updates.show_change(room)
            return True


def _asker(room: Room) -> str:
    """The address that a table's searches are counted for."""
    return min((connection.address for connection in room.connections), default="")


def _has_failed(search: asyncio.Task[Assessment]) -> bool:
    return search.done() and (search.cancelled() or search.exception() is not None)


class Hints:
    """Answers requests for hints: a worker computes one from the shown position, once for all. most: of one address a minute."""

    def __init__(self, computers: ComputerPlayers, most: int, tasks: Tasks, effort: WorkBudget, updates: Updates) -> None:
        self.computers, self.tasks, self.effort, self.updates = computers, tasks, effort, updates
        self.asked = Addresses(most)
        self.waiting: dict[Connection, asyncio.Task[Assessment]] = {}
        self._last: WeakKeyDictionary[Room, tuple[tuple[int, int, str], asyncio.Task[Assessment]]] = WeakKeyDictionary()
        self.wanted: Counter[asyncio.Task[Assessment]] = Counter()  # the pages that wait for each search
        self.handlers: dict[type, Handler] = {GiveHint: self.hint}

    async def hint(self, session: Session, message: GiveHint) -> None:
        """Answer in the background: a search may take seconds. Or stop it. Errors: Refused, if the page may not ask now."""
        table, connection = session.table, session.connection
        if message.stop:
            self.stop(connection)
            return
        if not table.hints:
            raise Refused("closed", "hint.off")
        table.expect(message.v, connection.you)
        if self.effort.refuses(connection.address, "costly") or not self.asked.may(connection.address):
            raise Refused("rate", "rate")
        self.tasks.start(self._give(session, message))
        await asyncio.sleep(0)  # it begins, so that the next message can stop it

    def stop(self, connection: Connection) -> None:
        """Stop the search for a page, if there is one."""
        if waiting := self.waiting.get(connection):
            waiting.cancel()

    async def _give(self, session: Session, message: GiveHint) -> None:
        """Send a hint, or why there is none. Errors: none."""
        connection = session.connection
        try:
            await self._note(session)
            self.waiting[connection] = asyncio.create_task(self._share_search(session.room, connection))
            found = await self.waiting[connection]
        except Refused as error:
            session.reject(message.k, error.code, error.key, **error.params)
        except asyncio.CancelledError:
            session.reject(message.k, "closed", "hint.stopped")
        except Exception:
            log.exception("no hint was found", extra={"table": session.table.id})
            session.reject(message.k, "storage", "hint.lost")
        else:
            connection.send(Advice(k=message.k, v=message.v, **msgspec.structs.asdict(found)))
        finally:
            self.waiting.pop(connection, None)

    async def _note(self, session: Session) -> None:
        """Store, before the first hint for a person with a profile, that there is one. Errors: Refused, StorageError."""
        table = session.table
        seat = table.actor
        if table.seats[seat].profile and not table.seats[seat].advised:
            async with table.lock:
                while not table.seats[seat].advised:
                    try:
                        await table.write(secrets.token_hex(16), NewEvent("seat", seat, bodies.AdviceTaken()))
                    except Conflict:
                        await self.updates.refresh(session.room)
                        continue
                    await self.updates.show_change(session.room, people=True)

    async def _share_search(self, room: Room, connection: Connection) -> Assessment:
        """The result of the search for the shown position, which all pages share that want it in this language."""
        table, language, asker = room.table, connection.language, connection.address
        key = table.last_move_version, len(table.match.log), language
        last, search = self._last.get(room, (None, None))
        if search is None or last != key or _has_failed(search):
            described, seed = describe_position(table.match.position), f"{table.id}:{table.version}"
            search = asyncio.create_task(self.computers.advise(table.game, described, table.names, language, seed, asker))
            self._last[room] = key, search
        self.wanted[search] += 1
        try:
            return await asyncio.shield(search)
        finally:
            self.wanted[search] -= 1
            if not self.wanted[search]:  # nobody waits for it any more: the worker stops
                del self.wanted[search]
                if not search.done():
                    self._last.pop(room, None)
                    search.cancel()
