"""Every message of the tests is held against the written protocol: docs/lookup/protocol.schema.json."""

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema_rs

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs" / "lookup" / "protocol.schema.json").read_text("utf-8"))


@functools.cache
def _validator(side: str, tag: str) -> Any:
    """What checks one kind of message; `side`: "ClientMessage" or "ServerMessage"."""
    kinds = SCHEMA["$defs"][side]["discriminator"]["mapping"]
    assert tag in kinds, (
        f"{side.lower()}, but not written down: {tag!r} (server/messages/server.py or client.py; tools/protocol_schema.py)"
    )
    return jsonschema_rs.validator_for({"$ref": kinds[tag], "$defs": SCHEMA["$defs"]})


def is_in_protocol(side: str, message: Any) -> Any:
    """The message itself, if it is one that this side may send. Errors: AssertionError, with the place."""
    for wrong in _validator(side, message["t"]).iter_errors(message):
        place = ".".join(map(str, wrong.instance_path))
        raise AssertionError(
            f"{side.lower()} {message['t']}: {place}: {wrong.message} (server/messages/server.py; tools/protocol_schema.py)"
        )
    return message
