"""What the server says: every message to the page, and every answer to a request. Each has its struct here.

docs/protocol.schema.json and /api/schema.json are made from these and from `protocol` (tools/protocol_schema.py), and the
tests hold everything that is said on either side against them: a new message or field is added here, and nowhere else.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.core.editing import Tool
from bridgehead.core.scene import Choice, Item, Picture, Plate, Trace
from bridgehead.server.told_chance import SealedTold

Version = Annotated[int, Meta(ge=0, description="events of the table so far")]
Sentence = Annotated[str, Meta(description="a sentence in the language of the hello")]
Clause = Annotated[str, Meta(description="a clause of the rulebook, or empty")]
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
    items: list[Item]
    log: list[Line]
    last: list[str]
    traces: list[Trace]
    undo: bool
    outcome: Ending | None
    picture: Picture | UnsetType = UNSET
    logFrom: int | UnsetType = UNSET
    buttons: dict[str, str] | UnsetType = UNSET
    choices: list[Choice] | UnsetType = UNSET
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
    code: Literal["stale", "illegal", "turn", "closed", "rate", "bad", "storage"]
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


class Bye(msgspec.Struct, tag="bye", tag_field="t"):
    """The conversation is over; then the socket closes."""

    code: Literal["hello", "table", "token", "game", "rate"]
    text: Sentence


class Pong(msgspec.Struct, tag="pong", tag_field="t"):
    """The answer to a ping."""

    n: int


Told = View | Lag | Ack | Rej | Because | Bye | Pong


# Answers to requests


class Made(msgspec.Struct):
    """A new table: its code, and the secret of each person's seat, told this once."""

    table: str
    tokens: list[str | None]
    watch: str
    base: str


class Trouble(msgspec.Struct):
    """What was wrong, and where."""

    error: Sentence
    where: str


class Checked(msgspec.Struct):
    """How house rules differ from the standard."""

    differences: dict[str, Any]


class Rule(msgspec.Struct):
    """One house rule that a game knows."""

    name: str
    default: Any
    allowed: str
    values: list[Any]
    description: str
    clause: str


class Listing(msgspec.Struct):
    """A game as the pages know it."""

    id: str
    title: str
    players: str
    line: str
    version: str
    livery: str
    seats: list[int]
    presets: dict[str, dict[str, Any]]
    editor: bool
    options: list[Rule]
    levels: list[str]


class Listings(msgspec.Struct):
    """All installed games."""

    games: list[Listing]


class Remark(msgspec.Struct):
    """A sentence about a board that is drawn, and the things it is about."""

    text: Sentence
    show: list[str]


class Sketch(msgspec.Struct):
    """A board that is drawn, after a stroke."""

    board: Any
    picture: Picture
    items: list[Item]
    tools: list[Tool]
    no: Remark | None
    problems: list[Remark]
    rules: dict[str, Any]
    sealed: bool
    starts: dict[str, Sentence]


class Drawn(msgspec.Struct):
    """A position as a picture."""

    picture: Picture
    items: list[Item]


class Frame(msgspec.Struct):
    """One step of a record."""

    n: int
    turn: int
    actor: Actor
    text: str
    sentence: str
    items: list[Item]
    plates: list[Plate]
    prompt: Sentence
    traces: list[Trace]
    last: list[str]


class Film(msgspec.Struct):
    """A record step by step; frame 0 is the start."""

    game: str
    title: str
    picture: Picture
    names: list[str]
    plates0: list[Plate]
    link: str
    record: str
    frames: list[Frame]


class Linked(msgspec.Struct):
    """A match packed for the fragment of a link."""

    link: str


class Reason(msgspec.Struct):
    """Why these things may not be touched."""

    text: Sentence
    clause: Clause
    show: list[str]


class Shown(msgspec.Struct):
    """The board after an action of a tutorial."""

    items: list[Item]
    plates: list[Plate]
    actor: Actor
    last: list[str]
    traces: list[Trace]
    sentence: Sentence


class TutorialStep(msgspec.Struct):
    """What is shown and said at a step, what may be touched, and what comes of it (by action)."""

    text: Sentence
    show: list[str]
    frames: list[Shown]
    choices: list[Choice] | UnsetType = UNSET
    buttons: dict[str, str] | UnsetType = UNSET
    hint: Sentence | UnsetType = UNSET
    after: Sentence | UnsetType = UNSET
    right: dict[str, Shown] | UnsetType = UNSET
    wrong: dict[str, Sentence] | UnsetType = UNSET


class FirstGame(msgspec.Struct):
    """The game to offer at the end of a tutorial."""

    options: dict[str, Any]
    level: str
    seats: int


class Tutorial(msgspec.Struct):
    """A whole tutorial."""

    game: str
    title: str
    seat: int
    picture: Picture
    steps: list[TutorialStep]
    first: FirstGame
