"""The games as environments of Gymnasium for one agent: `Env`, and `VectorEnv` for many games at once.

    envs = gymnasium.VectorEnv(bridgehead.game("forty_bridges"), 256, opponent="random")
    seen, infos = envs.reset(seed=1)
    seen, rewards, terminations, truncations, infos = envs.step(envs.sample())

The agent plays one seat, and opponents play the others within the step. Observations are a dict of arrays from the own side,
`infos["action_mask"]` has the legal actions. With `opponent="self"` the agent plays every seat in turn; `infos["seat"]` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bridgehead import batch, environments
from bridgehead.adapters.arguments import RENDER_MODES, Illegal, RenderMode, check_arguments, choose_game
from bridgehead.adapters.spaces import observation_space
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import needs
from bridgehead.core.game import Game
from bridgehead.environments import check_argument
from bridgehead.players import Player

with needs("pettingzoo"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space

Policy = Callable[[environments.Observations, npt.NDArray[np.bool_]], Any]
Opponent = Literal["random", "self"] | Player | Policy


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many games that step together. game: its id with a preset and house rules, or a `Game`.

    seat: the agent's; None gives seat 0 to the first game, 1 to the second, and so on in turn. opponent: plays all other seats:
    "random" (compiled, fastest), a computer player (`bridgehead.player`), or a policy, which gets the observations and masks of
    all games and returns one action for each; "self" if the agent plays every seat. max_cycles: decisions of the agent after
    which a game is truncated. illegal: `refuse` raises IllegalAction, `replace` plays a random legal action instead.

    The reward is the seat's own: 1 for a win, -1 for a loss, else 0. In self-play it goes to the seat that has just acted;
    `infos["rewards"]` has those of all seats. A game that ends before the agent's first decision is not shown.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        preset: str = "",
        max_cycles: int | None = None,
        illegal: Illegal = "refuse",
        render_mode: RenderMode | None = "ansi",
        seat: int | None = None,
        opponent: Opponent = "random",
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        **rules: Any,
    ) -> None:
        game = choose_game(game, preset, rules)
        check_arguments(max_cycles, illegal, render_mode)
        check_argument("num_envs", num_envs, batch.whole("num_envs", num_envs) > 0, "1, 2, 3 ...")
        named = callable(opponent) or hasattr(opponent, "choose")
        check_argument("opponent", opponent, named or opponent in ("random", "self"), "random, self, a player, a policy")
        check_argument("seat", seat, seat is None or 0 <= batch.whole("seat", seat) < game.seats, f"None, 0 .. {game.seats - 1}")
        modes = [mode.value for mode in AutoresetMode]
        check_argument("autoreset_mode", autoreset_mode, autoreset_mode in (*AutoresetMode, *modes), ", ".join(modes))
        self.game, self.num_envs, self.max_cycles, self.illegal = game, num_envs, max_cycles, illegal
        self._opponent, self.autoreset_mode = opponent, AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": [*RENDER_MODES]}
        self.render_mode = render_mode
        view = environments.observer(game)
        self.single_observation_space = observation_space(view)
        self.single_action_space = spaces.Discrete(game.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seats = (
            None if opponent == "self" else np.arange(num_envs) % game.seats if seat is None else np.full(num_envs, seat)
        )
        self._threads = threads
        self._games: environments.Environments | None = None
        self._ended, self._lengths = np.zeros(num_envs, np.bool_), np.zeros(num_envs, np.int64)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:  # fmt: skip
        """Start all games, or those in `options["reset_mask"]`. seed: of chance in the first game; the others count on.

        Or a seed for each game, as Gymnasium's own environments take them; None is one that nobody chose.
        """
        seeds: int | list[int] | None
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
            super().reset()
            seeds = [int(self.np_random.integers(2**62)) if each is None else each for each in seed]
        else:
            seeds = None if seed is None else batch.whole("seed", seed)
            super().reset(seed=None if seeds is None else seeds % 2**64)
        every = np.ones(self.num_envs, np.bool_)
        which = (options or {}).get("reset_mask", every)
        if self._games is None:
            seeds = int(self.np_random.integers(2**62)) if seeds is None else seeds
            rival: Any = "random" if self._opponent == "random" else None
            seats: Any = None if self._seats is None else self._seats.tolist()
            more: dict[str, Any] = {"autoreset": "stay", "rival": rival, "seats": seats}
            self._games = environments.start(self.game, self.num_envs, seeds, threads=self._threads, **more)
            self._begin(None)
        else:
            if seeds is not None:
                self._games.deal_anew(seeds)
            self._begin(which)
        return self._seen(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play the agent's action in each game, and then the opponents' to its next turn. Errors: IllegalAction."""
        games, renewed = self._running(), np.zeros(self.num_envs, np.bool_)
        if self._ended.any():
            if self.autoreset_mode != AutoresetMode.NEXT_STEP:
                raise BridgeheadError("adapters:error.reset_come_first", "env")
            renewed = self._ended.copy()
            self._begin(renewed)
        given = np.asarray(actions, np.int32)
        if given.shape != (self.num_envs,):
            raise BridgeheadError("error.action_game_needed_not", "actions", number=self.num_envs, shape=given.shape)
        chosen = np.where(renewed, -1, given).astype(np.int32)
        if self.illegal == "replace":
            chosen = np.where(renewed | self._legal(chosen), chosen, games.sample())
        rows, acting = np.arange(self.num_envs), games.viewers.copy()
        rewards = games.step(chosen).rewards.copy()
        rewards += self._let_opponents_play()
        self._lengths += ~renewed
        terminations = games.last.terminated.copy()
        truncations = ~terminations & (self._lengths >= (self.max_cycles or np.iinfo(np.int64).max))
        self._ended = terminations | truncations
        infos: dict[str, Any] = {"rewards": rewards, "_rewards": ~renewed}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            self._add_final(infos)
            self._begin(self._ended.copy())
        return self._seen(), rewards[rows, acting], terminations, truncations, infos | self._infos()

    def sample(self) -> npt.NDArray[np.int32]:
        """A legal action at random for each game; 0 where a game has ended."""
        found: npt.NDArray[np.int32] = np.maximum(self._running().sample(), 0)
        return found

    def render(self) -> tuple[str, ...] | None:
        """Each position in one line, returned or printed as the render mode demands."""
        lines = tuple(self._running().position(index).text for index in range(self.num_envs))
        if self.render_mode == "human":
            print("\n".join(lines))
        return lines if self.render_mode == "ansi" else None

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.num_envs}: {self.game!r}>"

    def _running(self) -> environments.Environments:
        if self._games is None:
            raise BridgeheadError("adapters:error.reset_come_first", "env")
        return self._games

    def _legal(self, chosen: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        mask, count = self._running().last.mask, self.game.action_count
        found: npt.NDArray[np.bool_] = (
            mask[np.arange(self.num_envs), np.clip(chosen, 0, count - 1)] & (chosen >= 0) & (chosen < count)
        )
        return found

    def _begin(self, which: npt.NDArray[np.bool_] | None) -> None:
        """Start games, and let the opponents open."""
        games = self._running()
        begun = np.ones(self.num_envs, np.bool_) if which is None else which
        if which is not None:
            games.reset(which)
        while True:
            self._let_opponents_play()
            again = begun & (games.last.actors < 0)
            if not again.any():
                break
            games.reset(again)
        self._ended[begun], self._lengths[begun] = False, 0

    def _let_opponents_play(self) -> npt.NDArray[np.float64]:
        """Play on until the agent acts in every running game; returns the rewards. "random" opponents have already played."""
        games = self._running()
        rewards = np.zeros((self.num_envs, self.game.seats))
        if self._seats is None:
            return rewards
        while (waiting := (games.last.actors >= 0) & (games.last.actors != self._seats)).any():
            chosen = np.full(self.num_envs, -1, np.int32)
            opponent: Any = self._opponent
            if callable(opponent):
                seen, mask = games.look(np.maximum(games.last.actors, 0))
                chosen = np.where(waiting, np.asarray(opponent(seen, mask), np.int32), -1)
            else:
                for index in np.flatnonzero(waiting):
                    chosen[index] = opponent.choose(games.position(int(index)))
            rewards += games.step(chosen).rewards
        return rewards

    def _seen(self) -> dict[str, Any]:
        return {name: array.copy() for name, array in self._running().last.observations.items()}

    def _infos(self) -> dict[str, Any]:
        games, every = self._running(), np.ones(self.num_envs, np.bool_)
        mask, seat = games.last.mask.astype(np.int8), games.viewers.copy()
        return {"action_mask": mask, "_action_mask": every, "seat": seat, "_seat": every.copy()}

    def _add_final(self, infos: dict[str, Any]) -> None:
        """Add the last observations of the games that have ended."""
        seen, now = self._seen(), self._infos()
        for index in np.flatnonzero(self._ended):
            last = {name: array[index] for name, array in seen.items()}
            info = {"action_mask": now["action_mask"][index], "seat": now["seat"][index]}
            infos.update(self._add_info(infos, {"final_obs": last, "final_info": info}, int(index)))


class Env(gymnasium.Env):
    """One game. Arguments: those of `VectorEnv`, without the number of games, the autoreset mode and the threads."""

    def __init__(
        self,
        game: str | Game,
        *,
        preset: str = "",
        max_cycles: int | None = None,
        illegal: Illegal = "refuse",
        render_mode: RenderMode | None = "ansi",
        seat: int = 0,
        opponent: Opponent = "random",
        **rules: Any,
    ) -> None:
        game, own = choose_game(game, preset, rules), {"autoreset_mode": AutoresetMode.DISABLED, "threads": 1}
        more: dict[str, Any] = {"max_cycles": max_cycles, "illegal": illegal, "render_mode": render_mode, **own}
        self._envs = VectorEnv(game, 1, seat=seat, opponent=opponent, **more)
        self.game, self.metadata, self.render_mode = game, {"render_modes": [*RENDER_MODES]}, render_mode
        self.observation_space = self._envs.single_observation_space
        self.action_space = self._envs.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a game. seed: of chance in this game and the next ones; None continues. options: ignored."""
        seed = None if seed is None else batch.whole("seed", seed)
        super().reset(seed=None if seed is None else seed % 2**64)
        seen, infos = self._envs.reset(seed=seed)
        return self._one(seen), self._info(infos)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the agent's action, and then the opponents' to its next turn. Errors: IllegalAction."""
        seen, rewards, terminations, truncations, infos = self._envs.step([action])
        return self._one(seen), float(rewards[0]), bool(terminations[0]), bool(truncations[0]), self._info(infos)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, for libraries that ask by this name (as sb3-contrib does)."""
        mask: npt.NDArray[np.bool_] = self._envs._running().last.mask[0].copy()
        return mask

    def render(self) -> str | None:
        """The position in one line, returned or printed as the render mode demands."""
        lines = self._envs.render()
        return lines[0] if lines else None

    def __repr__(self) -> str:
        return f"<Env of {self.game!r}>"

    def _one(self, seen: dict[str, Any]) -> dict[str, Any]:
        return {name: array[0] for name, array in seen.items()}

    def _info(self, infos: dict[str, Any]) -> dict[str, Any]:
        return {name: array[0] for name, array in infos.items() if not name.startswith("_")}
