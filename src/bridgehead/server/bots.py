"""Computer players think in processes of their own, never in the server; so does whatever else takes long."""

from __future__ import annotations

import asyncio
import functools
import gzip
import json
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from bridgehead.core import record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.players import player
from bridgehead.server import views
from bridgehead.server.tables import Table

log = logging.getLogger("bridgehead")
T = TypeVar("T")


class WorkerLost(BridgeheadError):
    """The worker died or took too long; it has been replaced."""


class Workers:
    """Processes that answer one request each at a time. deadline: seconds for one request; then they are replaced."""

    def __init__(self, count: int, deadline: float) -> None:
        self.deadline = deadline
        self._count = count
        self._free = asyncio.Semaphore(count)
        self._pool: ProcessPoolExecutor | None = None

    def start(self) -> None:
        """Start a worker before anybody needs it."""
        self._ready().submit(_warm)

    async def ask(self, function: Callable[..., T], *request: Any) -> T:
        """What the function answers, in a worker. Errors: WorkerLost; those of the function."""
        async with self._free:
            pool = self._ready()
            try:
                return await asyncio.wait_for(asyncio.wrap_future(pool.submit(function, *request)), self.deadline)
            except (BrokenProcessPool, TimeoutError) as error:
                self._replace(pool)
                raise WorkerLost(f"a worker was lost: {error or 'it took too long'}") from None

    def stop(self) -> None:
        """End the workers; none is left behind."""
        self._replace(self._pool)

    @property
    def processes(self) -> list[Any]:
        """The workers that live now."""
        return [] if self._pool is None else list((self._pool._processes or {}).values())

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._count, mp_context=spawn, initializer=_quiet)
        return self._pool

    def _replace(self, pool: ProcessPoolExecutor | None) -> None:
        if pool is None or pool is not self._pool:
            return
        processes, self._pool = self.processes, None
        pool.shutdown(wait=False)
        for process in processes:
            process.kill()


class Bots:
    """Answers for computer seats.

    pace: least seconds from one decision to the next, so that people can follow. A worker that dies or hangs is
    replaced and asked again once; after that an action is drawn by lot, so that nobody waits for ever.
    """

    def __init__(self, pace: float = 0.45, deadline: float = 20.0, workers: int = 1) -> None:
        self.pace = pace
        self.workers = Workers(workers, deadline)
        self.decide: Callable[..., int] = decide

    async def choose(self, table: Table) -> tuple[int, str]:
        """The action of the computer seat that is to act, and who chose it: its level, or "fallback".

        What the worker is given is the seat's view: the text of the position.
        """
        position, level = table.match.position, table.computer()
        seed = f"{table.body.seed}:{table.version}"
        request = (table.game.spec.id, json.dumps(table.game.differences), position.text, level, seed)
        pause = asyncio.create_task(asyncio.sleep(self.pace))
        try:
            for _ in range(2):
                try:
                    action = await self.workers.ask(self.decide, *request)
                    if action in position.legal:
                        await pause
                        return action, level
                    log.error("%s: level %s chose %r, which is not legal", table.id, level, action)
                except Exception:
                    log.exception("%s: level %s failed", table.id, level)
            return SeededDealer(seed).pick(position.legal, 0), "fallback"
        finally:
            pause.cancel()

    def start(self) -> None:
        self.workers.start()

    def stop(self) -> None:
        self.workers.stop()


def decide(name: str, options: str, text: str, level: str, seed: str) -> int:
    """In the worker: the action a level chooses in a position given as text."""
    return player(level, seed).choose(_game(name, options).load(text))


def film(text: str, language: str) -> bytes:
    """In the worker: the frames of a record, compressed by gzip. Errors: RecordError."""
    match, names = record.load(text)
    return gzip.compress(views.frames(match, names, language), 4, mtime=0)


@functools.lru_cache(64)
def _game(name: str, options: str) -> Game:
    values: dict[str, Any] = json.loads(options)
    return registry.game(name, **values)


def _quiet() -> None:
    """In the worker: leave Ctrl-C to the server, and end when the server does, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _warm() -> None:
    registry.specs()
