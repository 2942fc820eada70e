"""Who runs a loop over a batch of games: the threads of this machine. (A graphics card: `core.device`.)"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels

Array = npt.NDArray[Any]
PARTS = 8  # a thread; games differ in length, and whoever is done takes the next part
APART = 128  # bytes; what two threads write to all the time may not lie on one line of the processor's memory


class Workers(Protocol):
    """Where the arrays of a batch lie, and what runs over them."""

    def put(self, array: Array) -> Any:
        """The array where the workers read and write it."""
        ...

    def get(self, array: Any) -> Array:
        """The array as NumPy's."""
        ...

    def run(self, name: str, *given: Any) -> None:
        """Run a loop of `core.kernels` over arrays (one entry a game) and numbers."""
        ...


class Threads:
    """Threads of this machine. Loops do not hold Python's lock."""

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
        loop, games = getattr(self._kernels, name), len(given[0])

        def one(part: slice) -> None:
            out, rng = _apart(np.dtype(np.int32), self._game.max_legal), _apart(np.dtype(np.uint64), 1)
            scratch = _apart(self._game.new_states(0).dtype, 1)
            cut = (value[part] if isinstance(value, np.ndarray) else value for value in given)
            loop(0, 1, self._game.law, out, rng, scratch, *cut)

        if min(self.count, games) == 1:
            one(slice(0, games))
            return
        self._pool = self._pool or ThreadPoolExecutor(self.count, "bridgehead")
        edges = np.linspace(0, games, min(games, self.count * PARTS) + 1, dtype=int).tolist()
        list(self._pool.map(one, map(slice, edges, edges[1:])))


def _apart(dtype: np.dtype[Any], count: int) -> Array:
    """Zeros on lines of memory that hold nothing else."""
    size = dtype.itemsize * count
    made: Array = np.zeros(size + 2 * APART, np.uint8)[APART : APART + size].view(dtype)
    return made
