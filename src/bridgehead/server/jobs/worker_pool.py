"""Worker processes for long computations, so that the server's loop never waits for one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import phrase
from bridgehead.players import process_pool, subprocess_player
from bridgehead.players.engine import use_modules
from bridgehead.players.subprocess_player import jit_mode, searches_here
from bridgehead.server.jobs.memory_protection import deny_new_code

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")
U = TypeVar("U")
log = logging.getLogger("bridgehead")
MEMORY = 2 << 30  # bytes of data that one worker may hold
CHOSEN = 1000  # games of which it is known where they are searched
MOMENT = 0.1  # seconds between two looks at a request that is late
LOSSES = 3  # workers that a study may lose one after the other, without a step in between


class WorkerLost(BridgeheadError):
    """A worker died, took too long or used too much memory. It has been replaced."""


async def in_thread(work: Callable[..., T], *given: Any) -> T:
    """Call a function in a thread. Errors: those of the function, or RuntimeError in place of one that a future cannot carry.

    The call ends however the function ends, so whoever waits for it can always give back a turn.
    """
    return await asyncio.to_thread(_carried, work, *given)


def _carried(work: Callable[..., T], *given: Any) -> T:
    try:
        return work(*given)
    except StopIteration as error:
        raise RuntimeError("an iterator was empty") from error
    except Exception:
        raise
    except BaseException as error:
        raise RuntimeError("a thread was told to end") from error


class FairQueue:
    """A semaphore with one queue per asker, so many requests of one asker delay another's by one request at most.

    count: how many may work at once.
    """

    def __init__(self, count: int) -> None:
        self._free = asyncio.Semaphore(count)
        self._queues: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def take_turn(self, asker: str) -> AsyncIterator[None]:
        """Wait for this asker's turn, and take it."""
        self._waiting[asker] += 1
        try:
            async with self._queues.setdefault(asker, asyncio.Lock()), self._free:
                yield
        finally:
            self._waiting[asker] -= 1
            if not self._waiting[asker]:
                del self._waiting[asker], self._queues[asker]

    async def run_in_turn(self, asker: str, work: Callable[..., T], *given: Any) -> T:
        """Call a function in a thread when it is this asker's turn. Errors: those of `in_thread`."""
        async with self.take_turn(asker):
            return await in_thread(work, *given)


class WorkerPool:
    """Processes, each of which answers one request at a time.

    deadline: seconds for one request; after that its process is replaced. Where Linux tells it, the time for which a process is
    ready and other programs have the processor does not count: on a busy machine a worker is slow, not lost. searches: the
    workers search by the modules of the package; compiled: they search with compiled rules; both run at a lower priority.
    worked: called after each request with its asker and its processor time in seconds.
    """

    def __init__(self, count: int, deadline: float, compiled: bool = False, searches: bool = False) -> None:
        self.deadline = deadline
        self._compiled = compiled
        self._turns = FairQueue(count)
        self._pools: list[ProcessPoolExecutor | None] = [None] * count
        self._free = list(reversed(range(count)))  # last freed, first used: few processes stay in use
        self._stops = process_pool.numbers(count) if compiled or searches else None
        self._asked = 0
        self.worked: Callable[[str, float], None] = _unpaid

    def start(self) -> None:
        """Start a worker before it is needed, unless one runs already."""
        if not self.processes:
            with jit_mode(self._compiled):
                self._ready(0).submit(_load_games)

    async def ask(self, function: Callable[..., T], *request: Any, asker: str = "", patience: float = 0.0) -> T:
        """Call a function in a worker. Errors: WorkerLost; those of the function.

        asker: an address, or another name, for `FairQueue`. patience: seconds for this request, in place of the deadline.
        Cancelling this call makes the worker stop its search.
        """
        async with self._turns.take_turn(asker):
            place = self._free.pop()
            try:
                answer, seconds = await self._answer(place, patience or self.deadline, function, request)
                self.worked(asker, seconds)
                return answer
            except WorkerLost:
                self.worked(asker, patience or self.deadline)
                raise
            except Exception as error:
                self.worked(asker, getattr(error, subprocess_player.SECONDS, 0.0))
                raise
            finally:
                self._free.append(place)

    async def _answer(self, place: int, seconds: float, function: Callable[..., T], request: tuple[Any, ...]) -> tuple[T, float]:
        pool = self._ready(place)
        self._asked += 1
        number = self._asked
        try:
            with jit_mode(self._compiled):
                answer = asyncio.wrap_future(pool.submit(subprocess_player.work, place, number, function, *request))
            return await self._within(seconds, pool, answer)
        except asyncio.CancelledError:
            answer.cancel()
            if self._stops is not None:
                self._stops[place] = number
            raise
        except (BrokenExecutor, TimeoutError, MemoryError) as error:
            self._replace(place, pool)
            raise WorkerLost("server:error.worker_was_lost", error=error if str(error) else phrase("server:error.slow")) from None

    async def _within(self, seconds: float, pool: ProcessPoolExecutor, answer: asyncio.Future[U]) -> U:
        """An answer after so many seconds at most, less those for which the worker could have run and other programs did."""
        begun, before, left = time.monotonic(), _kept_waiting(pool), seconds
        while left > 0:
            done, _waiting = await asyncio.wait({answer}, timeout=max(left, MOMENT))
            if done:
                return answer.result()
            left = seconds - (time.monotonic() - begun) + _kept_waiting(pool) - before
        raise TimeoutError

    def stop(self) -> None:
        """End all workers."""
        for place, pool in enumerate(self._pools):
            self._replace(place, pool)

    @property
    def processes(self) -> list[Any]:
        """The workers that are alive."""
        return [each for pool in self._pools if pool is not None for each in (pool._processes or {}).values()]

    def _ready(self, place: int) -> ProcessPoolExecutor:
        found = self._pools[place]
        if found is None:
            found = process_pool.processes(1, _set_up, self._stops)
            self._pools[place] = found
        return found

    def _replace(self, place: int, pool: ProcessPoolExecutor | None) -> None:
        if pool is None or pool is not self._pools[place]:
            return
        self._pools[place] = None
        process_pool.end(pool)


class SearchPool:
    """Workers that search. Those of `light` need no compiler; games without a module go to those of `compiled`.

    The other arguments are those of `WorkerPool`, the class of the workers.
    """

    def __init__(self, count: int, deadline: float, pool: type[WorkerPool] = WorkerPool) -> None:
        self.light, self.compiled = pool(count, deadline, searches=True), pool(count, deadline, compiled=True)
        self._chosen: dict[tuple[str, str], WorkerPool] = {}

    async def choose(self, name: str, options: str, asker: str = "") -> WorkerPool:
        """The workers for a game and its house rules. Errors: as `WorkerPool.ask`."""
        if (name, options) not in self._chosen:
            if len(self._chosen) >= CHOSEN:
                del self._chosen[next(iter(self._chosen))]
            fast = await self.light.ask(searches_here, name, options, asker=asker)
            self._chosen[name, options] = self.light if fast else self.compiled
        return self._chosen[name, options]

    async def ask(
        self, function: Callable[..., T], name: str, options: str, *request: Any, asker: str = "", patience: float = 0.0
    ) -> T:
        """Call a function of a game, its house rules, and more, in a worker. As `WorkerPool.ask`."""
        pool = await self.choose(name, options, asker)
        return await pool.ask(function, name, options, *request, asker=asker, patience=patience)

    def list_pools(self) -> tuple[WorkerPool, WorkerPool]:
        """Both kinds of workers."""
        return self.light, self.compiled

    def stop(self) -> None:
        """End all workers."""
        for pool in self.list_pools():
            pool.stop()


class LongWork:
    """Long work in progress. asker: the address that began it; wanted: when it was last asked for; error: why it failed."""

    task: asyncio.Task[None]

    def __init__(self, asker: str) -> None:
        self.asker, self.wanted = asker, time.monotonic()
        self.error: BridgeheadError | None = None


S = TypeVar("S", bound=LongWork)


class Studies(Generic[S]):
    """Studies in progress by key, and workers for them. bug: the sentence for an unexpected error."""

    bug = ""

    def __init__(self, workers: WorkerPool | SearchPool) -> None:
        self.workers = workers
        self.going: dict[str, S] = {}

    def under_way(self) -> list[S]:
        """The studies that have neither ended nor failed."""
        return [each for each in self.going.values() if not each.task.done()]

    def start(self, key: str, study: S, work: Coroutine[Any, Any, None]) -> None:
        """Start a study. It is removed when its work ends, and kept with its error if that fails."""
        self.going[key] = study
        study.task = asyncio.create_task(self._run(key, study, work))

    async def step(self, key: str, function: Callable[..., T], *request: Any, patience: float = 0.0) -> T:
        """Call a function in the worker that continues what an earlier call stored. A lost worker is replaced and asked again.

        Errors: WorkerLost after LOSSES workers; those of the function.
        """
        for lost in range(1, LOSSES + 1):
            try:
                return await self.workers.ask(function, *request, asker=key, patience=patience)
            except WorkerLost as error:
                log.warning("worker %d of %d for a step of a study was lost: %s", lost, LOSSES, error)
                last = error
        raise last

    def find_study(self, key: str) -> S:
        """A study in progress, which has been asked for now. Errors: KeyError for an unknown key; the error that ended it."""
        study = self.going[key]
        study.wanted = time.monotonic()
        if study.error:
            raise study.error
        return study

    async def stop(self) -> None:
        """Cancel all studies."""
        for each in self.going.values():
            each.task.cancel()
        await asyncio.gather(*(each.task for each in self.going.values()), return_exceptions=True)
        self.workers.stop()

    async def _run(self, key: str, study: S, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
            del self.going[key]
        except BridgeheadError as error:
            study.error = error
        except Exception:
            log.exception("a study failed")
            study.error = BridgeheadError(self.bug)


def _unpaid(asker: str, seconds: float) -> None:
    """The default of `WorkerPool.worked`: charges nobody."""


def _kept_waiting(pool: ProcessPoolExecutor) -> float:
    """Seconds for which a pool's processes were ready to run so far and had no processor; 0 where the system does not tell it."""
    try:
        stats = [Path(f"/proc/{each}/schedstat").read_text("ascii") for each in list(pool._processes or {})]
        return sum(int(each.split()[1]) for each in stats) / 1e9
    except (OSError, ValueError, AttributeError, IndexError):
        return 0.0


def _set_up(stops: Any) -> None:
    """In the worker: lower the priority, limit the memory, and deny machine code where none is made."""
    if stops is None:
        deny_new_code()
    else:
        subprocess_player.listen(stops)
        use_modules()
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        os.nice(5 if stops is None else 10)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _load_games() -> None:
    registry.specs()
