"""The interface of a game: one `Protocol` for each module of its folder, with a default for every optional member.

A member without a default is marked `@abstractmethod`, or is a name without a value. One whose body is `...` has
its default in `core.defaults`; `core.parts` joins a module with the defaults. That of `evaluate.py` is `core.evaluation`.
The table in docs/do/add_a_game.md is made from the docstrings of this module.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from bridgehead.core.clauses import Refusal, RefusalCode, Rulebook
from bridgehead.core.components import Mat, Thing
from bridgehead.core.editing import Problem, Tool, apply_stroke
from bridgehead.core.ending import Outcome
from bridgehead.core.errors import BridgeheadError, PositionError
from bridgehead.core.law import SeatsOnly, pack_law
from bridgehead.core.layout import Layout
from bridgehead.core.phrases import Catalogue, Phrase, join_phrases, phrase
from bridgehead.core.scene import Choice, Face, Item, MovementTrace, Picture, SeatPanel, Ways

if TYPE_CHECKING:
    import numpy as np

    from bridgehead.core.observation import ObservationLayout as ObservationLayout
    from bridgehead.core.symmetry import Symmetry

T = TypeVar("T")
OVER = -2  # nobody acts: the game has ended
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

    def list_board_changes(self, options: Any, board: Any) -> Sequence[Phrase]:
        """Sentences on what these house rules change on a board that people drew, such as what they leave out. Default: none."""
        return ()


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
        ...

    def read(self, position: AnyPosition, text: str) -> int:
        """The action of a text, legal or not; `NotationError` where there is none. Default: from `names`."""
        ...

    def say(self, position: AnyPosition, action: int) -> Phrase:
        """The log sentence of an action. Default: `say.NAME`, `chance.say` or `say`, with the end of the game."""
        ...

    def recap(self, moves: Sequence[tuple[AnyPosition, int]], viewer: int) -> Phrase | str:
        """A turn of one seat in a few words without its name ("rolled 2: a1 to c1"), for the seat `viewer` (-1: a spectator).

        moves: its actions and those of chance, each with the position before it. Default: the names of its actions.
        """
        return join_phrases("recap.list", [position.name(action) for position, action in moves if not position.is_chance])

    def prompt(self, position: AnyPosition) -> Phrase:
        """The seat to act and its decision, or the result. Default: `prompt`, `end.REASON`, `end.won` or `end.drawn`."""
        ...

    def is_logged(self, position: AnyPosition, action: int) -> bool:
        """Whether the log has a line for the action: not for one that only declines something. Default: True."""
        return True

    def seat(self, game: AnyGame, seat: int) -> Phrase:
        """The name of a seat: its colour. Default: `seat.LETTER`."""
        return phrase(f"seat.{game.spec.seat_letter(seat)}")

    def explain(self, position: AnyPosition, action: int) -> Refusal | None:
        """Why an action is refused; None if it is legal. Default: from `refusal` and `REFUSALS`."""
        ...

    def facts(self, position: AnyPosition) -> dict[str, Any]:
        """The public facts of the position, as plain data. Default: the pieces by field."""
        return {"pieces": dict(position.game.spec.scene.pieces(position))}


class TextModule(Protocol):
    """`text.py`: one line for a position, as FEN is for chess."""

    def dump(self, position: AnyPosition) -> str:
        """The line of a position. Default: every field of the state with its numbers."""
        ...

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
        ...

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
        ...

    def picture(self, game: AnyGame, language: str) -> Picture:
        """The board, which does not change during a match. Default: one round hole per field."""
        ...

    def ways(self, game: AnyGame) -> Ways:
        """Where pieces may go, and the fields with a role, to compare halves of the board. Default: unknown."""
        return Ways(frozenset(), {})

    def items(self, position: AnyPosition, language: str) -> Sequence[Item]:
        """The things on the board. Default: one disc per piece."""
        ...

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
        ...

    def choice(self, position: AnyPosition, action: int, language: str) -> Choice:
        """A legal action with the things to touch for it. Default: the fields of its name, its `target`, or a button."""
        ...

    def choices(self, position: AnyPosition, language: str) -> Sequence[Choice]:
        """Every legal action as a `choice`."""
        return tuple(self.choice(position, action, language) for action in position.legal)

    def face(self, position: AnyPosition, action: int, language: str) -> Face:
        """An outcome of chance, to be picked by people who roll real dice or draw real cards. Default: its log sentence."""
        return Face(action, position.name(action), position.sentence(action, language))

    def buttons(self, position: AnyPosition, language: str) -> Mapping[str, str]:
        """{"!x": label} of the buttons that are always shown, in order. Default: every action with a sentence `button.NAME`."""
        ...

    def find_touched_action(self, position: AnyPosition, touch: tuple[str, ...]) -> int | None:
        """The action, legal or not, that touching these ids means; the server explains a refusal. Default: as `choices`."""
        ...

    def traces(self, before: AnyPosition, action: int, after: AnyPosition) -> Sequence[MovementTrace]:
        """The things that an action moved, with the fields on their way. Default: the piece of a move such as `a2-b4`."""
        ...

    def last(self, before: AnyPosition, action: int) -> tuple[str, str]:
        """The ids of the fields where the last action began and ended. Default: the first and last that `choices` touches."""
        ...


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

    def list_excesses(self, draft: Any) -> Sequence[Problem]:
        """What is drawn that no table can seat, though the rules would allow it. Default: nothing."""
        return ()


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
