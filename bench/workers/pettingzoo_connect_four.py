"""Connect Four in PettingZoo (classic connect_four_v3), at random within its action mask."""

import random

from loop import serve
from pettingzoo.classic import connect_four_v3

environment = connect_four_v3.raw_env()


def play() -> tuple[int, int]:
    """One game."""
    environment.reset()
    decisions = 0
    while not any(environment.terminations.values()):
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(random.choice(mask.nonzero()[0]))
        decisions += 1
    return decisions, 1


if __name__ == "__main__":
    play()
    serve(play)
