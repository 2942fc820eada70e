"""Scaling of batches: random playouts on one thread and on all cores, in alternating rounds of one run.

Prints decisions per second of the best rounds and their ratio, game by game, and the bytes per game. Other work on the
machine takes processor time from the threads. So the best of many short rounds shows the scaling, and the median shows
how much of it was available. The processor time per decision on all cores, relative to one thread, shows what threads
cost each other (1.00: nothing), even on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from typing import NamedTuple

from bridgehead import batch
from bridgehead.core import registry
from bridgehead.core.game import Game

GAMES = {"barricade": 60, "burning_bridges": 300, "forty_bridges": 20_000, "front_lines": 40_000}  # games per round
RULES = {"burning_bridges": {"roundLimit": 100}}


class Round(NamedTuple):
    """Decisions of seats per second of wall time, and processor seconds per decision."""

    rate: float
    cost: float


def played(game: Game, number: int, threads: int, seed: int) -> Round:
    """Games played to their end."""
    games = batch.start(game, number, seed, threads)
    wall, processors = time.perf_counter(), time.process_time()
    decisions = float(games.playout().decisions.sum())
    return Round(decisions / (time.perf_counter() - wall), (time.process_time() - processors) / decisions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    rounds, cores = parser.parse_args().rounds, os.cpu_count() or 1
    for name, number in GAMES.items():
        game = registry.game(name, **RULES.get(name, {}))
        played(game, 2, cores, 0)  # compiles
        pairs = [(played(game, number, 1, seed), played(game, number, cores, seed)) for seed in range(rounds)]
        one, every = (max(side.rate for side in sides) for sides in zip(*pairs, strict=True))
        usual = statistics.median(b.rate / a.rate for a, b in pairs)
        cost = statistics.median(b.cost / a.cost for a, b in pairs)
        print(
            f"{name:16} {one:12,.0f} on one thread, {every:12,.0f} on {cores}: {every / one:.2f} times "
            f"({usual:.2f} in the middle), {cost:.2f} of the processor time a decision; {game.new_states(1).nbytes} bytes a game"
        )


if __name__ == "__main__":
    main()
