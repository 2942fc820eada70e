"""The searches as Numba compiles them, or as plain Python where it is turned off."""

from __future__ import annotations

import threading
from typing import Any

from bridgehead.core.game import Position
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.engine import Judgement
from bridgehead.players.expectimax import TurnSearch
from bridgehead.players.search import Search
from bridgehead.players.sense import Sense
from bridgehead.players.thoughts import Budget, Limit, Thought

ENTRIES = 1 << 16  # of the transposition table of one decision


class Compiled:
    """See `Engine`."""

    def tree(
        self, position: Position, budget: Budget, seed: int | str, stop: threading.Event | None = None, **settings: Any
    ) -> Thought:
        return Search(seed=seed, **settings).think(position, budget, stop)

    def best(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> int:
        return AlphaBeta(ENTRIES).think(position, limit, stop).action

    def ranked(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> Thought:
        return AlphaBeta(ENTRIES).ranked(position, limit, stop)

    def turns(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> Thought:
        return TurnSearch().think(position, limit, stop)

    def ahead(self, position: Position) -> dict[int, float]:
        game, seat, found = position.game, position.actor, {}
        for action in position.legal:
            states = position.copy_states()
            game.spec.rules.apply(states[0], game.law, action)
            found[action] = float(game.spec.evaluate.value(states[0], game.law, seat))
        return found

    def values(self, position: Position) -> tuple[float, ...]:
        game, state = position.game, position.copy_states()[0]
        return tuple(float(game.spec.evaluate.value(state, game.law, seat)) for seat in range(game.seats))

    def sense(self, position: Position) -> Judgement:
        return Sense(position)
