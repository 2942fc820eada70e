"""What is needed again and again is found out once: of a game, and of whatever belongs to one position."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from bridgehead.core.game import Game

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
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


class once(Generic[T]):
    """A property that is found out once a thing; without the lock of Python 3.11's `cached_property`, which is dear."""

    def __init__(self, find: Callable[[Any], T]) -> None:
        self.find, self.name, self.__doc__ = find, find.__name__, find.__doc__

    @overload
    def __get__(self, thing: None, owner: type) -> once[T]: ...
    @overload
    def __get__(self, thing: object, owner: type) -> T: ...
    def __get__(self, thing: object | None, owner: type) -> once[T] | T:
        if thing is None:
            return self
        value = thing.__dict__[self.name] = self.find(thing)
        return value
