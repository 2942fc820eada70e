"""Tasks of sealed chance that no message starts: new eras after a change of seats, joint draws, and their timeouts."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from bridgehead.core.spec import OVER
from bridgehead.fairness import bgf2
from bridgehead.fairness.proof import last_decider
from bridgehead.fairness.seals import SealedEra, Seals
from bridgehead.server.rooms.room import Room, Tasks
from bridgehead.server.rooms.rule_errors import Attempt, RuleErrors
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables.event_bodies import LinksDefaulted, LinksRequested
from bridgehead.server.tables.sealing import Draft, new_era
from bridgehead.server.tables.sealing_view import is_own
from bridgehead.server.tables.table import NewEvent, Refused, Table

log = logging.getLogger("bridgehead")


class SealingTasks:
    """Starts steps of sealed chance when due. rooms: the tables with pages; patience: seconds that a page has to answer."""

    def __init__(self, rooms: Mapping[str, Room], patience: float, tasks: Tasks, updates: Updates, errors: RuleErrors) -> None:
        self.rooms, self.patience = rooms, patience
        self.tasks, self.updates, self.errors = tasks, updates, errors
        self._asking: WeakKeyDictionary[Room, tuple[str, int]] = WeakKeyDictionary()  # the draw whose timeout runs

    def follow(self, room: Room) -> None:
        """After a change: start the steps that are due at a table. Needs the lock."""
        if room.table.rules_failed or room.table.is_final or not isinstance(room.table.dealer, Seals):
            return
        asked = _asked(room.table)
        if is_due(room.table, room.here):
            self.tasks.start(self._carefully(room, self._store_due(room)))
        elif asked is not None and self._asking.get(room) != asked:
            self._asking[room] = asked
            self._later(lambda: self.tasks.start(self._carefully(room, self._give_up(room, asked))))

    def _later(self, work: Callable[[], object]) -> None:
        asyncio.get_running_loop().call_later(self.patience, work)

    async def _store_due(self, room: Room) -> None:
        """Seal a new era, or ask for a draw, if that is still due."""
        table, here = room.table, room.here
        seals = table.dealer
        if not is_due(table, here) or not isinstance(seals, Seals):
            return
        if wants_era(table, seals, here):
            events = await asyncio.to_thread(new_era, table)
        else:
            draft = Draft(table)
            if seals.running_era is not None and _wants_draw(table, seals):
                _ask(draft, seals.running_era)
            events = draft.finish()
        await self._write(room, events)

    async def _give_up(self, room: Room, asked: tuple[str, int]) -> None:
        """Deal without the pages that have not answered, and note it in the log."""
        table = room.table
        if self.rooms.get(table.id) is not room or _asked(table) != asked:
            return
        draft = Draft(table)
        era = draft.seals.running_era
        if era is None or era.asked is None:
            return
        for seat in era.asked.missing:
            draft.add(seat, LinksDefaulted(era.game_id.hex(), era.number))
        await self._write(room, draft.finish())

    async def _carefully(self, room: Room, work: Coroutine[Any, Any, None]) -> None:
        """Do some work under the table's lock. If the rules fail it is tried again, until the table pauses."""
        async with room.table.lock:
            try:
                await work
            except Exception as error:
                await self.errors.report(room, error, Attempt("chance"))
                await self.errors.pause(room)
                self._asking.pop(room, None)
                self._later(partial(self._again, room))

    def _again(self, room: Room) -> None:
        if self.rooms.get(room.table.id) is room:
            self.follow(room)

    async def _write(self, room: Room, events: list[NewEvent]) -> None:
        try:
            await room.table.write(secrets.token_hex(16), *events)
        except Conflict:
            await self.updates.refresh(room)
        except (StorageError, Refused):
            log.exception("sealed chance could not be stored", extra={"table": room.table.id})
        else:
            await self.updates.show_change(room)


def is_due(table: Table, here: frozenset[int]) -> bool:
    """Is a new era, its freeze, or a joint draw due?"""
    seals = table.dealer
    if not isinstance(seals, Seals) or table.actor == OVER:
        return False
    return wants_era(table, seals, here) or _wants_draw(table, seals) or (seals.pending is not None and Draft(table).is_ready())


def wants_era(table: Table, seals: Seals, here: frozenset[int]) -> bool:
    """Has the last era ended, or can the new holder of a changed seat seal now?"""
    era = seals.eras[-1]
    if not era.number:  # BGF1, of an older release
        return True
    changed = [seat for seat in range(len(era.heads)) if not is_own(table, era, seat)]
    if seals.pending is not None:  # a seat committed and left, or a computer took it over
        return any(era.heads[seat] and not era.is_made(seat) or table.seats[seat].kind != "person" for seat in changed)
    return seals.running_era is None or any(table.seats[seat].kind != "person" or seat in here for seat in changed)


def _wants_draw(table: Table, seals: Seals) -> bool:
    """Is a joint draw (level 2) due?"""
    running = seals.running_era
    if running is None or running.level != 2 or running.asked or not running.is_complete:
        return False
    if not table.match.position.is_chance:
        return False
    return table.match.chances >= seals.dealt


def _ask(draft: Draft, era: SealedEra) -> None:
    """Ask the contributors of a draw for their links. A seat that changed hands cannot answer: a default leaves it out."""
    table, gid = draft.table, era.game_id.hex()
    seats = bgf2.contributors(draft.seals.terms(era), last_decider(table.match.log))
    draft.add(-1, LinksRequested(gid, table.match.chances - era.first, list(seats), era.number))
    for seat in seats:
        if not is_own(table, era, seat):
            draft.add(seat, LinksDefaulted(gid, era.number))


def _asked(table: Table) -> tuple[str, int] | None:
    """The draw that waits for links: era and event."""
    era = table.dealer.running_era if isinstance(table.dealer, Seals) else None
    return None if era is None or era.asked is None else (era.id, era.asked.event)
