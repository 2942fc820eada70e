"""The searches as Numba compiles them, or as plain Python where it is turned off."""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from bridgehead.core.game import Position
from bridgehead.core.kernels import bind_all, rules, rules_of
from bridgehead.core.spec import Spec
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.deepening import ENTRIES
from bridgehead.players.expectimax import TurnSearch
from bridgehead.players.search import Search
from bridgehead.players.sense import BlunderFilter
from bridgehead.players.thoughts import PLAIN, Budget, JudgingStyle, Limit, SearchResult


def values_after(states, law, out, values):
    """The evaluation after each legal action of states[0], for the seat to act; returns their number. states: two or more."""
    seat = rules.actor(states[0], law)
    count = rules.legal(states[0], law, out)
    for i in range(count):
        states[1] = states[0]
        rules.apply(states[1], law, out[i])
        values[i] = rules.value(states[1], law, seat)
    return count


@functools.cache
def bind_values_after(spec: Spec) -> Any:
    """The template bound to one game, compiled at its first call. One call from Python is far quicker than one an action."""
    return bind_all((values_after,), rules_of(spec), f"{spec.id}_ahead", spec.folder).values_after


class NumbaEngine:
    """The `Engine` whose searches Numba has compiled."""

    def search_tree(
        self, position: Position, budget: Budget, seed: int | str, stop: threading.Event | None = None, **settings: Any
    ) -> SearchResult:
        return Search(seed=seed, **settings).think(position, budget, stop)

    def find_best_action(
        self, position: Position, limit: Limit, stop: threading.Event | None = None, style: JudgingStyle = PLAIN
    ) -> int:
        return AlphaBeta(ENTRIES, style=style).think(position, limit, stop).action

    def rank_actions(
        self, position: Position, limit: Limit, stop: threading.Event | None = None, style: JudgingStyle = PLAIN
    ) -> SearchResult:
        return AlphaBeta(ENTRIES, style=style).rank_actions(position, limit, stop)

    def search_turns(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> SearchResult:
        return TurnSearch().think(position, limit, stop)

    def score_actions(self, position: Position) -> dict[int, float]:
        game = position.game
        states, out, values = game.new_states(2), np.empty(game.max_legal, np.int32), np.empty(game.max_legal)
        states[0] = position.copy_states()[0]
        count = bind_values_after(game.spec)(states, game.law, out, values)
        return dict(zip(out[:count].tolist(), values[:count].tolist(), strict=True))

    def values(self, position: Position) -> tuple[float, ...]:
        game, state = position.game, position.copy_states()[0]
        return tuple(float(game.spec.evaluate.value(state, game.law, seat)) for seat in range(game.seats))

    def risk(self, position: Position, action: int) -> float:
        risk = position.game.spec.evaluate.risk
        return float(risk(position.copy_states()[0], position.game.law, action)) if risk else 0.0

    def make_blunder_filter(self, position: Position) -> BlunderFilter:
        return BlunderFilter(position)
