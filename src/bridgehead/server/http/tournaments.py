"""Requests about tournaments: the list, one with its standings, entering, and what its host decides."""

from __future__ import annotations

import csv
import io
import re
import time
from typing import Any

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.own_boards import headline
from bridgehead.players import list_levels
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.classroom import expect_host
from bridgehead.server.http.routes import LANG, HttpError, Reply, Request, people, route
from bridgehead.server.messages.tournaments import (
    CreatedTournament,
    EnteredTournament,
    EntrantWish,
    HostRecovery,
    TournamentAct,
    TournamentEntrant,
    TournamentGame,
    TournamentHead,
    TournamentLine,
    TournamentList,
    TournamentNote,
    TournamentView,
    TournamentWish,
)
from bridgehead.server.people.standings import TIE_BREAKS
from bridgehead.server.people.tournament import GameEnded, Tournament, TournamentMatch, has_table
from bridgehead.server.people.tournaments import NoTournament
from bridgehead.server.rooms.views import rule_line

DAY = 86_400
FORMULA = re.compile(r"(^|[;,|\t])\s*[=+\-@＝＋－＠]|^\t")  # for a spreadsheet, which may split at these signs
CSV = "text/csv"
SETTINGS = ("paired", "live", "appear", "late", "limit", "at_limit", "places", "listed", "where", "keep", "seating")
ROUNDS = 200  # games of an arena that are sent, the newest


@route("GET /api/tournaments", TournamentList, query=(LANG,))
async def tournaments(request: Request) -> TournamentList:
    """The newest tournaments."""
    return TournamentList([await show_head(request, each) for each in await people(request).tournaments.list_newest()])


@route("POST /api/tournaments", CreatedTournament, TournamentWish, limit="claims", status=201, stores=True)
async def create(request: Request, wish: TournamentWish) -> CreatedTournament:
    """Create a tournament. Only this answer contains the host's token."""
    made, host = await people(request).tournaments.create(wish, address_of(request))
    return CreatedTournament(made.id, host)


@route("GET /api/tournaments/{tournament}", TournamentView, query=(LANG,))
async def tournament(request: Request) -> TournamentView:
    """A tournament with its standings and games. Errors: 404."""
    try:
        found = await people(request).tournaments.look(request.path_params["tournament"])
    except NoTournament as error:
        raise HttpError(404, error.phrase) from None
    return await _view(request, found)


@route("POST /api/tournaments/{tournament}/entrants", EnteredTournament, EntrantWish, limit="tables", status=201, stores=True)
async def enter(request: Request, wish: EntrantWish) -> EnteredTournament:
    """Enter a tournament. Only this answer contains the token that plays."""
    service, name = people(request), request.path_params["tournament"]
    profile = (await service.profiles.of_key(wish.key)).id if wish.key else ""
    return await service.tournaments.join(name, wish.name, wish.level, profile, wish.host, address_of(request))


@route("POST /api/tournaments/{tournament}", TournamentView, TournamentAct, query=(LANG,), limit="tables", stores=True)
async def change(request: Request, act: TournamentAct) -> TournamentView:
    """Start or end a tournament, decide or correct a game, leave or return, or delete names."""
    service, archive, name = people(request).tournaments, people(request).archive, request.path_params["tournament"]
    match act.do:
        case "start":
            found = await service.start(name, act.host)
        case "leave":
            found = await service.leave(name, act.entrants or [act.entrant], act.token, act.host)
        case "return":
            found = await service.let_return(name, act.entrants or [act.entrant], act.token, act.host)
        case "decide":
            found = await service.decide(name, act.table, act.points, act.host, act.places)
        case "correct":
            found = await service.decide(name, act.table, act.points, act.host, act.places, corrects=True)
        case "draw":
            found = await service.draw_now(name, act.host)
        case "forget":
            found = await archive.forget(name, act.entrants or [act.entrant], act.host)
        case "delete":
            found = await archive.delete(name, act.host)
        case "choose":
            found = await service.choose(name, act.entrant, act.entrants, act.token, act.host, act.number)
        case "name":
            found = await service.name_table(name, act.number, act.name, act.host)
        case "close":
            found = await service.close(name, act.host)
    return await _view(request, found)


@route("POST /api/tournaments/{tournament}/host", CreatedTournament, HostRecovery, limit="classes", stores=True)
async def recover(request: Request, asked: HostRecovery) -> CreatedTournament:
    """A new link for the host of a tournament, by the key of the server's host. Errors: 403 for a wrong key."""
    expect_host(request, asked.key)
    name = request.path_params["tournament"]
    return CreatedTournament(name, await people(request).tournaments.renew_host(name))


@route("GET /api/tournaments/{tournament}/standings.csv", query=(LANG,), media=CSV)
async def standings(request: Request) -> Reply:
    """The standings as a table for a spreadsheet. Errors: 404."""
    view = await tournament(request)
    breaks = [each for each in view.tie_breaks if each != "lot"]
    lines: list[list[Any]] = [["place", "name", "points", "games", *breaks, "left"]]
    for line in view.lines:
        person = view.people[line.entrant]
        lines.append([line.place, person.name, line.points, line.games, *line.breaks, int(person.left)])
    return write_csv(lines, f"standings-{view.id}.csv")


def write_csv(lines: list[list[Any]], name: str) -> Reply:
    """A table for a spreadsheet, in which no text of people becomes a formula. name: of the file."""
    out = io.StringIO()
    safe = [[f"'{each}" if isinstance(each, str) and FORMULA.search(each) else each for each in line] for line in lines]
    csv.writer(out).writerows(safe)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Reply("\ufeff" + out.getvalue(), media=f"{CSV}; charset=utf-8", headers=headers)


async def _game(request: Request, found: Tournament) -> Game:
    game: Game = await request.app.state.games.game(found.settings.game, "", found.settings.options, address_of(request))
    return game


async def show_head(request: Request, found: Tournament) -> TournamentHead:
    """A tournament for a list."""
    game, settings = await _game(request, found), found.settings
    state = "over" if found.over else "running" if found.started else "open"
    return TournamentHead(
        found.id, settings.name, settings.game, headline(game), rule_line(game, language(request)), settings.kind, settings.size,
        state, len(found.playing), found.rounds, found.rounds_of_all,  # type: ignore[arg-type]
    )  # fmt: skip


def _shown_game(request: Request, found: Tournament, match: TournamentMatch, i: int) -> TournamentGame:
    """A game of a match. i: from 0."""
    table, service = match.tables[i], people(request).tournaments
    ended = match.games.get(table, GameEnded(match.number, table, []))
    return TournamentGame(
        match.round, match.number, table if has_table(table) else "", list(match.order(i)), list(ended.points), ended.host,
        ended.absent, round(service.find_deadline(match, table)), ended.left, ended.timeout, round(found.limit_of(match, table)),
        match.numbers[table] if has_table(table) else 0,
    )  # fmt: skip


def _notes(found: Tournament) -> list[TournamentNote]:
    """The newest lines of the log."""
    shown = [each for each in found.journal if found.started or each.do not in ("left", "removed", "return")]
    return [TournamentNote(int(each.at), each.do, *map(list, each[2:])) for each in shown[-ROUNDS:]]  # type: ignore[arg-type]


def _shown_person(found: Tournament, entrant: int) -> TournamentEntrant:
    each = found.entrants[entrant]
    by = found.leaving[entrant][0] if entrant in found.left else ""
    return TournamentEntrant(each.name, each.level, each.profile, entrant in found.left, by, found.may_return(entrant))


async def _view(request: Request, found: Tournament) -> TournamentView:
    head, game, settings = await show_head(request, found), await _game(request, found), found.settings
    games = [_shown_game(request, found, match, i) for match in found.matches for i in range(len(match.tables))]
    left = settings.minutes * 60 - int(time.time() - found.started) if found.started else settings.minutes * 60
    given: dict[str, Any] = {name: getattr(head, name) for name in TournamentHead.__struct_fields__}
    given |= {name: getattr(settings, name) for name in SETTINGS}
    return TournamentView(
        **given,
        n=found.n,
        people=[_shown_person(found, entrant) for entrant in range(len(found.entrants))],
        lines=[TournamentLine(*line[:4], list(line.breaks)) for line in found.lines()],
        tie_breaks=list(TIE_BREAKS[settings.kind]),
        games=games[-ROUNDS:] if settings.kind == "arena" else games,
        byes=[[*byes, *idle] for byes, idle in zip(found.byes, found.idle, strict=True)],
        seconds=max(0, left) if settings.kind == "arena" and not found.over else 0,
        letters=[game.spec.seat_letter(seat).upper() for seat in range(settings.size)],
        levels=list(list_levels(registry.spec(settings.game))),
        aids=settings.aids is not False,
        enters=found.may_enter,
        code=await people(request).tournaments.code_of(found),
        waits=round(people(request).tournaments.waits_until(found)),
        began=int(found.made),
        expires=int(found.changed) + DAY * settings.keep if settings.keep else 0,
        log=_notes(found),
        waiting=[*found.waiting.values()],
        waiting_at=[place + 1 for place in found.waiting],
        tables=found.tables,
        table_names=[found.names.get(n, "") for n in range(1, found.tables + 1)],
    )
