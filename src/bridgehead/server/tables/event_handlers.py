"""What an event of each kind does to a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from bridgehead.core.ending import Ending
from bridgehead.core.phrases import Phrase
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.seals import Era, Seals
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import proposals
from bridgehead.server.tables.seats import GIVES, Note, level_title
from bridgehead.server.tables.state import TableState
from bridgehead.server.tables.stored_seats import Seat

MISTAKE = "mistake"  # `by` of the pause that follows when a game's rules fail
EventBody = dict[str, Any]


def _body(event: Event) -> Any:
    return msgspec.json.decode(event.body or "{}")


# The game


def _play(table: TableState, event: Event) -> None:
    table.match.play(event.action)


def _undo(table: TableState, event: Event) -> None:
    table.match.undo()


def _back(table: TableState, event: Event) -> None:
    """Rewind the match. Chance stays as it was: a draw depends on how many came before it, not on when it is made.

    The match leaves the place where the rules failed, so a table that is paused for that resumes.
    """
    table.match.rewind(_body(event)["to"])
    table.paused = table.paused and not table.mistaken
    table.mistaken = False


def _pause(table: TableState, event: Event) -> None:
    table.paused = event.kind == "pause"
    table.mistaken = event.by == MISTAKE
    if table.mistaken:
        table.people.notes.append(Note(len(table.match.log), Phrase("mark.mistake")))


def _end(table: TableState, event: Event) -> None:
    body = _body(event)
    table.match.end(Ending(body["how"], body["seat"]))


def _late(table: TableState, event: Event) -> None:
    table.clocks.run_out(event.actor)


def _came(table: TableState, event: Event) -> None:
    table.clocks.arrive(_body(event)["seats"])


def _proposal(table: TableState, event: Event) -> None:
    """`TableState.proposals` follows the log by itself."""


# The people


def _previous_tokens(seat: Seat, token: str) -> tuple[str, ...]:
    """The tokens that may take a seat back once `token` gives it."""
    kept = (*seat.past, seat.token) if seat.keeps and seat.token else ()
    return tuple(each for each in kept if each != token)[-4:]


def _changed_seat(seat: Seat, do: str, body: EventBody) -> Seat:
    """A seat after an event about it."""
    token, name, keeps = body.get("token", ""), body.get("name", ""), bool(body.get("keeps"))
    person = {"kind": "person", "level": "", "offer": "", "free": False, "left": False, "keeps": False}
    if do in ("claim", "sit"):
        return replace(seat, **person, token=token, past=_previous_tokens(seat, token), name=name or seat.name)
    if do in ("back", "revoke"):
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


def _note(table: TableState, before: Seat, event: Event, body: EventBody) -> Phrase | None:
    """The note on a change of a seat; None where nobody needs one."""
    do = str(body["do"])
    if do == "renew" or (do == "sit" and not before.offer):  # the first person who comes by the seat's own link
        return None
    return Phrase(f"mark.{do}", {
        "letter": table.game.spec.seat_letter(event.actor).upper(), "level": level_title(body.get("level", "")),
        "by": Phrase(f"mark.by.{event.by}") if do in ("computer", "substitute", "open", "revoke") else "",
        "name": table.seats[event.actor].name, "old": before.name,
    })  # fmt: skip


def _seat(table: TableState, event: Event) -> None:
    body, before, people = _body(event), table.seats[event.actor], table.people
    seat = _changed_seat(before, body["do"], body)
    table.seats = [*table.seats[: event.actor], seat, *table.seats[event.actor + 1 :]]
    people.changes += 1
    if body["do"] in GIVES or body["do"] == "renew":
        people.given[body.get("key", event.key)] = body["token"]
    note = _note(table, before, event, body)
    if note is not None:
        people.notes.append(Note(len(table.match.log), note))


def _house(table: TableState, event: Event) -> None:
    """The host changes settings."""
    people, body = table.people, _body(event)
    people.listed = body.get("listed", people.listed)
    people.chat = body.get("chat", people.chat)
    people.watchers = body.get("watchers", people.watchers)
    people.webhook = body.get("webhook", people.webhook)
    people.language = body.get("language", people.language)
    if "hints" in body:
        people.hints = body["hints"]
        people.notes.append(Note(len(table.match.log), Phrase("mark.hints" if people.hints else "mark.no_hints")))
    people.changes += 1


def _rematch(table: TableState, event: Event) -> None:
    table.people.rematch = _body(event)["table"]


# Sealed chance


def _sealed(seals: Seals, actor: int, body: EventBody) -> Seals:
    heads = tuple(SeatHead(each[0], bytes.fromhex(each[1])) if each else None for each in body["heads"])
    gid, root = bytes.fromhex(body["gid"]), bytes.fromhex(body["root"])
    return seals.begun(Era(gid, root, body["depth"], body["level"], heads, ("",) * len(heads)))


def _committed(seals: Seals, actor: int, body: EventBody) -> Seals:
    return seals.committed(actor, SeatHead(body["source"], bytes.fromhex(body["head"])), body["holder"])


def _linked(seals: Seals, actor: int, body: EventBody) -> Seals:
    return seals.opened(bytes.fromhex(body["gid"]), Link(actor, body["n"], bytes.fromhex(body["value"])))


SEALING: dict[str, Callable[[Seals, int, EventBody], Seals]] = {
    "seal": _sealed,
    "head": _committed,
    "freeze": lambda seals, _, body: seals.frozen(bytes.fromhex(body["transcript"]), body["signature"]),
    "link": _linked,
    "chance.request": lambda seals, _, body: seals.requested(bytes.fromhex(body["gid"]), body["event"], body["seats"]),
    "chance.default": lambda seals, seat, body: seals.defaulted(bytes.fromhex(body["gid"]), seat),
    "begin": lambda seals, *_: seals,
}


def _sealing(table: TableState, event: Event) -> None:
    assert isinstance(table.dealer, Seals)
    dealer = table.dealer.played(table.match.chances, is_over=False)
    table.dealer = SEALING[event.kind](dealer, event.actor, _body(event))
    table.sealed = event.version


HANDLERS: dict[str, Callable[[TableState, Event], None]] = {
    "action": _play, "undo": _undo, "back": _back, "pause": _pause, "resume": _pause, "end": _end, "late": _late,
    "came": _came, "seat": _seat, "house": _house, "rematch": _rematch,
    **dict.fromkeys(proposals.KINDS, _proposal), **dict.fromkeys(SEALING, _sealing),
}  # fmt: skip
