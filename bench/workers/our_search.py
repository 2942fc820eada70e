"""Our tree search on the empty board of Connect Four: each simulation plays one random game to its end, as OpenSpiel's
`mcts`.

A game is a simulation. It counts as the mean length of random games minus the mean depth at which its rollout begins.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import numpy as np
from loop import serve

from bridgehead.core import options as house
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from bridgehead.players.search import LEAST_TRUST
from bridgehead.players.tree import NODE, SETTINGS, searching
from shared import EXAMPLE, find

COUNTED = 50_000  # games to measure the mean length
SIMULATIONS = 5_000  # per call, each with a fresh tree
TO_THE_END = 1_000  # actions of a rollout, more than any game has
EXPLORE = 2.0  # as OpenSpiel's


class Searches:
    """Searches of the empty board, each with a fresh tree and continuing random numbers."""

    def __init__(self, simulations: int = SIMULATIONS, counted: int = COUNTED) -> None:
        self.simulations, spec = simulations, find(EXAMPLE)
        game = self.game = Game(spec, house.build(spec))
        self.kernel, self.root, self.scratch = searching(spec).search, game.new_states(1), game.new_states(2)
        spec.rules.setup(self.root[0], game.law)
        self.nodes, self.used = np.zeros(8 * simulations, NODE).view(np.recarray), np.ones(1, np.int64)
        self.settings = np.zeros((), SETTINGS).view(np.recarray)
        self.settings.explore, self.settings.trust, self.settings.scale = EXPLORE, LEAST_TRUST, 1.0
        self.settings.cut, self.settings.seats = TO_THE_END, 2
        self.rng, self.out, self.result = np.array([7], np.uint64), np.empty(game.max_legal, np.int32), np.zeros(2)
        lengths = kernels(spec).random_games(self.scratch[0], game.law, np.uint64(7), counted, TO_THE_END, self.out)[0]
        self.search()
        self.length = lengths / counted - self.depth()

    def search(self) -> int:
        """One search; returns its simulations."""
        self.nodes[0], self.used[0] = 0, 1
        many, law, settings = self.simulations, self.game.law, self.settings[()]
        work = (self.rng, self.out, self.scratch, self.result)
        return int(self.kernel(self.nodes, self.used, self.root, law, settings, many, *work))

    def depth(self) -> float:
        """The mean depth of the tree at which a rollout began."""
        visits = self.nodes.visits[: self.used[0]]
        return float(visits.sum() / visits[0] - 1)

    def __call__(self) -> tuple[int, int]:
        done = self.search()
        return round(done * self.length), done


if __name__ == "__main__":
    play = Searches()
    play()
    serve(play)
