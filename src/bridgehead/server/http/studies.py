"""Studies: the analysis board asks for a place of its record, edits the tree, and gets the engine's best actions."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from bridgehead.players.advice import Assessment, advise
from bridgehead.server.connections.rate_limits import Price
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.routes import LANG, HttpError, Reply, route
from bridgehead.server.messages.client import StudyStroke
from bridgehead.server.messages.http import StudyLinks, StudyView
from bridgehead.server.messages.server import Reason
from bridgehead.server.rooms import studies
from bridgehead.server.tables.table import MOST_EVENTS

if TYPE_CHECKING:
    from starlette.requests import Request


@route("POST /api/study", StudyView, StudyStroke, query=(LANG,), limit="edits", raw=True, long=True)
async def stroke(request: Request, body: bytes) -> Reply:
    """A place in a record, after an edit of its tree."""
    films, asker = request.app.state.films, address_of(request)
    return Reply(await films.ask(studies.stroke, body, language(request), MOST_EVENTS, asker=asker))


@route("POST /api/study/links", StudyLinks, StudyStroke, limit="films", raw=True, long=True)
async def links(request: Request, body: bytes) -> Reply:
    """A study as a link, and the way to a place in it."""
    return Reply(await request.app.state.films.ask(studies.links, body, MOST_EVENTS, asker=address_of(request)))


@route("POST /api/study/why", Reason, StudyStroke, query=(LANG,), limit="edits", raw=True, long=True)
async def why(request: Request, body: bytes) -> Reply:
    """The reason why things cannot be touched, in this order, at a place."""
    films, asker = request.app.state.films, address_of(request)
    return Reply(await films.ask(studies.why, body, language(request), MOST_EVENTS, asker=asker))


@route("POST /api/study/lines", Assessment, StudyStroke, query=(LANG,), limit="hints", raw=True, long=True)
async def lines(request: Request, body: bytes) -> Assessment:
    """The best actions at a place, with their win chances and reasons. The answer takes seconds. Errors: 429."""
    state, asker = request.app.state, address_of(request)
    if state.effort.refuses(asker, Price(0, "costly")):
        raise HttpError(429, "many_requests")
    name, options, text, names = await state.films.ask(studies.adviser, body, MOST_EVENTS, asker=asker)
    game, computers = await state.games.game(name, "", json.loads(options), asker), state.manager.computer_turns.computers
    await asyncio.shield(computers.prepare(game, asker))
    found: Assessment = await computers.hints.ask(advise, name, options, text, names, language(request), text, asker=asker)
    return found
