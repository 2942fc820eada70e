"""Connect Four in OpenSpiel, at random: `python` (driven from Python), `rollouts` or `mcts` (its C++ loops).

rollouts: a search with one simulation consists of playouts of OpenSpiel's C++ RandomRolloutEvaluator from the empty
board. mcts: a fresh C++ MCTSBot with one rollout per simulation. C++ reports playouts, not decisions. Decisions are
playouts times the mean length of random games, which is measured here first; a simulation counts as that length minus
the mean depth of the tree, which is walked once.
"""

import random
import sys

import pyspiel
from loop import serve

COUNTED = 50_000  # games to measure the mean length
ROLLOUTS, SIMULATIONS = 2_000, 5_000  # per call
UCT, MEGABYTES, SOLVE = 2.0, 1000, False

game = pyspiel.load_game("connect_four")
start = game.new_initial_state()
calls = 0


def python() -> tuple[int, int]:
    """Twenty games, each decision made in Python."""
    decisions = 0
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
    return decisions, 20


def search(simulations: int, rollouts: int) -> pyspiel.SearchNode:
    """The tree of a fresh bot on the empty board."""
    global calls
    calls += 1
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, calls)
    return pyspiel.MCTSBot(game, evaluator, UCT, simulations, MEGABYTES, SOLVE, calls, False).mcts_search(start)


def visits(node: pyspiel.SearchNode) -> int:
    """The number of simulations through this node and its descendants."""
    return node.explore_count + sum(visits(child) for child in node.children)


def mean_length() -> float:
    """Decisions of a random game."""
    counted = [python() for _ in range(COUNTED // 20)]
    return sum(decisions for decisions, _ in counted) / COUNTED


if __name__ == "__main__":
    if sys.argv[1] == "python":
        python()
        serve(python)
    length = mean_length()
    if sys.argv[1] == "rollouts":
        serve(lambda: (search(1, ROLLOUTS) and round(ROLLOUTS * length), ROLLOUTS))
    if sys.argv[1] == "mcts":
        depth = visits(search(SIMULATIONS, 1)) / SIMULATIONS - 1
        serve(lambda: (search(SIMULATIONS, 1) and round(SIMULATIONS * (length - depth)), SIMULATIONS))
