"""The pages, and what is told when something is refused."""

from __future__ import annotations

import asyncio
import functools
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.templating import Jinja2Templates

from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.errors import UnknownGame
from bridgehead.core.game import Game
from bridgehead.core.spec import Spec
from bridgehead.core.tutorial import has_tutorial
from bridgehead.lab.quick import installed
from bridgehead.server.connections.middleware import HEADERS, answer
from bridgehead.server.http import refused as refusals
from bridgehead.server.http.endpoints import asked_game, asked_options, asked_table, game_of, language, listings
from bridgehead.server.jobs.worker_pool import WorkerLost
from bridgehead.server.messages.http import Problem
from bridgehead.server.rooms import views
from bridgehead.server.storage.event_log import StorageError
from bridgehead.server.tables.game_cache import has_chance

WEB = Path(str(resources.files("bridgehead") / "web"))
SVG = "http://www.w3.org/2000/svg"
templates = Jinja2Templates(directory=WEB / "templates")
templates.env.globals["english"] = lambda game: about(registry.spec(game), "en")
templates.env.globals["german"] = lambda game: about(registry.spec(game), "de")


async def home(request: Request) -> Response:
    """The start."""
    return templates.TemplateResponse(request, "home.html", {"games": listings(), "lessons": lessons()})


async def new(request: Request) -> Response:
    """A new table. Whoever looks here may soon bring a board."""
    request.app.state.games.workers.start()
    mode = request.query_params.get("mode", "here")
    mode = mode if mode in ("here", "computer", "invite") else "here"
    spec = asked_game(request)
    chance = await asyncio.to_thread(lambda: has_chance(registry.game(spec.id)))
    return templates.TemplateResponse(
        request, "new.html", {"game": views.listing(spec), "chance": chance, "mode": mode, "lab": installed()}
    )


async def table(request: Request) -> Response:
    """A table; who sits where is told on the socket only."""
    found = await asked_table(request)
    told = {"table": found.id, "game_title": found.game.spec.title, "game": found.game.spec.id, "base": request.app.state.base}
    return templates.TemplateResponse(request, "table.html", told)


async def replay(request: Request) -> Response:
    """Looking at a record, or at a table's."""
    found = (await asked_table(request)).id if "table" in request.path_params else ""
    return templates.TemplateResponse(request, "replay.html", {"table": found, "base": request.app.state.base})


async def lobby(request: Request) -> Response:
    """The tables that anyone may join; the page asks for them."""
    return templates.TemplateResponse(request, "lobby.html", {})


async def verify(request: Request) -> Response:
    """Checking a proof of chance, or a table's."""
    found = (await asked_table(request)).id if "table" in request.path_params else ""
    return templates.TemplateResponse(request, "verify.html", {"table": found})


async def rules(request: Request) -> Response:
    """The rulebook, and the house rules in force."""
    if "game" not in request.path_params:
        return templates.TemplateResponse(request, "rules.html", {"games": listings(), "game": None})
    spec = asked_game(request)
    game, standard = await _in_force(request, spec), await request.app.state.games.game(spec.id)
    told = {
        "games": listings(),
        "game": views.listing(spec),
        "lessons": lessons(),
        "sections": views.rule_sections(game or standard),
        "options": views.rule_options(game or standard),
        "in_force": game is not None,
    }
    return templates.TemplateResponse(request, "rules.html", told)


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


async def symbols(request: Request) -> Response:
    """Every symbol, as one SVG."""
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
    """What the caller got wrong, and where; or that the server cannot do it now."""
    status = 404 if isinstance(error, UnknownGame) else 503 if isinstance(error, (StorageError, WorkerLost)) else 400
    what = getattr(error, "what", str(error))
    return _answer(request, status, what, getattr(error, "where", "") or _place(what))


async def failed(request: Request, error: Exception) -> Response:
    """A page that is not there, or a request that is not allowed."""
    assert isinstance(error, HTTPException)
    detail = error.detail if " " in error.detail and error.detail != "Not Found" else "There is nothing here."
    if error.status_code == 405:
        detail = "This cannot be asked in this way."
    return _answer(request, error.status_code, detail, request.scope["path"])


async def tangled(request: Request, error: Exception) -> Response:
    """Something nested so deeply that it cannot be looked at."""
    return _answer(request, 400, "What was sent is nested too deeply.", "")


async def gone(request: Request, error: Exception) -> Response:
    """Whoever asked went away before everything was said; nobody reads this."""
    return Response(status_code=400)


async def broken(request: Request, error: Exception) -> Response:
    """A mistake of ours: it stands in the server's log, and the page is told no more than that."""
    answer = _answer(request, 500, "Something went wrong in the server. Nothing has changed.", request.scope["path"])
    answer.headers.update(HEADERS)
    return answer


def _answer(request: Request, status: int, sentence: str, where: str) -> Response:
    if request.scope["path"].startswith("/api/"):
        told = [refusals.told(each, language(request)) for each in (sentence, where)]
        return answer(Problem(*told), status)
    said = {"status": status, "sentence": sentence, "de": refusals.told(sentence, "de")}
    return templates.TemplateResponse(request, "error.html", said, status_code=status)


def _place(text: str) -> str:
    """The path that msgspec names at the end of a refusal, like `$.seats[0].kind`."""
    return text.rpartition(" - at `")[2].rstrip("`") if " - at `" in text else ""
