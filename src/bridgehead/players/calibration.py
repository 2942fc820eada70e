"""Whether win chances come true: what a search expects of positions against how their games ended.

Expected calibration error: chances are sorted into equal bins; how far each bin's mean is from the share that won, weighted by
how many fell into it (M. Naeini et al., Obtaining Well Calibrated Probabilities Using Bayesian Binning, 2015).
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.core.spec import Spec
from bridgehead.players.contest import LONGEST, Setting, entrant
from bridgehead.players.search import Budget, Search

BINS = 10
SHARPEST = 10.0  # the map's exponent is looked for below this
Matrix = np.ndarray[Any, Any]


class Trial(NamedTuple):
    """What is tried: a game among these entrants, by lot at each seat; how many games; simulations a position; 1 of `every`.

    Without simulations the evaluation itself is tried.
    """

    setting: Setting
    games: int
    simulations: int
    every: int = 4


class Found(NamedTuple):
    """Calibration as it is, of what is shown (by the exponent kept with the weights), and by a map fitted to half of these
    games and judged by the others; that map's exponent, and on how much all of it rests."""

    raw: float
    shown: float
    mapped: float
    sharpness: float
    positions: int
    games: int


@functools.cache
def sharpness(spec: Spec) -> float:
    """The exponent of a game's map: above 1 its search is too careful, below 1 too sure; 1 where none is known."""
    file = spec.folder / "weights.json"
    return float(json.loads(file.read_text("utf-8")).get("sharpness", 1.0)) if file.exists() else 1.0


def mapped(likely: Matrix, exponent: float) -> Matrix:
    """Chances (positions x seats), their odds against one another raised to a power; with two seats a logistic scale."""
    powers = np.clip(likely, 1e-12, 1) ** exponent
    return np.asarray(powers * (likely.sum(axis=1) / powers.sum(axis=1))[:, None])


def error(likely: Matrix, won: Matrix, bins: int = BINS) -> float:
    """Expected calibration error of chances; won: what came of each, 0 to 1, in the same shape."""
    chance, result = likely.ravel(), won.ravel()
    place = np.minimum((chance * bins).astype(int), bins - 1)
    gaps = [abs(float((chance - result)[place == each].sum())) for each in range(bins)]
    return sum(gaps) / len(chance)


def fit(likely: Matrix, won: Matrix) -> float:
    """The exponent under which chances tell results best (least cross-entropy), by golden section."""
    low, high, part = 0.05, SHARPEST, (5**0.5 - 1) / 2

    def loss(exponent: float) -> float:
        return float(-(won * np.log(np.clip(mapped(likely, exponent), 1e-12, 1))).sum())

    while high - low > 1e-4:
        left, right = high - part * (high - low), low + part * (high - low)
        low, high = (low, right) if loss(left) < loss(right) else (left, high)
    return (low + high) / 2


def judged(likely: Matrix, won: Matrix, numbers: Matrix, kept_power: float = 1.0) -> Found:
    """How good chances are, raw and mapped: by the exponent that is kept, and by one fitted to the games of even numbers."""
    learnt, kept = numbers % 2 == 0, numbers % 2 == 1
    if not (learnt.any() and kept.any()):
        raise BridgeheadError("too few games to tell", "games")
    exponent = fit(likely[learnt], won[learnt])
    after = error(mapped(likely[kept], exponent), won[kept])
    shown = error(mapped(likely, kept_power), won)
    return Found(error(likely, won), shown, after, exponent, len(likely), len(set(numbers.tolist())))


def gather(trial: Trial, told: Callable[[int], None] = lambda done: None) -> tuple[Matrix, Matrix, Matrix]:
    """Play the games; chances by seat, each seat's share of the win, and the number of the game, a row a position looked at."""
    game = trial.setting.made()
    likely: list[list[float]] = []
    won: list[list[float]] = []
    numbers: list[int] = []
    for number in range(trial.games):
        seed = f"calibration:{trial.setting.seed}:{number}"
        match, dealer, lot = Match(game), SeededDealer(f"{seed}:chance"), SeededDealer(f"{seed}:lot")
        many = range(len(trial.setting.entrants))
        names = [trial.setting.entrants[lot.pick(many, seat)] for seat in range(game.seats)]
        players = [entrant(name, f"{seed}:{seat}") for seat, name in enumerate(names)]
        seen: list[list[float]] = []
        while len(match.log) < LONGEST:
            match.deal(dealer)
            if match.outcome is not None:
                break
            index = len(match.log) + game.seats
            if lot.pick(range(trial.every), index) == 0:
                seen.append([(1 + each) / 2 for each in _expected(match.position, trial.simulations, f"{seed}:{index}")])
            match.play(players[match.position.actor].choose(match.position))
        if match.outcome is not None:
            likely += seen
            won += [[(1 + each) / 2 for each in match.outcome.returns]] * len(seen)
            numbers += [number] * len(seen)
        told(number + 1)
    return np.array(likely), np.array(won), np.array(numbers)


def _expected(position: Position, simulations: int, seed: str) -> Sequence[float]:
    """The result that each seat may expect: by a search, or without simulations by the evaluation alone."""
    if simulations:
        return Search(seed=seed).think(position, Budget(simulations=simulations)).expected
    evaluate, state = position.game.spec.evaluate, position.copy_states()[0]
    scale = float(getattr(evaluate, "SCALE", 10.0))
    return [math.tanh(float(evaluate.value(state, position.game.law, seat)) / (2 * scale)) for seat in range(position.game.seats)]
