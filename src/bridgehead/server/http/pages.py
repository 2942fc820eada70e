"""HTML pages, and the answers to failed requests."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.templating import Jinja2Templates

from bridgehead.core import registry
from bridgehead.core.descriptions import About, about
from bridgehead.core.errors import UnknownGame, understood
from bridgehead.core.extras import is_installed
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, Phrase, catalogue, languages, phrase, sentence
from bridgehead.core.spec import Spec
from bridgehead.core.tutorial import has_tutorial
from bridgehead.players import strengths
from bridgehead.server.connections.middleware import HEADERS, address_of
from bridgehead.server.http.endpoints import asked_game, asked_options, asked_table, game_of, listings, refusal
from bridgehead.server.http.errors import HttpError
from bridgehead.server.jobs.worker_pool import WorkerLost
from bridgehead.server.rooms import views
from bridgehead.server.storage.event_log import StorageError
from bridgehead.server.tables.codes import is_code
from bridgehead.server.tables.state import has_chance

WEB = Path(str(resources.files("bridgehead") / "web"))
SVG = "http://www.w3.org/2000/svg"
templates = Jinja2Templates(directory=WEB / "templates")
WORDS = catalogue(WEB)
templates.env.globals["languages"] = {language: WORDS.text("language.name", language) for language in languages()}


@functools.cache
def english(game: str) -> About:
    """The English sentences about a game. Pages are sent in English."""
    return about(registry.spec(game), ENGLISH)


def say(game: str, part: str, *args: Any, kind: str = "say") -> Markup:
    """An HTML attribute with a sentence about a game (a part of `About`) in all languages but English."""
    spec = registry.spec(game)
    return translated({language: _sentence(about(spec, language), part, args) for language in languages()}, kind)


def translated(sentences: dict[str, str], kind: str = "say") -> Markup:
    """An HTML attribute with a sentence in all languages but English. The browser shows it in place of the English sentence."""
    others = {language: text for language, text in sentences.items() if text != sentences[ENGLISH]}
    return Markup(" data-{}='{}'").format(kind, json.dumps(others, ensure_ascii=False)) if others else Markup("")


def _sentence(about: About, part: str, args: tuple[Any, ...]) -> str:
    found = getattr(about, part)
    return str(found(*args) if args else found)


templates.env.globals |= {"english": english, "say": say, "translated": translated}


async def home(request: Request) -> Response:
    """The start page."""
    levels = {spec.id: strengths(spec) for spec in registry.specs().values()}
    return templates.TemplateResponse(request, "home.html", {"games": listings(), "lessons": lessons(), "strengths": levels})


async def new(request: Request) -> Response:
    """The page for a new table. It starts a worker, because a visitor may soon bring their own board."""
    request.app.state.games.workers.start()
    mode = request.query_params.get("mode", "here")
    mode = mode if mode in ("here", "computer", "invite") else "here"
    spec = asked_game(request)
    chance = await asyncio.to_thread(lambda: has_chance(registry.game(spec.id)))
    return templates.TemplateResponse(
        request, "new.html", {"game": views.listing(spec), "chance": chance, "mode": mode, "lab": is_installed("lab")}
    )


async def table(request: Request) -> Response:
    """The page of a table; a code leads to its link. Only the WebSocket sends the seats and their people.

    After too many wrong codes the page is the same for every code, and no table is looked up. Its WebSocket still lets in
    whoever has a seat, so a neighbour who guesses codes keeps nobody from their game.
    """
    code = request.path_params["table"].upper()
    values = {"table": code, "game_title": "", "game": "", "base": request.app.state.base}
    if not (request.app.state.misses.spent(address_of(request), code) and is_code(code)):
        found = await asked_table(request)
        if request.path_params["table"] != found.id:  # the code ends when the table is full, and the page stays
            return RedirectResponse(f"/t/{found.id}", 302)
        values |= {"table": found.id, "game_title": found.game.spec.title, "game": found.game.spec.id}
    return templates.TemplateResponse(request, "table.html", values)


async def replay(request: Request) -> Response:
    """The page that replays a record, or the record of a table."""
    found = (await asked_table(request)).id if "table" in request.path_params else ""
    return templates.TemplateResponse(request, "replay.html", {"table": found, "base": request.app.state.base})


async def lobby(request: Request) -> Response:
    """The lobby. The page requests the list."""
    return templates.TemplateResponse(request, "lobby.html", {})


async def verify(request: Request) -> Response:
    """The page that verifies a proof of chance, or the proof of a table."""
    found = (await asked_table(request)).id if "table" in request.path_params else ""
    return templates.TemplateResponse(request, "verify.html", {"table": found})


async def rules(request: Request) -> Response:
    """The rulebook, and the house rules in force."""
    if "game" not in request.path_params:
        return templates.TemplateResponse(request, "rules.html", {"games": listings(), "game": None})
    spec = asked_game(request)
    game, standard = await _in_force(request, spec), await request.app.state.games.game(spec.id)
    values = {
        "games": listings(),
        "game": views.listing(spec),
        "lessons": lessons(),
        "sections": views.rule_sections(game or standard),
        "options": views.rule_options(game or standard),
        "in_force": game is not None,
    }
    return templates.TemplateResponse(request, "rules.html", values)


def lessons() -> list[str]:
    """The games that have a tutorial."""
    return [spec.id for spec in registry.specs().values() if has_tutorial(spec)]


async def _in_force(request: Request, spec: Spec) -> Game | None:
    """The game of a table or of house rules that the query names; None if it names none."""
    query = request.query_params
    if "table" in query:
        found = await asked_table(request, query["table"])
        return found.game if found.game.spec == spec else None
    return await game_of(request, spec.id, "", asked_options(query["options"])) if "options" in query else None


async def words(request: Request) -> Response:
    """The sentences of the pages in a language. Errors: 404."""
    language = request.path_params["language"]
    if language not in languages():
        raise HTTPException(404)
    encoded, tag = _words(language)
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(encoded, media_type="application/json", headers={"etag": tag})


@functools.cache
def _words(language: str) -> tuple[bytes, str]:
    """The sentences of the pages as JSON, and their ETag."""
    encoded = json.dumps({key: WORDS.text(key, language) for key in sorted(WORDS.keys(ENGLISH))}, ensure_ascii=False).encode()
    return encoded, f'"{hashlib.sha256(encoded).hexdigest()[:32]}"'


async def symbols(request: Request) -> Response:
    """All symbols in one SVG."""
    return Response(_art(), media_type="image/svg+xml")


@functools.cache
def _art() -> bytes:
    """The shared symbols and those of all games."""
    ElementTree.register_namespace("", SVG)
    whole = ElementTree.Element(f"{{{SVG}}}svg")
    for file in [WEB / "art.svg", *(spec.folder / "art.svg" for spec in registry.specs().values())]:
        if file.exists():
            whole.extend(ElementTree.parse(file).getroot())
    return ElementTree.tostring(whole)


async def refused(request: Request, error: Exception) -> Response:
    """The answer to a wrong request, with the place of the error, or to one that the server cannot serve now."""
    status = 404 if isinstance(error, UnknownGame) else 503 if isinstance(error, (StorageError, WorkerLost)) else 400
    found = understood(error)
    return _answer(request, status, found.phrase, found.place)


async def failed(request: Request, error: Exception) -> Response:
    """The answer for a missing page or a method that is not allowed."""
    assert isinstance(error, HTTPException)
    other = phrase("server:error.no_method" if error.status_code == 405 else "server:error.no_page")
    return _answer(request, error.status_code, error.phrase if isinstance(error, HttpError) else other, request.scope["path"])


async def tangled(request: Request, error: Exception) -> Response:
    """The answer to JSON that is nested too deeply."""
    return _answer(request, 400, phrase("server:error.nested"), "")


async def gone(request: Request, error: Exception) -> Response:
    """The answer after the client has disconnected, which never reaches it."""
    return Response(status_code=400)


async def broken(request: Request, error: Exception) -> Response:
    """The answer after a bug in the server. Only the log contains the details."""
    answer = _answer(request, 500, phrase("server:broken"), request.scope["path"])
    answer.headers.update(HEADERS)
    return answer


def _answer(request: Request, status: int, problem: Phrase, where: Phrase | str) -> Response:
    if request.scope["path"].startswith("/api/"):
        return refusal(request, status, problem, where)
    sentences = {each: sentence(problem, each) for each in languages()}
    return templates.TemplateResponse(request, "error.html", {"status": status, "sentences": sentences}, status_code=status)
