"""Bridgehead: four games of getting across, their rules written once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["env", "game", "games", "load_record", "player"]

if TYPE_CHECKING:
    from bridgehead.adapters.pettingzoo import Environment
    from bridgehead.core.game import Game
    from bridgehead.core.match import Match
    from bridgehead.players import Player


def game(name: str, *, preset: str = "", **options: Any) -> Game:
    """A game under house rules: `bridgehead.game("barricade", board="mini")`. Errors name what was wrong and where."""
    from bridgehead.core import registry

    return registry.game(name, preset=preset, **options)


def games() -> list[str]:
    """The ids of the installed games."""
    from bridgehead.core import registry

    return list(registry.specs())


def env(game: str | Game, *, preset: str = "", **more: Any) -> Environment:
    """A game as an environment of PettingZoo (extra `pettingzoo`): `bridgehead.env("barricade", board="mini", max_cycles=200)`.

    more: house rules, and what `adapters.pettingzoo.env` takes besides. Errors: as `game`; BridgeheadError without the extra.
    """
    from bridgehead.adapters import pettingzoo

    return pettingzoo.env(game, preset=preset, **more)


def load_record(text: str) -> Match:
    """The match of a record's text, every line checked. Errors: RecordError with line and reason."""
    from bridgehead.core import record

    return record.load(text)[0]


def player(name: str, *, level: int | str = 4, seed: int | str = 0) -> Player:
    """A computer player of a game: `bridgehead.player("barricade", level=6).choose(position)` is a legal action there.

    level: its name, or its number from 1 (the weakest) to 8; the same seed repeats its choices. Dice and cards are not
    for it to choose: `Match.deal` comes before. Errors: UnknownGame, OptionError.
    """
    from bridgehead import players
    from bridgehead.core import registry

    return players.player(players.level_named(registry.spec(name), level), seed)
