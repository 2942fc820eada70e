"""Learning the weights of an evaluation from self-play: which counts go with winning (logistic regression).

A game takes part whose `evaluate` has FEATURES, WEIGHTS and `worth(state, law, seat, weights)`, linear in the weights.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.players.contest import LONGEST, Setting, entrant

SCALE = 10.0  # weights are told so that a worth of SCALE means a win e times as likely as a loss
RIDGE = 1e-4  # keeps weights of what hardly ever happens small
EACH = 25  # games of one request to a worker
Matrix = np.ndarray[Any, np.dtype[np.float64]]


class Lesson(NamedTuple):
    """What is to be played: by whom (an entrant's name), how many games, how often a random action is played instead."""

    setting: Setting
    player: str
    games: int
    wander: float = 0.08


class Fit(NamedTuple):
    """Weights by feature, and how well they tell results (cross-entropy a position; `blind`: of knowing nothing)."""

    weights: dict[str, float]
    loss: float
    blind: float
    positions: int
    games: int


def learn(lesson: Lesson, told: Callable[[int], None] = lambda games: None) -> Fit:
    """Play the games of a lesson on all cores and fit the weights to their results. The same lesson gives the same weights."""
    features = _features(lesson.setting.made())
    numbers = range(0, lesson.games, EACH)
    rows, results = [], []
    with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=multiprocessing.get_context("spawn")) as pool:
        for done, (x, y) in enumerate(pool.map(_positions, [(lesson, first) for first in numbers]), start=1):
            rows.append(x)
            results.append(y)
            told(min(lesson.games, done * EACH))
    x, y = np.concatenate(rows), np.concatenate(results)
    weights, loss = fit(x, y)
    return Fit(
        dict(zip(features, weights.tolist(), strict=True)), loss, _entropy(y, np.full(len(y), y.mean())), len(y), lesson.games
    )


def fit(counts: Matrix, results: Matrix) -> tuple[Matrix, float]:
    """Weights (in units of SCALE) under which counts tell results (0 lost, 1 won) best, and their cross-entropy a row.

    Newton's method; a little is taken off every weight for its size.
    """
    spread = counts.std(axis=0) + 1e-12
    unit, ridge = counts / spread, RIDGE * np.eye(counts.shape[1])
    weights = np.zeros(counts.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-unit @ weights))
        slope = unit.T @ (likely - results) / len(results) + RIDGE * weights
        bend = (unit * (likely * (1 - likely))[:, None]).T @ unit / len(results) + ridge
        step = np.linalg.solve(bend, slope)
        weights -= step
        if float(np.abs(step).max()) < 1e-9:
            break
    return SCALE * weights / spread, _entropy(results, 1 / (1 + np.exp(-unit @ weights)))


def save(found: Fit, file: Path) -> None:
    """Write weights; what they were made from stands in their manifest (school.py)."""
    weights = {name: round(weight, 3) for name, weight in found.weights.items()}
    file.write_text(json.dumps({"scale": SCALE, "weights": weights}, indent=1) + "\n", "utf-8")


def _entropy(results: Matrix, likely: Matrix) -> float:
    safe = np.clip(likely, 1e-12, 1 - 1e-12)
    return float(-(results * np.log(safe) + (1 - results) * np.log(1 - safe)).mean())


def _features(game: Game) -> tuple[str, ...]:
    evaluate = game.spec.evaluate
    if not (hasattr(evaluate, "worth") and hasattr(evaluate, "FEATURES")):
        raise BridgeheadError("its evaluation has no weights that could be learned", game.spec.id)
    return tuple(evaluate.FEATURES)


def _positions(request: tuple[Lesson, int]) -> tuple[Matrix, Matrix]:
    """In a worker: counts and results of the positions of some games."""
    lesson, first = request
    game = lesson.setting.made()
    rows: list[list[float]] = []
    results: list[float] = []
    for number in range(first, min(first + EACH, lesson.games)):
        _game(game, lesson, number, rows, results)
    return np.array(rows).reshape(len(results), -1), np.array(results)


def _game(game: Game, lesson: Lesson, number: int, rows: list[list[float]], results: list[float]) -> None:
    """Play one game, which begins at random; note what a decision's seat counts, and how it ended for that seat."""
    seed = f"{lesson.setting.seed}:{number}"
    dealer, lot = SeededDealer(f"chance:{seed}"), SeededDealer(f"lesson:{seed}")
    players = [entrant(lesson.player, f"{seed}:{seat}") for seat in range(game.seats)]
    match, opening = Match(game), lot.pick(range(2, 16), 0)
    each, worth = np.eye(len(game.spec.evaluate.WEIGHTS)), game.spec.evaluate.worth
    seats: list[int] = []
    mine: list[list[float]] = []
    while len(match.log) < LONGEST:
        match.deal(dealer)
        if match.outcome is not None:
            break
        position, index = match.position, len(match.log)
        if index >= opening:
            state = position.copy_states()[0]
            seats.append(position.actor)
            mine.append([float(worth(state, game.law, position.actor, one)) for one in each])
        wanders = index < opening or lot.draw(
            (True, False), (round(1000 * lesson.wander), round(1000 * (1 - lesson.wander))), index
        )
        match.play(lot.pick(position.legal, index) if wanders else players[position.actor].choose(position))
    if match.outcome is not None:
        rows += mine
        results += [(1 + match.outcome.returns[seat]) / 2 for seat in seats]
