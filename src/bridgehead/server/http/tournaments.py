"""Requests about tournaments: the list, one with its standings, entering, and what its host decides."""

from __future__ import annotations

import time

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.players import list_levels
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.routes import LANG, HttpError, Request, people, route
from bridgehead.server.messages.tournaments import (
    CreatedTournament,
    EnteredTournament,
    EntrantWish,
    TournamentAct,
    TournamentEntrant,
    TournamentGame,
    TournamentHead,
    TournamentLine,
    TournamentList,
    TournamentView,
    TournamentWish,
)
from bridgehead.server.people.standings import TIE_BREAKS
from bridgehead.server.people.tournament import Tournament
from bridgehead.server.people.tournaments import NoTournament
from bridgehead.server.rooms.views import rule_line

ROUNDS = 200  # games of an arena that are sent, the newest


@route("GET /api/tournaments", TournamentList, query=(LANG,))
async def tournaments(request: Request) -> TournamentList:
    """The newest tournaments."""
    return TournamentList([await _head(request, each) for each in await people(request).tournaments.list_newest()])


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
    """Start or end a tournament, decide a game, or leave."""
    service, name = people(request).tournaments, request.path_params["tournament"]
    match act.do:
        case "start":
            found = await service.start(name, act.host)
        case "leave":
            found = await service.leave(name, act.entrants or [act.entrant], act.token, act.host)
        case "decide":
            found = await service.decide(name, act.table, act.points, act.host)
        case "close":
            found = await service.close(name, act.host)
    return await _view(request, found)


async def _game(request: Request, found: Tournament) -> Game:
    game: Game = await request.app.state.games.game(found.settings.game, "", found.settings.options, address_of(request))
    return game


async def _head(request: Request, found: Tournament) -> TournamentHead:
    game, settings = await _game(request, found), found.settings
    state = "over" if found.over else "running" if found.started else "open"
    return TournamentHead(
        found.id, settings.name, settings.game, game.spec.title, rule_line(game, language(request)), settings.kind, settings.size,
        state, len(found.playing), found.rounds, found.rounds_of_all,  # type: ignore[arg-type]
    )  # fmt: skip


async def _view(request: Request, found: Tournament) -> TournamentView:
    head, game, settings = await _head(request, found), await _game(request, found), found.settings
    service = people(request).tournaments
    games = [
        TournamentGame(
            match.round, match.number, "" if table.startswith("forfeit") else table, list(match.order(i)),
            list(match.games[table].points) if table in match.games else [],
            table in match.games and match.games[table].host,
            match.games[table].absent if table in match.games else [], round(service.find_deadline(match, table)),
        )
        for match in found.matches for i, table in enumerate(match.tables)
    ]  # fmt: skip
    left = settings.minutes * 60 - int(time.time() - found.started) if found.started else settings.minutes * 60
    fields = {name: getattr(head, name) for name in TournamentHead.__struct_fields__}
    return TournamentView(
        **fields,
        n=found.n,
        paired=settings.paired,
        live=settings.live,
        people=[TournamentEntrant(each.name, each.level, each.profile, i in found.left) for i, each in enumerate(found.entrants)],
        lines=[TournamentLine(*line[:4], list(line.breaks)) for line in found.lines()],
        tie_breaks=list(TIE_BREAKS[settings.kind]),
        games=games[-ROUNDS:] if settings.kind == "arena" else games,
        byes=[[*byes, *idle] for byes, idle in zip(found.byes, found.idle, strict=True)],
        seconds=max(0, left) if settings.kind == "arena" and not found.over else 0,
        letters=[game.spec.seat_letter(seat).upper() for seat in range(settings.size)],
        levels=list(list_levels(registry.spec(settings.game))),
        appear=settings.appear,
        aids=settings.aids is not False,
    )
