"""40 Bridges: alpha-beta against a plain alpha-beta of fixed depth that shares nothing with it but the rules.

The peer looks six plies ahead, without a transposition table, extensions, or any order of moves but captures first. Its
evaluation counts pieces and the distance to the corner. Games begin with four random actions; each opening is played twice,
with the seats changed. Ours gets as many seconds a decision as the peer took on average up to then; with `--positions` it
looks at so many positions instead. It searches as the master does, or in another style.

    python bench/plain_alphabeta.py --sets 40
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any

import numba
import numpy as np

from bridgehead.core import registry
from bridgehead.core.game import Position
from bridgehead.core.match import Match
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.deepening import ENTRIES
from bridgehead.players.levels import levels
from bridgehead.players.thoughts import JudgingStyle, Limit
from bridgehead.workshop.statistics import mean_score

GAME = registry.game("forty_bridges")
RULES, FIELDS, WON = GAME.spec.rules, 41, 100_000
legal, apply = RULES.legal, RULES.apply


@numba.njit(nogil=True)
def distance(pieces: Any, corner: int) -> int:
    """The steps of the nearest square from a corner, and a quarter of the mean of all."""
    nearest, total, count = 16, 0, 0
    for field in range(FIELDS):
        if (pieces >> np.uint64(field)) & np.uint64(1) and (2 * field // 9) % 2 == 0:
            steps = (abs(2 * field // 9 - 2 * corner // 9) + abs(2 * field % 9 - 2 * corner % 9)) // 2
            nearest, total, count = min(nearest, steps), total + steps, count + 1
    return 4 * nearest + total // max(1, count)


@numba.njit(nogil=True)
def judged(state: Any, ply: int) -> int:
    """The value of a state for the seat to act; of a finished game for seat 0."""
    if state.reason != 0:
        return 0 if state.winner < 0 else (WON - ply) * (1 if state.winner == 0 else -1)
    found = np.zeros(2, np.int64)
    for seat in range(2):
        for field in range(FIELDS):
            found[seat] += 100 * np.int64((state.pieces[seat] >> np.uint64(field)) & np.uint64(1))
        found[seat] -= 5 * distance(state.pieces[seat], 40 if seat == 0 else 0)
    return found[state.seat] - found[1 - state.seat]


@numba.njit(nogil=True)
def first_captures(states: Any, ply: int, law: Any, actions: Any, count: int) -> None:
    """Move the actions that take something or win to the front of a ply's list."""
    front = 0
    for i in range(count):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], law, actions[ply, i])
        if states[ply + 1].quiet == 0 or states[ply + 1].reason != 0:
            actions[ply, front], actions[ply, i] = actions[ply, i], actions[ply, front]
            front += 1


@numba.njit(nogil=True)
def searched(states: Any, law: Any, depth: int, actions: Any, nodes: Any) -> int:
    """The best action of states[0] at a fixed depth."""
    best, alpha, beta = np.full(depth + 1, -2 * WON), np.full(depth + 1, -2 * WON), np.full(depth + 1, 2 * WON)
    count, tried, chosen, ply = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64), -1, 0
    count[0] = legal(states[0], law, actions[0])
    first_captures(states, 0, law, actions, count[0])
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
                first_captures(states, ply, law, actions, count[ply])
                continue
            score = judged(states[ply + 1], ply + 1)
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


class Plain:
    """The peer. seconds, positions, decisions: what it used so far."""

    def __init__(self, depth: int) -> None:
        self.depth, self.seconds, self.decisions, self._nodes = depth, 0.0, 0, np.zeros(1, np.int64)
        self._states, self._actions = GAME.new_states(depth + 2), np.zeros((depth + 1, GAME.max_legal), np.int32)

    @property
    def positions(self) -> int:
        return int(self._nodes[0])

    def choose(self, position: Position) -> int:
        begun, self._states[0] = time.perf_counter(), position.copy_states()[0]
        action = int(searched(self._states, GAME.law, self.depth, self._actions, self._nodes))
        self.seconds, self.decisions = self.seconds + time.perf_counter() - begun, self.decisions + 1
        return action


class Ours:
    """Alpha-beta in a style. seconds, decisions: what it used so far."""

    def __init__(self, style: JudgingStyle, positions: int, peer: Plain) -> None:
        self.style, self.positions, self.peer, self.seconds, self.decisions = style, positions, peer, 0.0, 0

    def choose(self, position: Position) -> int:
        seconds = None if self.positions else max(0.001, self.peer.seconds / max(1, self.peer.decisions))
        begun, limit = time.perf_counter(), Limit(seconds, self.positions or None)
        action = AlphaBeta(ENTRIES, style=self.style).think(position, limit).action
        self.seconds, self.decisions = self.seconds + time.perf_counter() - begun, self.decisions + 1
        return action


def played(players: tuple[Ours | Plain, Ours | Plain], opening: np.random.Generator) -> tuple[float, str]:
    """One game: the result of player 1, and the reason of the end."""
    match = Match(GAME)
    while match.outcome is None:
        legal_now = match.position.legal
        early = len(match.log) < 4
        match.play(int(opening.choice(legal_now)) if early else players[match.position.actor].choose(match.position))
    return match.outcome.returns[0], match.outcome.reason


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--sets", type=int, default=40, help="of two games")
    asked.add_argument("--depth", type=int, default=6, help="of the peer, in plies")
    asked.add_argument("--positions", type=int, default=0, help="of ours; 0: as much time as the peer")
    asked.add_argument("--material", type=float, default=levels(GAME.spec)["master"].material, help="of ours, for each piece")
    asked.add_argument("--contempt", type=float, default=0.0, help="of ours")
    asked.add_argument("--seed", type=int, default=77)
    options = asked.parse_args()
    peer = Plain(options.depth)
    peer.choose(GAME.start())  # compiled before it is timed
    peer.seconds, peer.decisions = 0.0, 0
    ours = Ours(JudgingStyle(options.contempt, options.material), options.positions, peer)
    scores, ends = [], Counter[tuple[str, str]]()
    for number in range(options.sets):
        share = 0.0
        for pair, sign in (((ours, peer), 1), ((peer, ours), -1)):
            result, reason = played(pair, np.random.default_rng([options.seed, number]))
            ends[("drawn", "won", "lost")[int(sign * result)], reason] += 1
            share += (1 + sign * result) / 4
        scores.append(share)
        found = mean_score(scores)
        print(f"{2 * len(scores)} games: {found.value:.1%} [{found.low:.1%}, {found.high:.1%}]", dict(ends), flush=True)
    for name, each in (("ours", ours), ("peer", peer)):
        print(f"{name}: {1000 * each.seconds / each.decisions:.1f} ms a decision")
    print(f"peer: {peer.positions / peer.decisions:,.0f} positions a decision")


if __name__ == "__main__":
    main()
