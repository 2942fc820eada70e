"""Bridgehead: four games of getting across, their rules written once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["game", "games", "load_record"]

if TYPE_CHECKING:
    from bridgehead.core.game import Game
    from bridgehead.core.match import Match


def game(name: str, *, preset: str = "", **options: Any) -> Game:
    """A game under house rules: `bridgehead.game("barricade", board="mini")`. Errors name what was wrong and where."""
    from bridgehead.core import registry

    return registry.game(name, preset=preset, **options)


def games() -> list[str]:
    """The ids of the installed games."""
    from bridgehead.core import registry

    return list(registry.specs())


def load_record(text: str) -> Match:
    """The match of a record's text, every line checked. Errors: RecordError with line and reason."""
    from bridgehead.core import record

    return record.load(text)[0]
