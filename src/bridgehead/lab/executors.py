"""Where parts of a plan are made: here, or in processes of this machine. The results are the same."""

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
    """Makes parts, wherever; yields each with its rows, in any order."""

    def __call__(self, parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]: ...


def serially(parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]:
    """One after the other, here."""
    for part in parts:
        yield part, make(part)


def on_cores(workers: int = 0) -> Executor:
    """In processes of this machine; 0: one a core."""
    number = workers or os.cpu_count() or 1
    return serially if number == 1 else functools.partial(answers, make, number=number)
