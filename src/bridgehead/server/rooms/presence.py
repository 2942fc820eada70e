"""The presence message: who is at a table, and what each page may decide. It contains no secrets."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from bridgehead.core.spec import OVER
from bridgehead.players import offered, usual
from bridgehead.server.catalogue import WORDS
from bridgehead.server.messages.server import LogNote, Presence, SeatPresence, Vote
from bridgehead.server.rooms.permissions import rights, state

if TYPE_CHECKING:
    from bridgehead.server.connections.connection import Connection
    from bridgehead.server.rooms.room import Room
    from bridgehead.server.rooms.room_manager import RoomManager
    from bridgehead.server.tables.table import Table

MOST_MARKS = 100  # of the notes between the lines of the log, the last


def marks(table: Table, language: str) -> list[LogNote]:
    """The last notes between the lines of the log."""
    log = table.match.log
    notes = []
    for mark in table.people.marks[-MOST_MARKS:]:
        at = min(mark.at, len(log))
        turn = log[at - 1].turn if at else 0
        notes.append(LogNote(at, turn + 1, WORDS.tell(mark.phrase, language)))
    return notes


def presence(manager: RoomManager, room: Room, connection: Connection) -> Presence:
    """The message for one page."""
    table, people, here = room.table, room.table.people, room.table.here
    seated = bool(connection.you | connection.back)
    return Presence(
        you=sorted(connection.you), back=sorted(connection.back), host=connection.host,
        seats=[_seat(manager, room, connection, here, index) for index in range(len(table.seats))],
        sides=list(table.game.sides), listed=people.listed, chat=people.chat, watchers=people.watchers,
        hints=table.hints,
        write=people.chat and (seated or people.watchers),
        watching=sum(not each.you for each in room.connections), rematch=people.rematch,
        carry=[i for i, each in enumerate(connection.hashes) if any(each == seat.token for seat in table.seats)],
        stray=[i for i, each in enumerate(connection.hashes) if table.holding([each]).stray],
        levels=list(offered(table.game.spec)), usual=usual(table.game.spec), marks=marks(table, connection.language),
        webhook=people.webhook if connection.host else UNSET, hooks=manager.hooks.on if connection.host else UNSET,
    )  # fmt: skip


def _seat(manager: RoomManager, room: Room, connection: Connection, here: frozenset[int], index: int) -> SeatPresence:
    table = room.table
    allowed = rights(room, connection, index, manager.limits.away)
    gone = table.people.gone.get(index)
    others = here - {index}
    return SeatPresence(
        state=state(table, here, index),
        away=0 if gone is None else int(time.monotonic() - gone),
        may=sorted(allowed.alone), ask=sorted(allowed.together), offer=bool(table.seats[index].offer),
        votes=[
            Vote(do, level, sorted(by & others), len(others) // 2 + 1)
            for (seat, do, level), by in room.votes.items() if seat == index and by & others
        ],
    )  # fmt: skip


def tell(manager: RoomManager, room: Room, one: Connection | None = None) -> None:
    """Tell everybody, or one; again when the others may decide for somebody who is away.

    One message is made for all who may see the same. Tokens that give nothing any more (`stray`) are forgotten on both sides.
    """
    table = room.table
    made: dict[Any, bytes] = {}
    for connection in room.connections if one is None else [one]:
        key = (connection.language, connection.you, connection.back, connection.host, tuple(connection.hashes))
        if key not in made:
            made[key] = msgspec.json.encode(presence(manager, room, connection))
        connection.tell(made[key])
        connection.hashes = [each for each in connection.hashes if not table.holding([each]).stray]
    now = time.monotonic()
    waits = [left for gone in table.people.gone.values() if (left := gone + manager.limits.away - now) > 0]
    if waits and room.later is None and table.actor != OVER:
        room.later = asyncio.get_running_loop().call_later(min(waits) + 0.05, _patience_ends, manager, room)


def _patience_ends(manager: RoomManager, room: Room) -> None:
    room.later = None
    if room.connections:
        tell(manager, room)
