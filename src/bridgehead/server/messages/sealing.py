"""What the server sends about sealed chance. docs/understand/fairness.md explains the terms."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.fairness.rules_terms import RulesTerms
from bridgehead.fairness.statements import Listed, SignedHead

Hex = Annotated[str, Meta(pattern="^[0-9a-f]*$")]


class LinksWanted(msgspec.Struct):
    """A draw of level 2 that waits for links: the event, its contributors in order, and those without an answer."""

    e: int
    seats: list[int]
    missing: list[int]


class EraView(msgspec.Struct):
    """The public part of an era. first: number of the match's chance event that is event 0 of the era, once it is frozen;
    seats: [source, head] of those that have sealed; unopened: seats that have not revealed their first link; opening: the
    first link of each seat, once all are there."""

    number: int
    first: int
    depth: int
    level: Annotated[int, Meta(ge=1, le=2)]
    rule: str
    rules: Hex
    root: Hex
    seats: list[tuple[int, Hex] | None]
    transcript: Hex
    signature: Hex
    listed: Listed | None
    unopened: list[int]
    opening: list[Hex]
    asked: LinksWanted | None


class SealedView(msgspec.Struct, kw_only=True):
    """The state of sealed chance at a table, and a sentence about its guarantee. Level 0: chance is not sealed.

    rules: what the transcripts bind by their rules hash, so that a client can follow the record; absent while house rules are
    concealed. start: the position before the first action, in the game's notation; "" for the usual one.
    """

    level: Annotated[int, Meta(ge=0, le=2)]
    practice: bool
    text: str
    gid: Hex | UnsetType = UNSET
    server: Hex | UnsetType = UNSET
    rules: RulesTerms | UnsetType = UNSET
    start: str | UnsetType = UNSET
    waiting: list[int]
    eras: list[EraView]


class DrawView(msgspec.Struct):
    """A draw with everything that proves it. at: the number of its line in the log; index: of the match's chance events;
    outcome: an index into weights; name: its notation."""

    at: int
    index: int
    era: int
    e: int
    key: Hex
    path: list[Hex]
    links: list[tuple[int, Hex]]
    defaults: list[int]
    weights: list[int]
    outcome: int
    name: str


class SealLogRow(msgspec.Struct):
    """A row of the seal log, the list of all eras that this server froze."""

    n: int
    gid: Hex
    root: Hex
    link: Hex


class SealLogPage(msgspec.Struct):
    """A page of the seal log. server: the public key of the server's signatures; head: the newest row, signed."""

    entries: list[SealLogRow]
    page: int
    server: Hex
    head: SignedHead | None
