"""Drawings and words that a game needs again and again are made once, and forgotten with the game."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from bridgehead.core.game import Game

F = TypeVar("F", bound=Callable[..., Any])
MOST = 10_000  # answers that a game keeps


def kept(function: F) -> F:
    """Remember the answers of a function whose value depends on the game and on hashable arguments alone."""

    @functools.wraps(function)
    def answer(game: Game, *args: Any) -> Any:
        key, memory = (function, args), game.kept
        found = memory.get(key)
        if found is None:
            found = function(game, *args)
            if len(memory) >= MOST:
                memory.clear()
            memory[key] = found
        return found

    remembers: Any = answer
    remembered: F = remembers
    return remembered
