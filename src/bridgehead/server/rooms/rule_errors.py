"""A mistake in the rules of a game costs the action that met it, and nothing else.

It is written down with all that it takes to meet it again, the table is read from its log anew, and the third time the
table pauses, so that people are told instead of trying for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead import __version__
from bridgehead.core.spec import CHANCE
from bridgehead.server import logging as server_logging
from bridgehead.server.storage.event_log import Conflict, Event, StorageError
from bridgehead.server.tables.event_handlers import MISTAKE
from bridgehead.server.tables.table import Happening, Refused, Table

if TYPE_CHECKING:
    from bridgehead.server.rooms.room import Room
    from bridgehead.server.rooms.room_manager import RoomManager

log = logging.getLogger("bridgehead")
ENOUGH = 3  # mistakes after which a table pauses
FILES = 50  # that are kept, the newest
# What the log's events have in their bodies that it takes to play them again; the rest is about people and seals.
NEEDED = {"back": ("to",), "end": ("how", "seat")}


class Attempt(msgspec.Struct):
    """What the server tried when the rules failed, in its own words, and the action."""

    what: str
    action: int = -1
    by: str | UnsetType = UNSET


class Mistakes:
    """What went wrong, a file each. folder: where they are kept; None: nowhere."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def keep(self, table: Table, error: BaseException, tried: Attempt) -> None:
        """Write down a mistake: another one at the same place takes the place of the first. Takes a while; errors: none."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError, StorageError):  # what is not written down is in the log all the same
            text = msgspec.json.format(msgspec.json.encode(described(table, error, tried)), indent=1)
            self.folder.mkdir(mode=0o700, exist_ok=True)
            file = self.folder / f"{table.id}-{table.version}.json"
            with os.fdopen(os.open(file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as out:
                out.write(text)
            for old in sorted(self.folder.glob("*.json"), key=lambda each: each.stat().st_mtime)[:-FILES]:
                old.unlink()


def described(table: Table, error: BaseException, tried: Attempt) -> dict[str, object]:
    """All that it takes to meet a mistake again, field by field: no name, no token, and nothing that sealed chance is made of.

    seed: what chance is dealt by, "" where it is sealed (its draws are in the log); log: version, kind, actor, action, who
    chose, and what else is needed to play it again. Errors: StorageError.
    """
    body, (kind, places) = table.body, server_logging.told_of(error)
    return {
        "bridgehead": __version__, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "error": kind, "at": places,
        "table": table.id, "game": body.game, "rules": body.rules, "options": body.options, "start": body.start,
        "seed": "" if body.level else body.seed, "version": table.version, "tried": tried,
        "log": [_played(event) for event in table.store.events(table.id) if event.version <= table.version],
    }  # fmt: skip


def _played(event: Event) -> list[Any]:
    needed = NEEDED.get(event.kind, ())
    told = msgspec.json.decode(event.body) if needed and event.body else {}
    return [event.version, event.kind, event.actor, event.action, event.by, {name: told[name] for name in needed}]


async def met(manager: RoomManager, room: Room, error: BaseException, tried: Attempt, asker: str = "") -> None:
    """Something went wrong at a table that should never go wrong. Holders of the lock only; errors: none.

    tried: what was being done, in our own words and numbers; asker: an address, for `Turns`.
    """
    table = room.table
    log.error("an action failed", exc_info=error, extra={"table": table.id, "event_number": table.version + 1})
    table.mistakes += 1
    await asyncio.to_thread(manager.mistakes.keep, table, error, tried)
    try:
        await manager.tables.renew(table, asker)
    except Exception:  # the rules cannot even play what is in the log: what is in memory was whole before this
        log.exception("a table could not be read from its log again", extra={"table": table.id})


async def settle(manager: RoomManager, room: Room) -> None:
    """Pause a table at which enough has gone wrong: the log says so, and everybody is told. As `met`."""
    if room.table.mistakes < ENOUGH or room.table.paused:
        return
    try:
        await room.table.write(secrets.token_hex(16), Happening("pause", CHANCE, by=MISTAKE))
    except Conflict:
        await manager.refresh(room)  # something else has happened there: the next mistake is the third again
        return
    except (StorageError, Refused):
        log.exception("a table could not be paused", extra={"table": room.table.id})
        return
    room.table.mistakes = 0
    await manager.changed(room, people=True)
