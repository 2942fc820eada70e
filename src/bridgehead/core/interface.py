"""The interface of a game: one `Protocol` for each module of its folder, with a default for every optional member.

A member without a default is marked `@abstractmethod`, or is a name without a value. `part` joins a module with the defaults.
The table in docs/do/add_a_game.md is made from the docstrings of this module.
"""

from __future__ import annotations

import functools
import itertools
import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import prod
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from bridgehead.core.caching import cached_per_game
from bridgehead.core.clauses import Refusal, RefusalCode, Rulebook
from bridgehead.core.components import Mat, Thing
from bridgehead.core.editing import Problem, Tool, apply_stroke
from bridgehead.core.ending import Outcome
from bridgehead.core.errors import BridgeheadError, NotationError, PositionError
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.layout import Field, Layout, flat
from bridgehead.core.phrases import Catalogue, Phrase, join_phrases, phrase
from bridgehead.core.scene import Choice, Face, Item, MovementTrace, Part, Picture, SeatPanel, Ways

if TYPE_CHECKING:
    import numpy as np

    from bridgehead.core.observation import ObservationLayout as ObservationLayout
    from bridgehead.core.symmetry import Symmetry

T = TypeVar("T")
OVER = -2  # nobody acts: the game has ended
UNKNOWN, CANNOT_LOSE, CANNOT_WIN = (
    -1,
    -2,
    -3,
)  # what `look_up_plies` says beside a number, for the seat to act
CHANCE = -1  # the actor is chance: the legal actions are its outcomes
Rule = Callable[..., Any]  # compiled functions are typed by Numba from their arguments


class AnySpec(Protocol):
    """The members of a `Spec` that the parts of a game use."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def folder(self) -> Path: ...
    @property
    def line(self) -> str: ...
    @property
    def rules(self) -> RulesModule: ...
    @property
    def state(self) -> StateModule: ...
    @property
    def words(self) -> WordsModule: ...
    @property
    def scene(self) -> SceneModule: ...
    def seat_letter(self, seat: int) -> str: ...


class AnyGame(Protocol):
    """The members of a `Game` that the parts of a game use."""

    board: Any
    options: Any
    law: Any
    layout: Layout
    action_count: int
    kept: dict[Any, dict[Any, Any]]

    @property
    def spec(self) -> AnySpec: ...
    @property
    def seats(self) -> int: ...
    @property
    def words(self) -> Catalogue: ...
    @property
    def rulebook(self) -> Rulebook: ...
    def blank(self) -> Any: ...
    def new_states(self, count: int) -> np.ndarray[Any, Any]: ...


class AnyPosition(Protocol):
    """The members of a `Position` that the parts of a game use."""

    @property
    def game(self) -> AnyGame: ...
    @property
    def state(self) -> Any: ...
    @property
    def read_only(self) -> Any: ...
    @property
    def actor(self) -> int: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def is_chance(self) -> bool: ...
    @property
    def legal(self) -> tuple[int, ...]: ...
    def play(self, action: int | str) -> AnyPosition: ...
    def name(self, action: int) -> str: ...
    def sentence(self, action: int, language: str = "en") -> str: ...


class OptionsModule(Protocol):
    """`options.py`: the house rules."""

    Options: Any
    """The house rules: a frozen struct with `House` as its base. Default: only the number of seats."""
    PRESETS: dict[str, dict[str, Any]] = {}
    """Named sets of house rules: `{"short": {"turnLimit": 50}}`. Pages offer the one named "recommended" beside the
    original rules, for the numbers of seats that `measured.json` has (`tools/recommended.py`)."""
    LAYOUTS: tuple[dict[str, Any], ...] = ()
    """House rules whose states or laws are larger or smaller records than those of the presets: compiled rules for each exist."""

    def check(self, options: Any, board: Any) -> None:
        """Raise `OptionError(what, option)` for a combination that the types allow and the rules do not."""

    def sides(self, options: Any) -> tuple[int, ...]:
        """The side of each seat; seats of one side win together. Default: every seat is a side."""
        return tuple(range(options.seats))


class BoardModule(Protocol):
    """`board.py`: the board as data."""

    def load(self, options: Any) -> Any:
        """The board as a frozen value, `game.board`. Raise `BoardError(what, where)` for a bad one. Default: None."""


class StateModule(Protocol):
    """`state.py`, or in `rules.py`: the record that the rules read and write."""

    def make_law(self, options: Any, board: Any) -> Any:
        """House rules and tables of the board as one record: a `NamedTuple` through `core.law.pack_law`. Default: `seats`."""
        return pack_law(SeatsOnly(options.seats))

    @abstractmethod
    def state_dtype(self, law: Any) -> Sequence[tuple[Any, ...]] | np.dtype[Any]:
        """The fields of a state: a list of (name, type, shape). With a dtype of NumPy, plain rules are slower and need NumPy.

        `turns` (finished turns) and `reason` (0 while running) have to be among them.
        """

    @abstractmethod
    def action_count(self, law: Any) -> int:
        """The number of actions, n: their ids are 0 to n - 1."""

    def max_legal(self, law: Any) -> int:
        """The highest number of actions that `legal` can write. Default: `action_count`."""
        return self.action_count(law)

    def limits(self, law: Any) -> Mapping[str, tuple[int, int]]:
        """The lowest and highest number in each field of a state; a text beyond them is refused. Needed without `text.py`."""
        return {}

    def impossible(self, state: Any, law: Any) -> str:
        """Why a state within the limits cannot occur, as a sentence or a key ("GAME:error.air"). Default: "", every state can."""
        return ""


class RulesModule(Protocol):
    """`rules.py`: the rules themselves, functions compiled with `@rule`."""

    REASONS: Sequence[tuple[str, str]]
    """How a game can end: (word, clause id) by `state.reason`; the first is `("", "")`."""
    REFUSALS: type[RefusalCode]
    """Why an action can be refused: an enum `NAME = clause id, phrase key`; the first is `OK = "", ""`. Default: one reason."""

    @abstractmethod
    def setup(self, state: Any, law: Any) -> None:
        """Write every field of the first position; the record may hold an old game."""

    @abstractmethod
    def actor(self, state: Any, law: Any) -> int:
        """The seat to act, `CHANCE` (-1) or `OVER` (-2)."""

    @abstractmethod
    def legal(self, state: Any, law: Any, out: Any) -> int:
        """Write the legal action ids into `out` (int32), ascending, and return how many; for chance, its outcomes."""

    def weight(self, state: Any, law: Any, action: int) -> int:
        """The whole-numbered weight of an outcome of chance. Default: 1."""
        return 1

    @abstractmethod
    def apply(self, state: Any, law: Any, action: int) -> None:
        """Play a legal action."""

    @abstractmethod
    def returns(self, state: Any, law: Any, out: Any) -> None:
        """At the end of the game, write for each seat 1.0 (won), -1.0 (lost) or 0.0 (no winner)."""

    def refusal(self, state: Any, law: Any, action: int) -> int:
        """`OK` (0) exactly when an action is legal, else the code of the reason. Default: none; `explain` then uses `legal`."""
        return -1


class WordsModule(Protocol):
    """`words.py`: notation, sentences and reasons; the sentences themselves are in `languages/`."""

    def names(self, game: AnyGame) -> Sequence[str]:
        """The text of each action, in the order of the ids; a move is `a2-b4`. Default: the names of the fields."""
        return tuple(game.spec.scene.places(game))

    def name(self, position: AnyPosition, action: int) -> str:
        """The text of an action, unique among the legal ones. Default: from `names`."""
        game, texts = position.game, _texts(position.game)
        if action >= len(texts):
            raise BridgeheadError("error.game_lacks", game.spec.id, members=f"names[{action}]")
        return texts[action]

    def read(self, position: AnyPosition, text: str) -> int:
        """The action of a text, legal or not; `NotationError` where there is none. Default: from `names`."""
        ids = _ids(position.game)
        if text not in ids:
            some = ", ".join(map(position.name, position.legal[:8])) or ", ".join(itertools.islice(ids, 8))
            raise NotationError("error.expected_action", "action", some=some, text=repr(text[:20]))
        return ids[text]

    def say(self, position: AnyPosition, action: int) -> Phrase:
        """The log sentence of an action. Default: `say.NAME`, `chance.say` or `say`, with the end of the game."""
        name, after = position.name(action), position.play(action)
        usual = "chance.say" if position.is_chance else "say"
        key = f"say.{name}" if position.game.words.has(f"say.{name}") else usual
        done = phrase(key, seat=_actor_phrase(position, position.actor), action=name)
        return phrase("say.end", done=done, end=position.game.spec.words.prompt(after)) if after.is_over else done

    def recap(self, moves: Sequence[tuple[AnyPosition, int]], viewer: int) -> Phrase | str:
        """A turn of one seat in a few words without its name ("rolled 2: a1 to c1"), for the seat `viewer` (-1: a spectator).

        moves: its actions and those of chance, each with the position before it. Default: the names of its actions.
        """
        return join_phrases("recap.list", [position.name(action) for position, action in moves if not position.is_chance])

    def prompt(self, position: AnyPosition) -> Phrase:
        """The seat to act and its decision, or the result. Default: `prompt`, `end.REASON`, `end.won` or `end.drawn`."""
        if position.outcome is None:
            seat, key = _actor_phrase(position, position.actor), "prompt.chance" if position.is_chance else "prompt"
            return Phrase(key, {**_numbers(position), "seat": seat})
        outcome, key = position.outcome, f"end.{position.outcome.reason}"
        if not position.game.words.has(key):
            key = "end.won" if outcome.winners else "end.drawn"
        return phrase(key, seat=_actor_phrase(position, outcome.winners[0])) if outcome.winners else phrase(key)

    def is_logged(self, position: AnyPosition, action: int) -> bool:
        """Whether the log has a line for the action: not for one that only declines something. Default: True."""
        return True

    def seat(self, game: AnyGame, seat: int) -> Phrase:
        """The name of a seat: its colour. Default: `seat.LETTER`."""
        return phrase(f"seat.{game.spec.seat_letter(seat)}")

    def explain(self, position: AnyPosition, action: int) -> Refusal | None:
        """Why an action is refused; None if it is legal. Default: from `refusal` and `REFUSALS`."""
        game = position.game
        code = int(game.spec.rules.refusal(position.read_only, game.law, action))
        if code == 0 or (code < 0 and action in position.legal):
            return None
        reason = game.spec.rules.REFUSALS.of(abs(code))
        if position.outcome is not None:
            return Refusal(position.outcome.clause, phrase("over.refused"))
        if position.is_chance:
            return Refusal(reason.clause, phrase("chance.refused"))
        path, seat = _path(position, action) or ("",), _actor_phrase(position, position.actor)
        show = tuple(f"f:{field}" for field in path if field)
        named = {"seat": seat, "action": position.name(action), "origin": path[0], "field": path[-1]}
        return reason.because(show, **{**_numbers(position), **named})

    def facts(self, position: AnyPosition) -> dict[str, Any]:
        """The public facts of the position, as plain data. Default: the pieces by field."""
        return {"pieces": dict(position.game.spec.scene.pieces(position))}


class TextModule(Protocol):
    """`text.py`: one line for a position, as FEN is for chess."""

    def dump(self, position: AnyPosition) -> str:
        """The line of a position. Default: every field of the state with its numbers."""
        found = []
        for name, *_ in _fields(position.game):
            numbers = map(int, flat(position.state[name]))
            runs = [(number, len(list(same))) for number, same in itertools.groupby(numbers)]
            found.append(f"{name}=" + ",".join(f"{number}x{length}" if length > 1 else f"{number}" for number, length in runs))
        return " ".join(found)

    def fresh(self, text: str) -> str:
        """The line of the same position without the history of its game, as for a puzzle. Default: the line itself."""
        return text

    def load(self, game: AnyGame, text: str) -> Any:
        """The state of a line that can occur, written into `game.blank()`. Default: by `read` and `check`."""
        states = self.read(game, text)
        self.check(game, states[0])
        return states

    def read(self, game: AnyGame, text: str) -> Any:
        """The state of a line, even one that cannot occur, as while people set up a position. Errors: `PositionError`.

        Default: numbers by `limits`.
        """
        rules, fields, parts = game.spec.rules, _fields(game), text.split(" ")
        if [each.partition("=")[0] for each in parts] != [name for name, *_ in fields]:
            expected = " ".join(f"{name}=..." for name, *_ in fields)
            raise PositionError("error.expected_fields", expected=expected, text=repr(text[:60]))
        limits = {"reason": (0, len(rules.REASONS) - 1)} | dict(game.spec.state.limits(game.law))
        states = game.blank()
        for (name, kind, shape), each in zip(fields, parts, strict=True):
            low, high = (0, 1) if kind == "bool" else limits.get(name, (1, 0))
            if high < low:
                raise BridgeheadError("error.limits_lack", game.spec.id, field=name)
            values = _unrun(each.partition("=")[2], name, prod(shape))
            if odd := [value for value in values if not low <= value <= high]:
                raise PositionError("error.number_within", name, low=low, high=high, number=odd[0])
            _write(states[0], name, shape, values)
        return states

    def check(self, game: AnyGame, state: Any) -> None:
        """Refuse a state that cannot occur: `PositionError(what, where)`. Default: by `impossible`."""
        if why := game.spec.state.impossible(state, game.law):
            raise PositionError(why)
        if (int(state.reason) == 0) == (int(game.spec.rules.actor(state, game.law)) == OVER):
            raise PositionError("error.unclear_end", "reason")


class SceneModule(Protocol):
    """`scene.py`: the picture of a position on a screen."""

    def places(self, game: AnyGame) -> Mapping[str, tuple[float, float]]:
        """The fields by name: x to the right and y downwards, where neighbours are about 1 apart. All other defaults use it."""
        return {}

    def pieces(self, position: AnyPosition) -> Mapping[str, int]:
        """The seat of each piece, by the field it stands on."""
        return {}

    def target(self, position: AnyPosition, action: int) -> str:
        """The field that an action concerns; "" for an action with a button. Default: by its name, `b4` or the move `a2-b4`."""
        return _paths(position.game).get(action, ("",))[-1]

    def picture(self, game: AnyGame, language: str) -> Picture:
        """The board, which does not change during a match. Default: one round hole per field."""
        places = _places(game)
        fields = tuple(
            Item(f"f:{name}", x, y, (HOLE,), "", "field", game.words.tell(phrase("item.field", field=name), language), r=RADIUS)
            for name, (x, y) in places.items()
        )
        width, height = (EDGE + max((place[axis] for place in places.values()), default=EDGE) for axis in (0, 1))
        return Picture(width, height, (), fields)

    def ways(self, game: AnyGame) -> Ways:
        """Where pieces may go, and the fields with a role, to compare halves of the board. Default: unknown."""
        return Ways(frozenset(), {})

    def items(self, position: AnyPosition, language: str) -> Sequence[Item]:
        """The things on the board. Default: one disc per piece."""
        game, found = position.game, []
        for name, seat in game.spec.scene.pieces(position).items():
            if name not in _places(game):
                raise BridgeheadError("error.game_lacks", game.spec.id, members=f"places[{name!r}]")
            (x, y), livery = _places(game)[name], game.spec.seat_letter(seat)
            label = game.words.tell(phrase("item.piece", field=name, seat=_actor_phrase(position, seat)), language)
            disc = (Part(use="disc"),)
            found.append(Item(f"p:{name}", x, y, disc, livery, "piece", label, f"f:{name}", RADIUS, 10, GLYPHS[seat]))
        return tuple(found)

    def goal(self, game: AnyGame, seat: int) -> Phrase:
        """What a seat has to reach, with its place on the board; for a watcher (-1), what all want. Default: `game.line`."""
        return phrase("game.line" if game.words.has("game.line") else "plain", text=game.spec.line)

    def lines(self, position: AnyPosition, seat: int) -> Sequence[Phrase]:
        """What the panel of a seat says besides its name, such as its pieces left. Default: nothing."""
        return ()

    def plates(
        self, position: AnyPosition, language: str, names: Mapping[str, str] | None = None, you: str = ""
    ) -> Sequence[SeatPanel]:
        """The seat panel: one plate per seat. Default: its letter, its colour and its `lines`.

        names: those that people gave to seats, by the key of the seat; you: the key of the reader's seat. Both are for the lines.
        """
        game, tell, found = position.game, position.game.words.tell, []
        for seat in range(game.seats):
            letter, name = game.spec.seat_letter(seat), tell(game.spec.words.seat(game, seat), language)
            lines = (tell(line, language, names, you) for line in game.spec.scene.lines(position, seat))
            found.append(SeatPanel(letter, letter.upper(), name, tuple(lines)))
        return tuple(found)

    def choice(self, position: AnyPosition, action: int, language: str) -> Choice:
        """A legal action with the things to touch for it. Default: the fields of its name, its `target`, or a button."""
        name, path = position.name(action), tuple(f"f:{field}" for field in _path(position, action))
        return Choice(action, name, position.sentence(action, language), path or (f"!{name}",), "go" if path else "button")

    def choices(self, position: AnyPosition, language: str) -> Sequence[Choice]:
        """Every legal action as a `choice`."""
        return tuple(self.choice(position, action, language) for action in position.legal)

    def face(self, position: AnyPosition, action: int, language: str) -> Face:
        """An outcome of chance, to be picked by people who roll real dice or draw real cards. Default: its log sentence."""
        return Face(action, position.name(action), position.sentence(action, language))

    def buttons(self, position: AnyPosition, language: str) -> Mapping[str, str]:
        """{"!x": label} of the buttons that are always shown, in order. Default: every action with a sentence `button.NAME`."""
        words = position.game.words
        labelled = [name for name in _ids(position.game) if words.has(f"button.{name}")]
        return {f"!{name}": words.tell(phrase(f"button.{name}"), language) for name in labelled}

    def find_touched_action(self, position: AnyPosition, touch: tuple[str, ...]) -> int | None:
        """The action, legal or not, that touching these ids means; the server explains a refusal. Default: as `choices`."""
        if not touch:
            return None
        ids, paths = _ids(position.game), _paths(position.game)
        fields = [each.removeprefix("!").rpartition(":")[2] for each in touch]
        for start in range(len(fields)):
            if (name := "-".join(fields[start:])) in ids:
                return ids[name]
        if len(touch) > 1 or any(paths.get(action, ())[:1] == (fields[-1],) for action in position.legal):
            return None  # no move has this name, or a legal one begins here
        begun = [action for action, path in paths.items() if path[0] == fields[-1]]
        meant = [action for action in ids.values() if position.game.spec.scene.target(position, action) == fields[-1]]
        return _typical(position, begun or meant)

    def traces(self, before: AnyPosition, action: int, after: AnyPosition) -> Sequence[MovementTrace]:
        """The things that an action moved, with the fields on their way. Default: the piece of a move such as `a2-b4`."""
        scene, path = before.game.spec.scene, _path(before, action)
        if not path[1:] or gives(scene, "items"):
            return ()
        old, new = scene.pieces(before), scene.pieces(after)
        moved = path[0] in old and path[0] not in new and new.get(path[-1]) == old[path[0]]
        return (MovementTrace(f"p:{path[-1]}", tuple(f"f:{field}" for field in path)),) if moved else ()

    def last(self, before: AnyPosition, action: int) -> tuple[str, str]:
        """The ids of the fields where the last action began and ended. Default: the first and last that `choices` touches."""
        path = _path(before, action)
        return f"f:{path[0]}" if path[1:] else "", f"f:{path[-1]}" if path else ""


class Distance(NamedTuple):
    """How far a seat is from winning: numbers in the game's own measure, the nearer the less, and their words."""

    numbers: tuple[int, ...]
    words: Phrase


class ProgressModule(Protocol):
    """`progress.py`: positions compared, in words of the board: for hints, and for the ranking at the end."""

    def distance(self, position: AnyPosition, seat: int) -> Distance | None:
        """How far a seat is from winning, "11 steps from the top". Default: None, unknown."""
        return None

    def effects(self, before: AnyPosition, action: int) -> Sequence[Phrase]:
        """What an action changes for its seat, "threatens c4", the most important first. Each is true of the two positions."""
        return ()

    def safe(self, position: AnyPosition, seat: int) -> Phrase | None:
        """A sentence why a seat can no longer lose, whatever the others do. Only what is proven. Default: None, unknown."""
        return None


class EvaluateModule(Protocol):
    """`evaluate.py`, or in `rules.py`: how good a position is; compiled, like the rules."""

    def value(self, state: Any, law: Any, seat: int) -> float:
        """How good a position is for a seat; higher is better. Default: 0.0; searches then use only results of finished games."""
        return 0.0

    SCALE: float = 10.0
    """The difference in `value` that makes a win about e times as likely."""
    SEARCH: Mapping[str, Any] = {}
    """Settings of the tree search that differ from the usual (`players/search.py`)."""
    ANSWERED: Mapping[str, Any] = {}
    """The same for a search that evaluates a position only after the opponents' replies."""
    worth: Rule | None = None
    """`worth(state, law, seat, weights)`: `value` for given weights. Needed to learn weights, and for expectimax."""
    FEATURES: Sequence[str] = ()
    """The names of the weights, in order."""
    WEIGHTS: Sequence[float] | np.ndarray[Any, Any] = ()
    """The weights in use: `core.weights.weights` reads them from `weights.json`."""
    counts: Rule | None = None
    """`counts(state, law, found)`: the counts of the features of every seat (seats x features). Needed to learn a net."""
    LESSONS: Sequence[Mapping[str, Any]] | None = None
    """House rules for learning the weights, besides the standard ones."""
    judge: Rule | None = None
    """`judge(state, law, result)`: all seats at once, for games of several sides."""
    standing: Rule | None = None
    """`standing(state, law, seat, weights)`: the strength of a seat's position, which `judge` compares."""
    search_legal: Rule | None = None
    """`legal` for a search: equivalent outcomes of chance are merged into one."""
    search_weight: Rule | None = None
    """`weight` for a search: the weight of all merged outcomes."""
    risk: Rule | None = None
    """`risk(state, law, action)`: the exact chance that an action loses something."""
    progress: Rule | None = None
    """`progress(state, law, action)`: how far an action leads, for players that take the least risk."""
    foolish: Rule | None = None
    """`foolish(states, law, action, out)`: whether anybody at the table sees that an action of states[0] is a blunder; the other
    states, and `out` (legal actions for each), are work space. Careful levels leave such actions out if they can."""
    material: Rule | None = None
    """`material(state, seat)`: how many pieces a seat is ahead, which alpha-beta counts besides `value` if its style says so."""
    identity: Rule | None = None
    """`identity(state, law)`: 64 bits that distinguish positions. This and the next six are for alpha-beta."""
    turns_left: Rule | None = None
    """`turns_left(state, law)`: turns left before a limit ends the game."""
    ends_by_way: Rule | None = None
    """`ends_by_way(state)`: whether the history of this position ended the game, as repetition does."""
    may_end_by_way: Rule | None = None
    """`may_end_by_way(state)`: whether the history can still end the game."""
    loud: Rule | None = None
    """`loud(state, law, out)`: actions that alpha-beta looks at beyond its depth."""
    look_up_plies: Rule | None = None
    """`look_up_plies(state, law, values, starts)`: plies to a forced win (odd) or loss (even) of the seat to act by endgame
    tables, 0 for a draw, or `UNKNOWN`, `CANNOT_LOSE`, `CANNOT_WIN`."""
    endgames: Callable[[Any], Sequence[Any]] | None = None
    """`endgames(game)`: the endgame tables."""
    stored_endgames: Callable[[Any], tuple[Path, Sequence[Sequence[int]]] | None] | None = None
    """`stored_endgames(position)`: their values, an xz file in the game's folder, and `starts`; None where none reaches them.
    Searches in a browser fetch the file when it is first given."""


class ObservationModule(Protocol):
    """`observation.py`: what a seat sees, as arrays for learning agents; `core.observation` has the types."""

    def layout(self, game: Any) -> ObservationLayout:
        """The planes and numbers of an observation. Default: the numbers of the state's record. Give `observe` with it."""
        from bridgehead.core.observation import record_layout

        return record_layout(game)

    observe: Rule
    """`observe(state, law, places, seat, planes, numbers)`: write a seat's view into arrays that hold 0, or the constant planes.
    It reads nothing that a seat must not know, such as a layout of hidden cards. Default: for the default layout."""


class SymmetriesModule(Protocol):
    """`symmetries.py`: maps of positions and actions with which the rules commute; `core.symmetry` has the type."""

    def symmetries(self, game: Any) -> Sequence[Symmetry]:
        """Every map that this board and these house rules keep, without the identity. Default: none."""
        return ()


class EditorModule(Protocol):
    """`editor.py`: boards, layouts or set-ups that people draw; `core.editing` has the types."""

    SEALED: bool = False
    """Whether a drawn board stays hidden from the players."""

    @abstractmethod
    def starts(self) -> dict[str, Any]:
        """Named board files to begin with."""

    @abstractmethod
    def read(self, data: Any) -> Any:
        """The draft in this data, finished or not; `BoardError` for other data."""

    @abstractmethod
    def tools(self, draft: Any, language: str) -> Sequence[Tool]:
        """The tools for a draft."""

    STROKES: Mapping[tuple[str, int], Callable[..., Any]]
    """The changes that strokes make, by tool and number of touches: {("line", 2): change(draft, one, other)}."""

    def stroke(self, draft: Any, tool: str, touch: tuple[str, ...]) -> Any:
        """The draft after a stroke; `NoStroke` for one that changes nothing. Default: by `STROKES`."""
        return apply_stroke(self.STROKES, draft, tool, touch)

    @abstractmethod
    def sketch(self, draft: Any, tool: str, language: str) -> tuple[Picture, Sequence[Item]]:
        """The draft as a picture."""

    @abstractmethod
    def rules(self, draft: Any) -> dict[str, Any]:
        """The house rules to play the draft."""

    @abstractmethod
    def explain_error(self, draft: Any, error: BridgeheadError) -> tuple[Problem, Any]:
        """An error of the draft as a problem for the person who draws, and the draft with it mended (None: look no further)."""


class PositionEditorModule(Protocol):
    """`position_editor.py`: positions that people set up; `core.positions` has the types."""

    STROKES: Mapping[tuple[str, int], Callable[..., None]] = {}
    """The changes that strokes make, by tool and number of touches: {("put", 2): change(setting, one, other)}, which writes into
    `setting.state`; `NoStroke` for one that changes nothing."""

    def tools(self, position: AnyPosition, tool: str, language: str) -> Sequence[Tool]:
        """The tools for a position while `tool` is chosen. Default: none; the position then comes as a text."""
        return ()

    def settle(self, setting: Any) -> None:
        """After a change, write what follows from it, such as the end of the game. Default: nothing."""


class ComponentsModule(Protocol):
    """`components.py`: the contents of the game's box, for printing; `core.components` has the types."""

    @abstractmethod
    def mat(self, game: Any, language: str) -> Mat:
        """The board as it is printed."""

    @abstractmethod
    def things(self, game: Any, language: str) -> Sequence[Thing]:
        """Pieces and cards, with the number of each."""

    def list_extra_components(self, game: Any, language: str) -> Sequence[str]:
        """Other things that the players need. Default: nothing."""
        return ()


PARTS: tuple[type, ...] = (
    OptionsModule,
    BoardModule,
    StateModule,
    RulesModule,
    WordsModule,
    TextModule,
    SceneModule,
    ProgressModule,
    EvaluateModule,
    ObservationModule,
    SymmetriesModule,
    EditorModule,
    PositionEditorModule,
    ComponentsModule,
)


def members(kind: type) -> dict[str, bool]:
    """The members of a part by name, and whether a game must define them."""
    named = {**vars(kind).get("__annotations__", {}), **vars(kind)}
    needed = kind.__abstractmethods__ | {name for name in named if name not in vars(kind)}  # type: ignore[attr-defined]
    return {name: name in needed for name in named if not name.startswith("_")}


def part(kind: type[T], module: ModuleType | None, **usual: Callable[[], Any]) -> T:
    """A part of a game: the members of its module, and the defaults. usual: makes defaults that are not in the `Protocol`.

    The members are attributes of the object itself, where Python finds them fastest. Errors: BridgeheadError naming missing ones.
    """
    given = vars(module) if module else {}
    found = {name: given[name] for name in members(kind) if name in given}
    found |= {name: make() for name, make in usual.items() if name not in found}
    lacking = [name for name, needed in members(kind).items() if needed and name not in found]
    if lacking:
        where = module.__name__ if module else f"{kind.__name__.lower()}.py"
        raise BridgeheadError("error.game_lacks", where, members=", ".join(lacking))
    name = f"<{kind.__name__} of {module.__name__}>" if module else f"<{kind.__name__}, all by default>"
    made: Any = type(kind.__name__, (kind,), {"__repr__": lambda _: name})
    made.__abstractmethods__ = frozenset()
    whole: T = made()
    vars(whole).update(found)
    return whole


def gives(part: object, name: str) -> bool:
    """Whether a game defines this member of a part itself."""
    return name in vars(part)


# Defaults of compiled parts. They are compiled only when a game needs them: importing Numba takes a while.


@functools.cache
def weight_of_one() -> Any:
    def one(state: Any, law: Any, action: Any) -> int:
        return 1

    return rule(one)


@functools.cache
def value_of_nothing() -> Any:
    def nothing(state: Any, law: Any, seat: Any) -> float:
        return 0.0

    return rule(nothing)


def one_refusal(clause: str) -> type[RefusalCode]:
    """The default `REFUSALS`: one reason, that an action is impossible. clause: the first of the rulebook."""
    members = {"OK": ("", ""), "IMPOSSIBLE": (clause, "refused")}
    base: Any = RefusalCode
    return base("Refused", members)  # type: ignore[no-any-return]


def observe_of_record() -> Any:
    from bridgehead.core.observation import default_observe

    return default_observe()


# The default options and law: the number of seats.


def camel(field: str) -> str:
    """The rulebook's name of a struct field: `pass_` is `pass`, `max_captures` is `maxCaptures`."""
    head, *rest = field.rstrip("_").split("_")
    return head + "".join(word.capitalize() for word in rest)


class House(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=camel):
    """Base of every game's `Options`: frozen, keyword only, unknown names refused, names as in the rulebook.

    Each field names its clause with `Annotated[type, msgspec.Meta(extra={"clause": id})]`; the catalogue has its title and its
    description (`option.NAME.title`, `option.NAME.text`).
    """


class SeatsOnly(NamedTuple):
    """The default law: the number of seats."""

    seats: int


def seats_only(seats: tuple[int, int], clause: str) -> type[House]:
    """The default `Options`: the number of seats. clause: the first of the rulebook."""
    meta = msgspec.Meta(extra={"clause": clause})
    kind: Any = Annotated[Literal[tuple(range(seats[0], seats[1] + 1))], meta]
    return msgspec.defstruct("Options", [("seats", kind, seats[0])], bases=(House,), frozen=True)  # type: ignore[return-value]


# What the defaults of words, text and scene share.


@cached_per_game
def _texts(game: AnyGame) -> Sequence[str]:
    """The text of each action, by its id."""
    return tuple(game.spec.words.names(game))


@cached_per_game
def _ids(game: AnyGame) -> Mapping[str, int]:
    """{text of an action: its id}."""
    return {name: action for action, name in enumerate(_texts(game))}


@cached_per_game
def _places(game: AnyGame) -> Mapping[str, tuple[float, float]]:
    """The middle of each field on the picture."""
    places = game.spec.scene.places(game)
    left, top = (min((place[axis] for place in places.values()), default=0) for axis in (0, 1))
    return {name: (EDGE + UNIT * (x - left), EDGE + UNIT * (y - top)) for name, (x, y) in places.items()}


def _actor_phrase(position: AnyPosition, seat: int) -> Phrase:
    return position.game.spec.words.seat(position.game, seat) if seat >= 0 else phrase("chance")


def _numbers(position: AnyPosition) -> dict[str, object]:
    """The fields of a state that are one whole number, such as a die, for sentences that name them."""
    return {
        field.name: int(position.state[field.name])
        for field in position.game.layout.fields
        if not field.shape and _is_whole(field)
    }


def _is_whole(field: Field) -> bool:
    return isinstance(field.kind, str) and not field.kind.startswith("float")


# The default text of a position: the fields of its state, "turns=3 reason=0 cells=0x5,1,-1,0x114" (0x5: five zeros).


def _fields(game: AnyGame) -> tuple[Field, ...]:
    """The fields of a state, which have to be whole numbers."""
    if odd := [field.name for field in game.layout.fields if not _is_whole(field)]:
        raise BridgeheadError("error.needs_text", game.spec.id, field=odd[0])
    return game.layout.fields


def _write(state: Any, name: str, shape: tuple[int, ...], values: list[int]) -> None:
    """Write a field of a state, by its numbers in C order."""
    if not shape:
        setattr(state, name, values[0])
    elif len(shape) == 1:
        state[name][:] = values
    else:
        for place, value in zip(itertools.product(*map(range, shape)), values, strict=True):
            state[name][place] = value


def _unrun(text: str, name: str, length: int) -> list[int]:
    values: list[int] = []
    for run in text.split(","):
        found = re.fullmatch(r"(-?[0-9]{1,20})(?:x([1-9][0-9]{0,6}))?", run)
        if not found or len(values) + int(found[2] or 1) > length:
            raise PositionError("error.whole_numbers", name, length=length, text=repr(text[:40]))
        values += [int(found[1])] * int(found[2] or 1)
    if len(values) != length:
        raise PositionError("error.whole_numbers", name, length=length, text=len(values))
    return values


# The default scene: a hole for each field and a disc for each piece.

UNIT, EDGE, RADIUS = 80, 60, 34
HOLE = Part(d=f"M{-RADIUS} 0A{RADIUS} {RADIUS} 0 1 1 {RADIUS} 0A{RADIUS} {RADIUS} 0 1 1 {-RADIUS} 0Z", cls="well")
GLYPHS = "xo*+%&"


@cached_per_game
def _paths(game: AnyGame) -> Mapping[int, tuple[str, ...]]:
    """The fields of each action's name: a field, or fields joined by "-"."""
    places, found = _places(game), {}
    for action, name in enumerate(_texts(game)):
        fields = (name,) if name in places else tuple(name.split("-"))
        if all(field in places for field in fields):
            found[action] = fields
    return found


def _typical(position: AnyPosition, actions: Sequence[int]) -> int | None:
    """The action whose reason most of these share; None if there is none, or if they are refused for different reasons."""
    refusal, state, law = position.game.spec.rules.refusal, position.read_only, position.game.law
    reasons = [int(refusal(state, law, action)) for action in actions]
    common = max(set(reasons), key=reasons.count, default=None)
    is_clear = common is not None and 2 * reasons.count(common) > len(reasons)
    return actions[reasons.index(common)] if common is not None and is_clear else None


def _path(position: AnyPosition, action: int) -> tuple[str, ...]:
    """The fields to touch for an action, in order: those of its name if they lead to its target, else the target."""
    target, path = position.game.spec.scene.target(position, action), _paths(position.game).get(action, ())
    return path if path[-1:] == (target,) else (target,) if target else ()
