"""The chain through a table's log: each event carries the hash of all before it, so that none can be changed unseen.

link_n = SHA-256(link_{n-1} || nonce || row), where link_0 stands for the table itself and row is the event's canonical
JSON. The nonce of an event keeps anybody from guessing what it says from its link.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence

from bridgehead.server.storage.event_log import Event

NONCE = 16  # bytes
DRAWN = 64  # nonces that are drawn at a time: to ask the system gives way to other threads, and has to wait for them
ROW = Event._fields.index("nonce")  # so many fields of an event are chained
quoted = json.encoder.encode_basestring


def first(table: str, body: str) -> bytes:
    """Where a table's chain begins: its id and what it was made with."""
    return hashlib.sha256(f"bridgehead table\n{table}\n{body}".encode()).digest()


def chained(head: bytes, events: Sequence[Event]) -> list[Event]:
    """New events with their nonces and links, after `head`."""
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

    head: the link of version `after`, which they follow.

    Events of files made before there was a chain have no link; once there is one, none may lack it.
    """
    begun = False
    for number, event in enumerate(events, start=after + 1):
        begun = begun or bool(event.link)
        if event.version != number or (begun and event.link != _link(head, event.nonce, event)):
            return number
        head = event.link or head
    return None


def row(event: Event) -> str:
    """What is chained of an event: its fields but the last two as JSON, without spaces and escapes that need not be.

    Written out, for a general encoder takes four times as long, at every move.
    """
    key, kind, by, body = quoted(event.key), quoted(event.kind), quoted(event.by), quoted(event.body)
    return f"[{event.version},{key},{kind},{event.actor},{event.action},{by},{event.time!r},{body}]"


def _link(head: bytes, nonce: bytes, event: Event) -> bytes:
    return hashlib.sha256(head + nonce + row(event).encode()).digest()
