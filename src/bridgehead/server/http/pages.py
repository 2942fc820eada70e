"""HTML pages, and the answers to failed requests."""

from __future__ import annotations

import functools
import hashlib
from importlib import resources
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, RedirectResponse, Response

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.own_boards import headline
from bridgehead.core.phrases import Phrase, languages, phrase, sentence
from bridgehead.server.connections.middleware import HEADERS
from bridgehead.server.connections.requests import JSON, address_of, language_of_page
from bridgehead.server.connections.requests import language as language_of
from bridgehead.server.http import previews, rendering
from bridgehead.server.http.assets import answer_page
from bridgehead.server.http.board_editor import editable
from bridgehead.server.http.endpoints import likeness
from bridgehead.server.http.puzzles import find_game_with_puzzles
from bridgehead.server.http.routes import (
    HttpError,
    asked_table,
    failure,
    find_asked_game,
    named_table,
    people,
    refusal,
    route,
    run_thread_job,
)  # fmt: skip
from bridgehead.server.http.serving import response
from bridgehead.server.http.tutorials import find_game_with_tutorial
from bridgehead.server.people.tournaments import NoTournament
from bridgehead.server.rooms import views
from bridgehead.server.tables.codes import is_code


def show_page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A page from its template."""
    page = rendering.render_template(template, language_of_page(request), status=status, **values)
    return answer_page(request, page, status)


@route("GET /")
async def home(request: Request) -> Response:
    """The start page."""
    return answer_page(
        request, rendering.render_home(preview=previews.of_home(request), hosted=True, language=language_of_page(request))
    )


@route("GET /new/{game}")
async def new(request: Request) -> Response:
    """The page for a new table, perhaps like another one. It starts a worker, as a visitor may soon bring their own board."""
    request.app.state.games.workers.start()
    mode, like = request.query_params.get("mode", "here"), request.query_params.get("like", "")
    mode = mode if mode in ("here", "computer", "invite") else "here"
    spec = find_asked_game(request)
    known = msgspec.to_builtins(likeness(await asked_table(request, like), language_of(request))) if like else None
    preview, language = previews.of_game(request, spec), language_of_page(request)
    page = functools.partial(rendering.render_new_table, spec, mode, known, preview=preview, language=language)
    return answer_page(request, await run_thread_job(request, page))


@route("GET /t/{table}")
async def table(request: Request) -> Response:
    """The page of a table; a code leads to its link. Only the WebSocket sends the seats and their people.

    After too many wrong codes the page is the same for every code, and no table is looked up. Its WebSocket still lets in
    whoever has a seat, so a neighbour who guesses codes keeps nobody from their game.
    """
    code, state = request.path_params["table"].upper(), request.app.state
    if state.manager.misses.is_spent(address_of(request), code) and is_code(code):
        return show_page(request, "table.html", table=code, game_title="", game="", playtest="")
    try:
        table = await asked_table(request)
    except HttpError as error:
        name = await people(request).tournaments.of_code(code) if error.status_code == 404 and is_code(code) else ""
        if not name:
            raise
        state.manager.misses.hit(address_of(request), code)
        return RedirectResponse(f"/tournament/{name}", 302)
    if request.path_params["table"] != table.id:  # the code ends when the table is full, and the page stays
        return RedirectResponse(f"/t/{table.id}", 302)
    playtest = await people(request).playtests.find_of_table(table.id)
    return show_page(
        request, "table.html", table=table.id, game_title=headline(table.game), game=table.game.spec.id,
        preview=previews.of_table(request, table), playtest=playtest,
    )  # fmt: skip


@route("GET /replay")
@route("GET /replay/{table}")
async def replay(request: Request) -> Response:
    """The page that replays a record, or the record of a table."""
    table = await asked_table(request) if "table" in request.path_params else None
    preview = previews.of_table(request, table) if table else previews.of_home(request)
    return show_page(request, "replay.html", table=table.id if table else "", preview=preview)


@route("GET /verify")
@route("GET /verify/{table}")
async def verify(request: Request) -> Response:
    """The page that verifies a proof of chance, or the proof of a table."""
    table = await asked_table(request) if "table" in request.path_params else None
    return show_page(request, "verify.html", table=table.id if table else "")


@route("GET /study")
async def study(request: Request) -> Response:
    """The analysis board."""
    return answer_page(request, rendering.render_study(language=language_of_page(request)))


@route("GET /lobby")
async def lobby(request: Request) -> Response:
    """The lobby. The page requests the list."""
    return show_page(request, "lobby.html")


@route("GET /me")
async def me(request: Request) -> Response:
    """The page of one's own profile. The key stays in the fragment or the browser."""
    return show_page(request, "me.html")


@route("GET /tournaments")
async def cups(request: Request) -> Response:
    """The tournaments, and a form for a new one."""
    return answer_page(request, rendering.render_tournaments(language_of_page(request)))


@route("GET /tournament/{tournament}")
async def cup(request: Request) -> Response:
    """The page of a tournament. Errors: 404."""
    try:
        found = await people(request).tournaments.find(request.path_params["tournament"])
    except NoTournament as error:
        raise HttpError(404, error.phrase) from None
    return show_page(request, "tournament.html", tournament=found.id, name=found.settings.name)


@route("GET /rules")
async def all_rules(request: Request) -> Response:
    """The list of rulebooks."""
    return answer_page(request, rendering.render_rulebook_list(language=language_of_page(request)))


@route("GET /rules/{game}")
async def rules(request: Request) -> Response:
    """The rulebook, that of older rules if a table has them. The page asks for the house rules and moves of the table."""
    spec, table = find_asked_game(request), await named_table(request)
    preview, language = previews.of_game(request, spec), language_of_page(request)
    page = functools.partial(rendering.render_rulebook, table.game.spec if table else spec, preview=preview, language=language)
    return answer_page(request, await run_thread_job(request, page))


@route("GET /learn/{game}")
async def learn(request: Request) -> Response:
    """The page of a tutorial. Errors: 404 if the game has none."""
    spec = find_game_with_tutorial(request)
    return show_page(request, "learn.html", game=views.listing(spec), preview=previews.of_game(request, spec))


@route("GET /puzzles/{game}")
async def puzzles(request: Request) -> Response:
    """The page of a game's puzzles, for which it starts a worker. Errors: 404 if the game has none."""
    spec = find_game_with_puzzles(request)
    request.app.state.strokes.start()
    return show_page(request, "puzzles.html", game=views.listing(spec), preview=await previews.of_puzzles(request, spec))


@route("GET /edit/{game}")
async def edit(request: Request) -> Response:
    """The page of the board editor. Requesting it starts a worker, so that the first stroke does not wait for one."""
    spec = editable(request)
    request.app.state.strokes.start()
    return show_page(request, "edit.html", game=views.listing(spec))


@route("GET /position/{game}")
async def position(request: Request) -> Response:
    """The page on which people set up a position. Requesting it starts a worker, as for a board."""
    spec = find_asked_game(request)
    request.app.state.strokes.start()
    return show_page(request, "edit.html", game=views.listing(spec), positions=True, preview=previews.of_position(request, spec))


@route("GET /static/words/{language}.json", pays="files")
async def words(request: Request) -> Response:
    """The sentences of the pages in a language. Errors: 404."""
    language = request.path_params["language"]
    if language not in languages():
        raise HTTPException(404)
    encoded = rendering.encode_words(language)
    tag = f'"{hashlib.sha256(encoded).hexdigest()[:32]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(encoded, media_type=JSON, headers={"etag": tag})


@route("GET /static/bip39.txt", pays="files")
async def bip39(request: Request) -> Response:
    """The words from which pages choose four for an era (`fairness/words.txt`)."""
    return FileResponse(resources.files("bridgehead") / "fairness" / "words.txt")  # type: ignore[arg-type]


@route("GET /art.svg", pays="files")
async def symbols(request: Request) -> Response:
    """All symbols in one SVG."""
    return Response(rendering.encode_symbols(), media_type="image/svg+xml")


# Answers to failed requests


async def answer_refusal(request: Request, error: Exception) -> Response:
    """The answer to a request that is refused or cannot be served now, with the place of the error; also for a missing page."""
    if isinstance(error, HTTPException):
        error = HttpError(error.status_code, "no_method" if error.status_code == 405 else "no_page")
    return _answer(request, *failure(error, request.scope["path"]))


async def answer_gone(request: Request, error: Exception) -> Response:
    """The answer after the client has disconnected, which never reaches it."""
    return Response(status_code=400)


async def answer_bug(request: Request, error: Exception) -> Response:
    """The answer after a bug in the server. Only the log contains the details."""
    answer = _answer(request, 500, phrase("server:broken"), request.scope["path"])
    answer.headers.update(HEADERS)
    return answer


def _answer(request: Request, status: int, problem: Phrase, where: Phrase | str) -> Response:
    if request.scope["path"].startswith("/api/"):
        return response(refusal(request, status, problem, where))
    sentences = {each: sentence(problem, each) for each in languages()}
    return show_page(request, "error.html", status, sentences=sentences)


ERRORS: Any = {
    BridgeheadError: answer_refusal, msgspec.DecodeError: answer_refusal, RecursionError: answer_refusal,
    HttpError: answer_refusal, HTTPException: answer_refusal,
    ClientDisconnect: answer_gone, Exception: answer_bug,
}  # fmt: skip
