"""What people at a table ask of one another, as it follows from the log: one thing at a time, and not again and again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from msgspec import UNSET

from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import event_bodies as bodies

WAITS = 60.0  # seconds until nobody waits for an answer any more
OFTEN = 5  # times that a seat may ask before the table moves on
KINDS = ("ask", "answer", "withdraw", "lapse")


class Ask(NamedTuple):
    """Something asked. version: of its event; actor: who asks, for `seats`; need: the seats that have to agree.

    to: for "takeback", how long the log would be; until: when it lapses, by the clock that never jumps; agreed: who
    has agreed so far; state: "open", "agreed", "refused", "withdrawn" or "lapsed"; by: who answered last.
    """

    version: int
    what: str
    actor: int
    seats: frozenset[int]
    need: frozenset[int]
    to: int
    until: float
    agreed: frozenset[int] = frozenset()
    state: str = "open"
    by: int = -1


class Asks:
    """`last`: what was asked last, until the table moves on. now: seconds of a clock that never goes back."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.last: Ask | None = None
        self._refused: dict[tuple[int, str], tuple[int, float]] = {}  # length of the log then, and the wall clock
        self._asked: dict[int, tuple[int, int]] = {}  # length of the log, and how often since it was longer

    @property
    def open(self) -> Ask | None:
        """What waits for an answer."""
        return self.last if self.last and self.last.state == "open" and self.now() < self.last.until else None

    @property
    def silent(self) -> bool:
        """Was nothing asked, or so long ago that it bars nothing?"""
        return not (self.last or self._refused or self._asked)

    def was_refused(self, seat: int, what: str, length: int) -> bool:
        """Was this refused to the seat, and nothing was played since? To play on may be asked again after a while."""
        if (seat, what) not in self._refused:
            return False
        then, at = self._refused[seat, what]
        return length <= then and not (what == "resume" and not 0 <= time.time() - at < WAITS)

    def too_often(self, seat: int, what: str, length: int) -> bool:
        """Has the seat asked often enough since something was played? To play on may always be asked, now and then."""
        then, count = self._asked.get(seat, (-1, 0))
        return what != "resume" and length <= then and count >= OFTEN

    def follow(self, events: list[Event], length: int) -> None:
        """Take in what is in the log; length: of the match's log after it."""
        kinds = {event.kind for event in events}
        if kinds.isdisjoint(KINDS):
            if not kinds.isdisjoint(("action", "undo", "back", "end")):
                self.last = None
            return
        for event in events:
            if event.kind == "ask":
                self._begin(event, length)
            elif event.kind in KINDS and self.last:
                self._close(event, length)
            elif event.kind == "back":
                self._refused.clear()
                self._asked.clear()

    def _begin(self, event: Event, length: int) -> None:
        body = bodies.Ask.of(event.body)
        age = min(WAITS, max(0.0, time.time() - event.time))
        need = frozenset(body.need)
        self.last = Ask(
            event.version, body.what, event.actor, frozenset(body.seats), need, -1 if body.to is UNSET else body.to,
            self.now() + WAITS - age, state="open" if need else "agreed",
        )  # fmt: skip
        then, count = self._asked.get(event.actor, (-1, 0))
        self._asked[event.actor] = (length, 1) if length > then else (then, count + 1)

    def _close(self, event: Event, length: int) -> None:
        """Somebody has answered, or nobody will."""
        assert self.last is not None
        answer = bodies.Answer.of(event.body) if event.kind == "answer" else None
        if answer is not None and answer.yes:
            agreed = self.last.agreed | frozenset(answer.seats)
            self.last = self.last._replace(agreed=agreed, by=event.actor)
            if agreed >= self.last.need:
                self.last = self.last._replace(state="agreed")
            return
        states = {"answer": "refused", "withdraw": "withdrawn", "lapse": "lapsed"}
        self.last = self.last._replace(state=states[event.kind], by=event.actor)
        if event.kind == "answer" or self.last.what == "resume":
            then, _ = self._refused.get((self.last.actor, self.last.what), (-1, 0.0))
            self._refused[self.last.actor, self.last.what] = max(then, length), event.time
