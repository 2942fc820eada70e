"""Learns the small net of an evaluation (`core.weights.answer`) from games in which everybody looks one action ahead.

A game can have one if its `evaluate` has `counts(state, law, found)`, the counts of the features of every seat, and a
`worth(state, law, seat, weights)` that takes the weights with those of a net. The chance of a seat to win is proportional to the
exponential of the net's answer, and the net is fitted to who won. Rounds: the first is played by the weights to begin with, each
later one by these and the nets of all rounds before, drawn by lot for each seat. A net learns from the games of all rounds so
far; one that met only its own games errs where others go.

Games and fit are compiled loops in one order, so the same seed gives the same net to the digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.jit import rule
from bridgehead.core.kernels import bind_all, next_random, random_below, rules, rules_of, sample_outcome
from bridgehead.core.numerics import exp, log
from bridgehead.core.weights import list_weights
from bridgehead.players import process_pool
from bridgehead.workshop.arena.contest import ContestSetting

Numbers = np.ndarray[Any, Any]
EACH = 25  # games of one request to a worker
MOST = 20_000  # actions of a game
ROWS = 1_000  # most positions of a game
EVERY = 5  # one position in so many is kept: those beside one another say the same
OPENING = 2, 14  # actions by lot at the beginning: at least, and how many more
WANDER = 150  # of 1,000 later actions are by lot
HELD = 5  # one game in so many is not learned from, and says when to stop
EPOCHS, PATIENCE = 12, 4  # at most; without a gain on the games held out
BATCH, RATE, SIZE = 1024, 3e-3, 1e-3  # positions of a step; its length; the price of large weights of hidden units
KEEP_SLOPES, KEEP_SQUARES = 0.9, 0.999  # Adam (D. Kingma, J. Ba, 2015): how long it remembers slopes and their squares


class TrainingGame(NamedTuple):
    """Positions: counts (positions x seats x features), each seat's share of the win, and the number of the game."""

    counts: Numbers
    shares: Numbers
    games: Numbers


class Learned(NamedTuple):
    """A net in the form of a file, and how well it predicts the games held out (cross-entropy; `blind`: knowing nothing)."""

    net: dict[str, Any]
    loss: float
    blind: float


def able(game: Game) -> bool:
    """Whether a net can be learned for this game."""
    return game.spec.evaluate.counts is not None and len(set(game.sides)) == game.seats > 2


def table(game: Game, found: dict[str, Any]) -> Numbers:
    """The weights of a file as a net's: without one, the linear part answers alone."""
    features = game.spec.evaluate.FEATURES
    values = list_weights(found, features, game.spec.id)
    return np.array(values if "net" in found else values + values)


def pad_tables(tables: Sequence[Numbers]) -> Numbers:
    """Tables of one length: hidden units of nothing are added."""
    made = np.zeros((len(tables), max(map(len, tables))))
    for row, numbers in zip(made, tables, strict=True):
        row[: len(numbers)] = numbers
    return made


def play(setting: ContestSetting, players: Sequence[Numbers], games: int, report: Callable[[int], None]) -> TrainingGame:
    """Play games in all processes; the players are drawn by lot for each seat. Games without a winner teach nothing."""
    found = []
    with process_pool.working() as pool:
        asked = [(setting, pad_tables(players), first, min(EACH, games - first)) for first in range(0, games, EACH)]
        for done, each in enumerate(pool.map(_played, asked), start=1):
            found.append(each)
            report(min(games, EACH * done))
    made = TrainingGame(*map(np.concatenate, zip(*found, strict=True)))
    if not len(made.games):
        raise BridgeheadError("players:error.these_games_end_before_anything", setting.game)
    return made


def _played(request: tuple[ContestSetting, Numbers, int, int]) -> TrainingGame:
    """Runs in a worker: the positions of some games."""
    setting, players, first, many = request
    game = setting.make_game()
    evaluate = game.spec.evaluate
    kernel = bind_all(
        (next_random, random_below, sample_outcome, choose_action, play_games),
        rules_of(game.spec, worth=evaluate.worth, counts=evaluate.counts),
        f"{game.spec.id}_nets",
        game.spec.folder,
    )
    origins = [np.random.SeedSequence([setting.seed, number]) for number in range(first, first + many)]
    seeds = np.array([each.generate_state(1, np.uint64)[0] for each in origins])
    rows = np.zeros((many * ROWS, game.seats, len(evaluate.FEATURES)), np.float32)
    numbers, results = np.zeros(len(rows), np.int32), np.zeros((many, game.seats))
    work = game.new_states(2), np.empty(game.max_legal, np.int32), np.zeros(1, np.uint64), np.zeros(game.seats)
    kept = kernel.play_games(game.law, seeds, players, *work, rows, numbers, results)
    numbers = numbers[:kept]
    best = results == results.max(axis=1, keepdims=True)
    shares = (best / best.sum(axis=1, keepdims=True)).astype(np.float32)
    over = np.any(results, axis=1)[numbers]
    return TrainingGame(rows[:kept][over], shares[numbers][over], numbers[over] + first)


def choose_action(state, law, out, count, rng, scratch, seat, weights, result):
    """The action after which the position is worth most by these weights; ties by lot. result: work space."""
    best, chosen, ties = -np.inf, out[0], 0
    for i in range(count):
        scratch[0] = state
        rules.apply(scratch[0], law, out[i])
        if rules.actor(scratch[0], law) == -2:
            rules.returns(scratch[0], law, result)
            now = 1e6 * result[seat]
        else:
            now = rules.worth(scratch[0], law, seat, weights)
        if now > best:
            best, chosen, ties = now, out[i], 1
        elif now == best:
            ties += 1
            if random_below(rng, ties) == 0:
                chosen = out[i]
    return chosen


def play_games(law, seeds, players, states, out, rng, result, rows, numbers, results):
    """Play a game for each seed, and write counts into rows, the numbers of their games, and results; the number of rows."""
    kept, who = 0, np.zeros(len(result), np.int64)
    for game in range(len(seeds)):
        state, made, first = states[0], 0, kept
        rng[0] = seeds[game]
        rules.setup(state, law)
        opening = OPENING[0] + random_below(rng, OPENING[1])
        for seat in range(len(who)):
            who[seat] = random_below(rng, len(players))
        for _ in range(MOST):
            seat = rules.actor(state, law)
            if seat == -2:
                rules.returns(state, law, results[game])
                break
            count = rules.legal(state, law, out)
            if seat == -1:
                rules.apply(state, law, sample_outcome(state, law, out, count, rng))
                continue
            made += 1
            if made <= opening or random_below(rng, 1000) < WANDER:
                action = out[random_below(rng, count)]
            else:
                action = choose_action(state, law, out, count, rng, states[1:], seat, players[who[seat]], result)
            rules.apply(state, law, action)
            if made > opening and kept < first + ROWS and rules.actor(state, law) != -2 and random_below(rng, EVERY) == 0:
                rules.counts(state, law, rows[kept])
                numbers[kept] = game
                kept += 1
    return kept


# Fitting: one vector of numbers in the order of `core.weights.answer`: linear part, biases, outputs, weights of the hidden units.


def fit(played: TrainingGame, features: Sequence[str], units: int, scale: float, seed: int) -> Learned:
    """The net that predicts the shares best, as a file holds it. Errors: BridgeheadError for too few positions."""
    held = played.games % HELD == HELD - 1
    if (learned := int((~held).sum())) < BATCH or not held.any():
        raise BridgeheadError("players:error.positions_net_too_few", "games", count=learned, count2=BATCH)
    rows = played.counts.astype(np.float64)
    middle, spread = rows[~held].mean(axis=(0, 1)), rows[~held].std(axis=(0, 1)) + 1e-9
    rows = (rows - middle) / spread
    shares, many, lot = played.shares.astype(np.float64), len(features), np.random.default_rng(seed)
    net = np.zeros(many + units * (many + 2))
    bias, output = many, many + units
    net[bias:output] = 0.2 * (lot.random(units) - 0.5)
    net[output : output + units] = 0.1 * (lot.random(units) - 0.5) / math.sqrt(units)
    net[output + units :] = 3.4 * (lot.random(units * many) - 0.5) / math.sqrt(many)  # as spread out as normal ones of 1 / root
    memory, left = np.zeros((2, len(net))), np.ones(2)
    order, tested = np.flatnonzero(~held), np.flatnonzero(held)
    best, kept, since = math.inf, net.copy(), 0
    for epoch in range(EPOCHS):
        rate = RATE * 0.5 * (1 + math.cos(math.pi * epoch / EPOCHS))
        learned_once(rows, shares, lot.permutation(order), units, net, memory, left, rate)
        loss = entropy(rows, shares, tested, units, net)
        since = 0 if loss < best else since + 1
        if loss < best:
            best, kept = loss, net.copy()
        if since == PATIENCE:
            break
    mean = np.clip(shares[~held].mean(axis=0), 1e-12, 1)
    blind = float(-(shares[held] @ np.log(mean)).mean())
    return Learned(encode_net(kept, features, units, middle, spread, scale), best, blind)


@rule
def run_net(row: Numbers, units: int, net: Numbers, hidden: Numbers) -> Any:
    """The net's answer to scaled counts of a seat; writes the hidden units before what is below 0 is cut off."""
    many = len(row)
    output, at, total = many + units, many + 2 * units, 0.0
    for unit in range(units):
        hidden[unit] = net[many + unit]
    for number in range(many):
        total += net[number] * row[number]
        for unit in range(units):
            hidden[unit] += net[at + unit] * row[number]
        at += units
    for unit in range(units):
        total += net[output + unit] * max(hidden[unit], 0.0)
    return total


@rule
def chances(rows: Numbers, units: int, net: Numbers, hidden: Numbers, likely: Numbers) -> None:
    """The chance of each seat."""
    highest, total = -1e300, 0.0
    for seat in range(len(likely)):
        likely[seat] = run_net(rows[seat], units, net, hidden[seat])
        highest = max(highest, likely[seat])
    for seat in range(len(likely)):
        likely[seat] = exp(likely[seat] - highest)
        total += likely[seat]
    for seat in range(len(likely)):
        likely[seat] /= total


@rule
def entropy(rows: Numbers, shares: Numbers, order: Numbers, units: int, net: Numbers) -> Any:
    """The cross-entropy of these positions."""
    seats, total = rows.shape[1], 0.0
    hidden, likely = np.empty((seats, units)), np.empty(seats)
    for at in order:
        chances(rows[at], units, net, hidden, likely)
        for seat in range(seats):
            if shares[at, seat] > 0.0:
                total -= shares[at, seat] * log(max(likely[seat], 1e-12))
    return total / len(order)


@rule
def learned_once(
    rows: Numbers, shares: Numbers, order: Numbers, units: int, net: Numbers, memory: Numbers, left: Numbers, rate: float
) -> None:
    """Learn from each position once. memory: Adam's means and squares; left: what is left of its first step."""
    seats, many = rows.shape[1], rows.shape[2]
    hidden, likely, slopes = np.empty((seats, units)), np.empty(seats), np.zeros(len(net))
    means, squares = memory[0], memory[1]
    for i in range(len(order)):
        at = order[i]
        chances(rows[at], units, net, hidden, likely)
        for seat in range(seats):
            blame(rows[at, seat], likely[seat] - shares[at, seat], units, net, hidden[seat], slopes)
        if (i + 1) % BATCH == 0:
            left[0] *= KEEP_SLOPES
            left[1] *= KEEP_SQUARES
            for k in range(len(net)):
                slope = slopes[k] / BATCH
                if k >= many + units:
                    slope += SIZE * net[k]
                means[k] = KEEP_SLOPES * means[k] + (1 - KEEP_SLOPES) * slope
                squares[k] = KEEP_SQUARES * squares[k] + (1 - KEEP_SQUARES) * slope * slope
                net[k] -= rate * (means[k] / (1 - left[0])) / (np.sqrt(squares[k] / (1 - left[1])) + 1e-8)
                slopes[k] = 0.0


@rule
def blame(row: Numbers, miss: Any, units: int, net: Numbers, hidden: Numbers, slopes: Numbers) -> None:
    """Add the slopes of one seat's answer, which was too high by `miss`."""
    many = len(row)
    output, at = many + units, many + 2 * units
    for unit in range(units):
        slopes[output + unit] += miss * max(hidden[unit], 0.0)
        hidden[unit] = miss * net[output + unit] if hidden[unit] > 0.0 else 0.0
        slopes[many + unit] += hidden[unit]
    for number in range(many):
        slopes[number] += miss * row[number]
        for unit in range(units):
            slopes[at + unit] += hidden[unit] * row[number]
        at += units


def encode_net(
    net: Numbers, features: Sequence[str], units: int, middle: Numbers, spread: Numbers, scale: float
) -> dict[str, Any]:
    """The net for counts as they are, in units of the evaluation, as a file holds it."""
    many = len(features)
    rows = net[many + 2 * units :].reshape(many, units) / spread[:, None]
    bias = net[many : many + units] - middle @ rows

    def name_numbers(numbers: Numbers) -> dict[str, float]:
        return {name: float(f"{number:.6g}") for name, number in zip(features, numbers, strict=True)}

    return {
        "weights": name_numbers(scale * net[:many] / spread),
        "units": [
            {
                "weights": name_numbers(rows[:, unit]),
                "bias": float(f"{bias[unit]:.6g}"),
                "output": float(f"{scale * net[many + units + unit]:.6g}"),
            }
            for unit in range(units)
        ],
    }  # fmt: skip
