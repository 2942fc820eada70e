"""What the server answers to requests: every answer has its struct here. /api/schema.json is made from these (`schema`)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core.editing import Tool
from bridgehead.core.scene import Choice, Item, Picture, Plate, Trace
from bridgehead.server.messages.server import Actor, Clause, Sentence


class Made(msgspec.Struct):
    """A new table: its code, the secrets of each person's seat and of the host, told this once."""

    table: str
    tokens: list[str | None]
    host: str
    watch: str
    base: str


class SeatListed(msgspec.Struct):
    """A seat of a table in the lobby."""

    letter: str
    name: str
    kind: Literal["person", "computer"]
    level: str
    free: bool
    left: bool


class TableListed(msgspec.Struct):
    """A table in the lobby; age: seconds for which it has been there."""

    table: str
    age: int
    game: str
    title: str
    begun: bool
    rules: dict[str, Sentence]
    seats: list[SeatListed]


class Lobby(msgspec.Struct):
    """The tables that their hosts have put on the list, the newest first."""

    tables: list[TableListed]


class TableKnown(msgspec.Struct):
    """How a table stands of which a browser holds seats: how many, whether one is to act, whether one may be taken back."""

    table: str
    title: str
    game: str
    prompt: Sentence
    over: bool
    turn: bool
    back: bool
    seats: int


class Known(msgspec.Struct):
    """Of the tables that were asked about, those that there are."""

    tables: list[TableKnown]


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
    usual: str


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


class Note(msgspec.Struct):
    """A line that is no action: how many actions stand before it, and what it says."""

    at: int
    text: Sentence


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
    notes: list[Note]


class StudyBegun(msgspec.Struct):
    """A game is being analysed: the key by which to ask for it."""

    key: str


class LabLight(msgspec.Struct):
    """One of the twelve questions of docs/lab.md, and how it looks so far."""

    number: int
    light: Literal["good", "watch", "bad", "unknown"]


class LabStudy(msgspec.Struct):
    """How far a study of house rules is: games, or what counts as much, of all; studies before it; the address of its report."""

    state: Literal["waiting", "playing", "done"]
    done: int
    of: int
    before: int
    lights: list[LabLight]
    report: str


class LabReport(msgspec.Struct):
    """A report that is kept: of what, in each language the house rules; when it was made (seconds of Unix); what it says.

    games: how many were played for it; 0 in reports of older versions, which do not say.
    """

    key: str
    game: str
    title: str
    rules: dict[str, str]
    made: int
    verdict: str
    lights: list[LabLight]
    games: int = 0


class LabReports(msgspec.Struct):
    """The reports of studies of house rules, the newest first."""

    reports: list[LabReport]


class StudySeat(msgspec.Struct):
    """A seat's game: luck and what its decisions gave away, in win chance."""

    seat: str
    letter: str
    name: str
    luck: float
    lost: float
    decisions: int


class StudyMoment(msgspec.Struct):
    """A key moment: before which action, what it was, what it changed."""

    at: int
    turn: int
    text: Sentence
    why: Sentence


class StudyWay(msgspec.Struct):
    """An action that was legal, and the win chance with it."""

    text: str
    label: Sentence
    chance: float
    chosen: bool


class StudyStep(msgspec.Struct):
    """One action: the luck of each seat, or what a decision gave away and what else could have been done."""

    turn: int
    actor: Actor
    luck: list[float] | UnsetType = UNSET
    lost: float | UnsetType = UNSET
    ways: list[StudyWay] | UnsetType = UNSET


class Study(msgspec.Struct):
    """An analysis: how many of its actions have been looked at; all the rest once it is whole."""

    done: int
    of: int
    title: Sentence | UnsetType = UNSET
    result: str | UnsetType = UNSET
    made: Sentence | UnsetType = UNSET
    words: dict[str, Sentence] | UnsetType = UNSET
    sides: list[int] | UnsetType = UNSET
    seats: list[StudySeat] | UnsetType = UNSET
    line: list[list[float]] | UnsetType = UNSET
    moments: list[StudyMoment] | UnsetType = UNSET
    steps: list[StudyStep] | UnsetType = UNSET


class SeatTimes(msgspec.Struct):
    """How long a seat's persons took: decisions, and the seconds within which half and nine of ten of them were made."""

    decisions: int
    half: float | None
    most: float | None


class TableTimes(msgspec.Struct):
    """How long each seat took."""

    seats: list[SeatTimes]


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
