"""Caching helpers: a cache of function results in each game, and properties that an object computes once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
MOST = 5000  # cached results of a function for a game


class ResultKeeper(Protocol):
    """The part of a game that this module uses: the results of each function, by its other arguments."""

    kept: dict[Any, dict[Any, Any]]


def cached_per_game(function: F) -> F:
    """Cache a function whose result depends only on the game and on hashable arguments."""

    @functools.wraps(function)
    def answer(game: ResultKeeper, *args: Any) -> Any:
        try:
            return game.kept[function][args]
        except KeyError:
            found = function(game, *args)
        results = game.kept.setdefault(function, {})
        if len(results) >= MOST:
            results.clear()
        results[args] = found
        return found

    remembers: Any = answer
    remembered: F = remembers
    return remembered


def by_action(function: Callable[[Any, int], T]) -> Callable[[Any, int], T]:
    """A function of a position and an action from one of its game and the action. Each game keeps all results."""

    def answer(position: Any, action: int) -> T:
        game = position.game
        try:
            found: T = game.kept[function][action]
        except KeyError:
            found = game.kept.setdefault(function, {})[action] = function(game, action)
        return found

    return answer


class Value:
    """An object that never changes: a copy of it is the object itself."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class once(Generic[T]):
    """A property that each object computes once. Python 3.11's `cached_property` takes a lock, which is slow."""

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
