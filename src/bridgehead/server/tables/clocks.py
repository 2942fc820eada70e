"""The clock of a table: a value that is computed from the log. Every change makes a new one.

Of a bank, only the current span is measured, by a monotonic clock, so neither a restart nor a change of the wall clock costs a
player any time. `days_off.TurnDays` counts the days of a turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from bridgehead.core.errors import OptionError
from bridgehead.server.messages.server import ClockView
from bridgehead.server.messages.tables import ClockWish
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.event_bodies import Charge, Charged

MOST_CREDIT = 700  # ms of round trip that a seat may be credited with, at first and at most
CREDIT = 100  # ms by which this allowance grows back with each of the seat's turns
NO_CLOCK = ClockWish()


def check_clock_settings(wish: ClockWish | None) -> ClockWish | None:
    """Check the clock settings of a new table; None for a table without clocks. Errors: OptionError."""
    if wish is not None and sum((wish.nudge > 0, wish.bank > 0, wish.days > 0)) != 1:
        raise OptionError("server:error.clock_either_nudges_after_some", "clock")
    if wish is not None and wish.stand_in and not wish.bank:
        raise OptionError("server:error.bank_stand_in", "clock")
    if wish is not None and wish.increment and not wish.bank:
        raise OptionError("server:error.bank_increment", "clock")
    return wish


class Gain(NamedTuple):
    """An increment. length: of the match's log then; before: the increment before it."""

    length: int
    seat: int
    before: Gain | None


class TableClock(msgspec.Struct, frozen=True):
    """The clock of a table. A table without clocks has one that never runs. Times are seconds of a monotonic clock (`now`)."""

    rules: ClockWish
    left: tuple[int, ...]
    """Milliseconds in the bank of each seat."""
    credit: tuple[int, ...]
    """Milliseconds that each seat may still be credited with for its round trips."""
    turned: float
    """When the match last moved on."""
    running: int | None = None
    """The seat whose clock runs."""
    since: float = 0.0
    """When it started."""
    late: frozenset[int] = frozenset()
    """Seats that are out of time and play on."""
    gains: Gain | None = None
    """The last increment."""
    turns: Mapping[int, int] = {}
    """By seat, an unfinished turn in which its person has decided something."""

    @property
    def is_used(self) -> bool:
        """Has the table a clock?"""
        return self.rules != NO_CLOCK

    @property
    def has_banks(self) -> bool:
        return self.rules.bank > 0

    @property
    def waits_for_all(self) -> bool:
        """Does the clock run only once every person has been at the table?"""
        return self.rules.bank > 0 or self.rules.days > 0

    @property
    def stands_in(self) -> bool:
        """Does a computer play for a seat that is out of time, among more than two sides?"""
        return self.rules.days > 0 or self.rules.stand_in

    def measure_elapsed(self, now: float) -> int:
        """Milliseconds since the running clock was started."""
        return 0 if self.running is None else max(0, round((now - self.since) * 1000))

    def remaining(self, now: float, lag: int) -> float | None:
        """Seconds until the running bank is empty, with the credit for its round trip; None if none runs. lag: in ms."""
        if not self.has_banks or self.running is None:
            return None
        return max(0.0, (self.left[self.running] + min(lag, self.credit[self.running]) - self.measure_elapsed(now)) / 1000)

    def charge_time(self, now: float, lag: int) -> Charge | UnsetType:
        """The time that an event charges to the running bank: the seat, ms spent, at most those left, and ms credited."""
        if not self.has_banks or self.running is None:
            return UNSET
        seat, elapsed = self.running, self.measure_elapsed(now)
        credit = min(lag, self.credit[seat], elapsed)
        return seat, min(elapsed - credit, self.left[seat]), credit

    def charge_of(self, event: Event) -> Charge | UnsetType:
        """The time that an event has charged to a bank."""
        return Charged.of(event.body).clock if self.has_banks and '"clock"' in event.body else UNSET

    def view(self, now: float) -> ClockView:
        """The clock as all viewers see it, without days."""
        rules, elapsed = self.rules, self.measure_elapsed(now)
        if self.has_banks:
            return ClockView(self.running, elapsed, bank=rules.bank, increment=rules.increment, left=list(self.left))
        return ClockView(self.running, elapsed, nudge=rules.nudge or UNSET)

    # Changes

    def run(self, seat: int | None, charged: bool, now: float) -> TableClock:
        """Run for a seat, or stop (None). charged: the log holds the time up to now, so start from zero."""
        return replace(self, running=seat, since=now) if seat != self.running or charged else self

    def keep_start_of(self, before: TableClock) -> TableClock:
        """Take over the start time of `before` if the same clock runs and nothing was charged since: the log was read again."""
        return replace(self, since=before.since) if (self.running, self.left) == (before.running, before.left) else self

    def charge(self, charge: Charge) -> TableClock:
        """Charge time that an event holds."""
        seat, spent, credit = charge
        return self._with_bank(seat, max(0, self.left[seat] - spent), self.credit[seat] - credit)

    def renew(self, seat: int) -> TableClock:
        """Give a seat all its time: somebody else has it, before anybody's decision."""
        running = None if self.running == seat else self.running
        clock = replace(self, running=running, late=self.late - {seat})
        return clock._with_bank(seat, self.rules.bank * 1000, MOST_CREDIT)

    def note_decision(self, seat: int, turn: int) -> TableClock:
        """Note that a person has made a decision in that turn."""
        return replace(self, turns={**self.turns, seat: turn})

    def settle(self, turn: int, length: int) -> TableClock:
        """Credit the increments of all turns before `turn`; length: of the match's log now."""
        clock = self
        for seat in [seat for seat, begun in self.turns.items() if begun < turn]:
            clock = clock.gain(seat, length)
        return clock

    def gain(self, seat: int, length: int) -> TableClock:
        """Credit a seat's increment for its finished turn."""
        clock = replace(self, turns={each: turn for each, turn in self.turns.items() if each != seat})
        if not self.has_banks:
            return clock
        left, credit = self.left[seat] + self.rules.increment * 1000, min(MOST_CREDIT, self.credit[seat] + CREDIT)
        late = self.late - {seat} if left > 0 else self.late
        return replace(clock._with_bank(seat, left, credit), gains=Gain(length, seat, self.gains), late=late)

    def shrink(self, length: int, free: bool, drawn: int | None = None) -> TableClock:
        """The match's log has become shorter. If the takeback was free, remove the increments. Time spent is never returned.

        drawn: the turn of a typed draw that is corrected; its decisions stand, so its increment comes again with the next draw.
        """
        clock = self if drawn is not None else replace(self, turns={})
        while (gain := clock.gains) is not None and gain.length > length:
            clock = replace(clock, gains=gain.before)
            if drawn is not None:
                clock = clock.note_decision(gain.seat, drawn)
            if free:
                left = max(0, clock.left[gain.seat] - self.rules.increment * 1000)
                clock = clock._with_bank(gain.seat, left, clock.credit[gain.seat])
        return clock

    def _with_bank(self, seat: int, left: int, credit: int) -> TableClock:
        def put(values: tuple[int, ...], value: int) -> tuple[int, ...]:
            return (*values[:seat], value, *values[seat + 1 :])

        return replace(self, left=put(self.left, left), credit=put(self.credit, credit))


def first_clock(wish: ClockWish | None, seats: int, now: float) -> TableClock:
    """The clock of a new table. wish: None for a table without clocks."""
    rules = wish or NO_CLOCK
    return TableClock(rules, (rules.bank * 1000,) * seats, (MOST_CREDIT,) * seats, now)
