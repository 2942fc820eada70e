"""Requests of the server's host: all tables at once, a message, a pause. The key is in the body, never in an address."""

from __future__ import annotations

import asyncio
import hashlib
import time
import zlib

from starlette.responses import Response

from bridgehead.core import options as house
from bridgehead.core.own_boards import headline
from bridgehead.core.phrases import Phrase, languages
from bridgehead.core.spec import OVER
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.requests import language
from bridgehead.server.http import rendering
from bridgehead.server.http.pages import show_page
from bridgehead.server.http.routes import LANG, HttpError, Request, may_store, people, route
from bridgehead.server.messages.classroom import ClassAct, ClassActed, ClassAsked, ClassSeat, ClassTable, ClassView
from bridgehead.server.messages.tables import MovedTo, MovedWish
from bridgehead.server.messages.tournaments import TournamentWish
from bridgehead.server.people.class_seats import has_begun, is_taken
from bridgehead.server.rooms.classroom import MOST, YOUNG, Classroom, WrongKey
from bridgehead.server.rooms.views import TableText
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import Table

CHILDREN = {
    "kept": ("names", "entrants", "address", "complaints", "profiles", "nobody"),
    "before": ("nickname", "listed", "chat", "days"),
    "after": ("one", "all", "old", "parents", "backups"),
}  # the sentences about children's data, under their headings
BUTTONS = {
    "listed": "cups.listed", "forget": "cup.forget", "delete": "cup.delete", "old": "desk.old", "class_": "class",
    "json": "cup.json", "records": "records",
}  # fmt: skip


@route("GET /class")
async def classroom(request: Request) -> Response:
    """The page of the server's host. The key stays in the fragment or the browser."""
    return show_page(request, "class.html")


@route("GET /children")
async def explain_children(request: Request) -> Response:
    """What the server keeps about people, for how long, and how a host deletes it, in plain words."""
    parts = [(_explain(heading), [*map(_explain, lines)]) for heading, lines in CHILDREN.items()]
    return show_page(request, "children.html", intro=_explain("intro"), parts=parts)


def _explain(key: str) -> dict[str, str]:
    """A sentence about children's data in all languages, with the words of the buttons that it names."""
    found, days = {}, TournamentWish(game="").keep
    for lang in languages():
        buttons = {name: rendering.WORDS.text(word, lang).removesuffix(" ({n})") for name, word in BUTTONS.items()}
        found[lang] = WORDS.tell(Phrase(f"children.{key}", {"days": days, **buttons}), lang)
    return found


@route("POST /api/class", ClassView, ClassAsked, query=(LANG,), limit="classes")
async def all_tables(request: Request, asked: ClassAsked) -> ClassView:
    """All tables of the class; of those that the page knows as they are, only the id. Errors: 403 for a wrong key."""
    service, lang = expect_host(request, asked.key), language(request)
    found = sorted(await service.tables(), key=lambda table: table.actor == OVER)
    club = people(request).tournaments
    empty = await club.list_empty(time.time() - YOUNG, MOST)
    made = ClassView([table.id for table in found[:MOST]], [], {}, len(found), empty)
    for table in found[:MOST]:
        place = club.seats_of(table.id)
        if asked.known.get(table.id) != (stamp := _stamp(table, lang, place)):
            narrator = _narrator(service, table, lang)
            made.news.append(_shown(table, narrator, lang, stamp, place))
            board = made.news[-1].board
            if board not in asked.boards and board not in made.boards:
                made.boards[board] = narrator.picture
            await asyncio.sleep(0)  # drawing takes a while, and the tables go on
    return made


@route("POST /api/class/act", ClassActed, ClassAct, query=(LANG,), limit="classes")
async def act_for_all(request: Request, asked: ClassAct) -> ClassActed:
    """Pause tables, let them go on, send a message, close or merge tables, or move people. Errors: 403 for a wrong key."""
    service, seats = expect_host(request, asked.key), people(request).seats
    may_store(request)
    names = asked.table, asked.to
    match asked.do:
        case "close":
            await seats.close(asked.k, asked.table)
        case "merge":
            await seats.merge(asked.k, names)
        case "swap":
            await seats.swap(asked.k, names, (asked.seat, asked.to_seat))
        case "pause":
            return await service.hold(asked.table)
        case "resume":
            return await service.release(asked.table)
        case "say":
            return await service.say(asked.k, asked.text, asked.table)
    return ClassActed(1, 0)


@route("POST /api/tables/{table}/moved", MovedTo, MovedWish, limit="mine")
async def find_moved(request: Request, asked: MovedWish) -> MovedTo:
    """Where the host of the server has moved whoever came to this table with a token that no longer counts."""
    return MovedTo(await people(request).seats.find_moved(request.path_params["table"], digest(asked.token)))


def expect_host(request: Request, key: str) -> Classroom:
    """The class, if the key of the server's host is right. Errors: 403."""
    service: Classroom = request.app.state.classroom
    try:
        service.check(key)
    except WrongKey as error:
        raise HttpError(403, error.phrase) from None
    return service


def _stamp(table: Table, lang: str, place: tuple[str, int, str]) -> str:
    """Changes with everything that is shown of a table but the time."""
    here = sum(1 << seat for seat in table.attendance.here)
    return f"{table.version}.{here}.{zlib.crc32(repr(place).encode())}.{lang}"


def _narrator(service: Classroom, table: Table, lang: str) -> TableText:
    room = service.manager.rooms.get(table.id)
    return room.narrator(lang) if room else TableText(table.match, table.names, lang)


def _shown(table: Table, narrator: TableText, lang: str, stamp: str, place: tuple[str, int, str]) -> ClassTable:
    spec, outcome, over = table.game.spec, narrator.outcome(frozenset()), table.actor == OVER
    seats = [
        ClassSeat(spec.seat_letter(seat).upper(), each.name, each.level, seat in table.attendance.here, is_taken(table, seat))
        for seat, each in enumerate(table.seats)
    ]
    state = "over" if over else "held" if table.frozen_by_host else "paused" if table.stopped else "running"
    rules = f"{spec.id} {house.canonical(table.game.options)} {lang}"
    return ClassTable(
        table.id, headline(table.game), stamp, state, seats, table.actor,  # type: ignore[arg-type]
        outcome.text if outcome else narrator.prompt(narrator.present_snapshot.position),
        round(max(0.0, table.wall() - table.waiting)) if table.waiting else 0,
        hashlib.sha256(rules.encode()).hexdigest()[:16], narrator.present_snapshot.items, *place,
        has_begun(table),
    )  # fmt: skip
