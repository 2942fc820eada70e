"""Proposals between the people of a table, computed from the log: one at a time, with limited repetition."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from msgspec import UNSET

from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import event_bodies as bodies

WAITS = 60.0  # seconds after which a proposal lapses, unless the table gives days for each turn
OFTEN = 5  # proposals of one seat before the match moves on
KINDS = ("ask", "answer", "withdraw", "lapse")


class Proposal(NamedTuple):
    """One proposal. version: of its event; actor: the seat that proposes, for `seats`; need: the seats that have to agree.

    to: for "takeback", the length of the log after it; until: when it lapses (monotonic clock); agreed: the seats that have
    agreed; state: "open", "agreed", "refused", "withdrawn" or "lapsed"; by: the seat that answered last.
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


class Proposals:
    """The proposals of a table. last: the newest, until the match moves on; now: seconds of a monotonic clock.

    waits: seconds after which a proposal lapses.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, waits: float = 0.0) -> None:
        self.now, self.waits = now, waits or WAITS
        self.last: Proposal | None = None
        self._refused: dict[tuple[int, str], tuple[int, float]] = {}  # length of the log at the refusal, and its wall-clock time
        self._counts: dict[int, tuple[int, int]] = {}  # length of the log, and the number of proposals since it grew

    @property
    def open(self) -> Proposal | None:
        """The proposal that waits for an answer."""
        return self.last if self.last and self.last.state == "open" and self.now() < self.last.until else None

    @property
    def silent(self) -> bool:
        """Is there no earlier proposal that could bar a new one?"""
        return not (self.last or self._refused or self._counts)

    def was_refused(self, seat: int, what: str, length: int) -> bool:
        """Was this proposal of the seat refused, with nothing played since? "resume" is possible again after WAITS seconds."""
        if (seat, what) not in self._refused:
            return False
        then, at = self._refused[seat, what]
        return length <= then and not (what == "resume" and not 0 <= time.time() - at < WAITS)

    def too_often(self, seat: int, what: str, length: int) -> bool:
        """Has the seat proposed too often since the last action? "resume" has no limit."""
        then, count = self._counts.get(seat, (-1, 0))
        return what != "resume" and length <= then and count >= OFTEN

    def follow(self, events: list[Event], length: int) -> None:
        """Follow the log. length: of the match's log after these events."""
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
                self._counts.clear()

    def _begin(self, event: Event, length: int) -> None:
        body = bodies.ProposalMade.of(event.body)
        age = min(self.waits, max(0.0, time.time() - event.time))
        need = frozenset(body.need)
        self.last = Proposal(
            event.version, body.what, event.actor, frozenset(body.seats), need, -1 if body.to is UNSET else body.to,
            self.now() + self.waits - age, state="open" if need else "agreed",
        )  # fmt: skip
        then, count = self._counts.get(event.actor, (-1, 0))
        self._counts[event.actor] = (length, 1) if length > then else (then, count + 1)

    def _close(self, event: Event, length: int) -> None:
        """A proposal is answered, withdrawn or has lapsed."""
        assert self.last is not None
        answer = bodies.ProposalAnswered.of(event.body) if event.kind == "answer" else None
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
