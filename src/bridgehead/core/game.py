"""A game with its house rules fixed, and its positions: immutable values with legal actions, outcome and words."""

from __future__ import annotations

import functools
import importlib
import json
from functools import cached_property
from typing import Any

import numpy as np

from bridgehead.core import options as house
from bridgehead.core.caching import Value, once
from bridgehead.core.clauses import Refusal, RefusalCode, Rulebook, rulebook
from bridgehead.core.ending import Outcome
from bridgehead.core.errors import BridgeheadError, IllegalAction, NotationError
from bridgehead.core.jit import COMPILED
from bridgehead.core.law import as_records, check_names, quick
from bridgehead.core.phrases import Catalogue, Phrase, catalogue
from bridgehead.core.spec import CHANCE, OVER, Spec


class Game(Value):
    """One game under certain house rules.

    Two games are equal if their spec, rules version and options are. Errors: OptionError, BoardError on construction.
    law: the law (house rules and board tables) of these options, if it was made before (`law.parcel`).
    """

    def __init__(self, spec: Spec, options: Any, law: Any = None) -> None:
        self.spec = spec
        self.options = options
        self.board = spec.board.load(options)
        spec.options.check(options, self.board)
        self.law = spec.state.make_law(options, self.board) if law is None else law
        self.dtype: np.dtype[Any] = spec.state.state_dtype(self.law)
        check_names(self.dtype, "state")
        if lacking := [name for name in ("turns", "reason") if name not in (self.dtype.names or ())]:
            raise BridgeheadError("error.game_lacks", "state_dtype", members=", ".join(lacking))
        self.action_count: int = spec.state.action_count(self.law)
        self.max_legal: int = spec.state.max_legal(self.law)
        self.key = (spec.id, spec.version, house.canonical(options))
        self.kept: dict[Any, Any] = {}  # see `caching`

    @property
    def seats(self) -> int:
        """The number of seats, from the options."""
        return int(self.options.seats)

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat: seats with the same number win together."""
        return tuple(int(side) for side in self.spec.options.sides(self.options))

    @once
    def has_two_sides(self) -> bool:
        """Whether exactly two sides play: then one side wins what the other loses."""
        return len(set(self.sides)) == 2

    @property
    def differences(self) -> dict[str, Any]:
        """House rules that differ from the standard."""
        return house.differences(self.options)

    @once
    def quick_law(self) -> Any:
        """The law in the form that is fastest for the rules."""
        return quick(self.law)

    @cached_property
    def words(self) -> Catalogue:
        """The game's sentences in all languages."""
        return catalogue(self.spec.folder)

    def named(self, phrase: Phrase) -> Phrase:
        """A phrase of the game with the key "GAME:KEY", which works in every package."""
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
        """The position that a line of `Position.text` describes. Errors: PositionError, with the reason."""
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

    def __reduce__(self) -> tuple[Any, ...]:
        return again, (self.spec.package, *self.key)

    def __repr__(self) -> str:
        return f"<Game {self.spec.id} rules {self.spec.version} {self.key[2]}>"


@functools.lru_cache(16)
def again(package: str, name: str, version: str, differences: str) -> Game:
    """Rebuild a pickled game from its package and `Game.key`. Errors: BridgeheadError for another version of the rules."""
    found: Spec = importlib.import_module(package).SPEC
    if (found.id, found.version) != (name, version):
        raise BridgeheadError(
            "error.pickled_under_rules_installed_rules", "rules", version=version, version2=found.version, title=found.title
        )
    return Game(found, house.build(found, "", json.loads(differences)))


class Position(Value):
    """One position of a game. `play` returns a new one; nothing changes an old one.

    Only `Game.start`, `Game.load` and `play` make positions. The position takes over the array `states` and freezes it.
    """

    def __init__(self, game: Game, states: np.ndarray[Any, Any]) -> None:
        self.game = game
        self._states = states
        states.flags.writeable = False

    @property
    def state(self) -> Any:
        """The record underneath, read-only."""
        return self._states[0]

    def copy_states(self) -> np.ndarray[Any, Any]:
        """A writable copy of the state, as an array of one record: for searches."""
        states = self._states
        return np.ndarray(states.shape, states.dtype, bytearray(states.tobytes()))  # `copy` is slow: it goes field by field

    @property
    def read_only(self) -> Any:
        """The state for rules that only read it."""
        # Numba compiles one version for writable records; a frozen one would compile a second.
        return self.copy_states()[0] if COMPILED else self.state

    @once
    def actor(self) -> int:
        """The seat to act, CHANCE (-1), or OVER (-2)."""
        return int(self._asked(self.game.spec.rules.actor))

    @property
    def is_over(self) -> bool:
        return self.actor == OVER

    @property
    def is_chance(self) -> bool:
        return self.actor == CHANCE

    @property
    def turn(self) -> int:
        """The number of finished turns."""
        return int(self.state.turns)

    @once
    def legal(self) -> tuple[int, ...]:
        """Legal action ids, ascending; when chance acts, its possible outcomes. Empty when over."""
        if self.is_over:
            return ()
        out = np.empty(self.game.max_legal, np.int32)
        count = self._asked(self.game.spec.rules.legal, out)
        return tuple(out[:count].tolist())

    @once
    def weights(self) -> tuple[int, ...]:
        """Exact integer weights of `legal` when chance acts; empty otherwise."""
        if not self.is_chance:
            return ()
        state, law, weight = self.read_only, self.game.quick_law, self.game.spec.rules.weight
        return tuple(int(weight(state, law, action)) for action in self.legal)

    def play(self, action: int | str) -> Position:
        """The position after an action (id or text). Errors: IllegalAction with its clause, NotationError."""
        if isinstance(action, str):
            action = self.read(action)
        if action not in self.legal:
            refusal = self.explain(action)
            assert refusal is not None, f"action {action} is refused without a reason"
            raise IllegalAction(refusal, self.game.named(refusal.phrase))
        return self.after(action)

    def after(self, action: int) -> Position:
        """The position after an action that is known to be legal."""
        states = self.copy_states()
        self.game.spec.rules.apply(states[0], self.game.quick_law, action)
        return Position(self.game, states)

    def supposing(self, **fields: Any) -> Position:
        """The same position with other values in some fields of its state, as for "if it were Blue's turn"."""
        states = self.copy_states()
        for name, value in fields.items():
            setattr(states[0], name, value)
        return Position(self.game, states)

    def bare(self) -> Position:
        """The same position without its cached properties."""
        return Position(self.game, self._states)

    @once
    def outcome(self) -> Outcome | None:
        """The end of the game, or None while it runs."""
        if not self.is_over:
            return None
        returns = np.zeros(self.game.seats, np.float64)
        self._asked(self.game.spec.rules.returns, returns)
        reason, clause = self.game.spec.rules.REASONS[int(self.state.reason)]
        winners = tuple(int(s) for s in np.flatnonzero(returns > 0))
        return Outcome(reason, clause, winners, tuple(float(r) for r in returns))

    def refusal(self, action: int) -> RefusalCode:
        """The reason to refuse an action, as one of the game's codes; 0 exactly when it is legal."""
        rules = self.game.spec.rules
        return rules.REFUSALS.of(int(self._asked(rules.refusal, action)))

    def explain(self, action: int) -> Refusal | None:
        """The refusal of an action, with its clause; None exactly when it is legal."""
        if not 0 <= action < self.game.action_count:
            raise NotationError("error.no_action", "action", title=self.game.spec.title, action=action)
        refusal: Refusal | None = self.game.spec.words.explain(self, action)
        return refusal

    def name(self, action: int) -> str:
        """The action's text in notation: unique among the legal actions of this position."""
        return str(self.game.spec.words.name(self, action))

    def read(self, text: str) -> int:
        """The action a text names here, legal or not. Errors: NotationError."""
        return int(self.game.spec.words.read(self, text.strip()))

    def sentence(self, action: int, language: str = "en") -> str:
        """The sentence of the log for the action, played in this position."""
        return self.game.words.tell(self.game.spec.words.say(self, action), language)

    def prompt(self, language: str = "en") -> str:
        """The prompt, one sentence for all players: the seat to act and its decision."""
        return self.game.words.tell(self.game.spec.words.prompt(self), language)

    @once
    def text(self) -> str:
        """The position in one line; `Game.load` reads it back."""
        return str(self.game.spec.text.dump(self))

    def facts(self) -> dict[str, Any]:
        """The public facts of the position, as plain data (see docs/lookup/notation.md)."""
        outcome = self.outcome
        return {
            "actor": None if self.is_over else "chance" if self.is_chance else self.actor,
            "over": self.is_over,
            "winners": list(outcome.winners) if outcome else [],
            "reason": outcome.reason if outcome else None,
            **self.game.spec.words.facts(self),
        }

    def _asked(self, function: Any, *more: Any) -> Any:
        return function(self.read_only, self.game.quick_law, *more)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and self._states.tobytes() == other._states.tobytes()

    def __hash__(self) -> int:
        return hash(self._states.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.game, self._states.tobytes())

    def __repr__(self) -> str:
        return f"<Position {self.game.spec.id} {self.text!r}>"


def _again(game: Game, states: bytes) -> Position:
    """Rebuild a pickled position. Unpickle only trusted bytes."""
    return Position(game, np.frombuffer(states, game.new_states(0).dtype).copy())
