"""A table: a match, who sits at it, and the one order in which things happen to it."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from bridgehead.core import record
from bridgehead.core.chance import Dealer, SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness.proof import rules_hash
from bridgehead.fairness.seals import Keeper, Seals
from bridgehead.server import chain
from bridgehead.server.games import has_chance, weight
from bridgehead.server.seating import Body, digest
from bridgehead.server.store import Event, Store

MOST_EVENTS = 20_000
POSITION = 2000  # bytes of a position beside its state, about


class Refused(BridgeheadError):
    """An action that the table does not take: a code of the protocol and a key of words.toml; nothing is changed."""

    def __init__(self, code: str, key: str, **params: object) -> None:
        super().__init__(key)
        self.code = code
        self.key = key
        self.params = params


class Happening(NamedTuple):
    """Something that is to happen at a table: see `Event`."""

    kind: str
    actor: int
    body: dict[str, Any] | None = None
    by: str = "person"
    action: int = -1


class Done(NamedTuple):
    """What a key stood for, and the version after it."""

    kind: str
    actor: int
    action: int
    version: int


class Table:
    """A table in memory: a fold of its log. Changes happen one at a time (`lock`), and are stored before they are seen.

    version: events so far; since: the version before the last change, which left the first `common` lines of the
    log as they were; head: the chain's last link; seats: who sits there now; crowd: how many sockets are at the table;
    found: when it was read from its log, by the clock that never jumps. root: where its chain begins. dealer: answers for
    chance; sealed: the version of the last event that changed what is sealed.
    """

    def __init__(self, table_id: str, body: Body, game: Game, store: Store, root: bytes) -> None:
        self.id = table_id
        self.body = body
        self.store = store
        self.root = self.head = root
        self.lock = asyncio.Lock()
        self.dealer: Dealer
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
    def answered_by(self) -> str:
        """Who answers for chance, as the record says it; "" where there is no chance."""
        if not has_chance(self.game):
            return ""
        if self.body.level:
            return f"sealed (BGF1, level {self.body.level})"
        return "not sealed: a seed that its maker knows" if self.body.known else "not sealed: a seed of the server's"

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def actor(self) -> int:
        """Who is to act: a seat, CHANCE, or OVER, also where people have agreed on the end."""
        return self.match.position.actor

    def held(self, tokens: list[str]) -> frozenset[int] | None:
        """The seats that tokens give, compared in constant time; None if one of them is no seat's."""
        found = set()
        for hashed in map(digest, tokens):
            matches = [i for i, seat in enumerate(self.seats) if hmac.compare_digest(seat.token, hashed)]
            if not matches:
                return None
            found.update(matches)
        return frozenset(found)

    def computer(self) -> str:
        """The level of the computer player that is to act, or ""."""
        return self.seats[self.actor].level if self.actor >= 0 and self.seats[self.actor].kind == "computer" else ""

    async def act(self, seats: frozenset[int], key: str, version: int, action: int, by: str = "person") -> int:
        """Play an action for the seat that is to act; the version after it, also when the key was done before.

        Holders of the lock only. Errors: Refused, IllegalAction, StorageError, Conflict; then nothing is changed.
        """
        if key in self.done:
            return self.again(seats, key, "action", action)
        match, before = self.match, len(self.match.log)
        self.expect(version)
        self._expect_turn(seats)
        try:
            match.play(action)
            match.deal(self.dealer)
            events = await self._append(self.new_events(key, by, before))
        except BaseException:
            match.rewind(before)
            raise
        self._advance(events, before)
        return self.version

    async def undo(self, seats: frozenset[int], key: str, version: int) -> int:
        """Take back the last decision of the seat that is still to act. Errors as `act`."""
        if key in self.done:
            return self.again(seats, key, "undo", None)
        self.expect(version)
        self._expect_turn(seats)
        point = self.match.undo_point()
        if point is None:
            raise Refused("illegal", "no_undo")
        taken = self.match.log[point]
        return await self.write(key, Happening("undo", taken.actor, action=taken.action))

    async def write(self, key: str, *happenings: Happening) -> int:
        """Store what happens beside the game's actions, all or nothing, then let it happen; the version after it.

        Holders of the lock only, who have asked whether it may happen, and whether the key was done before (`again`).
        Errors: StorageError, Conflict; then nothing is changed.
        """
        if self.version + len(happenings) > MOST_EVENTS:
            raise Refused("closed", "too_long", n=MOST_EVENTS)
        self._take(await self._append(self.events_of(key, happenings)))
        return self.version

    def events_of(self, key: str, happenings: Sequence[Happening]) -> list[Event]:
        """What is to happen, as the events that follow those in the log."""
        now, events = time.time(), []
        for i, (kind, actor, body, by, action) in enumerate(happenings):
            told = msgspec.json.encode(body).decode() if body else ""
            events.append(Event(self.version + 1 + i, f"{key}.{i}" if i else key, kind, actor, action, by, now, told))
        return events

    async def _append(self, events: list[Event]) -> list[Event]:
        """Bring events into the log, behind all that is there."""
        events = chain.chained(self.head, events)
        await self.store.append(self.id, events)
        return events

    def expect(self, version: int) -> None:
        if version != self.version:
            raise Refused("stale", "stale")

    def _expect_turn(self, seats: frozenset[int]) -> None:
        actor = self.actor
        if actor == OVER:
            raise Refused("closed", "over")
        if actor not in seats:
            raise Refused("turn", "turn")
        if self.version >= MOST_EVENTS:
            raise Refused("closed", "too_long", n=MOST_EVENTS)

    def again(self, seats: frozenset[int], key: str, kind: str, action: int | None) -> int:
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
        self.head = events[-1].link or self.head
        if isinstance(self.dealer, Seals):
            self.dealer = self.dealer.played(self.match.chances, self.actor == OVER)
        first = events[0]
        self.done[first.key] = Done(first.kind, first.actor, first.action, self.version)

    def _take(self, events: list[Event]) -> None:
        """Let happen what is in the log."""
        common = len(self.match.log)
        for event in events:
            KINDS[event.kind](self, event)
            common = min(common, len(self.match.log))
        self._advance(events, common)

    def fold(self, game: Game, events: list[Event]) -> None:
        """Bring the table to where a log says it is."""
        self.match = Match(game, start=game.load(self.body.start) if self.body.start else None)
        self.seats = list(self.body.seats)
        self.dealer = SeededDealer(self.body.seed)
        self.sealed = -1
        if self.body.level:
            self.dealer = Seals(Keeper(bytes.fromhex(self.body.secret)), rules_hash(game))
        self.version = self.since = self.common = 0
        self.head = self.root
        self.done = {}
        groups: list[list[Event]] = []
        for event in events:
            if "." in event.key and groups:
                groups[-1].append(event)
            else:
                groups.append([event])
        for group in groups:
            self._take(group)

    def reload(self) -> None:
        """Read the log again, after another process has written to it. Errors: StorageError, BridgeheadError."""
        events = self.store.events(self.id)
        wrong = chain.broken(self.root, events)
        if wrong is not None:
            raise BridgeheadError(f"event {wrong} of the log does not follow from those before it", self.id)
        self.fold(self.game, events)

    def record(self) -> str:
        """The record as it is now. Holders of the lock only; long ones take a while."""
        if self.told[0] != self.version:
            self.told = self.version, record.dump(self.match, self.names, self.answered_by)
        return self.told[1]


def _play(table: Table, event: Event) -> None:
    table.match.play(event.action)


def _undo(table: Table, event: Event) -> None:
    table.match.undo()


# What an event of each kind does to a table.
KINDS: dict[str, Callable[[Table, Event], None]] = {"action": _play, "undo": _undo}
