"""Who sits at a table, and what its host wants: what the events of people do to it. Who may cause them: `deciding`."""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from bridgehead.core.phrases import Phrase
from bridgehead.server.catalogue import WORDS
from bridgehead.server.tables.stored_seats import Seat

if TYPE_CHECKING:
    from bridgehead.server.storage.sqlite import Event
    from bridgehead.server.tables.table import Table

GIVES = ("claim", "substitute", "revoke")  # what is answered with a token
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


def _seated(seat: Seat, do: str, body: dict[str, Any]) -> Seat:
    """A seat after something was done about it."""
    token, name, keeps = body.get("token", ""), body.get("name", ""), bool(body.get("keeps"))
    person = {"kind": "person", "level": "", "offer": "", "free": False, "left": False, "keeps": False}
    if do in ("claim", "sit"):
        return replace(seat, **person, token=token, past=_replaced(seat, token), name=name or seat.name)
    if do == "back":
        return replace(seat, **person, token=token, past=())
    if do == "revoke":
        return replace(seat, **person, token=token, past=())
    if do == "renew":
        return replace(seat, offer=token) if seat.offer == body["old"] else replace(seat, token=token)
    if do == "leave":
        return replace(seat, **{**person, "left": True}, token="", past=())
    if do == "computer":
        return replace(seat, kind="computer", level=body["level"], free=False)
    if do == "substitute":
        return replace(seat, offer=token, keeps=keeps)
    if do == "open":
        return replace(seat, free=True, keeps=keeps)
    assert do == "name", do
    return replace(seat, name=name)


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


def _told(table: Table, before: Seat, event: Event, body: dict[str, Any]) -> Phrase | None:
    """The line that a change of a seat leaves in the log; None for one that nobody needs to read of."""
    do = str(body["do"])
    if do == "renew" or (do == "sit" and not before.offer):  # that one is the first to come by the seat's own link
        return None
    letter = table.game.spec.seat_letter(event.actor).upper()
    level = _called(body.get("level", ""))
    who = Phrase(f"mark.by.{event.by}") if do in ("computer", "substitute", "open", "revoke") else ""
    names = {"name": table.seats[event.actor].name, "old": before.name}
    return Phrase(f"mark.{do}", {"letter": letter, "level": level, "by": who, **names})


def seat(table: Table, event: Event) -> None:
    """A seat changes hands."""
    body = json.loads(event.body)
    before = table.seats[event.actor]
    table.seats = [*table.seats[: event.actor], _seated(before, body["do"], body), *table.seats[event.actor + 1 :]]
    table.people.changes += 1
    if body["do"] in GIVES or body["do"] == "renew":
        table.people.given[body.get("key", event.key)] = body["token"]
    told = _told(table, before, event, body)
    if told is not None:
        table.people.marks.append(Mark(len(table.match.log), told))


def house(table: Table, event: Event) -> None:
    """The host changes something."""
    people, wanted = table.people, json.loads(event.body)
    people.listed = wanted.get("listed", people.listed)
    people.chat = wanted.get("chat", people.chat)
    people.watchers = wanted.get("watchers", people.watchers)
    people.webhook = wanted.get("webhook", people.webhook)
    people.language = wanted.get("language", people.language)
    if "hints" in wanted:
        people.hints = wanted["hints"]
        told = Phrase("mark.hints" if people.hints else "mark.no_hints")
        people.marks.append(Mark(len(table.match.log), told))
    people.changes += 1


def rematch(table: Table, event: Event) -> None:
    """The game goes on at another table."""
    table.people.rematch = json.loads(event.body)["table"]


# These leave the position as it is, so that a click on what was seen before them is still meant.
EVENTS = {"seat": seat, "house": house, "rematch": rematch}
