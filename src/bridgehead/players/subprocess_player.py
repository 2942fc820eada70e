"""Thinking in a process of its own: searches need compiled rules, which whoever plays a few moves does without."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.players import player, process_pool
from bridgehead.players.levels import Level, expected, levels

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
                self._pool = process_pool.processes(1)
            answer = self._pool.submit(function, *request)
        return answer.result()

    def close(self) -> None:
        """End the process, also in the middle of a thought."""
        if self._pool is not None:
            process_pool.end(self._pool)
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


class Stop(threading.Event):
    """Set once whoever asked for this has told it to stop."""

    def __init__(self, place: int, number: int) -> None:
        super().__init__()
        self._place, self._number = place, number

    def is_set(self) -> bool:
        return _heard is not None and int(_heard[self._place]) >= self._number


_heard: Any = None  # a number a process, in memory that it shares with whoever asks it: stop what has this number
_now: Stop | None = None


def hear(stops: Any) -> None:
    """In a worker: where it is told to stop."""
    global _heard
    _heard = stops


def work(place: int, number: int, function: Callable[..., T], *request: Any) -> T:
    """In a worker: answer a request of that number."""
    global _now
    _now = Stop(place, number)
    return function(*request)


def stop() -> Stop | None:
    """In a worker: what tells the work it is doing to stop."""
    return _now


def decide(name: str, options: str, text: str, level: str, seed: str) -> int:
    """The action that a level chooses in a position given as text; whatever it has found when it is told to stop."""
    return player(level, seed, stop()).choose(made(name, options).load(text))


def prepare(name: str, options: str) -> None:
    """Have everything compiled, or read from where it is kept, that the levels of a game need."""
    game = made(name, options)
    match = Match(game)
    match.deal(SeededDealer(0))
    for looks in sorted({level.looks for level in levels(game.spec).values()}):
        expected(match.position, Level(looks, 2, 1.0), "0")


@functools.lru_cache(16)
def made(name: str, options: str) -> Game:
    """A game by its house rules as JSON."""
    values: dict[str, Any] = json.loads(options)
    return registry.game(name, **values)
