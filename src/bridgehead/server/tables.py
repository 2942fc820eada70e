"""A table: a match, who sits at it, and the one order in which things happen to it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
import time
from typing import Any, NamedTuple

import msgspec

from bridgehead.core import record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError, OptionError, UnknownGame
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.core.typed import ready
from bridgehead.players import LEVELS
from bridgehead.server.games import Games, weight
from bridgehead.server.protocol import NewTable, SeatWish
from bridgehead.server.store import Conflict, Event, StorageError, Store
from bridgehead.server.views import clean
from bridgehead.server.workers import Turns, WorkerLost

log = logging.getLogger("bridgehead")

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # a code is read aloud and typed: no I, no O, no figures
CODE = 5
MOST_EVENTS = 20_000
HELD = 512 << 20  # bytes of tables nobody looks at that stay in memory
POSITION = 2000  # bytes of a position beside its state, about
AT_ONCE = 2  # tables that are folded at once
JUST_FOUND = 2.0  # seconds in which whoever asked for a table has taken a place at it


class Seat(msgspec.Struct, frozen=True):
    """A seat as it is stored: the token only as its SHA-256, which is enough for 192 random bits."""

    kind: str
    level: str
    name: str
    token: str = ""


class Body(msgspec.Struct, frozen=True):
    """What a table is created with. The seed of its dealer never leaves the server."""

    game: str
    rules: str
    options: dict[str, Any]
    seats: list[Seat]
    seed: str


class OtherRules(BridgeheadError):
    """A table was made under rules that are not installed."""


class Refused(BridgeheadError):
    """An action that the table does not take: a code of the protocol and a key of words.toml; nothing is changed."""

    def __init__(self, code: str, key: str, **params: object) -> None:
        super().__init__(key)
        self.code = code
        self.key = key
        self.params = params


class Done(NamedTuple):
    """What a key stood for, and the version after it."""

    kind: str
    actor: int
    action: int
    version: int


class Table:
    """A table in memory: a fold of its log. Changes happen one at a time (`lock`), and are stored before they are seen.

    version: events so far; since: the version before the last change, which left the first `common` lines of the
    log as they were; crowd: how many sockets are at the table; found: when it was read from its log, by the clock that
    never jumps.
    """

    def __init__(self, table_id: str, body: Body, game: Game, store: Store) -> None:
        self.id = table_id
        self.body = body
        self.store = store
        self.lock = asyncio.Lock()
        self.dealer = SeededDealer(body.seed)
        self.crowd = 0
        self.found = 0.0
        self.told = (-1, "")
        self.version = self.since = self.common = 0
        self.done: dict[str, Done] = {}
        self.fold(game, [])

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def weight(self) -> int:
        """Bytes of memory, about."""
        return weight(self.game) + len(self.match.positions) * (self.game.dtype.itemsize + POSITION)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.body.seats]

    def held(self, tokens: list[str]) -> frozenset[int] | None:
        """The seats that tokens give, compared in constant time; None if one of them is no seat's."""
        found = set()
        for digest in map(_digest, tokens):
            matches = [i for i, seat in enumerate(self.body.seats) if hmac.compare_digest(seat.token, digest)]
            if not matches:
                return None
            found.update(matches)
        return frozenset(found)

    def computer(self) -> str:
        """The level of the computer player that is to act, or ""."""
        actor = self.match.position.actor
        return self.body.seats[actor].level if actor >= 0 and self.body.seats[actor].kind == "computer" else ""

    async def act(self, seats: frozenset[int], key: str, version: int, action: int, by: str = "person") -> int:
        """Play an action for the seat that is to act; the version after it, also when the key was done before.

        Holders of the lock only. Errors: Refused, IllegalAction, StorageError, Conflict; then nothing is changed.
        """
        if key in self.done:
            return self._again(seats, key, "action", action)
        match, before = self.match, len(self.match.log)
        self._expect(version)
        self._expect_turn(seats)
        try:
            match.play(action)
            match.deal(self.dealer)
            events = self.new_events(key, by, before)
            await self.store.append(self.id, events)
        except BaseException:
            match.rewind(before)
            raise
        self._advance(events, before)
        return self.version

    async def undo(self, seats: frozenset[int], key: str, version: int) -> int:
        """Take back the last decision of the seat that is still to act. Errors as `act`."""
        if key in self.done:
            return self._again(seats, key, "undo", None)
        self._expect(version)
        self._expect_turn(seats)
        point = self.match.undo_point()
        if point is None:
            raise Refused("illegal", "no_undo")
        taken = self.match.log[point]
        events = [Event(self.version + 1, key, "undo", taken.actor, taken.action, "person", time.time())]
        await self.store.append(self.id, events)
        self.match.undo()
        self._advance(events, point)
        return self.version

    def _expect(self, version: int) -> None:
        if version != self.version:
            raise Refused("stale", "stale")

    def _expect_turn(self, seats: frozenset[int]) -> None:
        actor = self.match.position.actor
        if actor == OVER:
            raise Refused("closed", "over")
        if actor not in seats:
            raise Refused("turn", "turn")
        if self.version >= MOST_EVENTS:
            raise Refused("closed", "too_long", n=MOST_EVENTS)

    def _again(self, seats: frozenset[int], key: str, kind: str, action: int | None) -> int:
        """The first answer to a key; the same key for something else is refused."""
        done = self.done[key]
        if done.kind != kind or done.actor not in seats or action not in (None, done.action):
            raise Refused("bad", "key")
        return done.version

    def new_events(self, key: str, by: str, before: int) -> list[Event]:
        """The log's lines from `before` as events; chance that follows a decision has keys made from its key."""
        now, events = time.time(), []
        for i, entry in enumerate(self.match.log[before:]):
            who = "chance" if entry.actor == CHANCE else by
            events.append(Event(self.version + 1 + i, f"{key}.{i}" if i else key, "action", entry.actor, entry.action, who, now))
        return events

    def _advance(self, events: list[Event], common: int) -> None:
        """Count events that are stored and played."""
        self.since, self.common, self.version = self.version, common, events[-1].version
        first = events[0]
        self.done[first.key] = Done(first.kind, first.actor, first.action, self.version)

    def fold(self, game: Game, events: list[Event]) -> None:
        """Bring the table to where a log says it is."""
        self.match = Match(game)
        self.version = self.since = self.common = 0
        self.done = {}
        groups: list[list[Event]] = []
        for event in events:
            if "." in event.key and groups:
                groups[-1].append(event)
            else:
                groups.append([event])
        for group in groups:
            before = len(self.match.log)
            for event in group:
                if event.kind == "undo":
                    self.match.undo()
                else:
                    self.match.play(event.action)
            self._advance(group, min(before, len(self.match.log)))

    def reload(self) -> None:
        """Read the log again, after another process has written to it. Errors: StorageError, BridgeheadError."""
        events = self.store.events(self.id)
        if [event.version for event in events] != list(range(1, len(events) + 1)):
            raise BridgeheadError("the log has a hole", self.id)
        self.fold(self.game, events)

    def record(self) -> str:
        """The record as it is now. Holders of the lock only; long ones take a while."""
        if self.told[0] != self.version:
            self.told = self.version, record.dump(self.match, self.names)
        return self.told[1]


class Tables:
    """All tables: made, found again in the store, kept in memory while they are used."""

    def __init__(self, store: Store, games: Games, most: int = 500) -> None:
        self.store = store
        self.games = games
        self.most = most
        self._open: dict[str, asyncio.Future[Table | None]] = {}
        self._folding = Turns(AT_ONCE)

    async def create(self, wish: NewTable, asker: str = "") -> tuple[Table, list[str | None]]:
        """A new table and its seats' tokens. Errors: those of building a game, OptionError for the seats."""
        options = dict(wish.options)
        if wish.seats and "seats" not in options:
            options["seats"] = len(wish.seats)
        game = await self.games.game(wish.game, wish.preset, options, asker)
        seats, tokens = _seats(wish.seats, game)
        seed = secrets.token_hex(16) if wish.seed is None else str(wish.seed)
        body = Body(game.spec.id, game.spec.version, game.differences, seats, seed)
        while True:
            table = Table("".join(secrets.choice(LETTERS) for _ in range(CODE)), body, game, self.store)
            table.match.deal(table.dealer)
            events = table.new_events(secrets.token_hex(16), "chance", 0)
            try:
                await self.store.create(table.id, msgspec.json.encode(body).decode(), events)
            except Conflict:  # the code is taken
                continue
            table.fold(table.game, events)
            self._open[table.id] = asyncio.get_running_loop().create_future()
            self._open[table.id].set_result(table)
            self._trim()
            return table, tokens

    async def find(self, table_id: str, asker: str = "") -> Table | None:
        """The table of that id, from memory or from its log; None if there is none. asker: an address, for `Turns`.

        Errors: BridgeheadError when its game or rules version is not installed, or its log is damaged; StorageError.
        """
        if table_id not in self._open:
            self._open[table_id] = asyncio.create_task(self._from_log(table_id, asker))
            self._open[table_id].add_done_callback(lambda opened: self._opened(table_id, opened))
        return await asyncio.shield(self._open[table_id])

    async def _from_log(self, table_id: str, asker: str) -> Table | None:
        text = await asyncio.to_thread(self.store.body, table_id)
        if text is None:
            return None
        try:
            body = msgspec.json.decode(text, type=ready(Body))
            async with self._folding.of(asker):
                game = await self.games.game(*_rules_of(body), asker)
                # Long logs take a while, so this runs beside the server's loop.
                return await asyncio.to_thread(_folded, Table(table_id, body, game, self.store))
        except (OtherRules, UnknownGame, StorageError, WorkerLost):
            raise
        except Exception:
            log.exception("%s: what is stored of this table is damaged", table_id)
            raise BridgeheadError("what is stored of this table is damaged", table_id) from None

    def _opened(self, table_id: str, opened: asyncio.Future[Table | None]) -> None:
        """Remember a table that was found, and nothing else."""
        if opened.cancelled() or opened.exception() or opened.result() is None:
            if self._open.get(table_id) is opened:
                del self._open[table_id]
        else:
            self._trim()

    def _trim(self) -> None:
        """Let go of the tables opened longest ago that nobody looks at, when they are many or large; the log keeps them."""
        done = [each for each in self._open.values() if each.done() and not each.cancelled() and not each.exception()]
        lately = time.monotonic() - JUST_FOUND
        idle = [table for each in done if (table := each.result()) and table.crowd == 0 and table.found < lately]
        held = sum(table.weight for table in idle)
        for table in idle:
            if len(self._open) <= self.most and held <= HELD:
                return
            held -= table.weight
            del self._open[table.id]


def _folded(table: Table) -> Table:
    """A table as its log says it is."""
    table.reload()
    table.found = time.monotonic()
    return table


def _rules_of(body: Body) -> tuple[str, str, dict[str, Any]]:
    """What a table is played by: game, preset (none), house rules. Errors: OtherRules, UnknownGame."""
    spec = registry.spec(body.game)
    if spec.version != body.rules:
        raise OtherRules(f"this table was {record.other_rules(spec, body.rules)}", "rules")
    return body.game, "", body.options


def _seats(wishes: list[SeatWish], game: Game) -> tuple[list[Seat], list[str | None]]:
    wishes = wishes or [SeatWish("person")] * game.seats
    if len(wishes) != game.seats:
        raise OptionError(f"{len(wishes)} seats are named, the game has {game.seats}", "seats")
    seats: list[Seat] = []
    tokens: list[str | None] = []
    for index, wish in enumerate(wishes):
        if wish.kind == "computer" and wish.level not in LEVELS:
            raise OptionError(f"no level {wish.level!r}; there are: {', '.join(LEVELS)}", f"seats[{index}].level")
        token = secrets.token_urlsafe(24) if wish.kind == "person" else None
        name = clean(wish.name) or game.spec.seat_letter(index).upper()
        seats.append(Seat(wish.kind, wish.level if wish.kind == "computer" else "", name, _digest(token) if token else ""))
        tokens.append(token)
    return seats, tokens


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
