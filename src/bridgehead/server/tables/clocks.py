"""The clocks of a table: what they say follows from its log alone; only the span under way is measured, by a clock that
never jumps. So neither a restart nor a change of the wall clock takes time from anybody."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from msgspec import UNSET, UnsetType

from bridgehead.core.errors import OptionError
from bridgehead.server.messages.client import ClockWish
from bridgehead.server.messages.server import ClockView
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.event_bodies import Charge, Charged

MOST_CREDIT = 700  # ms that the line of one seat may be credited with at first, and at most at any time
CREDIT = 100  # ms by which that grows again with each of its turns


def checked(wish: ClockWish | None) -> ClockWish | None:
    """A wish for clocks that can be granted; None for no clock. Errors: OptionError."""
    if wish is not None and (wish.nudge > 0) == (wish.bank > 0):
        raise OptionError("a clock either nudges after some seconds or has a bank of them", "clock")
    if wish is not None and wish.increment and not wish.bank:
        raise OptionError("only a bank has an increment", "clock")
    return wish


class Clocks:
    """One clock a seat, in milliseconds. now: seconds of a clock that never goes back.

    left: what is in each bank; running: the seat whose clock runs, or None; since: from when; late: seats that are
    out of time and play on; came: persons' seats that somebody has been at; lag: round trip of each seat's line.
    An event's body may hold `clock`: [seat, ms spent, ms credited to the line besides].
    """

    def __init__(self, rules: ClockWish | None, seats: int, now: Callable[[], float] = time.monotonic) -> None:
        self.rules = rules
        self.now = now
        self.left = [rules.bank * 1000 if rules else 0] * seats
        self.late: set[int] = set()
        self.came: set[int] = set()
        self.running: int | None = None
        self.since = 0.0
        self.lag = [0] * seats
        self._credit = [MOST_CREDIT] * seats
        self._gains: list[tuple[int, int]] = []  # length of the match's log and the seat, for each increment
        self._turns: dict[int, int] = {}  # turns not finished in which persons have decided something

    @property
    def has_banks(self) -> bool:
        return self.rules is not None and self.rules.bank > 0

    @property
    def elapsed(self) -> int:
        """How long the running clock has run since it began to."""
        return 0 if self.running is None else max(0, round((self.now() - self.since) * 1000))

    def run(self, seat: int | None, anew: bool) -> None:
        """From now on this seat's clock runs, or none; `anew` when what had run is in the log."""
        if seat != self.running or anew:
            self.running, self.since = seat, self.now()

    def go_on(self, before: Clocks) -> None:
        """The log was read again, and the same clock runs as before, of which nothing was charged: so it has run on."""
        self.lag = before.lag
        if self.running == before.running and self.left == before.left:
            self.since = before.since

    def spent(self) -> Charge | UnsetType:
        """What the next event charges the running clock. Never more than is left."""
        if not self.has_banks or self.running is None:
            return UNSET
        seat, elapsed = self.running, self.elapsed
        credit = min(self.lag[seat], self._credit[seat], elapsed)
        return seat, min(elapsed - credit, self.left[seat]), credit

    def alarm(self) -> float | None:
        """Seconds until the running clock has run out, and its line been credited; None if none can."""
        if not self.has_banks or self.running is None:
            return None
        grace = min(self.lag[self.running], self._credit[self.running])
        return max(0.0, (self.left[self.running] + grace - self.elapsed) / 1000)

    def charge(self, event: Event) -> bool:
        """Take from a bank what an event holds; whether it held anything."""
        charge = Charged.of(event.body).clock if self.has_banks and '"clock"' in event.body else UNSET
        if charge is UNSET:
            return False
        seat, spent, credit = charge
        self.left[seat] = max(0, self.left[seat] - spent)
        self._credit[seat] -= credit
        return True

    def decided(self, seat: int, turn: int) -> None:
        """A person has decided something in that turn."""
        self._turns[seat] = turn

    def settle(self, turn: int, length: int) -> None:
        """So many turns are finished with a log that long, by a decision or by the chance after it: the increments."""
        for seat in [seat for seat, begun in self._turns.items() if begun < turn]:
            del self._turns[seat]
            self.gain(seat, length)

    def gain(self, seat: int, length: int) -> None:
        """A person's turn has ended: the increment."""
        if self.rules is None or not self.has_banks:
            return
        self.left[seat] += self.rules.increment * 1000
        self._credit[seat] = min(MOST_CREDIT, self._credit[seat] + CREDIT)
        self._gains.append((length, seat))
        if self.left[seat] > 0:
            self.late.discard(seat)

    def shrink(self, length: int, free: bool) -> None:
        """The log has become shorter. What was gained goes back too, if that was free; time spent never comes back."""
        self._turns.clear()
        while self._gains and self._gains[-1][0] > length:
            _, seat = self._gains.pop()
            if free and self.rules is not None:
                self.left[seat] = max(0, self.left[seat] - self.rules.increment * 1000)

    def run_out(self, seat: int) -> None:
        """A seat has no time left and plays on."""
        self.late.add(seat)

    def arrive(self, seats: Iterable[int]) -> None:
        self.came |= set(seats)

    def lagged(self, seats: Iterable[int], seconds: float) -> None:
        """The round trip to somebody at these seats, as the server has measured it."""
        for seat in seats:
            self.lag[seat] = max(0, round(seconds * 1000))

    def view(self) -> ClockView | UnsetType:
        """The clocks for a view; UNSET where there are none."""
        rules = self.rules
        if rules is None:
            return UNSET
        if self.has_banks:
            return ClockView(self.running, self.elapsed, bank=rules.bank, increment=rules.increment, left=list(self.left))
        return ClockView(self.running, self.elapsed, nudge=rules.nudge)
