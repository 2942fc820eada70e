"""Requests about playtests: a new one, a game and the answers of a tester, and what the designer sees of them."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response

from bridgehead.core import options as house
from bridgehead.core.extras import is_installed
from bridgehead.core.game import Game
from bridgehead.core.installed import call_workshop
from bridgehead.core.own_boards import headline, list_credits
from bridgehead.players import list_levels
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.pages import show_page
from bridgehead.server.http.routes import LANG, HttpError, Reply, Request, people, route, run_thread_job
from bridgehead.server.http.tournaments import CSV, write_csv
from bridgehead.server.messages.lab import LabFigure
from bridgehead.server.messages.playtests import (
    FAIR,
    CreatedPlaytest,
    GivenAnswer,
    PlaytestAnswer,
    PlaytestAsked,
    PlaytestGame,
    PlaytestResults,
    PlaytestSeat,
    PlaytestView,
    PlaytestWish,
    TestedGame,
)
from bridgehead.server.messages.tables import CreatedTable
from bridgehead.server.people.playtests import DAY, NoPlaytest, Playtest
from bridgehead.server.rooms.views import rule_line

GROUPS = ("people", "mixed")
# Returns and turns of games; fun of answers, and whether the start was fair.
TestedGroup = tuple[list[tuple[list[float], int]], list[int], list[bool]]


@route("POST /api/playtests", CreatedPlaytest, PlaytestWish, limit="claims", status=201, pays="costly", stores=True)
async def create(request: Request, wish: PlaytestWish) -> CreatedPlaytest:
    """A new playtest of a version. Only this answer contains its designer's token."""
    return CreatedPlaytest(*await people(request).playtests.create(wish, address_of(request)))


@route("GET /api/playtests/{playtest}", PlaytestView, query=(LANG,))
async def playtest(request: Request) -> PlaytestView:
    """A playtest for testers. Errors: 404."""
    return await _view(request, await _found(request))


@route("POST /api/playtests/{playtest}/tables", CreatedTable, PlaytestGame, limit="tables", status=201, stores=True)
async def open_table(request: Request, wish: PlaytestGame) -> CreatedTable:
    """A table for a tester. Only this answer contains the tokens of its seats. Errors: 404."""
    found = await _found(request)
    table, tokens, host = await people(request).playtests.open_table(found.id, wish, address_of(request))
    return CreatedTable(table.id, table.code, tokens, host, f"/t/{table.id}", request.app.state.network.base)


@route("POST /api/playtests/{playtest}/answers", None, PlaytestAnswer, limit="tables", status=204, stores=True)
async def answer(request: Request, given: PlaytestAnswer) -> Response:
    """The answers of a tester. Errors: 404."""
    await people(request).playtests.answer((await _found(request)).id, given)
    return Response(status_code=204)


@route("POST /api/playtests/{playtest}", PlaytestResults, PlaytestAsked, query=(LANG,), limit="classes", pays="costly")
async def look(request: Request, asked: PlaytestAsked) -> PlaytestResults:
    """What the designer sees; with "delete" for the last time. Errors: 404."""
    service, name = people(request).playtests, (await _found(request)).id
    shown = await _results(request, await service.find_hosted(name, asked.host))
    if asked.do == "delete":
        await service.delete(name, asked.host)
    return shown


@route("POST /api/playtests/{playtest}/results.csv", None, PlaytestAsked, query=(LANG,), limit="classes", media=CSV)
async def export(request: Request, asked: PlaytestAsked) -> Reply:
    """Games and answers as a table for a spreadsheet: a line for each answer, and for each game without one. Errors: 404."""
    found = await people(request).playtests.find_hosted((await _found(request)).id, asked.host)
    game = await _game(request, found)
    seats = [game.spec.seat_letter(seat).upper() for seat in range(game.seats)]
    given: dict[str, list[list[Any]]] = {}
    for _, said in found.answers:
        start = "fair" if said.start == FAIR else seats[said.start]
        given.setdefault(said.table, []).append([said.fun, start, said.note])
    played = {each.table: each for _, each in found.games}
    lines = [["table", "players", "winners", "turns", "early", "fun", "start", "note"]]
    for table in dict.fromkeys([*played, *given]):
        each = played.get(table)
        result: list[Any] = [table, "", "", "", ""]
        if each:
            won = "".join(seat for seat, points in zip(seats, each.returns, strict=True) if points > 0)
            result = [table, " ".join(level or "person" for level in each.players), won, each.turns, int(each.early)]
        lines += [[*result, *more] for more in given.get(table, [["", "", ""]])]
    return write_csv(lines, f"playtest-{found.id}.csv")


@route("GET /playtest/{playtest}")
async def page(request: Request) -> Response:
    """The page of a playtest, for testers and, with the token in the fragment, for its designer. Errors: 404."""
    found = await _found(request)
    return show_page(request, "playtest.html", playtest=found.id, name=headline(await _game(request, found)))


async def _found(request: Request) -> Playtest:
    try:
        return await people(request).playtests.find(request.path_params["playtest"])
    except NoPlaytest as error:
        raise HttpError(404, error.phrase) from None


async def _game(request: Request, found: Playtest) -> Game:
    settings = found.settings
    game: Game = await request.app.state.games.game(settings.game, "", settings.options, address_of(request))
    return game


async def _view(request: Request, found: Playtest) -> PlaytestView:
    game, lang = await _game(request, found), language(request)
    spec = game.spec
    seats = [PlaytestSeat(spec.seat_letter(seat), name) for seat, name in enumerate(game.name_seats((), lang))]
    return PlaytestView(
        found.id,
        game.spec.id,
        headline(game),
        rule_line(game, lang),
        list_credits(game, lang),
        seats,
        list(list_levels(game.spec)),
    )


async def _results(request: Request, found: Playtest) -> PlaytestResults:
    game, state = await _game(request, found), request.app.state
    report = await run_thread_job(request, state.labs.find_report, game)
    figures, said = {"programs": report.figures if report else []}, list[str]()
    if is_installed("lab"):
        asked = game.spec.rules_id, house.canonical(game.options), _group(found), figures["programs"], language(request)
        measured, said = await state.films.ask(compare, *asked, asker=address_of(request))
        figures |= measured
    keep = found.settings.keep
    return PlaytestResults(
        **msgspec.structs.asdict(await _view(request, found)),
        games=[TestedGame(each.table, int(at), each.players, each.returns, each.turns, each.early) for at, each in found.games],
        answers=[
            GivenAnswer(each.table, int(at), each.fun, each.start, each.note, not each.computers) for at, each in found.answers
        ],
        figures=figures, said=said, lights=report.lights if report else [],
        report=f"/lab/{report.key}" if report else "", study=report.games if report else 0, options=game.differences,
        expires=int(found.changed + DAY * keep) if keep else 0,
    )  # fmt: skip


def _group(found: Playtest) -> dict[str, TestedGroup]:
    """Games of people alone, and of people against computers, as `compare_playtest` takes them. Only games that ended by the
    rules have a length and a winner by them."""
    played = [each for _, each in found.games if not all(each.players)]  # not what computers did alone
    is_mixed = {each.table: any(each.players) for each in played}
    groups: dict[str, TestedGroup] = {}
    for group in GROUPS:
        mixed = group == "mixed"
        games = [(each.returns, each.turns) for each in played if is_mixed[each.table] == mixed and not each.early]
        answers = [each for _, each in found.answers if is_mixed.get(each.table, each.computers) == mixed]
        groups[group] = games, [each.fun for each in answers], [each.start == FAIR for each in answers]
    return groups


def compare(
    rules_id: str, rules: str, groups: dict[str, TestedGroup], study: list[LabFigure], lang: str
) -> tuple[dict[str, list[LabFigure]], list[str]]:
    """In a worker: the figures of games of people, and sentences about them."""
    programs = [msgspec.structs.astuple(each) for each in study]
    measured, said = call_workshop("studies", "compare_playtest", rules_id, rules, groups, programs, lang)
    return {group: [LabFigure(*each) for each in some] for group, some in measured.items()}, said
