"""The luck of finished games: how much the draws of each game gave its seats, computed on demand and stored once.

The luck of a draw is that of the analysis (`players.analysis`), summed over the game: the win chance after a draw less the one
expected before it. Decisions are not searched, so a game costs a part of an analysis, and one without chance nothing.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable, Sequence

import msgspec

from bridgehead.core import options as house
from bridgehead.core import record
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.core.validation import ready
from bridgehead.players import analysis
from bridgehead.server.jobs.worker_pool import SearchPool, WorkerLost
from bridgehead.server.messages.people import LuckCounted
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables.repository import Repository

log = logging.getLogger("bridgehead")
EACH = 6  # draws in one request to the worker
PIECE, FIRST = 60.0, 300.0  # time limit of a request, in seconds; and of the first one, which may compile the rules
LONGEST = 3000  # draws of a game that is counted, at most
BATCH = 10  # games that one request has counted
AT_ONCE = 8  # profiles whose games are being counted
WAITS = 60.0  # seconds that a batch waits for its address's share, at most
KEEP = "insert into luck values (?, ?, ?) on conflict (game) do update set version = excluded.version, body = excluded.body"
READ = "select game, body from luck where game in ({}) and version = ?"


class LuckStore:
    """Counts and stores the luck of finished games. workers: count it; debt: seconds until an address may ask for more work."""

    def __init__(self, repository: Repository, workers: SearchPool, debt: Callable[[str], float]) -> None:
        self.repository, self.store, self.workers, self.debt = repository, repository.store, workers, debt
        self._going: dict[str, asyncio.Task[None]] = {}
        self._failed: set[str] = set()

    def load_luck(self, tables: Sequence[str]) -> dict[str, list[float]]:
        """The luck of each seat, of those tables where it is stored. Waits for the disk: call it in a thread."""
        if not tables:
            return {}
        rows = self.store.read(READ.format(", ".join("?" * len(tables))), *tables, analysis.FORMAT)
        return {game: msgspec.json.decode(body, type=ready(list[float])) for game, body in rows}

    async def count(self, profile: str, tables: Sequence[str], asker: str) -> LuckCounted:
        """Go on counting a profile's games, the first ones first. Errors: StorageError; BridgeheadError for too many at once."""
        known = await asyncio.to_thread(self.load_luck, tables)
        left = [table for table in tables if table not in known and table not in self._failed]
        self._going = {name: task for name, task in self._going.items() if not task.done()}
        if left and profile not in self._going:
            if len(self._going) >= AT_ONCE:
                raise BridgeheadError("server:error.luck_busy")
            self._going[profile] = asyncio.create_task(self._batch(left[:BATCH], asker))
        return LuckCounted(len(left), profile in self._going)

    async def _batch(self, tables: Sequence[str], asker: str) -> None:
        for table in tables:
            await asyncio.sleep(min(WAITS, self.debt(asker)))
            try:
                luck = await self._luck(table, asker)
                if luck is None:
                    self._failed.add(table)
                else:
                    await self.store.write((KEEP, (table, analysis.FORMAT, msgspec.json.encode(luck).decode())))
            except (StorageError, Conflict):
                log.exception("the luck of a game could not be stored", extra={"table": table})
                return
            except (BridgeheadError, WorkerLost):  # its game is not installed, or it is damaged
                log.exception("the luck of a game could not be counted", extra={"table": table})
                self._failed.add(table)

    async def _luck(self, name: str, asker: str) -> list[float] | None:
        """The luck of each seat of a table; None for a table that is gone, runs or is too long."""
        table = await self.repository.find(name)
        if table is None or table.actor != OVER or table.match.outcome is None:
            return None
        async with table.lock:
            draws = [at for at, entry in enumerate(table.match.log) if entry.actor == CHANCE]
            write, luck = table.writing(), [0.0] * len(table.seats)
        if len(draws) > LONGEST:
            return None
        text = await asyncio.to_thread(write) if draws else ""
        workers = await self.workers.choose(table.game.spec.rules_id, house.canonical(table.game.options), asker)
        for first in range(0, len(draws), EACH):
            piece, patience = draws[first : first + EACH], PIECE if first else FIRST
            for each in await workers.ask(luck_of, text, piece, asker=asker, patience=patience):
                luck = [total + more for total, more in zip(luck, each, strict=True)]
        return [round(each, 4) for each in luck]

    async def stop(self) -> None:
        """Stop counting; what is not stored is counted when somebody asks again."""
        for task in self._going.values():
            task.cancel()
        await asyncio.gather(*self._going.values(), return_exceptions=True)


# In the worker


@functools.lru_cache(2)
def _opened(text: str) -> Match:
    return record.load(text)[0]


def luck_of(text: str, draws: Sequence[int], effort: int = analysis.EFFORT) -> list[tuple[float, ...]]:
    """The luck that each of these draws gave each seat. Errors: RecordError."""
    return [analysis.step(_opened(text), at, effort).luck for at in draws]
