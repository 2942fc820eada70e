"""A game with its house rules fixed, and its positions: immutable values with legal actions, outcome and words."""

from __future__ import annotations

import functools
import importlib
import json
import operator
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bridgehead.core import options as house
from bridgehead.core.caching import Value, once
from bridgehead.core.clauses import Refusal, RefusalCode, Rulebook
from bridgehead.core.ending import Outcome
from bridgehead.core.errors import BridgeheadError, IllegalAction, NotationError
from bridgehead.core.jit import COMPILED
from bridgehead.core.law import as_records, memory, numbers_of, quick
from bridgehead.core.layout import Layout
from bridgehead.core.numbers import np
from bridgehead.core.phrases import Catalogue, Phrase, catalogue
from bridgehead.core.spec import CHANCE, OVER, Spec

if TYPE_CHECKING:
    import numpy as np


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
        described = spec.state.state_dtype(self.law)
        self.layout = Layout.of(described, "state")
        self.is_plain = not COMPILED and isinstance(described, list | Layout)
        """Whether positions are plain records. Otherwise they are NumPy's, because rules are compiled, or use arrays of NumPy."""
        self.law = numbers_of(self.law) if self.is_plain else memory(self.law)
        if lacking := {"turns", "reason"} - {field.name for field in self.layout.fields}:
            raise BridgeheadError("error.game_lacks", "state_dtype", members=", ".join(sorted(lacking, reverse=True)))
        self.action_count: int = spec.state.action_count(self.law)
        self.max_legal: int = spec.state.max_legal(self.law)
        self.key = (spec.id, spec.version, house.canonical(options))
        self.kept: dict[Any, dict[Any, Any]] = {}  # see `caching`

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
        return house.list_differences(self.options)

    @once
    def quick_law(self) -> Any:
        """The law in the form that is fastest for the rules."""
        return quick(self.law)

    @cached_property
    def words(self) -> Catalogue:
        """The game's sentences in all languages."""
        return catalogue(self.spec.folder)

    def qualify_phrase(self, phrase: Phrase) -> Phrase:
        """A phrase of the game with the key "GAME:KEY", which works in every package."""
        return Phrase(f"{self.spec.id}:{phrase.key}", phrase.params)

    @cached_property
    def seat_phrases(self) -> tuple[Phrase, ...]:
        """The name of each seat: its colour."""
        return tuple(self.spec.words.seat(self, seat) for seat in range(self.seats))

    def own_key(self, seats: Collection[int]) -> str:
        """The key that makes sentences address the person of these seats ("You rolled 4."); "" unless it is one seat.

        People who share a screen are all "you", so sentences name the seats.
        """
        return self.seat_phrases[next(iter(seats))].key if len(seats) == 1 else ""

    def find_given_names(self, names: Sequence[str]) -> dict[str, str]:
        """The names that people gave to their seats, by the key of the seat. A seat's letter or number is no name."""
        usual = (("", self.spec.seat_letter(seat).upper(), f"seat {seat + 1}") for seat in range(self.seats))
        named = zip(self.seat_phrases, names, usual, strict=False)
        return {seat.key: name for seat, name, none in named if name not in none}

    def name_seats(self, names: Sequence[str], language: str) -> list[str]:
        """What each seat is called: by the name that a person gave, else by its colour."""
        given = self.find_given_names(names)
        return [self.words.tell(seat, language, given) for seat in self.seat_phrases]

    @cached_property
    def rulebook(self) -> Rulebook:
        """Every clause of the game."""
        return self.spec.rulebook

    def start(self) -> Position:
        """The first position (its actor may be chance, where the first seat is drawn)."""
        states = self.blank()
        self.spec.rules.setup(states[0], self.quick_law)
        return Position(self, states)

    def load(self, text: str) -> Position:
        """The position that a line of `Position.text` describes. Errors: PositionError, with the reason."""
        return Position(self, self.spec.text.load(self, text))

    def blank(self) -> Any:
        """A blank state for the rules of this process, alone in a list, or in an array of NumPy."""
        return [self.layout.blank()] if self.is_plain else self.new_states(1)

    def new_states(self, count: int) -> np.ndarray[Any, Any]:
        """`count` blank states, as one array of NumPy's records."""
        return np.zeros(count, self._records)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The fields of a state as a type of NumPy."""
        return self.layout.dtype

    @cached_property
    def _records(self) -> np.dtype[Any]:
        return as_records(self.layout.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return again, (self.spec.package, *self.key)

    def _repr_svg_(self) -> str:
        return self.start()._repr_svg_()

    def __repr__(self) -> str:
        rules = self.key[2] if len(self.key[2]) <= 100 else f"{self.key[2][:95]} ..."  # a drawn board is long
        return f"<Game {self.spec.id} rules {self.spec.version}, {self.seats} seats, {rules}>"


@functools.lru_cache(16)
def again(package: str, name: str, version: str, differences: str) -> Game:
    """Rebuild a pickled game from its package and `Game.key`. Errors: BridgeheadError for another version of the rules."""
    today: Spec = importlib.import_module(package).SPEC
    found = today.of_rules(version) if today.id == name else None
    if found is None:
        raise BridgeheadError(
            "error.pickled_under_rules_installed_rules", "rules", version=version, version2=today.version, title=today.title
        )
    return Game(found, house.build(found, "", json.loads(differences)))


def capitalize_sentence(sentence: str, names: Mapping[str, str] | None) -> str:
    """The sentence with a capital letter first ("your child S ..."), unless a name or a field ("c5 ...") stands there."""
    first = sentence.partition(" ")[0]
    if first.islower() and first.isalpha() and not sentence.startswith(tuple((names or {}).values())):
        return sentence[:1].upper() + sentence[1:]
    return sentence


class Position(Value):
    """One position of a game. `play` returns a new one; nothing changes an old one.

    Only `Game.start`, `Game.load` and `play` make positions. states: the record, as `Game.blank` gives it, or in an array of
    NumPy; the position takes it over and freezes it.
    """

    def __init__(self, game: Game, states: Any) -> None:
        self.game = game
        self._states = states
        if not game.is_plain:
            states.flags.writeable = False
        elif isinstance(states, list):
            self.state = states[0]._freeze()
        else:
            self._states = [game.layout.unpack(states.tobytes())]

    @once
    def state(self) -> Any:
        """The record underneath, read-only."""
        return self._states[0]

    @once
    def _bytes(self) -> bytes:
        return bytes(self._states[0].tobytes())

    def copy_states(self) -> np.ndarray[Any, Any]:
        """A writable copy of the state, as an array of one record of NumPy: for searches."""
        return np.ndarray((1,), self.game._records, bytearray(self._bytes))  # NumPy's `copy` is slow: it goes field by field

    def _copied(self) -> Any:
        """A writable copy of the state for the rules of this process, in a list or an array of one."""
        return [self._states[0].copy()] if self.game.is_plain else self.copy_states()

    @property
    def read_only(self) -> Any:
        """The state for rules that only read it."""
        # Numba compiles one version for writable records; a frozen one would compile a second.
        return self.copy_states()[0] if COMPILED else self.state

    @once
    def actor(self) -> int:
        """The seat to act, CHANCE (-1), or OVER (-2)."""
        game = self.game
        return int(game.spec.rules.actor(self.read_only, game.quick_law))

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
        if self.actor == OVER:
            return ()
        game = self.game
        if game.is_plain:
            found = [0] * game.max_legal
            return tuple(found[: game.spec.rules.legal(self.state, game.quick_law, found)])
        out = np.empty(self.game.max_legal, np.int32)
        count = self._asked(self.game.spec.rules.legal, out)
        return tuple(out[:count].tolist())

    @once
    def weights(self) -> tuple[int, ...]:
        """Exact integer weights of `legal` when chance acts; empty otherwise."""
        if self.actor != CHANCE:
            return ()
        game = self.game
        state, law, weight = self.read_only, game.quick_law, game.spec.rules.weight
        found = [weight(state, law, action) for action in self.legal]
        return tuple(found if game.is_plain else map(int, found))

    def play(self, action: int | str) -> Position:
        """The position after an action (id or text). Errors: IllegalAction with its clause, NotationError."""
        if type(action) is not int:
            action = self.action(action)
        if action not in self.legal:
            refusal = self.explain(action)
            assert refusal is not None, f"action {action} is refused without a reason"
            raise IllegalAction(refusal, refusal.phrase)
        return self.after(action)

    def action(self, action: object) -> int:
        """The id of an action that is given by its id, a whole number of any kind, or by its text; legal here or not.

        Errors: NotationError, which says what was given.
        """
        if isinstance(action, str):
            return self.read(action)
        try:
            number = operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            raise NotationError("error.not_an_action", "action", given=repr(action), kind=type(action).__name__) from None
        if isinstance(action, bool) or not 0 <= number < self.game.action_count:
            raise NotationError("error.no_action", "action", title=self.game.spec.title, action=repr(action))
        return number

    def after(self, action: int) -> Position:
        """The position after an action that is known to be legal."""
        game, states = self.game, self._copied()
        game.spec.rules.apply(states[0], game.quick_law, action)
        return Position(game, states)

    def supposing(self, **fields: Any) -> Position:
        """The same position with other values in some fields of its state, as for "if it were Blue's turn"."""
        states = self._copied()
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
        returns: Any = [0.0] * self.game.seats if self.game.is_plain else np.zeros(self.game.seats, np.float64)
        self._asked(self.game.spec.rules.returns, returns)
        reason, clause = self.game.spec.rules.REASONS[int(self.state.reason)]
        winners = tuple(seat for seat, result in enumerate(returns) if result > 0)
        return Outcome(reason, clause, winners, tuple(float(r) for r in returns))

    def refusal(self, action: int) -> RefusalCode:
        """The reason to refuse an action, as one of the game's codes; 0 exactly when it is legal."""
        rules = self.game.spec.rules
        return rules.REFUSALS.of(int(self._asked(rules.refusal, action)))

    def explain(self, action: int | str) -> Refusal | None:
        """The refusal of an action, printed as its sentence, with its clause; None exactly when it is legal.

        Errors: NotationError.
        """
        refusal: Refusal | None = self.game.spec.words.explain(self, self.action(action))
        return None if refusal is None else refusal._replace(phrase=self.game.qualify_phrase(refusal.phrase))

    def name(self, action: int) -> str:
        """The action's text in notation: unique among the legal actions of this position."""
        return str(self.game.spec.words.name(self, action))

    def read(self, text: str) -> int:
        """The action a text names here, legal or not. Errors: NotationError."""
        return int(self.game.spec.words.read(self, text.strip()))

    def sentence(
        self, action: int, language: str = "en", names: Mapping[str, str] | None = None, seats: Collection[int] = ()
    ) -> str:
        """The sentence of the log for the action, played here. names: as `Game.find_given_names`; seats: the reader's."""
        return self._told(self.game.spec.words.say(self, action), language, names, seats)

    @property
    def prompt(self) -> str:
        """The seat to act and its decision, or the result, as one sentence in English. `tell_prompt` has other languages."""
        return self.tell_prompt("en")

    def tell_prompt(self, language: str, names: Mapping[str, str] | None = None, seats: Collection[int] = ()) -> str:
        """The prompt in a language. Whoever is to act, waits or watches gets a sentence of their own.

        names: as `Game.find_given_names`; seats: the reader's, none for a watcher. With several, people share a screen.
        """
        key, params = prompt = self.game.spec.words.prompt(self)
        seat = params.get("seat")
        if seats and isinstance(seat, Phrase) and seat not in [self.game.seat_phrases[own] for own in seats]:
            waits = f"{key}@wait"
            prompt = Phrase(waits, params) if self.game.words.has(waits) else prompt
        return self._told(prompt, language, names, seats)

    def _told(self, phrase: Phrase, language: str, names: Mapping[str, str] | None, seats: Collection[int]) -> str:
        return capitalize_sentence(self.game.words.tell(phrase, language, names, self.game.own_key(seats)), names)

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
        return isinstance(other, Position) and self.game == other.game and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.game, self._bytes)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        from bridgehead.core.svg import draw_svg

        return draw_svg(self).decode()

    def __repr__(self) -> str:
        return f"<Position {self.game.spec.id} {self.text!r}>"


def _again(game: Game, states: bytes) -> Position:
    """Rebuild a pickled position. Unpickle only trusted bytes."""
    if game.is_plain:
        return Position(game, [game.layout.unpack(states)])
    return Position(game, np.frombuffer(states, game.new_states(0).dtype).copy())
