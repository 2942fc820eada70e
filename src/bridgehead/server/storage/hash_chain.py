"""Hash chain through a table's log: each event has a hash of all events before it, so every later change is detected.

link_n = SHA-256(link_{n-1} || nonce || row). link_0 is the hash of the table itself; row is the canonical JSON of the event.
The nonce makes it impossible to guess an event from its link.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence

from bridgehead.server.storage.event_log import Event

NONCE = 16  # bytes
DRAWN = 64  # nonces drawn at once; each system call releases the interpreter lock and waits to acquire it again
ROW = Event._fields.index("nonce")  # number of chained fields
quoted = json.encoder.encode_basestring


def first_link(table: str, body: str) -> bytes:
    """The first link of a chain: the hash of the table's id and body."""
    return hashlib.sha256(f"bridgehead table\n{table}\n{body}".encode()).digest()


def chain_events(head: bytes, events: Sequence[Event]) -> list[Event]:
    """New events with nonces and links, after the link `head`."""
    made = []
    for event in events:
        try:
            nonce = _nonces.pop()
        except IndexError:
            nonce = _draw_nonces()
        head = hashlib.sha256(head + nonce + row(event).encode()).digest()
        made.append(Event._make((*event[:ROW], nonce, head)))
    return made


_nonces: list[bytes] = []


def _draw_nonces() -> bytes:
    """Draw random bytes for the next nonces, and the first of them. Threads may call it at the same time."""
    drawn = secrets.token_bytes(NONCE * DRAWN)
    _nonces.extend(drawn[at : at + NONCE] for at in range(NONCE, len(drawn), NONCE))
    return drawn[:NONCE]


def find_broken_link(head: bytes, events: Sequence[Event], after: int = 0) -> int | None:
    """The version of the first event whose link is wrong; None if all are right.

    head: the link of version `after`, before the first event. The first events of old files have no links. After the first
    event with a link, every event needs one. Values that cannot be hashed, in a damaged file, are wrong.
    """
    begun = False
    for number, event in enumerate(events, start=after + 1):
        begun = begun or bool(event.link)
        try:
            link = hashlib.sha256(head + event.nonce + row(event).encode()).digest() if begun else b""
        except (TypeError, ValueError):
            return number
        if event.version != number or event.link != link:
            return number
        head = event.link or head
    return None


def row(event: Event) -> str:
    """The chained fields of an event (all but the last two) as JSON without spaces and needless escapes.

    Written by hand, because a general encoder takes four times as long at every move.
    """
    key, kind, by, body = quoted(event.key), quoted(event.kind), quoted(event.by), quoted(event.body)
    return f"[{event.version},{key},{kind},{event.actor},{event.action},{by},{event.time!r},{body}]"
