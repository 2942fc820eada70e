"""Loops over a batch of games on the threads of this machine. (On a graphics card: `core.cuda`.)"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels

Array = npt.NDArray[Any]
APART = 128  # bytes between the data of two threads, so that they share no cache line


class Workers(Protocol):
    """Holds the arrays of a batch and runs loops over them."""

    def put(self, array: Array) -> Any:
        """The array in the memory of the workers."""
        ...

    def get(self, array: Any) -> Array:
        """The array as a NumPy array."""
        ...

    def run(self, name: str, *given: Any) -> None:
        """Run a loop of `core.kernels` over arrays (one entry a game) and numbers."""
        ...


class Threads:
    """Threads of this machine. The loops release Python's global lock."""

    def __init__(self, game: Game, threads: int | None) -> None:
        self.count = max(1, threads or os.cpu_count() or 1)
        self._game = game
        self._kernels = kernels(game.spec)
        self._pool: ThreadPoolExecutor | None = None

    def put(self, array: Array) -> Array:
        return array

    def get(self, array: Array) -> Array:
        return array

    def run(self, name: str, *given: Any) -> None:
        loop, law = getattr(self._kernels, name), self._game.law
        games, dtype = len(given[0]), given[0].dtype
        threads = min(self.count, games)
        parts: SimpleQueue[slice | None] = SimpleQueue()
        for part in (*shares(games, threads), *[None] * threads):
            parts.put(part)

        def work() -> None:
            out, rng = _apart(np.dtype(np.int32), self._game.max_legal), _apart(np.dtype(np.uint64), 1)
            scratch = _apart(dtype, 1)
            for part in iter(parts.get, None):
                loop(0, 1, law, out, rng, scratch, *(x[part] if isinstance(x, np.ndarray) else x for x in given))

        if threads > 1 and self._pool is None:
            self._pool = ThreadPoolExecutor(self.count - 1, "bridgehead")
        others = [self._pool.submit(work) for _ in range(threads - 1)] if self._pool else []
        work()
        for other in others:
            other.result()


def shares(games: int, threads: int) -> list[slice]:
    """Parts of the games, which threads take in turn: large ones first, single games last, so that all threads end together."""
    parts, first = [], 0
    while first < games:
        last = first + (max(1, (games - first) // (2 * threads)) if threads > 1 else games)
        parts.append(slice(first, last))
        first = last
    return parts


def _apart(dtype: np.dtype[Any], count: int) -> Array:
    """Zeros that share no cache line with other data."""
    size = dtype.itemsize * count
    made: Array = np.zeros(size + 2 * APART, np.uint8)[APART : APART + size].view(dtype)
    return made
