"""The requests that programs may make, as OpenAPI: made from the routes and their structs, never written by hand."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bridgehead.core import registry
from bridgehead.core.version import __version__
from bridgehead.server.connections.requests import JSON
from bridgehead.server.http import (  # noqa: F401  (importing them registers their routes)
    analyses,
    board_editor,
    classroom,
    correspondence,
    endpoints,
    host,
    invitations,
    metrics,
    opponents,
    pages,
    people,
    playtests,
    previews,
    proofs,
    puzzles,
    referees,
    reports,
    rules_in_force,
    studies,
    tournaments,
    tutorials,
)
from bridgehead.server.http.routes import ROUTES, Route, route
from bridgehead.server.messages.classroom import ClassAct, ClassAsked
from bridgehead.server.messages.host import HostAct, HostAsked
from bridgehead.server.messages.invitations import NetworkWish
from bridgehead.server.messages.lobby import OpponentAsked, OpponentWish
from bridgehead.server.messages.schema import Json, components
from bridgehead.server.messages.tables import GameWish, ProblemView
from bridgehead.server.messages.tournaments import HostRecovery

# The parameters in paths.
PARAMETERS: dict[str, Json] = {
    "game": {"enum": sorted(registry.specs())},
    "table": {"type": "string", "pattern": "^[A-Z0-9]{1,32}$"},
    "key": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    "frame": {"type": "integer", "minimum": 0},
    "tournament": {"type": "string", "pattern": "^[A-Z]{22}$"},
    "playtest": {"type": "string", "pattern": "^[A-Z]{22}$"},
    "profile": {"type": "string", "pattern": "^[A-Z]{22}$"},
    "number": {"type": "integer", "minimum": 1},
}
OWNERS = (NetworkWish, ClassAsked, ClassAct, HostAsked, HostAct, HostRecovery)  # bodies with a secret of who runs the server
LOOKED_UP = (GameWish, OpponentWish, OpponentAsked)  # bodies that name a game or a wait
API = [each for each in ROUTES if each.path.startswith("/api/")]


@route("GET /api/schema.json")
async def schema_of_requests(request: Request) -> Response:
    """The OpenAPI description of these requests."""
    return Response(msgspec.json.encode(describe_requests()), media_type=JSON)


@functools.cache
def describe_requests() -> Json:
    """The OpenAPI document of all requests."""
    kinds = [ProblemView, *(kind for each in API for kind in (each.answer, each.body) if kind is not None)]
    shapes, parts = components(tuple(kinds), "#/components/schemas/{name}")
    shape = dict(zip(kinds, shapes, strict=True))
    paths: Json = {}
    for each in API:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, shape)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Bridgehead", "version": __version__, "description": "docs/lookup/protocol.md says more."},
        "paths": paths,
        "components": {"schemas": parts},
    }


def _operation(each: Route, shape: dict[Any, Any]) -> Json:
    """One request as an OpenAPI operation: its statuses besides 400 and 503 follow from its path, its body and its limit."""
    names = re.findall(r"{(\w+)}", each.path)
    has_body, looks_up = each.body is not None, isinstance(each.body, type) and issubclass(each.body, LOOKED_UP)
    errors = {403: each.body in OWNERS, 404: names or looks_up, 413: has_body, 429: each.limit or "table" in names}
    wrong = {"description": "refused", "content": {JSON: {"schema": shape[ProblemView]}}}
    summary = (each.function.__doc__ or "").partition("\n")[0]
    content = {each.media: {"schema": shape[each.answer] if each.answer else {"type": "string"}}}
    made: Json = {
        "summary": summary,
        "responses": {
            str(each.status): {"description": summary, "content": content},
            **{str(status): wrong for status in (400, *(error for error, occurs in errors.items() if occurs), 503)},
        },
    }
    in_path = [{"name": name, "in": "path", "required": True, "schema": PARAMETERS[name]} for name in names]
    if parameters := [*in_path, *each.query]:
        made["parameters"] = parameters
    if has_body:
        media = "text/plain" if each.body is str else JSON
        made["requestBody"] = {"required": True, "content": {media: {"schema": shape[each.body]}}}
    return made


ALL = tuple(ROUTES)  # all modules are imported, so all routes are registered
