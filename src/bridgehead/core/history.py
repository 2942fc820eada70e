"""The positions of a match. It keeps the latest and a sample of the others; it replays the rest on demand."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import overload

import msgspec

from bridgehead.core.game import Position

LAST = 4  # this many latest positions keep all cached properties
STEP = 16  # of the others, one in this many is kept


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One action of the log: the actor (a seat or CHANCE), the action, and its turn (from 0).

    A server holds millions of them. They refer to no other object, so the garbage collector can skip them (`gc=False`).
    """

    actor: int
    action: int
    turn: int


class History(Sequence[Position]):
    """`history[i]` is the position before action i; the last is the present one. A server holds thousands of long matches.

    log: the actions. Its owner first adds an action there, then appends the next position here. present: the last position.
    """

    def __init__(self, first: Position, log: list[Entry]) -> None:
        self._log = log
        self._kept: list[Position | None] = [first]
        self.present = first
        self._found = (0, first)  # the latest replayed position: reading all positions in order plays each action once

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def held(self) -> int:
        """The number of positions in memory."""
        return min(len(self), LAST) + max(0, len(self) - LAST + STEP - 1) // STEP

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> list[Position]: ...
    def __getitem__(self, index: int | slice) -> Position | list[Position]:
        if isinstance(index, slice):
            return [self._at(i) for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError("the match is not that long")
        return self._at(at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(operator.eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[Position]:
        for index in range(len(self)):
            yield self._at(index)

    def _at(self, index: int) -> Position:
        kept = self._kept[index]
        if kept is not None:
            return kept
        at, position = self._found
        begin = index - index % STEP
        if not begin <= at <= index:
            at, first = begin, self._kept[begin]
            assert first is not None
            position = first
        for entry in self._log[at:index]:
            position = position.after(entry.action)
        self._found = index, position
        return position

    def append(self, position: Position) -> None:
        """Add the position after the last action."""
        self._kept.append(position)
        self.present = position
        old = len(self._kept) - 1 - LAST
        if old >= 0:
            self._fade(old)

    def _fade(self, index: int) -> None:
        """Drop a position that is unlikely to be needed, or at least its cached properties."""
        kept = self._kept[index]
        self._kept[index] = None if index % STEP or kept is None else kept.bare()

    def shorten(self, length: int) -> None:
        """Keep the first `length` positions. The log still holds the later actions."""
        length = min(length, len(self))
        present = self._at(length - 1)
        del self._kept[length:]
        self._kept[-1] = self.present = present
        self._found = 0, self._at(0)

    def copy(self, log: list[Entry]) -> History:
        """A copy. log: a copy of the log."""
        again = History(self._at(0), log)
        again._kept, again.present = list(self._kept), self.present
        return again
