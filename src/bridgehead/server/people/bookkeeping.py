"""Bookkeeping: stores the result of each finished game with its ratings, reads them, and computes all ratings again."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.core.validation import ready
from bridgehead.server.people.ratings import Rating, rated
from bridgehead.server.people.results import PERSON, Result, result_of
from bridgehead.server.rooms.room import Room, Tasks
from bridgehead.server.storage.event_log import Conflict, EventLog, Statement, StorageError
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.table import Table

log = logging.getLogger("bridgehead")
TRIES = 8
ADD = "insert into result values (?, ?, ?, ?, ?)"
RATE = (
    "insert into rating values (?, ?, ?, ?, ?) on conflict (pool, who) do update set"
    " games = excluded.games, mu = excluded.mu, sigma = excluded.sigma"
)
MISSING = "select distinct game from played where game not in (select game from result) order by game"
READ = "select who, games, mu, sigma from rating where pool = ?"


class Stored(NamedTuple):
    """A stored result: its table, and its ratings' pool and place in it."""

    table: str
    pool: str
    n: int
    result: Result


class Difference(NamedTuple):
    """Something stored that the records contradict. what: "result", "missing" or "rating"; name: a table, or who is rated."""

    what: str
    name: str


class Recount(NamedTuple):
    """What `recount` found. gone: results whose tables are deleted; they count as stored."""

    results: int
    ratings: int
    gone: int
    differences: list[Difference]


class Bookkeeping:
    """The results and ratings of a store. ended: called with each table whose game is over, after its result is stored."""

    def __init__(self, repository: Repository, tasks: Tasks) -> None:
        self.repository, self.tasks = repository, tasks
        self.store: EventLog = repository.store
        self.ended: list[Callable[[Table], Awaitable[None]]] = []

    def follow(self, room: Room) -> None:
        """After a change: store the result if the game is over."""
        if room.table.actor == OVER and room.table.closed != room.table.version:
            room.table.closed = room.table.version
            self.tasks.start(self._close(room.table))

    async def _close(self, table: Table) -> None:
        try:
            await self.note(table)
            for each in self.ended:
                await each(table)
        except (BridgeheadError, StorageError):
            log.exception("a result could not be stored", extra={"table": table.id})

    async def note(self, table: Table) -> Result | None:
        """Store a table's result and the ratings after it, once. Errors: StorageError.

        Another process may store a result in between. Then its place in the order is taken, and this one comes after it.
        """
        async with table.lock:
            result = result_of(table, await asyncio.to_thread(self.store.events, table.id))
        if result is None:
            return None
        pool, text = table.pool, msgspec.json.encode(result).decode()
        for _ in range(TRIES):
            if await asyncio.to_thread(self.store.read, "select 1 from result where game = ?", table.id):
                return result
            last = await asyncio.to_thread(self.store.read, "select coalesce(max(n), 0) from result where pool = ?", pool)
            before = await asyncio.to_thread(self.ratings, pool)
            after = [(RATE, (pool, name, *rating)) for name, rating in rated(before, result).items()]
            try:
                await self.store.write((ADD, (table.id, pool, last[0][0] + 1, result.ended, text)), *after)
            except Conflict:
                continue
            return result
        raise StorageError("server:error.stored_already_2")

    def ratings(self, pool: str) -> dict[str, Rating]:
        """The ratings of a pool. Waits for the disk: call it in a thread."""
        return {who: Rating(games, mu, sigma) for who, games, mu, sigma in self.store.read(READ, pool)}

    def of_profile(self, profile: str) -> list[tuple[str, Rating]]:
        """All ratings of a profile, by pool. Waits for the disk."""
        query = "select pool, games, mu, sigma from rating where who = ? order by games desc"
        return [(pool, Rating(*rest)) for pool, *rest in self.store.read(query, PERSON + profile)]

    def results(self, tables: Iterable[str]) -> dict[str, Result]:
        """The stored results of tables. Waits for the disk."""
        names = list(tables)
        if not names:
            return {}
        query = f"select game, body from result where game in ({', '.join('?' * len(names))})"
        return {table: _result(body) for table, body in self.store.read(query, *names)}

    def example(self, pool: str) -> Result:
        """Some result of a pool, for its game and rules. Waits for the disk."""
        return _result(self.store.read("select body from result where pool = ? order by n limit 1", pool)[0][0])

    def pools(self, game: str) -> list[str]:
        """The pools of a game that have ratings, those with most results first. Waits for the disk."""
        query = (
            "select pool, count(*) from result where pool >= ? and pool < ?"
            " and exists (select 1 from rating r where r.pool = result.pool) group by pool order by 2 desc, 1"
        )
        return [pool for pool, _ in self.store.read(query, f"{game}:", f"{game};")]


async def recount(repository: Repository, write: bool) -> Recount:
    """Compute all results and ratings again from the logs of the tables. write: store what differs. Errors: StorageError.

    The order of the results is kept. A result whose table has been deleted counts as it is stored.
    """
    store = repository.store
    rows = await asyncio.to_thread(store.read, "select game, pool, n, body from result order by pool, n")
    kept = [Stored(game, pool, n, _result(body)) for game, pool, n, body in rows]
    differences: list[Difference] = []
    statements: list[Statement] = []
    ratings: defaultdict[str, dict[str, Rating]] = defaultdict(dict)
    gone = 0
    for each in kept:
        result: Result | None = each.result
        table = await _found(repository, each.table)
        if table is None:
            gone += 1
        else:
            result = result_of(table, await asyncio.to_thread(store.events, table.id))
            if result != each.result:
                differences.append(Difference("result", each.table))
                text = msgspec.json.encode(result).decode() if result else ""
                change = ("update result set body = ? where game = ?", (text, each.table))
                statements.append(change if result else ("delete from result where game = ?", (each.table,)))
        if result is not None:
            ratings[each.pool] |= rated(ratings[each.pool], result)
    for (game,) in await asyncio.to_thread(store.read, MISSING):
        table = await _found(repository, game)
        result = result_of(table, await asyncio.to_thread(store.events, game)) if table else None
        if table is not None and result is not None:
            differences.append(Difference("missing", game))
            pool = table.pool
            n = 1 + max((each.n for each in kept if each.pool == pool), default=0)
            kept.append(Stored(game, pool, n, result))
            ratings[pool] |= rated(ratings[pool], result)
            statements.append((ADD, (game, pool, n, result.ended, msgspec.json.encode(result).decode())))
    names = {name for (name,) in await asyncio.to_thread(store.read, "select id from profile")}
    right = {
        (pool, who): rating
        for pool, found in ratings.items()
        for who, rating in found.items()
        if not who.startswith(PERSON) or who[len(PERSON) :] in names
    }
    stored = {(pool, who): Rating(*rest) for pool, who, *rest in await asyncio.to_thread(store.read, "select * from rating")}
    for key in sorted(right.keys() | stored.keys()):
        if not _same(right.get(key), stored.get(key)):
            differences.append(Difference("rating", key[1]))
            if key in right:
                statements.append((RATE, (*key, *right[key])))
            else:
                statements.append(("delete from rating where pool = ? and who = ?", key))
    if write and statements:
        await store.write(*statements)
    return Recount(len(kept), len(right), gone, differences)


def _same(one: Rating | None, other: Rating | None) -> bool:
    return one is not None and other is not None and one.games == other.games and one.points == other.points


async def _found(repository: Repository, table: str) -> Table | None:
    try:
        return await repository.find(table)
    except StorageError:
        raise
    except BridgeheadError:  # its game is not installed, or its log is damaged: `audit` says so
        return None


def _result(body: str) -> Result:
    found: Any = msgspec.json.decode(body, type=ready(Result))
    return found  # type: ignore[no-any-return]
