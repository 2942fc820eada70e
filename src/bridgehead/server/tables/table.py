"""A table: a match, who sits at it, and the one order in which things happen to it."""

from __future__ import annotations

import asyncio
import hmac
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from bridgehead.core import options as house
from bridgehead.core import record
from bridgehead.core.chance import Dealer, SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness.proof import rules_hash
from bridgehead.fairness.seals import Keeper, Seals
from bridgehead.server.catalogue import WORDS
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import Event, EventLog
from bridgehead.server.tables.clocks import Clocks
from bridgehead.server.tables.event_handlers import KINDS
from bridgehead.server.tables.game_cache import has_chance, weight
from bridgehead.server.tables.proposals import Asks
from bridgehead.server.tables.seats import Holding, People, first_computers, holding
from bridgehead.server.tables.stored_seats import Body, Seat

MOST_EVENTS = 20_000
MOVES = ("action", "undo", "back", "end")  # events after which nobody's click means what it meant before
CHARGED = ("undo", "back", "end", "late", "pause")  # and these, as an action, with the time spent until then
POSITION = 2000  # bytes of a position beside its state, about
# What a table is by its log.
FOLDED = (
    "match", "seats", "people", "dealer", "sealed", "version", "since", "common", "moved", "head", "done", "begun", "paused",
    "mistaken", "clocks", "asks",
)  # fmt: skip


class Refused(BridgeheadError):
    """An action that the table does not take: a code of the protocol and a key of the catalogue; nothing is changed."""

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


class Done(msgspec.Struct, frozen=True, gc=False):
    """What a key stood for, and the version after it. As many as actions: the collector of cycles leaves them alone."""

    kind: str
    actor: int
    action: int
    version: int
    body: str


class Table:
    """A table in memory: a fold of its log. Changes happen one at a time (`lock`), and are stored before they are seen.

    version: events so far; since: the version before the last change, which left the first `common` lines of the
    log as they were; moved: the version after its last move; head: the chain's last link; root: where its chain begins;
    begun: how many actions of another match it began with; seats: who sits there now; people: what else there is to know
    of them; here: which seats somebody is at, of those who are connected to this server; crowd: how many sockets are at
    the table; found: when it was read from its log, by the clock that never jumps. dealer: answers for chance; sealed: the
    version of the last event that changed what is sealed; preparing: its computers cannot think yet; mistaken: it is paused
    because its rules went wrong; mistakes: how often they did in this process since then.
    """

    def __init__(self, table_id: str, body: Body, game: Game, store: EventLog, root: bytes) -> None:
        self.id = table_id
        self.body = body
        self.store = store
        self.root = self.head = root
        self.lock = asyncio.Lock()
        self.dealer: Dealer
        self.crowd = self.mistakes = 0
        self.preparing = False
        self.here: frozenset[int] = frozenset()
        self.now: Callable[[], float] = time.monotonic
        self.found = 0.0
        self.told = (-1, "")
        self.version = self.since = self.common = self.moved = 0
        self.done: dict[str, Done] = {}
        self.people = People(len(body.seats))
        self._known: tuple[list[Seat], frozenset[int], list[str]] = [], frozenset(), []
        self.fold(game, [])

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def weight(self) -> int:
        """Bytes of memory, about."""
        return weight(self.game) + self.match.positions.held * (self.game.dtype.itemsize + POSITION)

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
        """Who sits where, by name."""
        return self._strip[2]

    @property
    def actor(self) -> int:
        """Who is to act: a seat, CHANCE, or OVER, also where people have agreed on the end."""
        return self.match.actor

    @property
    def persons(self) -> frozenset[int]:
        """The seats that are a person's now."""
        return self._strip[1]

    @property
    def _strip(self) -> tuple[list[Seat], frozenset[int], list[str]]:
        """The seats, with those that are a person's, and their names: worked out once until another sits somewhere."""
        if self._known[0] is not self.seats:
            persons = frozenset(i for i, seat in enumerate(self.seats) if seat.kind == "person")
            self._known = self.seats, persons, [seat.name for seat in self.seats]
        return self._known

    @property
    def hints(self) -> bool:
        """May whoever is to act ask for a hint? Where several people play only if their host wants it."""
        return len(self.persons) <= 1 if self.people.hints is None else self.people.hints

    @property
    def late(self) -> set[int]:
        """Seats that are out of time and play on: the others may be offered what they are for somebody who is away."""
        return self.clocks.late

    def holding(self, hashes: Iterable[str]) -> Holding:
        """What hashed tokens give at this table."""
        return holding(self.seats, hashes)

    def computer(self) -> str:
        """The level of the computer player that is to act, or ""."""
        if self.paused:
            return ""
        actor = self.actor
        return self.seats[actor].level if actor >= 0 and self.seats[actor].kind == "computer" else ""

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
            _ = match.position.legal, match.outcome  # what nobody could play on from is not stored
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
            body = {**(body or {}), **(self.clocks.spent() if kind in CHARGED else {})}
            told = msgspec.json.encode(body).decode() if body else ""
            events.append(Event(self.version + 1 + i, f"{key}.{i}" if i else key, kind, actor, action, by, now, told))
        return events

    async def _append(self, events: list[Event]) -> list[Event]:
        """Bring events into the log, behind all that is there."""
        events = hash_chain.chained(self.head, events)
        await self.store.append(self.id, events)
        return events

    def expect(self, version: int) -> None:
        """Whoever has seen that version knows where the match stands: there was no move since. Errors: Refused."""
        if not self.moved <= version <= self.version:
            raise Refused("stale", "stale")

    def _expect_turn(self, seats: frozenset[int]) -> None:
        actor = self.actor
        if actor == OVER:
            raise Refused("closed", "over")
        if actor not in seats:
            raise Refused("turn", "turn")
        if self.paused:
            raise Refused("closed", "paused")
        if self.version >= MOST_EVENTS:
            raise Refused("closed", "too_long", n=MOST_EVENTS)

    def again(self, seats: frozenset[int], key: str, kind: str, action: int | None, **said: object) -> int:
        """The first answer to a key; the same key for something else is refused. said: what its body has to hold."""
        done = self.done[key]
        told = msgspec.json.decode(done.body) if done.body and said else {}
        same = all(told.get(name) == value for name, value in said.items())
        if done.kind != kind or done.actor not in seats or action not in (None, done.action) or not same:
            raise Refused("bad", "key")
        return done.version

    def new_events(self, key: str, by: str, before: int) -> list[Event]:
        """The log's lines from `before` as events; chance that follows a decision has keys made from its key."""
        now, events = time.time(), []
        for i, entry in enumerate(self.match.log[before:]):
            who = "chance" if entry.actor == CHANCE else by
            spent = self.clocks.spent() if entry.actor != CHANCE else {}
            told = msgspec.json.encode(spent).decode() if spent else ""
            line = f"{key}.{i}" if i else key
            events.append(Event(self.version + 1 + i, line, "action", entry.actor, entry.action, who, now, told))
        return events

    def _advance(self, events: list[Event], common: int) -> None:
        """Count events that are stored and played."""
        self.since, self.common, self.version = self.version, common, events[-1].version
        self.head = events[-1].link or self.head
        if isinstance(self.dealer, Seals):
            self.dealer = self.dealer.played(self.match.chances, self.actor == OVER)
        first = events[0]
        self.done[first.key] = Done(sys.intern(first.kind), first.actor, first.action, self.version, first.body)
        if any(event.kind in MOVES for event in events):
            self.moved = self.version
        self.asks.follow(events, len(self.match.log))
        self._turn_clocks(events)

    def _turn_clocks(self, events: list[Event]) -> None:
        """Charge the clock that has run, and let the right one run."""
        match, clocks = self.match, self.clocks
        if clocks.rules is None:
            return
        charged = [clocks.charge(event) for event in events]
        kinds = {event.kind for event in events}
        if not kinds.isdisjoint(("undo", "back")):
            clocks.shrink(len(match.log), free="undo" in kinds)
        played = [event for event in events if event.kind == "action"]
        for event, entry in zip(played, match.log[len(match.log) - len(played) :], strict=True):
            if event.by == "person":
                clocks.decided(event.actor, entry.turn)
        clocks.settle(match.position.turn, len(match.log))
        clocks.run(self._runner(), any(charged))

    def _runner(self) -> int | None:
        """The seat whose clock runs: that of the person to act, once everybody has been there, while nobody pauses."""
        actor, clocks = self.actor, self.clocks
        runs = clocks.rules is not None and not self.paused and actor in self.persons and actor not in clocks.late
        return actor if runs and (clocks.came >= self.persons or not clocks.has_banks) else None

    def _take(self, events: list[Event]) -> None:
        """Let happen what is in the log."""
        common = len(self.match.log)
        for event in events:
            KINDS[event.kind](self, event)
            common = min(common, len(self.match.log))
            self.begun += event.by == "fork"
        self._advance(events, common)

    def fold(self, game: Game, events: list[Event]) -> None:
        """Bring the table to where a log says it is."""
        self.match = Match(game, start=game.load(self.body.start) if self.body.start else None)
        self.match.chance = self.answered_by
        self.seats = list(self.body.seats)
        self.people.begin()
        self.dealer = SeededDealer(self.body.seed)
        self.sealed = -1
        if self.body.level:
            self.dealer = Seals(Keeper(bytes.fromhex(self.body.secret)), rules_hash(game))
        self.version = self.since = self.common = self.moved = 0
        self.head = self.root
        self.done = {}
        self.begun = 0
        self.paused = self.mistaken = False
        self.clocks = Clocks(self.body.clock, game.seats, self.now)
        self.asks = Asks(self.now)
        for group in _groups(events):
            self._take(group)
        self.clocks.run(self._runner(), anew=False)

    def catch_up(self, events: list[Event]) -> bool:
        """Let happen what another process has added to the log, as far as it has not happened yet; False if all of it has.

        Holders of the lock only. Errors: BridgeheadError.
        """
        new = [event for event in events if event.version > self.version]
        if not new:
            return False
        wrong = hash_chain.broken(self.head, new, self.version)
        if wrong is not None:
            raise BridgeheadError(f"event {wrong} of the log does not follow from those before it", self.id)
        since, common = self.version, len(self.match.log)
        for group in _groups(new):
            self._take(group)
            common = min(common, self.common)
        self.since, self.common = since, common
        return True

    async def refresh(self) -> bool:
        """Look whether another process has added to the log, and `catch_up`. Errors as there; StorageError."""
        return self.catch_up(await asyncio.to_thread(self.store.events, self.id, self.version))

    def mark(self, version: int) -> str:
        """What only somebody knows who was told of that version: it proves that the table has been there (T27)."""
        # Not `hmac.digest`: that gives way to other threads, and has to wait for them.
        return hmac.new(self.root, b"mark %d" % version, "sha256").digest()[:8].hex()

    def reload(self) -> None:
        """Read the log again, after another process has written to it. Errors: StorageError, BridgeheadError."""
        events = self.store.events(self.id)
        wrong = hash_chain.broken(self.root, events)
        if wrong is not None:
            raise BridgeheadError(f"event {wrong} of the log does not follow from those before it", self.id)
        clocks, moved = self.clocks, self.moved
        self.fold(self.game, events)
        if moved == self.moved:
            self.clocks.go_on(clocks)

    def become(self, again: Table) -> None:
        """Take over what another reading of the same log has come to. Holders of the lock only."""
        clocks, moved, people = self.clocks, self.moved, self.people
        vars(self).update({name: value for name, value in vars(again).items() if name in FOLDED})
        self.people.links, self.people.gone = people.links, people.gone
        if moved == self.moved:
            self.clocks.go_on(clocks)

    def record(self) -> str:
        """The record so far, before the end without what lies face down. Holders of the lock only; long ones take a while."""
        if self.told[0] != self.version:
            self.match.notes = [(mark.at, WORDS.tell(mark.phrase)) for mark in first_computers(self) + self.people.marks]
            self.told = self.version, record.dump(self.match, self.names, concealed=self.actor != OVER)
        return self.told[1]

    def shown(self) -> Match:
        """The match as those who play may know it: before the end without what lies face down. Holders of the lock only."""
        game = self.game
        if self.actor == OVER or not house.hidden(game.options) & {*game.differences}:
            return self.match
        return record.load(self.record())[0]


def _groups(events: list[Event]) -> list[list[Event]]:
    """Events that were stored together."""
    groups: list[list[Event]] = []
    for event in events:
        if "." in event.key and groups:
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups
