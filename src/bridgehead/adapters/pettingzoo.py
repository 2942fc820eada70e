"""The games as PettingZoo environments: agents act one at a time (AEC), or all at once (parallel).

env = bridgehead.env("front_lines", preset="leap", max_cycles=500)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(seen["action_mask"]))

Agents are the seats: `seat_0`, `seat_1`… The next agent is the seat that the game asks for a decision, also out of turn or
several times in a row. Chance is not an agent: the environment deals by the seed of `reset`, so the same seed and
actions give the same game.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from bridgehead import environments
from bridgehead.adapters.arguments import RENDER_MODES, Illegal, RenderMode, check_arguments, choose_game
from bridgehead.adapters.spaces import mask_space, observation_space
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import needs
from bridgehead.core.game import Game, Position

with needs("pettingzoo"):
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel


class Environment(AECEnv):
    """A game for learning agents: its id with a preset and house rules, or a `Game`.

    max_cycles: decisions of seats after which a game is truncated (rewards 0), None for no limit. illegal: `refuse`
    raises IllegalAction with its clause and changes nothing, `replace` plays a random legal action instead.
    render_mode: `ansi` returns the position's text, `human` prints it.

    Observations are a dict: `observation`, the arrays of `environments.Observer` by name, and `action_mask`, 1 for each legal
    action. Rewards come at the end: 1 for a win, -1 for a loss, 0 without a winner.

    Errors: UnknownGame, OptionError, BoardError, BridgeheadError.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        preset: str = "",
        max_cycles: int | None = None,
        illegal: Illegal = "refuse",
        render_mode: RenderMode | None = "ansi",
        **rules: Any,
    ) -> None:
        super().__init__()
        game = choose_game(game, preset, rules)
        check_arguments(max_cycles, illegal, render_mode)
        name = f"{game.spec.id}_v{game.spec.version}"
        self.metadata = {"name": name, "render_modes": [*RENDER_MODES], "is_parallelizable": False}
        self.game, self.max_cycles, self.render_mode, self.illegal = game, max_cycles, render_mode, illegal
        self.observer = environments.observer(game)
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        seen = spaces.Dict({"observation": observation_space(self.observer), "action_mask": mask_space(game)})
        self._spaces = dict.fromkeys(self.possible_agents, seen)
        self._actions = {agent: spaces.Discrete(game.action_count) for agent in self.possible_agents}
        self._games: environments.Environments | None = None
        self._found: Position | None = None

    def __repr__(self) -> str:
        return f"<Environment of {self.game!r}>"

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. seed: the seed of chance in this game and the next ones; None continues the series of the last seed.

        options: ignored.
        """
        if self._games is None:
            seed = random.getrandbits(63) if seed is None else seed
            limit: Any = {"limit": self.max_cycles, "autoreset": "stay"}
            self._games = environments.start(self.game, 1, seed, threads=1, **limit)
        else:
            self._games.reset(seed=seed)
        self.agents = self.possible_agents[:]
        self._settle()
        self._report()
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)

    def deal_anew(self, seed: int | str) -> None:
        """Continue chance with another seed. Do this in copies, which otherwise repeat the chance of the original."""
        self._running().deal_anew(int.from_bytes(hashlib.sha256(f"anew:{seed}".encode()).digest()[:8]))

    @property
    def position(self) -> Position:
        """The position, for referees, searches and records. Errors: BridgeheadError before `reset`."""
        if self._found is None:
            self._found = self._running().position(0)
        return self._found

    def observe(self, agent: str) -> dict[str, Any]:
        """The agent's observation; its mask is all zeros unless it is the agent to act."""
        seat, games = self.possible_agents.index(agent), self._running()
        if seat == games.viewers[0]:
            found = {name: array[0].copy() for name, array in games.last.observations.items()}
            return {"observation": found, "action_mask": games.last.mask[0].astype(np.int8)}
        seen, mask = games.look([seat])
        return {"observation": {name: array[0] for name, array in seen.items()}, "action_mask": mask[0].view(np.int8)}

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Play an action of the agent to act; None for one whose game is over. Errors: IllegalAction."""
        games = self._running()
        if not self.agents:
            raise BridgeheadError("adapters:error.game_over_reset_starts_another", "env")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BridgeheadError("adapters:error.act_none_no_action", "action", agent=agent)
        games.step(np.array([self._allowed(games, int(action))], np.int32), check=False)
        self._settle()
        if games.last.terminated[0] or games.last.truncated[0]:
            self._report()
            self._accumulate_rewards()
            self._deads_step_first()

    def close(self) -> None:
        """Nothing to close; PettingZoo wants it beside `render`."""

    def render(self) -> str | None:
        """The position in one line, returned or printed as the render mode demands."""
        if self.render_mode == "human":
            print(self.position.text)
        return self.position.text if self.render_mode == "ansi" else None

    def _running(self) -> environments.Environments:
        if self._games is None:
            raise BridgeheadError("adapters:error.reset_come_first", "env")
        return self._games

    def _allowed(self, games: environments.Environments, action: int) -> int:
        if 0 <= action < self.game.action_count and games.last.mask[0, action]:
            return action
        if self.illegal == "refuse":
            self.position.play(action)  # raises the error with its clause
        return int(games.sample()[0])

    def _settle(self) -> None:
        """Forget the position before, and find the agent to act."""
        self._found, seat = None, self._running().last.actors[0]
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]

    def _report(self) -> None:
        """Write rewards, ends and infos of all agents, which change only when a game begins or ends."""
        step = self._running().last
        self.rewards = dict(zip(self.possible_agents, step.rewards[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, bool(step.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(step.truncated[0]))
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}


env = Environment


def parallel_env(game: str | Game, **more: Any) -> ParallelEnv:
    """A game as a parallel environment, for algorithms in which all agents act at once. more: as for `Environment`.

    Each step plays only the action of the seat to act and ignores the others.
    """
    convert: Callable[[Environment], ParallelEnv] = turn_based_aec_to_parallel
    return convert(Environment(game, **more))
