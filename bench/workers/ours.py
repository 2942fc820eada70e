"""One of our games at random, on one state: `ours.py GAME`. Compiled, or plain with NUMBA_DISABLE_JIT=1."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))

import numpy as np
from loop import serve

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from bridgehead.core.spec import Spec

LIMIT = 100_000  # most actions a game
CALL = 0.02  # seconds that a call into compiled code should take


def find(name: str) -> Spec:
    """The spec of an installed game, or of the example."""
    if name != "connect_four":
        return registry.spec(name)
    import connect_four

    return connect_four.SPEC


class Ours:
    """Plays games in calls that are long enough for the call itself to cost nothing."""

    def __init__(self, spec: Spec) -> None:
        self.game = Game(spec, house.build(spec))
        self.random_games = kernels(spec).random_games
        self.state, self.out = self.game.new_states(1)[0], np.empty(self.game.max_legal, np.int32)
        self.seed, self.batch = 0, 1

    def __call__(self) -> tuple[int, int]:
        self.seed += 1
        batch, start = self.batch, time.process_time()
        decisions = self.random_games(self.state, self.game.law, np.uint64(self.seed), batch, LIMIT, self.out)[0]
        if time.process_time() - start < CALL:
            self.batch *= 2
        return int(decisions), batch


if __name__ == "__main__":
    play = Ours(find(sys.argv[1]))
    play()
    serve(play)
