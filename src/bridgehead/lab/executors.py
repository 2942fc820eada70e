"""Where parts of a plan are made: here, or in processes of this machine. The results are the same."""

from __future__ import annotations

import itertools
import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, Protocol

import numpy as np

from bridgehead.lab.parts import Part, make

Array = np.ndarray[Any, Any]


class Executor(Protocol):
    """Makes parts, wherever; yields each with its rows, in any order."""

    def __call__(self, parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]: ...


def serially(parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]:
    """One after the other, here."""
    for part in parts:
        yield part, make(part)


def on_cores(workers: int = 0) -> Executor:
    """In processes of this machine; 0: one a core."""
    number = workers or os.cpu_count() or 1

    def run(parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]:
        with ProcessPoolExecutor(number, mp_context=multiprocessing.get_context("spawn")) as pool:
            try:
                waiting = iter(parts)
                jobs = {pool.submit(make, part): part for part in itertools.islice(waiting, 2 * number)}
                while jobs:
                    job = next(as_completed(jobs))
                    part = jobs.pop(job)
                    jobs |= {pool.submit(make, each): each for each in itertools.islice(waiting, 1)}
                    yield part, job.result()
            finally:
                pool.shutdown(cancel_futures=True)

    return serially if number == 1 else run
