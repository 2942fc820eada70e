"""The searches by which levels, hints and analyses think: as machine code by Numba, or as WebAssembly.

A process with compiled rules has the first. Others run the modules that the package carries (`players.wasmtime_engine`), which
needs no compiler and starts at once; a browser runs those of its site (`bridgehead.site.engine`).
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Collection, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from bridgehead.core import jit
from bridgehead.core.game import Game, Position
from bridgehead.players import shipped_modules
from bridgehead.players.thoughts import PLAIN, Budget, JudgingStyle, Limit, SearchResult

if TYPE_CHECKING:
    from bridgehead.players.wasmtime_engine import WasmtimeEngine

log = logging.getLogger("bridgehead")


class Judgement(Protocol):
    """What anybody at the table sees in a position (players/sense.py)."""

    def winning(self) -> int | None:
        """An action that wins at once."""

    def is_blunder(self, action: int) -> bool:
        """Is this action foolish by the game's evaluation?"""

    def find_safest(self, worth: Mapping[int, float]) -> Collection[int]:
        """The actions to choose from, where results hardly differ the safest ones."""


class Engine(Protocol):
    """Searches of a position in which a seat is to act. stop: ends a search early when set."""

    def search_tree(
        self, position: Position, budget: Budget, seed: int | str, stop: threading.Event | None = None, *,
        explore: float | None = None, trust: float | None = None, cut: int | None = None,
        answered: bool | None = None, expects: bool | None = None, nodes: int,
    ) -> SearchResult:  # fmt: skip
        """Search by UCT (players/tree.py)."""

    def find_best_action(
        self, position: Position, limit: Limit, stop: threading.Event | None = None, style: JudgingStyle = PLAIN
    ) -> int:
        """The best action by alpha-beta (players/alphabeta.py)."""

    def rank_actions(
        self, position: Position, limit: Limit, stop: threading.Event | None = None, style: JudgingStyle = PLAIN
    ) -> SearchResult:
        """All actions by alpha-beta, each with its expected result."""

    def search_turns(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> SearchResult:
        """Search within the turn by expectimax (players/expectimax.py)."""

    def score_actions(self, position: Position) -> dict[int, float]:
        """The game's evaluation after each legal action, for the seat to act."""

    def values(self, position: Position) -> tuple[float, ...]:
        """The game's evaluation of the position, for each seat."""

    def risk(self, position: Position, action: int) -> float:
        """The exact risk of an action, 0 if the game's evaluation does not know it."""

    def make_blunder_filter(self, position: Position) -> Judgement:
        """The filter of foolish actions at this position."""


class _Used:
    engine: Engine | None = None
    modules = False


def use(engine: Engine) -> None:
    """Think by this engine from now on."""
    _Used.engine = engine


def use_modules() -> None:
    """Think by the WebAssembly modules of the package from now on: for a process that compiles no rules on purpose."""
    _Used.modules = True


def engine(game: Game) -> Engine:
    """The engine of this process for a game."""
    return _Used.engine or _load_modules(game) or _compiled()


def searches_fast(game: Game) -> bool:
    """Does this process search a game at the speed of machine code?"""
    return _Used.engine is not None or jit.COMPILED or _load_modules(game) is not None


def can_be_searched(game: Game) -> bool:
    """Is there a way to search a game fast, in a process of this machine?"""
    return _Used.engine is not None or jit.has_numba() or (find_spec("wasmtime") is not None and shipped_modules.has_module(game))


def _load_modules(game: Game) -> Engine | None:
    """The engine that runs the package's modules, if this process shall use it and there is one for this game."""
    if jit.COMPILED or not (_Used.modules or jit.WANTED) or not shipped_modules.has_module(game):
        return None
    made = _wasmtime()
    if made is not None:
        try:
            made.rules(game)
        except Exception as error:  # a damaged file, a processor or limits under which nothing runs: whatever it is, others can
            _say_why_not(f"{type(error).__name__}: {error}")
            return None
    return made


@functools.cache
def _wasmtime() -> WasmtimeEngine | None:
    try:
        from bridgehead.players.wasmtime_engine import WasmtimeEngine
    except Exception as error:  # not installed, or there is none for this system
        _say_why_not(f"{type(error).__name__}: {error}")
        return None
    return WasmtimeEngine()


@functools.cache
def _say_why_not(why: str) -> None:
    log.warning("WebAssembly does not run here, so searches are compiled by Numba, or need the extra `lab` (%s)", why)


def _compiled() -> Engine:
    from bridgehead.players.compiled import NumbaEngine  # needs NumPy

    return NumbaEngine()
