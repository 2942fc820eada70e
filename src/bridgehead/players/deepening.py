"""Iterative deepening: the loops of alpha-beta and expectimax. A `Work` has the memory of a search and examines the root once."""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from bridgehead.core.game import Position
from bridgehead.players.thoughts import Candidate, Clock, JudgingStyle, Limit, SearchResult

DEEPEST = 96  # plies from the root
# Alpha-beta
GRAIN = 16.0  # scores are integers: this many per unit of the game's evaluation
WIN = 1_000_000  # score of a win at the root; a more distant win scores less
SURE = WIN - 1000  # a higher score is a forced win
INFINITE = 2 * WIN
WINDOW = 15 * GRAIN  # half-width of the aspiration window
STEPS = 50  # fewest between two checks of the clock
ENTRIES = 1 << 16  # of the transposition table of one decision
# Expectimax
FIRST = 256  # positions before the first check of the clock
AT_DECISION, AT_TURN = 1, 2  # where the evaluation was used: at the limit of decisions, at the limit of turns


def judging(position: Position, style: JudgingStyle) -> tuple[int, int]:
    """A style as scores: of a draw for seat 0, and of a piece."""
    return round(style.contempt * GRAIN) * (1 if position.actor else -1), round(style.material * GRAIN)


class DeepeningResult(NamedTuple):
    """The result of an iterative deepening.

    The action, its score for the seat to act in units of the game's evaluation, the completed depth in plies, the
    positions examined; decided: plies to a forced win (above 0) or loss (below 0), else None.
    """

    action: int
    score: float
    depth: int
    nodes: int
    decided: int | None


class Root(NamedTuple):
    """What alpha-beta knows of its root: the best completed action of this iteration (-1: none), its score, the seat."""

    action: int
    best: int
    seat: int


class DeepWork(Protocol):
    """The memory of one alpha-beta search."""

    @property
    def found(self) -> Root:
        """What is known now."""

    @property
    def nodes(self) -> int:
        """The positions examined."""

    def search_to_depth(self, depth: int, low: int, high: int) -> bool:
        """Search the root to a depth within a window of scores; False if the clock ended it first."""

    def play(self, position: Position, action: int) -> None:
        """Make the position after an action the root."""


def deepen_search(position: Position, limit: Limit, work: DeepWork, ahead: int = 0) -> DeepeningResult:
    """Search deeper and deeper, at first with a narrow window. ahead: plies by which it begins deeper."""
    line = DeepeningResult(position.legal[0], 0.0, 0, 0, None)
    if len(position.legal) == 1 and limit.seconds is not None:
        return line
    for depth in range(1 + ahead, limit.depth + 1):
        middle = line.score * GRAIN
        low, high = (-INFINITE, INFINITE) if depth < 4 else (int(middle - WINDOW), int(middle + WINDOW))
        while True:
            done, root = work.search_to_depth(depth, low, high), work.found
            if not done:
                return line._replace(nodes=work.nodes) if root.action < 0 or root.best <= low else _line(root, depth - 1, work)
            if low < root.best < high:
                break
            low, high = (-INFINITE, high) if root.best <= low else (low, INFINITE)
        line = _line(root, depth, work)
        if line.decided is not None and abs(line.decided) <= depth:
            break
    return line


def _line(root: Root, depth: int, work: DeepWork) -> DeepeningResult:
    best = root.best
    decided = None if abs(best) <= SURE else WIN - best if best > 0 else -(WIN + best)
    return DeepeningResult(root.action, best / GRAIN, depth, work.nodes, decided)


def rank_deepening(position: Position, limit: Limit, work: DeepWork) -> SearchResult:
    """All legal actions from best to worst, each searched equally deep, with an open window."""
    found = [Candidate(action, 0, (0.0, 0.0), False) for action in position.legal]
    for depth in range(limit.depth):
        deeper = []
        for candidate in found:
            work.play(position, candidate.action)
            if not work.search_to_depth(depth, -INFINITE, INFINITE) and depth:
                return SearchResult(found[0].action, found, found[0].expected, work.nodes)
            deeper.append(_as_candidate(position, candidate.action, work.found, depth + 1))
        found = sorted(deeper, key=lambda each: each.expected[position.actor], reverse=True)
    return SearchResult(found[0].action, found, found[0].expected, work.nodes)


def _as_candidate(position: Position, action: int, root: Root, depth: int) -> Candidate:
    """An action with the result of searching the position after it; `visits` holds the depth."""
    best, scale = root.best, position.game.spec.evaluate.SCALE  # at the end of the game, the score is for seat 0
    result = math.copysign(1.0, best) if abs(best) > SURE else math.tanh(best / GRAIN / (2 * scale))
    return Candidate(action, depth, (result, -result) if root.seat == 0 else (-result, result), abs(best) > SURE)


class TurnWork(Protocol):
    """The memory of one expectimax search. values: of the legal actions; cut: where the evaluation was used."""

    clock: Clock

    @property
    def values(self) -> list[float]: ...

    @property
    def cut(self) -> int: ...

    def search_turns(self, turns: int, decisions: int) -> bool:
        """One iteration; False if the clock ended it first."""


def turn_by_turn(position: Position, limit: Limit, work: TurnWork, most: int = 8) -> SearchResult:
    """Search one decision deep, then two, to the end of the turn; then turn by turn. most: turns."""
    turns, decisions, exact, values = 1, 1, False, [0.0] * len(position.legal)
    while decisions <= limit.depth and turns <= most and work.search_turns(turns, decisions):
        values, cut = work.values, work.cut
        exact = cut == 0
        if exact:
            break
        turns, decisions = (turns, decisions + 1) if cut & AT_DECISION else (turns + 1, decisions)
    sides, found = position.game.sides, []
    for action, value in zip(position.legal, values, strict=True):
        expected = tuple(value if side == sides[position.actor] else -value for side in sides)
        found.append(Candidate(action, 0, expected, exact))
    found.sort(key=lambda each: each.expected[position.actor], reverse=True)
    return SearchResult(found[0].action, found, found[0].expected, work.clock.made)
