"""Loops of `core.kernels` over a batch of games, compiled from the same rules: on threads of this machine or a graphics card.

On a card (extra `cuda`) a fixed number of its threads share the games. Each has its own memory for legal actions, a generator
and the present state, so this memory does not grow with the number of games.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bridgehead.core.caching import cached_per_game
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import require
from bridgehead.core.game import Game
from bridgehead.core.jit import COMPILED, bind_template, require_compiler
from bridgehead.core.kernels import kernels
from bridgehead.core.law import memory
from bridgehead.core.spec import Spec

if TYPE_CHECKING:
    cuda: Any
    games: Any
    MAX_LEGAL: int
    STATE: Any
    ALIGNED: int | None

Array = npt.NDArray[Any]
Loops = Callable[[Spec], SimpleNamespace]
APART = 128  # bytes between the data of two threads, so that they share no cache line
GROUP = 128  # threads in a block of the card
GROUPS_A_PROCESSOR = 16  # blocks per multiprocessor of the card: as many threads as it can hold
BYTES = 16  # alignment of a state, so that the card reads its words at once


class Threads:
    """Threads of this machine. They hold the arrays of a batch and run loops over them, which release Python's global lock.

    least: games that a thread gets at once. A call takes some 14 us under that lock, which a step of a few games does not.
    Errors: MissingExtra.
    """

    def __init__(self, game: Game, threads: int | None, loops: Loops = kernels, least: int = 1) -> None:
        require_compiler()
        self.count = max(1, threads or os.cpu_count() or 1)
        self.least = least
        self._game = game
        self._kernels = loops(game.spec)
        self._pool: ThreadPoolExecutor | None = None
        self._work: tuple[Array, Array, Array] | None = None  # of a single thread

    def put(self, array: Array) -> Array:
        """The array in the memory of the device."""
        return array

    def get(self, array: Array) -> Array:
        """The array as a NumPy array."""
        return array

    def wait(self) -> None:
        """Loops have ended when `run` returns."""

    def run(self, name: str, *given: Any, tables: tuple[Array, ...] = ()) -> None:
        """Run a loop of `core.kernels` over arrays (one entry a game) and numbers. tables: arrays that all games share."""
        loop, law = getattr(self._kernels, name), self._game.law
        games, dtype = len(given[0]), given[0].dtype
        threads = max(1, min(self.count, games // self.least))
        if threads == 1:
            self._work = self._work or (
                _apart(np.dtype(np.int32), self._game.max_legal),
                np.zeros(1, np.uint64),
                np.zeros(1, dtype),
            )
            loop(0, 1, law, *self._work, *tables, *given)
            return
        parts: SimpleQueue[slice | None] = SimpleQueue()
        for part in (*shares(games, threads, self.least), *[None] * threads):
            parts.put(part)

        def work() -> None:
            out, rng = _apart(np.dtype(np.int32), self._game.max_legal), _apart(np.dtype(np.uint64), 1)
            scratch = _apart(dtype, 1)
            for part in iter(parts.get, None):
                loop(0, 1, law, out, rng, scratch, *tables, *(x[part] if isinstance(x, np.ndarray) else x for x in given))

        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count - 1, "bridgehead")
        others = [self._pool.submit(work) for _ in range(threads - 1)]
        work()
        for other in others:
            other.result()


def shares(games: int, threads: int, least: int = 1) -> list[slice]:
    """Parts of the games, which threads take in turn: large ones first, the least last, so that all threads end together."""
    parts, first = [], 0
    while first < games:
        last = min(games, first + (max(least, (games - first) // (2 * threads)) if threads > 1 else games))
        parts.append(slice(first, last))
        first = last
    return parts


def _apart(dtype: np.dtype[Any], count: int) -> Array:
    """Zeros that share no cache line with other data."""
    size = dtype.itemsize * count
    made: Array = np.zeros(size + 2 * APART, np.uint8)[APART : APART + size].view(dtype)
    return made


def _on_device(laws: Any, arrays: Any) -> None:
    """One thread of the card."""
    out = cuda.local.array(MAX_LEGAL, np.int32)
    rng = cuda.local.array(1, np.uint64)
    scratch = cuda.local.array(1, STATE, ALIGNED)
    games(cuda.grid(1), cuda.gridsize(1), laws[0], out, rng, scratch, *arrays)


def kernel(game: Game, name: str, loops: Loops = kernels) -> Callable[..., None]:
    """The function that a thread of the card runs for one of the loops. Its arguments are `laws` and all arrays."""
    from numba import cuda, from_dtype

    dtype = game.new_states(1).dtype
    names = {
        "cuda": cuda,
        "games": getattr(loops(game.spec), name),
        "MAX_LEGAL": game.max_legal,
        "STATE": from_dtype(dtype) if COMPILED else dtype,
        "ALIGNED": BYTES if COMPILED else None,  # the simulator has no alignment
    }
    made: Callable[..., None] = bind_template(_on_device, names, f"{game.spec.id}__{name}")
    return made


def laws(game: Game) -> Array:
    """The law as an array of one record."""
    law = memory(game.law)
    made = np.zeros(1, law.dtype)
    made[0] = law
    return made


class Gpu:
    """A graphics card with CUDA; used like `Threads`. Errors: BridgeheadError naming the missing part."""

    def __init__(self, game: Game, loops: Loops = kernels) -> None:
        self._cuda = cuda_here()
        self._game, self._loops = game, loops
        self._laws = self._cuda.to_device(laws(game))
        processors = getattr(self._cuda.get_current_device(), "MULTIPROCESSOR_COUNT", 1)
        self._most = processors * GROUPS_A_PROCESSOR

    def put(self, array: Array) -> Any:
        return self._cuda.to_device(array)

    def get(self, array: Any) -> Array:
        found: Array = array.copy_to_host()
        return found

    def wait(self) -> None:
        """Wait for all loops that were started, so that other libraries can read the arrays."""
        self._cuda.synchronize()

    def run(self, name: str, *given: Any, tables: tuple[Any, ...] = ()) -> None:
        groups = min(-(-len(given[0]) // GROUP), self._most)
        _loaded(self._game, name, self._loops)[groups, GROUP](self._laws, (*tables, *given))


@cached_per_game
def _loaded(game: Game, name: str, loops: Loops) -> Any:
    """A loop for the card. A game keeps it, because compiling one takes seconds."""
    return cuda_here().jit(kernel(game, name, loops))


def cuda_here() -> Any:
    """Numba's CUDA, if it can run here. Errors: BridgeheadError naming the missing part."""
    require("cuda")
    cuda: Any = importlib.import_module("numba.cuda")
    simulated = "simulator" in cuda.jit.__module__
    if simulated == COMPILED:
        raise BridgeheadError("error.rules_not_compiled_numba_disable", "device")
    if not cuda.is_available():
        raise BridgeheadError("error.no_nvidia_graphics_card_working", "device")
    return cuda
