"""Records, step by step."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core.scene import Item, MovementTrace, Part, Picture, SeatPanel, Up
from bridgehead.server.messages.server import Actor, Sentence


class ItemChange(msgspec.Struct):
    """A new item (`scene.Item`), or the fields that have changed of the item with this id in the frame before."""

    id: str
    x: float | UnsetType = UNSET
    y: float | UnsetType = UNSET
    parts: tuple[Part, ...] | UnsetType = UNSET
    seat: str | UnsetType = UNSET
    cls: str | UnsetType = UNSET
    label: str | UnsetType = UNSET
    at: str | UnsetType = UNSET
    r: float | UnsetType = UNSET
    z: int | UnsetType = UNSET
    glyph: str | UnsetType = UNSET
    up: Up | None | UnsetType = UNSET


class ReplayPatch(msgspec.Struct):
    """The difference between the items of two frames, as in a view's patch; changed items have only the fields that changed."""

    gone: list[str]
    put: list[tuple[int, ItemChange]]


class ReplayFrame(msgspec.Struct):
    """A step of a record. Without `items` and `patch` the items stay as in the frame before, and so do the plates."""

    n: int
    turn: int
    actor: Actor
    text: str
    sentence: str
    prompt: Sentence
    traces: list[MovementTrace]
    last: list[str]
    items: Sequence[Item] | UnsetType = UNSET
    patch: ReplayPatch | UnsetType = UNSET
    plates: Sequence[SeatPanel] | UnsetType = UNSET


class RecordNote(msgspec.Struct):
    """A note in a record: the number of actions before it, and its sentence."""

    at: int
    text: Sentence


class ReplayHead(msgspec.Struct):
    """A record, without its steps.

    pieces: the first frames of its pieces; length: the number of frames; turns: each turn with its first frame; over: has the
    game ended?
    """

    game: str
    title: str
    picture: Picture
    names: list[str]
    plates0: Sequence[SeatPanel]
    link: str
    record: str
    notes: list[RecordNote]
    pieces: list[int]
    length: int
    turns: list[tuple[int, int]]
    over: bool


class Replay(ReplayHead):
    """A record step by step, or its first piece. Frame 0 is the start and has all items and plates."""

    frames: list[ReplayFrame]


class ReplayPiece(msgspec.Struct):
    """A later piece of a record. Its first frame has all items and plates."""

    frames: list[ReplayFrame]


class RecordLink(msgspec.Struct):
    """A match packed for the fragment of a link."""

    link: str
