"""The clocks of a table. They are computed from the log; only the current span is measured, by a monotonic clock.

So neither a restart nor a change of the wall clock costs a player any time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from msgspec import UNSET, UnsetType

from bridgehead.core.errors import OptionError
from bridgehead.server.messages.client import ClockWish
from bridgehead.server.messages.server import ClockView
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.event_bodies import Charge, Charged

MOST_CREDIT = 700  # ms of round trip that a seat may be credited with, at first and at most
CREDIT = 100  # ms by which this allowance grows back with each of the seat's turns


def checked(wish: ClockWish | None) -> ClockWish | None:
    """Check the clock settings of a new table; None for a table without clocks. Errors: OptionError."""
    if wish is not None and (wish.nudge > 0) == (wish.bank > 0):
        raise OptionError("server:error.clock_either_nudges_after_some", "clock")
    if wish is not None and wish.increment and not wish.bank:
        raise OptionError("server:error.bank_increment", "clock")
    return wish


class Clocks:
    """One clock a seat, in milliseconds. now: seconds of a monotonic clock.

    left: time in each bank; running: the seat whose clock runs, or None; since: when it started; turned: when the match last
    moved on; late: seats that are out of time and play on; came: persons' seats that have been at the table; lag: round trip
    of each seat's connection.
    An event's body may hold `clock`: [seat, ms spent, ms credited for the round trip].
    """

    def __init__(self, rules: ClockWish | None, seats: int, now: Callable[[], float] = time.monotonic) -> None:
        self.rules = rules
        self.now = now
        self.left = [rules.bank * 1000 if rules else 0] * seats
        self.late: set[int] = set()
        self.came: set[int] = set()
        self.running: int | None = None
        self.since = self.turned = now()
        self.lag = [0] * seats
        self._credit = [MOST_CREDIT] * seats
        self._gains: list[tuple[int, int]] = []  # for each increment: length of the match's log, and the seat
        self._turns: dict[int, int] = {}  # by seat, an unfinished turn in which its person has decided something

    @property
    def has_banks(self) -> bool:
        return self.rules is not None and self.rules.bank > 0

    @property
    def elapsed(self) -> int:
        """Milliseconds since the running clock was started."""
        return 0 if self.running is None else max(0, round((self.now() - self.since) * 1000))

    @property
    def waited(self) -> float:
        """Seconds for which the table has waited for the seat to act."""
        return max(0.0, self.now() - self.turned)

    def agreed(self, seat: int) -> float:
        """Seconds that the players have agreed to wait for a turn of this seat; 0 without clocks."""
        if self.rules is None:
            return 0.0
        return self.left[seat] / 1000 if self.has_banks else float(self.rules.nudge)

    def turn(self, at: float) -> None:
        """Note that the match has moved on. at: Unix seconds of the event, which may be read from the log much later."""
        self.turned = self.now() - max(0.0, time.time() - at)

    def run(self, seat: int | None, charged: bool) -> None:
        """Start a seat's clock, or stop them all (None). charged: the log holds the time up to now, so start from zero."""
        if seat != self.running or charged:
            self.running, self.since = seat, self.now()

    def go_on(self, before: Clocks) -> None:
        """After the log is read again: if the same clock runs and nothing was charged, keep the start time of `before`."""
        self.lag = before.lag
        if self.running == before.running and self.left == before.left:
            self.since = before.since

    def spent(self) -> Charge | UnsetType:
        """The time that an event charges to the running clock; at most the time left."""
        if not self.has_banks or self.running is None:
            return UNSET
        seat, elapsed = self.running, self.elapsed
        credit = min(self.lag[seat], self._credit[seat], elapsed)
        return seat, min(elapsed - credit, self.left[seat]), credit

    def remaining(self) -> float | None:
        """Seconds until the running clock runs out, with the credit for its round trip; None if no clock can."""
        if not self.has_banks or self.running is None:
            return None
        grace = min(self.lag[self.running], self._credit[self.running])
        return max(0.0, (self.left[self.running] + grace - self.elapsed) / 1000)

    def charge(self, event: Event) -> bool:
        """Charge the time that an event holds; False if it holds none."""
        charge = Charged.of(event.body).clock if self.has_banks and '"clock"' in event.body else UNSET
        if charge is UNSET:
            return False
        seat, spent, credit = charge
        self.left[seat] = max(0, self.left[seat] - spent)
        self._credit[seat] -= credit
        return True

    def decided(self, seat: int, turn: int) -> None:
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

    def lagged(self, seats: Iterable[int], seconds: float) -> None:
        """Note the round trip that the server has measured for these seats."""
        for seat in seats:
            self.lag[seat] = max(0, round(seconds * 1000))

    def view(self) -> ClockView | UnsetType:
        """The clocks as all viewers see them; UNSET for a table without clocks."""
        rules = self.rules
        if rules is None:
            return UNSET
        if self.has_banks:
            return ClockView(self.running, self.elapsed, bank=rules.bank, increment=rules.increment, left=list(self.left))
        return ClockView(self.running, self.elapsed, nudge=rules.nudge)
