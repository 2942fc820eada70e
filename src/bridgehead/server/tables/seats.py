"""Who sits at a table, and what its host wants: what the events of people do to it. Who may cause them: `deciding`."""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from bridgehead.core.phrases import Phrase
from bridgehead.server.catalogue import WORDS
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.stored_seats import Seat

if TYPE_CHECKING:
    from bridgehead.server.storage.sqlite import Event
    from bridgehead.server.tables.table import Table

MOST_LINKS = 16  # secrets that are remembered for whoever asks again
NOBODY: frozenset[int] = frozenset()


class Mark(NamedTuple):
    """A line of a table's log that is no action: how many actions stood before it, and what it says."""

    at: int
    phrase: Phrase


class Holding(NamedTuple):
    """What tokens give: seats to play for, seats to take back, and offers of a seat to a substitute.

    stray: one of them gives nothing.
    """

    you: frozenset[int] = frozenset()
    back: frozenset[int] = frozenset()
    offers: frozenset[int] = frozenset()
    stray: bool = False


class People:
    """What a table knows of its people beside the seats themselves.

    listed: it stands in the lobby; chat: people may talk; watchers: spectators may, too; hints: what the host decided about
    them; webhook: where turns are told; language: in which they are told there, that of the host's page;
    rematch: the table on which the game goes on; marks: lines of the log; changes: events of people so far; given: the
    hashed token that a wish was answered with, by its key. In memory only: `links`, the tokens themselves, for whoever
    asks again; gone: since when a seat's person is away, by the clock that never jumps.
    """

    def __init__(self, seats: int) -> None:
        self.links: dict[str, str] = {}
        self.seats = seats
        self.gone = dict.fromkeys(range(seats), time.monotonic())
        self.begin()

    def begin(self) -> None:
        """As they are before the first event."""
        self.listed, self.chat, self.watchers = False, True, False
        self.hints: bool | None = None
        self.webhook = self.rematch = ""
        self.language = "en"
        self.marks: list[Mark] = []
        self.changes = 0
        self.given: dict[str, str] = {}

    def see(self, attended: frozenset[int]) -> None:
        """Note since when the seats without anybody are away."""
        now = time.monotonic()
        self.gone = {seat: self.gone.get(seat, now) for seat in range(self.seats) if seat not in attended}

    def remember(self, key: str, token: str) -> None:
        """Keep a token for whoever made this key and has not heard the answer."""
        self.links[key] = token
        while len(self.links) > MOST_LINKS:
            del self.links[next(iter(self.links))]


def holding(seats: Sequence[Seat], hashes: Iterable[str]) -> Holding:
    """What hashed tokens give, compared in constant time."""
    you: set[int] = set()
    back: set[int] = set()
    offers: set[int] = set()
    stray = False
    for hashed in hashes:
        found = False
        for index, seat in enumerate(seats):
            if hmac.compare_digest(seat.token, hashed):
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


def _replaced(seat: Seat, token: str) -> tuple[str, ...]:
    """The tokens that may take a seat back once `token` gives it."""
    kept = (*seat.past, seat.token) if seat.keeps and seat.token else ()
    return tuple(each for each in kept if each != token)[-4:]


def _seated(seat: Seat, body: bodies.SeatChanged) -> Seat:
    """A seat after a change."""
    person = Seat("person", "", seat.name)
    match body:
        case bodies.Sit(token=token):
            return replace(person, token=token, past=_replaced(seat, token))
        case bodies.Claim(token=token, name=name):
            return replace(person, token=token, past=_replaced(seat, token), name=name or seat.name)
        case bodies.TakeBack(token=token) | bodies.Revoke(token=token):
            return replace(person, token=token)
        case bodies.Renew():
            return replace(seat, offer=body.token) if seat.offer == body.old else replace(seat, token=body.token)
        case bodies.Leave():
            return replace(person, left=True)
        case bodies.Computer():
            return replace(seat, kind="computer", level=body.level, free=False)
        case bodies.Substitute():
            return replace(seat, offer=body.token, keeps=body.keeps)
        case bodies.Open():
            return replace(seat, free=True, keeps=body.keeps)
        case bodies.Name():
            return replace(seat, name=body.name)


def _called(level: str) -> Phrase | str:
    """What a level is called; its own name where there is no word for it."""
    return Phrase(f"level.{level}") if WORDS.has(f"level.{level}") else level


def first_computers(table: Table) -> list[Mark]:
    """Which seats were computers' when the table was made, and of what level: for its record."""
    letters = [table.game.spec.seat_letter(index).upper() for index in range(len(table.body.seats))]
    told = [
        Phrase("mark.computer", {"letter": letter, "level": _called(seat.level), "by": ""})
        for letter, seat in zip(letters, table.body.seats, strict=True)
        if seat.kind == "computer"
    ]
    return [Mark(table.begun, phrase) for phrase in told]


def _note(table: Table, before: Seat, event: Event, body: bodies.SeatChanged) -> Phrase | None:
    """The note about a change of a seat between the lines of the log; None for a change that needs none."""
    do = bodies.change_of(body)
    if do == "renew" or (do == "sit" and not before.offer):  # the first person who arrives by the link of the seat
        return None
    letter = table.game.spec.seat_letter(event.actor).upper()
    level = _called(body.level if isinstance(body, bodies.Computer) else "")
    who = Phrase(f"mark.by.{event.by}") if do in ("computer", "substitute", "open", "revoke") else ""
    names = {"name": table.seats[event.actor].name, "old": before.name}
    return Phrase(f"mark.{do}", {"letter": letter, "level": level, "by": who, **names})


def seat(table: Table, event: Event) -> None:
    """A seat changes hands."""
    body = bodies.decode_seat(event.body)
    before = table.seats[event.actor]
    table.seats = [*table.seats[: event.actor], _seated(before, body), *table.seats[event.actor + 1 :]]
    table.people.changes += 1
    if isinstance(body, (*bodies.GIVES, bodies.Renew)):
        table.people.given[body.key if isinstance(body, bodies.Renew) else event.key] = body.token
    note = _note(table, before, event, body)
    if note is not None:
        table.people.marks.append(Mark(len(table.match.log), note))


def house(table: Table, event: Event) -> None:
    """The host changes settings."""
    people, wanted = table.people, bodies.House.of(event.body)
    people.listed = people.listed if wanted.listed is None else wanted.listed
    people.chat = people.chat if wanted.chat is None else wanted.chat
    people.watchers = people.watchers if wanted.watchers is None else wanted.watchers
    people.webhook = people.webhook if wanted.webhook is None else wanted.webhook
    people.language = wanted.language or people.language
    if wanted.hints is not None:
        people.hints = wanted.hints
        people.marks.append(Mark(len(table.match.log), Phrase("mark.hints" if people.hints else "mark.no_hints")))
    people.changes += 1


def rematch(table: Table, event: Event) -> None:
    """The game goes on at another table."""
    table.people.rematch = bodies.Rematch.of(event.body).table


# These leave the position unchanged, so an action chosen in an earlier view stays valid.
EVENTS = {"seat": seat, "house": house, "rematch": rematch}
