"""Players in a process of their own: a search would stop all else in this one."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Position
from bridgehead.core.match import Match
from bridgehead.players import player, process_pool
from bridgehead.players.engine import searches_fast, use_modules
from bridgehead.players.levels import Level, LevelPlayer, levels_at, watches
from bridgehead.players.watching import LookBack, Seen

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")
PLAIN = "NUMBA_DISABLE_JIT"
SECONDS = "bridgehead_seconds"  # attribute of an error in a worker: the processor time that led to it


@contextlib.contextmanager
def jit_mode(compiled: bool) -> Iterator[None]:
    """Processes that start in this context run the rules compiled, or uncompiled. A pool starts them at its first request."""
    before = os.environ.get(PLAIN)
    os.environ[PLAIN] = "0" if compiled else "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[PLAIN]
        else:
            os.environ[PLAIN] = before


class SearchProcess:
    """Processes that search: one by the modules of the package; for games without a module, one with compiled rules.

    Each starts at its first request and ends with its parent, or by `close`.
    """

    def __init__(self) -> None:
        self._pools: dict[bool, ProcessPoolExecutor] = {}
        self._compiled: dict[tuple[str, str], bool] = {}

    def ask(self, function: Callable[..., T], name: str, options: str, *request: Any) -> T:
        """The function's answer for a game and its house rules, and more. Errors: those of the function."""
        if (name, options) not in self._compiled:
            self._compiled[name, options] = not self._submit(False, searches_here, name, options)
        return self._submit(self._compiled[name, options], function, name, options, *request)

    def _submit(self, compiled: bool, function: Callable[..., T], *request: Any) -> T:
        with jit_mode(compiled):
            if compiled not in self._pools:
                self._pools[compiled] = process_pool.processes(1, None if compiled else use_modules)
            answer = self._pools[compiled].submit(function, *request)
        return answer.result()

    def close(self) -> None:
        """End the processes, even in the middle of a search."""
        while self._pools:
            process_pool.end(self._pools.popitem()[1], process_pool.LAST)


class SubprocessPlayer:
    """A level that searches in another process. It receives the position as the table shows it."""

    def __init__(self, level: str, seed: int | str, process: SearchProcess) -> None:
        self.level, self.seed, self.process = level, seed, process
        self._made = 0

    def __repr__(self) -> str:
        return f"<Player {self.level}, seed {self.seed}>"

    def choose(self, position: Position, look_back: LookBack | None = None) -> int:
        self._made += 1
        return self.process.ask(decide, *prepare_request(position, self.level, f"{self.seed}:{self._made}", look_back))


def describe_position(position: Position) -> tuple[str, str, str]:
    """The part of a position that another process needs and may see: game, house rules that are not hidden, text."""
    game = position.game
    return game.spec.rules_id, house.canonical(game.options, concealed=True), position.text


def prepare_request(position: Position, level: str, seed: str, look_back: LookBack | None = None) -> tuple[Any, ...]:
    """What `decide` needs. The latest play goes along only where the level wants to see it."""
    request = (*describe_position(position), level, seed)
    if look_back is None or not watches(position.game, level):
        return request
    play = look_back()
    return *request, (play.position.text, tuple(play.actions))


class Stop(threading.Event):
    """Like `threading.Event`: set once the requester has cancelled this request."""

    def __init__(self, place: int, number: int) -> None:
        super().__init__()
        self._place, self._number = place, number

    def is_set(self) -> bool:
        return _cancelled is not None and int(_cancelled[self._place]) >= self._number


_cancelled: Any = None  # per process, in memory shared with the requester: the number of the latest cancelled request
_now: Stop | None = None


def listen(stops: Any) -> None:
    """Runs in a worker: sets the shared memory for cancelled requests."""
    global _cancelled
    _cancelled = stops


def work(place: int, number: int, function: Callable[..., T], *request: Any) -> tuple[T, float]:
    """Runs in a worker: the answer to request `number`, and its processor time. An error carries its time as an attribute."""
    global _now
    _now, begun = Stop(place, number), time.process_time()
    try:
        return function(*request), time.process_time() - begun
    except Exception as error:
        with contextlib.suppress(AttributeError):  # a class with slots
            setattr(error, SECONDS, time.process_time() - begun)
        raise


def stop() -> Stop | None:
    """Runs in a worker: the event that cancels the current request."""
    return _now


def decide(name: str, options: str, text: str, level: str, seed: str, play: tuple[str, Sequence[int]] | None = None) -> int:
    """The action that a level chooses in a position given as text; when cancelled, the best found so far.

    play: the latest play, as the text of a position and the actions since.
    """
    game = registry.open_game(name, options)
    look_back = None if play is None else functools.partial(Seen, game.load(play[0]), play[1])
    return player(level, seed, stop()).choose(game.load(text), look_back)


def searches_here(name: str, options: str) -> bool:
    """Runs in a worker: does it search this game at the speed of machine code?"""
    return searches_fast(registry.open_game(name, options))


def prepare(name: str, options: str) -> None:
    """Load everything that the levels of a game need, or compile it."""
    game = registry.open_game(name, options)
    match = Match(game)
    match.deal(SeededDealer(0))
    for looks in sorted({level.looks for level in levels_at(game).values()}):
        LevelPlayer("", 0, Level(looks, 2, 1.0, careful=True)).choose(match.position)
