"""Follows a record by the rules of its game, so that a client knows itself what is due: who acts, what chance may show."""

from __future__ import annotations

from collections.abc import Sequence

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.fairness.proof import Draw, draw
from bridgehead.fairness.rules_terms import RulesTerms, digest_installed_rules


class NotLegal(BridgeheadError):
    """An action of the record that its game does not allow. at: its number in the log, from 0."""

    def __init__(self, at: int) -> None:
        super().__init__("fairness:error.not_legal", number=at + 1)
        self.at = at


class Follower:
    """A line of play, as a server tells it, played by the rules that are installed here.

    rules: what the transcripts bind, with the game, its version and the house rules; start: the text of the first position, ""
    for the usual one. kept: how many actions of the line before the last one are still played; same_sources: the installed
    rules are those that were sealed, byte by byte.
    Errors: BridgeheadError for a game, a version or house rules that are not installed here.
    """

    def __init__(self, rules: RulesTerms, start: str = "") -> None:
        game = registry.open_game(f"{rules.game}@{rules.version}", rules.options)
        self.match = Match(game, start=game.load(start) if start else None)
        self.kept = 0
        self.same_sources = rules.sources == digest_installed_rules(game.spec.package)
        first = self.position  # rules that are compiled are compiled now, and not while a draw waits for this client
        for action in first.legal[:1]:
            first.after(action).legal  # noqa: B018

    @property
    def position(self) -> Position:
        """The position after the last action of the line of play."""
        return self.match.position

    @property
    def due(self) -> int | None:
        """The number of the chance event that is due, from 0; None if chance is not to act."""
        return self.match.chances if self.position.is_chance else None

    def follow(self, actions: Sequence[int]) -> None:
        """Play a line: what it shares with the line before is kept, the rest of that is taken back.

        Errors: NotLegal; then the line ends before that action.
        """
        log = self.match.log
        most = min(len(log), len(actions))
        self.kept = next((at for at in range(most) if log[at].action != actions[at]), most)
        if self.kept < len(log):
            self.match.rewind(self.kept)
        for at in range(self.kept, len(actions)):
            if type(actions[at]) is not int or actions[at] not in self.position.legal:
                raise NotLegal(at)
            self.match.play(actions[at])

    def draw(self, at: int) -> Draw | None:
        """The chance event in a line of the log, by the rules; None if that line is a decision."""
        entry = self.match.log[at]
        return draw(self.match.positions[at], entry.action) if entry.actor < 0 else None

    def number(self, at: int) -> int:
        """How many chance events stand before a line of the log."""
        return sum(entry.actor < 0 for entry in self.match.log[:at])
