"""An anchor of the scale of ratings: UCT by the textbook (L. Kocsis, C. Szepesvári, 2006) with random games to the end.

It shares the rules with the project's searches and nothing else: it has no evaluation, no proofs, and no memory.
Anybody can write the same player again, so a level's rating against it can be made again elsewhere.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import numpy as np

from bridgehead.core.game import Position
from bridgehead.core.kernels import PIECES, bind_all, kernels, play_on, random_below, rules, rules_of, sample_outcome
from bridgehead.core.spec import Spec
from bridgehead.players.levels import deciding
from bridgehead.players.watching import LookBack

LONGEST = 5000  # actions of a random game; a longer one is drawn
EXPLORATION = np.sqrt(2.0)  # of UCB1, for results from 0 to 1

# A node: the action that leads there and the seat that took it (-1: chance), its first child, its next sibling.
NODE = np.dtype([("action", "i4"), ("seat", "i4"), ("child", "i4"), ("sibling", "i4"), ("visits", "i8"), ("gained", "f8")])


def find_child(nodes, node, action):
    """The child of a node after an action; 0 if it was never tried."""
    child = nodes[node].child
    while child and nodes[child].action != action:
        child = nodes[child].sibling
    return child


def pick_action(nodes, node, out, count, rng, exploration):
    """An action that was never tried, by lot; once all were, the one with the highest upper bound (UCB1)."""
    untried, chosen, best = 0, out[0], -np.inf
    for i in range(count):
        child = find_child(nodes, node, out[i])
        if child == 0:
            untried += 1
            if random_below(rng, untried) == 0:
                chosen = out[i]
        elif untried == 0:
            visits = nodes[child].visits
            bound = nodes[child].gained / visits + exploration * np.sqrt(np.log(nodes[node].visits) / visits)
            if bound > best:
                best, chosen = bound, out[i]
    return chosen


def try_actions(root, law, simulations, longest, exploration, rng, state, nodes, path, out, returns):
    """Grow a tree over the state `root`; nodes[0] is its root. state: one state of work space."""
    made = 1
    for _ in range(simulations):
        state[0] = root[0]
        node, depth, grown = 0, 1, False
        path[0] = 0
        while not grown:
            seat = rules.actor(state[0], law)
            if seat == -2:
                break
            count = rules.legal(state[0], law, out)
            if seat == -1:
                action = sample_outcome(state[0], law, out, count, rng)
            else:
                action = pick_action(nodes, node, out, count, rng, exploration)
            rules.apply(state[0], law, action)
            child = find_child(nodes, node, action)
            if child == 0:
                grown, child, made = True, made, made + 1
                nodes[child].action, nodes[child].seat, nodes[child].sibling = action, seat, nodes[node].child
                nodes[node].child = child
            node = child
            path[depth] = node
            depth += 1
        play_on(state[0], law, out, rng, longest)
        returns[:] = 0.0
        if rules.actor(state[0], law) == -2:
            rules.returns(state[0], law, returns)
        for i in range(depth):
            seat = nodes[path[i]].seat
            nodes[path[i]].visits += 1
            if seat >= 0:
                nodes[path[i]].gained += (1.0 + returns[seat]) / 2.0


@functools.cache
def bind_tree(spec: Spec) -> Any:
    """`try_actions` for one game."""
    shared = {each.__name__: getattr(kernels(spec), each.__name__) for each in PIECES}
    templates = (find_child, pick_action, try_actions)
    return bind_all(templates, rules_of(spec), f"{spec.id}_rollouts", spec.folder, **shared).try_actions


class Rollouts:
    """Takes the action that it tried most in so many random games a decision; repeatable by its seed."""

    def __init__(self, simulations: int, seed: int | str) -> None:
        self._simulations, self._seed, self._made = simulations, seed, 0

    def __repr__(self) -> str:
        return f"<Player rollouts:{self._simulations}, seed {self._seed}>"

    def choose(self, position: Position, look_back: LookBack | None = None) -> int:
        seat, game = deciding(position), position.game
        self._made += 1
        digest = hashlib.sha256(f"{self._seed}:{self._made}:{seat}".encode()).digest()
        rng = np.frombuffer(digest[:8], np.uint64).copy()
        nodes = np.zeros(self._simulations + 1, NODE).view(np.recarray)
        path, out = np.zeros(self._simulations + 2, np.int64), np.zeros(game.max_legal, np.int32)
        grow = bind_tree(game.spec)
        grow(
            position.copy_states(), game.law, self._simulations, LONGEST, EXPLORATION, rng, game.new_states(1), nodes, path, out,
            np.zeros(game.seats),
        )  # fmt: skip
        return max(list_tried(nodes))[1]


def list_tried(nodes: Any) -> list[tuple[int, int]]:
    """How often each action of the root was tried, and the action."""
    found, child = list[tuple[int, int]](), int(nodes["child"][0])
    while child:
        found.append((int(nodes["visits"][child]), int(nodes["action"][child])))
        child = int(nodes["sibling"][child])
    return found
