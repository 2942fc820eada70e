"""Monte Carlo tree search player: a budget, a seed, and an answer with all candidates."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Position
from bridgehead.players.thoughts import (
    LEAST_TRUST,
    STEERING,
    USUAL,
    Budget,
    Candidate,
    Clock,
    SearchResult,
    check,
    order_candidates,
)
from bridgehead.players.tree import NODE, SETTINGS, searching


class Search:
    """UCT over the game's own rules (players/tree.py).

    explore, trust, cut, answered, expects: see tree.SETTINGS; the default is the game's (`SEARCH` of its evaluation, and
    `ANSWERED` if answered), else STEERING. nodes: limit of one tree (96 bytes each); threads: trees grown in parallel,
    each with its own seed; their visits are added up. weights: replace those of the evaluation.
    """

    def __init__(
        self, explore: float | None = None, trust: float | None = None, cut: int | None = None, nodes: int = 400_000,
        threads: int = 1, seed: int | str = 0, weights: tuple[float, ...] | None = None, answered: bool | None = None,
        expects: bool | None = None,
    ) -> None:  # fmt: skip
        if nodes < 1 or threads < 1:
            raise BridgeheadError("players:error.search_needs_thread_node_position", "threads, nodes")
        self.explore, self.trust, self.cut, self.nodes, self.threads, self.seed = explore, trust, cut, nodes, threads, seed
        self.weights, self.answered, self.expects = weights, answered, expects
        self._made = 0

    def __repr__(self) -> str:
        return f"<Search nodes: {self.nodes}, threads: {self.threads}, seed: {self.seed}>"

    def choose(self, position: Position, budget: Budget = USUAL) -> int:
        """The best action found."""
        return self.think(position, budget).action

    def think(self, position: Position, budget: Budget, stop: threading.Event | None = None) -> SearchResult:
        """Search a position in which a seat is to act. stop: ends the search early when set. Errors: BridgeheadError."""
        if budget.seconds is None and budget.simulations is None:
            raise BridgeheadError("players:error.search_needs_seconds_simulations", "budget")
        check(position)
        self._made += 1
        trees = [_Tree(position, self, f"{self.seed}:{self._made}:{i}") for i in range(self.threads)]
        share = None if budget.simulations is None else -(-budget.simulations // self.threads)
        clocks = [Clock(budget.seconds, share, stop) for _ in trees]
        if self.threads == 1:
            trees[0].grow(clocks[0])
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(_Tree.grow, trees, clocks))
        return _merged(position, trees, sum(clock.made for clock in clocks))


class _Child(NamedTuple):
    """A child of a tree's root in plain numbers, which Python reads much faster than a record."""

    visits: int
    proven: int
    result: list[float]
    total: list[float]


class _Tree:
    def __init__(self, position: Position, search: Search, seed: str) -> None:
        game = position.game
        self.game = game
        self.kernel = searching(game.spec, search.weights).search
        self.root = position.copy_states()
        self.nodes = np.zeros(search.nodes, NODE).view(np.recarray)
        self.nodes[0].actor = position.actor
        self.used = np.ones(1, np.int64)
        self.rng = np.frombuffer(hashlib.sha256(seed.encode()).digest()[:8], np.uint64).copy()
        self.settings = np.zeros((), SETTINGS).view(np.recarray)
        self.settings.scale, self.settings.seats = game.spec.evaluate.SCALE, game.seats
        steering = STEERING | dict(game.spec.evaluate.SEARCH)
        if search.answered:
            steering |= game.spec.evaluate.ANSWERED
        for name, usual in steering.items():
            chosen = getattr(search, name)
            self.settings[name] = usual if chosen is None else chosen
        self.settings.trust = max(self.settings.trust, LEAST_TRUST)
        self.work = (np.empty(game.max_legal, np.int32), game.new_states(2), np.zeros(game.seats))

    def grow(self, clock: Clock) -> None:
        """Search until the clock ends it, or the result is proven."""
        while wanted := clock.slice():
            done = self.kernel(self.nodes, self.used, self.root, self.game.law, self.settings[()], wanted, self.rng, *self.work)
            clock.count(done)
            if done < wanted:
                return

    def children(self, count: int) -> list[_Child]:
        """The children of the root, in the order of its actions."""
        first = int(self.nodes[0].first)
        columns = (self.nodes[field][first : first + count].tolist() for field in _Child._fields)
        return [_Child(*row) for row in zip(*columns, strict=True)]


def _merged(position: Position, trees: list[_Tree], simulations: int) -> SearchResult:
    """The merged answer of several trees: a proven win, else the most visited action that is not proven lost."""
    seat, seats = position.actor, position.game.seats
    grown = [tree.children(len(position.legal)) for tree in trees if tree.nodes[0].first]
    found = [_candidate(action, [children[i] for children in grown], seats) for i, action in enumerate(position.legal)]
    return order_candidates(found, seat, simulations)


def _candidate(action: int, nodes: list[_Child], seats: int) -> Candidate:
    visits = sum(node.visits for node in nodes)
    proven = next((node for node in nodes if node.proven), None)
    if proven is not None:
        return Candidate(action, visits, tuple(proven.result[:seats]), True)
    totals = (sum(node.total[seat] for node in nodes) for seat in range(seats))
    return Candidate(action, visits, tuple(total / max(1, visits) for total in totals), False)
