"""Puts finished games into the book of the host: see `players.book`."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from bridgehead.core import record
from bridgehead.core.ending import ABSENT, CLOSED
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.players import book
from bridgehead.server.jobs.worker_pool import WorkerLost, WorkerPool
from bridgehead.server.storage.event_log import Conflict, EventLog, StorageError
from bridgehead.server.tables.repository import GameCache, Repository
from bridgehead.server.tables.table import Table

log = logging.getLogger("bridgehead")
BOARD = 30.0  # time limit for building a board, in seconds
ENDED = "select max(time) from event where game = ? and kind in ('action', 'end')"
KNOWN = "select 1 from book_game where id = ? and time = ?"


class BookKeeper:
    """Notes finished games in the book. workers: find their positions, which takes a second for a long game."""

    def __init__(self, store: EventLog, workers: WorkerPool) -> None:
        self.store, self.workers = store, workers

    async def ready(self, game: str) -> None:
        """Called before the book of a game is read. A server has noted each game at its end."""

    async def note(self, table: Table) -> None:
        """Put a table whose game is over into the book, unless its last move is there. Errors: none."""
        if table.damage is not None or (table.match.ended and table.match.ended.how in (ABSENT, CLOSED)):
            return
        try:
            ended = await asyncio.to_thread(_ended, self.store, table.id)
            if await asyncio.to_thread(self.store.read, KNOWN, table.id, ended):
                return
            async with table.lock:
                if table.actor != OVER:
                    return
                write, players, listed, begun = table.writing(), players_of(table), table.people.listed, table.begun
            text = await asyncio.to_thread(write)
            await self.store.write(*await self.workers.ask(entries, text, table.id, players, listed, ended, begun))
        except (BridgeheadError, Conflict, StorageError, WorkerLost):
            log.exception("a game could not be put into the book", extra={"table": table.id})


def _ended(store: EventLog, table: str) -> float:
    """The time of the last event of a table's match. Waits for the disk."""
    return float(store.read(ENDED, table)[0][0] or 0.0)


async def note_all(store: EventLog, game: str) -> int:
    """Put all finished tables of a game into the book, without damaged ones; returns their number. Errors: StorageError."""
    workers, noted = WorkerPool(1, BOARD), 0
    repository = Repository(store, GameCache(workers))
    try:
        for (name,) in await asyncio.to_thread(store.read, "select id from game order by id"):
            with contextlib.suppress(BridgeheadError):
                table = await repository.find(name)
                if table and not table.damage and table.game.spec.id == game and table.actor == OVER:
                    ended = await asyncio.to_thread(_ended, store, name)
                    await store.write(
                        *entries(table.writing()(), name, players_of(table), table.people.listed, ended, table.begun)
                    )
                    noted += 1
    finally:
        workers.stop()
    return noted


def players_of(table: Table) -> list[str]:
    """The player of each seat, as a book names it."""
    return [seat.level if seat.kind == "computer" else book.PERSON for seat in table.seats]


def entries(text: str, name: str, players: list[str], listed: bool, now: float, begun: int) -> list[book.Statement]:
    """In a worker: what puts a record into the book. begun: actions that were played in another game."""
    match, _ = record.load(text)
    return book.statements(match, name, players, listed, now, begun=begun)
