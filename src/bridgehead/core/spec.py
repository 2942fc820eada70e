"""The declaration of a game, and the parts in its folder, which are imported when first needed."""

# mypy: disable-error-code="type-abstract"
# (`part` makes a concrete class of the Protocol that it is given.)

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from bridgehead.core import defaults, interface
from bridgehead.core.clauses import Clause, Rulebook, load_rulebook
from bridgehead.core.evaluation import CANNOT_LOSE as CANNOT_LOSE
from bridgehead.core.evaluation import CANNOT_WIN as CANNOT_WIN
from bridgehead.core.evaluation import UNKNOWN as UNKNOWN
from bridgehead.core.evaluation import EvaluateModule
from bridgehead.core.interface import CHANCE as CHANCE
from bridgehead.core.interface import OVER as OVER
from bridgehead.core.parts import part
from bridgehead.core.phrases import ENGLISH, register

T = TypeVar("T")
# The parts that a game of one file may give there. The others have members of the same names.
IN_ONE_FILE = ("options", "state", "rules", "words", "scene", "progress", "evaluate", "observation", "symmetries")


def _part(kind: type[T], name: str, instead: str = "", **usual: Callable[[Spec], Any]) -> cached_property[T]:
    """The part in the module of that name; if the game has no such module, in the module `instead`. usual: makes defaults.

    Older rules take it from their own folder, if it is there.
    """

    def find_part(spec: Spec) -> T:
        if spec.is_one_file:
            own = importlib.import_module(spec.package) if name in IN_ONE_FILE else None
            return part(kind, own, **{member: partial(make, spec) for member, make in usual.items()})
        places = [f"{folder}{each}" for each in (name, instead) if each for folder in (spec.kept, "")]
        file = next((each for each in places if (spec.folder / f"{each.replace('.', '/')}.py").exists()), None)
        module = importlib.import_module(f"{spec.package}.{file}") if file else None
        return part(kind, module, **{member: partial(make, spec) for member, make in usual.items()})

    return cached_property(find_part)


@dataclass(frozen=True)
class Spec:
    """A game as its folder declares it.

    version: of the rules; it changes when positions, actions or results change. seats: fewest and most.
    players, line: the numbers of players and the game, each in one line, unless the catalogue has `game.players`, `game.line`.
    livery: letter of the colour of seat 0. rank: place on lists, low first; games of equal rank are sorted by title.
    older: versions of the rules that records may still have; the folder `rules_VERSION` has the modules that differ. kept: that
    folder with a dot, of older rules themselves (`of_rules`).

    A game may be one file: `folder` is that file then, `clauses` is its rulebook, and `sentences` are its words by language,
    {"en": {"prompt": "..."}}; its module has the members of all parts (`IN_ONE_FILE`).
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
    older: tuple[str, ...] = ()
    kept: str = ""
    clauses: tuple[Clause, ...] = ()
    sentences: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        of_clauses = {f"clause.{each.id}": each.text for each in self.clauses}
        english = {ENGLISH: {**of_clauses, **self.sentences.get(ENGLISH, {})}} if self.is_one_file else {}
        register(self.id, self.folder, {**self.sentences, **english})

    @property
    def is_one_file(self) -> bool:
        """Whether one module is the whole game."""
        return self.folder.suffix == ".py"

    # The parts in its folder, each imported when first needed.
    options = _part(
        interface.OptionsModule, "options", "rules", Options=lambda spec: defaults.seats_only(spec.seats, spec._first_clause())
    )
    """The house rules."""
    board = _part(interface.BoardModule, "board")
    """The board as data."""
    state = _part(interface.StateModule, "state", "rules")
    """The record that the rules read and write."""
    rules = _part(
        interface.RulesModule, "rules", weight=lambda spec: defaults.weight_of_one(),
        REFUSALS=lambda spec: defaults.one_refusal(spec._first_clause()),
    )  # fmt: skip
    """The compiled rules."""
    words = _part(defaults.DefaultWords, "words", "scene")
    """Notation, sentences and reasons."""
    text = _part(defaults.DefaultText, "text", "scene")
    """One line for a position."""
    scene = _part(defaults.DefaultScene, "scene")
    """The picture of a position on a screen."""
    progress = _part(interface.ProgressModule, "progress")
    """How far seats are, and what actions change, in words."""
    evaluate = _part(EvaluateModule, "evaluate", "rules", value=lambda spec: defaults.value_of_nothing())
    """The evaluation of positions."""
    observation = _part(interface.ObservationModule, "observation", observe=lambda spec: defaults.observe_of_record())
    """What a seat sees, for learning agents."""
    symmetries = _part(interface.SymmetriesModule, "symmetries")
    """Maps with which the rules commute."""
    editor = _part(interface.EditorModule, "editor")
    """The board editor. Errors: BridgeheadError where the game has none (`is_editable`)."""
    position_editor = _part(interface.PositionEditorModule, "position_editor")
    """Tools to set up positions."""
    components = _part(interface.ComponentsModule, "components")
    """The contents of the game's box. Errors: BridgeheadError where the game has none (`is_printable`)."""

    def of_rules(self, version: str) -> Spec | None:
        """The game under a version of its rules; None if that is not installed."""
        if version == self.version:
            return self
        return _older(self, version) if version in self.older else None

    @property
    def rules_id(self) -> str:
        """What names these rules to another process (`registry.open_game`): the id, and `@VERSION` for older rules."""
        return f"{self.id}@{self.version}" if self.kept else self.id

    def _first_clause(self) -> str:
        return next((clause.id for clause in self.rulebook.clauses), "")

    @property
    def rulebook(self) -> Rulebook:
        """The clauses of its rules. Older rules may have a rulebook of their own."""
        if self.is_one_file:
            return Rulebook(self.clauses)
        own = self.folder / self.kept.removesuffix(".")
        return load_rulebook(own if (own / "rulebook.toml").exists() else self.folder)

    @cached_property
    def is_evaluated(self) -> bool:
        """Whether the game has an evaluation of its own."""
        return self.evaluate.value is not defaults.value_of_nothing()

    @cached_property
    def is_editable(self) -> bool:
        """Whether people can draw boards, layouts or set-ups."""
        return (self.folder / "editor.py").exists()

    @cached_property
    def is_printable(self) -> bool:
        """Whether the game can be printed."""
        return (self.folder / "components.py").exists()

    @cached_property
    def showpiece(self) -> str:
        """The text of a position in the middle of a game under the standard rules; "" if the game gives none."""
        file = self.folder / "showpiece.txt"
        return file.read_text("utf-8").strip() if file.exists() else ""

    def __repr__(self) -> str:
        return f"<Spec {self.id} rules {self.version}, {self.seats[0]} to {self.seats[1]} seats>"

    def seat_letter(self, seat: int) -> str:
        """The seat's livery letter, as in the look: a, b, c…"""
        return chr(ord(self.livery) + seat)

    def __hash__(self) -> int:
        return hash((self.id, self.version))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Spec) and (self.id, self.version) == (other.id, other.version)


@cache
def _older(spec: Spec, version: str) -> Spec:
    """One object for each version, so that its modules are read once."""
    return replace(spec, version=version, older=(), kept=f"rules_{version}.")
