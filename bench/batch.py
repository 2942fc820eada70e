"""How a batch of games scales: playouts at random on one thread and on all cores, in alternating rounds of one run.

Prints decisions a second and the ratio, game by game, and the bytes a game takes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

from bridgehead import batch
from bridgehead.core import registry
from bridgehead.core.game import Game

GAMES = {"barricade": 60, "burning_bridges": 60, "forty_bridges": 20_000, "front_lines": 40_000}  # games a round
RULES = {"burning_bridges": {"roundLimit": 100}}


def speed(game: Game, number: int, threads: int, seed: int) -> float:
    """Decisions of seats per second of wall time."""
    games = batch.start(game, number, seed, threads)
    began = time.perf_counter()
    done = games.playout()
    return float(done.decisions.sum()) / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds, cores = parser.parse_args().rounds, os.cpu_count() or 1
    for name, number in GAMES.items():
        game = registry.game(name, **RULES.get(name, {}))
        speed(game, 2, cores, 0)  # compiles
        pairs = [(speed(game, number, 1, seed), speed(game, number, cores, seed)) for seed in range(rounds)]
        one, all_cores = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratio = statistics.median(b / a for a, b in pairs)
        size = game.new_states(1).nbytes
        print(f"{name:16} {one:12,.0f} on one thread, {all_cores:12,.0f} on {cores}: {ratio:.2f} times; {size} bytes a game")


if __name__ == "__main__":
    main()
