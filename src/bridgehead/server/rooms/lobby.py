"""Lobby: the tables with a free seat that their hosts have listed, and the running games that anybody may watch.

The tables' logs are authoritative; the list is a copy.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Mapping
from weakref import WeakKeyDictionary, WeakSet

import msgspec
from msgspec import UNSET

from bridgehead.core.own_boards import headline
from bridgehead.core.phrases import languages
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.core.validation import ready
from bridgehead.server.messages.lobby import ListedSeat, ListedTable, TableSummary
from bridgehead.server.messages.tables import KnownTable, Mine
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.views import TableText, rule_line
from bridgehead.server.storage.event_log import EventLog, Statement, StorageError
from bridgehead.server.tables.codes import Codes
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import Table

MOST = 200  # tables on the list of each kind
OF_ONE = 5  # tables of one address
TO_WATCH = 20  # games of one address that anybody may watch
AGAIN = 15.0  # seconds after which a move updates the entry of such a game
WATCHED = "w:"  # marks the entries of these games
TTL = 7200.0  # seconds that a table stays on the list after its people last changed
EMPTY = 600.0  # seconds that it stays after the last person has left
SHOWN = 100
NEVER = -math.inf, False

DROP = "delete from listed where until < ? or (game = ? and not ?)"
SHOW = (
    "insert into listed values (?, ?, ?, ?, ?) on conflict (game) do update set"
    " until = excluded.until, asker = excluded.asker, body = excluded.body"
)


class Lobby:
    """The list of tables. It is stored in the database, so all servers over it show the same list."""

    def __init__(self, store: EventLog, codes: Codes) -> None:
        self.store, self.codes = store, codes
        self._listed: WeakSet[Room] = WeakSet()  # those whose entries may be on the list
        # When an entry was last updated, and whether the game had begun.
        self._noted: WeakKeyDictionary[Room, tuple[float, bool]] = WeakKeyDictionary()

    def open(self, room: Room) -> None:
        """A room has opened."""
        if room.table.people.listed or room.table.people.public:
            self._listed.add(room)

    async def has_room(self, table: Table, asker: str, watched: bool = False) -> bool:
        """May this address put one more table on the list? watched: a game to watch, otherwise a table with a free seat."""
        query = "select game, asker from listed where until > ?"
        rows = [row for row in await asyncio.to_thread(self.store.read, query, time.time()) if row[0] != table.id]
        same = [who for _, who in rows if who.startswith(WATCHED) == watched]
        own, most = _asker(asker, watched), TO_WATCH if watched else OF_ONE
        return len(same) < MOST and sum(who == own for who in same) < most

    async def note(self, table: Table, asker: str = "", seconds: float = TTL) -> None:
        """Update a table's entry. It is removed when the game is over, when a listed table is full, or when the host wants it.

        Errors: StorageError.
        """
        listed = table.people.listed and not table.is_final and any(seat.free for seat in table.seats)
        watched = not listed and is_watched(table)
        wanted = listed or (watched and await self.has_room(table, asker, watched))
        now, shown = time.time(), msgspec.json.encode(summarise_table(table)).decode()

        statements: list[Statement] = [(DROP, (now, table.id, wanted))]
        if wanted:
            statements.append((SHOW, (table.id, now, now + seconds, _asker(asker, watched), shown)))
        await self.store.write(*statements)

    async def follow(self, room: Room, asker: str) -> None:
        """Update a table's short code, and its entry if it is on the list, or was. Errors: none."""
        if room.table.deleted:
            return
        await self.codes.follow(room.table)
        people = room.table.people
        if people.listed or people.public or room in self._listed:
            self._noted[room] = time.monotonic(), _has_begun(room.table)
            with contextlib.suppress(StorageError):
                await self.note(room.table, asker, TTL if room.table.attendance.here else EMPTY)
            (self._listed.add if people.listed or people.public else self._listed.discard)(room)

    def is_due(self, room: Room) -> bool:
        """After a move: must the entry of a game to watch be updated?"""
        if not room.table.people.public:
            return False
        then, begun = self._noted.get(room, NEVER)
        return time.monotonic() - then >= AGAIN or begun != _has_begun(room.table)

    def list_tables(self) -> list[ListedTable]:
        """The tables on the list, newest first. Reading waits for the disk: call it in a thread."""
        query = "select game, since, body from listed where until > ? order by since desc limit ?"
        now = time.time()
        return [_listed(game, int(now - since), body) for game, since, body in self.store.read(query, now, SHOWN)]


def _listed(table: str, age: int, body: str) -> ListedTable:
    """A row of the list."""
    kept = msgspec.json.decode(body, type=ready(TableSummary))
    return ListedTable(**msgspec.structs.asdict(kept), table=table, age=age)


def is_watched(table: Table) -> bool:
    """Does a game run that anybody may find and watch? Not while a seat is free, which a stranger could take."""
    return table.people.public and _has_begun(table) and not table.is_final and not any(seat.free for seat in table.seats)


def _has_begun(table: Table) -> bool:
    return any(entry.actor != CHANCE for entry in table.match.log)


def _asker(address: str, watched: bool) -> str:
    """How an entry stores who asked for it."""
    return WATCHED * watched + digest(address)


def live(tables: list[ListedTable], rooms: Mapping[str, Room]) -> list[ListedTable]:
    """The list with what this process knows better: turns and watchers now, and which games are over or private now."""
    for each in tables:
        room = rooms.get(each.table)
        if room is not None and each.public:
            each.turn, each.watching = room.table.match.position.turn + 1, watching(room)
    return [each for each in tables if not each.public or each.table not in rooms or is_watched(rooms[each.table].table)]


def watching(room: Room) -> int:
    """The pages without a seat at a table, at this process."""
    return sum(not each.you for each in room.connections)


def summarise_table(table: Table) -> TableSummary:
    """What the lobby shows of a table."""
    return TableSummary(
        table.game.spec.id, headline(table.game),
        begun=_has_begun(table),
        rules={language: rule_line(table.game, language) for language in languages()},
        seats=[
            ListedSeat(
                table.game.spec.seat_letter(index).upper(), seat.name, seat.kind, seat.level, seat.free, seat.left, seat.profile
            )
            for index, seat in enumerate(table.seats)
        ],
        code=table.code if any(seat.free for seat in table.seats) else "", pool=table.pool,
        public=is_watched(table), turn=table.match.position.turn + 1,
    )  # fmt: skip


async def mine(repository: Repository, rooms: Mapping[str, Room], asked: Mine, language: str, address: str) -> KnownTable | None:
    """A table's status for a browser with seats there: the prompt, whether it is its turn. None if there is no such table."""
    table = await repository.find(asked.table, address)
    if table is None:
        return None
    async with table.lock:
        held = table.holding([digest(token) for token in asked.tokens])
        mine, clock = held.you | held.back, table.clock_view()
        off, stock = (clock.off, clock.stock) if clock else (UNSET, UNSET)
        room = rooms.get(table.id)
        narrator = room.narrator(language) if room else TableText(table.match, table.names, language)
        return KnownTable(
            table=table.id, title=headline(table.game), game=table.game.spec.id,
            prompt=narrator.prompt(table.match.position, held.you), over=table.actor == OVER, turn=table.actor in held.you,
            back=bool(held.back - held.you), seats=len(mine),
            names=[name for seat, name in enumerate(narrator.called) if seat not in mine], days=table.days.limit,
            due=clock.due if clock else UNSET, off=max((off[seat] for seat in mine), default=0) if off else 0,
            stock=min((stock[seat] for seat in mine), default=0) if stock else 0,
        )  # fmt: skip
