"""When computer players act: while somebody is at the table and it is their turn."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING

from bridgehead.core.spec import OVER
from bridgehead.players.levels import searches
from bridgehead.server.rooms import rule_errors
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables.table import Refused

if TYPE_CHECKING:
    from bridgehead.server.rooms.room import Room
    from bridgehead.server.rooms.room_manager import RoomManager

log = logging.getLogger("bridgehead")
AGAIN = 2.0  # seconds after which a computer's action that could not be stored is tried again


async def think(manager: RoomManager, room: Room) -> None:
    """Choose and play for computer seats until a person is to act; only one worker does so for a table."""
    try:
        if manager.others and not await manager.others.begin_thinking(room):
            return
        while room.table.computer() and room.connections:
            version, actor = room.table.version, room.table.actor
            choosing = asyncio.create_task(manager.bots.choose(room.table, _asker(room)))
            room.choosing = choosing, room.table.moved
            try:
                await asyncio.wait([choosing])
            finally:
                choosing.cancel()
            if choosing.cancelled():  # told to stop
                continue
            action, by = choosing.result()
            if not await _play(manager, room, actor, version, action, by):
                await asyncio.sleep(AGAIN)
    except Refused:
        pass  # the table holds no more
    except Exception:
        log.exception("a computer's turn failed", extra={"table": room.table.id})
    finally:
        room.thinking = None
        if manager.others:
            manager.others.has_thought(room)


def prepare(manager: RoomManager, room: Room) -> None:
    """Where a computer's seat searches, have its game compiled before it is to act; views tell that until it is done."""
    table, spec = room.table, room.table.game.spec
    if room.preparing is not None or not any(seat.kind == "computer" and searches(spec, seat.level) for seat in table.seats):
        return
    if table.actor == OVER or manager.bots.is_ready(table.game):
        return

    async def prepared() -> None:
        await asyncio.shield(manager.bots.prepare(table.game, _asker(room)))
        async with table.lock:
            room.preparing, table.preparing = None, False
            if table.computer():
                room.broadcast(News.PRESENCE)

    table.preparing = True
    room.preparing = asyncio.create_task(prepared())


def unsettle(room: Room) -> None:
    """Let a computer stop thinking of what is no longer: the table has moved on, pauses, or nobody is there any more."""
    if room.choosing is not None:
        choosing, moved = room.choosing
        if moved != room.table.moved or not room.table.computer() or not room.connections:
            choosing.cancel()
            room.choosing = None


def _asker(room: Room) -> str:
    """The address that a table's thinking is counted to."""
    return min((connection.address for connection in room.connections), default="")


async def _play(manager: RoomManager, room: Room, actor: int, version: int, action: int, by: str) -> bool:
    """Store and show a computer's action, unless the table has moved on; False if it could not be played or stored."""
    async with room.table.lock:
        moved = room.table.moved > version or room.table.paused
        if moved or not room.table.computer() or not room.connections:
            return True
        try:
            await room.table.act(frozenset([actor]), secrets.token_hex(16), version, action, by)
        except Conflict:
            await manager.refresh(room)
            return True
        except StorageError:
            log.exception("a computer's action could not be stored", extra={"table": room.table.id})
            return False
        except Refused:
            raise
        except Exception as error:
            await rule_errors.met(manager, room, error, rule_errors.Attempt("act", action, by), _asker(room))
            await rule_errors.settle(manager, room)
            return False
        await manager.changed(room)
        return True
