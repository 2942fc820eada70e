"""Lobby: the tables with a free seat that their hosts have listed. The tables' logs are authoritative; the list is a copy."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from bridgehead.core.phrases import languages
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.core.validation import ready
from bridgehead.server.messages.client import Mine
from bridgehead.server.messages.http import KnownTable, ListedSeat, ListedTable, TableSummary
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.views import Narrator, rule_line
from bridgehead.server.storage.event_log import EventLog, Statement, StorageError
from bridgehead.server.tables.codes import Codes
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import Table

MOST = 200  # tables on the list
OF_ONE = 5  # tables of one address
TTL = 7200.0  # seconds that a table stays on the list after its people last changed
EMPTY = 600.0  # seconds that it stays after the last person has left
SHOWN = 100

DROP = "delete from listed where until < ? or (game = ? and not ?)"
SHOW = "insert into listed values (?, ?, ?, ?, ?) on conflict (game) do update set until = excluded.until, body = excluded.body"


class Lobby:
    """The list of tables. It is stored in the database, so all servers over it show the same list."""

    def __init__(self, store: EventLog, codes: Codes) -> None:
        self.store, self.codes = store, codes

    async def has_room(self, table: Table, asker: str) -> bool:
        """May this address put one more table on the list?"""
        query = "select game, asker from listed where until > ?"
        rows = [row for row in await asyncio.to_thread(self.store.read, query, time.time()) if row[0] != table.id]
        return len(rows) < MOST and sum(who == digest(asker) for _, who in rows) < OF_ONE

    async def note(self, table: Table, asker: str = "", seconds: float = TTL) -> None:
        """Update a table's entry. It is removed when the table is full or over, or when the host wants it.

        Errors: StorageError.
        """
        wanted = table.people.listed and table.actor != OVER and any(seat.free for seat in table.seats)
        now, shown = time.time(), msgspec.json.encode(summary(table)).decode()

        statements: list[Statement] = [(DROP, (now, table.id, wanted))]
        if wanted:
            statements.append((SHOW, (table.id, now, now + seconds, digest(asker), shown)))
        await self.store.write(*statements)

    async def follow(self, room: Room, asker: str) -> None:
        """Update a table's short code, and its entry if it is on the list, or was. Errors: none."""
        await self.codes.follow(room.table)
        if room.table.people.listed or room.listed:
            with contextlib.suppress(StorageError):
                await self.note(room.table, asker, TTL if room.table.here else EMPTY)
            room.listed = room.table.people.listed

    def shown(self) -> list[ListedTable]:
        """The tables on the list, newest first. Reading waits for the disk: call it in a thread."""
        query = "select game, since, body from listed where until > ? order by since desc limit ?"
        now = time.time()
        return [_listed(game, int(now - since), body) for game, since, body in self.store.read(query, now, SHOWN)]


def _listed(table: str, age: int, body: str) -> ListedTable:
    """A row of the list."""
    kept = msgspec.json.decode(body, type=ready(TableSummary))
    return ListedTable(**msgspec.structs.asdict(kept), table=table, age=age)


def summary(table: Table) -> TableSummary:
    """A table's entry."""
    return TableSummary(
        table.game.spec.id, table.game.spec.title,
        begun=any(entry.actor != CHANCE for entry in table.match.log),
        rules={language: rule_line(table.game, language) for language in languages()},
        seats=[
            ListedSeat(
                table.game.spec.seat_letter(index).upper(), seat.name, seat.kind, seat.level, seat.free, seat.left, seat.profile
            )
            for index, seat in enumerate(table.seats)
        ],
        code=table.code, pool=table.pool,
    )  # fmt: skip


async def mine(repository: Repository, rooms: Mapping[str, Room], asked: Mine, language: str, address: str) -> KnownTable | None:
    """A table's status for a browser with seats there: the prompt, whether it is its turn. None if there is no such table."""
    table = await repository.find(asked.table, address)
    if table is None:
        return None
    async with table.lock:
        held = table.holding([digest(token) for token in asked.tokens])
        mine, clock = held.you | held.back, table.clocks.view()
        off, stock = (clock.off, clock.stock) if clock else (UNSET, UNSET)
        room = rooms.get(table.id)
        narrator = room.narrator(language) if room else Narrator(table.match, table.names, language)
        return KnownTable(
            table=table.id, title=table.game.spec.title, game=table.game.spec.id,
            prompt=narrator.prompt(table.match.position, held.you), over=table.actor == OVER, turn=table.actor in held.you,
            back=bool(held.back - held.you), seats=len(mine),
            names=[name for seat, name in enumerate(narrator.called) if seat not in mine], days=table.clocks.days,
            due=clock.due if clock else UNSET, off=max((off[seat] for seat in mine), default=0) if off else 0,
            stock=min((stock[seat] for seat in mine), default=0) if stock else 0,
        )  # fmt: skip
