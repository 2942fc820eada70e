"""A table: a match, its people, and the one order in which events happen to it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness.seals import Seals
from bridgehead.fairness.statements import Listed
from bridgehead.server.messages.client import PlayAction, UndoAction
from bridgehead.server.messages.server import ClockView, RejectionCode
from bridgehead.server.storage import hash_chain, imports
from bridgehead.server.storage.event_log import Event, EventLog, StorageError
from bridgehead.server.tables import damage
from bridgehead.server.tables.damage import Damage
from bridgehead.server.tables.days_off import DAY
from bridgehead.server.tables.event_bodies import Charge, Charged, EventBody, RecordImported
from bridgehead.server.tables.event_handlers import HANDLERS, phases_of
from bridgehead.server.tables.seats import NOBODY, Attendance, TableNote
from bridgehead.server.tables.state import Done, Folded
from bridgehead.server.tables.stored_seats import StoredTable

log = logging.getLogger("bridgehead")
MOST_EVENTS = 20_000
MOST_LINKS = 16  # tokens kept in memory for repeated requests
MOVES = ("action", "import", "undo", "back", "end")  # events that invalidate a move chosen in an earlier view
TURNS = (*MOVES, "pause", "resume", "hold", "release")  # events after which the others begin to wait for the seat to act
CHARGED = ("undo", "back", "end", "late", "pause", "hold")  # events that, like an action, charge the running clock


class Refused(BridgeheadError):
    """Raised for a message that the table refuses; nothing has changed. code: of the protocol; key, params: of the sentence."""

    def __init__(self, code: RejectionCode, key: str, **params: object) -> None:
        super().__init__(f"server:{key}", **params)
        self.code: RejectionCode = code
        self.key = key
        self.params = params


class NewEvent(NamedTuple):
    """An event that is not stored yet: see `Event`."""

    kind: str
    actor: int
    body: EventBody | None = None
    by: str = "person"
    action: int = -1


class TableSession(Protocol):
    """The sender of a message, as the table's handlers need it: the table, the sender's seats, and whether it is the host's."""

    @property
    def table(self) -> Table: ...

    @property
    def you(self) -> frozenset[int]: ...

    @property
    def host(self) -> bool: ...


class Table(Folded):
    """A table that takes changes: one at a time (`lock`), each stored before anybody sees it."""

    code: str = ""
    """Its short code: see `Codes`."""
    found: float = 0.0
    """When the log was read (monotonic clock)."""
    deleted: bool = False
    """It is deleted, and takes no more events."""
    preparing: bool = False
    """The game is being compiled for its computer players."""
    listed: dict[str, Listed]
    """Rows of the seal log, by era."""
    links: dict[str, str]
    """The newest tokens that it has given out, by message key, for repeated requests."""

    def __init__(self, table_id: str, body: StoredTable, game: Game, store: EventLog, root: bytes) -> None:
        super().__init__(table_id, body, game, root)
        self.store = store
        self.lock = asyncio.Lock()
        self.attendance = Attendance(len(body.seats))
        self.listed, self.links = {}, {}

    def remember(self, key: str, token: str) -> None:
        """Keep a token until the page that asked for it has surely received it."""
        self.links[key] = token
        while len(self.links) > MOST_LINKS:
            del self.links[next(iter(self.links))]

    async def act(self, seats: frozenset[int], key: str, version: int, action: int, by: str = "person") -> int:
        """Play an action for the seat to act, or a draw that a person types. Returns the version after it.

        A key that was used for the same action before gives the version after that one.

        Needs the lock. Errors: Refused, IllegalAction, StorageError, Conflict; then nothing has changed.
        """
        if key in self.done:
            return self.find_repeated(seats, key, "action", action)
        match, before = self.match, len(self.match.log)
        self.expect(version, seats)
        try:
            match.play(action)
            match.deal(self.dealer)
            _ = match.position.legal, match.outcome  # refuse an action that leads to an unplayable position
            events = self._played(key, by, before, seats)
            await self.store.append(self.id, events)
        except BaseException:
            match.rewind(before)
            raise
        self._advance(events, before)
        return self.version

    async def undo(self, seats: frozenset[int], key: str, version: int) -> int:
        """Take back the last decision of the seat that is still to act, or a typed draw (`mistyped`). Errors as `act`."""
        if key in self.done:
            return self.find_repeated(seats, key, "undo", None)
        point = self.mistyped if CHANCE in seats else None
        if point is None:
            self.expect(version, seats)
            point = self.match.undo_point()
        else:
            self.expect(version)
        if point is None:
            raise Refused("illegal", "no_undo")
        decision = self.match.log[point]
        return await self.write(key, NewEvent("undo", decision.actor, action=decision.action))

    async def write(self, key: str, *new: NewEvent) -> int:
        """Store events besides the game's actions, all or none, and apply them; the version after them.

        Needs the lock. The caller has checked that they may happen, and that the key is new (`find_repeated`).
        Errors: Refused, StorageError, Conflict; then nothing has changed.
        """
        if self.damage is not None or self.deleted:
            raise self.why_closed
        if self.version + self.taken + len(new) > MOST_EVENTS:
            raise Refused("closed", "too_long", n=MOST_EVENTS)
        for each in new:
            self._check_phase(each.kind, each.actor, each.body)
        events = self.events_of(key, new)
        await self.store.append(self.id, events)
        await self.follow(events)
        return self.version

    async def follow(self, events: list[Event]) -> None:
        """Apply the next events, which are stored."""
        self._apply(events)
        await self.look_up()

    async def look_up(self) -> None:
        """Read the rows of the seal log for the eras that were frozen lately. Best effort: without a row, pages wait."""
        if self._unlisted():
            with contextlib.suppress(StorageError):
                await asyncio.to_thread(self.find_listed)

    def find_listed(self) -> None:
        """As `look_up`, waiting for the disk. Errors: StorageError."""
        for era in self._unlisted():
            listed = self.store.find_listed_era(era)
            if listed is not None:
                self.listed[era] = listed

    def _unlisted(self) -> list[str]:
        eras = self.dealer.eras if isinstance(self.dealer, Seals) else ()
        return [era.id for era in eras if era.number and era.transcript and era.id not in self.listed]

    def events_of(self, key: str, new: Sequence[NewEvent]) -> list[Event]:
        """New events as the next ones of the log, linked to its hash chain."""
        now, events = self.wall(), []
        for i, (kind, actor, body, by, action) in enumerate(new):
            if kind in CHARGED:
                body = replace(body or Charged(), clock=self.charge_time())
            text = body.json if body else ""
            events.append(Event(self.version + 1 + i, f"{key}.{i}" if i else key, kind, actor, action, by, now, text))
        return hash_chain.chain_events(self.head, events)

    def _played(self, key: str, by: str, before: int, seats: frozenset[int] = NOBODY) -> list[Event]:
        """The match's log from `before` on as events. Chance that follows a decision has keys made from the decision's.

        seats: of the page that decided.
        """
        now, events = self.wall(), []
        for i, entry in enumerate(self.match.log[before:]):
            chooser = "chance" if entry.actor == CHANCE else by
            spent = self.charge_time() if entry.actor != CHANCE and self.clock.running is not None else UNSET
            several = len(seats - {CHANCE}) > 1 and entry.actor != CHANCE and bool(self.seats[entry.actor].profile)
            text = Charged(spent, several or UNSET).json if several or spent is not UNSET else ""
            each = f"{key}.{i}" if i else key
            events.append(Event(self.version + 1 + i, each, "action", entry.actor, entry.action, chooser, now, text))
        return hash_chain.chain_events(self.head, events)

    def expect(self, version: int, seats: frozenset[int] | None = None) -> None:
        """Check that no move was made since `version` and, if seats are named, that one of them has to act.

        Errors: Refused, always if the log is damaged.
        """
        if self.damage is not None or self.deleted:
            raise self.why_closed
        if not self.last_move_version <= version <= self.version:
            raise Refused("stale", "stale")
        if seats is None:
            return
        actor = self.match.actor
        if actor != OVER and actor not in seats:
            raise Refused("turn", "turn")
        if self.phase in ("over", "paused"):
            raise self.why_closed
        if self.version + self.taken >= MOST_EVENTS:
            raise Refused("closed", "too_long", n=MOST_EVENTS)

    @property
    def why_closed(self) -> Refused:
        """The refusal of what is not allowed in this phase of the game, or at a table whose log is damaged."""
        if self.damage is not None:
            return Refused("closed", "paused.damaged", **self.damage.params)
        if self.phase == "over" or self.deleted:
            return Refused("closed", "over")
        if self.phase == "paused":
            return Refused("closed", "paused.host" if self.frozen_by_host else "paused")
        return Refused("turn", "turn")

    def _check_phase(self, kind: str, actor: int, body: EventBody | None = None) -> None:
        """Check that an event of this kind may be stored in this phase of the game. Errors: Refused."""
        if self.phase not in phases_of(kind, actor, body):
            raise self.why_closed
        if kind == "back" and isinstance(self.dealer, Seals) and self.dealer.awaits_links:
            raise Refused("stale", "ask.rolling")  # links were given for a draw after this decision

    def find_repeated(self, seats: frozenset[int], key: str, kind: str, action: int | None, **fields: object) -> int:
        """The version after the message that first used this key. fields: required values in its event's body.

        Errors: Refused if the key was used for another message.
        """
        done = self.done[key]
        body = msgspec.json.decode(done.body) if done.body and fields else {}
        same = all(body.get(name) == value for name, value in fields.items())
        if done.kind != kind or done.actor not in seats or action not in (None, done.action) or not same:
            raise Refused("bad", "key")
        return done.version

    def _advance(self, events: list[Event], common: int) -> None:
        """Count events that are stored and applied."""
        self.since, self.unchanged_log_length, self.version = self.version, common, events[-1].version
        self.head = events[-1].link or self.head
        if isinstance(self.dealer, Seals):
            self.dealer = self.dealer.follow_match(self.match.chances, self.actor == OVER)
        self.occupied.update(event.actor for event in events if event.by == "person")
        first = events[0]
        self.done[first.key] = Done(sys.intern(first.kind), first.actor, first.action, self.version, first.body)
        if any(event.kind in MOVES for event in events):
            self.last_move_version = self.version
        if not self.waiting or any(event.kind in TURNS for event in events):
            self.waiting = events[-1].time
        self.proposals.follow(events, len(self.match.log))
        self._turn_clock(events)
        self.phase = self._phase_now()

    def _turn_clock(self, events: list[Event]) -> None:
        """Charge the bank that was used, and start the clock of the seat to act."""
        match, clock = self.match, self.clock
        if not clock.is_used:
            return
        charges = [charge for event in events if (charge := clock.charge_of(event)) is not UNSET]
        for charge in charges:
            clock = clock.charge(charge)
        kinds = {event.kind for event in events}
        if not kinds.isdisjoint(("undo", "back")):
            corrected = any(event.kind == "undo" and event.actor == CHANCE for event in events)
            clock = clock.shrink(len(match.log), "undo" in kinds, match.position.turn if corrected else None)
        if "back" in kinds:
            self.days = replace(self.days, begun={})  # the days of each turn begin again
        if not kinds.isdisjoint(TURNS):
            clock = replace(clock, turned=self.now() - max(0.0, self.wall() - events[-1].time))  # perhaps read much later
        played = [event for event in events if event.kind == "action"]
        for event, entry in zip(played, match.log[len(match.log) - len(played) :], strict=True):
            if event.by == "person" or (clock.has_banks and clock.stands_in and self.seats[event.actor].token):
                clock = clock.note_decision(event.actor, entry.turn)
        self.clock = clock.settle(match.position.turn, len(match.log))
        self._run_clock(charged=bool(charges))
        if self.days.limit:
            self.days = self.days.count(self.clock.running, match.position.turn, events[-1].time, self.stopped)

    def _run_clock(self, charged: bool = False) -> None:
        """Run the clock of the person to act, once every person has been at the table, and not during a pause."""
        actor, clock = self.actor, self.clock
        runs = clock.is_used and not self.stopped and actor in self.persons and actor not in clock.late
        runs = runs and (self.came >= self.persons or not clock.waits_for_all)
        self.clock = clock.run(actor if runs else None, charged, self.now())

    @property
    def _lag(self) -> int:
        """Round trip of the seat whose clock runs, in milliseconds."""
        return 0 if self.clock.running is None else self.attendance.lag.get(self.clock.running, 0)

    def charge_time(self) -> Charge | UnsetType:
        """The time that an event charges to the running bank."""
        return self.clock.charge_time(self.now(), self._lag)

    def remaining(self) -> float | None:
        """Seconds until the running clock runs out; None if no clock can."""
        due = self.days.due(self.clock.running)
        return self.clock.remaining(self.now(), self._lag) if due is None else max(0.0, due - self.wall())

    @property
    def waited(self) -> float:
        """Seconds for which the table has waited for the seat to act."""
        return max(0.0, self.now() - self.clock.turned)

    def find_agreed_time(self, seat: int) -> float:
        """Seconds that the players have agreed to wait for a turn of this seat; 0 without clocks."""
        if self.days.limit:
            left = self.remaining() if seat == self.clock.running else None
            return self.days.limit * DAY if left is None else self.waited + left
        return self.clock.left[seat] / 1000 if self.clock.has_banks else float(self.clock.rules.nudge)

    def clock_view(self) -> ClockView | UnsetType:
        """The clock as all viewers see it; UNSET for a table without one."""
        if not self.clock.is_used:
            return UNSET
        shown = self.clock.view(self.now())
        return self.days.view(shown, self.clock.running, self.wall()) if self.days.limit else shown

    def _apply(self, events: list[Event]) -> None:
        """Apply events that are in the log."""
        common = len(self.match.log)
        for event in events:
            HANDLERS[event.kind](self, event)
            common = min(common, len(self.match.log))
        self._advance(events, common)

    def fold(self, game: Game, events: Sequence[Event]) -> None:
        """Apply a whole log, from the beginning."""
        self.reset(game)
        for group in _groups(events):
            self._apply(group)
        self._run_clock()

    def fold_until_damage(self, events: Sequence[Event], found: Damage | None = None) -> None:
        """Apply a log from the beginning, up to the event before the first one that cannot be applied: see `damage`.

        found: what is wrong behind these events. Errors: MemoryError, StorageError; BridgeheadError if not one event folds.
        """
        folds, breaks, count = 0, len(events) + 1, len(events)  # so many events fold for certain, so many do not
        while True:
            try:
                self.fold(self.game, events[:count])
            except (MemoryError, StorageError):
                raise
            except Exception as error:
                if not count:
                    raise
                log.info("a log stops folding", exc_info=error, extra={"table": self.id, "event_number": count})
                folds, breaks = max(folds, self.since), count
                found = damage.describe_failing_event(events[count - 1], error, events[count - 1].kind in HANDLERS)
            else:
                folds = count
                if count + 1 == breaks:
                    break
            count = (folds + breaks) // 2
        if found is not None and not count:
            raise BridgeheadError("server:error.what_stored_table_damaged", self.id)
        if found is not None:
            self.damage = found
            self.people.notes.append(TableNote(len(self.match.log), found.note))
            self.phase = self._phase_now()
            self._run_clock()

    def catch_up(self, events: list[Event]) -> bool:
        """Apply what another process has added to the log; False if there was nothing new, or if the log is damaged.

        Needs the lock. Errors: BridgeheadError.
        """
        new = [event for event in events if event.version > self.version]
        if not new or self.damage is not None:
            return False
        wrong = hash_chain.find_broken_link(self.head, new, self.version)
        if wrong is not None:
            raise BridgeheadError("server:error.event_log_does_not_follow", self.id, wrong=wrong)
        since, common = self.version, len(self.match.log)
        for group in _groups(new):
            self._apply(group)
            common = min(common, self.unchanged_log_length)
        self.since, self.unchanged_log_length = since, common
        return True

    async def refresh(self) -> bool:
        """Look in the store for events of other processes, and `catch_up`. Errors as there; StorageError."""
        if self.damage is not None:
            return False
        changed = self.catch_up(await asyncio.to_thread(self.store.events, self.id, self.version))
        await self.look_up()
        return changed

    def reload(self) -> None:
        """Read the whole log again, as far as it folds. Errors: those of `fold_until_damage`; of a missing imported record."""
        events = self.store.events(self.id)
        wrong = hash_chain.find_broken_link(self.root, events)
        found = None if wrong is None else damage.describe_broken_link(events, wrong)
        events = events if wrong is None else events[: wrong - 1]
        if events and events[0].kind == "import":
            self.imported = imports.read_actions(self.store, RecordImported.of(events[0].body).hash)
        clock, moved = self.clock, self.last_move_version
        self.fold_until_damage(events, found)
        self.find_listed()
        if moved == self.last_move_version:
            self.clock = self.clock.keep_start_of(clock)

    def stored_events(self) -> list[Event]:
        """The events that this state was folded from. Waits for the disk: call it in a thread. Errors: StorageError."""
        return self.store.events(self.id)[: self.version]

    def become(self, again: Table) -> None:
        """Replace this state by that of another copy, folded from the same log. Needs the lock."""
        clock, moved = self.clock, self.last_move_version
        self.adopt(again)
        if moved == self.last_move_version:
            self.clock = self.clock.keep_start_of(clock)


def _groups(events: Sequence[Event]) -> list[list[Event]]:
    """Events that were stored together."""
    groups: list[list[Event]] = []
    for event in events:
        if "." in event.key and groups:
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


async def act(session: TableSession, message: PlayAction) -> int:
    table, you = session.table, session.you
    return await table.act(table.actors(you, session.host) if table.body.typed else you, message.k, message.v, message.a)


async def undo(session: TableSession, message: UndoAction) -> int:
    table, you = session.table, session.you
    return await table.undo(table.actors(you, session.host) if table.body.typed else you, message.k, message.v)
