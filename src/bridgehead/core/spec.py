"""The declaration of a game, and the parts in its folder, which are imported when first needed."""

# mypy: disable-error-code="type-abstract"
# (`part` makes a concrete class of the Protocol that it is given.)

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from bridgehead.core.clauses import rulebook
from bridgehead.core.interface import CHANCE as CHANCE
from bridgehead.core.interface import OVER as OVER
from bridgehead.core.interface import (
    Board,
    Components,
    Editor,
    Evaluate,
    House,
    Options,
    Rules,
    Scene,
    State,
    Text,
    Words,
    one_refusal,
    part,
    seats_only,
    value_of_nothing,
    weight_of_one,
)
from bridgehead.core.phrases import register

T = TypeVar("T")


@dataclass(frozen=True)
class Spec:
    """A game as its folder declares it.

    version: of the rules; it changes when positions, actions or results change. seats: fewest and most.
    players, line: the numbers of players and the game, each in one line, unless the catalogue has `game.players`, `game.line`.
    livery: letter of the colour of seat 0. rank: place on lists, low first; games of equal rank are sorted by title.
    """

    id: str
    title: str
    version: str
    seats: tuple[int, int]
    package: str
    folder: Path
    players: str = ""
    line: str = ""
    livery: str = "a"
    rank: int = 9

    def __post_init__(self) -> None:
        register(self.id, self.folder)

    def _part(self, kind: type[T], name: str, instead: str = "", **usual: Callable[[], Any]) -> T:
        """The part in the module of that name; if the game has no such module, in the module `instead`."""
        file = next((each for each in (name, instead) if each and (self.folder / f"{each}.py").exists()), None)
        return part(kind, importlib.import_module(f"{self.package}.{file}") if file else None, **usual)

    @cached_property
    def options(self) -> Options:
        """The house rules."""
        return self._part(Options, "options", "rules", Options=self._seats_only)

    def _seats_only(self) -> type[House]:
        return seats_only(self.seats, self._first_clause())

    def _first_clause(self) -> str:
        return next((clause.id for clause in rulebook(self.folder).clauses), "")

    @cached_property
    def board(self) -> Board:
        """The board as data."""
        return self._part(Board, "board")

    @cached_property
    def state(self) -> State:
        """The record that the rules read and write."""
        return self._part(State, "state", "rules")

    @cached_property
    def rules(self) -> Rules:
        """The compiled rules."""
        return self._part(Rules, "rules", weight=weight_of_one, REFUSALS=lambda: one_refusal(self._first_clause()))

    @cached_property
    def words(self) -> Words:
        """Notation, sentences and reasons."""
        return self._part(Words, "words", "scene")

    @cached_property
    def text(self) -> Text:
        """One line for a position."""
        return self._part(Text, "text", "scene")

    @cached_property
    def scene(self) -> Scene:
        """The picture of a position on a screen."""
        return self._part(Scene, "scene")

    @cached_property
    def evaluate(self) -> Evaluate:
        """The evaluation of positions."""
        return self._part(Evaluate, "evaluate", "rules", value=value_of_nothing)

    @cached_property
    def editor(self) -> Editor:
        """The board editor. Errors: BridgeheadError where the game has none (`is_editable`)."""
        return self._part(Editor, "editor")

    @cached_property
    def components(self) -> Components:
        """The contents of the game's box. Errors: BridgeheadError where the game has none (`is_printable`)."""
        return self._part(Components, "components")

    @cached_property
    def is_evaluated(self) -> bool:
        """Whether the game has an evaluation of its own."""
        return self.evaluate.value is not value_of_nothing()

    @cached_property
    def is_editable(self) -> bool:
        """Whether people can draw boards, layouts or set-ups."""
        return (self.folder / "editor.py").exists()

    @cached_property
    def is_printable(self) -> bool:
        """Whether the game can be printed."""
        return (self.folder / "components.py").exists()

    def seat_letter(self, seat: int) -> str:
        """The seat's livery letter, as in the look: a, b, c…"""
        return chr(ord(self.livery) + seat)

    def __hash__(self) -> int:
        return hash((self.id, self.version))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Spec) and (self.id, self.version) == (other.id, other.version)
