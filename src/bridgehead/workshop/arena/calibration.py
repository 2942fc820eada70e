"""Calibration of win chances: the results that a search expects, against the results of the games.

Expected calibration error: chances are sorted into equal bins. Each bin's distance between mean chance and share won is weighted
by the number of chances in it (M. Naeini et al., Obtaining Well Calibrated Probabilities Using Bayesian Binning, 2015).

Proven results are judged apart: they say what best play brings, and no map changes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.players.bends import STRAIGHT, CalibrationCurve, ChanceTable
from bridgehead.players.levels import evaluate_position
from bridgehead.players.win_chances import consider_actions
from bridgehead.workshop.arena.contest import ContestSetting, decisions
from bridgehead.workshop.arena.search_players import make_entrant
from bridgehead.workshop.statistics import NOTHING, Estimate

BINS = 10
RESAMPLED = 500  # times that games are drawn again for an interval
SHARPEST, SLOPPIEST = 10.0, 0.5  # upper limits of the search for the best sharpness and lapse
Matrix = np.ndarray[Any, Any]


class Trial(NamedTuple):
    """A calibration run: a game among these entrants, drawn by lot for each seat; games; simulations per position; 1 of
    `every` positions.

    Without simulations it calibrates the evaluation itself.
    """

    setting: ContestSetting
    games: int
    simulations: int
    every: int = 4


class CalibrationErrors(NamedTuple):
    """Calibration errors of what is not proven: raw, shown (with the stored map), and with the map that fits one half of the
    games best, judged by the other half; then that map and the number of positions.

    proven: positions in which the search is certain who wins; right: the part of these where that side won.
    """

    raw: Estimate
    shown: Estimate
    mapped: Estimate
    sharpness: float
    lapse: float
    positions: int
    proven: int
    right: float


def calibrate_rows(likely: Matrix, bend: CalibrationCurve) -> Matrix:
    """`bends.calibrate` of every row (positions x seats), for many rows at once."""
    if bend == STRAIGHT:
        return likely
    whole, open_ = likely.sum(axis=1, keepdims=True), likely > 0
    powers = np.where(open_, np.clip(likely, 1e-12, 1) ** bend.sharpness, 0.0)
    sharp = powers * whole / np.maximum(powers.sum(axis=1, keepdims=True), 1e-300)
    even = open_ * whole / np.maximum(open_.sum(axis=1, keepdims=True), 1)
    return np.asarray((1 - bend.lapse) * sharp + bend.lapse * even)


def of_sides(game: Game, expected: Matrix, bend: CalibrationCurve) -> Matrix:
    """Calibrated win chances (positions x sides) from expected results (positions x seats, -1 lost, 1 won). Rows sum to 1; a draw
    is shared. Without any chance, all sides are even."""
    sides, likely = np.array(game.sides), np.clip((1 + np.asarray(expected, np.float64)) / 2, 0, 1)
    found = calibrate_rows(np.stack([likely[:, sides == side].max(axis=1) for side in sorted(set(game.sides))], axis=1), bend)
    total = found.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 1e-12, found / np.maximum(total, 1e-12), 1 / found.shape[1]))


def apply_chance_table(raw: Matrix, actors: Matrix, table: ChanceTable) -> Matrix:
    """Chances of all sides from raw ones: that of the side that acts by the table, the others' in the ratio of their raw ones."""
    own = np.arange(len(raw)), actors
    others = np.maximum(raw, 1e-12)
    others[own] = 0
    won = np.array(table.won)[np.searchsorted(table.edges, raw[own], side="right")]
    found = others * ((1 - won) / others.sum(axis=1))[:, None]
    found[own] = won
    return np.asarray(found)


def fit_table(own: Matrix, won: Matrix, count: int = 20) -> ChanceTable:
    """The table with parts of equal numbers of positions (histogram binning: B. Zadrozny, C. Elkan 2001). own: raw chances of the
    side that acts; won: its results. Each part counts one won and one lost position more, so no chance is certain."""
    edges = np.unique(np.quantile(own, np.linspace(0, 1, count + 1)[1:-1]).round(4))
    edges = edges[(edges > own.min()) & (edges <= own.max())]  # a rounded one may leave nothing on one side
    place = np.searchsorted(edges, own, side="right")
    parts = [won[place == part] for part in range(len(edges) + 1)]
    return ChanceTable(tuple(edges.tolist()), tuple(round((float(each.sum()) + 1) / (len(each) + 2), 4) for each in parts))


def bin_chances(likely: Matrix, won: Matrix, bins: int = BINS) -> Matrix:
    """The number of chances in each of equal bins, and their sum of chances and of results (bins x 3). won: the result of each
    chance, 0 to 1, in the same shape."""
    place = np.minimum((likely.ravel() * bins).astype(int), bins - 1)
    return np.stack([np.bincount(place, each, bins) for each in (np.ones(likely.size), likely.ravel(), won.ravel())], axis=1)


def error(likely: Matrix, won: Matrix, bins: int = BINS) -> float:
    """Expected calibration error."""
    return error_of(bin_chances(likely, won, bins))


def error_of(bins: Matrix) -> float:
    """Expected calibration error from the tables of `bin_chances`."""
    return float(np.abs(_gaps(bins)).sum())


def estimate_error(games: Matrix, level: float = 0.95) -> Estimate:
    """Expected calibration error of chances by `bin_chances`, game by game (games x bins x 3), with its interval.

    The plain error counts the noise of every bin as an error. Games drawn again tell how much that is on average, and the value
    is lower by it (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, 10.6). By the triangle inequality the plain
    error differs from the true one at most by the noise of all bins, so the interval begins that much lower. On average the plain
    error is not below the true one, so its own spread is enough above it.
    """
    if not len(games):
        return NOTHING
    times = np.random.default_rng(1).multinomial(len(games), np.full(len(games), 1 / len(games)), RESAMPLED)
    found, again = _gaps(games.sum(axis=0)), _gaps(np.tensordot(times, games, 1))
    plain, errors, noise = np.abs(found).sum(), np.abs(again).sum(axis=1), np.abs(again - found).sum(axis=1)
    value = max(0.0, float(2 * plain - errors.mean()))
    low, high = plain - np.quantile(noise, (1 + level) / 2), plain + np.quantile(errors, (1 + level) / 2) - errors.mean()
    return Estimate(value, min(value, max(0.0, float(low))), max(value, min(1.0, float(high))), len(games))


def _gaps(bins: Matrix) -> Matrix:
    """Each bin's sum of chances less results, as a part of all chances; bins: ... x bins x 3."""
    return np.asarray((bins[..., 1] - bins[..., 2]) / bins[..., 0].sum(axis=-1, keepdims=True))


def fit(likely: Matrix, won: Matrix) -> CalibrationCurve:
    """The map that predicts the results best (lowest cross-entropy)."""

    def loss(sharpness: float, lapse: float) -> float:
        return float(-(won * np.log(np.clip(calibrate_rows(likely, CalibrationCurve(sharpness, lapse)), 1e-12, 1))).sum())

    def sharpest(lapse: float) -> float:
        return _least(lambda sharpness: loss(sharpness, lapse), 0.05, SHARPEST)

    lapse = _least(lambda lapse: loss(sharpest(lapse), lapse), 0.0, SLOPPIEST)
    return CalibrationCurve(sharpest(lapse), lapse)


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """The minimum of a unimodal function, by golden section search."""
    part = (5**0.5 - 1) / 2
    while high - low > 1e-3:
        left, right = high - part * (high - low), low + part * (high - low)
        low, high = (low, right) if function(left) < function(right) else (left, high)
    return (low + high) / 2


def judge_calibration(likely: Matrix, won: Matrix, numbers: Matrix, shown: CalibrationCurve = STRAIGHT) -> CalibrationErrors:
    """The calibration of chances: raw, shown, and with a map fitted on games of even numbers and judged by the odd ones."""
    sure = ((likely == 0) | (likely == 1)).all(axis=1)
    open_ = likely[~sure], won[~sure], numbers[~sure]
    learnt, rest = ([each[open_[2] % 2 == part] for each in open_] for part in (0, 1))
    if not (len(learnt[0]) and len(rest[0])):
        raise BridgeheadError("players:error.too_few_games_tell", "games")
    bend = fit(*learnt[:2])
    raw, now = (_of_games(calibrate_rows(open_[0], each), *open_[1:]) for each in (STRAIGHT, shown))
    right = (likely * won)[sure].sum() / likely[sure].sum() if sure.any() else np.nan
    return CalibrationErrors(
        raw, now, _of_games(calibrate_rows(rest[0], bend), *rest[1:]), *bend, len(open_[0]), int(sure.sum()), float(right)
    )  # fmt: skip


def _of_games(likely: Matrix, won: Matrix, numbers: Matrix) -> Estimate:
    """The calibration error of chances, with its interval over the games."""
    return estimate_error(np.stack([bin_chances(likely[numbers == each], won[numbers == each]) for each in np.unique(numbers)]))


def gather(trial: Trial, report: Callable[[int], None] = lambda done: None) -> tuple[Matrix, Matrix, Matrix]:
    """Play the games. One row per examined position: each seat's chance, each seat's share of the win, and the game's number."""
    game = trial.setting.make_game()
    likely: list[list[float]] = []
    won: list[list[float]] = []
    numbers: list[int] = []
    for number in range(trial.games):
        seed = f"calibration:{trial.setting.seed}:{number}"
        match, dealer, lot = Match(game), SeededDealer(f"{seed}:chance"), SeededDealer(f"{seed}:lot")
        many = range(len(trial.setting.entrants))
        names = [trial.setting.entrants[lot.pick(many, seat)] for seat in range(game.seats)]
        players = [make_entrant(name, f"{seed}:{seat}") for seat, name in enumerate(names)]
        seen: list[list[float]] = []
        for position in decisions(match, dealer):
            index = len(match.log) + game.seats
            if lot.pick(range(trial.every), index) == 0:
                asked = consider_actions(position, trial.simulations, f"{seed}:{index}") if trial.simulations else None
                found = asked.expected if asked else evaluate_position(position)
                seen.append([(1 + each) / 2 for each in found])
            match.play(players[position.actor].choose(position))
        if match.outcome is not None:
            likely += seen
            won += [[(1 + each) / 2 for each in match.outcome.returns]] * len(seen)
            numbers += [number] * len(seen)
        report(number + 1)
    return np.array(likely), np.array(won), np.array(numbers)
