"""The people of a table: the rights of their tokens, the host's settings, and the notes on changes of seats."""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import Spec
from bridgehead.server.catalogue import WORDS
from bridgehead.server.tables.stored_seats import Seat

MOST_LINKS = 16  # tokens kept in memory for repeated requests
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


class TablePeople:
    """The host's settings, the notes, and the tokens that the server has given out.

    listed: the table is in the lobby; public: anybody may find the running game there; chat: people may chat;
    watchers: so may spectators; hints: whether hints are allowed,
    None for the usual rule; webhook: URL that is called at each turn; language: of these calls; rematch: code of the next
    table; changes: number of events about people; given: hash of the token that answered a message, by the message's key.
    In memory only. links: the tokens themselves, for repeated requests; gone: the time since which each absent seat is empty
    (monotonic clock); seen: the seats at which somebody has been.
    """

    def __init__(self, seats: int) -> None:
        self.links: dict[str, str] = {}
        self.seats = seats
        self.gone = dict.fromkeys(range(seats), time.monotonic())
        self.seen: set[int] = set()
        self.begin()

    def begin(self, public: bool = False) -> None:
        """The settings before the first event."""
        self.listed, self.public, self.chat, self.watchers = False, public, True, False
        self.hints: bool | None = None
        self.webhook = self.rematch = ""
        self.language = "en"
        self.notes: list[TableNote] = []
        self.changes = 0
        self.given: dict[str, str] = {}

    def see(self, attended: frozenset[int]) -> None:
        """Note when a seat becomes empty. attended: seats with somebody there."""
        now = time.monotonic()
        self.seen |= attended
        self.gone = {seat: self.gone.get(seat, now) for seat in range(self.seats) if seat not in attended}

    def remember(self, key: str, token: str) -> None:
        """Keep a token until the page that asked for it has surely received it."""
        self.links[key] = token
        while len(self.links) > MOST_LINKS:
            del self.links[next(iter(self.links))]


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
