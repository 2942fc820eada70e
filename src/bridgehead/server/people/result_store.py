"""The results of finished games: stores each with the ratings after it, reads them, and computes all ratings again."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from msgspec.structs import replace

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.core.validation import ready
from bridgehead.server.people.ratings import Rating, update_ratings
from bridgehead.server.people.results import PERSON, Result, result_of
from bridgehead.server.rooms.room import Room, Tasks
from bridgehead.server.storage.event_log import Conflict, EventLog, Statement, StorageError
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.table import Table

log = logging.getLogger("bridgehead")
TRIES = 8
ADD = "insert into result values (?, ?, ?, ?, ?)"
RATE = (  # a profile that another process has just deleted gets no rating
    "insert into rating select ?, ?, ?, ?, ? where ? = '' or exists (select 1 from profile where id = ?)"
    " on conflict (pool, who) do update set games = excluded.games, mu = excluded.mu, sigma = excluded.sigma"
)
MISSING = "select distinct game from played where game not in (select game from result) order by game"
READ = "select who, games, mu, sigma from rating where pool = ?"


class StoredDifference(NamedTuple):
    """Something stored that the records contradict. what: "result", "missing" or "rating"; name: a table, or who is rated."""

    what: str
    name: str


class Recount(NamedTuple):
    """What `recount` found. gone: results whose tables are deleted; they count as stored."""

    results: int
    ratings: int
    gone: int
    differences: list[StoredDifference]


class ResultStore:
    """The results and ratings of a store. ended: called with each table whose game is over, after its result is stored."""

    def __init__(self, repository: Repository, tasks: Tasks) -> None:
        self.repository, self.tasks = repository, tasks
        self.store: EventLog = repository.store
        self.ended: list[Callable[[Table], Awaitable[None]]] = []
        self._closed: WeakKeyDictionary[Table, int] = WeakKeyDictionary()  # the versions whose results are stored

    def follow(self, room: Room) -> None:
        """After a change: store the result if the game is over. A damaged log tells none that can be trusted."""
        table = room.table
        if table.actor == OVER and table.damage is None and self._closed.get(table) != table.version:
            self._closed[table] = table.version
            self.tasks.start(self._close(table))

    async def _close(self, table: Table) -> None:
        try:
            await self.note(table)
            for each in self.ended:
                await each(table)
        except (BridgeheadError, StorageError):
            log.exception("a result could not be stored", extra={"table": table.id})

    async def note(self, table: Table) -> Result | None:
        """Store a table's result and the ratings after it, once. Errors: StorageError.

        Where people type the draws, its end is replaced: the last draw may be corrected. Whoever sits down then stays out of it.
        Another process may store a result in between. Then its place in the order is taken, and this one comes after it.
        """
        async with table.lock:
            result = result_of(table, await asyncio.to_thread(table.stored_events))
        if result is None:
            return None
        pool, text = table.pool, _text(result)
        for _ in range(TRIES):
            if stored := await asyncio.to_thread(self.store.read, "select body from result where game = ?", table.id):
                kept = _result(stored[0][0])
                right = replace(kept, returns=result.returns, ended=result.ended)
                if table.body.typed and right != kept:  # such a game counts for no rating, so nothing follows from it
                    await self.store.write(("update result set body = ? where game = ?", (_text(right), table.id)))
                return result
            last = await asyncio.to_thread(self.store.read, "select coalesce(max(n), 0) from result where pool = ?", pool)
            before = await asyncio.to_thread(self.ratings, pool)
            after = [_rate(pool, name, rating) for name, rating in update_ratings(before, result).items()]
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
    work = _Recounting(repository)
    await work.results()
    await work.missing()
    await work.compare()
    if write and work.statements:
        await repository.store.write(*work.statements)
    return Recount(len(work.last), work.rated, work.gone, work.differences)


class _Recounting:
    """One recount. last: for each result, its pool and place; statements: store what the records say."""

    def __init__(self, repository: Repository) -> None:
        self.repository, self.store = repository, repository.store
        self.ratings: defaultdict[str, dict[str, Rating]] = defaultdict(dict)
        self.last: list[tuple[str, int]] = []
        self.differences: list[StoredDifference] = []
        self.statements: list[Statement] = []
        self.gone = self.rated = 0

    async def _read(self, query: str) -> list[Any]:
        return await asyncio.to_thread(self.store.read, query)

    async def results(self) -> None:
        """Compare the stored results with the tables' logs, and rate them."""
        for name, pool, n, body in await self._read("select game, pool, n, body from result order by pool, n"):
            result: Result | None = _result(body)
            table = await _found(self.repository, name)
            if table is None:
                self.gone += 1
            elif (right := result_of(table, await asyncio.to_thread(table.stored_events))) != result:
                result = right
                self.differences.append(StoredDifference("result", name))
                change = ("update result set body = ? where game = ?", (_text(right), name)) if right else None
                self.statements.append(change or ("delete from result where game = ?", (name,)))
            if result is not None:
                self._rate(pool, n, result)

    async def missing(self) -> None:
        """Rate the finished games that have no result, because the server was killed, as the last ones."""
        for (name,) in await self._read(MISSING):
            table = await _found(self.repository, name)
            result = result_of(table, await asyncio.to_thread(table.stored_events)) if table else None
            if table is not None and result is not None:
                self.differences.append(StoredDifference("missing", name))
                n = 1 + max((n for pool, n in self.last if pool == table.pool), default=0)
                self.statements.append((ADD, (name, table.pool, n, result.ended, _text(result))))
                self._rate(table.pool, n, result)

    def _rate(self, pool: str, n: int, result: Result) -> None:
        self.last.append((pool, n))
        self.ratings[pool] |= update_ratings(self.ratings[pool], result)

    async def compare(self) -> None:
        """Compare the stored ratings with these. Deleted profiles have none."""
        ids = {name for (name,) in await self._read("select id from profile")}
        right = {
            (pool, who): rating
            for pool, found in self.ratings.items()
            for who, rating in found.items()
            if not who.startswith(PERSON) or who[len(PERSON) :] in ids
        }
        stored = {(pool, who): Rating(*rest) for pool, who, *rest in await self._read("select * from rating")}
        self.rated = len(right)
        for key in sorted(right.keys() | stored.keys()):
            if not _same(right.get(key), stored.get(key)):
                self.differences.append(StoredDifference("rating", key[1]))
                drop = ("delete from rating where pool = ? and who = ?", key)
                self.statements.append(_rate(*key, right[key]) if key in right else drop)


def _rate(pool: str, who: str, rating: Rating) -> Statement:
    profile = who[len(PERSON) :] if who.startswith(PERSON) else ""
    return RATE, (pool, who, *rating, profile, profile)


def _same(one: Rating | None, other: Rating | None) -> bool:
    return one is not None and other is not None and one.games == other.games and one.points == other.points


async def _found(repository: Repository, table: str) -> Table | None:
    try:
        found = await repository.find(table)
    except StorageError:
        raise
    except BridgeheadError:  # its game is not installed, or nothing of its log can be read: `audit` says so
        return None
    return None if found is None or found.damage is not None else found


def _text(result: Result) -> str:
    return msgspec.json.encode(result).decode()


def _result(body: str) -> Result:
    found: Any = msgspec.json.decode(body, type=ready(Result))
    return found  # type: ignore[no-any-return]
