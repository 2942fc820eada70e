"""Work on all cores of this machine, in processes that end with the one that asked, however that ends."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

Request = TypeVar("Request")
Answer = TypeVar("Answer")


def processes(number: int = 0, initializer: Callable[..., None] | None = None, *given: Any) -> ProcessPoolExecutor:
    """Processes for work; 0: one a core. They end with this one, also if it was killed."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(number or os.cpu_count() or 1, spawn, _begin, (initializer, given))


def answers(
    function: Callable[[Request], Answer], requests: Iterable[Request], number: int = 0
) -> Iterator[tuple[Request, Answer]]:
    """Each request with what the function answers in a process, in the order in which they come; 0: one process a core.

    Only a few requests are handed out ahead; who stops asking waits for no more than those that are worked on.
    """
    number = number or os.cpu_count() or 1
    with processes(number) as pool:
        try:
            waiting = iter(requests)
            jobs = {pool.submit(function, request): request for request in itertools.islice(waiting, 2 * number)}
            while jobs:
                job = next(as_completed(jobs))
                request = jobs.pop(job)
                jobs |= {pool.submit(function, following): following for following in itertools.islice(waiting, 1)}
                yield request, job.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(initializer: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """In a process, first of all. A pool's process does not notice by itself that nobody will ask it again."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if initializer is not None:
        initializer(*given)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
