"""Days for each turn, and the calendar of a seat's days off, as values.

A seat's holidays are spans of whole days in their order; a holiday that its person ended early is shorter. Each day counts in
the calendar year (UTC) in which it begins, so a chain of holidays over New Year takes from both years. A day that has begun
counts whole.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from bridgehead.server.messages.server import ClockView

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


class TurnDays(msgspec.Struct, frozen=True):
    """The days of each turn, counted by the wall clock from the times of the events in the log. All times are in Unix seconds."""

    limit: int
    """Days for each turn; 0 at a table without."""
    holidays: tuple[Holidays, ...]
    """The days off of each seat."""
    begun: Mapping[int, tuple[int, float]] = {}
    """By seat, its last turn and when its days began."""
    stopped: float | None = None
    """When the table was paused."""

    def began(self, seat: int | None) -> float:
        """When the days of a seat's turn began."""
        return self.begun[seat][1] if seat is not None else 0.0

    def due(self, seat: int | None) -> float | None:
        """When the days of the seat to act are over. None if no days run."""
        return deadline(self.began(seat), self.limit, self.holidays[seat]) if self.limit and seat is not None else None

    def holiday_until(self, seat: int, at: float) -> float:
        """When the seat's holiday ends; 0 if it has none."""
        holiday = running(self.holidays[seat], at)
        return holiday.end if holiday else 0.0

    def count(self, seat: int | None, turn: int, at: float, paused: bool) -> TurnDays:
        """Begin the days of a new turn of the seat to act. They stand still in a pause. at: of the event that led here."""
        if paused:
            return replace(self, stopped=at) if self.stopped is None else self
        begun = dict(self.begun)
        if self.stopped is not None:
            pause = max(0.0, at - self.stopped)
            begun = {each: (its, then + pause) for each, (its, then) in begun.items()}
        if seat is not None and begun.get(seat, (-1, 0.0))[0] != turn:
            begun[seat] = turn, at
        return replace(self, begun=begun, stopped=None)

    def take_off(self, seat: int, at: float, days: int) -> TurnDays:
        """Add days off to a seat's holiday, or begin one; 0 days end it."""
        taken = take_days_off(self.holidays[seat], at, days)
        return replace(self, holidays=(*self.holidays[:seat], taken, *self.holidays[seat + 1 :]))

    def view(self, clock: ClockView, seat: int | None, now: float) -> ClockView:
        """The days as all viewers see them."""
        due = self.due(seat)
        return replace(
            clock, days=self.limit, due=UNSET if due is None else max(0, round((due - now) * 1000)),
            off=[max(0, round((self.holiday_until(each, now) - now) * 1000)) for each in range(len(self.holidays))],
            stock=[count_days_left(holidays, now) for holidays in self.holidays],
        )  # fmt: skip
