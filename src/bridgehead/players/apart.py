"""Thinking in a process of its own: searches need compiled rules, which whoever plays a few moves does without."""

from __future__ import annotations

import contextlib
import functools
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.players import player

T = TypeVar("T")
PLAIN = "NUMBA_DISABLE_JIT"


@contextlib.contextmanager
def born(compiled: bool) -> Iterator[None]:
    """Processes that start meanwhile run the rules compiled, or plain; they start when something is asked of them."""
    before = os.environ.get(PLAIN)
    os.environ[PLAIN] = "0" if compiled else "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[PLAIN]
        else:
            os.environ[PLAIN] = before


class Apart:
    """One process with compiled rules, which starts when it is first asked and ends with this one, or by `close`."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def ask(self, function: Callable[..., T], *request: Any) -> T:
        """What the function answers there. Errors: those of the function."""
        with born(compiled=True):
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_quiet)
            answer = self._pool.submit(function, *request)
        return answer.result()

    def close(self) -> None:
        """End the process, also in the middle of a thought."""
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
            self._pool = None


class Elsewhere:
    """A level that thinks in another process. What it is given is the position as the table shows it."""

    def __init__(self, level: str, seed: int | str, apart: Apart) -> None:
        self.level, self.seed, self.apart = level, seed, apart
        self._made = 0

    def choose(self, position: Position) -> int:
        self._made += 1
        return self.apart.ask(decide, *described(position), self.level, f"{self.seed}:{self._made}")


def described(position: Position) -> tuple[str, str, str]:
    """What another process needs for a position, and may know: game, house rules that are not hidden, text."""
    game = position.game
    return game.spec.id, house.canonical(game.options, concealed=True), position.text


def decide(name: str, options: str, text: str, level: str, seed: str) -> int:
    """The action that a level chooses in a position given as text."""
    return player(level, seed).choose(made(name, options).load(text))


@functools.lru_cache(16)
def made(name: str, options: str) -> Game:
    """A game by its house rules as JSON."""
    values: dict[str, Any] = json.loads(options)
    return registry.game(name, **values)


def _quiet() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
