"""The arguments that the environments share: the game with its house rules, and how its decisions are counted and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from bridgehead.batch import whole
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.environments import check_argument

Illegal = Literal["refuse", "replace"]
RenderMode = Literal["ansi", "human"]
RENDER_MODES = get_args(RenderMode)


def choose_game(game: str | Game, preset: str, rules: Mapping[str, Any]) -> Game:
    """The game of an id under a preset and house rules, or a `Game`, which has its house rules already.

    Errors: UnknownGame, OptionError, BoardError, BridgeheadError.
    """
    if isinstance(game, str):
        return registry.game(game, preset=preset, **rules)
    check_argument("game", game, isinstance(game, Game), ", ".join((*registry.specs(), "a Game")))
    if preset or rules:
        value = ", ".join(filter(None, (preset, *rules)))
        raise BridgeheadError("adapters:error.game_house_rules_already", "options", value=value)
    return game


def check_arguments(max_cycles: int | None, illegal: str, render_mode: str | None) -> None:
    """Refuse a wrong argument by its name. Errors: BridgeheadError."""
    check_argument("max_cycles", max_cycles, max_cycles is None or whole("max_cycles", max_cycles) > 0, "None, 1, 2, 3 ...")
    check_argument("illegal", illegal, illegal in get_args(Illegal), ", ".join(get_args(Illegal)))
    check_argument("render_mode", render_mode, render_mode in (None, *RENDER_MODES), ", ".join(("None", *RENDER_MODES)))
