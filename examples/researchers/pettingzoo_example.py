"""A game for learning agents, with PettingZoo: play, copy, and look ahead in the copies. Run it, or read it cell by cell.

pip install 'bridgehead[pettingzoo]'
"""

# %% A game is an environment. House rules are keywords; the seed is that of the dice.
from __future__ import annotations

import copy
import random

import numpy as np

import bridgehead

env = bridgehead.env("barricade", board="mini", max_cycles=400)
env.reset(seed=1)
print(f"{env.metadata['name']}: {env.possible_agents}, {env.action_space('seat_0').n} actions, {len(env.sight)} numbers observed")

# %% What a seat sees is a vector with named parts, and a mask of what it may do.
seen = env.observe(env.agent_selection)
for part in ("seat to act", "die", "at_home"):
    print(f"  {part}: {seen['observation'][env.sight.fields[part]]}")
legal = np.flatnonzero(seen["action_mask"])
print("  may do:", ", ".join(env.position.name(int(action)) for action in legal))


# %% Agents take their turns as the game says: a throw of the die may mean one decision, two, or none.
def at_random(env, rng: random.Random) -> int | None:  # type: ignore[no-untyped-def]
    """A legal action by lot; None for an agent whose game is over."""
    seen, _, terminated, truncated, _ = env.last()
    return None if terminated or truncated else rng.choice(np.flatnonzero(seen["action_mask"]).tolist())


def play_on(env, rng: random.Random) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """Play at random to the end; what each agent got."""
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


# %% An environment copies with everything in it, chance included. So the cards of a copy fall as they would fall in the game
# itself: who looks ahead fairly gives every copy cards of its own (`deal_anew`). Each way is tried in forty copies.
def worth(env, action: int, rng: random.Random, copies: int = 40) -> float:  # type: ignore[no-untyped-def]
    """What random games after an action bring the agent that is to act, on average."""
    agent, got = env.agent_selection, 0.0
    for _ in range(copies):
        trial = copy.deepcopy(env)
        trial.deal_anew(rng.getrandbits(64))
        trial.step(action)
        got += play_on(trial, rng)[agent]
    return got / copies


env = bridgehead.env("front_lines", seats=2, rows=3, lives=1)
env.reset(seed=2)
for _ in range(4):
    env.step(at_random(env, rng))
before = env.position
print(f"{env.agent_selection}: {before.prompt()}")
for action in before.legal:
    print(f"  {before.name(action)}: {worth(env, action, rng):+.2f}")
print("the game itself stands where it stood:", env.position == before)

# %% The referee's position is there as well: for the game's own computer players, for records, for pictures.
env = bridgehead.env("forty_bridges", max_cycles=4)
env.reset(seed=1)
player = bridgehead.player("forty_bridges", level=1, seed=1)
while not any(env.truncations.values()):
    action = player.choose(env.position)
    print(f"  {env.agent_selection} plays {env.position.name(action)}")
    env.step(action)
