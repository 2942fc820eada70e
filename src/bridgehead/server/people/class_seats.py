"""What the host of a server does with the seats of a class: moves people, lets them change places, merges and closes tables.

Seats change only where no person has decided anything yet. All changes of one act are stored together, also those of a
tournament, in which a seat is never empty: whoever moves there changes places.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

from bridgehead.core.ending import CLOSED
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.server.people.tournament import Tournament
from bridgehead.server.people.tournaments import Tournaments
from bridgehead.server.rooms.rights import is_vacant
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.storage.event_log import Conflict, Statement, StorageError, insert_events
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.names import distinct_name
from bridgehead.server.tables.stored_seats import Seat
from bridgehead.server.tables.table import NewEvent, Table

TRIES = 3
# Who was moved stands beside the profiles and tournaments of a table: its token, hashed, and where it counts now.
MOVED = "insert into played values (?, ?, ?) on conflict (profile, game) do update set since = excluded.since"
LINKED = "select 1 from played where game = ? limit 1"
WHERE = "select profile from played where game = ? and substr(profile, 1, 2) = 'm:' order by since desc"


class Place(NamedTuple):
    """A seat of a table."""

    table: Table
    seat: int

    @property
    def guest(self) -> Seat:
        return self.table.seats[self.seat]

    @property
    def letter(self) -> str:
        return self.table.game.spec.seat_letter(self.seat).upper()


Swap = tuple[Place, Place]


def has_begun(table: Table) -> bool:
    """Has a person decided anything at a table? What was decided for the seat of somebody who then left counts, too."""
    return any(entry.actor in table.persons or entry.actor in table.occupied for entry in table.match.log[table.begun :])


def is_taken(table: Table, seat: int) -> bool:
    """Does a seat belong to somebody: who has a name there, has come, or is awaited by a tournament?"""
    each, letter = table.seats[seat], Place(table, seat).letter
    kept = table.body.awaits or each.name != letter or not is_vacant(table, seat)
    return each.kind == "person" and kept and (not each.free or seat in table.attendance.here)


def _has_come(table: Table, seat: int) -> bool:
    """Is the person of a seat at the table, or were they there?"""
    here = seat in table.attendance.here or seat in table.came
    return is_taken(table, seat) and (here or not table.body.awaits)


def _expect_open(tables: Sequence[Table]) -> None:
    """Errors: BridgeheadError where seats no longer change."""
    for table in tables:
        if table.actor == OVER or table.damage is not None:
            raise BridgeheadError("server:error.class_over", "table")
        if table.days.limit:  # its people have plans and holidays there
            raise BridgeheadError("server:error.class_days", "table")
        if has_begun(table):
            raise BridgeheadError("server:error.class_begun", "table", who=", ".join(table.names))


def _expect_same_game(one: Table, other: Table) -> None:
    """Errors: BridgeheadError for tables of different games."""
    if one.game.spec.id != other.game.spec.id:
        raise BridgeheadError("server:error.class_other_game", "to", one=one.game.spec.title, other=other.game.spec.title)


class ClassSeats:
    """The seats of all tables, before the host of the server."""

    def __init__(self, manager: RoomManager, tournaments: Tournaments) -> None:
        self.manager, self.tournaments = manager, tournaments

    async def find_moved(self, table: str, token: str) -> str:
        """The table to which the host has moved whoever had a token at this one; "" for nobody. token: hashed."""
        store = self.manager.repository.store
        rows = [str(row[0]).split(":") for row in await asyncio.to_thread(store.read, WHERE, table)]
        return next((target for _, moved, target in rows if moved == token), "")

    async def close(self, key: str, name: str) -> None:
        """End the game of a table, which nobody wins; a table at which nobody ever sat is deleted.

        Errors: BridgeheadError, StorageError.
        """
        if await self._is_unused(name):
            await self.manager.erase(name, "bye.closed")
            return
        async with self._locked([name]) as (table,):
            for _ in range(TRIES):
                if f"{key}.end" in table.done:
                    return
                if table.actor == OVER or table.damage is not None:
                    raise BridgeheadError("server:error.class_over", "table")
                try:
                    for kind, stands in (("release", table.frozen_by_host), ("resume", table.paused)):
                        if stands:
                            await table.write(f"{key}.{kind}", NewEvent(kind, -1, by="host"))
                    await table.write(f"{key}.end", NewEvent("end", -1, bodies.MatchEnded(CLOSED, -1), "host"))
                except Conflict:
                    await table.refresh()
                    continue
                await self._show(table)
                return
        raise StorageError("server:error.too_much_said_once")

    async def _is_unused(self, name: str) -> bool:
        """Has nobody ever sat at a table, and is no seat there kept for anybody? Errors: BridgeheadError, StorageError."""
        table = await self._find(name)
        if table.occupied or table.attendance.seen or any(is_taken(table, seat) for seat in table.persons):
            return False
        return not await asyncio.to_thread(self.manager.repository.store.read, LINKED, name)

    async def swap(self, key: str, names: tuple[str, str], seats: tuple[int, int]) -> None:
        """Let those of two seats change places; one of them may be free. Errors: BridgeheadError, StorageError."""

        def choose(tables: Sequence[Table]) -> list[Swap]:
            one, other = tables[0], tables[-1]
            if max(seats[0] - len(one.seats), seats[1] - len(other.seats)) >= 0 or (one is other and seats[0] == seats[1]):
                raise BridgeheadError("server:error.class_same_place", "seat")
            if not (is_taken(one, seats[0]) or is_taken(other, seats[1])):
                raise BridgeheadError("server:error.class_nobody", "seat")
            places = Place(one, seats[0]), Place(other, seats[1])
            if any(place.guest.kind == "computer" for place in places):  # perhaps it does not play the other game
                _expect_same_game(one, other)
            return [places]

        await self._rearrange(key, names, choose)

    async def merge(self, key: str, names: tuple[str, str]) -> None:
        """Move all who sit at the first table to the second, and close the first if it is empty then. Errors: as `swap`."""

        def choose(tables: Sequence[Table]) -> list[Swap]:
            if len(tables) < 2:
                raise BridgeheadError("server:error.class_same_place", "to")
            one, other = tables
            _expect_same_game(one, other)
            movers = [Place(one, seat) for seat in range(len(one.seats)) if _has_come(one, seat)]
            free = [Place(other, seat) for seat in range(len(other.seats)) if not _has_come(other, seat)]
            if not movers:
                raise BridgeheadError("server:error.class_nobody", "table")
            if len(movers) > len(free):
                raise BridgeheadError("server:error.class_no_room", "to", need=len(movers), free=len(free))
            free.sort(key=lambda place: place.guest.kind == "computer")  # a computer stays where it can
            return list(zip(movers, free, strict=False))

        await self._rearrange(key, names, choose)
        table = await self._find(names[0])
        if not any(is_taken(table, seat) for seat in range(len(table.seats))):
            await self.close(key, names[0])

    async def _rearrange(self, key: str, names: Sequence[str], choose: Callable[[Sequence[Table]], list[Swap]]) -> None:
        """Store what is chosen, and show it at all tables. Errors: BridgeheadError, StorageError."""
        names = list(dict.fromkeys(names))
        clubs = {each: await self.tournaments.of_table(each) for each in names}
        club = clubs[names[0]]
        if {each.id if each else "" for each in clubs.values()} != {club.id if club else ""}:
            raise BridgeheadError("server:error.class_other_club", "to")
        async with self.tournaments.hold(club), self._locked(names) as tables:
            for _ in range(TRIES):
                if any(key in table.done for table in tables):
                    return
                try:
                    _expect_open(tables)
                    await self._store(key, tables, choose(tables), club)
                except Conflict:
                    for table in tables:
                        await table.refresh()
                    continue
                for table in tables:
                    await self._show(table)
                return
        raise StorageError("server:error.too_much_said_once")

    async def _store(self, key: str, tables: Sequence[Table], swaps: list[Swap], club: Tournament | None) -> None:
        """Store the changes of all tables at once. Errors: BridgeheadError, Conflict, StorageError."""
        statements: list[Statement] = []
        if club is not None:
            pairs = [((one.table.id, one.seat), (other.table.id, other.seat)) for one, other in swaps]
            statements += await self.tournaments.swap_statements(club, pairs)
        changes = {table.id: _proposal_events(table) for table in tables}
        given: dict[str, set[str]] = {table.id: set() for table in tables}  # names, by this act
        for one, other in swaps:
            for place, come in ((one, other), (other, one)):
                changes[place.table.id] += _seat_events(place, come, given[place.table.id])
                if come.table is not place.table and come.guest.token and is_taken(come.table, come.seat):
                    statements.append((MOVED, (f"m:{come.guest.token}:{place.table.id}", come.table.id, time.time())))
        events = {table.id: table.events_of(key, changes[table.id]) for table in tables}
        for table in tables:
            statements += insert_events(table.id, events[table.id])
        await self.manager.repository.store.write(*statements)
        for table in tables:
            await table.follow(events[table.id])
        if club is not None:
            await self.tournaments.follow_swap(club, [table.id for table in tables])

    async def _find(self, name: str) -> Table:
        table = await self.manager.repository.find(name) if name else None
        if table is None:
            raise BridgeheadError("server:error.class_no_table", "table")
        return table

    @contextlib.asynccontextmanager
    async def _locked(self, names: Sequence[str]) -> AsyncIterator[list[Table]]:
        """Tables that stay in memory, with their locks, which all take in the same order. Errors: BridgeheadError."""
        tables = [await self._find(name) for name in names]
        async with contextlib.AsyncExitStack() as stack:
            for table in sorted(tables, key=lambda each: each.id):
                self.manager.repository.come(table)
                stack.callback(self.manager.repository.go, table)
                await stack.enter_async_context(table.lock)
            yield tables

    async def _show(self, table: Table) -> None:
        if room := self.manager.rooms.get(table.id):
            await self.manager.updates.show_change(room, people=True)
        else:
            self.manager.peers.send(table.id, "news")


def _proposal_events(table: Table) -> list[NewEvent]:
    """The event that ends a proposal: those who made and could answer it may sit elsewhere."""
    open_ = table.proposals.last
    if open_ is None or open_.state != "open":
        return []
    return [NewEvent("lapse", open_.actor, bodies.ProposalClosed(open_.version), "host")]


def _seat_events(place: Place, come: Place, given: set[str]) -> list[NewEvent]:
    """The events that give a seat to whoever had another place. given: names that others have been given at this table."""
    guest, here = come.guest, place.guest
    others = [seat.name for i, seat in enumerate(place.table.seats) if i != place.seat]
    others = [name for name in others if come.table is not place.table or name != guest.name] + sorted(given)
    taken = is_taken(come.table, come.seat)
    own = guest.name == come.letter or not (taken or guest.kind == "computer")
    name = place.letter if own else distinct_name(guest.name, others)
    given.add(name)
    made: list[bodies.SeatEvent] = []
    if here.keeps or here.past or not taken:
        made.append(bodies.LinkRevoked())  # nobody may take the seat back
    if taken:
        made.append(bodies.SeatClaimed(name, token=guest.token))
        if place.table.body.awaits and guest.profile:
            made.append(bodies.ProfileAttached(guest.profile, ""))
    elif name != here.name:
        made.append(bodies.SeatNamed(name))
    if not taken:
        made.append(bodies.ComputerSeated(guest.level) if guest.kind == "computer" else bodies.SeatOpened())
    return [NewEvent("seat", place.seat, body, "host") for body in made]
