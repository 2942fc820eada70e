"""Connect Four in Pgx, at random, compiled by JAX for one processor, or for a graphics card: `pgx_connect_four.py BATCH
[cuda]`.

BATCH games step together. A finished game restarts in the next step, so every step is a decision of each game.
"""

import os
import sys
import time
from functools import partial

if sys.argv[2:] == ["cuda"]:
    os.environ["JAX_PLATFORMS"] = "cuda"
else:
    os.environ["JAX_PLATFORMS"] = "cpu"
    if hasattr(os, "sched_setaffinity"):  # before JAX counts the processors
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])

import jax
import jax.numpy as jnp
import pgx
from loop import serve

STEPS = 64  # per call
environment = pgx.make("connect_four")
fresh = environment.init(jax.random.key(0))


def choose(legal: jax.Array, bits: jax.Array) -> jax.Array:
    """A legal action: the one whose running count reaches a drawn rank."""
    rank = bits % legal.sum().astype(jnp.uint32)
    return jnp.argmax(jnp.cumsum(legal) > rank)


def step(carry: tuple[pgx.State, jax.Array], _: None) -> tuple[tuple[pgx.State, jax.Array], jax.Array]:
    """One random decision in every game; returns how many games ended."""
    states, key = carry
    key, drawn = jax.random.split(key)
    bits = jax.random.bits(drawn, (len(states.terminated),))
    states = jax.vmap(environment.step)(states, jax.vmap(choose)(states.legal_action_mask, bits))
    ended = states.terminated

    def renew(new: jax.Array, old: jax.Array) -> jax.Array:
        return jnp.where(ended.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)

    return (jax.tree.map(renew, fresh, states), key), ended.sum()


@partial(jax.jit, donate_argnums=0)
def steps(carry: tuple[pgx.State, jax.Array]) -> tuple[tuple[pgx.State, jax.Array], jax.Array]:
    """STEPS decisions in every game; returns how many games ended."""
    carry, ended = jax.lax.scan(step, carry, None, STEPS)
    return carry, ended.sum()


class Pgx:
    """A batch of games that continues from call to call."""

    def __init__(self, batch: int) -> None:
        self.batch = batch
        states = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (batch, *leaf.shape)).copy(), fresh)
        self.carry = (states, jax.random.key(1, impl="rbg"))

    def __call__(self) -> tuple[int, int]:
        self.carry, ended = steps(self.carry)
        return self.batch * STEPS, int(ended)


if __name__ == "__main__":
    play = Pgx(int(sys.argv[1]))
    play()
    serve(play, time.perf_counter if sys.argv[2:] else time.process_time)
