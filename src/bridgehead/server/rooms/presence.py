"""The message about the people of a table: seats, votes, notes, and the page's rights. It contains no secrets."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UNSET

from bridgehead.core.spec import OVER
from bridgehead.players import list_levels, usual
from bridgehead.server.connections.connection import Connection
from bridgehead.server.messages.server import LogNote, OthersChange, PeopleUpdate, SeatPresence, Vote
from bridgehead.server.rooms.replays import note_text
from bridgehead.server.rooms.rights import count_needed_votes, rights, state, waits
from bridgehead.server.rooms.room import Room
from bridgehead.server.tables.stored_seats import Seat
from bridgehead.server.tables.table import Table

Wanted = tuple[int, OthersChange, str]  # a seat, the change that the others want, and the level of a computer player
MOST_NOTES = 100  # notes that a page gets, the newest


def notes(table: Table, language: str) -> list[LogNote]:
    """The newest notes: before which action, in which turn, and their text."""
    log, found = table.match.log, []
    for note in table.people.notes[-MOST_NOTES:]:
        at = min(note.at, len(log))
        turn = log[at - 1].turn if at else 0
        found.append(LogNote(at, turn + 1, note_text(table.game, note.phrase, language)))
    return found


class Ballot:
    """The votes for changes of the seats of a table: by change, the seats that voted for it."""

    def __init__(self, seats: list[Seat]) -> None:
        self.votes: dict[Wanted, set[int]] = {}
        self._seats = seats  # when the votes were last checked

    def count(self, wanted: Wanted, voters: frozenset[int]) -> None:
        """Count votes about a seat; they replace earlier votes of the same voters."""
        for vote, earlier in list(self.votes.items()):
            if vote[0] == wanted[0]:
                earlier -= voters
                if not earlier:
                    del self.votes[vote]
        self.votes.setdefault(wanted, set()).update(voters)

    def keep(self, seats: list[Seat], attended: frozenset[int]) -> None:
        """Drop the votes about seats that have changed or whose person is back."""
        same = {seat for seat, before in enumerate(self._seats) if before == seats[seat]} - attended
        self._seats = seats
        self.votes = {vote: voters for vote, voters in self.votes.items() if vote[0] in same}

    def drop(self, index: int) -> None:
        """Drop the votes about a seat."""
        self.votes = {vote: voters for vote, voters in self.votes.items() if vote[0] != index}


def message_for(room: Room, connection: Connection, ballot: Ballot, away: float, webhooks: bool) -> PeopleUpdate:
    """The message for one page. away, webhooks: see `Presence`."""
    table, people = room.table, room.table.people
    seated = bool(connection.you | connection.back)
    return PeopleUpdate(
        you=sorted(connection.you), back=sorted(connection.back), host=connection.host,
        seats=[_seat(table, connection, ballot, index, away) for index in range(len(table.seats))],
        sides=list(table.game.sides), listed=people.listed, public=people.public, chat=people.chat, watchers=people.watchers,
        hints=table.hints,
        write=people.chat and (seated or people.watchers),
        watching=sum(not each.you for each in room.connections), rematch=people.rematch, code=table.code,
        carry=[i for i, each in enumerate(connection.hashes) if any(each in (seat.token, seat.own) for seat in table.seats)],
        stray=connection.stray(table),
        levels=list(list_levels(table.game.spec)), usual=usual(table.game.spec), marks=notes(table, connection.language),
        webhook=people.webhook if connection.host else UNSET, hooks=webhooks if connection.host else UNSET,
    )  # fmt: skip


def _seat(table: Table, connection: Connection, ballot: Ballot, index: int, away: float) -> SeatPresence:
    allowed, here = rights(table, connection, index, away), table.attendance.here
    gone = table.attendance.gone.get(index)
    others = here - {index}
    return SeatPresence(
        state=state(table, here, index),
        away=0 if gone is None else int(time.monotonic() - gone),
        may=sorted(allowed.alone), ask=sorted(allowed.together), offer=bool(table.seats[index].offer),
        votes=[
            Vote(do, level, sorted(by & others), count_needed_votes(len(others), do))
            for (seat, do, level), by in ballot.votes.items() if seat == index and by & others
        ],
        named=table.seats[index].name != table.game.spec.seat_letter(index).upper(),
        profile=table.seats[index].profile,
    )  # fmt: skip


class Presence:
    """Knows who is at a table, counts their votes, and sends the message about people.

    away: seconds of absence after which the others may decide for a person; webhooks: hosts may set one.
    """

    def __init__(self, away: float, webhooks: bool) -> None:
        self.away, self.webhooks = away, webhooks
        self._ballots: WeakKeyDictionary[Room, Ballot] = WeakKeyDictionary()
        self._later: dict[Room, asyncio.TimerHandle] = {}

    def ballot(self, room: Room) -> Ballot:
        """The votes at a table."""
        return self._ballots.get(room) or self._ballots.setdefault(room, Ballot(room.table.seats))

    def attend(self, room: Room) -> None:
        """Note who is at the table now. Votes about a person who is back are dropped."""
        for connection in room.connections:
            connection.read(room.table)
        room.table.attendance.note(room.here, (connection.back for connection in room.connections))
        self.ballot(room).keep(room.table.seats, room.table.attendance.attended)

    def send(self, room: Room, one: Connection | None = None) -> None:
        """Send to all pages, or to one; pages that may see the same share one message.

        It is sent again when a person has been away for long. The server and the page both drop invalid tokens (`stray`).
        """
        table = room.table
        made: dict[Any, bytes] = {}
        for connection in room.connections if one is None else [one]:
            key = (connection.language, connection.you, connection.back, connection.host, tuple(connection.hashes))
            if key not in made:
                made[key] = msgspec.json.encode(message_for(room, connection, self.ballot(room), self.away, self.webhooks))
            connection.send(made[key])
            connection.drop_stray(table)
        self.follow(room)

    def follow(self, room: Room) -> None:
        """Send the message again when the others have waited long enough for somebody."""
        if room in self._later or room.table.actor == OVER:
            return
        times = [left for seat in room.table.attendance.gone if (left := waits(room.table, seat, self.away))]
        if times:
            self._later[room] = asyncio.get_running_loop().call_later(min(times) + 0.05, self._send_again, room)

    def _send_again(self, room: Room) -> None:
        del self._later[room]
        if room.connections:
            self.send(room)

    def close(self, room: Room) -> None:
        """The room has closed."""
        if later := self._later.pop(room, None):
            later.cancel()
