"""What a search is asked and what it answers: its limits, its clock, its candidates."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Position

# Defaults, if neither the search nor its game sets a value.
STEERING: dict[str, float] = {"explore": 0.6, "trust": 3.0, "cut": 8, "answered": 0, "expects": 0}
# Of the best reply to opponents that look one action ahead, which all of them are assumed to do. A deeper player beats it.
REPLY: Mapping[str, Any] = {"answered": True, "expects": True, "explore": 0.1, "trust": 3.0}
LEAST_TRUST = 1e-6  # with 0, an unvisited action would have no value
SLICE = 0.003  # seconds of search between two checks of the clock


class Budget(NamedTuple):
    """The limit of a search: seconds, or simulations (then the answer is repeatable); the first one reached ends it."""

    seconds: float | None = None
    simulations: int | None = None


class Limit(NamedTuple):
    """The limit of a search that deepens: seconds, positions, plies; the first one reached ends it. Time is not repeatable."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int = 64


class JudgingStyle(NamedTuple):
    """How alpha-beta judges.

    contempt: how much worse than an even position a draw is for the seat that searches, in units of the evaluation. With
    contempt, a position that recurs on the path of the search counts as a draw, so that it sees early what leads nowhere.
    material: what a piece counts besides the evaluation, in its units: games between equals hardly teach it.
    """

    contempt: float = 0.0
    material: float = 0.0


PLAIN = JudgingStyle()
USUAL = Budget(simulations=400)


class Clock:
    """Divides a search into slices of a few milliseconds, between which it checks the time, its budget and `stop`.

    most: simulations or positions; least: of a slice. made: those done so far.
    """

    def __init__(self, seconds: float | None, most: int | None, stop: threading.Event | None, least: int = 1) -> None:
        self._deadline = None if seconds is None else time.perf_counter() + seconds
        self._most, self._stop, self._least, self._pace = 1 << 60 if most is None else most, stop, least, least
        self.made = 0

    def slice(self) -> int:
        """The size of the next slice; 0 once the search has to end."""
        self._begun = time.perf_counter()
        if (self._stop is not None and self._stop.is_set()) or (self._deadline is not None and self._begun >= self._deadline):
            return 0
        return max(0, min(self._pace, self._most - self.made))

    def count(self, made: int) -> None:
        """Count what the slice did, and adapt the size of the next one."""
        self.made += made
        taken = max(time.perf_counter() - self._begun, 1e-6)
        self._pace = max(self._least, min(2 * self._pace, self._most, int(self._pace * SLICE / taken)))


class Candidate(NamedTuple):
    """A legal action in the search's view: visits, expected result of each seat (-1 lost, 1 won), whether that is proven."""

    action: int
    visits: int
    expected: tuple[float, ...]
    proven: bool


class SearchResult(NamedTuple):
    """The result of a search: the action, all candidates from best to worst, expected results, number of simulations."""

    action: int
    candidates: list[Candidate]
    expected: tuple[float, ...]
    simulations: int


def check(position: Position) -> None:
    """Check that a seat is to act. Errors: BridgeheadError."""
    if position.actor < 0:
        raise BridgeheadError("players:error.no_seat_act", "position")


def order_candidates(found: list[Candidate], seat: int, simulations: int) -> SearchResult:
    """The answer of a tree search: a proven win first, then the most visited action, those proven lost last."""
    found.sort(key=lambda each: (_rank(each, seat), each.visits, each.expected[seat]), reverse=True)
    return SearchResult(found[0].action, found, found[0].expected, simulations)


def _rank(candidate: Candidate, seat: int) -> float:
    return candidate.expected[seat] if candidate.proven and abs(candidate.expected[seat]) >= 1 else 0.0
