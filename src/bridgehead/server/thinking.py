"""When computer players act: while somebody is at the table and it is their turn."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING

from bridgehead.server.ledger import Conflict, StorageError
from bridgehead.server.table import Refused

if TYPE_CHECKING:
    from bridgehead.server.hall import Hall
    from bridgehead.server.rooms import Room

log = logging.getLogger("bridgehead")
AGAIN = 2.0  # seconds after which a computer's action that could not be stored is tried again


async def think(hall: Hall, room: Room) -> None:
    """Choose and play for computer seats until a person is to act; only one worker does so for a table."""
    try:
        if hall.others and not await hall.others.may_think(room):
            return
        while room.table.computer() and room.connections:
            version, actor = room.table.version, room.table.actor
            action, by = await hall.bots.choose(room.table, min(connection.address for connection in room.connections))
            if not await _play(hall, room, actor, version, action, by):
                await asyncio.sleep(AGAIN)
    except Refused:
        pass  # the table holds no more
    except Exception:
        log.exception("a computer's turn failed", extra={"table": room.table.id})
    finally:
        room.thinking = None
        if hall.others:
            hall.others.has_thought(room)


async def _play(hall: Hall, room: Room, actor: int, version: int, action: int, by: str) -> bool:
    """Store and show a computer's action, unless the table has moved on; False if it could not be stored."""
    async with room.table.lock:
        moved = room.table.moved > version or room.table.paused
        if moved or not room.table.computer() or not room.connections:
            return True
        try:
            await room.table.act(frozenset([actor]), secrets.token_hex(16), version, action, by)
        except Conflict:
            await hall.refresh(room)
            return True
        except StorageError:
            log.exception("a computer's action could not be stored", extra={"table": room.table.id})
            return False
        await hall.changed(room)
        return True
