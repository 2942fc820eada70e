"""One of our games as learning agents get it, at random: `our_training.py WAY GAME`, one thread.

WAY: `environments` (a batch of 256 games with observations, masks, rewards and new games), `gymnasium` (the same as a `VectorEnv`
against random opponents, with copies of all arrays), or `pettingzoo` (one game; observe, draw from the mask, step).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from loop import serve

from bridgehead import environments
from bridgehead.core import options as house
from bridgehead.core.game import Game
from shared import RULES, find

GAMES = 256  # their arrays fit into a processor's cache
STEPS = 100  # per call


def batch(game: Game) -> Callable[[], tuple[int, int]]:
    """Environments: a call makes STEPS decisions in every game."""
    games = environments.start(game, GAMES, 1, threads=1)

    def play() -> tuple[int, int]:
        ended = 0
        for _ in range(STEPS):
            ended += int(games.step(games.sample()).terminated.sum())
        return GAMES * STEPS, ended

    return play


def vector(game: Game) -> Callable[[], tuple[int, int]]:
    """Gymnasium's interface. Decisions are those of the agent; its opponent's are made in the same step and not counted."""
    from bridgehead.adapters.gymnasium import VectorEnv

    envs = VectorEnv(game, GAMES, threads=1)
    envs.reset(seed=1)

    def play() -> tuple[int, int]:
        ended = 0
        for _ in range(STEPS):
            ended += int(envs.step(envs.sample())[2].sum())
        return GAMES * STEPS - ended, ended  # the step after an end starts the next game

    return play


def agents(game: Game) -> Callable[[], tuple[int, int]]:
    """PettingZoo's interface: a call plays one game, or STEPS decisions of it."""
    from bridgehead.adapters.pettingzoo import env

    environment = env(game)
    environment.reset(seed=1)

    def play() -> tuple[int, int]:
        for decisions in range(STEPS):
            if any(environment.terminations.values()):
                environment.reset()
                return decisions, 1
            mask = environment.observe(environment.agent_selection)["action_mask"]
            environment.step(random.choice(mask.nonzero()[0]))
        return STEPS, 0

    return play


if __name__ == "__main__":
    spec = find(sys.argv[2])
    ways = {"environments": batch, "gymnasium": vector, "pettingzoo": agents}
    run = ways[sys.argv[1]](Game(spec, house.build(spec, values=RULES.get(sys.argv[2], {}))))
    run()
    serve(run)
