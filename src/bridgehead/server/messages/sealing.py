"""What the server says of sealed chance: see `told`, and docs/fairness.md for what the words mean."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Hex = Annotated[str, Meta(pattern="^[0-9a-f]*$")]


class Wanted(msgspec.Struct):
    """A draw of level 2 that links are waited for: event, seats, the number of each one's next link."""

    e: int
    seats: list[int]
    n: list[int]


class EraTold(msgspec.Struct):
    """An era, as far as it may be told. seats: [source, head] of those that have sealed; links: [seat, number, value];
    defaults: [event, seat] of answers that did not come."""

    gid: Hex
    root: Hex
    depth: int
    level: Literal[1, 2]
    seats: list[tuple[int, Hex] | None]
    transcript: Hex
    signature: Hex
    asked: Wanted | None
    defaults: list[tuple[int, int]]
    links: list[tuple[int, int, Hex]]


class SealedTold(msgspec.Struct):
    """What is sealed at a table, and what that guarantees, in words; level 0: nothing is."""

    level: Literal[0, 1, 2]
    practice: bool
    text: str
    waiting: list[int]
    eras: list[EraTold]
    rules: Hex = ""
    server: Hex = ""


class Row(msgspec.Struct):
    """A row of the list of all that was ever sealed."""

    n: int
    gid: Hex
    root: Hex
    link: Hex


class Rows(msgspec.Struct):
    """A page of that list. server: the key by which the server signs."""

    entries: list[Row]
    page: int
    server: Hex


Proof = dict[str, Any]  # fairness/proof.py
