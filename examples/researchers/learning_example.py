"""Learn 40 Bridges by playing oneself: a small network, thousands of games at once, on a graphics card where there is one.

pip install bridgehead jax optax            # with a card: 'bridgehead[cuda]' 'jax[cuda12]'
python learning_example.py --device cuda --minutes 2

The method is PPO (Schulman et al., 2017) in self-play. The network plays both seats, and sees the board from the side of the
seat to act, so that one network suffices. Every 20 rounds it plays 1,000 games against random opponents, half of them in each
seat. With the same arguments on the same machine a run repeats itself, apart from how many rounds fit into the time.
"""

# %% Games, and what the network sees. On a card JAX reads the arrays of the games where they are; only actions are copied.
from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

import bridgehead
from bridgehead import environments

STEPS = 32  # decisions of each game between two lessons
LIMIT = 300  # decisions after which a game is broken off, without a winner
DISCOUNT, TRACE, CLIP, CURIOSITY = 0.995, 0.9, 0.2, 0.01


class Moment(NamedTuple):
    """What the network saw and did in all games at one step, and what came of it."""

    seen: Any
    mask: Any
    actor: Any
    action: Any
    chance: Any
    value: Any
    reward: Any
    ended: Any


def start(games: int, seed: int, device: str, **more: Any) -> environments.Environments:
    """Games of 40 Bridges in which every seat sees the board, and numbers the actions, from its own side."""
    game = bridgehead.game("forty_bridges")
    return environments.start(game, games, seed, device=device, limit=LIMIT, own_actions=True, **more)


def looked(step: environments.BatchStep) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Observations as one row a game, masks and actors, copied: the next step writes over the arrays of this one."""
    planes, numbers = (arrays(step.observations[name]) for name in ("fields", "numbers"))
    row = jnp.concatenate([planes.reshape(len(planes), -1).astype(jnp.float32), numbers], axis=1)
    return row, arrays(step.mask), arrays(step.actors)


def arrays(array: Any) -> jax.Array:
    """A copy for JAX, on the device where the array is, finished before the next step writes over it."""
    return jnp.array(array if isinstance(array, np.ndarray) else jnp.from_dlpack(array), copy=True).block_until_ready()


# %% The network: two hidden layers, then a number for each action, and what the seat to act expects (-1 to 1).
def network(seen: int, actions: int, key: jax.Array, width: int = 256) -> list[tuple[jax.Array, jax.Array]]:
    """Weights and biases of the four layers, drawn at random."""
    sizes = ((seen, width), (width, width), (width, actions), (width, 1))
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, size) * (2 / size[0]) ** 0.5, jnp.zeros(size[1])) for k, size in zip(keys, sizes, strict=True)]


def answer(layers: Any, seen: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The log-odds of the legal actions, and the value."""
    first, second, policy, value = layers
    hidden = jax.nn.relu(seen @ first[0] + first[1])
    hidden = jax.nn.relu(hidden @ second[0] + second[1])
    odds = jnp.where(mask, hidden @ policy[0] + policy[1], -1e9)
    return odds, jnp.tanh((hidden @ value[0] + value[1])[:, 0])


@jax.jit
def decide(layers: Any, seen: jax.Array, mask: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """An action for each game, drawn by the network's chances; the logarithm of its chance; the value."""
    odds, value = answer(layers, seen, mask)
    action = jax.random.categorical(key, odds).astype(jnp.int32)
    return action, jnp.take_along_axis(jax.nn.log_softmax(odds), action[:, None], axis=1)[:, 0], value


# %% The lesson. Seats take turns, so what comes next is seen from the other side: its sign changes where the actor changes.
def gains(moments: Moment, last_actor: jax.Array, last_value: jax.Array) -> jax.Array:
    """How much better each action turned out than was expected (generalised advantages), steps x games."""

    def back(carry: Any, moment: Moment) -> Any:
        actor, value, gain = carry
        sign = jnp.where(actor == moment.actor, 1.0, -1.0) * (1.0 - moment.ended)
        gain = moment.reward + DISCOUNT * sign * value - moment.value + DISCOUNT * TRACE * sign * gain
        return (moment.actor, moment.value, gain), gain

    return jax.lax.scan(back, (last_actor, last_value, jnp.zeros_like(last_value)), moments, reverse=True)[1]


def loss(layers: Any, batch: Moment, gain: jax.Array, wanted: jax.Array) -> jax.Array:
    """PPO's clipped loss, the error of the value, and a little for trying things."""
    odds, value = answer(layers, batch.seen, batch.mask)
    logs = jax.nn.log_softmax(odds)
    ratio = jnp.exp(jnp.take_along_axis(logs, batch.action[:, None], axis=1)[:, 0] - batch.chance)
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    clipped = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    trying = -(jnp.exp(logs) * jnp.where(batch.mask, logs, 0.0)).sum(1).mean()
    return -clipped + 0.5 * ((value - wanted) ** 2).mean() - CURIOSITY * trying


@partial(jax.jit, static_argnames="optimiser")
def learn(layers: Any, memory: Any, moments: Moment, last: Any, key: jax.Array, optimiser: Any) -> tuple[Any, Any]:
    """Two passes over all moments, in eight parts each."""
    gain = gains(moments, *last)
    flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), (moments, gain, gain + moments.value))
    count = len(flat[1])

    def part(carry: Any, which: jax.Array) -> Any:
        layers, memory = carry
        slopes = jax.grad(loss)(layers, *jax.tree.map(lambda x: x[which], flat))
        changes, memory = optimiser.update(slopes, memory)
        return (optax.apply_updates(layers, changes), memory), None

    order = jnp.concatenate([jax.random.permutation(k, count)[: count // 8 * 8].reshape(8, -1) for k in jax.random.split(key)])
    return jax.lax.scan(part, (layers, memory), order)[0]


# %% Playing: rounds of self-play, and games against random opponents.
def rounds(layers: Any, games: environments.Environments, key: jax.Array) -> tuple[Moment, Any]:
    """STEPS decisions in every game, and how the seats to act look at where that led."""
    moments, step = [], games.last
    for each in jax.random.split(key, STEPS):
        seen, mask, actor = looked(step)
        action, chance, value = decide(layers, seen, mask, each)
        step = games.step(np.asarray(action), check=False)
        paid, ended = arrays(step.rewards), arrays(step.terminated) | arrays(step.truncated)
        reward = jnp.take_along_axis(paid, actor[:, None], axis=1)[:, 0].astype(jnp.float32)
        moments.append(Moment(seen, mask, actor, action, chance, value, reward, ended.astype(jnp.float32)))
    seen, mask, actor = looked(step)
    return jax.tree.map(lambda *x: jnp.stack(x), *moments), (actor, decide(layers, seen, mask, key)[2])


def against_random(layers: Any, device: str, games: int = 1000) -> float:
    """Share of the points against random opponents, a game without a winner half of one."""
    playing = start(games, 99, device, seats=np.arange(games) % 2, rival="random", autoreset="stay")
    step, points, running, seat = playing.last, np.zeros(games), np.ones(games, bool), np.arange(games) % 2
    while running.any():
        seen, mask, _ = looked(step)
        action = jnp.argmax(answer(layers, seen, mask)[0], axis=1).astype(jnp.int32)
        step = playing.step(np.asarray(action), check=False)
        ended = np.asarray(arrays(step.terminated) | arrays(step.truncated)) & running
        paid = np.asarray(arrays(step.rewards))[np.arange(games), seat]
        points[ended] = (paid[ended] + 1) / 2
        running &= ~ended
    return float(points.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    games, key = start(given.games, given.seed, given.device), jax.random.key(given.seed)
    seen, mask, _ = looked(games.last)
    layers, optimiser = network(seen.shape[1], mask.shape[1], key), optax.chain(optax.clip_by_global_norm(0.5), optax.adam(5e-4))
    memory, began, number = optimiser.init(layers), time.monotonic(), 0
    while True:
        over = time.monotonic() - began > 60 * given.minutes
        if over or number % 20 == 0:
            share, decisions = against_random(layers, given.device), number * STEPS * given.games
            print(f"{time.monotonic() - began:6.0f} s {decisions:12,} decisions: {share:.1%} against random", flush=True)
        if over:
            return
        key, play, teach = jax.random.split(key, 3)
        moments, last = rounds(layers, games, play)
        layers, memory = learn(layers, memory, moments, last, teach, optimiser)
        number += 1


if __name__ == "__main__":
    main()
