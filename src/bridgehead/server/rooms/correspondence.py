"""Tables with days for each turn: what is due there happens without a page.

The server visits such a table when its days run out, when a computer has to act, when a plan has an answer, and when the person
to act is reminded. The store knows when the next visit is due (`storage.correspondence`), so a restart forgets none.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import Protocol

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.rooms.timers import time_left
from bridgehead.server.storage import correspondence
from bridgehead.server.storage.event_log import Conflict, Statement, StorageError
from bridgehead.server.tables import days_off, plans
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.days_off import STOCK
from bridgehead.server.tables.plans import ConditionalPlan
from bridgehead.server.tables.table import NewEvent, Refused, Table

log = logging.getLogger("bridgehead")
POLL = 30.0  # seconds after which the store is asked again: another process may have written
AGAIN = 60.0  # seconds until a visit that changed nothing, or failed, is repeated
AT_ONCE = 4  # visits at the same time
BATCH = 100  # tables that are looked up at once
SOON = 60.0  # seconds after which a person who is not at the table is reminded
LATE = 1800.0  # seconds after which a person is reminded whose page is open
DUE = "select game from wake where at <= ? order by at limit ?"
NEXT = "select min(at) from wake"


class Reminds(Protocol):
    """What sends reminders."""

    async def remind(self, table: Table, seat: int) -> None:
        """Remind the person of a seat that it is their turn, once a turn. Errors: StorageError."""


class Correspondence:
    """Visits the tables at which something is due. reminders: None if nobody can be reminded."""

    def __init__(self, manager: RoomManager, reminders: Reminds | None = None) -> None:
        self.manager, self.reminders = manager, reminders
        self.store = manager.repository.store
        self._noted: dict[str, float | None] = {}  # the time in the store, of tables with a room
        self._sooner = asyncio.Event()
        self._visits = asyncio.Semaphore(AT_ONCE)
        self._visiting: set[str] = set()
        manager.updates.due.append(self.follow)

    # Noting what is due

    def follow(self, room: Room) -> None:
        """After a change: note when the next visit is due, and play what plans want. Needs the lock."""
        table = room.table
        if table.days.limit:
            self._note(table, self._due_at(room))
            if table.id not in self._visiting and table.actor in table.persons and not table.stopped:
                self.manager.tasks.start(self._play_due_plans(table))

    def _due_at(self, room: Room) -> float | None:
        """When the next visit to a table is due, in Unix seconds; None: when something has changed."""
        table, now = room.table, room.table.wall()
        if table.actor == OVER or table.stopped:
            return None
        if table.computer():
            return now + AGAIN if room.is_open else now
        seat, left = table.clock.running, time_left(table, self.manager.timers.grace)
        if left is None or seat is None:
            return None
        begun = max(table.days.began(seat), table.days.holiday_until(seat, now))
        times = [now + left, *(begun + wait for wait in (SOON, LATE) if begun + wait > now)]
        return min(times)

    def _note(self, table: Table, at: float | None) -> None:
        if table.actor == OVER:
            self._noted.pop(table.id, None)
            self.manager.tasks.start(self._write(*correspondence.over(table.id)))
        elif self._noted.get(table.id, -1.0) != at:
            self._noted[table.id] = at
            self.manager.tasks.start(self._write(correspondence.schedule_statement(table.id, at)))

    async def _write(self, *statements: Statement) -> None:
        try:
            await self.store.write(*statements)
            self._sooner.set()
        except (StorageError, Conflict):
            log.exception("the next visit to a table could not be stored")

    # Visiting

    async def run(self) -> None:
        """Visit tables whenever something is due, until this task is cancelled."""
        while True:
            self._sooner.clear()
            wait = POLL
            try:
                for (game,) in await asyncio.to_thread(self.store.read, DUE, time.time(), BATCH):
                    if game not in self._visiting:
                        self._visiting.add(game)
                        self.manager.tasks.start(self._visit(game))
                (first,) = (await asyncio.to_thread(self.store.read, NEXT))[0]
                wait = POLL if first is None else min(POLL, max(0.5, first - time.time()))
            except StorageError:
                log.exception("the tables at which something is due cannot be read")
            try:
                async with asyncio.timeout(wait):
                    await self._sooner.wait()
            except TimeoutError:
                pass

    async def _visit(self, game: str) -> None:
        """Visit one table, and note when the next visit is due; if it fails, after a while."""
        try:
            async with self._visits:
                table = await self.manager.repository.find(game)
                if table is None:
                    return
                room = await self.manager.visit(table, self._serve)
            at, soonest = self._due_at(room), room.table.wall() + AGAIN
            self._noted.pop(game, None)
            self._note(room.table, at if at is None else max(at, soonest) if room.table.computer() else at)
        except Exception:  # a table that cannot be opened now must not stop the others
            log.exception("a visit to a table failed", extra={"table": game})
            await self._write(correspondence.schedule_statement(game, time.time() + AGAIN))
        finally:
            self._visiting.discard(game)

    async def _serve(self, room: Room) -> Room:
        """Do what is due at a table. Needs the lock. Errors: StorageError, BridgeheadError."""
        if self.store.shared:
            await self.manager.updates.refresh(room)
        await self.manager.timers.store_due(room)
        await self._play_plans(room)
        table, now = room.table, room.table.wall()
        seat = table.clock.running
        if self.reminders and seat is not None and not table.days.holiday_until(seat, now):
            waited = now - table.days.began(seat)
            if waited >= (LATE if seat in table.attendance.here else SOON):
                await self.reminders.remind(table, seat)
        return room

    # Plans

    async def _play_due_plans(self, table: Table) -> None:
        """After a change: play what the plans at a table want."""
        try:
            if await asyncio.to_thread(plans.of, table):
                await self.manager.visit(table, self._play_plans)
        except (StorageError, BridgeheadError):
            log.exception("a conditional move could not be played", extra={"table": table.id})

    async def _play_plans(self, room: Room) -> None:
        """Play what the plans want, until a person has to decide. Needs the lock. Errors: StorageError."""
        found = await asyncio.to_thread(plans.of, room.table)
        while await self._step(room, found):
            pass

    async def _step(self, room: Room, found: dict[int, ConditionalPlan]) -> bool:
        """Play the next action that one of the plans wants; False if none wants any. It drops the plans that have ended."""
        table = room.table
        for seat, plan in list(found.items()):
            now, action = plans.follow_plan(table, seat, plan) if seat in table.persons else (None, None)
            if now != plan:
                await self.store.write(plans.keep(table, seat, now))
            if now is None:
                del found[seat]
            else:
                found[seat] = now
            if action is not None:
                return await self._act(room, seat, action)
        return False

    async def _act(self, room: Room, seat: int, action: int) -> bool:
        """Play a seat's action; False if somebody else was first. Errors: StorageError."""
        table = room.table
        try:
            await table.act(frozenset([seat]), secrets.token_hex(16), table.version, action)
        except Conflict:
            await self.manager.updates.refresh(room)
            return False
        await self.manager.updates.show_change(room)
        return True

    async def plan(self, table: Table, seat: int, lines: list[list[int]] | None) -> None:
        """Set a seat's plan; None deletes it. Errors: Refused, StorageError."""
        async with table.lock:
            plan = None if lines is None else plans.make_plan(table, seat, lines)
            await self.store.write(plans.keep(table, seat, plan))

    # Holidays

    async def holiday(self, table: Table, seats: frozenset[int], days: int) -> None:
        """Take days off for a person's seats, or come back (0). Errors: Refused, StorageError."""

        async def take(room: Room) -> None:
            try:
                await table.write(secrets.token_hex(16), *_holidays(table, seats, days))
            except Conflict:
                await self.manager.updates.refresh(room)
                await table.write(secrets.token_hex(16), *_holidays(table, seats, days))
            await self.manager.updates.show_change(room)

        await self.manager.visit(table, take)


def _holidays(table: Table, seats: frozenset[int], days: int) -> list[NewEvent]:
    """The events of a holiday. Errors: Refused."""
    now = table.wall()
    mine = sorted(seats & table.persons)
    if not table.days.limit:
        raise Refused("illegal", "holiday.no_days")
    if table.actor == OVER:
        raise Refused("closed", "over")
    if not mine:
        raise Refused("illegal", "holiday.no_seat")
    for seat in mine:
        holidays = table.days.holidays[seat]
        if days and (year := days_off.lacking(holidays, now, days)) is not None:
            raise Refused("illegal", "holiday.stock", n=max(0, STOCK - days_off.years(holidays)[year]), year=f"{year}")
        if not days and not table.days.holiday_until(seat, now):
            raise Refused("illegal", "holiday.none")
    return [NewEvent("holiday", seat, bodies.HolidayTaken(days)) for seat in mine]


def read_plan(table: Table, seat: int) -> ConditionalPlan | None:
    """A seat's plan. It waits for the disk: call it in a thread. Errors: StorageError."""
    return plans.of(table).get(seat)
