"""Tutorials and puzzles."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core.scene import Choice, Item, MovementTrace, Picture, SeatPanel
from bridgehead.server.messages.client import HouseRules
from bridgehead.server.messages.server import Actor, Sentence


class TutorialFrame(msgspec.Struct):
    """The board after an action of a tutorial."""

    items: Sequence[Item]
    plates: Sequence[SeatPanel]
    actor: Actor
    last: list[str]
    traces: list[MovementTrace]
    sentence: Sentence


class TutorialStep(msgspec.Struct):
    """A step: its text and frames, the actions that may be tried, and the answer to each (by action)."""

    text: Sentence
    show: Sequence[str]
    frames: list[TutorialFrame]
    choices: Sequence[Choice] | UnsetType = UNSET
    buttons: dict[str, str] | UnsetType = UNSET
    hint: Sentence | UnsetType = UNSET
    after: Sentence | UnsetType = UNSET
    right: dict[str, TutorialFrame] | UnsetType = UNSET
    wrong: dict[str, Sentence] | UnsetType = UNSET


class FirstGame(msgspec.Struct):
    """The game to offer at the end of a tutorial, by the rules as written: `preset` is "".

    recommended: the preset for somebody who has chosen it before, if it was measured for such a game; else "".
    """

    preset: str
    recommended: str
    options: HouseRules
    level: str
    seats: int


class TutorialView(msgspec.Struct):
    """A whole tutorial."""

    game: str
    title: str
    seat: int
    picture: Picture
    steps: list[TutorialStep]
    first: FirstGame


class PuzzleEntry(msgspec.Struct):
    """A puzzle in a list: its name, the number that it had up to version 0.2.0 (0: none), and the weakest level that finds it.

    ideas: what there is to find; rules: "original", "recommended", by which it holds; actions: the number of actions to find.
    """

    name: str
    number: int
    level: str
    ideas: Sequence[str]
    rules: Sequence[str]
    actions: int


class PuzzleList(msgspec.Struct):
    """All puzzles of a game, the easiest first."""

    game: str
    title: str
    puzzles: list[PuzzleEntry]


class PuzzleView(msgspec.Struct):
    """A puzzle: its place from 1 among all of the game, who acts, the weakest level that finds the action, and the first step.

    is_next: the number that was asked for has no puzzle any more, and this is the next. more: further steps, each of which
    begins with what others replied.
    """

    game: str
    title: str
    number: int
    of: int
    level: str
    seat: int
    picture: Picture
    step: TutorialStep
    name: str
    is_next: bool
    more: list[TutorialStep]
