"""A game for learning agents, with PettingZoo: play, copy, and look ahead in the copies. Run it, or read it cell by cell.

pip install 'bridgehead[pettingzoo]'
"""

# %% A game is an environment. House rules are keyword arguments; the seed decides the dice.
from __future__ import annotations

import copy
import random

import numpy as np

import bridgehead

env = bridgehead.env("barricade", board="mini", max_cycles=400)
env.reset(seed=1)
print(f"{env.metadata['name']}: {env.possible_agents}, {env.action_space('seat_0').n} actions")

# %% An observation is planes and numbers with names, from the agent's own side, and a mask of the legal actions.
seen = env.observe(env.agent_selection)
names = env.observer.names
for plane in ("pawn of colour 0", "barricade"):
    print(f"  {plane}: on {seen['observation']['fields'][names['fields'].index(plane)].sum()} squares")
shown = [name for name, number in zip(names["numbers"], seen["observation"]["numbers"], strict=True) if number and "die" in name]
print(f"  {', '.join(shown)}")
legal = np.flatnonzero(seen["action_mask"])
print("  legal:", ", ".join(env.position.name(int(action)) for action in legal))


# %% The game decides which agent acts next: one roll of the die can lead to one decision, two, or none.
def at_random(env, rng: random.Random) -> int | None:  # type: ignore[no-untyped-def]
    """A random legal action; None for an agent whose game is over."""
    seen, _, terminated, truncated, _ = env.last()
    return None if terminated or truncated else rng.choice(np.flatnonzero(seen["action_mask"]).tolist())


def play_on(env, rng: random.Random) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """Play at random to the end; return the reward of each agent."""
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        got[agent] += env.last(observe=False)[1]
        env.step(at_random(env, rng))
    return got


rng = random.Random(1)
games = []
for seed in range(20):
    env.reset(seed=seed)
    games.append(play_on(env, rng)["seat_0"])
print(f"at random the first seat gets {np.mean(games):+.2f} a game, over {len(games)} games")


# %% A copy of an environment includes its chance, so the copy draws the same cards as the game itself. A fair search
# therefore gives each copy a new seed (`deal_anew`). Here each action is tried in forty copies.
def worth(env, action: int, rng: random.Random, copies: int = 40) -> float:  # type: ignore[no-untyped-def]
    """The average reward of the agent to act, in random games after this action."""
    agent, got = env.agent_selection, 0.0
    for _ in range(copies):
        trial = copy.deepcopy(env)
        trial.deal_anew(rng.getrandbits(64))
        trial.step(action)
        got += play_on(trial, rng)[agent]
    return got / copies


env = bridgehead.env("front_lines", seats=2, rows=3, lives=1)
env.reset(seed=1)
rng = random.Random(2)
for _ in range(4):
    env.step(at_random(env, rng))
before = env.position
print(f"{env.agent_selection}: {before.prompt}")
for action in before.legal:
    print(f"  {before.name(action)}: {worth(env, action, rng):+.2f}")
print("the original game is unchanged:", env.position == before)

# %% `env.position` is the full position: for the game's own computer players, for records, for pictures.
env = bridgehead.env("forty_bridges", max_cycles=4)
env.reset(seed=1)
player = bridgehead.player("forty_bridges", level=1, seed=1)
while not any(env.truncations.values()):
    action = player.choose(env.position)
    print(f"  {env.agent_selection} plays {env.position.name(action)}")
    env.step(action)
