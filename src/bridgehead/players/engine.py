"""The searches by which levels, hints and analyses think: compiled by Numba, or what takes its place (`use`).

A browser has no Numba; it runs the same searches as WebAssembly (`bridgehead.site.engine`).
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from typing import Protocol

from bridgehead.core.game import Position
from bridgehead.players.thoughts import PLAIN, Budget, JudgingStyle, Limit, SearchResult


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

    def tree(
        self, position: Position, budget: Budget, seed: int | str, stop: threading.Event | None = None, *,
        explore: float | None = None, trust: float | None = None, cut: int | None = None,
        answered: bool | None = None, expects: bool | None = None, nodes: int,
    ) -> SearchResult:  # fmt: skip
        """UCT (players/tree.py)."""

    def best(self, position: Position, limit: Limit, stop: threading.Event | None = None, style: JudgingStyle = PLAIN) -> int:
        """The best action by alpha-beta (players/alphabeta.py)."""

    def rank_actions(
        self, position: Position, limit: Limit, stop: threading.Event | None = None, style: JudgingStyle = PLAIN
    ) -> SearchResult:
        """All actions by alpha-beta, each with its expected result."""

    def turns(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> SearchResult:
        """Expectimax within the turn (players/expectimax.py)."""

    def ahead(self, position: Position) -> dict[int, float]:
        """The game's evaluation after each legal action, for the seat to act."""

    def values(self, position: Position) -> tuple[float, ...]:
        """The game's evaluation of the position, for each seat."""

    def risk(self, position: Position, action: int) -> float:
        """The exact risk of an action, 0 if the game's evaluation does not know it."""

    def sense(self, position: Position) -> Judgement:
        """Common sense about the position."""


class _Used:
    engine: Engine | None = None


def use(engine: Engine) -> None:
    """Think by this engine from now on."""
    _Used.engine = engine


def engine() -> Engine:
    """The engine of this process."""
    if _Used.engine is None:
        from bridgehead.players.compiled import Compiled  # needs NumPy

        _Used.engine = Compiled()
    return _Used.engine
