"""The clocks of a table. They are computed from the log.

Of a bank, only the current span is measured, by a monotonic clock, so neither a restart nor a change of the wall clock costs a
player any time. Days are counted by the wall clock, from the times of the events in the log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from msgspec import UNSET, UnsetType

from bridgehead.core.errors import OptionError
from bridgehead.server.messages.server import ClockView
from bridgehead.server.messages.tables import ClockWish
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import days_off
from bridgehead.server.tables.days_off import DAY, Holidays
from bridgehead.server.tables.event_bodies import Charge, Charged

MOST_CREDIT = 700  # ms of round trip that a seat may be credited with, at first and at most
CREDIT = 100  # ms by which this allowance grows back with each of the seat's turns


def check_clock_settings(wish: ClockWish | None) -> ClockWish | None:
    """Check the clock settings of a new table; None for a table without clocks. Errors: OptionError."""
    if wish is not None and sum((wish.nudge > 0, wish.bank > 0, wish.days > 0)) != 1:
        raise OptionError("server:error.clock_either_nudges_after_some", "clock")
    if wish is not None and wish.stand_in and not wish.bank:
        raise OptionError("server:error.bank_stand_in", "clock")
    if wish is not None and wish.increment and not wish.bank:
        raise OptionError("server:error.bank_increment", "clock")
    return wish


class Clocks:
    """One clock a seat, in milliseconds. now: seconds of a monotonic clock; wall: Unix seconds.

    left: time in each bank; running: the seat whose clock runs, or None; since: when it started; turned: when the match last
    moved on; late: seats that are out of time and play on; came: persons' seats that have been at the table; lag: round trip
    of each seat's connection; holidays: of each seat (`days_off`).
    An event's body may hold `clock`: [seat, ms spent, ms credited for the round trip].
    """

    def __init__(
        self,
        rules: ClockWish | None,
        seats: int,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.rules = rules
        self.now, self.wall = now, wall
        self.holidays: list[Holidays] = [()] * seats
        self.left = [rules.bank * 1000 if rules else 0] * seats
        self.late: set[int] = set()
        self.came: set[int] = set()
        self.running: int | None = None
        self.since = self.turned = now()
        self.lag = [0] * seats
        self._credit = [MOST_CREDIT] * seats
        self._gains: list[tuple[int, int]] = []  # for each increment: length of the match's log, and the seat
        self._turns: dict[int, int] = {}  # by seat, an unfinished turn in which its person has decided something
        self._begun: dict[int, tuple[int, float]] = {}  # by seat, its last turn and when its days began
        self._stopped: float | None = None  # when the table was paused

    @property
    def has_banks(self) -> bool:
        return self.rules is not None and self.rules.bank > 0

    @property
    def stands_in(self) -> bool:
        """Does a computer play for a seat that is out of time, among more than two sides?"""
        return self.has_days or (self.rules is not None and self.rules.stand_in)

    @property
    def waits_for_all(self) -> bool:
        """Do the clocks run only once every person has been at the table?"""
        return self.has_banks or self.has_days

    @property
    def days(self) -> int:
        """Days for each turn, or 0."""
        return self.rules.days if self.rules is not None else 0

    @property
    def has_days(self) -> bool:
        return self.days > 0

    @property
    def elapsed(self) -> int:
        """Milliseconds since the running clock was started."""
        return 0 if self.running is None else max(0, round((self.now() - self.since) * 1000))

    @property
    def waited(self) -> float:
        """Seconds for which the table has waited for the seat to act."""
        return max(0.0, self.now() - self.turned)

    def find_agreed_time(self, seat: int) -> float:
        """Seconds that the players have agreed to wait for a turn of this seat; 0 without clocks."""
        if self.rules is None:
            return 0.0
        if self.has_days:
            left = self.remaining() if seat == self.running else None
            return self.days * DAY if left is None else self.waited + left
        return self.left[seat] / 1000 if self.has_banks else float(self.rules.nudge)

    def turn(self, at: float) -> None:
        """Note that the match has moved on. at: Unix seconds of the event, which may be read from the log much later."""
        self.turned = self.now() - max(0.0, self.wall() - at)

    def run(self, seat: int | None, charged: bool) -> None:
        """Start a seat's clock, or stop them all (None). charged: the log holds the time up to now, so start from zero."""
        if seat != self.running or charged:
            self.running, self.since = seat, self.now()

    def go_on(self, before: Clocks) -> None:
        """After the log is read again: if the same clock runs and nothing was charged, keep the start time of `before`."""
        self.lag = before.lag
        if self.running == before.running and self.left == before.left:
            self.since = before.since

    def charge_time(self) -> Charge | UnsetType:
        """The time that an event charges to the running clock; at most the time left."""
        if not self.has_banks or self.running is None:
            return UNSET
        seat, elapsed = self.running, self.elapsed
        credit = min(self.lag[seat], self._credit[seat], elapsed)
        return seat, min(elapsed - credit, self.left[seat]), credit

    def remaining(self) -> float | None:
        """Seconds until the running clock runs out, with the credit for its round trip; None if no clock can."""
        if self.due is not None:
            return max(0.0, self.due - self.wall())
        if not self.has_banks or self.running is None:
            return None
        grace = min(self.lag[self.running], self._credit[self.running])
        return max(0.0, (self.left[self.running] + grace - self.elapsed) / 1000)

    @property
    def due(self) -> float | None:
        """When the days of the seat to act are over (Unix seconds): its holidays do not count. None if no days run."""
        if not self.has_days or self.running is None:
            return None
        return days_off.deadline(self.begun, self.days, self.holidays[self.running])

    @property
    def begun(self) -> float:
        """When the days of the seat to act began (Unix seconds)."""
        return self._begun[self.running][1] if self.running is not None else 0.0

    def count_days(self, turn: int, at: float, paused: bool) -> None:
        """Begin the days of a new turn. They stand still in a pause. at: Unix seconds of the event that led here."""
        if paused:
            self._stopped = at if self._stopped is None else self._stopped
            return
        if self._stopped is not None:
            pause, self._stopped = max(0.0, at - self._stopped), None
            self._begun = {seat: (turn, begun + pause) for seat, (turn, begun) in self._begun.items()}
        if self.running is not None and self._begun.get(self.running, (-1, 0.0))[0] != turn:
            self._begun[self.running] = turn, at

    def forget_days(self) -> None:
        """After a takeback: the days of each turn begin again."""
        self._begun.clear()

    def take_off(self, seat: int, at: float, days: int) -> None:
        """Add days off to a seat's holiday, or begin one; 0 days end it. at: Unix seconds."""
        self.holidays[seat] = days_off.take_days_off(self.holidays[seat], at, days)

    def holiday_until(self, seat: int, at: float) -> float:
        """When the seat's holiday ends (Unix seconds); 0 if it has none."""
        holiday = days_off.running(self.holidays[seat], at)
        return holiday.end if holiday else 0.0

    def charge(self, event: Event) -> bool:
        """Charge the time that an event holds; False if it holds none."""
        charge = Charged.of(event.body).clock if self.has_banks and '"clock"' in event.body else UNSET
        if charge is UNSET:
            return False
        seat, spent, credit = charge
        self.left[seat] = max(0, self.left[seat] - spent)
        self._credit[seat] -= credit
        return True

    def note_decision(self, seat: int, turn: int) -> None:
        """Note that a person has made a decision in that turn."""
        self._turns[seat] = turn

    def settle(self, turn: int, length: int) -> None:
        """Credit the increments of all turns before `turn`; length: of the match's log now."""
        for seat in [seat for seat, begun in self._turns.items() if begun < turn]:
            del self._turns[seat]
            self.gain(seat, length)

    def gain(self, seat: int, length: int) -> None:
        """Credit a seat's increment for its finished turn."""
        if self.rules is None or not self.has_banks:
            return
        self.left[seat] += self.rules.increment * 1000
        self._credit[seat] = min(MOST_CREDIT, self._credit[seat] + CREDIT)
        self._gains.append((length, seat))
        if self.left[seat] > 0:
            self.late.discard(seat)

    def shrink(self, length: int, free: bool, drawn: int | None = None) -> None:
        """The match's log has become shorter. If the takeback was free, remove the increments. Time spent is never returned.

        drawn: the turn of a typed draw that is corrected; its decisions stand, so its increment comes again with the next draw.
        """
        if drawn is None:
            self._turns.clear()
        while self._gains and self._gains[-1][0] > length:
            _, seat = self._gains.pop()
            if drawn is not None:
                self._turns[seat] = drawn
            if free and self.rules is not None:
                self.left[seat] = max(0, self.left[seat] - self.rules.increment * 1000)

    def run_out(self, seat: int) -> None:
        """A seat is out of time and plays on."""
        self.late.add(seat)

    def arrive(self, seats: Iterable[int]) -> None:
        self.came |= set(seats)

    def note_lag(self, seats: Iterable[int], seconds: float) -> None:
        """Note the round trip that the server has measured for these seats."""
        for seat in seats:
            self.lag[seat] = max(0, round(seconds * 1000))

    def view(self) -> ClockView | UnsetType:
        """The clocks as all viewers see them; UNSET for a table without clocks."""
        rules = self.rules
        if rules is None:
            return UNSET
        if self.has_days:
            return self._days_view()
        if self.has_banks:
            return ClockView(self.running, self.elapsed, bank=rules.bank, increment=rules.increment, left=list(self.left))
        return ClockView(self.running, self.elapsed, nudge=rules.nudge)

    def _days_view(self) -> ClockView:
        """The clocks of a table with days for each turn."""
        now, due = self.wall(), self.due
        seats = range(len(self.holidays))
        off = [max(0, round((self.holiday_until(seat, now) - now) * 1000)) for seat in seats]
        left = UNSET if due is None else max(0, round((due - now) * 1000))
        stock = [days_off.count_days_left(holidays, now) for holidays in self.holidays]
        return ClockView(self.running, self.elapsed, days=self.days, due=left, off=off, stock=stock)
