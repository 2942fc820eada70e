"""Players by name for contests and studies: levels, and searches with a fixed budget, so that games are repeatable."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.game import Position
from bridgehead.core.spec import Spec
from bridgehead.core.weights import list_weights
from bridgehead.players import Drawing, Player, player
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.expectimax import TurnSearch
from bridgehead.players.levels import deciding
from bridgehead.players.search import Search
from bridgehead.players.thoughts import PLAIN, REPLY, Budget, JudgingStyle, Limit
from bridgehead.players.watching import LookBack
from bridgehead.workshop.arena.rollouts import Rollouts

MOST = 20_000_000  # nodes of a tree: 1.8 GB; beyond it, a search continues with rollouts only
# Settings of UCT by the kind of player. answered: it evaluates a position only after the opponents' replies.
TREES: Mapping[str, Mapping[str, Any]] = {"search": {}, "answered": {"answered": True}, "reply": REPLY}
# Styles of alpha-beta. keen: it plays for a win where a plain search lets a position recur.
STYLES = {"deep": PLAIN, "keen": JudgingStyle(contempt=15.0)}
ANCHORS = ("rollouts", "plain")  # players by the textbook, of so many random games and of such a depth
KINDS = (*TREES, *STYLES, "turn", *ANCHORS)


def make_entrant(name: str, seed: int | str) -> Player:
    """A player: a level, `KIND:N[:WEIGHTS FILE]` (the KINDS above), `lowest-risk`. Errors: OptionError."""
    kind, *rest = name.split(":", 2)
    if name == "lowest-risk":
        return LowestRisk(seed)
    if kind not in KINDS:
        return player(name, seed)
    if not rest or not rest[0].isdecimal() or int(rest[0]) == 0:
        raise OptionError("players:error.needs_budget_like_1000", name, kind=kind, kind2=kind)
    number = int(rest[0])
    return (
        PlainAlphaBeta(number)
        if kind == "plain"
        else Rollouts(number, seed)
        if kind == "rollouts"
        else Searching(kind, number, seed, *rest[1:])
    )


class Searching:
    """A search with a fixed budget per decision. kind: one of KINDS; budget: simulations of UCT, positions of the others.

    weights: a file of weights, in place of the game's own.
    """

    def __init__(self, kind: str, budget: int, seed: int | str, weights: str = "") -> None:
        if weights and not Path(weights).is_file():
            raise OptionError("players:error.no_such_file", weights)
        self._kind, self._budget, self._seed, self._file = kind, budget, seed, weights
        self._choose: Callable[[Position], int] | None = None

    def __repr__(self) -> str:
        file = f":{self._file}" if self._file else ""
        return f"<Player {self._kind}:{self._budget}{file}, seed {self._seed}>"

    def choose(self, position: Position, look_back: LookBack | None = None) -> int:
        if self._choose is None:
            self._choose = self._made(position.game.spec)
        return self._choose(position)

    def _made(self, spec: Spec) -> Callable[[Position], int]:
        """The search, which keeps its memory from one decision to the next."""
        own, limit = weights_of(Path(self._file), spec) if self._file else None, Limit(nodes=self._budget)
        if self._kind in TREES:
            how, number = TREES[self._kind], self._budget
            nodes = max(200 * min(number, 5000), (100 if how else 20) * number)
            tree = Search(nodes=min(MOST, nodes), seed=self._seed, weights=own, **how)
            return lambda position: tree.choose(position, Budget(simulations=number))
        style = STYLES.get(self._kind)
        search: AlphaBeta | TurnSearch = TurnSearch(own) if style is None else AlphaBeta(1 << 16, own, style=style)
        return lambda position: search.think(position, limit).action


class PlainAlphaBeta:
    """Alpha-beta of fixed depth by the textbook, which a game may have beside the research of it."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def __repr__(self) -> str:
        return f"<Player plain:{self._depth}>"

    def choose(self, position: Position, look_back: LookBack | None = None) -> int:
        deciding(position)
        game = position.game.spec.id
        try:
            search = importlib.import_module(f"bridgehead.workshop.{game}.plain_alphabeta")
        except ModuleNotFoundError:
            raise OptionError("players:error.no_plain_alpha_beta", f"plain:{self._depth}", game=game) from None
        return int(search.choose(position, self._depth))


class LowestRisk(Drawing):
    """A benchmark: takes the action with the lowest exact risk; ties go to the one that leads farther, then by lot."""

    name = "lowest-risk"

    def best(self, position: Position) -> list[int]:
        game, evaluate = position.game, position.game.spec.evaluate
        risk, progress = evaluate.risk, evaluate.progress
        if risk is None or progress is None:
            raise BridgeheadError("players:error.actions_no_risk", game.spec.id)
        state = position.copy_states()[0]
        worth = {action: (-risk(state, game.law, action), progress(state, game.law, action)) for action in position.legal}
        return [action for action in worth if worth[action] == max(worth.values())]


def weights_of(file: Path, spec: Spec) -> tuple[float, ...]:
    """The weights of a game in a file, with those of its net. Errors: OptionError."""
    try:
        return tuple(list_weights(json.loads(file.read_text("utf-8")), spec.evaluate.FEATURES, str(file)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise OptionError("players:error.not_weights_game", str(file), error=error) from None
