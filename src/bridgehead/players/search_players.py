"""Search players with a fixed budget of simulations or positions, so that games are repeatable."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.position import Position
from bridgehead.players.deepening import AlphaBeta, Limit
from bridgehead.players.expectimax import TurnSearch
from bridgehead.players.search import Budget, Search

MOST = 20_000_000  # nodes of a tree: 1.8 GB; beyond it, a search continues with rollouts only
USUAL: Mapping[str, Any] = MappingProxyType({})
ANSWERED: Mapping[str, Any] = MappingProxyType({"answered": True})  # a position is evaluated only after the opponents' replies
# Best reply to players that look one action ahead: it assumes that all opponents are such. A deeper player beats it.
REPLY: Mapping[str, Any] = MappingProxyType({"answered": True, "explore": 0.1, "trust": 3.0, "rivals": 10_000.0})


class Searching:
    """UCT with a number of simulations per decision.

    weights: a file of weights, in place of the game's own. how: settings of the search (`ANSWERED`, `REPLY`).
    """

    def __init__(self, simulations: int, seed: int | str, weights: str = "", how: Mapping[str, Any] = USUAL) -> None:
        self._budget, self._seed, self._file = Budget(simulations=simulations), seed, _there(weights)
        self._how = how
        self._search: Search | None = None

    def choose(self, position: Position) -> int:
        if self._search is None:
            own = _read(Path(self._file), position.game.spec.evaluate.FEATURES) if self._file else None
            number = self._budget.simulations or 0
            nodes = max(200 * min(number, 5000), (100 if self._how else 20) * number)
            self._search = Search(nodes=min(MOST, nodes), seed=self._seed, weights=own, **self._how)
        return self._search.choose(position, self._budget)


class Turning:
    """Expectimax within the turn with a number of positions per decision; weights: as for Deepening."""

    def __init__(self, nodes: int, seed: int | str, weights: str = "") -> None:
        self._limit, self._file = Limit(nodes=nodes), _there(weights)
        self._search: TurnSearch | None = None

    def choose(self, position: Position) -> int:
        if self._search is None:
            features = position.game.spec.evaluate.FEATURES
            self._search = TurnSearch(_read(Path(self._file), features) if self._file else None)
        return self._search.think(position, self._limit).action


class LowestRisk:
    """A benchmark: takes the action with the lowest exact risk; ties go to the one that leads farther, then by lot."""

    def __init__(self, seed: int | str) -> None:
        self._lot, self._made = SeededDealer(f"lowest-risk:{seed}"), 0

    def choose(self, position: Position) -> int:
        game, evaluate = position.game, position.game.spec.evaluate
        risk, progress = evaluate.risk, evaluate.progress
        if risk is None or progress is None:
            raise BridgeheadError("players:error.actions_no_risk", game.spec.id)
        state = position.copy_states()[0]
        worth = {action: (-risk(state, game.law, action), progress(state, game.law, action)) for action in position.legal}
        self._made += 1
        return self._lot.pick([action for action in worth if worth[action] == max(worth.values())], self._made)


class Deepening:
    """Alpha-beta with a number of positions per decision; weights: a file of weights, in place of the game's own."""

    def __init__(self, nodes: int, seed: int | str, weights: str = "") -> None:
        self._limit, self._file = Limit(nodes=nodes), _there(weights)
        self._deep: AlphaBeta | None = None

    def choose(self, position: Position) -> int:
        if self._deep is None:
            features = position.game.spec.evaluate.FEATURES
            self._deep = AlphaBeta(1 << 16, _read(Path(self._file), features) if self._file else None)
        return self._deep.think(position, self._limit).action


def _there(weights: str) -> str:
    if weights and not Path(weights).is_file():
        raise OptionError("players:error.no_such_file", weights)
    return weights


def _read(file: Path, features: Sequence[str]) -> tuple[float, ...]:
    try:
        weights = json.loads(file.read_text("utf-8"))["weights"]
        return tuple(float(weights[name]) for name in features)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionError("players:error.not_weights_game", str(file), error=error) from None
