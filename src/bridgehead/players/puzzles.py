"""Puzzles: positions in which one action is best, by proof or by a wide margin, found in games between computer players.

The puzzles of a game are in `puzzles.txt` in its folder, one a line as JSON; `workshop.puzzles` makes them.
"""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta

from bridgehead.core import registry
from bridgehead.core.errors import RecordError, convert_error
from bridgehead.core.game import Position
from bridgehead.core.match import Match
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready
from bridgehead.players.levels import NAMES

FILE = "puzzles.txt"

Kind = Literal["win", "hold", "best"]
Idea = Literal["gate", "sacrifice", "trade", "capture", "block", "threat", "defence", "race"]
IDEAS: tuple[Idea, ...] = get_args(Idea)
Rules = Literal["original", "recommended"]
NUMBERED = 500  # puzzles of each game that had numbers, up to version 0.2.0
LETTERS = "bcdfghjkmnpqrstvwxz"  # of names, which are no words and no numbers


class Followup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A further action of a puzzle's line, in notation. replies: of other sides, after the action before.

    chance, other, rival: as of the puzzle.
    """

    best: str
    chance: Annotated[float, Meta(ge=0, le=1)]
    other: Annotated[float, Meta(ge=0, le=1)]
    replies: list[str] = []
    rival: list[str] = []


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A puzzle. position: its text; options: house rules that differ from the standard; best: the action, in notation.

    kind: it wins; all others lose; or it is simply better. chance, other: win chances after the best action and after the next
    one; grade: the index of the weakest level that finds the action, 8 if none does. number: what it had up to version 0.2.0, 0
    if it is newer. ideas: what there is to find, the rarest first; rules: by which the action is best. rival: the second best
    action, and what another side answers. line: what is to be found after the action.
    """

    position: str
    best: str
    kind: Kind
    chance: Annotated[float, Meta(ge=0, le=1)]
    other: Annotated[float, Meta(ge=0, le=1)]
    grade: Annotated[int, Meta(ge=0, le=len(NAMES))]
    options: dict[str, Any] = {}
    number: Annotated[int, Meta(ge=0, le=NUMBERED)] = 0
    ideas: list[Idea] = []
    rules: list[Rules] = []
    rival: list[str] = []
    line: list[Followup] = []

    @property
    def name(self) -> str:
        """The puzzle's name on pages: it follows from the position, the action and the house rules."""
        content = json.dumps([self.position, self.best, self.options], sort_keys=True).encode()
        number = int.from_bytes(hashlib.sha256(content).digest()[:8])
        return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(6))

    @property
    def level(self) -> str:
        """The weakest level that finds the action, "" if none does."""
        return NAMES[self.grade] if self.grade < len(NAMES) else ""


class Posed(NamedTuple):
    """A puzzle on the board: its position, and the action to find."""

    puzzle: Puzzle
    position: Position
    action: int


class Stage(NamedTuple):
    """An own action of a puzzle: what is asked, where, and the action to find. replies: of others, before it."""

    puzzle: Puzzle
    asked: Puzzle | Followup
    position: Position
    action: int
    replies: Match


@functools.cache
def puzzles(spec: Spec) -> tuple[Puzzle, ...]:
    """The puzzles that come with a game, the easiest first. Errors: RecordError for a damaged file."""
    file = spec.folder / FILE
    return tuple(sorted(read(file), key=lambda each: each.grade)) if file.exists() else ()


class FoundPuzzle(NamedTuple):
    """The puzzle that a page asked for, or the next one if that is no longer among them. place: from 1."""

    puzzle: Puzzle
    place: int
    is_next: bool


def find_puzzle(spec: Spec, asked: str) -> FoundPuzzle | None:
    """The puzzle of a name, or of the number that it had up to version 0.2.0; None if there was none."""
    known = puzzles(spec)
    order = sorted((each.number, place) for place, each in enumerate(known, 1) if each.number)
    digits = asked.lstrip("0") if asked.isascii() and asked.isdigit() else ""
    if order and 0 < len(digits) <= len(str(NUMBERED)) and int(digits) <= NUMBERED:
        number, place = next((each for each in order if each[0] >= int(digits)), order[0])
        return FoundPuzzle(known[place - 1], place, number != int(digits))
    place = next((place for place, each in enumerate(known, 1) if each.name == asked), 0)
    return FoundPuzzle(known[place - 1], place, False) if place else None


def read(file: Path) -> list[Puzzle]:
    """The puzzles of a file. Errors: RecordError, with the line."""
    decode, found = msgspec.json.Decoder(ready(Puzzle)).decode, []
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        try:
            found.append(decode(line))
        except msgspec.DecodeError as error:
            raise RecordError(convert_error(error).whole, f"{file}:{number}") from None
    return found


def pose_puzzle(spec: Spec, puzzle: Puzzle) -> Posed:
    """The puzzle on the board. Errors: BridgeheadError if the rules do not allow it."""
    position = registry.open_game(spec.rules_id, json.dumps(puzzle.options)).load(puzzle.position)
    action = position.read(puzzle.best)
    position.play(action)
    return Posed(puzzle, position, action)


def unfold_line(posed: Posed) -> list[Stage]:
    """All own actions of a puzzle, in their order. Errors: BridgeheadError if the rules do not allow one."""
    puzzle, position, action = posed
    stages = [Stage(puzzle, puzzle, position, action, Match(position.game, start=position))]
    for each in puzzle.line:
        replies = Match(position.game, start=position.play(action))
        for reply in each.replies:
            replies.play(replies.position.read(reply))
        position = replies.position
        action = position.read(each.best)
        position.play(action)
        stages.append(Stage(puzzle, each, position, action, replies))
    return stages


def format_puzzle(puzzle: Puzzle) -> str:
    """A puzzle as a line of a file."""
    return msgspec.json.encode(puzzle).decode()
