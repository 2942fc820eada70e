"""Hash chain of a table's log: each event holds a hash of all events before it, so a change does not go unnoticed.

link_n = SHA-256(link_{n-1} || nonce || row), where link_0 is made from the table itself and row is the event's canonical
JSON. The nonce prevents guessing an event from its link.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence

from bridgehead.server.storage.event_log import Event

NONCE = 16  # bytes
DRAWN = 64  # nonces drawn at a time, since drawing releases the interpreter's lock
ROW = Event._fields.index("nonce")  # the number of fields that are hashed
quoted = json.encoder.encode_basestring


def first(table: str, body: str) -> bytes:
    """The first link of a table, from its id and its body."""
    return hashlib.sha256(f"bridgehead table\n{table}\n{body}".encode()).digest()


def chained(head: bytes, events: Sequence[Event]) -> list[Event]:
    """New events with their nonces and links, after the link `head`."""
    made = []
    for event in events:
        try:
            nonce = _nonces.pop()
        except IndexError:
            nonce = _draw_nonces()
        head = _link(head, nonce, event)
        made.append(Event._make((*event[:ROW], nonce, head)))
    return made


_nonces: list[bytes] = []


def _draw_nonces() -> bytes:
    """Draw random bytes for the next nonces, and the first of them. Threads may call it at the same time."""
    drawn = secrets.token_bytes(NONCE * DRAWN)
    _nonces.extend(drawn[at : at + NONCE] for at in range(NONCE, len(drawn), NONCE))
    return drawn[:NONCE]


def broken(head: bytes, events: Sequence[Event], after: int = 0) -> int | None:
    """The version of the first event that does not follow from those before it; None if all do.

    head: the link of version `after`, before the first of these events. Logs of old releases begin with events without a
    link; after the first link every event must have one.
    """
    begun = False
    for number, event in enumerate(events, start=after + 1):
        begun = begun or bool(event.link)
        if event.version != number or (begun and event.link != _link(head, event.nonce, event)):
            return number
        head = event.link or head
    return None


def row(event: Event) -> str:
    """The hashed part of an event: all fields but the last two as JSON, without spaces or unnecessary escapes.

    It is written out here because a general encoder takes four times as long, at every move.
    """
    key, kind, by, body = quoted(event.key), quoted(event.kind), quoted(event.by), quoted(event.body)
    return f"[{event.version},{key},{kind},{event.actor},{event.action},{by},{event.time!r},{body}]"


def _link(head: bytes, nonce: bytes, event: Event) -> bytes:
    return hashlib.sha256(head + nonce + row(event).encode()).digest()
