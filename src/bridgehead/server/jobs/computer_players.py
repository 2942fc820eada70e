"""Computer players. They think in worker processes, never in the server's own."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence

from bridgehead.core import options as house
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.players.advice import Assessment, advise
from bridgehead.players.levels import searches
from bridgehead.players.subprocess_player import decide, prepare, prepare_request
from bridgehead.players.watching import LookBack
from bridgehead.server.jobs.worker_pool import SearchPool, WorkerPool

log = logging.getLogger("bridgehead")
COMPILING = 300.0  # seconds to compile a game for its levels, at most
PREPARED = 64  # games that are known to be ready


def _key(game: Game) -> tuple[str, str]:
    return game.spec.rules_id, house.canonical(game.options, concealed=True)


class ComputerPlayers:
    """Chooses actions for computer seats.

    pace: seconds from one decision to the next, at least, so that people can follow; thinkers: searches at the same time;
    hints: a worker for advice, so that no request for a hint delays a computer's turn. A worker that dies or hangs is
    replaced, and the request repeated once. After that, a random action keeps the game going. pool: the class of the workers.
    """

    def __init__(
        self, pace: float = 0.45, deadline: float = 20.0, workers: int = 1, thinkers: int = 0, pool: type[WorkerPool] = WorkerPool
    ) -> None:
        self.pace = pace
        self.workers = pool(workers, deadline)
        self.thinkers = SearchPool(thinkers or max(2, os.cpu_count() or 1), 2 * deadline, pool)  # for levels that search
        self.hints = SearchPool(1, 2 * deadline, pool)
        self.decide: Callable[..., int] = decide
        self._ready: dict[tuple[str, str], asyncio.Task[None]] = {}

    def is_ready(self, game: Game) -> bool:
        """Is the game ready for the levels that search?"""
        making = self._ready.get(_key(game))
        return making is not None and making.done()

    def prepare(self, game: Game, asker: str = "") -> asyncio.Task[None]:
        """Load or compile a game for its levels. Concurrent requests share this."""
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

    async def choose(
        self, position: Position, level: str, seed: str, asker: str = "", table: str = "", look_back: LookBack | None = None
    ) -> tuple[int, str]:
        """The action of the computer seat to act, and its chooser: the seat's level, or "fallback".

        seed: of the level's random choices; asker: the address of a page at the table, for the queue; table: for the log;
        look_back: gives the latest play. A worker receives only information that the seat may see: the text of the position,
        latest actions, and no hidden house rule (FLQ-17).
        """
        request = prepare_request(position, level, seed, look_back)
        pool: WorkerPool | SearchPool = self.thinkers if searches(position.game, level) else self.workers
        pause = asyncio.create_task(asyncio.sleep(self.pace))
        try:
            if pool is self.thinkers:
                await asyncio.shield(self.prepare(position.game, asker))
            for _ in range(2):
                try:
                    action: int = await pool.ask(self.decide, *request, asker=asker)
                    if action in position.legal:
                        await pause
                        return action, level
                    log.error("a level chose an illegal action", extra={"table": table, "level": level, "action": action})
                except Exception:
                    log.exception("a level failed", extra={"table": table, "level": level})
            return SeededDealer(seed).pick(position.legal, 0), "fallback"
        finally:
            pause.cancel()

    async def advise(
        self, game: Game, described: tuple[str, str, str], names: Sequence[str], language: str, seed: str, asker: str = ""
    ) -> Assessment:
        """A worker's hint for the seat to act. described: the position, by `describe_position`; names: of the seats.

        Cancelling this call ends the search. Errors: those of `advise`, WorkerLost.
        """
        await asyncio.shield(self.prepare(game, asker))
        return await self.hints.ask(advise, *described, names, language, seed, asker=asker)

    def start(self) -> None:
        self.workers.start()

    def stop(self) -> None:
        for making in self._ready.values():
            making.cancel()
        self.workers.stop()
        self.thinkers.stop()
        self.hints.stop()
