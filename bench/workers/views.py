"""Encodes views of one game: `views.py GAME [DIGEST]`. With DIGEST, prints the SHA-256 of all their bytes instead.

The same game is played at random by the same seed every time, so two versions of the server encode the same views.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from loop import serve

from bridgehead.core import registry
from bridgehead.server.connections.connection import Viewer
from bridgehead.server.rooms import views
from bridgehead.server.rooms.views import News, TableText
from bridgehead.server.tables.stored_seats import Seat, StoredTable
from bridgehead.server.tables.table import Table

ACTIONS = 40
VIEWERS = [Viewer("en", frozenset([0])), Viewer("de", frozenset([0, 1])), Viewer("en", frozenset(), brief=True)]


async def _store(*_: object) -> None:
    """Store nothing."""


class Encoder:
    """A table of the game in the middle of a match, and narrators that have every sentence ready."""

    def __init__(self, name: str) -> None:
        game = registry.game(name)
        seats = [Seat("person", "", f"Player {index}") for index in range(game.seats)]
        store: Any = SimpleNamespace(append=_store, shown="")
        self.table = Table("BENCH", StoredTable(name, game.spec.version, {}, seats, "7"), game, store, bytes(32))
        self.table.attendance.here = frozenset(range(game.seats))
        self.narrators = {language: TableText(self.table.match, self.table.names, language) for language in ("en", "de")}
        self.lot = random.Random(7)
        self.shown: dict[Viewer, Any] = {}

    def play(self) -> bool:
        """Play one action; False when the match is over."""
        table = self.table
        if table.actor == -1:
            table.match.deal(table.dealer)
        if table.actor < 0:
            return False
        everybody, action = frozenset(range(len(table.seats))), self.lot.choice(table.match.position.legal)
        asyncio.run(table.act(everybody, secrets.token_hex(16), table.version, action))
        return True

    def encode(self) -> list[bytes]:
        """Every viewer's whole view and view of the last change."""
        made = []
        for viewer in VIEWERS:
            narrator = self.narrators[viewer.language]
            here = self.table.attendance.here
            made.append(views.view(self.table, narrator, viewer, here, News.FRESH))
            made.append(views.view(self.table, narrator, viewer, here, News.CHANGE, self.shown.get(viewer)))
        return made

    def keep(self) -> None:
        """Remember what each viewer's screen shows."""
        for viewer in VIEWERS:
            self.shown[viewer] = self.narrators[viewer.language].present_snapshot.things

    def __call__(self) -> tuple[int, int]:
        return len(self.encode()), 1


def digest(encoder: Encoder) -> str:
    """The SHA-256 of all views of the match's first actions."""
    found = hashlib.sha256()
    for _ in range(4 * ACTIONS):
        encoder.keep()
        if not encoder.play():
            break
        for view in encoder.encode():
            found.update(view + b"\n")
    return found.hexdigest()


def begun(name: str) -> Callable[[], tuple[int, int]]:
    """An encoder some actions into a match."""
    encoder = Encoder(name)
    for _ in range(ACTIONS):
        encoder.keep()
        encoder.play()
    encoder.encode()
    return encoder


if __name__ == "__main__":
    if "DIGEST" in sys.argv[2:]:
        print(digest(Encoder(sys.argv[1])))
    else:
        serve(begun(sys.argv[1]))
