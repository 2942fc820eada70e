"""Processes for whatever takes long, so that nobody at a table ever waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple, TypeVar

from bridgehead.core import law, link, registry
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.players import process_pool, subprocess_player
from bridgehead.players.subprocess_player import born
from bridgehead.server.messages.client import HouseRules
from bridgehead.server.rooms import views
from bridgehead.server.tables import record_notes
from bridgehead.server.tables.sanitize import clean

T = TypeVar("T")
MEMORY = 2 << 30  # bytes of data that one worker may hold
GZIP = 31  # zlib's number for a gzip file


class Beginning(NamedTuple):
    """How a match begins: its game and house rules, its first position ("" for the usual one), its first actions."""

    game: str
    options: HouseRules
    start: str = ""
    actions: tuple[int, ...] = ()


class WorkerLost(BridgeheadError):
    """The worker died, took too long or too much memory; it has been replaced."""


class Turns:
    """Who may do much work next: each asker stands in a line of its own, so that many wishes of one delay another's by
    one at most. count: how many work at once."""

    def __init__(self, count: int) -> None:
        self._free = asyncio.Semaphore(count)
        self._lines: dict[str, asyncio.Lock] = {}
        self._standing: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def of(self, asker: str) -> AsyncIterator[None]:
        """Wait for this asker's turn, and have it."""
        self._standing[asker] += 1
        try:
            async with self._lines.setdefault(asker, asyncio.Lock()), self._free:
                yield
        finally:
            self._standing[asker] -= 1
            if not self._standing[asker]:
                del self._standing[asker], self._lines[asker]


class Workers:
    """Processes that answer one request each at a time.

    deadline: seconds for one request; then its process is replaced, and no other. compiled: whether rules are compiled in
    them, as searches need; those that compile stand back behind everybody else on the machine.
    """

    def __init__(self, count: int, deadline: float, compiled: bool = False) -> None:
        self.deadline = deadline
        self._compiled = compiled
        self._turns = Turns(count)
        self._pools: list[ProcessPoolExecutor | None] = [None] * count
        self._free = list(reversed(range(count)))  # places; the one that was left last is taken first
        self._stops = multiprocessing.get_context("spawn").RawArray("q", count) if compiled else None
        self._asked = 0

    def start(self) -> None:
        """Start a worker before anybody needs it, unless there is one."""
        if not self.processes:
            with born(self._compiled):
                self._ready(0).submit(_view_cache)

    async def ask(self, function: Callable[..., T], *request: Any, asker: str = "", patience: float = 0.0) -> T:
        """What the function answers, in a worker. Errors: WorkerLost; those of the function.

        asker: an address, or whoever else asks, for `Turns`. patience: seconds for this one, in place of the deadline. Who is
        cancelled while he waits here tells the worker to stop (`apart.stop`).
        """
        async with self._turns.of(asker):
            place = self._free.pop()
            try:
                return await self._answer(place, patience or self.deadline, function, request)
            finally:
                self._free.append(place)

    async def _answer(self, place: int, seconds: float, function: Callable[..., T], request: tuple[Any, ...]) -> T:
        pool = self._ready(place)
        self._asked += 1
        number = self._asked
        try:
            with born(self._compiled):
                answer = pool.submit(subprocess_player.work, place, number, function, *request)
            return await asyncio.wait_for(asyncio.wrap_future(answer), seconds)
        except asyncio.CancelledError:
            if self._stops is not None:
                self._stops[place] = number
            raise
        except (BrokenProcessPool, TimeoutError, MemoryError) as error:
            self._replace(place, pool)
            raise WorkerLost(f"a worker was lost: {error or 'it took too long'}") from None

    def stop(self) -> None:
        """End the workers; none is left behind."""
        for place, pool in enumerate(self._pools):
            self._replace(place, pool)

    @property
    def processes(self) -> list[Any]:
        """The workers that live now."""
        return [each for pool in self._pools if pool is not None for each in (pool._processes or {}).values()]

    def _ready(self, place: int) -> ProcessPoolExecutor:
        found = self._pools[place]
        if found is None:
            found = process_pool.processes(1, _quiet, self._stops)
            self._pools[place] = found
        return found

    def _replace(self, place: int, pool: ProcessPoolExecutor | None) -> None:
        if pool is None or pool is not self._pools[place]:
            return
        processes, self._pools[place] = list((pool._processes or {}).values()), None
        pool.shutdown(wait=False)
        for process in processes:
            process.kill()


async def end(tasks: Iterable[asyncio.Task[None] | None], workers: Workers) -> None:
    """Leave off what is under way, and end the workers that did it."""
    under_way = [task for task in tasks if task is not None]
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    workers.stop()


def film(text: str, language: str, longest: int) -> bytes:
    """In the worker: the frames of a record or of a link, compressed by gzip. Errors: as `_opened`."""
    match, names = _opened(text, longest)
    press = zlib.compressobj(4, wbits=GZIP)
    shown = [clean(name) for name in names]
    return b"".join([press.compress(part) for part in views.frames(match, shown, language, record_notes.told)]) + press.flush()


def beginning(text: str, at: int | None, longest: int) -> Beginning:
    """In the worker: the first `at` actions of a record or of a link, all of them if None.

    Errors: as `_opened`; BridgeheadError where there is no such place in it, or nothing is left to be played there.
    """
    match, _ = _opened(text, longest)
    at = len(match.log) if at is None else at
    if at > len(match.log):
        raise BridgeheadError(f"there are {len(match.log)} actions, so none can follow action {at}", "at")
    if match.positions[at].is_over:
        raise BridgeheadError("the game is over there: go back a step to play on", "at")
    first, game = match.positions[0], match.game
    start = "" if first == game.start() else first.text
    return Beginning(game.spec.id, house.differences(game.options), start, match.actions[:at])


def _opened(text: str, longest: int) -> tuple[Match, list[str]]:
    """A match that somebody sent in. Errors: RecordError, BridgeheadError for more than `longest` actions."""
    match, names = link.read(text)
    if len(match.log) > longest:
        raise BridgeheadError(f"this record has {len(match.log)} actions; at most {longest} can be shown")
    return match, names


def law_of(name: str, options: str) -> bytes:
    """In the worker: the law of a game, as a parcel. Errors: those of building a game."""
    return law.parcel(registry.game(name, **json.loads(options)).law)


def _quiet(stops: Any) -> None:
    """In the worker: stay behind the server, and within memory."""
    subprocess_player.hear(stops)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        os.nice(5 if stops is None else 10)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _view_cache() -> None:
    registry.specs()
