"""Work on all cores of this machine, in processes that end with the one that asked, however that ends."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

Request = TypeVar("Request")
Answer = TypeVar("Answer")


def processes(number: int = 0, initializer: Callable[..., None] | None = None, *given: Any) -> ProcessPoolExecutor:
    """Processes for work; 0: one a core. They end with this one, also if it was killed."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(number or os.cpu_count() or 1, spawn, _begin, (initializer, given))


@contextlib.contextmanager
def working(number: int = 0) -> Iterator[ProcessPoolExecutor]:
    """Processes whose work is either finished or left off: after an error or Ctrl-C they end at once, whatever they are at."""
    pool = processes(number)
    try:
        yield pool
    except BaseException:
        end(pool)
        raise
    pool.shutdown()


def end(pool: ProcessPoolExecutor) -> None:
    """End processes, also in the middle of what they are at."""
    living = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in living:
        process.kill()


def answers(
    function: Callable[[Request], Answer], requests: Iterable[Request], number: int = 0
) -> Generator[tuple[Request, Answer], None, None]:
    """Each request with what the function answers in a process, in the order in which they come; 0: one process a core.

    Only a few requests are handed out ahead; what is worked on when nobody asks any more is left off.
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
    """In a process, first of all. A pool's process does not notice by itself that nobody will ask it again.

    Ctrl-C reaches it as well as the one that asked; what is to end is for that one to say.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if initializer is not None:
        initializer(*given)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
