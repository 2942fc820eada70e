"""A game with its house rules fixed: what starts positions and knows the words for them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from bridgehead.core import options as house
from bridgehead.core.caching import once
from bridgehead.core.clauses import Rulebook, rulebook
from bridgehead.core.law import as_records, quick
from bridgehead.core.phrases import Catalogue, Phrase, catalogue
from bridgehead.core.position import Position
from bridgehead.core.spec import Spec


class Game:
    """One game under certain house rules.

    Two games are equal when game, rules version and options are. Errors: OptionError, BoardError on construction.
    law: the law of just these options, where it has been made already (`law.parcel`).
    """

    def __init__(self, spec: Spec, options: Any, law: Any = None) -> None:
        self.spec = spec
        self.options = options
        self.board = spec.board.load(options)
        spec.options.check(options, self.board)
        self.law = spec.state.make_law(options, self.board) if law is None else law
        self.dtype: np.dtype[Any] = spec.state.state_dtype(self.law)
        self.action_count: int = spec.state.action_count(self.law)
        self.max_legal: int = spec.state.max_legal(self.law)
        self.key = (spec.id, spec.version, house.canonical(options))
        self.kept: dict[Any, Any] = {}  # see `keeping`

    @property
    def seats(self) -> int:
        """How many seats play; the options know."""
        return int(self.options.seats)

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat: seats of one number win together."""
        told = getattr(self.spec.options, "sides", None)
        return tuple(int(side) for side in told(self.options)) if told else tuple(range(self.seats))

    @once
    def has_two_sides(self) -> bool:
        """Do exactly two sides play, so that what one loses the other wins?"""
        return len(set(self.sides)) == 2

    @property
    def differences(self) -> dict[str, Any]:
        """House rules that differ from the standard."""
        return house.differences(self.options)

    @once
    def quick_law(self) -> Any:
        """The law as the rules are given it at every move."""
        return quick(self.law)

    @cached_property
    def words(self) -> Catalogue:
        """The game's sentences in all languages."""
        return catalogue(self.spec.folder)

    def named(self, phrase: Phrase) -> Phrase:
        """A phrase of the game as one that is found from everywhere: its key is "GAME:KEY"."""
        return Phrase(f"{self.spec.id}:{phrase.key}", phrase.params)

    @cached_property
    def rulebook(self) -> Rulebook:
        """Every clause of the game."""
        return rulebook(self.spec.folder)

    def start(self) -> Position:
        """The first position (its actor may be chance, where the first seat is drawn)."""
        states = self.new_states(1)
        self.spec.rules.setup(states[0], self.quick_law)
        return Position(self, states)

    def load(self, text: str) -> Position:
        """The position of a one-line text made by `Position.text`. Errors: PositionError, with the reason."""
        return Position(self, self.spec.text.load(self, text))

    def new_states(self, count: int) -> np.ndarray[Any, Any]:
        """`count` blank states, as one array of records."""
        return np.zeros(count, self._records)

    @cached_property
    def _records(self) -> np.dtype[Any]:
        return as_records(self.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from bridgehead.core import registry

        return registry.again, self.key

    def __repr__(self) -> str:
        return f"<Game {self.spec.id} rules {self.spec.version} {self.key[2]}>"
