"""Results: who played which seat of a finished game, how it ended, and whether it counts for ratings, read from its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from bridgehead.core.ending import ABSENT, CLOSED
from bridgehead.core.phrases import languages
from bridgehead.core.spec import OVER
from bridgehead.server.rooms.views import rule_line
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.event_handlers import changed_seat
from bridgehead.server.tables.state import Folded
from bridgehead.server.tables.stored_seats import Seat

PERSON, LEVEL = "p:", "l:"  # begin the name of a profile, and of a level of the computer


class Result(msgspec.Struct, frozen=True):
    """The result of a table. who: at each seat a profile ("p:ID"), a level ("l:LEVEL") or "" for somebody without a profile.

    returns: 1.0 won, -1.0 lost, 0.0 no winner, by seat; sides: which seats play together; why: why it counts for no rating,
    the key of a sentence without "unrated.", "" if it does; rules: the house rules in each language.
    """

    game: str
    rules: dict[str, str]
    who: list[str]
    names: list[str]
    sides: list[int]
    returns: list[float]
    ended: float
    why: str = ""

    @property
    def seats(self) -> int:
        return len(self.who)


def result_of(table: Folded, events: list[Event]) -> Result | None:
    """The result of a table; None if its game runs, or if nobody there has a profile. events: its whole log."""
    outcome = table.match.outcome
    if table.actor != OVER or outcome is None:
        return None
    played = list(_played(table.body.seats, events))
    who = [_name(seat) for seat in table.seats]
    if not any(name.startswith(PERSON) for name in [*who, *(name for _, name in played)]):
        return None
    why = _objection(table, events, who, played)
    rules = {language: rule_line(table.game, language) for language in languages()}
    ended = events[_end(events) - 1].time if events else 0.0
    sides = list(table.game.sides)
    return Result(table.game.spec.id, rules, who, list(table.names), sides, list(outcome.returns), ended, why)


def _end(events: list[Event]) -> int:
    """The number of events until the game was over; all if none tells."""
    return next((n for n in range(len(events), 0, -1) if events[n - 1].kind in ("action", "end")), len(events))


def _name(seat: Seat) -> str:
    if seat.kind == "computer":
        return LEVEL + seat.level
    return PERSON + seat.profile if seat.profile else ""


def _played(seats: Iterable[Seat], events: Iterable[Event]) -> Iterator[tuple[int, str]]:
    """For each decision, the seat and who played it then."""
    now = list(seats)
    for event in events:
        if event.kind == "seat":
            now[event.actor] = changed_seat(now[event.actor], bodies.decode_seat(event.body))
        elif event.kind == "action" and event.by not in ("chance", "fork") and event.actor >= 0:
            yield event.actor, _name(now[event.actor])


def _from_one_browser(events: Iterable[Event]) -> bool:
    """Did one browser play several seats of profiles, as far as browsers said who they are?"""
    found: dict[str, set[int]] = {}
    for event in events:
        body = bodies.decode_seat(event.body) if event.kind == "seat" else None
        if isinstance(body, bodies.ProfileAttached) and body.browser:
            found.setdefault(body.browser, set()).add(event.actor)
    return any(len(seats) > 1 for seats in found.values())


def _objection(table: Folded, events: list[Event], who: list[str], played: list[tuple[int, str]]) -> str:
    """Why a game does not count for ratings; "" if it does."""
    people = [name for name in who if name.startswith(PERSON)]
    of_seat: dict[int, set[str]] = {}
    for seat, name in played:
        of_seat.setdefault(seat, {who[seat]}).add(name)
    tests = (
        ("unplayed", not played),
        ("absent", table.match.ended is not None and table.match.ended.how == ABSENT),
        ("closed", table.match.ended is not None and table.match.ended.how == CLOSED),
        ("stranger", "" in who),
        ("self", len({*people}) < len(people)),
        ("changed", any(len(names) > 1 for names in of_seat.values())),
        ("page", any(event.kind == "action" and bodies.Charged.of(event.body).several is True for event in events)),
        ("browser", _from_one_browser(events[: _end(events)])),
        ("begun", bool(table.body.start or table.begun)),
        ("seed", table.body.known),
        ("typed", table.body.typed),
        (
            "hint",
            any(event.kind == "seat" and isinstance(bodies.decode_seat(event.body), bodies.AdviceTaken) for event in events),
        ),
        ("takeback", any(event.kind == "back" for event in events)),
    )
    return next((key for key, holds in tests if holds), "")
