"""The searches as Numba compiles them, or as plain Python where it is turned off."""

from __future__ import annotations

import threading
from typing import Any

from bridgehead.core.game import Position
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.deepening import ENTRIES
from bridgehead.players.expectimax import TurnSearch
from bridgehead.players.search import Search
from bridgehead.players.sense import Sense
from bridgehead.players.thoughts import PLAIN, Budget, Limit, Style, Thought


class Compiled:
    """See `Engine`."""

    def tree(
        self, position: Position, budget: Budget, seed: int | str, stop: threading.Event | None = None, **settings: Any
    ) -> Thought:
        return Search(seed=seed, **settings).think(position, budget, stop)

    def best(self, position: Position, limit: Limit, stop: threading.Event | None = None, style: Style = PLAIN) -> int:
        return AlphaBeta(ENTRIES, style=style).think(position, limit, stop).action

    def ranked(self, position: Position, limit: Limit, stop: threading.Event | None = None, style: Style = PLAIN) -> Thought:
        return AlphaBeta(ENTRIES, style=style).ranked(position, limit, stop)

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

    def risk(self, position: Position, action: int) -> float:
        risk = position.game.spec.evaluate.risk
        return float(risk(position.copy_states()[0], position.game.law, action)) if risk else 0.0

    def sense(self, position: Position) -> Sense:
        return Sense(position)
