"""A match is its action log; positions, undo and forks follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bridgehead.core import ending as endings
from bridgehead.core.chance import Dealer
from bridgehead.core.ending import Ending
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.history import Entry as Entry
from bridgehead.core.history import History
from bridgehead.core.outcome import Outcome
from bridgehead.core.position import Position
from bridgehead.core.spec import CHANCE, OVER


class Match:
    """A match, running or finished. `positions[i]` is the position before action i; the last one is the present.

    chances: the number of chance actions in the log.
    notes: lines of its record that are no actions: the number of actions before each, and its text.
    ended: how people ended the match, if they did; chance: the dealer, in words, "" if not known.
    """

    def __init__(self, game: Game, actions: Iterable[int] = (), start: Position | None = None) -> None:
        self.game = game
        self.log: list[Entry] = []
        self.positions = History(start or game.start(), self.log)
        self.chances = 0
        self.notes: list[tuple[int, str]] = []
        self.ended: Ending | None = None
        self.chance = ""
        for action in actions:
            self.play(action)

    @property
    def position(self) -> Position:
        """The present position."""
        return self.positions.present

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
        endings.check(ending, self.actor, self.game.sides)
        self.ended = ending

    def play(self, action: int | str) -> Position:
        """Play an action of the actor; a refused one changes nothing (IllegalAction)."""
        before = self.position
        if self.ended:
            raise BridgeheadError("error.game_over", text=self.ended.text)
        if isinstance(action, str):
            action = before.read(action)
        after = before.play(action)
        self.log.append(Entry(before.actor, action, before.turn))
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

    def undo(self) -> int:
        """Take back the last decision of the seat that still has to act; return that action."""
        point = self.undo_point()
        if point is None:
            raise BridgeheadError("error.nothing_take_back_undo_never")
        action = self.log[point].action
        self.rewind(point)
        return action

    def rewind(self, length: int) -> None:
        """Shorten the log to `length` actions without checking whether that is fair: for replay and repair."""
        self.ended = None
        self.chances -= sum(entry.actor == CHANCE for entry in self.log[length:])
        self.positions.shorten(length + 1)
        del self.log[length:]

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
