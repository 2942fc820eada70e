"""Repository of tables: creates them, finds them in the store, and caches those in use, and games under house rules."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from bridgehead.core import law, record, registry
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError, OptionError, UnknownGame
from bridgehead.core.game import Game
from bridgehead.core.spec import CHANCE, Spec
from bridgehead.core.validation import ready
from bridgehead.players import list_levels
from bridgehead.server.jobs.worker_pool import FairQueue, WorkerLost, WorkerPool, in_thread
from bridgehead.server.messages.client import HouseRules
from bridgehead.server.messages.tables import NewTable
from bridgehead.server.storage import correspondence, hash_chain, imports, retention
from bridgehead.server.storage.event_log import Conflict, EventLog, StorageError
from bridgehead.server.storage.retention import Policy
from bridgehead.server.tables import clocks, sealing
from bridgehead.server.tables.codes import Codes, can_be_guessed, fresh_id
from bridgehead.server.tables.event_bodies import RecordImported, SettingsChanged
from bridgehead.server.tables.sealing import chance_of, fresh_chance
from bridgehead.server.tables.state import has_chance, law_weight
from bridgehead.server.tables.stored_seats import Seat, StoredTable, digest, fresh_token, seat_players
from bridgehead.server.tables.table import NewEvent, Table
from bridgehead.server.usage import charge_to_request

T = TypeVar("T")
# The next game of the same people belongs to the playtest of the last one.
SAME_PLAYTEST = "insert into played select profile, ?, ? from played where profile > 'v:' and profile < 'v;' and game = ?"
log = logging.getLogger("bridgehead")

HELD = 512 << 20  # bytes of unwatched tables that stay in memory
AT_ONCE = 2  # logs that are folded at the same time
REMEMBERED = 120.0  # seconds that an unwatched table stays in memory
ANY = 2**31 - 1  # a version that no table reaches
TRIES = 5  # to delete a table at which somebody chats
JUST_FOUND = 2.0  # seconds that a table found in the store waits for its first connection
KEPT = 64  # most recently used games in the cache
WEIGHT = 64 << 20  # bytes of their laws (precomputed tables), at most


class Unwatched(NamedTuple):
    """A table without connections. weight: bytes of memory; since: when the last connection left (monotonic clock)."""

    weight: int
    since: float


NEVER = Unwatched(0, 0.0)


class Beginning(NamedTuple):
    """How a match begins. start: text of the first position, "" for the usual one; actions: of a record; at: how many count."""

    game: str
    options: HouseRules
    start: str = ""
    actions: tuple[int, ...] = ()
    at: int = 0


class OtherRules(BridgeheadError):
    """The table was made under a version of the rules that is not installed."""


class Repository:
    """All tables of a store. games: builds their games; most: tables in memory before unwatched ones leave it."""

    def __init__(self, store: EventLog, games: GameCache, most: int = 500) -> None:
        self.store = store
        self.games = games
        self.codes = Codes(store)
        self.most = most
        self._open: dict[str, asyncio.Future[Table | None]] = {}
        self._quiet: dict[str, Unwatched] = {}  # tables without connections, the longest unwatched first
        self._held = 0
        self._folding = FairQueue(AT_ONCE)

    async def create(
        self, wish: NewTable, asker: str = "", begun: Beginning | None = None
    ) -> tuple[Table, list[str | None], str]:
        """A new table, the tokens of its seats, and the host's token. Errors: those of building a game, OptionError.

        begun: the beginning of the match, if it is not the usual one; `wish` names the same game and house rules.
        """
        options = dict(wish.options)
        if wish.seats and "seats" not in options and begun is None:
            options["seats"] = len(wish.seats)
        game = await self.games.game(wish.game, wish.preset, options, asker)
        seats, tokens = seat_players(wish.seats, game)
        host = fresh_token()
        start = begun.start if begun else ""
        seed, level, secret, known, typed = chance_of(wish, game, self.store.alone)
        clock, rules = clocks.check_clock_settings(wish.clock), game.spec.version
        if clock and clock.days and level > 1:
            raise OptionError("server:error.days_live", "level")
        differences = game.differences
        beginning = game.spec.id, rules, differences, seats, seed, start, digest(host)
        body = StoredTable(*beginning, level, secret, known, clock, typed, wish.public)
        table = await self._begin(game, body, asker, begun)
        await self.codes.give(table)
        return table, tokens, host

    async def create_for(
        self, wish: NewTable, seats: list[Seat], host: str, table_id: str = "", awaits: bool = False, aids: bool = False
    ) -> Table:
        """A new table whose seats and host are known already, by the hashes of their tokens. Errors: as `create`.

        table_id: the id that it gets, instead of a new one. Errors: Conflict if another has it. awaits: as in `StoredTable`;
        aids: the host has allowed hints.
        """
        game = await self.games.game(wish.game, wish.preset, wish.options)
        seed, level, secret, known, typed = chance_of(wish, game, self.store.alone)
        clock = clocks.check_clock_settings(wish.clock)
        beginning = game.spec.id, game.spec.version, game.differences, seats, seed, "", host
        body = StoredTable(*beginning, level, secret, known, clock, typed, awaits=awaits)
        allowed = [NewEvent("house", -1, SettingsChanged(hints=True), "host")] if aids else []
        return await self._begin(game, body, table_id=table_id, settings=allowed)

    async def again(self, table: Table, step: int = 0) -> Table:
        """A new table for the same people under the same house rules. Each person moves on by one seat and keeps their link.

        step: the levels by which the computers become stronger.
        """
        letters = [table.game.spec.seat_letter(index).upper() for index in range(len(table.seats))]
        seats = []
        for index, letter in enumerate(letters):
            seat = table.seats[index - 1]
            name = letter if seat.name == letters[index - 1] else seat.name
            strength = _stepped(seat.level, table.game, step)
            seats.append(
                replace(seat, name=name, past=(), offer="", own="", keeps=False, advised=False, browser="", level=strength)
            )
        old = table.body  # its secrets of chance must not be reused
        unsealed = old.typed or self.store.alone
        level = 0 if unsealed else old.level or int(has_chance(table.game))  # no person chose the seed, so chance is sealed
        seed, _, secret, known, _ = fresh_chance(level)
        body = replace(
            old, seats=seats, seed=seed, level=level, secret=secret, known=known, public=table.people.public, awaits=False
        )
        made = await self._begin(table.game, body)
        await self.store.write((SAME_PLAYTEST, (made.id, time.time(), table.id)))
        return made

    async def _begin(
        self,
        game: Game,
        body: StoredTable,
        asker: str = "",
        beginning: Beginning | None = None,
        table_id: str = "",
        settings: Sequence[NewEvent] = (),
    ) -> Table:
        """Store a new table with its first settings, actions and draws."""
        text = msgspec.json.encode(body).decode()
        actions, begun = beginning.actions if beginning else (), list[NewEvent]()
        if beginning and beginning.at:
            begun = [NewEvent("import", CHANCE, RecordImported(await self._keep(actions), beginning.at), "fork")]
        given = bool(table_id)
        while True:
            table_id = table_id if given else fresh_id()
            table = Table(table_id, body, game, self.store, hash_chain.first_link(table_id, text))
            table.imported = actions
            first = await self._in_thread(asker, len(actions) or body.level, sealing.list_first_events, table, begun)
            events = table.events_of(secrets.token_hex(16), [*settings, *first])
            try:
                await self.store.create(table.id, text, events)
            except Conflict:  # another table has this id
                if given:
                    raise
                continue
            if body.clock and body.clock.days and not self.store.alone:
                await self.store.write(correspondence.schedule_statement(table.id, None))
            await self._in_thread(asker, len(actions), table.fold, table.game, events)
            await table.look_up()
            self._open[table.id] = asyncio.get_running_loop().create_future()
            self._open[table.id].set_result(table)
            self._rest(table)
            return table

    async def _keep(self, actions: Sequence[int]) -> str:
        """Store imported actions, unless they are stored; returns their hash. Errors: StorageError."""
        kept = imports.pack(actions)
        await self.store.write(kept.statement)
        return kept.hash

    async def _in_thread(self, asker: str, much: int, work: Callable[..., T], *given: Any) -> T:
        """Do some work, in a thread if there is much of it."""
        if not much:
            return work(*given)
        return await self._folding.run_in_turn(asker, work, *given)

    def __len__(self) -> int:
        """Tables in memory."""
        return len(self._open)

    async def find(self, table_id: str, asker: str = "") -> Table | None:
        """The table of that id or code, from memory or from its log; None if there is none. asker: an address, for the queue.

        A table whose log is damaged is found as it was before the damage (`Folded.damage`).

        Errors: BridgeheadError when its game or rules version is not installed, or nothing of its log can be read; StorageError.
        """
        if can_be_guessed(table_id):
            table_id = await self.codes.table_of(table_id)
        if table_id not in self._open:
            self._open[table_id] = asyncio.create_task(charge_to_request(self._from_log(table_id, asker)))
            self._open[table_id].add_done_callback(lambda opened: self._opened(table_id, opened))
        table = await asyncio.shield(self._open[table_id])
        if table is not None and self.store.shared and not table.attendance.crowd:
            async with table.lock:
                if not table.attendance.crowd:  # with pages at it, `Updates.refresh` brings new events and shows them
                    await table.refresh()
        return table

    async def _from_log(self, table_id: str, asker: str) -> Table | None:
        text = await asyncio.to_thread(self.store.body, table_id)
        if text is None:
            return None
        try:
            body = msgspec.json.decode(text, type=ready(StoredTable))
            async with self._folding.take_turn(asker):
                game = await self.games.game(body.game, "", body.options, asker, _version_of(body))
                # A long log takes a while, so fold it in a thread.
                table = Table(table_id, body, game, self.store, hash_chain.first_link(table_id, text))
                await in_thread(table.reload)
            table.found = time.monotonic()
            if table.damage is not None:
                log.error("the log of a table is damaged", extra={"table": table_id, "event_number": table.damage.event})
            table.code = await asyncio.to_thread(self.codes.of, table_id)
            return table
        except (OtherRules, UnknownGame, StorageError, WorkerLost, MemoryError):
            raise
        except Exception:
            log.exception("what is stored of this table is damaged", extra={"table": table_id})
            raise BridgeheadError("server:error.what_stored_table_damaged", table_id) from None

    async def expire(self, policy: Policy, now: float) -> int:
        """Delete expired tables (`storage.retention`) that are not in memory; returns their number. Errors: StorageError.

        now: Unix seconds.
        """
        deleted = 0
        for each in await asyncio.to_thread(lambda: list(retention.find_expired(self.store, policy, now))):
            if each.id not in self._open:
                deleted += await self._delete(each)
        if unused := await asyncio.to_thread(retention.expire_imports, self.store, now):
            await self.store.write(*unused)
        return deleted

    def is_visited(self, table_id: str) -> bool:
        """Has somebody a table open here?"""
        opened = self._open.get(table_id)
        found = opened.result() if opened is not None and opened.done() else None
        return opened is not None and (found is None or found.attendance.crowd > 0)

    async def delete(self, table_id: str, expired: retention.Expired | None = None) -> bool:
        """Delete a table whatever was played there; False if somebody has it open. Errors: StorageError.

        expired: how it was found; False if it has got a newer event since then.
        """
        if self.is_visited(table_id):
            return False
        self._held -= self._quiet.pop(table_id, NEVER).weight
        self._open.pop(table_id, None)
        if expired is not None:
            return await self._delete(expired)
        rows = await asyncio.to_thread(self.store.read, "select max(version) from event where game = ?", table_id)
        return table_id not in self._open and await self._delete(retention.Expired(table_id, rows[0][0] or 0, played=True))

    async def erase(self, table_id: str) -> None:
        """Delete a table whatever was played there, also while somebody has it open. Errors: StorageError."""
        table, opened = None, self._open.get(table_id)
        if opened is not None:
            await asyncio.wait([opened])
            table = None if opened.cancelled() or opened.exception() else opened.result()
        async with table.lock if table else contextlib.nullcontext():
            for _ in range(TRIES):
                if await self._delete(retention.Expired(table_id, ANY, played=True)):
                    break
            else:
                raise StorageError("server:error.too_much_said_once")
            self._held -= self._quiet.pop(table_id, NEVER).weight
            if table:
                table.deleted = True

    async def delete_all(self, names: Collection[str]) -> None:
        """Delete tables. Errors: BridgeheadError if somebody has one open, then nothing has changed; StorageError."""
        if any(map(self.is_visited, names)):
            raise BridgeheadError("server:error.tournament_visited", "tables")
        for table in names:
            await self.delete(table)

    async def _delete(self, each: retention.Expired) -> bool:
        """Delete a table that is not in memory; False if it has got a newer event by another process. Errors: StorageError."""
        gone: asyncio.Future[Table | None] = asyncio.get_running_loop().create_future()
        self._open[each.id] = gone  # whoever asks for the table now waits
        try:
            await self.store.write(*each.statements)
        except Conflict:
            return False
        finally:
            del self._open[each.id]
            gone.set_result(None)
        return True

    async def renew(self, table: Table, asker: str = "") -> None:
        """Fold a table's log again and replace the state in memory by the result.

        Needs the lock. Errors: those of folding the log; then nothing has changed. If the log has new events, the state
        stays as it is: `Table.refresh` brings them.
        """
        again = Table(table.id, table.body, table.game, self.store, table.root)
        again.now = table.now
        await self._folding.run_in_turn(asker, again.reload)
        if (again.version, again.head) == (table.version, table.head):
            table.become(again)

    def _opened(self, table_id: str, opened: asyncio.Future[Table | None]) -> None:
        """Keep a table that was found; remove a failed search from the cache."""
        if opened.cancelled() or opened.exception() or opened.result() is None:
            if self._open.get(table_id) is opened:
                del self._open[table_id]
        elif table := opened.result():
            self._rest(table)

    def come(self, table: Table) -> None:
        """Count a new connection at a table."""
        table.attendance.crowd += 1
        self._held -= self._quiet.pop(table.id, NEVER).weight

    def go(self, table: Table) -> None:
        """Count a connection that left a table."""
        table.attendance.crowd -= 1
        opened = self._open.get(table.id)
        if not table.attendance.crowd and opened is not None and opened.done() and opened.result() is table:
            self._rest(table)

    def _rest(self, table: Table) -> None:
        """Note that a table has no connections, and remove the longest unwatched tables from memory; they stay in the log.

        Tables leave memory sooner when there are many, or when they are large.
        """
        now = time.monotonic()
        if table.deleted:
            self._held -= self._quiet.pop(table.id, NEVER).weight
            self._open.pop(table.id, None)
        elif not table.attendance.crowd:
            self._held += table.weight - self._quiet.pop(table.id, NEVER).weight
            self._quiet[table.id] = Unwatched(table.weight, now)
        while self._quiet:
            oldest, (weight, since) = next(iter(self._quiet.items()))
            found = self._open[oldest].result()
            assert found is not None
            is_much = len(self._open) > self.most or self._held > HELD
            if found.found >= now - JUST_FOUND or not (is_much or since < now - REMEMBERED):
                return
            self._held -= weight
            del self._quiet[oldest], self._open[oldest]


def _stepped(level: str, game: Game, step: int) -> str:
    """A level that is stronger by some steps, as far as there are any."""
    known = list_levels(game.spec)
    return known[max(0, min(len(known) - 1, known.index(level) + step))] if level in known else level


def _version_of(body: StoredTable) -> str:
    """The version of the rules of a table. Errors: OtherRules if it is not installed, UnknownGame."""
    spec = registry.spec(body.game)
    if spec.of_rules(body.rules) is None:
        raise OtherRules("server:error.table_was", "rules", rules=record.other_rules(spec, body.rules))
    return body.rules


class GameCache:
    """Games by their house rules. workers: build the boards that users made, which may be slow."""

    def __init__(self, workers: WorkerPool) -> None:
        self.workers = workers
        self._kept: LRUCache[tuple[Spec, str], Game] = LRUCache(WEIGHT, _size)

    async def game(
        self, name: str, preset: str = "", options: Mapping[str, Any] | None = None, asker: str = "", version: str = ""
    ) -> Game:
        """A game under house rules. Errors: UnknownGame, OptionError, BoardError, WorkerLost.

        asker: an address, for the queue of the workers. version: of the rules, one that is installed; "": today's.
        """
        spec = registry.spec(name)
        spec = spec.of_rules(version or spec.version) or spec
        key = spec, house.canonical(house.build(spec, preset, options))
        if key not in self._kept:
            wanted = house.build(spec, "", msgspec.json.decode(key[1]))  # decoded from JSON, as a worker, a log and a record do
            made = (
                law.unpack_law(await self.workers.ask(law_of, spec.rules_id, key[1], asker=asker)) if is_heavy(wanted) else None
            )
            self._kept[key] = await asyncio.to_thread(Game, spec, wanted, made)
        return self._kept[key]


def is_heavy(options: Any) -> bool:
    """May a game under these house rules take long to build? Yes if they hold a board or a list of the user's own."""
    return any(isinstance(getattr(options, name), dict | list | tuple) for name in options.__struct_fields__)


def _size(game: Game) -> int:
    """The share of the cache that a game takes, so that at most WEIGHT bytes of laws and at most KEPT games stay."""
    return min(WEIGHT, max(WEIGHT // KEPT, law_weight(game)))


def law_of(rules_id: str, options: str) -> bytes:
    """In a worker process: the law of a game, serialized. rules_id: as `Spec.rules_id`. Errors: those of building a game."""
    return law.parcel(registry.open_game(rules_id, options).law)
