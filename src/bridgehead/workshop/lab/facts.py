"""The facts of a game: one row of numbers, from which the lab answers all questions."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.jit import rule
from bridgehead.players.bends import STRAIGHT, load_curve, table
from bridgehead.workshop.arena.calibration import BINS, apply_chance_table, bin_chances, of_sides
from bridgehead.workshop.lab.action_kinds import kinds
from bridgehead.workshop.lab.tracing import Draws, GameTrace

MOST_SEATS = 8
PARTS = 10  # tenths of a game
SURE = 0.8  # part of the way from an even chance to certainty; a side whose win chance stays beyond it has decided the game
BEHIND = 0.5  # part of an even chance; a winner with at most this at half time came back
SWING = 0.10  # an action that changes a side's win chance this much is a swing

# number: of the game, which is also its seed; result: of each seat, from -1 (lost) to 1 (won); reason: index in
# `rules.REASONS`, 0 if cut off. order: the seats by their first actions; -1 after the last that acted. plies: actions of seats;
# decisions: those with a choice, by seat; forced: plies without a choice; wait: mean number of other seats' plies between two
# of a seat; longest_wait: the maximum; gone: share of the game after a seat's last ply. branching: mean number of legal actions
# by tenth of the game; widest: the maximum. If the game was weighed (calibrated win chances of sides by the evaluation): leads:
# changes of the lead; drama: the winner's mean distance below an even chance while below it, as a part of that; doubt:
# uncertainty of the result by tenth (1: even, 0: decided); decided: share of the game after which the winner stays `sure`; back:
# the winner's chance at half time; dealt: the sum of what draws changed in each side's chance, each against the mean of its
# outcomes, NaN if draws were not followed; bins: the chances beside the result, for their calibration error
# (`calibration.bin_chances`). In every game (see `dtype`): did: actions of each kind (`action_kinds.kinds`) by seat;
# swung: swings among them, if the game was weighed.
FACTS: list[Any] = [
    ("number", np.int64),
    ("result", np.float64, (MOST_SEATS,)),
    ("reason", np.int16),
    ("order", np.int8, (MOST_SEATS,)),
    ("plies", np.int32),
    ("chances", np.int32),
    ("turns", np.int32),
    ("decisions", np.int32, (MOST_SEATS,)),
    ("forced", np.int32),
    ("wait", np.float64, (MOST_SEATS,)),
    ("longest_wait", np.int32),
    ("gone", np.float64, (MOST_SEATS,)),
    ("branching", np.float64, (PARTS,)),
    ("widest", np.int32),
    ("weighed", np.bool_),
    ("leads", np.int32),
    ("drama", np.float64),
    ("doubt", np.float64, (PARTS,)),
    ("decided", np.float64),
    ("back", np.float64),
    ("dealt", np.float64, (MOST_SEATS,)),
    ("bins", np.float64, (BINS, 3)),
]

Array = np.ndarray[Any, Any]


@functools.lru_cache(8)
def dtype(game: Game) -> np.dtype[Any]:
    """The dtype of a row: FACTS, and the columns by kind of action."""
    number = len(kinds(game).names)
    return np.dtype([*FACTS, ("did", np.int32, (number, game.seats)), ("swung", np.int32, (number,))])


def facts(game: Game, number: int, trace: GameTrace, player: str = "") -> Array:
    """The row of one game, as in `dtype`. player: in all seats, for the calibration of win chances."""
    row = np.zeros((), dtype(game))
    row["number"], row["reason"] = number, trace.reason
    row["result"][: game.seats] = trace.returns
    acted, first = np.unique(trace.actors[trace.actors >= 0], return_index=True)
    row["order"] = -1
    row["order"][: len(acted)] = acted[np.argsort(first)]
    counts = np.empty(len(trace.counts), np.int32)
    decisions, waited, waits, last = np.zeros((4, game.seats), np.int64)
    work = (counts, decisions, waited, waits, last, row["did"])
    plies, row["forced"], row["longest_wait"] = tally(trace.actors, trace.actions, trace.counts, kinds(game).of, *work)
    counts = counts[:plies]
    row["plies"], row["chances"] = plies, len(trace.actors) - plies
    row["turns"] = int(trace.turns[-1]) + 1 if len(trace.turns) else 0
    row["widest"], row["branching"] = int(counts.max(initial=0)), tenths(counts)
    row["decisions"][: game.seats], row["wait"][: game.seats] = decisions, waited / np.maximum(waits, 1)
    row["gone"][: game.seats] = 1 - last / max(plies, 1)
    if trace.values is not None and len(trace.actors):
        likely = chances(game, trace.values, trace.actors, player)
        _weigh(row, game, likely, trace.returns)
        row["swung"] = _swings(game, likely, trace)
        if trace.reason:
            row["bins"] = bin_chances(likely, np.broadcast_to(shares(game, row[None]), likely.shape))
        row["dealt"][: likely.shape[1]] = np.nan if trace.draws is None else _dealt(game, trace.draws, player)
    return row


@rule
def tally(
    actors: Array, actions: Array, offered: Array, kind_of: Array, counts: Array, decisions: Array, waited: Array, waits: Array,
    last: Array, did: Array,
) -> tuple[int, int, int]:  # fmt: skip
    """Count plies, plies without a choice, and the longest wait of a game.

    Fills counts (legal actions per ply), and by seat: decisions, plies of others between two of its own (waited, with
    the number of waits), the number of its last ply, and did (actions by kind).
    """
    plies, forced, longest = 0, 0, 0
    for at in range(len(actors)):
        seat = actors[at]
        if seat < 0:
            continue
        counts[plies] = offered[at]
        gap = plies - last[seat]
        if last[seat] > 0 and gap > 0:
            waited[seat] += gap
            waits[seat] += 1
            longest = max(longest, gap)
        plies += 1
        last[seat] = plies
        if offered[at] > 1:
            decisions[seat] += 1
        else:
            forced += 1
        did[kind_of[actions[at]], seat] += 1
    return plies, forced, longest


def _swings(game: Game, likely: Array, trace: GameTrace) -> Array:
    """How many of the seats' actions of each kind were swings; the last action is not counted."""
    felt = np.abs(np.diff(likely, axis=0)).max(axis=1) >= SWING
    found = kinds(game)
    swung = found.of[trace.actions[:-1][felt & (trace.actors[:-1] >= 0)]]
    return np.bincount(swung, minlength=len(found.names))


def _dealt(game: Game, draws: Draws, player: str) -> Array:
    """For each side, the sum over all draws of its chance after the outcome less its mean over all outcomes, by weight."""
    if not len(draws.first):
        return np.zeros(len(set(game.sides)))
    likely, weights = chances(game, draws.values, draws.actors, player), draws.weights[:, None]
    means = np.add.reduceat(likely * weights, draws.first) / np.add.reduceat(weights, draws.first)
    return np.asarray((likely[draws.drawn] - means).sum(axis=0))


def chances(game: Game, values: Array, actors: Array, player: str = "") -> Array:
    """Win chances of each side by the evaluation, one row per action, with the calibration of hints, or that for a player.

    actors: who acts (a seat, CHANCE or OVER), for games with a table of chances by the side that acts.
    """
    expected = np.tanh(np.asarray(values, np.float64) / (2 * game.spec.evaluate.SCALE))
    found = of_sides(game, expected, load_curve(game, player))
    stored = table(game, player)
    acts = np.asarray(actors) >= 0
    if stored is not None and acts.any():
        found[acts] = apply_chance_table(of_sides(game, expected[acts], STRAIGHT), np.asarray(actors)[acts], stored)
    return found


def sure(sides: int) -> float:
    """The win chance from which on a game is decided: 90 % for two sides, 84 % for five."""
    return 1 / sides + SURE * (1 - 1 / sides)


def behind(sides: int) -> float:
    """The highest win chance at half time of a winner that came back: 25 % for two sides, 10 % for five."""
    return BEHIND / sides


def _weigh(row: Array, game: Game, likely: Array, returns: Array) -> None:
    row["weighed"] = True
    count = likely.shape[1]
    ahead = likely.argmax(axis=1)[likely.max(axis=1) - np.sort(likely, axis=1)[:, -2] > 0.02]
    row["leads"] = int((np.diff(ahead) != 0).sum())
    row["doubt"] = tenths((1 - likely.max(axis=1)) / (1 - 1 / count))
    row["decided"], row["back"] = np.nan, np.nan
    won = {game.sides[seat] for seat in np.flatnonzero(returns > 0)}
    if len(won) != 1:
        return
    winner = likely[:, sorted(set(game.sides)).index(won.pop())]
    below = 1 - count * winner
    row["drama"] = below[below > 0].mean() if (below > 0).any() else 0.0
    unsure = np.flatnonzero(winner < sure(count))
    row["decided"] = (unsure[-1] + 1) / len(winner) if len(unsure) else 0.0
    row["back"] = winner[len(winner) // 2]


def tenths(numbers: Array) -> Array:
    """Means by tenth of a sequence; an empty tenth takes the value at its place."""
    count = len(numbers)
    if count == 0:
        return np.zeros(PARTS)
    edges = np.arange(PARTS) * count // PARTS
    if count >= PARTS:
        return np.asarray(np.add.reduceat(np.asarray(numbers, np.float64), edges) / np.diff(np.append(edges, count)))
    return np.asarray(numbers, np.float64)[edges]


def by_side(game: Game, numbers: Array) -> Array:
    """Numbers by seat (games x seats), summed by side."""
    sides = np.array(game.sides)
    return np.stack([numbers[:, sides == side].sum(axis=1) for side in sorted(set(game.sides))], axis=1)


def winners(game: Game, rows: Array) -> Array:
    """The place of the side that won each game alone, or -1."""
    won = by_side(game, rows["result"][:, : game.seats] > 0) > 0
    return np.where(won.sum(axis=1) == 1, won.argmax(axis=1), -1)


def wins(game: Game, rows: Array) -> Array:
    """Games that each side won alone."""
    won = winners(game, rows)
    return np.bincount(won[won >= 0], minlength=len(set(game.sides)))


def places(game: Game, rows: Array) -> Array:
    """The sides by their first actions (games x places): which side begins, which is second. Those that never acted come last."""
    order, sides = rows["order"].astype(np.int64), np.array([*game.sides, len(game.sides)])
    of_side = np.stack([sides[order] == side for side in sorted(set(game.sides))], axis=1)
    begins = np.where(of_side.any(axis=2), of_side.argmax(axis=2), MOST_SEATS)
    return np.argsort(begins, axis=1, kind="stable")


def wins_in_order(game: Game, rows: Array) -> Array:
    """Games that the side which began won alone, then the second side, and so on."""
    won, order = winners(game, rows), places(game, rows)
    decided = won >= 0
    return np.asarray((order[decided] == won[decided, None]).sum(axis=0))


def shares(game: Game, rows: Array) -> Array:
    """Each side's share of the win (games x sides): a win of several is shared by them, a game without winners by all."""
    won = by_side(game, rows["result"][:, : game.seats] > 0) > 0
    won |= ~won.any(axis=1, keepdims=True)
    return np.asarray(won / won.sum(axis=1, keepdims=True))


def luck_share(both: Array) -> float:
    """The part of the variance of results that draws of chance explain. both: games x (share of the win, dealt) x sides.

    A result is the chance at the start plus all changes of it by draws and by decisions, so the covariances of both sums with
    the result add up to its variance; the part of the draws is the luck. It is 1 for a coin and 0 without chance. What the
    evaluation errs by at random changes neither sum's covariance. NaN if all games end alike.
    """
    share, dealt = np.moveaxis(both - both.mean(axis=0), 1, 0)
    varied = float((share**2).sum())
    return float((share * dealt).sum()) / varied if varied else float("nan")
