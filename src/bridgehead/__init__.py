"""Bridgehead: four games of getting across, their rules written once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bridgehead.core.version import __version__

__all__ = ["__version__", "env", "game", "games", "load_record", "player"]

if TYPE_CHECKING:
    from bridgehead.adapters.pettingzoo import Environment
    from bridgehead.core.game import Game
    from bridgehead.core.match import Match
    from bridgehead.players import Player


def game(name: str, *, preset: str = "", **options: Any) -> Game:
    """A game under house rules: `bridgehead.game("barricade", board="mini")`. An error states its reason and place."""
    from bridgehead.core import registry

    return registry.game(name, preset=preset, **options)


def games() -> list[str]:
    """The ids of the installed games."""
    from bridgehead.core import registry

    return list(registry.specs())


def env(game: str | Game, **more: Any) -> Environment:
    """A game as a PettingZoo environment (extra `pettingzoo`): `bridgehead.env("barricade", board="mini",
    max_cycles=200)`.

    more: preset, house rules, and the other arguments of `adapters.pettingzoo.Environment`. Errors: as `game`; MissingExtra.
    """
    from bridgehead.adapters import pettingzoo

    return pettingzoo.env(game, **more)


def load_record(text: str) -> Match:
    """The match of a record's text, with every line checked. Errors: RecordError with line and reason."""
    from bridgehead.core import record

    return record.load(text)[0]


def player(name: str, *, level: int | str = 4, seed: int | str = 0) -> Player:
    """A computer player of a game: `bridgehead.player("barricade", level=6).choose(position)` is a legal action.

    level: its name, or its number from 1 (the weakest) to 8; the same seed repeats its choices. It does not choose dice
    and cards: call `Match.deal` first. Errors: UnknownGame, OptionError.
    """
    from bridgehead import players
    from bridgehead.core import registry

    return players.player(players.level_named(registry.spec(name), level), seed)
