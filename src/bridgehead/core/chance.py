"""Dealers decide outcomes of chance: from a seed, from an earlier record, or as a person types the results of real dice."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from bridgehead.core.errors import RecordError
from bridgehead.core.game import Position

T = TypeVar("T")


class Dealer(Protocol):
    """Decides outcomes of chance. `index` counts the chance actions of the match from 0, so a dealer needs no memory."""

    def deal(self, position: Position, index: int) -> int | None:
        """One of `position.legal`, where chance is the actor; None while the result is not known yet."""
        ...


class SeededDealer:
    """Deals by a seed. The same seed and index give the same result, whatever was undone or restarted before."""

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def pick(self, among: Sequence[T], index: int) -> T:
        """One of several with equal chances: for players that act at random."""
        return among[self._lot(index).randrange(len(among))]

    def _lot(self, index: int) -> random.Random:
        return random.Random(f"bridgehead:{self.seed}:{index}")

    def deal(self, position: Position, index: int) -> int:
        return self.draw(position.legal, position.weights, index)

    def draw(self, among: Sequence[int], weights: Sequence[int], index: int) -> int:
        """One of several, by their whole-numbered weights."""
        left = self._lot(index).randrange(sum(weights))
        for each, weight in zip(among, weights, strict=True):
            left -= weight
            if left < 0:
                return each
        raise AssertionError("weights do not add up")


class ReplayDealer:
    """Deals the chance actions of an earlier match, in their order."""

    def __init__(self, actions: Sequence[int]) -> None:
        self.actions = tuple(actions)

    def deal(self, position: Position, index: int) -> int:
        if index >= len(self.actions):
            raise RecordError("error.record_holds_no_further_chance", f"chance event {index + 1}")
        return self.actions[index]


class TypedDealer:
    """Leaves chance to people, who type the results of real dice and cards.

    ask: asks for a result; it returns None if nobody has typed one.
    """

    SOURCE = "real dice or cards, typed in"  # in records

    def __init__(self, ask: Callable[[Position], int | None] = lambda position: None) -> None:
        self.ask = ask

    def deal(self, position: Position, index: int) -> int | None:
        while (action := self.ask(position)) is not None and action not in position.legal:
            pass
        return action
