"""Hints for whoever is to act: asked of a worker that is told the position as the table shows it, once for all who ask."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from bridgehead.core.spec import OVER
from bridgehead.players import subprocess_player
from bridgehead.players.advice import Assessment, advise
from bridgehead.server.connections.rate_limits import Addresses
from bridgehead.server.messages.server import Advice
from bridgehead.server.tables.table import Refused, Table

if TYPE_CHECKING:
    from bridgehead.server.connections.connection import Connection
    from bridgehead.server.jobs.computer_players import Bots
    from bridgehead.server.messages.client import Hint
    from bridgehead.server.rooms.room import Room

log = logging.getLogger("bridgehead")


class Hints:
    """Answers for hints. most: for one address a minute."""

    def __init__(self, bots: Bots, most: int) -> None:
        self.bots = bots
        self.asked = Addresses(most)

    async def answer(self, room: Room, connection: Connection, message: Hint) -> None:
        """Send a page the hint for its seat, or why there is none."""
        table = room.table
        try:
            self._allow(table, connection, message)
            found = await self._hint(room, connection)
        except Refused as error:
            connection.reject(message.k, error.code, connection.words(error.key, **error.params), table.version)
        except Exception:
            log.exception("no hint was found", extra={"table": table.id})
            connection.reject(message.k, "storage", connection.words("hint.lost"), table.version)
        else:
            connection.tell(Advice(
                k=message.k, v=message.v, seat=found.seat, chance=found.chance, standing=found.standing, best=found.best,
                why=found.why, answer=found.answer, threat=found.threat,
            ))  # fmt: skip

    def _allow(self, table: Table, connection: Connection, message: Hint) -> None:
        """Errors: Refused."""
        if table.actor == OVER:
            raise Refused("closed", "over")
        if not table.hints:
            raise Refused("closed", "hint.off")
        table.expect(message.v)
        if table.actor not in connection.you:
            raise Refused("turn", "turn")
        if table.paused:
            raise Refused("closed", "paused")
        if not self.asked.may(connection.address):
            raise Refused("rate", "rate")

    async def _hint(self, room: Room, connection: Connection) -> Assessment:
        table, language = room.table, connection.language
        key = table.moved, len(table.match.log), language
        if room.hint is None or room.hint[0] != key or (room.hint[1].done() and room.hint[1].exception()):
            room.hint = key, asyncio.create_task(self._think(table, language, connection.address))
        return await asyncio.shield(room.hint[1])

    async def _think(self, table: Table, language: str, asker: str) -> Assessment:
        request = (*subprocess_player.described(table.match.position), table.names, language, f"{table.id}:{table.version}")
        await asyncio.shield(self.bots.prepare(table.game, asker))
        return await self.bots.thinkers.ask(advise, *request, asker=asker)
