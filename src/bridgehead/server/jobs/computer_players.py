"""Computer players think in processes of their own, never in the server."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import Callable

from bridgehead.core import options as house
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.players.levels import searches
from bridgehead.players.subprocess_player import decide, described, prepare
from bridgehead.server.jobs.worker_pool import Workers
from bridgehead.server.tables.table import Table

log = logging.getLogger("bridgehead")
COMPILING = 300.0  # seconds in which a game has to be compiled for its levels
PREPARED = 64  # games of which it is known that they are


def _key(game: Game) -> tuple[str, str]:
    return game.spec.id, house.canonical(game.options, concealed=True)


class Bots:
    """Answers for computer seats.

    pace: least seconds from one decision to the next, so that people can follow; thinkers: how many search at once. A worker
    that dies or hangs is replaced and asked again once; after that an action is drawn by lot, so that nobody waits for ever.
    """

    def __init__(self, pace: float = 0.45, deadline: float = 20.0, workers: int = 1, thinkers: int = 0) -> None:
        self.pace = pace
        self.workers = Workers(workers, deadline)
        self.thinkers = Workers(thinkers or max(2, os.cpu_count() or 1), 2 * deadline, compiled=True)  # those that search
        self.decide: Callable[..., int] = decide
        self._ready: dict[tuple[str, str], asyncio.Task[None]] = {}

    def is_ready(self, game: Game) -> bool:
        """Can levels that search play this game at once, or must it be compiled first?"""
        making = self._ready.get(_key(game))
        return making is not None and making.done()

    def prepare(self, game: Game, asker: str = "") -> asyncio.Task[None]:
        """Have what levels of this game need compiled, unless it is; the same for all who ask."""
        key = _key(game)
        if key not in self._ready:
            if len(self._ready) >= PREPARED:
                del self._ready[next(iter(self._ready))]
            self._ready[key] = asyncio.create_task(self._prepare(key, asker))
        return self._ready[key]

    async def _prepare(self, key: tuple[str, str], asker: str) -> None:
        try:
            await self.thinkers.ask(prepare, *key, asker=asker, patience=COMPILING)
        except BridgeheadError:
            log.exception("%s could not be prepared for its levels", key[0])

    async def choose(self, table: Table, asker: str = "") -> tuple[int, str]:
        """The action of the computer seat that is to act, and who chose it: its level, or "fallback".

        asker: the address of somebody who looks on, for `Turns`.
        What the worker is given is the seat's view: the text of the position, and no house rule that is hidden (FLQ-17).
        """
        position, level = table.match.position, table.computer()
        seed = hashlib.sha256(f"{table.body.seed}:{table.version}".encode()).hexdigest()  # it says nothing of the dice
        request = (*described(position), level, seed)
        crew = self.thinkers if searches(table.game.spec, level) else self.workers
        pause = asyncio.create_task(asyncio.sleep(self.pace))
        try:
            if crew is self.thinkers:
                await asyncio.shield(self.prepare(table.game, asker))
            for _ in range(2):
                try:
                    action = await crew.ask(self.decide, *request, asker=asker)
                    if action in position.legal:
                        await pause
                        return action, level
                    told = {"table": table.id, "level": level, "action": action}
                    log.error("a level chose what is not legal", extra=told)
                except Exception:
                    log.exception("a level failed", extra={"table": table.id, "level": level})
            return SeededDealer(seed).pick(position.legal, 0), "fallback"
        finally:
            pause.cancel()

    def start(self) -> None:
        self.workers.start()

    def stop(self) -> None:
        for making in self._ready.values():
            making.cancel()
        self.workers.stop()
        self.thinkers.stop()
