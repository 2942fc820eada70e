"""The loops of `core.kernels` on a graphics card: one game per thread, compiled from the same rules (extra `cuda`).

A fixed number of threads share the games. Each thread has its own memory for legal actions, a generator and the present state,
so this memory does not grow with the number of games.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import require
from bridgehead.core.game import Game
from bridgehead.core.jit import COMPILED, bound
from bridgehead.core.kernels import kernels
from bridgehead.core.threads import Array

if TYPE_CHECKING:
    cuda: Any
    games: Any
    MAX_LEGAL: int
    STATE: Any
    ALIGNED: int | None

GROUP = 128  # threads in a block
GROUPS_A_PROCESSOR = 16  # blocks per multiprocessor of the card: as many threads as it can hold
BYTES = 16  # alignment of a state, so that the card reads its words at once


def _on_device(laws: Any, arrays: Any) -> None:
    """One thread of the card."""
    out = cuda.local.array(MAX_LEGAL, np.int32)
    rng = cuda.local.array(1, np.uint64)
    scratch = cuda.local.array(1, STATE, ALIGNED)
    games(cuda.grid(1), cuda.gridsize(1), laws[0], out, rng, scratch, *arrays)


def kernel(game: Game, name: str) -> Callable[..., None]:
    """The function that a thread of the card runs for a loop of `core.kernels`. Its arguments are `laws` and all arrays."""
    from numba import cuda, from_dtype

    dtype = game.new_states(1).dtype
    names = {
        "cuda": cuda,
        "games": getattr(kernels(game.spec), name),
        "MAX_LEGAL": game.max_legal,
        "STATE": from_dtype(dtype) if COMPILED else dtype,
        "ALIGNED": BYTES if COMPILED else None,  # the simulator has no alignment
    }
    made: Callable[..., None] = bound(_on_device, names, f"{game.spec.id}__{name}")
    return made


def laws(game: Game) -> Array:
    """The law as an array of one record."""
    made = np.zeros(1, game.law.dtype)
    made[0] = game.law
    return made


class Card:
    """A graphics card with CUDA. Errors: BridgeheadError naming the missing part."""

    def __init__(self, game: Game) -> None:
        self._cuda = _cuda()
        self._game = game
        self._laws = self._cuda.to_device(laws(game))
        self._kernels: dict[str, Any] = {}
        processors = getattr(self._cuda.get_current_device(), "MULTIPROCESSOR_COUNT", 1)
        self._most = processors * GROUPS_A_PROCESSOR

    def put(self, array: Array) -> Any:
        return self._cuda.to_device(array)

    def get(self, array: Any) -> Array:
        found: Array = array.copy_to_host()
        return found

    def run(self, name: str, *given: Any) -> None:
        if name not in self._kernels:
            self._kernels[name] = self._cuda.jit(kernel(self._game, name))
        groups = min(-(-len(given[0]) // GROUP), self._most)
        self._kernels[name][groups, GROUP](self._laws, given)


def _cuda() -> Any:
    """Numba's CUDA, if it can run here."""
    require("cuda")
    cuda: Any = importlib.import_module("numba.cuda")
    simulated = "simulator" in cuda.jit.__module__
    if simulated == COMPILED:
        raise BridgeheadError("error.rules_not_compiled_numba_disable", "device")
    if not cuda.is_available():
        raise BridgeheadError("error.no_nvidia_graphics_card_working", "device")
    return cuda
