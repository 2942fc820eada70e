"""Hints for the seat to act. A worker process computes one from the shown position, once for all requests."""

from __future__ import annotations

import asyncio
import logging

from bridgehead.core.spec import OVER
from bridgehead.players import subprocess_player
from bridgehead.players.advice import Assessment, advise
from bridgehead.server.connections.connection import Connection
from bridgehead.server.connections.rate_limits import Addresses, Effort, Price
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.messages.client import Hint
from bridgehead.server.messages.server import Advice
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.session import Handler, Session
from bridgehead.server.rooms.tasks import Tasks
from bridgehead.server.tables.table import Refused, Table

log = logging.getLogger("bridgehead")


class Hints:
    """Answers requests for hints. most: requests of one address a minute."""

    def __init__(self, computers: ComputerPlayers, most: int, tasks: Tasks, effort: Effort) -> None:
        self.computers, self.tasks, self.effort = computers, tasks, effort
        self.asked = Addresses(most)
        self.handlers: dict[type, Handler] = {Hint: self.hint}

    async def hint(self, session: Session, message: Hint) -> None:
        """Answer in the background: a search may take seconds."""
        self.tasks.start(self._answer(session, message))

    async def _answer(self, session: Session, message: Hint) -> None:
        table, connection = session.table, session.connection
        try:
            self._allow(table, connection, message)
            found = await self._hint(session.room, connection)
        except Refused as error:
            session.reject(message.k, error.code, error.key, **error.params)
        except Exception:
            log.exception("no hint was found", extra={"table": table.id})
            session.reject(message.k, "storage", "hint.lost")
        else:
            connection.send(Advice(
                k=message.k, v=message.v, seat=found.seat, chance=found.chance, standing=found.standing, best=found.best,
                why=found.why, answer=found.answer, threat=found.threat,
            ))  # fmt: skip

    def _allow(self, table: Table, connection: Connection, message: Hint) -> None:
        """Check that a page may ask for a hint now. Errors: Refused."""
        if table.actor == OVER:
            raise Refused("closed", "over")
        if not table.hints:
            raise Refused("closed", "hint.off")
        table.expect(message.v)
        if table.actor not in connection.you:
            raise Refused("turn", "turn")
        if table.paused:
            raise Refused("closed", "paused")
        if self.effort.refuses(connection.address, Price(0, "costly")) or not self.asked.may(connection.address):
            raise Refused("rate", "rate")

    async def _hint(self, room: Room, connection: Connection) -> Assessment:
        table, language = room.table, connection.language
        key = table.moved, len(table.match.log), language
        if room.hint is None or room.hint[0] != key or (room.hint[1].done() and room.hint[1].exception()):
            room.hint = key, asyncio.create_task(self._think(table, language, connection.address))
        return await asyncio.shield(room.hint[1])

    async def _think(self, table: Table, language: str, asker: str) -> Assessment:
        request = (*subprocess_player.described(table.match.position), table.names, language, f"{table.id}:{table.version}")
        await asyncio.shield(self.computers.prepare(table.game, asker))
        return await self.computers.hints.ask(advise, *request, asker=asker)
