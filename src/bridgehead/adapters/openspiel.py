"""The games as OpenSpiel games, with explicit chance nodes.

from bridgehead.adapters import openspiel
    openspiel.register("forty_bridges")
    game = pyspiel.load_game("bridgehead_forty_bridges(first=random,maxLength=500)")

Parameters are `preset`, `maxLength` and the game's house rules. Booleans and integers are OpenSpiel's types (-1 for no
number); all other values are text, percent-encoded where necessary: `homes=1%2C2`.
"""

from __future__ import annotations

import functools
import json
from types import NoneType
from typing import Any, ClassVar, Literal, get_args, get_origin
from urllib.parse import quote, unquote

import numpy as np

from bridgehead.adapters.arguments import choose_game
from bridgehead.batch import whole
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.extras import needs
from bridgehead.core.game import Game, Position, again
from bridgehead.core.spec import Spec
from bridgehead.environments import NUMBERS, check_argument, observer

with needs("openspiel"):
    import pyspiel

PREFIX = "bridgehead_"
PRESET, MAX_LENGTH = "preset", "maxLength"
USUAL_LENGTH = 10_000  # actions, including those of chance
NONE = -1  # no number
OWN = "own seat"
PLAIN = "+-_.:/ "  # characters that texts keep unencoded


def register(game: str = "") -> list[str]:
    """Register a game with OpenSpiel, or every installed one; returns their short names. Repeating it does nothing.
    Errors: UnknownGame.
    """
    names = []
    for spec in [registry.spec(game)] if game else registry.specs().values():
        names.append(PREFIX + spec.id)
        if names[-1] not in pyspiel.registered_names():
            # OpenSpiel keeps this object beyond the end of Python, where only a class survives.
            pyspiel.register_game(_type(_made(spec, {})), type(spec.id, (HouseGame,), {"spec": spec}))
    return names


def load_game(game: str | Game, *, preset: str = "", max_length: int = USUAL_LENGTH, **rules: Any) -> HouseGame:
    """A game of OpenSpiel: its id with a preset and house rules, as for the other environments, or a `Game`.

    max_length: actions, those of chance too, after which a game is cut off. Errors: UnknownGame, OptionError, BoardError,
    BridgeheadError.
    """
    game = choose_game(game, preset, rules)
    check_argument("max_length", max_length, whole("max_length", max_length) > 0, "1, 2, 3 ...")
    made: HouseGame = pyspiel.load_game(*register(game.spec.id), _parameters(game, int(max_length)))
    return made


class HouseGame(pyspiel.Game):
    """A registered game under house rules.

    A game that has not ended after `maxLength` actions (of seats and of chance) is cut off as a draw.
    """

    spec: ClassVar[Spec]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        game, length = _made(self.spec, given), int(given.get(MAX_LENGTH, USUAL_LENGTH))
        info = pyspiel.GameInfo(
            num_distinct_actions=game.action_count,
            max_chance_outcomes=game.action_count if game.start().is_chance else 0,
            num_players=game.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if _is_zero_sum(game) else None,
            max_game_length=length,
        )
        super().__init__(_type(game), info, _parameters(game, length))
        self.bridgehead = game
        self.length = length
        self._start = game.start()

    def new_initial_state(self, text: str | None = None) -> HouseState:
        """The start of a game, or the position of a text. Errors: PositionError."""
        return HouseState(self, self.bridgehead.load(text) if text else self._start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """The observer in OpenSpiel's interface."""
        return SpielObserver(self.bridgehead, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def max_chance_nodes_in_history(self) -> int:
        """The limit of actions."""
        return self.length if self.bridgehead.start().is_chance else 0


class HouseState(pyspiel.State):
    """A position, and the actions left before the game is cut off. Action ids are the game's, including those of chance."""

    def __init__(self, game: HouseGame, position: Position) -> None:
        super().__init__(game)
        self.position = position
        self.left = game.length

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.is_chance else self.position.actor

    def is_terminal(self) -> bool:
        return self.position.is_over or not self.left

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.position.weights
        return [(action, weight / sum(weights)) for action, weight in zip(self.position.legal, weights, strict=True)]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)
        self.left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.name(action)

    def returns(self) -> list[float]:
        outcome = self.position.outcome
        return list(outcome.returns) if outcome else [0.0] * self.position.game.seats

    def __str__(self) -> str:
        return self.position.text


class SpielObserver:
    """A seat's view: the arrays of `environments.Observer` as one vector, and the position's text, or all actions.

    All actions are public, including those of chance; hidden cards appear in none of these. The number `own seat` is private.
    """

    def __init__(self, game: Game, kind: Any) -> None:
        self._observer, self._recalls, self._is_public = observer(game), kind.perfect_recall, kind.public_info
        shapes = {OWN: (game.seats,), **self._observer.shapes, NUMBERS: self._observer.low.shape}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = None if self._recalls else np.zeros(sum(sizes), np.float32)
        self.dict = {}
        if self.tensor is not None:
            parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
            self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: HouseState, player: int) -> None:
        """Write the seat's view into `tensor`; `dict` names its parts."""
        if self.tensor is None:
            return
        self.tensor[:] = 0
        self.dict[OWN][player] = 1
        if self._is_public:
            for name, array in self._observer.of(state.position, player)[0].items():
                self.dict[name][:] = array

    def string_from(self, state: HouseState, player: int) -> str:
        """The seat's view as text."""
        if not self._is_public:
            return f"seat {player}"
        return f"seat {player}: {state.history_str() if self._recalls else state.position.text}"


def _type(game: Game) -> Any:
    """OpenSpiel's description of a game. Information is imperfect if house rules hide something, such as face-down cards."""
    spec, kinds = game.spec, pyspiel.GameType
    is_hidden = bool(house.find_hidden_options(game.options) & game.differences.keys())
    return kinds(
        short_name=PREFIX + spec.id,
        long_name=spec.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.start().is_chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if is_hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if _is_zero_sum(game) else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=spec.seats[0],
        max_num_players=spec.seats[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_standard(spec),
    )


def _is_zero_sum(game: Game) -> bool:
    """Two sides of equal size: one side's win is the other's loss."""
    sizes = [game.sides.count(side) for side in set(game.sides)]
    return len(sizes) == 2 and sizes[0] == sizes[1]


def _is_number(kind: Any) -> bool:
    return kind is int or (get_origin(kind) is Literal and all(isinstance(value, int) for value in get_args(kind)))


def _parameter(kinds: tuple[Any, ...], value: Any) -> bool | int | str:
    """A house rule's value in OpenSpiel's form. kinds: its types."""
    if isinstance(value, bool):
        return value
    if all(_is_number(each) or each is NoneType for each in kinds):
        return NONE if value is None else int(value)
    text = "none" if value is None else value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return _encoded(text)


def _encoded(text: str) -> str:
    """A text that fits into a game string and cannot be read as a number or a boolean."""
    safe = quote(text, safe=PLAIN)
    taken = not safe.strip("+-.0123456789") or safe.lower() in ("true", "false")
    return f"%{ord(text[0]):02X}{safe[1:]}" if text and taken else safe


def _value(kinds: tuple[Any, ...], parameter: Any) -> Any:
    """A house rule's value in the game's form. kinds: its types."""
    is_none = NoneType in kinds
    if not isinstance(parameter, str):
        return None if is_none and parameter == NONE else parameter
    text = unquote(parameter)
    if is_none and text == "none":
        return None
    for literal in (value for each in kinds if get_origin(each) is Literal for value in get_args(each)):
        if str(literal) == text:
            return literal
    return json.loads(text) if text[:1] in ("{", "[") else text


@functools.cache
def _standard(spec: Spec) -> dict[str, Any]:
    """Every parameter of a game with its default value."""
    kinds = house.kinds(spec)
    rules = {info.name: _parameter(kinds[info.name], info.default) for info in house.describe(spec)}
    return {PRESET: "none", MAX_LENGTH: USUAL_LENGTH, **rules}


def _made(spec: Spec, params: dict[str, Any]) -> Game:
    """The game with these parameters: the preset, then the parameters that differ from the default. Errors: OptionError,
    BoardError.
    """
    standard, kinds, preset = _standard(spec), house.kinds(spec), params.get(PRESET, "none")
    values = {name: _value(kinds[name], each) for name, each in params.items() if name in kinds and each != standard[name]}
    options = house.build(spec, "" if preset == "none" else preset, values)
    return again(spec.package, spec.id, spec.version, house.canonical(options))


def _parameters(game: Game, length: int) -> dict[str, Any]:
    """The parameters of this game that differ from the default."""
    kinds = house.kinds(game.spec)
    changed = {name: _parameter(kinds[name], value) for name, value in game.differences.items()}
    return changed | ({} if length == USUAL_LENGTH else {MAX_LENGTH: length})
