"""Errors in the rules of a game. Only the action that triggers one fails.

The server writes a report that reproduces the error, and reads the table's log again. After the third error the table
pauses.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import time
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core.spec import CHANCE
from bridgehead.core.version import __version__
from bridgehead.server import logging as server_logging
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.storage.event_log import Conflict, Event, StorageError
from bridgehead.server.tables.event_handlers import MISTAKE
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.table import NewEvent, Refused, Table

log = logging.getLogger("bridgehead")
ENOUGH = 3  # errors after which a table pauses
FILES = 50  # reports that are kept, the newest
# Fields of events that a replay needs; the others are about people and sealed chance.
NEEDED = {"back": ("to",), "end": ("how", "seat", "more")}


class Attempt(msgspec.Struct):
    """The server's attempt when the rules failed: a description, the action, and its chooser."""

    what: str
    action: int = -1
    by: str | UnsetType = UNSET


class RuleErrors:
    """Handles errors in rules. folder: one report per place in a table's log; None: no reports."""

    def __init__(self, repository: Repository, updates: Updates) -> None:
        self.repository, self.updates = repository, updates
        file = repository.store.file
        self.folder = file.parent / "mistakes" if file else None
        self._failures: WeakKeyDictionary[Table, int] = WeakKeyDictionary()  # since the last pause

    async def report(self, room: Room, error: BaseException, tried: Attempt, asker: str = "") -> None:
        """Write a report and read the table's log again. Needs the lock. Errors: none.

        asker: an address, for the queue.
        """
        table = room.table
        log.error("an action failed", exc_info=error, extra={"table": table.id, "event_number": table.version + 1})
        self._failures[table] = self._failures.get(table, 0) + 1
        await asyncio.to_thread(self._write, table, error, tried)
        try:
            await self.repository.renew(table, asker)
            if table.damage is not None:  # an event that is stored cannot be folded
                await self.updates.show_change(room, people=True)
        except Exception:  # the rules cannot replay the log either, so keep the state before the action
            log.exception("a table could not be read from its log again", extra={"table": table.id})

    async def pause(self, room: Room) -> None:
        """Pause a table after enough errors. Needs the lock. Errors: none."""
        if self._failures.get(room.table, 0) < ENOUGH or room.table.paused or room.table.damage is not None:
            return
        try:
            await room.table.write(secrets.token_hex(16), NewEvent("pause", CHANCE, by=MISTAKE))
        except Conflict:
            await self.updates.refresh(room)  # another event came first, so wait for the next error
            return
        except (StorageError, Refused):
            log.exception("a table could not be paused", extra={"table": room.table.id})
            return
        del self._failures[room.table]
        await self.updates.show_change(room, people=True)

    def _write(self, table: Table, error: BaseException, tried: Attempt) -> None:
        """Write a report; it replaces an earlier one for the same place. Errors: none."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError, StorageError):  # the server's log has the error anyway
            text = msgspec.json.format(msgspec.json.encode(describe_rule_error(table, error, tried)), indent=1)
            self.folder.mkdir(mode=0o700, exist_ok=True)
            file = self.folder / f"{table.id}-{table.version}.json"
            with os.fdopen(os.open(file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as out:
                out.write(text)
            for old in sorted(self.folder.glob("*.json"), key=lambda each: each.stat().st_mtime)[:-FILES]:
                old.unlink()


def describe_rule_error(table: Table, error: BaseException, tried: Attempt) -> dict[str, object]:
    """A report that reproduces an error. It holds no name, no token, and no secret of sealed chance.

    seed: the seed that deals, "" if chance is sealed (its draws are in the log); imported: the actions before the log; log:
    for each event its version, kind, actor, action, chooser, and the fields that a replay needs. Errors: StorageError.
    """
    body, (kind, places) = table.body, server_logging.describe_error(error)
    return {
        "bridgehead": __version__, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "error": kind, "at": places,
        "table": table.id, "game": body.game, "rules": body.rules, "options": body.options, "start": body.start,
        "seed": "" if body.level else body.seed, "version": table.version, "tried": tried,
        "imported": table.imported[: table.taken],
        "log": [_played(event) for event in table.stored_events()],
    }  # fmt: skip


def _played(event: Event) -> list[Any]:
    needed = NEEDED.get(event.kind, ())
    body = msgspec.json.decode(event.body) if needed and event.body else {}
    return [event.version, event.kind, event.actor, event.action, event.by, {name: body[name] for name in needed if name in body}]
