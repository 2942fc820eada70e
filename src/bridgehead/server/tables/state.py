"""The state of a table: the result of folding its event log. `event_handlers` applies events to it; `table` stores new ones."""

from __future__ import annotations

import copy
import functools
import hashlib
import time
from collections.abc import Callable, Iterable

import msgspec

from bridgehead.core import options as house
from bridgehead.core import record
from bridgehead.core.chance import Dealer, SeededDealer, TypedDealer
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness.seals import Seals, SecretKeeper
from bridgehead.server.catalogue import WORDS
from bridgehead.server.messages.client import Phase
from bridgehead.server.tables.clocks import TableClock, first_clock
from bridgehead.server.tables.damage import Damage
from bridgehead.server.tables.days_off import DAY, TurnDays
from bridgehead.server.tables.proposals import Proposals
from bridgehead.server.tables.seats import Holding, TableNote, TablePeople, computer_notes, holding
from bridgehead.server.tables.stored_seats import Seat, StoredTable, digest

POSITION = 2000  # bytes of a position besides its state, roughly
KEPT = 64  # games in the cache of `has_chance`


@functools.lru_cache(KEPT)
def has_chance(game: Game) -> bool:
    """Does chance act? Every game with dice or cards begins with a draw, and so does one that draws the first player."""
    return game.start().is_chance


def law_weight(game: Game) -> int:
    """Bytes of a game's law."""
    parts = game.law if isinstance(game.law, tuple) else (game.law,)
    return sum(getattr(part, "nbytes", 8) for part in parts)


class Done(msgspec.Struct, frozen=True, gc=False):
    """The effect of a message, kept by its key, and the version after it. One per action, so exempt from garbage collection."""

    kind: str
    actor: int
    action: int
    version: int
    body: str


def pool_of(game: Game) -> str:
    """The name of the ratings of a game under its house rules."""
    return f"{game.spec.id}:{game.seats}:{digest(house.canonical(game.options))[:16]}"


class Folded:
    """What is folded from a table's log, and the facts that follow from it. `Table` stores events and knows who is here."""

    body: StoredTable
    """What was stored of the table when it was made."""
    imported: tuple[int, ...]
    """Actions of the record that the match continues."""
    match: Match
    seats: list[Seat]
    """The players of the seats. Every change makes a new list."""
    occupied: set[int]
    """The seats for which a person has done something."""
    people: TablePeople
    """The host's settings and the notes."""
    dealer: Dealer
    """Supplies the draws."""
    sealed: int
    """Version of the last event of sealed chance."""
    version: int
    """Number of events."""
    since: int
    """Version before the last change."""
    last_move_version: int
    """Version after the last move."""
    unchanged_log_length: int
    """Lines of the match's log that the last change left as they were."""
    head: bytes
    """Last link of the hash chain."""
    done: dict[str, Done]
    """The effects of messages, by message key."""
    begun: int
    """Actions taken over from another match."""
    taken: int
    """Those of them that are not events."""
    phase: Phase
    """Phase of the game, in which messages and events are allowed or not."""
    paused: bool
    """Its people, or the server, have paused the table."""
    rules_failed: bool
    """It is paused because its rules failed."""
    frozen_by_host: bool
    """The host of the server has paused all tables."""
    damage: Damage | None
    """Where and why the log stops folding. Such a table takes no more events."""
    waiting: float
    """When the seat to act began to be waited for (Unix seconds)."""
    came: frozenset[int]
    """Persons' seats that have been at the table."""
    clock: TableClock
    days: TurnDays
    proposals: Proposals
    _record: tuple[int, str]
    """A version, and the record then."""
    _known: tuple[list[Seat], frozenset[int], list[str]]
    """A list of seats, the persons among them, and all names."""

    def __init__(self, table_id: str, body: StoredTable, game: Game, root: bytes) -> None:
        self.id, self.root = table_id, root  # root: start of the hash chain
        self.now: Callable[[], float] = time.monotonic
        self.wall: Callable[[], float] = time.time
        self.body, self.imported = body, ()
        self.reset(game)

    def reset(self, game: Game) -> None:
        """The state before the first event."""
        self.match = Match(game, start=game.load(self.body.start) if self.body.start else None)
        self.seats, self.occupied, self.people = list(self.body.seats), set(), TablePeople(self.body.public)
        self.dealer = TypedDealer() if self.body.typed else SeededDealer(self.body.seed)
        self.sealed = -1
        if self.body.level:
            self.dealer = Seals(SecretKeeper(bytes.fromhex(self.body.secret)), game)
        self.match.chance = self.answered_by
        self.version = self.since = self.unchanged_log_length = self.last_move_version = self.begun = self.taken = 0
        self.head, self.done = self.root, {}
        self.paused = self.rules_failed = self.frozen_by_host = False
        self.damage, self.waiting = None, 0.0
        self.came, self.clock = frozenset(), first_clock(self.body.clock, game.seats, self.now())
        self.days = TurnDays(self.clock.rules.days, ((),) * game.seats)
        self.proposals = Proposals(self.now, self.days.limit * DAY)
        self._record, self._known = (-1, ""), ([], frozenset(), [])
        self.phase = self._phase_now()

    def adopt(self, other: Folded) -> None:
        """Take over what another copy has folded from the same log."""
        for field in Folded.__annotations__:
            setattr(self, field, getattr(other, field))

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def weight(self) -> int:
        """Bytes of memory, roughly."""
        return law_weight(self.game) + self.match.positions.held * (self.game.layout.nbytes + POSITION)

    @property
    def answered_by(self) -> str:
        """The record's sentence on the source of chance; "" for a game without chance."""
        if not has_chance(self.game):
            return ""
        if self.body.typed:
            return TypedDealer.SOURCE
        if self.body.level:
            return f"sealed ({self.protocols}, level {self.body.level})"
        return "not sealed: a seed that its maker knows" if self.body.known else "not sealed: a seed of the server's"

    @property
    def protocols(self) -> str:
        """The versions of the protocol by which chance is sealed at this table."""
        eras = self.dealer.eras if isinstance(self.dealer, Seals) else ()
        if not eras or eras[0].number:
            return "BGF2"
        return "BGF1, then BGF2" if eras[-1].number else "BGF1"

    @property
    def names(self) -> list[str]:
        """The name at each seat."""
        return self._strip[2]

    @property
    def pool(self) -> str:
        """The name of the ratings to which this table counts: its game, number of seats and house rules."""
        return pool_of(self.game)

    @property
    def actor(self) -> int:
        """The seat to act, or CHANCE, or OVER; OVER also if people have ended the match."""
        return self.match.actor

    @property
    def stopped(self) -> bool:
        """May nobody act now, and do the clocks stand?"""
        return self.paused or self.frozen_by_host or self.damage is not None

    @property
    def is_final(self) -> bool:
        """Will the game not go on: is it over, or its log damaged?"""
        return self.actor == OVER or self.damage is not None

    def _phase_now(self) -> Phase:
        if self.actor == OVER:
            return "over"
        if self.stopped:
            return "paused"
        return "waiting" if self.actor == CHANCE else "playing"

    @property
    def persons(self) -> frozenset[int]:
        """The seats that persons have now."""
        return self._strip[1]

    @property
    def _strip(self) -> tuple[list[Seat], frozenset[int], list[str]]:
        """The seats, the persons among them, and all names: computed once per list of seats."""
        if self._known[0] is not self.seats:
            persons = frozenset(i for i, seat in enumerate(self.seats) if seat.kind == "person")
            self._known = self.seats, persons, [seat.name for seat in self.seats]
        return self._known

    @property
    def hints(self) -> bool:
        """May the seat to act ask for a hint? Among several persons, and in tournaments, only if the host allows it."""
        alone = len(self.persons) <= 1 and not self.body.awaits
        return alone if self.people.hints is None else self.people.hints

    @property
    def late(self) -> frozenset[int]:
        """Seats that are out of time and play on. The others may decide for them as for an absent person."""
        return self.clock.late

    def actors(self, seats: frozenset[int], host: bool) -> frozenset[int]:
        """The actors for which a page may act: its seats; where people type the draws, chance too, with a seat or as the host."""
        return seats | {CHANCE} if self.body.typed and (seats or host) else seats

    @property
    def mistyped(self) -> int | None:
        """Length of the log before the last typed draw, while it can still be corrected: before the next decision."""
        point = self.match.draw_point() if self.body.typed and not self.stopped and not self.people.rematch else None
        return point if point is not None and point >= self.begun else None

    def holding(self, hashes: Iterable[str]) -> Holding:
        """The rights of these hashed tokens at this table."""
        return holding(self.seats, hashes)

    def computer(self) -> str:
        """The level of the computer player to act, or ""."""
        if self.stopped:
            return ""
        actor = self.actor
        return self.seats[actor].level if actor >= 0 and self.seats[actor].kind == "computer" else ""

    def mark(self, version: int) -> str:
        """A code that only the views of this version contain: proof that the table has reached this version (T27)."""
        return hashlib.blake2b(b"mark %d" % version, digest_size=8, key=self.root).hexdigest()

    def notes(self) -> list[TableNote]:
        """The notes of the record: which seats computers had at first, and every change since."""
        return computer_notes(self.body.seats, self.game.spec, self.begun) + self.people.notes

    def writing(self) -> Callable[[], str]:
        """A function that writes the record as it is now. This needs the lock; the function does not, and may take a while.

        Face-down parts are left out until the game is over.
        """
        version, text = self._record
        if version == self.version:
            return lambda: text
        match, version, names, is_over = copy.copy(self.match), self.version, self.names, self.actor == OVER
        match.log = list(match.log)
        match.positions = match.positions.copy(match.log)
        match.notes = [(each.at, record.note(WORDS.tell(each.phrase), each.phrase)) for each in self.notes()]

        def write() -> str:
            text = record.dump(match, names, concealed=not is_over)
            if self._record[0] < version:
                self._record = version, text
            return text

        return write

    def record(self) -> str:
        """The record so far. Needs the lock."""
        return self.writing()()
