"""Templates of compiled loops over the rules of any game: playouts, counting of paths, one-ply choices.

A template calls `rules`, a global that `bind_all` binds to one game; here it is only declared, for all templates. A template
that calls another one calls the copy that is bound to the same game.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Protocol, cast

import numpy as np

from bridgehead.core.interface import Rule
from bridgehead.core.jit import COMPILED, bind
from bridgehead.core.spec import Spec


class Rules(Protocol):
    """What templates call: the rules of one game, and its evaluation. A loop calls only what its games have."""

    setup: Rule
    actor: Rule
    legal: Rule
    refusal: Rule
    weight: Rule
    apply: Rule
    returns: Rule
    observe: Rule  # what a seat sees (`observation.py`)
    value: Rule  # the others: `EvaluateModule`
    worth: Rule
    judge_all: Rule
    counts: Rule
    material: Rule
    identity: Rule
    turns_left: Rule
    ends_by_way: Rule
    may_end_by_way: Rule
    loud: Rule
    look_up_plies: Rule


rules = cast("Rules", SimpleNamespace())  # `bind_all` puts a game's in its place

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


def next_random(rng):
    """The next 64 random bits of a SplitMix64 generator (Steele, Lea, Flood 2014); `rng` is one uint64 in an array."""
    rng[0] += GOLDEN
    z = rng[0]
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


def random_below(rng, n):
    """A random whole number from 0 to n - 1, by multiply and shift; its bias is below n / 2**32."""
    return int(((next_random(rng) >> S32) * np.uint64(n)) >> S32)


def sample_outcome(state, law, out, count, rng):
    """One of the `count` outcomes of chance in `out`, by weight."""
    total = 0
    for i in range(count):
        total += rules.weight(state, law, out[i])
    left = random_below(rng, total)
    for i in range(count):
        left -= rules.weight(state, law, out[i])
        if left < 0:
            return out[i]
    return out[count - 1]


def choose(state, law, out, rng, chance):
    """A legal action at random: uniform for a seat, by weight for chance. -1 if there is none."""
    count = rules.legal(state, law, out)
    if count == 0:
        return -1
    return sample_outcome(state, law, out, count, rng) if chance else out[random_below(rng, count)]


def greedy(state, law, out, count, rng, scratch, seat):
    """The one of `count` legal actions in `out` with the best `value` for the seat; a tie is decided at random.

    scratch: one state of work space.
    """
    best, chosen, ties = -np.inf, out[0], 0
    for i in range(count):
        scratch[0] = state
        rules.apply(scratch[0], law, out[i])
        worth = rules.value(scratch[0], law, seat)
        if worth > best:
            best, chosen, ties = worth, out[i], 1
        elif worth == best:
            ties += 1
            if random_below(rng, ties) == 0:
                chosen = out[i]
    return chosen


def play_on(state, law, out, rng, limit):
    """Play at random to the end, at most `limit` actions; return the number of decisions of seats and of chance actions.

    Each rule is called in one place, because a rule is compiled once for every place.
    """
    decisions, chances = 0, 0
    for _ in range(limit):
        seat = rules.actor(state, law)
        if seat == -2:
            break
        count = rules.legal(state, law, out)
        rules.apply(state, law, sample_outcome(state, law, out, count, rng) if seat == -1 else out[random_below(rng, count)])
        chances += seat == -1
        decisions += seat != -1
    return decisions, chances


def play_games(states, law, seeds, limit, skill, out, lengths, results):
    """Play each state to its end: `skill[seat]` 0 plays at random, 1 greedily.

    seeds: one uint64 per game; limit: most actions per game. Fills lengths (decisions of seats per game) and results
    (returns per game and seat). Returns the numbers of decisions and of chance actions.
    """
    rng = np.zeros(1, np.uint64)
    scratch = states[:1].copy()
    decisions, chances = 0, 0
    for g in range(len(states)):
        state = states[g]
        rng[0] = seeds[g]
        rules.setup(state, law)
        made = 0
        for _ in range(limit):
            seat = rules.actor(state, law)
            if seat == -2:
                break
            count = rules.legal(state, law, out)
            if seat == -1:
                chances += 1
                action = sample_outcome(state, law, out, count, rng)
            else:
                made += 1
                action = greedy(state, law, out, count, rng, scratch, seat) if skill[seat] else out[random_below(rng, count)]
            rules.apply(state, law, action)
        lengths[g] = made
        decisions += made
        if rules.actor(state, law) == -2:
            rules.returns(state, law, results[g])
    return decisions, chances


def random_games(state, law, seed, games, limit, out):
    """Play `games` random games in one state; return the numbers of decisions and chance actions. It measures speed."""
    rng = np.zeros(1, np.uint64)
    rng[0] = seed
    decisions, chances = 0, 0
    for _ in range(games):
        rules.setup(state, law)
        made, drawn = play_on(state, law, out, rng, limit)
        decisions += made
        chances += drawn
    return decisions, chances


def perft(states, law, depth, out, counts, next_index):
    """Number of action sequences of length `depth` from states[0]; chance outcomes count as branches.

    states: depth + 1 records; out: (depth + 1) x max_legal; counts, next_index: depth + 1 numbers of work space.
    """
    if depth == 0:
        return 1
    total, level, entered = 0, 0, True
    while level >= 0:
        if entered:
            next_index[level] = 0
            counts[level] = rules.legal(states[level], law, out[level]) if rules.actor(states[level], law) != -2 else 0
            entered = False
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif next_index[level] == counts[level]:
            level -= 1
        else:
            action = out[level, next_index[level]]
            next_index[level] += 1
            states[level + 1] = states[level]
            rules.apply(states[level + 1], law, action)
            level += 1
            entered = True
    return total


# Loops over a batch. Each takes every `stride`-th game from `first` on, so a thread of a processor and a thread of a graphics
# card run the same code. `out`, `rng` and `scratch` (legal actions, one generator, one state) are its own work space.


def deal_on(state, law, out, rng):
    """Let chance act until a seat has to."""
    while rules.actor(state, law) == -1:
        rules.apply(state, law, sample_outcome(state, law, out, rules.legal(state, law, out), rng))


def start_games(first, stride, law, out, rng, scratch, states, rngs):
    """Set up every game and let chance act until a seat has to; rngs: one generator per game."""
    for g in range(first, len(states), stride):
        rng[0] = rngs[g]
        rules.setup(states[g], law)
        deal_on(states[g], law, out, rng)
        rngs[g] = rng[0]


def step_games(first, stride, law, out, rng, scratch, states, rngs, actions):
    """Play one action in each running game, then let chance act until a seat has to."""
    for g in range(first, len(states), stride):
        if rules.actor(states[g], law) != -2:
            rng[0] = rngs[g]
            rules.apply(states[g], law, actions[g])
            deal_on(states[g], law, out, rng)
            rngs[g] = rng[0]


def legal_games(first, stride, law, out, rng, scratch, states, mask):
    """Mark the legal actions of every game in `mask` (games x action ids, all False before)."""
    for g in range(first, len(states), stride):
        if rules.actor(states[g], law) != -2:
            for i in range(rules.legal(states[g], law, out)):
                mask[g, out[i]] = True


def refused_games(first, stride, law, out, rng, scratch, states, actions, refused):
    """Mark in `refused` every running game whose action is not legal."""
    for g in range(first, len(states), stride):
        if rules.actor(states[g], law) != -2:
            found = False
            for i in range(rules.legal(states[g], law, out)):
                found = found or out[i] == actions[g]
            refused[g] = not found


def finish_games(first, stride, law, out, rng, scratch, states, rngs, limit, lengths, results):
    """Play every game on at random to its end, at most `limit` actions; fills decisions and returns of each."""
    for g in range(first, len(states), stride):
        scratch[0] = states[g]
        rng[0] = rngs[g]
        lengths[g], _ = play_on(scratch[0], law, out, rng, limit)
        if rules.actor(scratch[0], law) == -2:
            rules.returns(scratch[0], law, results[g])
        states[g] = scratch[0]
        rngs[g] = rng[0]


def seat_games(first, stride, law, out, rng, scratch, states, seats):
    """The actor in each game."""
    for g in range(first, len(states), stride):
        seats[g] = rules.actor(states[g], law)


PIECES = (next_random, random_below, sample_outcome, choose, greedy, play_on, deal_on)
CHOOSING = (sample_outcome, greedy)  # for searches, which may have their own outcomes of chance and weights
LOOPS = (play_games, random_games, perft, start_games, step_games, legal_games, refused_games, finish_games, seat_games)


def rules_of(spec: Spec, **more: Rule | None) -> ModuleType:
    """`Rules` of a game: a module, because compiled code calls the members of nothing else. more: further ones, or others."""
    made, rules = ModuleType("rules"), spec.rules
    given = {"setup": rules.setup, "actor": rules.actor, "legal": rules.legal, "weight": rules.weight}
    given |= {"apply": rules.apply, "returns": rules.returns, "value": spec.evaluate.value}
    for name, function in (given | more).items():
        if function is not None:
            setattr(made, name, function)
    return made


def bind_all(
    templates: Iterable[Callable[..., Any]], rules: ModuleType, mark: str, folder: Path, **others: Any
) -> SimpleNamespace:
    """Bind each template to the rules, to `others` by their names and to the templates before it; return all of them.

    Each is compiled when it is first called. mark: distinguishes games and weights; folder: the game's.
    """
    names, found = {"rules": rules, **others}, SimpleNamespace()
    for template in templates:
        made = names[template.__name__] = bind(template, names, mark, folder)
        wrapping = np.errstate(over="ignore")  # plain NumPy warns about the intended overflow in generators and hashes
        setattr(found, template.__name__, made if COMPILED else wrapping(made))
    return found


@functools.cache
def kernels(spec: Spec) -> SimpleNamespace:
    """The loops above for one game: `play_games`, `perft`, `choose`, `step_games`…"""
    return bind_all((*PIECES, *LOOPS), rules_of(spec), spec.id, spec.folder)
