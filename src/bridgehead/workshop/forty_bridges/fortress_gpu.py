"""The loops of `fortress` on a graphics card: a thread computes one word, a launch many set-ups."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from bridgehead.core.extras import needs
from bridgehead.core.jit import rule
from bridgehead.core.numbers import uint64
from bridgehead.workshop.forty_bridges import fortress
from bridgehead.workshop.forty_bridges.fortress import (
    Array,
    FortressTables,
    by_octagons,
    by_squares,
    copied_word,
    count_word,
    ends_over_squares,
    placements_with_any,
    safe_ends,
    safe_word,
)

with needs("cuda"):
    cuda: Any = importlib.import_module("numba.cuda")
THREADS = 128
MEMORY = 1.5e9  # bytes for the safe words of the set-ups of one launch
ROWS, RESTS, OCTAGONS = 4, 697, 16  # rows of a block; most sets of up to three octagons; octagons of the board
ZERO, ONE = uint64(0), uint64(1)


@rule
def split_thread_number(kept, thread):
    """(set-up, row, word) that a thread of the card works on."""
    rows, words = kept.shape[1], kept.shape[2]
    return thread // (rows * words), thread // words % rows, thread % words


def _begin(t: Any, setups: Any, kept: Any) -> None:
    at, row, word = split_thread_number(kept, cuda.grid(1))
    if at < len(setups):
        kept[setups[at], row, word] = fortress.begin_word(t, setups[at], row, word)


def _safe(t: Any, setups: Any, kept: Any, live: Any, safe: Any) -> None:
    at, row, word = split_thread_number(kept, cuda.grid(1))
    if at < len(setups):
        setup = setups[at]
        safe[at, row, word] = safe_word(t, kept, setup, row, word) if live[setup, row] else ZERO


def _live(t: Any, setups: Any, safe: Any, live: Any) -> None:
    rows = safe.shape[1]
    thread = cuda.grid(1)
    if thread < len(setups) * rows:
        at, row, some = thread // rows, thread % rows, ZERO
        for word in range(safe.shape[2]):
            some |= safe[at, row, word]
        live[setups[at], row] = some != ZERO


def _kept(t: Any, setups: Any, kept: Any, safe: Any, changed: Any) -> None:
    """Four rows a block: first the squares' moves, then, if anything is left, the octagons'."""
    rows, words = kept.shape[1], kept.shape[2]
    ends = cuda.shared.array((ROWS, RESTS), np.int32)
    over = cuda.shared.array((ROWS, OCTAGONS), np.int64)
    some = cuda.shared.array(ROWS, np.int32)
    mine, word = cuda.threadIdx.x // words, cuda.threadIdx.x % words
    number = cuda.blockIdx.x * ROWS + mine
    at, row = number // rows, number % rows
    real = at < len(setups) and fortress.is_real(t, setups[min(at, len(setups) - 1)], row)
    setup = setups[min(at, len(setups) - 1)]
    if word == 0:
        some[mine] = 0
    cuda.syncthreads()
    old, alive, moved = ZERO, ZERO, ZERO
    if real:
        old = kept[setup, row, word]
        alive, moved = by_squares(t, kept, safe, at, setup, row, word)
        if alive:
            some[mine] = 1
    cuda.syncthreads()
    if some[mine]:
        for rest in range(word, t.rests[0], words):
            ends[mine, rest] = safe_ends(t, safe, at, setup, row, rest)
        for octagon in range(word, OCTAGONS, words):
            over[mine, octagon] = ends_over_squares(t, setup, row, octagon)
    cuda.syncthreads()
    if real:
        if alive:
            alive = by_octagons(t, ends[mine], over[mine], safe, at, setup, row, word, alive, moved)
        alive |= old & placements_with_any(t, t.surrounds[setup, 1], word)
        if row == 0 and word == 0:
            alive |= ONE  # without attackers the game is won
        if alive != old:
            kept[setup, row, word] = alive
            changed[setup] = 1


def _copied(t: Any, setups: Any, kept: Any) -> None:
    at, row, word = split_thread_number(kept, cuda.grid(1))
    if at < len(setups):
        setup = setups[at]
        if t.surrounds[setup, 0] or t.surrounds[setup, 1]:
            kept[setup, row, word] = copied_word(t, kept, setup, row, word)


def _counted(t: Any, setups: Any, kept: Any, sizes: Any, found: Any) -> None:
    at, row, word = split_thread_number(kept, cuda.grid(1))
    if at < len(setups):
        for side in range(3):
            for octagons in range(found.shape[2]):
                squares, number = count_word(t, kept, setups[at], row, word, sizes, side, octagons)
                if number:
                    cuda.atomic.add(found, (side, squares, octagons), number)


class GpuSweeps:
    """Sweeps on a graphics card with CUDA."""

    def __init__(self, tables: FortressTables) -> None:
        self._t = FortressTables(*(cuda.to_device(table) for table in tables))
        self.shape = fortress.shape(tables)
        self.kept = cuda.device_array(self.shape, np.uint64)
        self._live = cuda.to_device(np.ones(self.shape[:2], np.uint8))
        setups, rows, words = self.shape
        self._most = max(1, min(setups, int(MEMORY / (rows * words * 8))))
        self._safe = cuda.device_array((self._most, rows, words), np.uint64)
        self._kernels = {each.__name__: cuda.jit(each) for each in (_begin, _safe, _live, _kept, _copied, _counted)}
        self._each("_begin", np.arange(setups), self.kept)

    def sweep(self, setups: Array) -> Array:
        """Improve these set-ups; the numbers of those that changed."""
        changed = cuda.to_device(np.zeros(self.shape[0], np.uint8))
        for first in range(0, len(setups), self._most):
            part = setups[first : first + self._most]
            self._each("_safe", part, self.kept, self._live, self._safe)
            self._each("_live", part, self._safe, self._live)
            self._each("_kept", part, self.kept, self._safe, changed)
            self._each("_copied", part, self.kept)
        return np.flatnonzero(changed.copy_to_host())

    def count(self, setup: int, sizes: Array) -> Array:
        """The counts of `fortress.count_word` for a set-up: [side, squares, octagons]."""
        found = cuda.to_device(np.zeros((3, fortress.MOST + 1, fortress.MOST + 1), np.int64))
        self._each("_counted", np.array([setup]), self.kept, cuda.to_device(sizes), found)
        return np.asarray(found.copy_to_host())

    def words(self, setup: int) -> Array:
        """The words of a set-up."""
        return np.asarray(self.kept[setup].copy_to_host())

    def _each(self, name: str, setups: Array, *given: Any) -> None:
        """Run a kernel over all words of some set-ups."""
        threads = ROWS * self.shape[2] if name == "_kept" else THREADS
        for first in range(0, len(setups), self._most):
            part = setups[first : first + self._most].astype(np.int64)
            blocks = -(-len(part) * self.shape[1] * self.shape[2] // threads)
            self._kernels[name][blocks, threads](self._t, cuda.to_device(part), *given)
