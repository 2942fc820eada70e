"""Requests of the server's host: all tables at once, a message, a pause. The key is in the body, never in an address."""

from __future__ import annotations

import asyncio
import hashlib

from starlette.responses import Response

from bridgehead.core import options as house
from bridgehead.core.spec import OVER
from bridgehead.server.connections.requests import language
from bridgehead.server.http.pages import show_page
from bridgehead.server.http.routes import LANG, HttpError, Request, may_store, people, route
from bridgehead.server.messages.classroom import ClassAct, ClassActed, ClassAsked, ClassSeat, ClassTable, ClassView
from bridgehead.server.rooms.classroom import MOST, Classroom, WrongKey
from bridgehead.server.rooms.views import TableText
from bridgehead.server.tables.table import Table


@route("GET /class")
async def classroom(request: Request) -> Response:
    """The page of the server's host. The key stays in the fragment or the browser."""
    return show_page(request, "class.html")


@route("POST /api/class", ClassView, ClassAsked, query=(LANG,), limit="classes")
async def all_tables(request: Request, asked: ClassAsked) -> ClassView:
    """All tables of the class; of those that the page knows as they are, only the id. Errors: 403 for a wrong key."""
    service, lang = expect_host(request, asked.key), language(request)
    found = sorted(await service.tables(), key=lambda table: table.actor == OVER)
    made = ClassView([table.id for table in found[:MOST]], [], {}, len(found))
    for table in found[:MOST]:
        if asked.known.get(table.id) != _stamp(table, lang):
            narrator = _narrator(service, table, lang)
            made.news.append(_shown(table, narrator, lang, *people(request).tournaments.seats_of(table.id)))
            board = made.news[-1].board
            if board not in asked.boards and board not in made.boards:
                made.boards[board] = narrator.picture
            await asyncio.sleep(0)  # drawing takes a while, and the tables go on
    return made


@route("POST /api/class/act", ClassActed, ClassAct, query=(LANG,), limit="classes")
async def act_for_all(request: Request, asked: ClassAct) -> ClassActed:
    """Pause all tables or one, let them go on, or send them a message. Errors: 403 for a wrong key."""
    service = expect_host(request, asked.key)
    may_store(request)
    match asked.do:
        case "pause":
            return await service.hold(asked.table)
        case "resume":
            return await service.release(asked.table)
        case "say":
            return await service.say(asked.k, asked.text, asked.table)


def expect_host(request: Request, key: str) -> Classroom:
    """The class, if the key of the server's host is right. Errors: 403."""
    service: Classroom = request.app.state.classroom
    try:
        service.check(key)
    except WrongKey as error:
        raise HttpError(403, error.phrase) from None
    return service


def _stamp(table: Table, lang: str) -> str:
    """Changes with everything that is shown of a table but the time."""
    return f"{table.version}.{sum(1 << seat for seat in table.attendance.here)}.{lang}"


def _narrator(service: Classroom, table: Table, lang: str) -> TableText:
    room = service.manager.rooms.get(table.id)
    return room.narrator(lang) if room else TableText(table.match, table.names, lang)


def _shown(table: Table, narrator: TableText, lang: str, club: str, number: int) -> ClassTable:
    spec, outcome, over = table.game.spec, narrator.outcome(frozenset()), table.actor == OVER
    seats = [
        ClassSeat(spec.seat_letter(seat).upper(), each.name, each.level, seat in table.attendance.here)
        for seat, each in enumerate(table.seats)
    ]
    state = "over" if over else "held" if table.frozen_by_host else "paused" if table.stopped else "running"
    rules = f"{spec.id} {house.canonical(table.game.options)} {lang}"
    return ClassTable(
        table.id, spec.title, _stamp(table, lang), state, seats, table.actor,  # type: ignore[arg-type]
        outcome.text if outcome else narrator.prompt(narrator.present_snapshot.position),
        round(max(0.0, table.wall() - table.waiting)) if table.waiting else 0,
        hashlib.sha256(rules.encode()).hexdigest()[:16], narrator.present_snapshot.items, club, number,
    )  # fmt: skip
