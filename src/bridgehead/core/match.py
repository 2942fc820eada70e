"""A match is its action log; positions, undo and forks follow from it.

It keeps the latest positions and a sample of the others, and replays the rest on demand.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import msgspec

from bridgehead.core import ending as endings
from bridgehead.core.chance import Dealer
from bridgehead.core.ending import Ending, Outcome
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game, Position
from bridgehead.core.remarks import Remarks
from bridgehead.core.spec import CHANCE, OVER

LAST = 4  # this many latest positions keep all cached properties
STEP = 16  # of the others, one in this many is kept


class LogEntry(msgspec.Struct, frozen=True, gc=False):
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

    def __init__(self, first: Position, log: list[LogEntry]) -> None:
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
        if old >= 0:  # drop a position that is unlikely to be needed, or at least its cached properties
            kept = self._kept[old]
            self._kept[old] = None if old % STEP or kept is None else kept.bare()

    def shorten(self, length: int) -> None:
        """Keep the first `length` positions. The log still holds the later actions."""
        length = min(length, len(self))
        present = self._at(length - 1)
        del self._kept[length:]
        self._kept[-1] = self.present = present
        self._found = 0, self._at(0)

    def copy(self, log: list[LogEntry]) -> History:
        """A copy. log: a copy of the log."""
        again = History(self._at(0), log)
        again._kept, again.present = list(self._kept), self.present
        return again


class Match:
    """A match, running or finished. `positions[i]` is the position before action i; the last one is the present.

    chances: the number of chance actions in the log. notes: lines of its record that are no actions: the number of actions before
    each, and its text. remarks: comments, shapes and variations, by the number of actions before. ended: how people ended the
    match, if they did; chance: the dealer, in words, "" if not known.
    """

    def __init__(self, game: Game, actions: Iterable[int] = (), start: Position | None = None) -> None:
        self.game = game
        self.log: list[LogEntry] = []
        self.positions = History(start or game.start(), self.log)
        self.chances = 0
        self.notes: list[tuple[int, str]] = []
        self.remarks: Remarks = {}
        self._ended: Ending | None = None
        self.chance = ""
        for action in actions:
            self.play(action)

    def __repr__(self) -> str:
        state = f"ended: {self.outcome.reason}" if self.outcome else f"turn {self.position.turn + 1}"
        return f"<Match {self.game.spec.id}, {state}, actions: {len(self.log)}>"

    @property
    def position(self) -> Position:
        """The present position."""
        return self.positions.present

    @property
    def ended(self) -> Ending | None:
        """How people ended the match; None if they did not. `end` sets it, and only `reopen` clears it."""
        return self._ended

    @property
    def actions(self) -> tuple[int, ...]:
        return tuple(entry.action for entry in self.log)

    @property
    def actor(self) -> int:
        """The actor: a seat, CHANCE, or OVER (by the rules, or because people ended the match)."""
        return OVER if self.ended else self.positions.present.actor

    @property
    def outcome(self) -> Outcome | None:
        return self.ended.outcome(self.game.sides) if self.ended else self.position.outcome

    def end(self, ending: Ending) -> None:
        """End the match outside the rules; no action can follow. Errors: BridgeheadError if this end is impossible."""
        endings.check(ending, self.actor == OVER, self.game.sides)
        self._ended = ending

    def reopen(self) -> None:
        """Take back the end that people made, for editors of records. A table's game that is over stays over."""
        self._ended = None

    def play(self, action: int | str) -> Position:
        """Play an action of the actor; a refused one changes nothing (IllegalAction)."""
        before = self.position
        if self.ended:
            raise BridgeheadError("error.game_over", text=self.ended.text)
        if type(action) is not int:
            action = before.action(action)
        after = before.play(action)
        self.log.append(LogEntry(before.actor, action, before.turn))
        self.chances += before.is_chance
        self.positions.append(after)
        return after

    def deal(self, dealer: Dealer) -> int:
        """Play the dealer's outcomes while chance is the actor and the dealer has one; return their number."""
        dealt = 0
        while self.actor == CHANCE and (action := dealer.deal(self.position, self.chances)) is not None:
            self.play(action)
            dealt += 1
        return dealt

    def undo_point(self) -> int | None:
        """Length of the log before the last decision, or None: undo never crosses chance or another seat."""
        if not self.log or self.log[-1].actor == CHANCE or self.actor != self.log[-1].actor:
            return None
        return len(self.log) - 1

    def draw_point(self) -> int | None:
        """Length of the log before the last draw, or None if a decision followed it. Until then a typed draw can be corrected."""
        return len(self.log) - 1 if self.log and self.log[-1].actor == CHANCE and not self.ended else None

    def undo(self) -> int:
        """Take back the last decision of the seat that still has to act; return that action."""
        point = self.undo_point()
        if point is None:
            raise BridgeheadError("error.nothing_take_back_undo_never")
        action = self.log[point].action
        self.rewind(point)
        return action

    def rewind(self, length: int) -> None:
        """Shorten the log to `length` actions without checking whether that is fair: for replay and repair.

        Errors: BridgeheadError if people have ended the match.
        """
        if self.ended:
            raise BridgeheadError("error.game_over", text=self.ended.text)
        self.chances -= sum(entry.actor == CHANCE for entry in self.log[length:])
        self.positions.shorten(length + 1)
        del self.log[length:]

    @contextlib.contextmanager
    def restore_after(self) -> Iterator[None]:
        """`with match.restore_after():` drops afterwards what was played inside."""
        length = len(self.log)
        try:
            yield
        finally:
            if len(self.log) > length:
                self.rewind(length)

    def fork(self, length: int | None = None) -> Match:
        """A new match with the same beginning (all of it, or `length` actions)."""
        return Match(self.game, self.actions[:length], self.positions[0])

    def turns(self) -> Iterator[tuple[int, list[int]]]:
        """(turn number from 1, indices into the log), turn by turn."""
        group: list[int] = []
        for index, entry in enumerate(self.log):
            if group and entry.turn != self.log[group[0]].turn:
                yield self.log[group[0]].turn + 1, group
                group = []
            group.append(index)
        if group:
            yield self.log[group[0]].turn + 1, group
