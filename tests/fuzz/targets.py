"""What reads a stranger's bytes: each target takes any bytes, and either reads them or raises an error that names the fault.

`make fuzz` looks for bytes that break a target; the corpus keeps them, and every `make test` tries them again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from bridgehead.core import link, record, registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.validation import ready
from bridgehead.fairness import proof, receipt
from bridgehead.server.http.board_editor import answer_stroke
from bridgehead.server.messages.client import decode_message
from bridgehead.server.messages.invitations import QrWish
from bridgehead.server.messages.tables import GameWish, MineWish, NewTable, TimesWish
from bridgehead.server.tables import event_bodies

CORPUS = Path(__file__).parent / "corpus"
REFUSED = (BridgeheadError, msgspec.DecodeError, RecursionError, UnicodeDecodeError)  # answered with a sentence
LONGEST = 20_000  # bytes of an input
BODIES = (
    MineWish,
    NewTable,
    QrWish,
    TimesWish,
    GameWish,
    event_bodies.RecordImported,
    event_bodies.EraSealed,
    event_bodies.MatchRewound,
)


def decoders(data: bytes) -> None:
    """Messages of pages, bodies of requests, bodies of stored events. What is read is written, and reads the same."""
    text = data.decode("utf-8", "replace")
    with contextlib.suppress(*REFUSED):
        message = decode_message(text)
        assert decode_message(msgspec.json.encode(message)) == message
    for kind in BODIES:
        with contextlib.suppress(*REFUSED):
            body = msgspec.json.decode(data, type=ready(kind))
            assert msgspec.json.decode(msgspec.json.encode(body), type=ready(kind)) == body


def records(data: bytes) -> None:
    """A record is written as it was read: the second reading gives the same match."""
    match, names = record.load(data.decode("utf-8", "replace"))
    again, called = record.load(record.dump(match, names))
    assert (again.game, again.actions, called) == (match.game, match.actions, names)


def links(data: bytes) -> None:
    """A packed match, or anything else that a page sends in place of one."""
    match, names = link.read(data.decode("utf-8", "replace"))
    again, called = link.read(link.pack(match, names))
    assert (again.game, again.actions, called) == (match.game, match.actions, names)


def boards(data: bytes) -> None:
    """A stroke in the board editor: the first byte chooses the game, the rest is the request."""
    games = [spec.id for spec in registry.specs().values() if spec.is_editable]
    assert msgspec.json.decode(answer_stroke(games[data[0] % len(games)], data[1:], "en"))["picture"] if data else True


def proofs(data: bytes) -> None:
    """A proof of chance, or a receipt. Every finding has a sentence."""
    if receipt.is_one(data):
        _ = receipt.read(data).holds
    else:
        assert all(finding.what for finding in proof.verify(proof.read(data)))


TARGETS: dict[str, Callable[[bytes], None]] = {each.__name__: each for each in (decoders, records, links, boards, proofs)}


def holds(target: str, data: bytes) -> None:
    """Let a target read bytes. Errors: any that the server would not answer with a sentence."""
    with contextlib.suppress(*REFUSED):
        TARGETS[target](data)
