"""Traces of single games: actors, numbers of legal actions, actions, and the evaluation before each of them.

A game is a pure function of its house rules, its players and its seed. Chance is keyed by purpose (turn, use within the
turn), and every seat has its own generator. So an additional draw under a house rule does not change all later draws.
Names of rules are globals that `loops(spec)` binds to one game; here they are only declared.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Game, Position
from bridgehead.core.kernels import GOLDEN, MIX_1, bind_all, greedy, kernels, random_below, rules, rules_of, sample_outcome
from bridgehead.core.spec import CHANCE, OVER, Spec

SKILLS = ("random", "greedy")  # players of the compiled loop
CERTAIN = 1e6  # an evaluation far beyond all others
AHEAD = 8  # actions of one seat after a draw that are looked at to tell what the draw is worth
Array = np.ndarray[Any, Any]
NONE = np.empty(0, np.bool_)  # no action is avoided


class Draws(NamedTuple):
    """All outcomes of all chance events of a game, one after the other.

    first: index of each event's first outcome; drawn: of the one that occurred. weights: of each outcome; values: the evaluation
    for each seat once the seat that acts after it has used it greedily, CERTAIN times the result where the game is over; actors:
    who acts then.
    """

    first: Array
    drawn: Array
    weights: Array
    values: Array
    actors: Array


class GameTrace(NamedTuple):
    """A game as played, one entry per action: the actor (a seat or CHANCE), the action, the number of legal actions,
    the turns finished before.

    values: the evaluation for each seat before each action, or None; draws: where they were followed. returns: each seat's
    result; reason: index in `rules.REASONS`, 0 if cut off.
    """

    actors: Array
    actions: Array
    counts: Array
    turns: Array
    values: Array | None
    draws: Draws | None
    returns: Array
    reason: int


def trace_game(
    state, law, given, skill, avoided, opening, dice, lots, rng, weigh, out, scratch, actors, actions, counts, turns, values
):
    """Play one game from the start and record every action; returns their number.

    given: actions to replay (then the game stops), or none: seats play by skill (0 random, 1 greedy; each seat's first actions
    at random, as many as its entry in `opening`, which counts down), each with its generator in `lots`, and chance with `dice`.
    avoided: the actions that greedy seats leave out if there are others; none if empty. The arrays' length limits the game.
    """
    rules.setup(state, law)
    turn, use, limit = -1, 0, len(actions)
    if len(given):
        limit = min(limit, len(given))
    for at in range(limit):
        seat = rules.actor(state, law)
        if seat == -2:
            return at
        count = rules.legal(state, law, out)
        actors[at], counts[at], turns[at] = seat, count, state.turns
        if weigh:
            for each in range(len(lots)):
                values[at, each] = rules.value(state, law, each)
        if len(given):
            action = given[at]
        elif seat == -1:
            use = use + 1 if state.turns == turn else 0
            turn = int(state.turns)
            rng[0] = dice + GOLDEN * np.uint64(turn + 1) + MIX_1 * np.uint64(use + 1)
            action = sample_outcome(state, law, out, count, rng)
        else:
            rng[0] = lots[seat]
            thinks = skill[seat] and opening[seat] <= 0
            opening[seat] -= 1
            if thinks and len(avoided):
                free = 0
                for i in range(count):
                    if not avoided[out[i]]:
                        out[free] = out[i]
                        free += 1
                count = free if free else count
            action = greedy(state, law, out, count, rng, scratch, seat) if thinks else out[random_below(rng, count)]
            lots[seat] = rng[0]
        actions[at] = action
        rules.apply(state, law, action)
    return limit


def evaluate_outcomes(state, law, actions, actors, out, options, rng, scratch, trial, result, drawn, weights, values, next_):
    """Replay a game and evaluate every outcome of every chance event: fills drawn, weights, values and next_ (see `Draws`).

    An evaluation does not see the die that a seat has still to use, so the seat that acts after the outcome first goes on
    greedily, while it acts and AHEAD times at most.
    """
    rules.setup(state, law)
    event, made = 0, 0
    for at in range(len(actions)):
        if actors[at] == -1:
            for i in range(rules.legal(state, law, out)):
                if out[i] == actions[at]:
                    drawn[event] = made
                weights[made] = rules.weight(state, law, out[i])
                scratch[0] = state
                rules.apply(scratch[0], law, out[i])
                rng[0] = GOLDEN * np.uint64(at + 1)
                seat = first = rules.actor(scratch[0], law)
                for _ in range(AHEAD):
                    if seat < 0 or seat != first:
                        break
                    count = rules.legal(scratch[0], law, options)
                    rules.apply(scratch[0], law, greedy(scratch[0], law, options, count, rng, trial, seat))
                    seat = rules.actor(scratch[0], law)
                next_[made] = seat
                if seat == -2:
                    rules.returns(scratch[0], law, result)
                for each in range(len(result)):
                    values[made, each] = CERTAIN * result[each] if seat == -2 else rules.value(scratch[0], law, each)
                made += 1
            event += 1
        rules.apply(state, law, actions[at])


def trace_random_game(state, law, dice, lots, rng, out, actors, actions, counts, turns):
    """A faster `trace_game` for random players without values: it calls each rule in one place, so the compiler inlines it."""
    turn, use = -1, 0
    rules.setup(state, law)
    for at in range(len(actions)):
        seat = rules.actor(state, law)
        if seat == -2:
            return at
        count = rules.legal(state, law, out)
        actors[at], counts[at], turns[at] = seat, count, state.turns
        if seat == -1:
            use = use + 1 if state.turns == turn else 0
            turn = int(state.turns)
            rng[0] = dice + GOLDEN * np.uint64(turn + 1) + MIX_1 * np.uint64(use + 1)
            action = sample_outcome(state, law, out, count, rng)
        else:
            rng[0] = lots[seat]
            action = out[random_below(rng, count)]
            lots[seat] = rng[0]
        actions[at] = action
        rules.apply(state, law, action)
    return len(actions)


@functools.cache
def loops(spec: Spec) -> SimpleNamespace:
    """The loops bound to one game, compiled at their first call."""
    found = kernels(spec)
    names = {name: getattr(found, name) for name in ("sample_outcome", "random_below", "greedy")}
    return bind_all((trace_game, trace_random_game, evaluate_outcomes), rules_of(spec), spec.id, spec.folder, **names)


class Tracer:
    """Plays and traces games of one kind, with reused work space. limit: most actions of a game."""

    def __init__(self, game: Game, limit: int) -> None:
        self.game = game
        self.limit = limit
        self._states, self._scratch, self._trial = (game.new_states(1) for _ in range(3))
        self._out, self._options = np.empty(game.max_legal, np.int32), np.empty(game.max_legal, np.int32)
        self._actors, self._counts = np.empty(limit, np.int8), np.empty(limit, np.int32)
        self._actions, self._turns = np.empty(limit, np.int32), np.empty(limit, np.int32)
        self._values = np.empty((0, game.seats), np.float32)
        self._rng = np.zeros(1, np.uint64)

    def play(
        self, players: Sequence[str], seed: str, weigh: bool = False, opening: int = 0, most: int = 0, follow: bool = True
    ) -> GameTrace:
        """One game: a player's name per seat (see `action_kinds.make_entrant`), all chance and lots from the seed.

        opening: random actions of each seat at the start; most: limit of actions, 0: the tracer's. weigh: with values; follow:
        with the draws, too.
        """
        if (simple := self._read_simple(players)) is not None:
            return self._run(np.empty(0, np.int32), *simple, seed, weigh, opening, most, follow)
        given = moves(self.game, players, seed, most or self.limit, opening)
        return self._run(given, np.zeros(self.game.seats, np.int8), NONE, "", weigh, follow=follow)

    def _read_simple(self, players: Sequence[str]) -> tuple[Array, Array] | None:
        """The skill of each seat and the actions avoided, if all are of SKILLS and avoid the same kind of action; else None."""
        from bridgehead.workshop.lab.action_kinds import WORD, kinds

        bases, left_out = zip(*((base, kind) for base, _, kind in (name.partition(WORD) for name in players)), strict=True)
        if len({*left_out}) > 1 or not {*bases} <= {*SKILLS}:
            return None
        skill, found = np.array([SKILLS.index(base) for base in bases], np.int8), kinds(self.game)
        return skill, found.of == found.names.index(left_out[0]) if left_out[0] else NONE

    def _run(
        self, given: Array, skill: Array, avoided: Array, seed: str, weigh: bool, opening: int = 0, most: int = 0,
        follow: bool = True,
    ) -> GameTrace:  # fmt: skip
        if weigh and len(self._values) < self.limit:
            self._values = np.empty((self.limit, self.game.seats), np.float32)
        words = np.frombuffer(hashlib.blake2b(seed.encode(), digest_size=8 * (1 + self.game.seats)).digest(), np.uint64)
        rules, state, law, lots = self.game.spec.rules, self._states[0], self.game.law, words[1:].copy()
        kept = [each[: most or self.limit] for each in (self._actors, self._actions, self._counts, self._turns)]
        loop, result, reason = loops(self.game.spec), np.zeros(self.game.seats), 0
        if len(given) or weigh or skill.any():
            work, openings = (self._rng, weigh, self._out, self._scratch), np.full(self.game.seats, opening)
            made = loop.trace_game(state, law, given, skill, avoided, openings, words[0], lots, *work, *kept, self._values)
        else:
            made = loop.trace_random_game(state, law, words[0], lots, self._rng, self._out, *kept)
        if rules.actor(state, law) == OVER:
            rules.returns(state, law, result)
            reason = int(state.reason)
        actors, actions, counts, turns = (each[:made].copy() for each in kept)
        values = self._values[:made].copy() if weigh else None
        draws = self._fan(actors, actions, counts) if weigh and follow else None
        return GameTrace(actors, actions, counts, turns, values, draws, result, reason)

    def _fan(self, actors: Array, actions: Array, counts: Array) -> Draws:
        """The outcomes of all chance events of a game."""
        each = counts[actors == CHANCE]
        drawn, weights = np.zeros(len(each), np.int64), np.zeros(each.sum(), np.float64)
        values, next_ = np.zeros((each.sum(), self.game.seats), np.float64), np.zeros(each.sum(), np.int8)
        if len(each):
            work = (self._out, self._options, self._rng, self._scratch, self._trial, np.zeros(self.game.seats))
            loops(self.game.spec).evaluate_outcomes(
                self._states[0], self.game.law, actions, actors, *work, drawn, weights, values, next_
            )
        return Draws(np.cumsum(each) - each, drawn, weights, values, next_)


class PurposeDealer(SeededDealer):
    """Deals by a seed, keyed by the turn and the use within it: other draws do not shift this one."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self._turn, self._use = -1, 0

    def deal(self, position: Position, index: int) -> int:
        self._use = self._use + 1 if position.turn == self._turn else 0
        self._turn = position.turn
        return self.draw(position.legal, position.weights, 1000 * self._turn + self._use)


def moves(game: Game, players: Sequence[str], seed: str, limit: int, opening: int = 0) -> Array:
    """All actions of a game between players by name, including chance. opening: random actions of each seat at the start."""
    from bridgehead.workshop.lab.action_kinds import make_entrant

    dealer, lot = PurposeDealer(f"chance:{seed}"), SeededDealer(f"opening:{seed}")
    seated = [make_entrant(name, f"{seed}:{seat}") for seat, name in enumerate(players)]
    position, openings = game.start(), [opening] * game.seats
    found: list[int] = []
    while position.actor != OVER and len(found) < limit:
        if position.actor == CHANCE:
            action = dealer.deal(position, 0)
        elif openings[position.actor] > 0:
            openings[position.actor] -= 1
            action = lot.pick(position.legal, len(found))
        else:
            action = seated[position.actor].choose(position)
        found.append(action)
        position = position.play(action)
    return np.array(found, np.int32)
