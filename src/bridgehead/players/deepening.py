"""Alpha-beta player with iterative deepening, for two seats without chance."""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.position import Position
from bridgehead.players import alphabeta
from bridgehead.players.alphabeta import DEEPEST, GRAIN, INFINITE, PLY, SURE, WIN, deepening
from bridgehead.players.search import Candidate, Thought

SLICE = 0.003  # seconds of search between two checks of the clock
WINDOW = 15 * GRAIN  # half-width of the aspiration window


class Limit(NamedTuple):
    """The limit of a search: seconds, positions, plies; the first one reached ends it. Positions and plies are repeatable."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int = DEEPEST - 32


class Line(NamedTuple):
    """The result of a search.

    The action, its score for the seat to act in units of the game's evaluation, the completed depth in plies, the
    positions examined; decided: plies to a forced win (above 0) or loss (below 0), else None.
    """

    action: int
    score: float
    depth: int
    nodes: int
    decided: int | None


class AlphaBeta:
    """Alpha-beta search over a game's own rules.

    entries: of the transposition table (a power of two; 16 bytes each), which is kept from one search to the next.
    weights: replace those of the game's evaluation. threads: further threads search the same position and share the
    table (lazy SMP); a search by the clock is then not repeatable.
    """

    def __init__(self, entries: int = 1 << 20, weights: tuple[float, ...] | None = None, threads: int = 1) -> None:
        if entries < 1 or entries & (entries - 1):
            raise BridgeheadError("players:error.entries_table_power_two", "entries")
        if threads < 1:
            raise BridgeheadError("players:error.search_needs_thread", "threads")
        self.table = np.zeros((entries, 2), np.uint64)
        self.weights = weights
        self.threads = threads

    def think(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> Line:
        """Search a position in which a seat is to act. stop: ends the search early when set. Errors: BridgeheadError."""
        if self.threads == 1:
            return self._deepen(position, limit, stop, 0)
        done = threading.Event()
        with ThreadPoolExecutor(self.threads - 1) as pool:
            helping = Limit(None, None, limit.depth)
            helpers = [pool.submit(self._deepen, position, helping, done, 1 + n % 2) for n in range(self.threads - 1)]
            try:
                found = self._deepen(position, limit, stop, 0)
            finally:
                done.set()
            return found._replace(nodes=found.nodes + sum(helper.result().nodes for helper in helpers))

    def _deepen(self, position: Position, limit: Limit, stop: threading.Event | None, ahead: int) -> Line:
        """One thread's search. Helper threads begin `ahead` plies deeper, at a depth that the first thread reaches later."""
        if position.actor < 0:
            raise BridgeheadError("players:error.no_seat_act", "position")
        work = _Work(position, self.table, self.weights)
        deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        found = Line(position.legal[0], 0.0, 0, 0, None)
        if len(position.legal) == 1 and limit.seconds is not None:
            return found
        for depth in range(1 + ahead, limit.depth + 1):
            middle = found.score * GRAIN
            low, high = (-INFINITE, INFINITE) if depth < 4 else (int(middle - WINDOW), int(middle + WINDOW))
            while True:
                if not work.look(depth, low, high, limit.nodes, deadline, stop):
                    return found._replace(nodes=work.nodes) if work.best is None or work.best <= low else work.line(depth - 1)
                root = work.plies[work.root]
                if low < root.best < high:
                    break
                low, high = (-INFINITE, high) if root.best <= low else (low, INFINITE)
            found = work.line(depth)
            if found.decided is not None and abs(found.decided) <= depth:
                break
        return found

    def ranked(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> Thought:
        """All legal actions from best to worst, each with its expected result: for advice and weaker play.

        Each is searched equally deep, with an open window. Errors: as `think`.
        """
        if position.actor < 0:
            raise BridgeheadError("players:error.no_seat_act", "position")
        deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        work = _Work(position, self.table, self.weights)
        found = [Candidate(action, 0, (0.0, 0.0), False) for action in position.legal]
        for depth in range(limit.depth):
            deeper = []
            for candidate in found:
                work.play(position, candidate.action)
                if not work.look(depth, -INFINITE, INFINITE, limit.nodes, deadline, stop) and depth:
                    return Thought(found[0].action, found, found[0].expected, work.nodes)
                deeper.append(_as_candidate(position, candidate.action, work, depth + 1))
            found = sorted(deeper, key=lambda each: each.expected[position.actor], reverse=True)
        return Thought(found[0].action, found, found[0].expected, work.nodes)


def _as_candidate(position: Position, action: int, work: _Work, depth: int) -> Candidate:
    """An action with the result of searching the position after it; `visits` holds the depth."""
    first, best = work.to_act, work.score
    scale = position.game.spec.evaluate.SCALE
    result = math.copysign(1.0, best) if abs(best) > SURE else math.tanh(best / GRAIN / (2 * scale))
    return Candidate(action, depth, (result, -result) if first == 0 else (-result, result), abs(best) > SURE)


class _Work:
    """The arrays of one search."""

    def __init__(self, position: Position, table: np.ndarray[Any, Any], weights: tuple[float, ...] | None) -> None:
        game, endgames = position.game, position.game.spec.evaluate.endgames
        if game.seats != 2 or game.action_count >= alphabeta.MOST_ACTIONS:
            raise BridgeheadError("players:error.alpha_beta_two_seats_most", game.spec.id)
        needed = {**alphabeta.hooks(game.spec.evaluate), "endgames": endgames}
        if missing := [name for name, hook in needed.items() if hook is None]:
            raise BridgeheadError("players:error.alpha_beta_cannot_play_game", game.spec.id, missing=", ".join(missing))
        assert endgames is not None
        self.kernel, self.law = deepening(game.spec, weights), game.law
        self.states = game.new_states(DEEPEST + 1)
        self.states[0] = position.copy_states()[0]
        self.plies = np.zeros(DEEPEST + 1, PLY).view(np.recarray)
        self.at = np.zeros(3, np.int64)
        actions = np.zeros((DEEPEST + 1, game.max_legal), np.int32)
        scores = np.zeros((DEEPEST + 1, game.max_legal), np.int64)
        killers = np.full((DEEPEST + 1, 2), -1, np.int64)
        history = np.zeros((2, game.action_count), np.int64)
        self.rest = (actions, scores, table, killers, history, *endgames(game), np.zeros(2))
        self.pace = 500.0

    def play(self, position: Position, action: int) -> None:
        """Make the position after an action the root."""
        self.states[1] = self.states[0]
        position.game.spec.rules.apply(self.states[1], self.law, action)
        self.at[2] = 1

    @property
    def root(self) -> int:
        """The ply of the root."""
        return int(self.at[2])

    @property
    def to_act(self) -> int:
        """The seat that the root's score is for; 0 if the game is over."""
        return int(self.plies[self.root].seat)

    @property
    def score(self) -> int:
        """The root's score for the seat to act there (at the end of the game, for seat 0)."""
        return int(self.plies[self.root].best)

    @property
    def nodes(self) -> int:
        return int(self.at[1])

    @property
    def best(self) -> int | None:
        """The score of the best completed action of this iteration, if any."""
        root = self.plies[self.root]
        return None if root.action < 0 else int(root.best)

    def look(
        self, depth: int, low: int, high: int, nodes: int | None, deadline: float | None, stop: threading.Event | None
    ) -> bool:
        """Search the root; False if the budget ended first."""
        if self.kernel.begin(self.at, self.plies, self.states, self.law, depth, low, high, *self.rest):
            return True
        while True:
            if (stop is not None and stop.is_set()) or (deadline is not None and time.perf_counter() >= deadline):
                return False
            if nodes is not None and self.nodes >= nodes:
                return False
            steps = int(self.pace) if nodes is None else min(int(self.pace), max(1, nodes - self.nodes))
            begun = time.perf_counter()
            if self.kernel.deepen(self.at, self.plies, self.states, self.law, steps, *self.rest):
                return True
            taken = time.perf_counter() - begun
            self.pace = max(50.0, min(2 * self.pace, self.pace * SLICE / max(taken, 1e-6)))

    def line(self, depth: int) -> Line:
        """The result at the root."""
        root = self.plies[self.root]
        best = int(root.best)
        decided = None if abs(best) <= SURE else WIN - best if best > 0 else -(WIN + best)
        return Line(int(root.action), best / GRAIN, depth, self.nodes, decided)
