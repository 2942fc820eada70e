"""Sealed chance where nobody asks for it: new eras when seats change hands, draws that people make together, and the
patience of three seconds with those who do not answer."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from bridgehead.core.spec import OVER
from bridgehead.fairness import bgf1
from bridgehead.fairness.seals import Seals
from bridgehead.server.rooms import rule_errors
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables.event_bodies import ChanceDefault, ChanceRequest
from bridgehead.server.tables.sealing import Draft, new_era
from bridgehead.server.tables.sealing_view import is_own
from bridgehead.server.tables.table import Happening, Refused, Table

if TYPE_CHECKING:
    from bridgehead.server.rooms.room import Room
    from bridgehead.server.rooms.room_manager import RoomManager

log = logging.getLogger("bridgehead")


def tend(manager: RoomManager, room: Room) -> None:
    """Do what is due at a table, soon, if anything is. Holders of the lock."""
    if room.table.mistaken:
        return
    asked = _asked(room.table)
    if is_due(room.table, room.here):
        manager.start(_carefully(manager, room, _tend(manager, room)))
    elif asked is not None and room.asking != asked:
        room.asking = asked
        asyncio.get_running_loop().call_later(
            manager.limits.answer, lambda: manager.start(_carefully(manager, room, _give_up(manager, room, asked)))
        )


def is_due(table: Table, here: frozenset[int]) -> bool:
    """Is a new era to be sealed, or a draw to be asked for?"""
    seals = table.dealer
    if not isinstance(seals, Seals) or table.actor == OVER:
        return False
    return wants_era(table, seals, here) or _wants_draw(table, seals)


def wants_era(table: Table, seals: Seals, here: frozenset[int]) -> bool:
    """Has the last era come to its end, or sits somebody else where one sealed it, who can seal now?"""
    era = seals.eras[-1]
    changed = [seat for seat in range(len(era.heads)) if not is_own(table, era, seat)]
    if seals.pending is not None:  # somebody committed and went, or a computer took the place of a person
        return any(era.heads[seat] and not era.is_made(seat) or table.seats[seat].kind != "person" for seat in changed)
    return seals.running is None or any(table.seats[seat].kind != "person" or seat in here for seat in changed)


def _wants_draw(table: Table, seals: Seals) -> bool:
    """Is a draw of level 2 to be asked for?"""
    running = seals.running
    if running is None or running.level != 2 or running.asked or not table.match.position.is_chance:
        return False
    return table.match.chances >= seals.dealt


def contributors(table: Table, here: frozenset[int]) -> list[int]:
    """Whoever made the last decision, and the next seat after that which is here; those only that sealed for themselves."""
    assert isinstance(table.dealer, Seals)
    era = table.dealer.running
    assert era is not None
    last = next((entry.actor for entry in reversed(table.match.log) if entry.actor >= 0), 0)
    order = [(last + step) % len(era.heads) for step in range(len(era.heads))]
    able = [seat for seat in order if seat in era.own and era.last[seat].number < bgf1.CHAIN]
    return [seat for seat in able if seat in here and is_own(table, era, seat)][:2]


async def _tend(manager: RoomManager, room: Room) -> None:
    """A new era, or a draw that is asked for, if one is still due."""
    table, here = room.table, room.here
    seals = table.dealer
    if not is_due(table, here) or not isinstance(seals, Seals):
        return
    if wants_era(table, seals, here):
        happenings = await asyncio.to_thread(new_era, table)
    else:
        assert seals.running is not None
        draft = Draft(table)
        event = table.match.chances - seals.running.first
        gid = seals.running.game_id.hex()
        draft.add(-1, ChanceRequest(gid, event, contributors(table, here)))
        happenings = draft.finish()
    await _write(manager, room, happenings)


async def _give_up(manager: RoomManager, room: Room, asked: tuple[str, int]) -> None:
    """Those who were asked and have not answered are waited for no more, and everybody sees it."""
    table = room.table
    if manager.rooms.get(table.id) is not room or _asked(table) != asked:
        return
    draft = Draft(table)
    era = draft.seals.running
    for seat in era.asked.missing if era and era.asked else ():
        draft.add(seat, ChanceDefault(asked[0]))
    await _write(manager, room, draft.finish())


async def _carefully(manager: RoomManager, room: Room, work: Coroutine[Any, Any, None]) -> None:
    """Do what is due; where it goes wrong it is tried again, until the table pauses for it."""
    async with room.table.lock:
        try:
            await work
        except Exception as error:
            await rule_errors.met(manager, room, error, rule_errors.Attempt("chance"))
            await rule_errors.settle(manager, room)
            room.asking = None
            asyncio.get_running_loop().call_later(manager.limits.answer, _again, manager, room)


def _again(manager: RoomManager, room: Room) -> None:
    if manager.rooms.get(room.table.id) is room:
        tend(manager, room)


def _asked(table: Table) -> tuple[str, int] | None:
    """The draw for which links are waited for: game id and event."""
    era = table.dealer.running if isinstance(table.dealer, Seals) else None
    return None if era is None or era.asked is None else (era.game_id.hex(), era.asked.event)


async def _write(manager: RoomManager, room: Room, happenings: list[Happening]) -> None:
    try:
        await room.table.write(secrets.token_hex(16), *happenings)
    except Conflict:
        await manager.refresh(room)
    except (StorageError, Refused):
        log.exception("%s: what is sealed could not be stored", room.table.id)
    else:
        await manager.changed(room)
