"""The people of a table: the rights of their tokens, the host's settings, and the notes on changes of seats."""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import Spec
from bridgehead.server.catalogue import WORDS
from bridgehead.server.tables.stored_seats import Seat

NOBODY: frozenset[int] = frozenset()


class TableNote(NamedTuple):
    """A line of a table's log besides the actions. at: number of actions before it."""

    at: int
    phrase: Phrase


class Holding(NamedTuple):
    """The rights of some tokens. you: seats to play; back: seats to take back; offers: seats offered to a substitute.

    stray: one of the tokens is invalid.
    """

    you: frozenset[int] = frozenset()
    back: frozenset[int] = frozenset()
    offers: frozenset[int] = frozenset()
    stray: bool = False


class TablePeople(msgspec.Struct):
    """The host's settings, the notes on changes of seats, and what the server has given out."""

    public: bool = False
    """Anybody may find the running game in the lobby."""
    listed: bool = False
    """The table is in the lobby."""
    chat: bool = True
    """People may chat."""
    watchers: bool = False
    """So may spectators."""
    hints: bool | None = None
    """Whether hints are allowed; None for the usual rule."""
    webhook: str = ""
    """URL that is called at each turn."""
    language: str = "en"
    """Language of these calls."""
    rematch: str = ""
    """Code of the next table."""
    notes: list[TableNote] = []
    changes: int = 0
    """Number of events about people."""
    given: dict[str, str] = {}
    """Hash of the token that answered a message, by the message's key."""


class Attendance:
    """Who is here now. No log tells it."""

    here: frozenset[int] = NOBODY
    """Seats with somebody connected, at any server process."""
    attended: frozenset[int] = NOBODY
    """These, and seats whose earlier person is connected here."""
    gone: dict[int, float]
    """The time since which each absent seat is empty (monotonic clock)."""
    seen: frozenset[int] = NOBODY
    """Seats at which somebody has been."""
    lag: dict[int, int]
    """Round trip of each seat's connection, in milliseconds."""
    crowd: int = 0
    """Connections of this process."""

    def __init__(self, seats: int) -> None:
        self._seats, self.gone, self.lag = seats, dict.fromkeys(range(seats), time.monotonic()), {}

    def note(self, here: frozenset[int], back: Iterable[frozenset[int]]) -> None:
        """Note who is here now. back: the seats that each page here could take back."""
        now = time.monotonic()
        self.here, self.attended = here, here.union(*back)
        self.seen |= self.attended
        self.gone = {seat: self.gone.get(seat, now) for seat in range(self._seats) if seat not in self.attended}

    def note_lag(self, seats: Iterable[int], seconds: float) -> None:
        """Note the round trip that the server has measured for these seats."""
        self.lag |= dict.fromkeys(seats, max(0, round(seconds * 1000)))


def holding(seats: Sequence[Seat], hashes: Iterable[str]) -> Holding:
    """The rights of hashed tokens, compared in constant time."""
    you: set[int] = set()
    back: set[int] = set()
    offers: set[int] = set()
    stray = False
    for hashed in hashes:
        found = False
        for index, seat in enumerate(seats):
            if hmac.compare_digest(seat.token, hashed) | hmac.compare_digest(seat.own, hashed):
                (you if seat.kind == "person" else back).add(index)
                found = True
            if any([hmac.compare_digest(each, hashed) for each in seat.past]):
                back.add(index)
                found = True
            if hmac.compare_digest(seat.offer, hashed):
                offers.add(index)
                found = True
        stray = stray or not found
    return Holding(frozenset(you) or NOBODY, frozenset(back - you) or NOBODY, frozenset(offers) or NOBODY, stray)


def level_title(level: str) -> Phrase | str:
    """The title of a computer player's level; the level itself if it has none."""
    return Phrase(f"level.{level}") if WORDS.has(f"level.{level}") else level


def computer_notes(seats: Sequence[Seat], spec: Spec, begun: int) -> list[TableNote]:
    """A note for each seat that a computer had from the start, for the record."""
    return [
        TableNote(
            begun, Phrase("mark.computer", {"letter": spec.seat_letter(i).upper(), "level": level_title(seat.level), "by": ""})
        )
        for i, seat in enumerate(seats)
        if seat.kind == "computer"
    ]
