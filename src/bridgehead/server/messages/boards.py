"""The board editor, and positions set up by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bridgehead.core.editing import Tool
from bridgehead.core.interface import OVER
from bridgehead.core.scene import Item, Picture, SeatPanel
from bridgehead.server.messages.client import HouseRules
from bridgehead.server.messages.server import Actor, Sentence
from bridgehead.server.messages.tables import GameWish


class Stroke(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/games/GAME/edit`: a board or the name of a starting board, a tool, and the ids that it touched."""

    board: Any = None
    start: Annotated[str, Meta(max_length=40)] = ""
    tool: Annotated[str, Meta(max_length=40)] = ""
    touch: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=4)] = []  # or what was typed: a list of cards


class SeatSteps(msgspec.Struct):
    """How far a seat starts from its goal; None where the game has no such measure. seat: the letter of its colour."""

    seat: str
    name: Sentence
    steps: int | None


class BoardSteps(msgspec.Struct):
    """The steps of each seat at the start of a game."""

    seats: list[SeatSteps]


class PrintWish(GameWish, forbid_unknown_fields=True):
    """A game to print: the body of `POST /api/prints`.

    how: `SheetWish` of bridgehead.printing, which checks its names and bounds; pictures: a ZIP of PNG sheets in place of a PDF.
    """

    how: dict[str, Any] = {}
    pictures: bool = False


class PositionDraft(msgspec.Struct, forbid_unknown_fields=True):
    """A position that people set up, as `Stroke.board`: house rules, and its text ("": the first position)."""

    rules: HouseRules = {}
    position: str = ""


class RemarkView(msgspec.Struct):
    """A sentence about a board in the editor, and the things to point at."""

    text: Sentence
    show: Sequence[str]


class EditedBoard(msgspec.Struct):
    """A board in the editor after a stroke."""

    board: Any
    picture: Picture
    items: Sequence[Item]
    tools: Sequence[Tool]
    no: RemarkView | None
    problems: list[RemarkView]
    rules: HouseRules
    sealed: bool
    starts: dict[str, Sentence]


class SetPosition(EditedBoard):
    """A position that people set up, after a stroke; `board` is {"rules": house rules, "position": text}.

    link: its record without actions, packed for the fragment of a link. It, the seat panels and the prompt are empty for a
    position that cannot occur. plain: its house rules in words.
    """

    title: str
    plain: Sentence
    link: str = ""
    plates: Sequence[SeatPanel] = ()
    actor: Actor = OVER
    turn: int = 0
    prompt: Sentence = ""


class RecordPosition(msgspec.Struct):
    """A position of a record, as the page that sets up positions takes it."""

    game: str
    rules: HouseRules
    position: str


class PositionPicture(msgspec.Struct):
    """A position as a picture, with the panel of its seats. notes: what its house rules change on an own board."""

    picture: Picture
    items: Sequence[Item]
    plates: Sequence[SeatPanel] = ()
    notes: Sequence[Sentence] = ()
