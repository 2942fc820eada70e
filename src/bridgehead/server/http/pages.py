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

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.templating import Jinja2Templates

from bridgehead.core import registry
from bridgehead.core.descriptions import About, about
from bridgehead.core.errors import BridgeheadError, UnknownGame, understood
from bridgehead.core.extras import is_installed
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, Phrase, catalogue, languages, phrase, sentence
from bridgehead.core.spec import Spec
from bridgehead.core.tutorial import has_tutorial
from bridgehead.players import strengths
from bridgehead.server.connections.middleware import HEADERS, JSON, address_of
from bridgehead.server.http.endpoints import listings
from bridgehead.server.http.routes import HttpError, asked_game, asked_rules, asked_table, game_of, refusal, route, spare
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
    parts = {language: getattr(about(registry.spec(game), language), part) for language in languages()}
    return translated({language: str(each(*args) if args else each) for language, each in parts.items()}, kind)


def translated(sentences: dict[str, str], kind: str = "say") -> Markup:
    """An HTML attribute with a sentence in all languages but English. The browser shows it in place of the English sentence."""
    others = {language: text for language, text in sentences.items() if text != sentences[ENGLISH]}
    return Markup(" data-{}='{}'").format(kind, json.dumps(others, ensure_ascii=False)) if others else Markup("")


templates.env.globals |= {"english": english, "say": say, "translated": translated}


def shown(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A page from its template."""
    return templates.TemplateResponse(request, template, {"status": status, **values}, status_code=status)


@route("GET /")
async def home(request: Request) -> Response:
    """The start page."""
    levels = {spec.id: strengths(spec) for spec in registry.specs().values()}
    return shown(request, "home.html", games=listings(), lessons=lessons(), strengths=levels)


@route("GET /new/{game}")
async def new(request: Request) -> Response:
    """The page for a new table. It starts a worker, because a visitor may soon bring their own board."""
    request.app.state.games.workers.start()
    mode = request.query_params.get("mode", "here")
    mode = mode if mode in ("here", "computer", "invite") else "here"
    spec = asked_game(request)
    chance = await asyncio.to_thread(lambda: has_chance(registry.game(spec.id)))
    return shown(request, "new.html", game=views.listing(spec), chance=chance, mode=mode, lab=is_installed("lab"))


@route("GET /t/{table}")
async def table(request: Request) -> Response:
    """The page of a table; a code leads to its link. Only the WebSocket sends the seats and their people.

    After too many wrong codes the page is the same for every code, and no table is looked up. Its WebSocket still lets in
    whoever has a seat, so a neighbour who guesses codes keeps nobody from their game.
    """
    code, state = request.path_params["table"].upper(), request.app.state
    if state.manager.misses.spent(address_of(request), code) and is_code(code):
        return shown(request, "table.html", table=code, game_title="", game="")
    table = await asked_table(request)
    if request.path_params["table"] != table.id:  # the code ends when the table is full, and the page stays
        return RedirectResponse(f"/t/{table.id}", 302)
    spec = table.game.spec
    return shown(request, "table.html", table=table.id, game_title=spec.title, game=spec.id)


@route("GET /replay")
@route("GET /replay/{table}")
async def replay(request: Request) -> Response:
    """The page that replays a record, or the record of a table."""
    return shown(request, "replay.html", table=await _code(request))


@route("GET /verify")
@route("GET /verify/{table}")
async def verify(request: Request) -> Response:
    """The page that verifies a proof of chance, or the proof of a table."""
    return shown(request, "verify.html", table=await _code(request))


async def _code(request: Request) -> str:
    """The code of the table in the path; "" if there is none. Errors: as `asked_table`."""
    return (await asked_table(request)).id if "table" in request.path_params else ""


@route("GET /lobby")
async def lobby(request: Request) -> Response:
    """The lobby. The page requests the list."""
    return shown(request, "lobby.html")


@route("GET /rules")
async def all_rules(request: Request) -> Response:
    """The list of rulebooks."""
    return shown(request, "rules.html", games=listings(), game=None)


@route("GET /rules/{game}")
async def rules(request: Request) -> Response:
    """The rulebook, and the house rules in force."""
    spec = asked_game(request)
    in_force, standard = await _in_force(request, spec), await request.app.state.games.game(spec.id)
    game = in_force or standard
    return shown(
        request, "rules.html", games=listings(), game=views.listing(spec), lessons=lessons(), in_force=in_force is not None,
        sections=views.rule_sections(game), options=views.rule_options(game),
    )  # fmt: skip


def lessons() -> list[str]:
    """The games that have a tutorial."""
    return [spec.id for spec in registry.specs().values() if has_tutorial(spec)]


async def _in_force(request: Request, spec: Spec) -> Game | None:
    """The game of a table or of house rules that the query names; None if it names none."""
    if "table" in request.query_params:
        game = (await asked_table(request, request.query_params["table"])).game
        return game if game.spec == spec else None
    if "options" not in request.query_params:
        return None
    spare(request, "boards")
    return await game_of(request, asked_rules(request))


@route("GET /static/words/{language}.json")
async def words(request: Request) -> Response:
    """The sentences of the pages in a language. Errors: 404."""
    language = request.path_params["language"]
    if language not in languages():
        raise HTTPException(404)
    encoded, tag = _words(language)
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(encoded, media_type=JSON, headers={"etag": tag})


@route("GET /static/bip39.txt")
async def bip39(request: Request) -> Response:
    """The words from which pages choose four for an era (`fairness/words.txt`)."""
    return FileResponse(resources.files("bridgehead") / "fairness" / "words.txt")  # type: ignore[arg-type]


@functools.cache
def _words(language: str) -> tuple[bytes, str]:
    """The sentences of the pages as JSON, and their ETag."""
    encoded = json.dumps({key: WORDS.text(key, language) for key in sorted(WORDS.keys(ENGLISH))}, ensure_ascii=False).encode()
    return encoded, f'"{hashlib.sha256(encoded).hexdigest()[:32]}"'


@route("GET /art.svg")
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


# Answers to failed requests


async def refused(request: Request, error: Exception) -> Response:
    """The answer to a wrong request, with the place of the error, or to one that the server cannot serve now."""
    status = 404 if isinstance(error, UnknownGame) else 503 if isinstance(error, (StorageError, WorkerLost)) else 400
    found = BridgeheadError("server:error.nested") if isinstance(error, RecursionError) else understood(error)
    return _answer(request, status, found.phrase, found.place)


async def failed(request: Request, error: Exception) -> Response:
    """The answer for a missing page or a method that is not allowed."""
    assert isinstance(error, HTTPException)
    other = phrase("server:error.no_method" if error.status_code == 405 else "server:error.no_page")
    return _answer(request, error.status_code, error.phrase if isinstance(error, HttpError) else other, request.scope["path"])


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
    return shown(request, "error.html", status, sentences=sentences)


ERRORS: Any = {
    BridgeheadError: refused, msgspec.DecodeError: refused, RecursionError: refused, ClientDisconnect: gone,
    HTTPException: failed, Exception: broken,
}  # fmt: skip
