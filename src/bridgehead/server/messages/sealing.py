"""What the server sends about sealed chance. docs/understand/fairness.md explains the terms."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

Hex = Annotated[str, Meta(pattern="^[0-9a-f]*$")]


class LinksWanted(msgspec.Struct):
    """A draw of level 2 that waits for links: the event, the seats, and the number of each seat's next link."""

    e: int
    seats: list[int]
    n: list[int]


class EraView(msgspec.Struct):
    """The public part of an era. seats: [source, head] of those that have sealed; links: [seat, number, value];
    defaults: [event, seat] of each missing answer."""

    gid: Hex
    root: Hex
    depth: int
    level: Annotated[int, Meta(ge=1, le=2)]
    seats: list[tuple[int, Hex] | None]
    transcript: Hex
    signature: Hex
    asked: LinksWanted | None
    defaults: list[tuple[int, int]]
    links: list[tuple[int, int, Hex]]


class SealedView(msgspec.Struct, kw_only=True):
    """The state of sealed chance at a table, and a sentence about its guarantee. Level 0: chance is not sealed."""

    level: Annotated[int, Meta(ge=0, le=2)]
    practice: bool
    text: str
    rules: Hex | UnsetType = UNSET
    server: Hex | UnsetType = UNSET
    waiting: list[int]
    eras: list[EraView]


class SealLogRow(msgspec.Struct):
    """A row of the seal log, the list of all eras that this server sealed."""

    n: int
    gid: Hex
    root: Hex
    link: Hex


class SealLogPage(msgspec.Struct):
    """A page of the seal log. server: the public key of the server's signatures."""

    entries: list[SealLogRow]
    page: int
    server: Hex
