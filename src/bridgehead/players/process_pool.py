"""Process pools on this machine; the processes end with their parent, even if it is killed.

What it needs takes long to load, and a static site loads this module without starting a process: so functions import it.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import as_completed
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Request = TypeVar("Request")
Answer = TypeVar("Answer")
LAST = 5.0  # seconds that a command waits for its processes at its end


def processes(number: int = 0, initializer: Callable[..., None] | None = None, *given: Any) -> ProcessPoolExecutor:
    """A pool of processes; 0: one per core. They end with this process, even if it is killed."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(number or os.cpu_count() or 1, spawn, _begin, (initializer, given))
    if hasattr(signal, "pthread_sigmask"):
        hidden: Any = pool
        hidden._spawn_process = functools.partial(_start_without_interrupts, hidden._spawn_process)
    return pool


def _start_without_interrupts(start: Callable[[], None]) -> None:
    """Start a process that Ctrl-C does not reach: it would print a trace while it still imports what `_begin` needs."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # else its own start, within the other, ends the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def numbers(count: int) -> Any:
    """Whole numbers in memory that these processes share, zero at first."""
    import multiprocessing

    return multiprocessing.get_context("spawn").RawArray("q", count)


@contextlib.contextmanager
def working(number: int = 0) -> Iterator[ProcessPoolExecutor]:
    """A pool as a context manager: on leaving, it finishes its work; after an error or Ctrl-C, it kills it at once."""
    pool = processes(number)
    try:
        yield pool
    except BaseException:
        end(pool, LAST)
        raise
    pool.shutdown()


def end(pool: ProcessPoolExecutor, wait: float = 0.0) -> None:
    """Kill a pool's processes, even in the middle of their work.

    wait: seconds for the pool's own thread to end, at most. Else Python, which ends now, may wake it while it closes its pipe.
    """
    living = list((pool._processes or {}).values())
    manager: Any = pool._executor_manager_thread
    pool.shutdown(wait=False, cancel_futures=True)
    for process in living:
        process.kill()
    if wait and manager is not None:
        manager.join(wait)


def answers(
    function: Callable[[Request], Answer], requests: Iterable[Request], number: int = 0
) -> Generator[tuple[Request, Answer], None, None]:
    """Yield each request with its answer from a process, in order of completion; 0: one process per core.

    Only a few requests are submitted ahead. If the caller stops iterating, running work is killed.
    """
    number = number or os.cpu_count() or 1
    with working(number) as pool:
        waiting = iter(requests)
        jobs = {pool.submit(function, request): request for request in itertools.islice(waiting, 2 * number)}
        while jobs:
            job = next(as_completed(jobs))
            request = jobs.pop(job)
            jobs |= {pool.submit(function, following): following for following in itertools.islice(waiting, 1)}
            yield request, job.result()


def _begin(initializer: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """First call in a process: watch the parent, because a pool's process does not notice by itself that its parent died.

    Ctrl-C is ignored here, because the parent ends its processes itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if initializer is not None:
        initializer(*given)


def _end_with_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
