"""The messages on the socket as JSON schemas, made from the structs that decode and describe them: never written by hand.

`socket()` is docs/lookup/protocol.schema.json. `http.openapi` describes the requests.
"""

from __future__ import annotations

from typing import Any

import msgspec

from bridgehead.server.messages.client import ClientMessage
from bridgehead.server.messages.server import ServerMessage

Json = dict[str, Any]  # an object of a JSON schema
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def socket() -> Json:
    """All messages on the socket."""
    (of_pages, of_server), parts = components((ClientMessage, ServerMessage), "#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": "Bridgehead: messages on the socket /ws (docs/lookup/protocol.md)",
        "$defs": {"ClientMessage": of_pages, "ServerMessage": of_server, **parts},
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
    }


def components(kinds: tuple[Any, ...], reference: str) -> tuple[list[Any], Json]:
    """The schema of each type, and the named parts that these refer to."""
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
