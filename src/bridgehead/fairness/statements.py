"""Signed statements of a server, and the files that carry them. Two contradictory statements prove that it cheated."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from bridgehead.core.errors import RecordError
from bridgehead.core.validation import ready
from bridgehead.fairness import bgf1, bgf2, signatures

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
GameId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Signature = Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]
Number = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Seat = Annotated[int, Meta(ge=0, le=254)]
KEPT: Literal["bgf2 kept"] = "bgf2 kept"


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An era's row in the server's public list, and the server's signature of it. before: the link of the row before it."""

    n: Annotated[int, Meta(ge=1, le=2**32 - 1)]
    before: Hash
    link: Hash
    signature: Signature

    def follows(self, game_id: bytes, number: int, transcript: bytes) -> bool:
        """Is it the row of this era?"""
        row = game_id + bgf1.u32(number)
        return bgf2.list_link(bytes.fromhex(self.before), self.n, row, transcript).hex() == self.link


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that the server signed: the transcript of an era (`gid`, number), or the link of a row of its list (number)."""

    kind: Literal["era", "list"]
    gid: Annotated[str, Meta(pattern="^([0-9a-f]{32})?$")]
    number: Number
    value: Hash
    signature: Signature

    def holds(self, server: str) -> bool:
        """Did this key sign it?"""
        value = bytes.fromhex(self.value)
        era = bgf2.era_statement(bytes.fromhex(self.gid), self.number, value)
        text = era if self.kind == "era" else bgf2.list_statement(self.number, value)
        return signatures.verify(bytes.fromhex(server), text, bytes.fromhex(self.signature))


class KeptEra(msgspec.Struct, frozen=True):
    """An era as a client saw it frozen. mine: the seats that it had sealed."""

    number: Number
    transcript: Hash
    mine: list[Seat] = []
    signature: str = ""
    listed: Listed | None = None


class KeptDraw(msgspec.Struct, frozen=True):
    """A draw as a client saw it."""

    index: Number
    era: Number
    e: Number
    key: Hash
    links: list[tuple[Seat, Hash]]
    defaults: list[Seat]
    weights: list[int]
    outcome: int
    name: str


class SignedHead(msgspec.Struct, frozen=True):
    """A signed head of the public list."""

    n: Number
    link: Hash
    signature: str = ""


class Alarm(msgspec.Struct, frozen=True):
    """A contradiction that a client found. key: its name in docs/understand/fairness.md; n: of the draw, from 1; 0 if none."""

    key: str
    n: int
    era: int
    text: str
    time: float


class Kept(msgspec.Struct, frozen=True):
    """Everything that a client kept of a table, for later comparison. It holds no secret."""

    protocol: Literal["bgf2 kept"]
    table: str
    gid: GameId
    server: Hash
    whole: bool = False
    eras: list[KeptEra] = []
    draws: list[KeptDraw] = []
    heads: list[SignedHead] = []
    alarms: list[Alarm] = []
    statements: list[Statement] = []
    claims: list[Any] = []


class Contradiction(msgspec.Struct, frozen=True):
    """Two signed statements of one server about one thing."""

    server: str
    first: Statement
    second: Statement


def read(data: bytes) -> Kept:
    """What a client kept, from its file. Errors: RecordError."""
    try:
        return msgspec.json.decode(data, type=ready(Kept))
    except (msgspec.DecodeError, json.JSONDecodeError, RecursionError) as error:
        raise RecordError("fairness:error.not_kept", error=error) from None


def is_kept(data: bytes) -> bool:
    """Does a file claim to be what a client kept?"""
    return KEPT.encode() in data[:200]


def of_kept(kept: Kept) -> Iterator[tuple[str, Statement]]:
    """The statements in a client's file, each with the key that should have signed it."""
    yield from ((kept.server, statement) for statement in kept.statements)
    for era in kept.eras:
        yield from ((kept.server, each) for each in of_era(kept.gid, era.number, era.transcript, era.signature, era.listed))
    yield from ((kept.server, Statement("list", "", head.n, head.link, head.signature)) for head in kept.heads if head.signature)


def of_era(gid: str, number: int, transcript: str, signature: str, listed: Listed | None) -> Iterator[Statement]:
    """The statements about one era."""
    if signature:
        yield Statement("era", gid, number, transcript, signature)
    if listed:
        yield Statement("list", "", listed.n, listed.link, listed.signature)


def contradictions(statements: Iterable[tuple[str, Statement]]) -> list[Contradiction]:
    """Pairs of rightly signed statements by one key with the same kind, game and number, and different values."""
    first: dict[tuple[str, str, str, int], Statement] = {}
    pairs: dict[tuple[str, str, str, int], Contradiction] = {}
    for server, statement in statements:
        place = server, statement.kind, statement.gid, statement.number
        before = first.get(place)
        if before and (before.value == statement.value or place in pairs):
            continue
        if statement.holds(server):
            if before:
                pairs[place] = Contradiction(server, before, statement)
            else:
                first[place] = statement
    return list(pairs.values())
