"""A million games as one array: start them, step them together, or play them out, on as many threads as there are cores.

    games = batch.start(bridgehead.game("forty_bridges"), 1_000_000, seed=7)
    games.playout().returns.mean(axis=0)

A game's fate depends on its own seed only (the batch's seed plus its number), whatever the batch or the threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from bridgehead.core.position import Position

Actions = npt.NDArray[np.int32]
LONGEST = 1_000_000  # actions a playout takes before a game is left unfinished


class Playout(NamedTuple):
    """How games went on to their end: decisions of seats made (n), returns (n x seats; zeros where unfinished), over (n)."""

    decisions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float64]
    over: npt.NDArray[np.bool_]


class Batch:
    """Many games under the same house rules. Chance is dealt at once, so that a seat is always to act, or the game is over.

    states: array of n records, one a game; rngs: uint64 a game, its generator.
    """

    def __init__(self, game: Game, n: int, seed: int = 0, threads: int | None = None) -> None:
        if n < 1:
            raise BridgeheadError("a batch holds at least one game", "n")
        self.game = game
        self.threads = max(1, min(n, threads or os.cpu_count() or 1))
        self.states = game.new_states(n)
        self.rngs = _generators(seed, n)
        self._kernels = kernels(game.spec)
        self._share(lambda part, out: self._kernels.start_games(self.states[part], game.law, self.rngs[part], out))

    def __len__(self) -> int:
        return len(self.states)

    @property
    def actors(self) -> Actions:
        """The seat to act in each game, OVER (-2) where it has ended."""
        seats = np.empty(len(self), np.int32)
        self._share(lambda part, _: self._kernels.seat_games(self.states[part], self.game.law, seats[part]))
        return seats

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Legal actions: n x action_count, all False where a game is over. Mind the memory: one byte each."""
        mask = np.empty((len(self), self.game.action_count), np.bool_)
        self._share(lambda part, out: self._kernels.legal_games(self.states[part], self.game.law, out, mask[part]))
        return mask

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action a game; those of games that are over are ignored.

        Errors: IllegalAction names the first game whose action is refused, and why; then no game has moved.
        """
        chosen = np.asarray(actions, np.int32)
        if chosen.shape != (len(self),):
            raise BridgeheadError(f"one action a game is needed: {len(self)}, not {chosen.shape}", "actions")
        law, wrong = self.game.law, np.full(len(self), -1, np.int64)

        def check(part: slice, out: Actions) -> None:
            found = self._kernels.first_illegal(self.states[part], law, chosen[part], out)
            wrong[part.start] = found if found < 0 else part.start + found

        self._share(check)
        if (refused := wrong[wrong >= 0]).size:
            self._refuse(int(refused.min()), int(chosen[refused.min()]))
        self._share(lambda part, out: self._kernels.step_games(self.states[part], law, self.rngs[part], chosen[part], out))

    def playout(self, limit: int = LONGEST) -> Playout:
        """Play every game on at random to its end, or `limit` actions."""
        decisions, results = np.zeros(len(self), np.int64), np.zeros((len(self), self.game.seats))
        law, finish = self.game.law, self._kernels.finish_games
        self._share(lambda part, out: finish(self.states[part], law, self.rngs[part], limit, out, decisions[part], results[part]))
        return Playout(decisions, results, self.actors == -2)

    def position(self, index: int) -> Position:
        """One game as a position."""
        return Position(self.game, self.states[index : index + 1].copy())

    def _refuse(self, index: int, action: int) -> None:
        position = self.position(index)
        refusal = position.explain(action)
        assert refusal is not None
        raise IllegalAction(refusal, f"game {index}: {self.game.words.tell(refusal.phrase)} ({refusal.clause})")

    def _share(self, work: Callable[[slice, Actions], Any]) -> None:
        """Do it for every part of the batch, each with a buffer of its own for legal actions."""
        edges = np.linspace(0, len(self), self.threads + 1, dtype=int)
        parts = [slice(int(a), int(b)) for a, b in zip(edges, edges[1:], strict=False)]

        def one(part: slice) -> None:
            work(part, np.empty(self.game.max_legal, np.int32))

        if self.threads == 1:
            one(parts[0])
            return
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(one, parts))


def start(game: Game, n: int, seed: int = 0, threads: int | None = None) -> Batch:
    """`n` games from their start. threads: None for one a core."""
    return Batch(game, n, seed, threads)


def _generators(seed: int, n: int) -> npt.NDArray[np.uint64]:
    """A generator's first state for each game, made from seed + number by SplitMix64's finaliser."""
    word = np.arange(n, dtype=np.uint64) + np.uint64(seed % 2**64)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    made: npt.NDArray[np.uint64] = word ^ (word >> np.uint64(31))
    return made
