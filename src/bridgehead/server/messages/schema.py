"""The protocol as JSON schemas, made from the structs that decode and describe it: never written by hand.

`socket()` is docs/lookup/protocol.schema.json; `requests()` is the OpenAPI description at /api/schema.json.
"""

from __future__ import annotations

import functools
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.core.version import __version__
from bridgehead.fairness import proof, receipt
from bridgehead.server.messages import client, http, sealing, server

Json = dict[str, Any]  # an object of a JSON schema
DIALECT = "https://json-schema.org/draft/2020-12/schema"
GAME = {"name": "game", "in": "path", "required": True, "schema": {"enum": sorted(registry.specs())}}
TABLE = {"name": "table", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[A-Z0-9]{1,32}$"}}
KEY = {"name": "key", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"}}
LANG = {"name": "lang", "in": "query", "schema": {"enum": [*languages()]}}
OPTIONS = {"name": "options", "in": "query", "schema": {"type": "string"}, "description": "house rules as a JSON object"}
STEP = {"name": "step", "in": "query", "required": True, "schema": {"type": "integer", "minimum": 0, "maximum": 20}}
TOUCH = {
    "name": "touch",
    "in": "query",
    "required": True,
    "schema": {"type": "array", "items": {"type": "string"}, "maxItems": 8},
}

STEPS = (GAME, LANG, STEP, TOUCH)


class Stroke(msgspec.Struct, forbid_unknown_fields=True):
    """The same fields as `board_editor.Stroke`, whose board stays undecoded until a worker reads it."""

    board: Any = None
    start: Annotated[str, Meta(max_length=40)] = ""
    tool: Annotated[str, Meta(max_length=40)] = ""
    touch: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=4)] = []


class Request(NamedTuple):
    """One request of the API: its purpose, body and answer. errors: status codes besides 400."""

    method: str
    path: str
    summary: str
    answer: Any = None
    body: Any = None
    parameters: tuple[Json, ...] = ()
    errors: tuple[int, ...] = ()
    status: int = 200
    media: str = "application/json"


FROM = {"name": "from", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 2**32 - 1}}
REQUESTS = (
    Request("get", "/api/sealed", "All that was ever sealed", sealing.SealLogPage, None, (FROM,)),
    Request("get", "/api/tables/{table}/proof", "The proof of chance", proof.Proof, None, (TABLE, LANG), (404, 429)),
    Request("get", "/api/tables/{table}/receipt", "The log's head, signed", receipt.Receipt, None, (TABLE,), (404, 429)),
    Request("get", "/api/games", "Installed games", http.GameListings),
    Request("get", "/api/games/{game}/picture", "First position", http.PositionPicture, None, (GAME, LANG, OPTIONS), (404, 429)),
    Request("get", "/api/games/{game}/showpiece", "A position under way", http.PositionPicture, None, (GAME, LANG), (404,)),
    Request("get", "/api/games/{game}/tutorial", "A tutorial", http.Tutorial, None, (GAME, LANG), (404,)),
    Request("get", "/api/games/{game}/tutorial/why", "Why not there", server.Reason, None, (GAME, LANG, STEP, TOUCH), (404,)),
    Request("post", "/api/games/{game}/edit", "A stroke", http.EditedBoard, Stroke, (GAME, LANG), (404, 413, 429)),
    Request("post", "/api/check", "Do these house rules work?", http.RuleDifferences, client.Wish, (), (404, 413, 429)),
    Request("get", "/api/lobby", "Tables on the list", http.LobbyTables),
    Request("post", "/api/mine", "How tables stand", http.KnownTables, client.MineWish, (LANG,), (413, 429)),
    Request("post", "/api/qr", "A text as a QR code", None, client.QrWish, (), (413,), media="image/svg+xml"),
    Request("post", "/api/tables", "A new table", http.CreatedTable, client.NewTable, (), (404, 413, 429), 201),
    Request("get", "/api/tables/{table}/record", "The record", None, None, (TABLE,), (404, 429), media="text/plain"),
    Request(
        "post",
        "/api/tables/{table}/times",
        "How long each seat took",
        http.TableTimes,
        client.TimesWish,
        (TABLE,),
        (404, 413, 429),
    ),
    Request("get", "/api/tables/{table}/link", "The whole match in a link", http.RecordLink, None, (TABLE,), (404, 429)),
    Request("get", "/api/tables/{table}/frames", "A table step by step", http.Replay, None, (TABLE, LANG), (404, 429)),
    Request("post", "/api/records", "A record step by step", http.Replay, str, (LANG,), (413, 429)),
    Request("post", "/api/analyses", "Have a game analysed", http.StudyBegun, str, (), (413, 429), 202),
    Request("get", "/api/analyses/{key}", "An analysis, or how far it is", http.Analysis, None, (KEY, LANG), (404,)),
    Request("post", "/api/labs", "Have house rules studied", http.StudyBegun, client.Wish, (), (404, 413, 429), 202),
    Request("get", "/api/labs", "Reports that are kept", http.LabReports),
    Request("get", "/api/labs/{key}", "A study of house rules: how far it is", http.LabStudy, None, (KEY,), (404,)),
)


def socket() -> Json:
    """All messages on the socket."""
    (of_pages, of_server), parts = _components((client.ClientMessage, server.ServerMessage), "#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": "Bridgehead: messages on the socket /ws (docs/lookup/protocol.md)",
        "$defs": {"ClientMessage": of_pages, "ServerMessage": of_server, **parts},
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
    }


@functools.cache
def requests() -> Json:
    """The requests that programs may make, as OpenAPI."""
    kinds = [kind for each in REQUESTS for kind in (each.answer, each.body) if kind is not None]
    shapes, parts = _components((http.Problem, *kinds), "#/components/schemas/{name}")
    shape = dict(zip((http.Problem, *kinds), shapes, strict=True))
    paths: Json = {}
    for each in REQUESTS:
        paths.setdefault(each.path, {})[each.method] = _operation(each, shape)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Bridgehead", "version": __version__, "description": "docs/lookup/protocol.md says more."},
        "paths": paths,
        "components": {"schemas": parts},
    }


def _operation(each: Request, shape: dict[Any, Any]) -> Json:
    """One request as an OpenAPI operation."""
    wrong = {"content": {"application/json": {"schema": shape[http.Problem]}}}
    server: Json = {str(status): {"description": "refused", **wrong} for status in (400, *each.errors, 503)}
    content = {each.media: {"schema": shape[each.answer] if each.answer else {"type": "string"}}}
    made: Json = {
        "summary": each.summary,
        "responses": {str(each.status): {"description": each.summary, "content": content}, **server},
    }
    if each.parameters:
        made["parameters"] = list(each.parameters)
    if each.body is not None:
        media = "text/plain" if each.body is str else "application/json"
        made["requestBody"] = {"required": True, "content": {media: {"schema": shape[each.body]}}}
    return made


def _components(kinds: tuple[Any, ...], reference: str) -> tuple[list[Any], Json]:
    shapes, parts = msgspec.json.schema_components(kinds, ref_template=reference)
    return [_closed(each) for each in shapes], {name: _closed(part) for name, part in sorted(parts.items())}


def _closed(shape: Any) -> Any:
    """A schema that forbids unnamed fields. Its patterns end in $, because JSON Schema has no \\Z."""
    if isinstance(shape, list):
        return [_closed(each) for each in shape]
    if not isinstance(shape, dict):
        return shape
    closed = {name: _closed(each) for name, each in shape.items()}
    if isinstance(closed.get("properties"), dict) and closed.get("type") == "object":
        closed["additionalProperties"] = False
    if isinstance(closed.get("pattern"), str):
        closed["pattern"] = closed["pattern"].replace("\\Z", "$")
    return closed
