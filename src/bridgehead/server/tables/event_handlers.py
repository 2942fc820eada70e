"""Applies events to a table: one function for each kind of event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from bridgehead.core.ending import Ending
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import CHANCE
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.seals import SealedEra, Seals
from bridgehead.server.messages.client import ALWAYS, PLAYING, RUNNING, Phase
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables import proposals
from bridgehead.server.tables.seats import TableNote, level_title
from bridgehead.server.tables.state import Folded
from bridgehead.server.tables.stored_seats import Seat

MISTAKE = "mistake"  # `by` of the pause that follows when a game's rules fail


# The game


def _play(table: Folded, event: Event) -> None:
    table.match.play(event.action)
    table.begun += event.by == "fork"  # older releases stored each imported action as an event


def _import(table: Folded, event: Event) -> None:
    table.begun = table.taken = bodies.RecordImported.of(event.body).actions
    for action in table.imported[: table.begun]:
        table.match.play(action)


def _undo(table: Folded, event: Event) -> None:
    table.match.rewind(len(table.match.log) - 1)
    note = TableNote(len(table.match.log), Phrase("mark.corrected"))
    if event.actor == CHANCE and note not in table.people.notes[-1:]:  # a typed draw that was wrong
        table.people.notes.append(note)


def _back(table: Folded, event: Event) -> None:
    """Rewind the match. Chance is not rerolled: a draw depends on the number of draws before it, not on the time.

    The match leaves the position in which the rules failed, so a table that was paused for that reason resumes.
    """
    table.match.rewind(bodies.MatchRewound.of(event.body).to)
    table.paused = table.paused and not table.rules_failed
    table.rules_failed = False


def _pause(table: Folded, event: Event) -> None:
    table.paused = event.kind == "pause"
    table.rules_failed = event.by == MISTAKE
    if table.rules_failed:
        table.people.notes.append(TableNote(len(table.match.log), Phrase("mark.mistake")))


def _hold(table: Folded, event: Event) -> None:
    table.frozen_by_host = event.kind == "hold"


def _end(table: Folded, event: Event) -> None:
    end = bodies.MatchEnded.of(event.body)
    table.match.end(Ending(end.how, end.seat, end.more))


def _late(table: Folded, event: Event) -> None:
    table.clock = replace(table.clock, late=table.clock.late | {event.actor})


def _came(table: Folded, event: Event) -> None:
    table.came = table.came.union(bodies.PersonsArrived.of(event.body).seats)


def _holiday(table: Folded, event: Event) -> None:
    table.days = table.days.take_off(event.actor, event.time, bodies.HolidayTaken.of(event.body).days)


def _proposal(table: Folded, event: Event) -> None:
    """Do nothing: `Folded.proposals` reads these events itself."""


# The people


def _previous_tokens(seat: Seat, token: str) -> tuple[str, ...]:
    """The tokens that may take a seat back after `token` has become the seat's token."""
    kept = (*seat.past, seat.token) if seat.keeps and seat.token else ()
    return tuple(each for each in kept if each != token)[-4:]


def changed_seat(seat: Seat, body: bodies.SeatChanged) -> Seat:
    """A seat after an event about it."""
    person = Seat("person", "", seat.name)
    match body:
        case bodies.PersonSeated():
            return replace(person, token=body.token, past=_previous_tokens(seat, body.token))
        case bodies.SeatClaimed():
            past = _previous_tokens(seat, body.token)
            return replace(person, token=body.token, past=past, name=body.name or seat.name)
        case bodies.SeatTakenBack() | bodies.LinkRevoked():
            return replace(person, token=body.token)
        case bodies.LinkRenewed():
            return replace(seat, offer=body.token) if seat.offer == body.old else replace(seat, token=body.token)
        case bodies.SeatLeft():
            return replace(person, left=True)
        case bodies.ComputerSeated():
            return replace(seat, kind="computer", level=body.level, free=False, profile="", browser="")
        case bodies.SubstituteSeated():
            return replace(seat, offer=body.token, keeps=body.keeps)
        case bodies.SeatOpened():
            return replace(seat, free=True, keeps=body.keeps)
        case bodies.SeatNamed():
            return replace(seat, name=body.name)
        case bodies.ProfileAttached():
            return replace(
                seat, profile=body.profile, own=body.own, browser=(body.browser or seat.browser) if body.profile else ""
            )
        case bodies.AdviceTaken():
            return replace(seat, advised=True)


def _note(table: Folded, before: Seat, event: Event, body: bodies.SeatChanged) -> Phrase | None:
    """The note on a change of a seat; None for a change that needs none."""
    do = bodies.change_of(body)
    # None for the first person who uses the seat's own link.
    if do in ("renew", "profile", "advised") or (do == "sit" and not before.offer):
        return None
    return Phrase(f"mark.{do}", {
        "letter": table.game.spec.seat_letter(event.actor).upper(),
        "level": level_title(body.level if isinstance(body, bodies.ComputerSeated) else ""),
        "by": Phrase(f"mark.by.{event.by}") if do in ("computer", "substitute", "open", "revoke") else "",
        "name": table.seats[event.actor].name, "old": before.name,
    })  # fmt: skip


def _is_handed_over(event: Event, body: bodies.SeatChanged) -> bool:
    """Has the host of a class given the seat, before anybody's decision, to somebody who has yet to come, or freed it?"""
    freed = isinstance(body, bodies.LinkRevoked) and not body.token  # where a table's host ends a link, a new one comes with it
    return event.by == "host" and (freed or isinstance(body, bodies.SeatClaimed))


def _seat(table: Folded, event: Event) -> None:
    body, before, people = bodies.decode_seat(event.body), table.seats[event.actor], table.people
    table.seats = [*table.seats[: event.actor], changed_seat(before, body), *table.seats[event.actor + 1 :]]
    people.changes += 1
    if _is_handed_over(event, body):
        table.came, table.clock = table.came - {event.actor}, table.clock.renew(event.actor)
    if isinstance(body, (*bodies.GIVES, bodies.LinkRenewed)):
        people.given[body.key if isinstance(body, bodies.LinkRenewed) else event.key] = body.token
    note = _note(table, before, event, body)
    if note is not None:
        people.notes.append(TableNote(len(table.match.log), note))


def _house(table: Folded, event: Event) -> None:
    """The host changes settings."""
    people, body = table.people, bodies.SettingsChanged.of(event.body)
    people.listed = people.listed if body.listed is None else body.listed
    people.public = people.public if body.public is None else body.public
    people.chat = people.chat if body.chat is None else body.chat
    people.watchers = people.watchers if body.watchers is None else body.watchers
    people.webhook = people.webhook if body.webhook is None else body.webhook
    people.language = body.language or people.language
    if body.hints is not None:
        people.hints = body.hints
        people.notes.append(TableNote(len(table.match.log), Phrase("mark.hints" if people.hints else "mark.no_hints")))
    people.changes += 1


def _rematch(table: Folded, event: Event) -> None:
    table.people.rematch = bodies.RematchStarted.of(event.body).table


# Sealed chance


def _sealed(seals: Seals, actor: int, body: bodies.EraSealed) -> Seals:
    heads = tuple(SeatHead(each[0], bytes.fromhex(each[1])) if each else None for each in body.heads)
    gid, root = bytes.fromhex(body.gid), bytes.fromhex(body.root)
    return seals.begin_era(SealedEra(gid, root, body.depth, body.level, heads, ("",) * len(heads), body.number, body.sources))


def _committed(seals: Seals, actor: int, body: bodies.HeadCommitted) -> Seals:
    return seals.commit_head(actor, SeatHead(body.source, bytes.fromhex(body.head)), body.holder)


def _frozen(seals: Seals, actor: int, body: bodies.EraFrozen) -> Seals:
    return seals.froze(bytes.fromhex(body.transcript), body.signature, body.first)


def _linked(seals: Seals, actor: int, body: bodies.LinkRevealed) -> Seals:
    return seals.open_link(bytes.fromhex(body.gid), Link(actor, body.n, bytes.fromhex(body.value)), body.number)


def _requested(seals: Seals, actor: int, body: bodies.LinksRequested) -> Seals:
    return seals.request_links(bytes.fromhex(body.gid), body.event, body.seats, body.number)


def _defaulted(seals: Seals, actor: int, body: bodies.LinksDefaulted) -> Seals:
    return seals.default_seat(bytes.fromhex(body.gid), actor, body.number)


def _begun(seals: Seals, actor: int, body: bodies.SealingCompleted) -> Seals:
    return seals


# By kind of event: the struct of its body, and its effect on the seals.
SEALING: dict[str, tuple[type[bodies.EventBody], Callable[[Seals, int, Any], Seals]]] = {
    "seal": (bodies.EraSealed, _sealed),
    "head": (bodies.HeadCommitted, _committed),
    "freeze": (bodies.EraFrozen, _frozen),
    "link": (bodies.LinkRevealed, _linked),
    "chance.request": (bodies.LinksRequested, _requested),
    "chance.default": (bodies.LinksDefaulted, _defaulted),
    "begin": (bodies.SealingCompleted, _begun),
}


def _sealing(table: Folded, event: Event) -> None:
    assert isinstance(table.dealer, Seals)
    dealer = table.dealer.follow_match(table.match.chances, is_over=False)
    kind, effect = SEALING[event.kind]
    table.dealer = effect(dealer, event.actor, kind.of(event.body))
    table.sealed = event.version
    table.match.chance = table.answered_by


# The phases of a game in which events are stored, by kind; of all other kinds, while the game runs.
PHASES: dict[str, frozenset[Phase]] = {
    "house": ALWAYS, "release": ALWAYS, "rematch": frozenset({"over"}), "resume": frozenset({"paused"}),
    "pause": frozenset({"waiting", "playing"}), "undo": frozenset({"waiting", "playing"}),
}  # fmt: skip
NOT_OF_THE_GAME = (bodies.LinkRenewed, bodies.ProfileAttached)  # changes of a seat that do not touch the game


def phases_of(kind: str, actor: int, body: bodies.EventBody | None = None) -> frozenset[Phase]:
    """The phases of a game in which an event may be stored."""
    if isinstance(body, NOT_OF_THE_GAME) or (kind == "undo" and actor == CHANCE):
        return ALWAYS
    if kind == "action" and actor != CHANCE:
        return PLAYING
    return PHASES.get(kind, RUNNING)


HANDLERS: dict[str, Callable[[Folded, Event], None]] = {
    "action": _play, "import": _import, "undo": _undo, "back": _back, "pause": _pause, "resume": _pause, "end": _end,
    "hold": _hold, "release": _hold,
    "late": _late, "came": _came, "holiday": _holiday, "seat": _seat, "house": _house, "rematch": _rematch,
    **dict.fromkeys(proposals.KINDS, _proposal), **dict.fromkeys(SEALING, _sealing),
}  # fmt: skip
