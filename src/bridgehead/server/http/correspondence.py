"""Requests of people who play by days: their games, days off, conditional moves, reminders."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.responses import Response

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Phrase, languages, sentence
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.pages import show_page
from bridgehead.server.http.routes import LANG, HttpError, Request, asked_table, route
from bridgehead.server.messages.correspondence import (
    HolidayTable,
    HolidayTables,
    HolidayWish,
    PlanView,
    PlanWish,
    Reminder,
    ReminderWays,
    ReminderWish,
)
from bridgehead.server.messages.tables import Mine
from bridgehead.server.rooms import studies
from bridgehead.server.rooms.correspondence import Correspondence, read_plan
from bridgehead.server.rooms.reminders import Reminders
from bridgehead.server.rooms.views import TableText
from bridgehead.server.tables import plans
from bridgehead.server.tables.plans import ConditionalPlan
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import MOST_EVENTS, Refused, Table


@route("GET /games")
async def games(request: Request) -> Response:
    """The page with the games of a browser: those that wait for its person come first."""
    return show_page(request, "games.html")


@route("POST /api/holidays", HolidayTables, HolidayWish, query=(LANG,), limit="mine", pays="codes")
async def holidays(request: Request, wish: HolidayWish) -> HolidayTables:
    """Take days off at several tables, or come back (0 days). The answer says which table refused it, and why."""
    return HolidayTables([await _holiday(request, asked, wish.days) for asked in wish.tables])


async def _holiday(request: Request, asked: Mine, days: int) -> HolidayTable:
    state, problem = request.app.state, ""
    try:
        table = await asked_table(request, asked.table)
        seats = table.holding([digest(token) for token in asked.tokens]).you
        await state.correspondence.holiday(table, seats, days)
    except (BridgeheadError, HttpError) as error:
        problem = sentence(error.phrase, language(request))
    return HolidayTable(asked.table, problem)


@route("POST /api/tables/{table}/plan", PlanView, PlanWish, query=(LANG,), limit="edits", long=True)
async def plan(request: Request, wish: PlanWish) -> PlanView:
    """The conditional moves of a seat: show them, replace them by the variations of a record, or delete them.

    Only the holder of the seat's token sees them. Errors: 403 for everybody else.
    """
    state, table = request.app.state, await asked_table(request)
    seat = next(iter(table.holding([digest(wish.token)]).you), None)
    if seat is None:
        raise HttpError(403, "plan_seat")
    service: Correspondence = state.correspondence
    if wish.do != "show":
        await service.plan(table, seat, await _lines(request, table, wish) if wish.do == "keep" else None)
    kept = await asyncio.to_thread(read_plan, table, seat)
    async with table.lock:
        return _shown(table, seat, kept, language(request))


async def _lines(request: Request, table: Table, wish: PlanWish) -> list[list[int]]:
    """The lines of a record that begin at the present position. Errors: RecordError, Refused."""
    if not table.days.limit:
        raise Refused("illegal", "plan.no_days")
    log = [entry.action for entry in table.match.log]
    game, rules, found = await request.app.state.films.ask(
        studies.branches, wish.record, log, MOST_EVENTS, asker=address_of(request)
    )
    if (game, rules) != (table.game.spec.id, table.game.differences):
        raise Refused("illegal", "plan.other_game")
    lines: list[list[int]] = found
    return lines


def _shown(table: Table, seat: int, plan: ConditionalPlan | None, language: str) -> PlanView:
    """A plan in notation, with the sentence on how it ended."""
    narrator = TableText(table.match, table.names, language)
    may = table.days.limit > 0 and table.actor >= 0 and table.actor != seat
    if plan is None:
        return PlanView(seat, may, [], "")
    lines, ended = [], ""
    if plan.ended == plans.RUNS and plan.at <= len(table.match.log):
        for line in plan.lines:
            lines.append(_named(table, plan.at, line))
    if plan.ended == plans.TAKEN_BACK:
        ended = narrator.own(Phrase("plan.taken_back"))
    elif plan.ended >= 0:
        move = narrator.line(plan.ended, [seat]) if plan.ended < len(table.match.log) else ""
        ended = narrator.own(Phrase("plan.ended", {"what": move}) if move else Phrase("plan.taken_back"))
    return PlanView(seat, may, lines, ended)


def _named(table: Table, at: int, line: list[int]) -> list[str]:
    """The actions of a line in notation; as far as it can be played, if the position is another one now."""
    position, names = table.match.positions[at], []
    with contextlib.suppress(BridgeheadError):
        for action in line:
            names.append(position.name(action))
            position = position.after(action)
    return names


# Reminders


@route("GET /api/reminders", ReminderWays)
async def ways(request: Request) -> ReminderWays:
    """How this server can remind."""
    service: Reminders = request.app.state.reminders
    return ReminderWays(service.mailer is not None, service.pusher.public if service.pusher else "")


@route("POST /api/reminders", Reminder, ReminderWish, query=(LANG,), limit="mine", pays="codes")
async def remind(request: Request, wish: ReminderWish) -> Reminder:
    """Switch a reminder on or off, add seats to it, or see its state."""
    service: Reminders = request.app.state.reminders
    if wish.id and wish.off:
        await service.off(wish.id)
        return await service.state(wish.id)
    address = address_of(request)
    if wish.id:
        made = await service.state(wish.id)
        if made.state == "off":
            return made
        if wish.discreet is not None:
            await service.set_discreet(wish.id, wish.discreet)
    else:
        made = await service.switch_on(wish.kind, wish.target, language(request), bool(wish.discreet), address)
    seats = []
    for asked in wish.tables:
        with contextlib.suppress(BridgeheadError, HttpError):  # skip a table that cannot be opened now
            table = await asked_table(request, asked.table)
            hashes = [digest(token) for token in asked.tokens]
            seats += [(table.id, seat, each) for each in hashes for seat in table.holding([each]).you if table.days.limit]
    await service.add(made.id, seats)
    return await service.state(made.id)


@route("GET /reminder/on/{key}")
async def ask_to_agree(request: Request) -> Response:
    """The link in the mail that asks for consent: a page with a button, since programs that scan mail follow links."""
    service: Reminders = request.app.state.reminders
    if await service.is_proven(*_read_proof(request)):
        return _show_page(request, "remind.agree_ask", "remind.agree_do")
    return _show_page(request, "remind.unknown")


@route("POST /reminder/on/{key}")
async def agree(request: Request) -> Response:
    """The button of that page."""
    service: Reminders = request.app.state.reminders
    return _show_page(request, "remind.agreed" if await service.agree(*_read_proof(request)) else "remind.unknown")


@route("GET /reminder/off/{key}")
async def ask_to_end(request: Request) -> Response:
    """The link in every mail that switches reminders off: a page with a button."""
    return _show_page(request, "remind.off_ask", "remind.off_do")


@route("POST /reminder/off/{key}")
async def off(request: Request) -> Response:
    """The button of that page, or the one of a mail program."""
    await request.app.state.reminders.off(request.path_params["key"])
    return _show_page(request, "remind.off")


def _read_proof(request: Request) -> tuple[str, str]:
    """The reminder that a link of the mail names, and its proof."""
    reminder, _, proof = request.path_params["key"].partition(".")
    return reminder, proof


def _show_page(request: Request, key: str, button: str = "") -> Response:
    """A page with one sentence, and perhaps a button that posts to its own address."""
    texts = [{each: sentence(Phrase(f"server:{name}"), each) for each in languages()} for name in (key, button) if name]
    return show_page(request, "reminder.html", sentences=texts[0], button=texts[1] if button else None)
