"""One of our games at random, on one state: `ours.py GAME LIMIT RULES`, compiled, or plain with NUMBA_DISABLE_JIT=1.

LIMIT: most actions per game. RULES: house rules as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import numpy as np
from loop import serve

from bridgehead.core import options as house
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from bridgehead.core.spec import Spec
from shared import find

CALL = 0.02  # target seconds of a call into compiled code


class Ours:
    """Plays games in calls long enough to make the cost of a call negligible."""

    def __init__(self, spec: Spec, limit: int, rules: dict[str, Any]) -> None:
        self.game = Game(spec, house.build(spec, values=rules))
        self.random_games = kernels(spec).random_games
        self.state, self.out = self.game.new_states(1)[0], np.empty(self.game.max_legal, np.int32)
        self.seed, self.batch, self.limit = 0, 1, limit

    def __call__(self) -> tuple[int, int]:
        self.seed += 1
        batch, start = self.batch, time.process_time()
        decisions = self.random_games(self.state, self.game.law, np.uint64(self.seed), batch, self.limit, self.out)[0]
        if time.process_time() - start < CALL:
            self.batch *= 2
        return int(decisions), batch


if __name__ == "__main__":
    play = Ours(find(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3]))
    play()
    serve(play)
