"""Executors run the parts of a plan, here or in processes of this machine, with equal results."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np

from bridgehead.lab.parts import Part, make
from bridgehead.players.process_pool import answers

Array = np.ndarray[Any, Any]


class Executor(Protocol):
    """Runs parts anywhere; yields each part with its rows, in any order."""

    def __call__(self, parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]: ...


def serially(parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]:
    """Runs parts one after the other in this process."""
    for part in parts:
        yield part, make(part)


def on_cores(workers: int = 0) -> Executor:
    """Runs parts in processes of this machine; 0: one per core."""
    number = workers or os.cpu_count() or 1
    return serially if number == 1 else functools.partial(answers, make, number=number)
