"""Days off: the calendar of a seat's holidays at a table with days for each turn, as functions of values.

A seat's holidays are spans of whole days in their order; a holiday that its person ended early is shorter. Each day counts in
the calendar year (UTC) in which it begins, so a chain of holidays over New Year takes from both years. A day that has begun
counts whole.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

DAY = 86_400.0  # seconds
STOCK = 28  # days off that each seat may take in a calendar year (UTC)
ROUNDING = 0.001  # seconds by which sums of Unix times may be off


class Holiday(NamedTuple):
    """A holiday: when it begins and ends, in Unix seconds."""

    start: float
    end: float


Holidays = tuple[Holiday, ...]  # of one seat, in their order; none overlaps another


def running(holidays: Holidays, at: float) -> Holiday | None:
    """The holiday at that time; None if there is none."""
    return holidays[-1] if holidays and holidays[-1].start <= at < holidays[-1].end else None


def take_days_off(holidays: Holidays, at: float, days: int) -> Holidays:
    """The holidays after a seat takes days off: they follow the running holiday, or begin now. 0 days end it now."""
    now = running(holidays, at)
    before, start, end = (holidays[:-1], *now) if now else (holidays, at, at)
    end = end + days * DAY if days else at
    return (*before, Holiday(start, end)) if end > start else before


def years(holidays: Iterable[Holiday]) -> Counter[int]:
    """The days off of each calendar year (UTC)."""
    found: Counter[int] = Counter()
    for start, end in holidays:
        day = start
        while day < end - ROUNDING:
            found[time.gmtime(day).tm_year] += 1
            day += DAY
    return found


def count_days_left(holidays: Holidays, at: float) -> int:
    """The days off that the seat has left in the calendar year of that time."""
    return max(0, STOCK - years(holidays)[time.gmtime(at).tm_year])


def lacking(holidays: Holidays, at: float, days: int) -> int | None:
    """The first calendar year that has too few days left for so many more; None if all have enough."""
    before, after = years(holidays), years(take_days_off(holidays, at, days))
    return min((year for year, count in after.items() if count > max(STOCK, before[year])), default=None)


def deadline(begun: float, days: int, holidays: Holidays) -> float:
    """When the days of a turn are over, in Unix seconds: those of holidays do not count. begun: when they began."""
    due = begun + days * DAY
    for start, end in holidays:
        if end > begun and start < due:
            due += end - max(start, begun)
    return due
