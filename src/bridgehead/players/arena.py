"""Greedy against random: many games at machine speed, with seats rotated and a confidence interval."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from bridgehead.players.statistics import wilson

LONGEST = 20_000  # actions of one game; a longer one counts as undecided


class Result(NamedTuple):
    """Greedy (one side, each in turn) against random: `wins` of `decided` games, Wilson's 95 % interval."""

    game: str
    games: int
    seed: int
    decided: int
    wins: int
    share: float
    interval: tuple[float, float]


def greedy_against_random(game: Game, number: int, seed: int) -> Result:
    """Play `number` games; the greedy side changes from game to game. Only games with a winner are decided."""
    sides = sorted(set(game.sides))
    wins = decided = 0
    for index, side in enumerate(sides):
        count = number // len(sides) + (index < number % len(sides))
        skill = np.array([1 if s == side else 0 for s in game.sides], np.int64)
        results = _play(game, count, seed * len(sides) + index, skill)
        decided += int((results.max(axis=1) > 0).sum())
        wins += int((results[:, game.sides.index(side)] > 0).sum())
    share = wilson(wins, decided)
    return Result(game.spec.id, number, seed, decided, wins, share.value, (share.low, share.high))


def _play(game: Game, count: int, seed: int, skill: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    states, lengths = game.new_states(count), np.zeros(count, np.int64)
    results = np.zeros((count, game.seats))
    seeds = np.random.default_rng(seed % 2**64).integers(0, 2**63, count, np.uint64)
    out = np.empty(game.max_legal, np.int32)
    kernels(game.spec).play_games(states, game.law, seeds, LONGEST, skill, out, lengths, results)
    return results
