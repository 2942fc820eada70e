"""What the server says on the socket: every message to the page has its struct here; answers to requests: `answers`.

docs/protocol.schema.json and /api/schema.json are made from these and from `protocol` (tools/protocol_schema.py), and the
tests hold everything that is said on either side against them: a new message or field is added here, and nowhere else.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.core.scene import Item, Picture, Trace
from bridgehead.server.messages.sealing import SealedTold

Version = Annotated[int, Meta(ge=0, description="events of the table so far")]
Sentence = Annotated[str, Meta(description="a sentence in the language of the hello")]
Clause = Annotated[str, Meta(description="a clause of the rulebook, or empty")]
Do = Literal["claim", "computer", "back", "substitute", "open", "leave", "revoke", "name"]
OthersDo = Literal["computer", "substitute", "open"]
Actor = Annotated[int, Meta(ge=-2, description="a seat; -1 chance; -2 the game is over")]


class SeatTold(msgspec.Struct):
    """A line in the strip of seats."""

    name: str
    letter: str
    seat: str
    kind: Literal["person", "computer"]
    level: str
    here: bool
    lines: list[str]
    late: bool | UnsetType = UNSET


class Asked(msgspec.Struct):
    """What is asked at a table: since which version, by whom, for whom, and whose answer is still wanted."""

    v: Version
    what: str
    seat: int
    seats: list[int]
    open: bool
    need: list[int]
    text: Sentence


class ClockTold(msgspec.Struct):
    """The clocks, right when the view was made: a reminder, or banks with what is left of each, in milliseconds."""

    running: int | None
    elapsed: int
    nudge: int | UnsetType = UNSET
    bank: int | UnsetType = UNSET
    increment: int | UnsetType = UNSET
    left: list[int] | UnsetType = UNSET


class Line(msgspec.Struct):
    """A line of the log: the turn from 1, who decided, what happened."""

    n: int
    actor: Actor
    text: Sentence


class Ending(msgspec.Struct):
    """How a game ended."""

    reason: str
    clause: Clause
    text: Sentence
    winners: list[int]


class Patch(msgspec.Struct):
    """How the things of the view before have changed: those gone, and those that changed or are new, with their places."""

    gone: list[str]
    put: Annotated[list[tuple[int, Item]], Meta(description="in the order of their places in the whole list")]


class Offer(msgspec.Struct):
    """A legal action as a screen offers it (`scene.Choice`); to a plain page no more than its id and its notation."""

    action: int
    text: str
    label: Sentence | UnsetType = UNSET
    path: list[str] | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    note: Sentence | UnsetType = UNSET
    first: bool | UnsetType = UNSET
    confirm: bool | UnsetType = UNSET


class View(msgspec.Struct, tag="view", tag_field="t"):
    """A table as one viewer sees it: after hello, and after every change."""

    v: Version
    since: Version
    moved: Version
    table: str
    game: str
    title: str
    rules: Sentence
    names: list[str]
    you: list[int]
    seats: list[SeatTold]
    actor: Actor
    prompt: Sentence
    thinking: bool
    log: list[Line]
    last: list[str]
    traces: list[Trace]
    undo: bool
    outcome: Ending | None
    mark: Annotated[str, Meta(description="belongs to `v`: proves that this version was told")]
    items: list[Item] | UnsetType = UNSET
    patch: Patch | UnsetType = UNSET
    picture: Picture | UnsetType = UNSET
    preparing: Annotated[bool | UnsetType, Meta(description="its computers get ready; they cannot think yet")] = UNSET
    hints: Annotated[bool | UnsetType, Meta(description="whoever is to act may ask for a hint")] = UNSET
    logFrom: int | UnsetType = UNSET
    buttons: dict[str, str] | UnsetType = UNSET
    choices: list[Offer] | UnsetType = UNSET
    may: list[str] | UnsetType = UNSET
    ask: Asked | UnsetType = UNSET
    paused: Sentence | UnsetType = UNSET
    clock: ClockTold | UnsetType = UNSET
    sealed: SealedTold | UnsetType = UNSET
    opened: Annotated[
        list[tuple[str, int, str]] | UnsetType, Meta(description="keys of chance events just dealt: game id, event, key")
    ] = UNSET


class Lag(msgspec.Struct, tag="lag", tag_field="t"):
    """To whose clock runs: send it back at once."""

    n: int


class Ack(msgspec.Struct, tag="ack", tag_field="t"):
    """Done, and in the log."""

    k: str
    v: Version


class Rej(msgspec.Struct, tag="rej", tag_field="t"):
    """Not done; nothing has changed."""

    k: str
    code: Literal["stale", "illegal", "turn", "closed", "rate", "bad", "storage", "internal"]
    text: Sentence
    clause: Clause
    show: list[str]
    v: Version


class Because(msgspec.Struct, tag="why", tag_field="t"):
    """Why these things may not be touched now."""

    k: str
    text: Sentence
    clause: Clause
    show: list[str]


class Advised(msgspec.Struct):
    """An action that a hint names: its notation, its words, what it comes to, and the win chance with it."""

    action: int
    text: str
    label: Sentence
    note: Sentence
    chance: Annotated[float, Meta(ge=0, le=1)]
    proven: bool


class Advice(msgspec.Struct, tag="hint", tag_field="t"):
    """A hint, asked for in the view of version `v`: how the seat stands, the best actions, why, what to look out for."""

    k: str
    v: Version
    seat: int
    chance: Annotated[float, Meta(ge=0, le=1)]
    standing: Sentence
    best: list[Advised]
    why: Sentence
    answer: Sentence
    threat: Sentence


class Bye(msgspec.Struct, tag="bye", tag_field="t"):
    """The conversation is over; then the socket closes. With `retry` come back by yourself, after so many milliseconds."""

    code: Literal["hello", "table", "token", "behind", "game", "rate", "restart"]
    text: Sentence
    retry: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    stray: list[int] | UnsetType = UNSET


class Pong(msgspec.Struct, tag="pong", tag_field="t"):
    """The answer to a ping."""

    n: int


class Vote(msgspec.Struct):
    """What some of the others want about a seat that is away: by whom, and how many it takes."""

    do: OthersDo
    level: str
    by: list[int]
    of: int


class Place(msgspec.Struct):
    """A seat as to its person: where they are, seconds since they went, what this page may do about it alone or with others."""

    state: Literal["here", "away", "left", "free", "computer"]
    away: int
    may: list[Do]
    ask: list[OthersDo]
    offer: bool
    votes: list[Vote]


class Mark(msgspec.Struct):
    """A line between those of the log: how many actions stand before it, in which turn, what it says."""

    at: int
    n: int
    text: Sentence


class People(msgspec.Struct, tag="people", tag_field="t"):
    """Who is there and what may be decided: after the first view, and after every change of it."""

    you: list[int]
    back: list[int]
    host: bool
    seats: list[Place]
    sides: list[int]
    listed: bool
    chat: bool
    watchers: bool
    hints: bool
    write: bool
    watching: int
    rematch: str
    carry: list[int]
    stray: list[int]
    levels: list[str]
    usual: str
    marks: list[Mark]
    webhook: str | UnsetType = UNSET
    hooks: bool | UnsetType = UNSET


class Link(msgspec.Struct, tag="link", tag_field="t"):
    """The secret of a seat, told to the one who asked for it, and to nobody else."""

    k: str
    seat: int
    do: Literal["claim", "substitute", "revoke"]
    token: str


class Words(msgspec.Struct):
    """Something said, by a seat or by a spectator (-1), to all or to a team: a text, or a quick reaction."""

    seat: Annotated[int, Meta(ge=-1)]
    time: int
    team: bool
    text: str | UnsetType = UNSET
    react: str | UnsetType = UNSET


class Heard(msgspec.Struct, tag="said", tag_field="t"):
    """What was said just now; with `all`, what was said lately, in place of what is shown."""

    lines: list[Words]
    all: bool | UnsetType = UNSET


class Pointed(msgspec.Struct, tag="point", tag_field="t"):
    """A seat shows a place on the board."""

    seat: int
    at: str


Told = View | Lag | Ack | Rej | Because | Advice | Bye | Pong | People | Link | Heard | Pointed
