"""Expectimax player: searches every line of the current turn, ever deeper, until its budget is spent."""

from __future__ import annotations

import threading
import time

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.position import Position
from bridgehead.players.binding import check
from bridgehead.players.deepening import Limit
from bridgehead.players.search import Candidate, Thought
from bridgehead.players.turns import ASKED, AT_DECISION, BEGIN, DEEPEST, DONE, PLY, turning

SLICE = 0.004  # seconds of search between two checks of the clock
FIRST = 256  # positions before the first check of the clock


class TurnSearch:
    """Expectimax over a game's own rules (players/turns.py), for games of two sides.

    It searches one decision deep, then two, to the end of the turn; then turn by turn. weights: replace those of the
    game's evaluation; turns: the deepest search. It is deterministic: the same position gives the same answer.
    """

    def __init__(self, weights: tuple[float, ...] | None = None, turns: int = 8) -> None:
        self.weights, self.turns = weights, turns

    def think(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> Thought:
        """The value of each legal action. An iteration cut off by the limit does not count. Errors: BridgeheadError."""
        if position.actor < 0:
            raise BridgeheadError("players:error.no_seat_act", "position")
        if limit.seconds is None and limit.nodes is None:
            raise BridgeheadError("players:error.search_needs_seconds_positions", "limit")
        if len(set(position.game.sides)) != 2:
            raise BridgeheadError("players:error.expectimax_within_turn_two_sides", position.game.spec.id)
        if self.weights is not None:
            check(position.game.spec, self.weights)
        work, turns, decisions, exact = _Work(position, self.weights, limit, stop), 1, 1, False
        values = np.zeros(len(position.legal))
        while decisions <= limit.depth and turns <= self.turns and work.look(turns, decisions):
            values, cut = work.values.copy(), int(work.asked[0].cut)
            exact = cut == 0
            if exact:
                break
            turns, decisions = (turns, decisions + 1) if cut & AT_DECISION else (turns + 1, decisions)
        return _thought(position, values, work.nodes, exact)


class _Work:
    def __init__(self, position: Position, weights: tuple[float, ...] | None, limit: Limit, stop: threading.Event | None) -> None:
        game = position.game
        self.kernel, self.law, self.stop = turning(game.spec).look, game.law, stop
        self.states = game.new_states(DEEPEST)
        self.states[0] = position.copy_states()[0]
        self.plies = np.zeros(DEEPEST, PLY).view(np.recarray)
        self.asked = np.zeros(1, ASKED).view(np.recarray)
        self.asked[0].seat, self.asked[0].scale = position.actor, game.spec.evaluate.SCALE
        self.out = np.empty((DEEPEST, game.max_legal), np.int32)
        self.sides = np.array(game.sides, np.int64)
        self.weights = game.spec.evaluate.WEIGHTS if weights is None else np.array(weights)
        self.values, self.result = np.zeros(len(position.legal)), np.zeros(game.seats)
        self.most = 1 << 60 if limit.nodes is None else limit.nodes
        self.deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        self.nodes, self.step = 0, FIRST

    def look(self, turns: int, decisions: int) -> bool:
        """One iteration; False if the budget ends first."""
        asked = self.asked[0]
        asked.turns, asked.decisions, asked.level, asked.nodes = self.states[0].turns + turns, decisions, BEGIN, 0
        while asked.level != DONE:
            left = self.most - self.nodes
            if left <= 0 or (self.stop is not None and self.stop.is_set()):
                return False
            begun, before = time.perf_counter(), int(asked.nodes)
            if self.deadline is not None and begun >= self.deadline:
                return False
            asked.pause = before + min(left, self.step)
            self.kernel(self.states, self.law, self.plies, self.out, asked, self.sides, self.weights, self.result, self.values)
            self.nodes += int(asked.nodes) - before
            taken = time.perf_counter() - begun
            self.step = max(FIRST, min(2 * self.step, int(self.step * SLICE / max(taken, 1e-6))))
        return True


def _thought(position: Position, values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], nodes: int, exact: bool) -> Thought:
    sides = position.game.sides
    found = []
    for action, value in zip(position.legal, values.tolist(), strict=True):
        expected = tuple(value if side == sides[position.actor] else -value for side in sides)
        found.append(Candidate(action, 0, expected, exact))
    found.sort(key=lambda each: each.expected[position.actor], reverse=True)
    return Thought(found[0].action, found, found[0].expected, nodes)
