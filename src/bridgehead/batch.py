"""A million games as one array: start, step and play them out on all cores or on a graphics card.

games = batch.start(bridgehead.game("forty_bridges"), 1_000_000, seed=7)
    games.playout().returns.mean(axis=0)

A game depends only on its own seed (the batch's seed plus its number), not on the batch, the threads or the device.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.core.game import Game, Position
from bridgehead.core.phrases import phrase
from bridgehead.workshop.devices import Array, Gpu, Threads

Actions = npt.NDArray[np.int32]
LONGEST = 1_000_000  # most actions of a playout; a longer game stays unfinished
DEVICES = ("cpu", "cuda")


class Playout(NamedTuple):
    """The result of a playout: decisions of seats (n), returns (n x seats; zeros if unfinished), over (n)."""

    decisions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float64]
    over: npt.NDArray[np.bool_]


class Batch:
    """Many games under the same house rules. Chance acts at once, so in each game a seat acts next, or the game is over."""

    def __init__(self, game: Game, n: int, seed: int, workers: Threads | Gpu) -> None:
        self.game = game
        self._n = n
        self._workers = workers
        self._states = workers.put(game.new_states(n))
        self._rngs = workers.put(generators(seed, n))
        workers.run("start_games", self._states, self._rngs)

    def __len__(self) -> int:
        return self._n

    def __repr__(self) -> str:
        return f"<Batch of {self._n}: {self.game!r}>"

    @property
    def states(self) -> Array:
        """n records, one per game; from a graphics card, a copy."""
        return self._workers.get(self._states)

    @property
    def actors(self) -> Actions:
        """The seat to act in each game, OVER (-2) if it has ended."""
        seats = self._workers.put(np.zeros(self._n, np.int32))
        self._workers.run("seat_games", self._states, seats)
        return self._workers.get(seats)

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Legal actions: n x action_count, all False if a game is over. It takes one byte each."""
        mask = self._workers.put(np.zeros((self._n, self.game.action_count), np.bool_))
        self._workers.run("legal_games", self._states, mask)
        return self._workers.get(mask)

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action per game; actions for finished games are ignored.

        Errors: IllegalAction names the first game whose action is refused, and why; then no game has moved.
        """
        chosen = np.asarray(actions, np.int32)
        if chosen.shape != (self._n,):
            raise BridgeheadError("error.action_game_needed_not", "actions", number=self._n, shape=chosen.shape)
        played, refused = self._workers.put(chosen), self._workers.put(np.zeros(self._n, np.bool_))
        self._workers.run("refused_games", self._states, played, refused)
        if (wrong := np.flatnonzero(self._workers.get(refused))).size:
            self._refuse(int(wrong[0]), int(chosen[wrong[0]]))
        self._workers.run("step_games", self._states, self._rngs, played)

    def playout(self, limit: int = LONGEST) -> Playout:
        """Play every game at random to its end, or for `limit` actions."""
        decisions = self._workers.put(np.zeros(self._n, np.int64))
        results = self._workers.put(np.zeros((self._n, self.game.seats)))
        self._workers.run("finish_games", self._states, self._rngs, limit, decisions, results)
        return Playout(self._workers.get(decisions), self._workers.get(results), self.actors == -2)

    def position(self, index: int) -> Position:
        """One game as a position."""
        return Position(self.game, self._workers.get(self._states[index : index + 1]).copy())

    def _refuse(self, index: int, action: int) -> None:
        position = self.position(index)
        refusal = position.explain(action)
        assert refusal is not None
        raise IllegalAction(refusal, phrase("error.batch", index=index, what=refusal.phrase, clause=refusal.clause))


def start(game: Game, n: int, seed: int = 0, threads: int | None = None, device: str = "cpu") -> Batch:
    """`n` games from their start. threads: None for one per core. device: "cpu", or "cuda" for a graphics card (extra `cuda`).

    Errors: BridgeheadError for no games, and for a missing device or extra.
    """
    if n < 1:
        raise BridgeheadError("error.batch_holds_least_game", "n")
    if device not in DEVICES:
        raise BridgeheadError("error.no_device", "device", device=repr(device), devices=", ".join(DEVICES))
    return Batch(game, n, seed, Threads(game, threads) if device == "cpu" else Gpu(game))


def whole(where: str, given: object) -> int:
    """A whole number of any kind (Python's, NumPy's) as Python's. Errors: BridgeheadError for anything else, by its place."""
    if not isinstance(given, bool | np.bool_) and hasattr(given, "__index__"):
        return int(given.__index__())
    raise BridgeheadError("error.not_whole", where, given=repr(given)[:60], kind=type(given).__name__)


def generators(seed: int | Sequence[int], n: int) -> npt.NDArray[np.uint64]:
    """The first state of each game's generator, from seed + number by SplitMix64's finaliser; or from a seed of each game.

    A seed is a whole number of any kind. Errors: BridgeheadError, which says what was given.
    """
    if isinstance(seed, list | tuple | np.ndarray) and np.ndim(seed) == 1:
        if len(seed) != n:
            raise BridgeheadError("error.seeds", "seed", n=n, given=len(seed))
        word = np.array([whole("seed", each) % 2**64 for each in seed], np.uint64)
    else:
        word = np.arange(n, dtype=np.uint64) + np.uint64(whole("seed", seed) % 2**64)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    made: npt.NDArray[np.uint64] = word ^ (word >> np.uint64(31))
    return made
