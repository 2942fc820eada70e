"""Matchmaking: which of the people who wait for the same game play each other. Pure functions, without store or clock."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from bridgehead.server.people.ratings import MIDDLE

RANGE = 150.0  # rating points by which two may differ when the first has just begun to wait
WIDER = 5.0  # points by which this range grows a second
ANYONE = 120.0  # seconds after which any rating will do
FEWEST = 2  # waits from which the usual time is known


class Seeker(NamedTuple):
    """Somebody who waits for an opponent. name: of the request, not of the person; since: Unix seconds.

    profile: its id, "" without one; rating: of this profile in the game, in points.
    """

    name: str
    since: float
    profile: str = ""
    rating: int = MIDDLE


def rating_reach(waited: float) -> float:
    """The rating points by which two may differ after so many seconds of waiting."""
    return float("inf") if waited >= ANYONE else RANGE + WIDER * max(0.0, waited)


def gap(one: Seeker, other: Seeker) -> float | None:
    """How far the ratings of two profiles differ. None if one of them has no profile: then whoever comes first plays."""
    if not (one.profile and other.profile):
        return None
    return float(abs(one.rating - other.rating))


def suits(one: Seeker, other: Seeker, blocked: Collection[str], now: float) -> bool:
    """May these two be paired? blocked: the profiles that `one` has blocked, and those that have blocked it.

    The range of the one who has waited longer counts: somebody who has just come does not make the other wait again.
    """
    if one.name == other.name or (one.profile and one.profile == other.profile) or (other.profile and other.profile in blocked):
        return False
    apart = gap(one, other)
    return apart is None or apart <= rating_reach(now - min(one.since, other.since))


def opponent(one: Seeker, others: Iterable[Seeker], blocked: Collection[str], now: float) -> Seeker | None:
    """The best opponent: the nearest rating, then whoever has waited longest. A rating that is unknown counts as `RANGE` away."""

    def order(other: Seeker) -> tuple[float, float, str]:
        apart = gap(one, other)
        return RANGE if apart is None else apart, other.since, other.name

    return min((other for other in others if suits(one, other, blocked, now)), key=order, default=None)


def usual(waits: Sequence[float]) -> int | None:
    """The usual time of waiting in seconds: the median. None if too few are known."""
    return round(statistics.median(waits)) if len(waits) >= FEWEST else None
