"""Templates of compiled loops for training: one step of a batch of games with masks, observations, rewards and new games.

They are bound to a game as those of `core.kernels` are. `places`, `constant`, `scale`, `own` and `ids` are the tables of
`environments.Observer`. `seen` holds the states once more, or their bytes for games without an observation of their own.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace

from bridgehead.core.jit import COMPILED
from bridgehead.core.kernels import PIECES, bind_all, random_below, rules, rules_of, sample_outcome
from bridgehead.core.spec import Spec

STAY, NEXT_STEP, SAME_STEP = range(3)  # a finished game: stays, starts again in the next step, or at once
TRIES = 1000  # starts of a game in which the agent comes to act


def play_until(state, law, out, rng, action, agent, rival):
    """Play an action (none if negative), then chance, until a seat has to act; return it, or OVER.

    rival: 1 lets all seats but `agent` play at random, unless that is negative.
    """
    while True:
        if action >= 0:
            rules.apply(state, law, action)
        seat = rules.actor(state, law)
        if seat == -2 or (seat >= 0 and (rival == 0 or agent < 0 or seat == agent)):
            return seat
        count = rules.legal(state, law, out)
        action = sample_outcome(state, law, out, count, rng) if seat == -1 else out[random_below(rng, count)]


def fill(row, value):
    """Write one value everywhere. Compiled, a loop is twice as fast as a slice; plain, it is slow."""
    if not COMPILED:
        row[:] = value
        return
    for i in range(len(row)):
        row[i] = value


def copy_row(row, values):
    """Write these values."""
    if not COMPILED:
        row[:] = values
        return
    for i in range(len(row)):
        row[i] = values[i]


def write_view(state, seen, law, out, places, constant, scale, own, viewer, mask, planes, numbers):
    """Write what a seat sees, and its legal actions: none unless it is the seat to act."""
    fill(mask, False)
    copy_row(planes, constant[viewer])
    fill(numbers, 0.0)
    if rules.actor(state, law) == viewer:
        for i in range(rules.legal(state, law, out)):
            mask[own[viewer, out[i]]] = True
        numbers[len(numbers) - 1] = 1.0
    rules.observe(seen, law, places, viewer, planes, numbers)
    for i in range(len(scale)):
        numbers[i] *= scale[i]


def look_games(
    first, stride, law, out, rng, scratch, places, constant, scale, own, ids, states, seen, viewers, mask, planes, numbers
):
    """Write what a seat sees in each game. viewers: the seats."""
    for g in range(first, len(states), stride):
        write_view(states[g], seen[g], law, out, places, constant, scale, own, viewers[g], mask[g], planes[g], numbers[g])


def wrong_games(first, stride, law, out, rng, scratch, places, constant, scale, own, ids, states, actions, ended, wrong):
    """Mark every running game whose action is not legal. A negative one leaves a game as it is."""
    for g in range(first, len(states), stride):
        wrong[g] = False
        if not ended[g] and actions[g] >= 0:
            seat = rules.actor(states[g], law)
            wrong[g] = seat < 0 or actions[g] >= ids.shape[1] or rules.refusal(states[g], law, ids[seat, actions[g]]) != 0


def chosen_games(first, stride, law, out, rng, scratch, places, constant, scale, own, ids, states, rngs, actions):
    """Choose a legal action at random in each running game; -1 in the others."""
    for g in range(first, len(states), stride):
        seat = rules.actor(states[g], law)
        actions[g] = -1
        if seat >= 0:
            rng[0] = rngs[g]
            actions[g] = own[seat, out[random_below(rng, rules.legal(states[g], law, out))]]
            rngs[g] = rng[0]


def next_seat(
    g, law, out, rng, action, fresh, states, starts, lengths, rewards, terminated, truncated, agent, limit, again, rival
):
    """Play an action, or start the game again, until a seat has to act, which is returned. At the end the game starts again where
    `again` is SAME_STEP.
    """
    state, seat, tries = states[g], -2, TRIES
    while fresh or action >= 0:
        if fresh:
            if len(starts):
                states[g] = starts[g]
            else:
                rules.setup(state, law)
            lengths[g], action = 0, -1
        seat = play_until(state, law, out, rng, action, agent, rival)
        if fresh:  # a game that ends before the agent's first decision is not shown
            tries -= 1
            fresh = seat == -2 and tries > 0
            continue
        action = -1
        lengths[g] += 1
        terminated[g] = seat == -2
        truncated[g] = seat != -2 and lengths[g] >= limit
        if seat == -2:
            rules.returns(state, law, rewards[g])
        fresh = again == SAME_STEP and (terminated[g] or truncated[g])
    return seat


def advance_games(
    first, stride, law, out, rng, scratch, places, constant, scale, own, ids, states, seen, starts, rngs, agents, viewers, actors,
    lengths, rewards, terminated, truncated, mask, planes, numbers, actions, begin, limit, again, rival
):  # fmt: skip
    """Play an action in each game, pay rewards, start finished games again, and write what the seats see.

    starts: the first position of each game; empty if the rules set it up. agents: the seat that learns, -1 for all. actions: as
    the seat to act sees them, negative to leave a game as it is. begin: games to start now. limit: decisions of a game.
    """
    for g in range(first, len(states), stride):
        state, before = states[g], rules.actor(states[g], law)
        rng[0] = rngs[g]
        for seat in range(rewards.shape[1]):
            rewards[g, seat] = 0.0
        ended = (terminated[g] or truncated[g]) and again != SAME_STEP
        fresh = begin[g] or (ended and again == NEXT_STEP)
        action = -1
        if fresh or again == SAME_STEP:
            terminated[g] = truncated[g] = False
        if not fresh and not ended and actions[g] >= 0:
            action = ids[before, actions[g]]
        if not fresh and action < 0:  # what the arrays show is still so
            continue
        seat = next_seat(
            g, law, out, rng, action, fresh, states, starts, lengths, rewards, terminated, truncated, agents[g], limit, again,
            rival
        )  # fmt: skip
        rngs[g] = rng[0]
        actors[g] = seat
        if agents[g] >= 0:
            viewers[g] = agents[g]
        elif seat >= 0 or before >= 0:
            viewers[g] = seat if seat >= 0 else before
        write_view(state, seen[g], law, out, places, constant, scale, own, viewers[g], mask[g], planes[g], numbers[g])


@functools.cache
def training_kernels(spec: Spec) -> SimpleNamespace:
    """The loops above for one game."""
    rules = rules_of(spec, observe=spec.observation.observe, refusal=spec.rules.refusal)
    return bind_all(
        (*PIECES, play_until, fill, copy_row, write_view, look_games, wrong_games, chosen_games, next_seat, advance_games),
        rules,
        spec.id,
        spec.folder,
    )
