"""Win chances of each seat in a position, after every action and after every outcome of chance."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from bridgehead.core.game import Game, Position
from bridgehead.players.bends import calibrate, load_curve
from bridgehead.players.engine import engine
from bridgehead.players.levels import NAMES, evaluate_position, levels_at
from bridgehead.players.thoughts import Budget, Candidate, Limit, SearchResult

POSITIONS = 20  # positions that alpha-beta examines in about the time of one simulation
LEAST = 24  # simulations for one outcome of chance
DEEPEST = 2  # consecutive chance events that are examined outcome by outcome
ENOUGH = 20  # a candidate counts if it has at least 1/20 of the visits of the most visited one
SURE = 4  # and may be the best with at least 1/4 of them

Chances = tuple[float, ...]


class ChanceOutcome(NamedTuple):
    """One outcome of chance: the action, its exact weight, the win chances after it."""

    action: int
    weight: int
    chances: Chances


def consider_actions(
    position: Position, effort: int, seed: int | str = 0, seconds: float | None = None, stop: threading.Event | None = None
) -> SearchResult:
    """All legal actions from best to worst by the game's strongest search; a seat must be to act.

    effort: simulations, or the equivalent; with seconds, whichever ends first.
    """
    found = levels_at(position.game)
    looks = found[NAMES[-1]].looks if found else "search"  # as the strongest level
    if looks == "turn":
        return engine(position.game).search_turns(position, Limit(seconds, POSITIONS * effort), stop)
    if looks == "deep":
        return engine(position.game).rank_actions(position, Limit(seconds, POSITIONS * effort), stop)
    return engine(position.game).search_tree(
        position, Budget(seconds, effort), seed, stop, nodes=min(400_000, 4000 + 100 * effort)
    )


def likely(game: Game, thought: SearchResult, seat: int) -> list[tuple[Candidate, float]]:
    """The candidates with enough visits, each with the win chance of a seat, from best to worst. A few visits may seem good by
    luck: a candidate with less than a quarter of the most is not the best, and is left out if it seems better."""
    most = max(each.visits for each in thought.candidates)
    worth = {each: chances(game, each.expected)[seat] for each in thought.candidates}
    sure = {each for each in worth if each.proven or each.visits * SURE >= most}
    best = max(worth[each] for each in sure)
    found = [each for each in worth if each in sure or (each.visits * ENOUGH >= most and worth[each] <= best)]
    return sorted(((each, worth[each]) for each in found), key=lambda pair: -pair[1])


def chances(game: Game, expected: Sequence[float]) -> Chances:
    """Win chances of each seat from expected results (-1 lost, 1 won). They sum to 1 over all sides; a draw is shared.

    They are calibrated if the game's weights include a map (calibration.py).
    """
    sides = {side: min(1.0, max(0.0, (1 + expected[seat]) / 2)) for seat, side in enumerate(game.sides)}
    if not any(sides.values()):
        return (1 / len(sides),) * len(expected)
    found = calibrate(list(sides.values()), load_curve(game))
    by = {side: chance / sum(found) for side, chance in zip(sides, found, strict=True)}
    return tuple(by[side] for side in game.sides)


def outlook(position: Position, effort: int, seed: int | str = 0, stop: threading.Event | None = None) -> Chances:
    """Win chances of each seat in any position: the result at the end, the expectation before a draw of chance."""
    return _outlook(position, effort, seed, stop, 0)


def _outlook(position: Position, effort: int, seed: int | str, stop: threading.Event | None, depth: int) -> Chances:
    game = position.game
    if position.outcome is not None:
        return chances(game, position.outcome.returns)
    if not position.is_chance:
        return chances(game, consider_actions(position, effort, seed, None, stop).expected)
    if depth >= DEEPEST:
        return chances(game, evaluate_position(position))  # by the evaluation alone
    return mean(_outcomes(position, effort, seed, stop, depth))


def outcomes(position: Position, effort: int, seed: int | str = 0, stop: threading.Event | None = None) -> list[ChanceOutcome]:
    """Every outcome of chance with the win chances after it, all examined with equal effort."""
    return _outcomes(position, effort, seed, stop, 0)


def _outcomes(position: Position, effort: int, seed: int | str, stop: threading.Event | None, depth: int) -> list[ChanceOutcome]:
    each = max(LEAST, effort // len(position.legal))
    found: dict[bytes, Chances] = {}
    found_all = []
    for action, weight in zip(position.legal, position.weights, strict=True):
        after = position.play(action)
        key = after.state.tobytes()
        if key not in found:
            found[key] = _outlook(after, each, seed, stop, depth + 1)
        found_all.append(ChanceOutcome(action, weight, found[key]))
    return found_all


def mean(outcomes: Sequence[ChanceOutcome]) -> Chances:
    """Win chances before chance acts: the weighted mean of the outcomes."""
    whole = sum(each.weight for each in outcomes)
    return tuple(sum(each.weight * each.chances[seat] for each in outcomes) / whole for seat in range(len(outcomes[0].chances)))
