"""Studies, which are records with variations and comments, and the book of positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.core.remarks import DrawnShape
from bridgehead.core.scene import Choice, Face, Picture
from bridgehead.server.messages.server import Actor, Encoded, Sentence
from bridgehead.server.messages.tutorials import TutorialFrame


class StudyStroke(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/study` and of the requests below it: a record or a link, a place in it, and an edit.

    at: the number of actions, as `12`; in a variation as `12.0.3`; `last`. do: "" shows the place; the others edit. action: to
    play; text: the comment; touch: one field to circle, or two for an arrow, or what was touched; colour: of what is drawn, ""
    is green. fresh: the page has nothing yet.
    """

    record: Annotated[str, Meta(max_length=1_000_000)]
    at: Annotated[str, Meta(max_length=400)] = "last"
    do: Literal["", "play", "comment", "draw", "clear", "delete", "promote"] = ""
    action: Annotated[int, Meta(ge=0, lt=1 << 31)] = 0
    text: Annotated[str, Meta(max_length=20_000)] = ""
    touch: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=8)] = []
    colour: Literal["", "red", "blue", "yellow"] = ""
    fresh: bool = False


class BookWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/book`: a place in a record or a link, as in `StudyStroke`.

    players: whose actions count: "" everybody's; "person" people's; a level: its own and those of stronger ones.
    """

    record: Annotated[str, Meta(max_length=1_000_000)]
    at: Annotated[str, Meta(max_length=400)] = "last"
    players: Annotated[str, Meta(max_length=40)] = ""


class StudyStep(msgspec.Struct, omit_defaults=True):
    """An action in a study: the place after it, its text in notation, and what is said there. actor: -1 for chance."""

    path: str
    turn: int
    actor: Actor
    text: str
    comment: str = ""
    shapes: int = 0


class StudyLine(msgspec.Struct):
    """A line of play. start: the place at which a variation begins, "" for the main line."""

    start: str
    steps: list[StudyStep]


class StudyView(msgspec.Struct):
    """A place in a study: the board after its last action, what can be played, and what is said about it.

    names: of the seats, "" for one without. turn: the number of the turn that is played here. next: the places one action
    further. faces: the outcomes of chance, when it acts. tree: the main line, and each variation after the line that it departs
    from. record, tree: after an edit, and at first; picture: at first.
    """

    game: str
    title: str
    names: list[str]
    at: str
    frame: TutorialFrame
    prompt: Sentence
    turn: int
    comment: str
    shapes: list[DrawnShape]
    next: list[str]
    choices: Sequence[Choice] = ()
    buttons: dict[str, str] = {}
    faces: Encoded[list[Face]] | UnsetType = UNSET
    picture: Picture | UnsetType = UNSET
    record: str | UnsetType = UNSET
    tree: list[StudyLine] | UnsetType = UNSET


class StudyLinks(msgspec.Struct):
    """A study packed for the fragment of a link, and the way to a place in it; actions: of that way."""

    link: str
    way: str
    actions: int


class BookMove(msgspec.Struct):
    """An action that was played in a position. won, drawn: games of its seat; people: games of people; best: the strongest level.

    label: in notation; text: the sentence.
    """

    action: int
    label: str
    text: str
    count: int
    won: int
    drawn: int
    people: int
    best: str


class BookGame(msgspec.Struct):
    """A game in which a position occurred. at: actions before it; one of table and link is "".

    players: of each seat a level or "person"; result: a sentence.
    """

    table: str
    link: str
    at: int
    players: list[str]
    result: str


class BookPage(msgspec.Struct):
    """What the book of the host knows of a position. count: its games; decided: false where chance or nobody acts.

    games: the newest of those that everybody may see.
    """

    count: int
    decided: bool
    moves: list[BookMove]
    games: list[BookGame]
