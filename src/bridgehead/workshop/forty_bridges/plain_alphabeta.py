"""An anchor of the scale of ratings: plain alpha-beta of fixed depth for 40 Bridges, which shares nothing with the project's
searches but the rules.

It has no transposition table, no extensions, and no order of moves but captures first. It counts pieces and the distance to
the corner.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Position
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.rules import apply, legal

FIELDS, WON = 41, 100_000


@rule
def measure_distance(pieces: Any, corner: int) -> int:
    """The steps of the nearest square from a corner, and a quarter of the mean of all."""
    nearest, total, count = 16, 0, 0
    for field in range(FIELDS):
        if (pieces >> np.uint64(field)) & np.uint64(1) and (2 * field // 9) % 2 == 0:
            steps = (abs(2 * field // 9 - 2 * corner // 9) + abs(2 * field % 9 - 2 * corner % 9)) // 2
            nearest, total, count = min(nearest, steps), total + steps, count + 1
    return 4 * nearest + total // max(1, count)


@rule
def judge_state(state: Any, ply: int) -> int:
    """The value of a state for the seat to act; of a finished game for seat 0."""
    if state.reason != 0:
        return 0 if state.winner < 0 else (WON - ply) * (1 if state.winner == 0 else -1)
    found = np.zeros(2, np.int64)
    for seat in range(2):
        for field in range(FIELDS):
            found[seat] += 100 * np.int64((state.pieces[seat] >> np.uint64(field)) & np.uint64(1))
        found[seat] -= 5 * measure_distance(state.pieces[seat], 40 if seat == 0 else 0)
    return int(found[state.seat] - found[1 - state.seat])


@rule
def put_captures_first(states: Any, ply: int, law: Any, actions: Any, count: int) -> None:
    """Move the actions that take something or win to the front of a ply's list."""
    front = 0
    for i in range(count):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], law, actions[ply, i])
        if states[ply + 1].quiet == 0 or states[ply + 1].reason != 0:
            actions[ply, front], actions[ply, i] = actions[ply, i], actions[ply, front]
            front += 1


@rule
def search_to_depth(states: Any, law: Any, depth: int, actions: Any, nodes: Any) -> int:
    """The best action of states[0] at a fixed depth."""
    best, alpha, beta = np.full(depth + 1, -2 * WON), np.full(depth + 1, -2 * WON), np.full(depth + 1, 2 * WON)
    count, tried, chosen, ply = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64), -1, 0
    count[0] = legal(states[0], law, actions[0])
    put_captures_first(states, 0, law, actions, count[0])
    while True:
        if tried[ply] < count[ply] and best[ply] < beta[ply]:
            states[ply + 1] = states[ply]
            apply(states[ply + 1], law, actions[ply, tried[ply]])
            tried[ply] += 1
            nodes[0] += 1
            over, same = states[ply + 1].reason != 0, states[ply + 1].seat == states[ply].seat
            if not over and ply + 1 < depth:
                ply += 1
                low, high = max(alpha[ply - 1], best[ply - 1]), beta[ply - 1]
                alpha[ply], beta[ply] = (low, high) if same else (-high, -low)
                best[ply], tried[ply], count[ply] = -2 * WON, 0, legal(states[ply], law, actions[ply])
                put_captures_first(states, ply, law, actions, count[ply])
                continue
            score = judge_state(states[ply + 1], ply + 1)
            score = score if (over and states[ply].seat == 0) or (not over and same) else -score
        elif ply == 0:
            return chosen
        else:
            score = best[ply] if states[ply].seat == states[ply - 1].seat else -best[ply]
            ply -= 1
        if score > best[ply]:
            best[ply] = score
            if ply == 0:
                chosen = actions[0, tried[0] - 1]


def choose(position: Position, depth: int) -> int:
    """The best action so many actions ahead."""
    game = position.game
    states, actions = game.new_states(depth + 2), np.zeros((depth + 1, game.max_legal), np.int32)
    states[0] = position.copy_states()[0]
    return int(search_to_depth(states, game.law, depth, actions, np.zeros(1, np.int64)))
