"""The message about the people of a table: seats, votes, notes, and the page's rights. It contains no secrets."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
from msgspec import UNSET

from bridgehead.core.spec import OVER
from bridgehead.players import list_levels, usual
from bridgehead.server.connections.connection import Connection
from bridgehead.server.messages.server import LogNote, PeopleUpdate, SeatPresence, Vote
from bridgehead.server.rooms.replays import note_text
from bridgehead.server.rooms.rights import count_needed_votes, rights, state, waits
from bridgehead.server.rooms.room import Room
from bridgehead.server.tables.table import Table

MOST_NOTES = 100  # notes that a page gets, the newest


def notes(table: Table, language: str) -> list[LogNote]:
    """The newest notes: before which action, in which turn, and their text."""
    log, found = table.match.log, []
    for note in table.people.notes[-MOST_NOTES:]:
        at = min(note.at, len(log))
        turn = log[at - 1].turn if at else 0
        found.append(LogNote(at, turn + 1, note_text(table.game, note.phrase, language)))
    return found


def message_for(room: Room, connection: Connection, away: float, webhooks: bool) -> PeopleUpdate:
    """The message for one page. away, webhooks: see `Presence`."""
    table, people, here = room.table, room.table.people, room.table.attendance.here
    seated = bool(connection.you | connection.back)
    return PeopleUpdate(
        you=sorted(connection.you), back=sorted(connection.back), host=connection.host,
        seats=[_seat(room, connection, here, index, away) for index in range(len(table.seats))],
        sides=list(table.game.sides), listed=people.listed, public=people.public, chat=people.chat, watchers=people.watchers,
        hints=table.hints,
        write=people.chat and (seated or people.watchers),
        watching=sum(not each.you for each in room.connections), rematch=people.rematch, code=table.code,
        carry=[i for i, each in enumerate(connection.hashes) if any(each in (seat.token, seat.own) for seat in table.seats)],
        stray=connection.stray(table),
        levels=list(list_levels(table.game.spec)), usual=usual(table.game.spec), marks=notes(table, connection.language),
        webhook=people.webhook if connection.host else UNSET, hooks=webhooks if connection.host else UNSET,
    )  # fmt: skip


def _seat(room: Room, connection: Connection, here: frozenset[int], index: int, away: float) -> SeatPresence:
    table = room.table
    allowed = rights(room, connection, index, away)
    gone = table.attendance.gone.get(index)
    others = here - {index}
    return SeatPresence(
        state=state(table, here, index),
        away=0 if gone is None else int(time.monotonic() - gone),
        may=sorted(allowed.alone), ask=sorted(allowed.together), offer=bool(table.seats[index].offer),
        votes=[
            Vote(do, level, sorted(by & others), count_needed_votes(len(others), do))
            for (seat, do, level), by in room.votes.items() if seat == index and by & others
        ],
        named=table.seats[index].name != table.game.spec.seat_letter(index).upper(),
        profile=table.seats[index].profile,
    )  # fmt: skip


class Presence:
    """Sends the message about people.

    away: seconds of absence after which the others may decide for a person; webhooks: hosts may set one.
    """

    def __init__(self, away: float, webhooks: bool) -> None:
        self.away, self.webhooks = away, webhooks

    def send(self, room: Room, one: Connection | None = None) -> None:
        """Send to all pages, or to one; pages that may see the same share one message.

        It is sent again when a person has been away for long. The server and the page both drop invalid tokens (`stray`).
        """
        table = room.table
        made: dict[Any, bytes] = {}
        for connection in room.connections if one is None else [one]:
            key = (connection.language, connection.you, connection.back, connection.host, tuple(connection.hashes))
            if key not in made:
                made[key] = msgspec.json.encode(message_for(room, connection, self.away, self.webhooks))
            connection.send(made[key])
            connection.drop_stray(table)
        self.follow(room)

    def follow(self, room: Room) -> None:
        """Send the message again when the others have waited long enough for somebody."""
        if room.later is not None or room.table.actor == OVER:
            return
        times = [left for seat in room.table.attendance.gone if (left := waits(room, seat, self.away))]
        if times:
            room.later = asyncio.get_running_loop().call_later(min(times) + 0.05, self._send_again, room)

    def _send_again(self, room: Room) -> None:
        room.later = None
        if room.connections:
            self.send(room)
