"""What a game declares about itself, and the modules of its folder, imported when first needed."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from bridgehead.core.phrases import register

CHANCE = -1  # the actor is chance: the legal actions are its outcomes
OVER = -2  # nobody acts: the game has ended


@dataclass(frozen=True)
class Spec:
    """A game as its folder declares it.

    seats: fewest and most; livery: letter of seat 0 (Barricade starts at "b": black is the barricades');
    rank: place on lists, low first; equal ones stand by title. version: of the rules; moves only
    when behaviour moves. players, line: who can play, and the game in one sentence, where the catalogue does not say
    it (`game.players`, `game.line`).
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

    def _module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    @cached_property
    def options(self) -> ModuleType:
        """`Options`, `PRESETS`, `check(options, board)`."""
        return self._module("options")

    @cached_property
    def board(self) -> ModuleType:
        """`load(options)`: the board as data, checked."""
        return self._module("board")

    @cached_property
    def state(self) -> ModuleType:
        """`make_law(options, board)`, `state_dtype(law)`, `action_count(law)`, `max_legal(law)`."""
        return self._module("state")

    @cached_property
    def rules(self) -> ModuleType:
        """`setup`, `actor`, `legal`, `weight`, `apply`, `returns`, `refusal`, `REASONS`."""
        return self._module("rules")

    @cached_property
    def words(self) -> ModuleType:
        """`name`, `read`, `say`, `prompt`, `explain`, `facts`."""
        return self._module("words")

    @cached_property
    def text(self) -> ModuleType:
        """`dump(position)`, `load(game, text)`."""
        return self._module("text")

    @cached_property
    def scene(self) -> ModuleType:
        """`picture`, `items`, `plates`, `choices`, `traces`, `last`."""
        return self._module("scene")

    @cached_property
    def evaluate(self) -> ModuleType:
        """`value(state, law, seat)`: how good a position is for a seat, for one-ply players."""
        return self._module("evaluate")

    @cached_property
    def editor(self) -> Any:
        """`starts`, `read`, `tools`, `stroke`, `sketch`, `rules`, `named`; None where nothing is drawn."""
        return self._module("editor") if self.is_editable else None

    @cached_property
    def box(self) -> ModuleType:
        """`mat`, `things`, `needed`: what lies in the game's box; see `core.components`."""
        return self._module("components")

    @property
    def is_editable(self) -> bool:
        """Can boards, layouts or set-ups be drawn?"""
        return (self.folder / "editor.py").exists()

    @property
    def is_printable(self) -> bool:
        """Does the game say what lies in its box?"""
        return (self.folder / "components.py").exists()

    def seat_letter(self, seat: int) -> str:
        """The seat's livery letter, as in the look: a, b, c…"""
        return chr(ord(self.livery) + seat)

    def __hash__(self) -> int:
        return hash((self.id, self.version))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Spec) and (self.id, self.version) == (other.id, other.version)
