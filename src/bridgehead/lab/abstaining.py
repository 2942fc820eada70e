"""Players that avoid one kind of action while there is another; their losses show what the kind is worth.

`strategist without torch` plays as strategist does, except that it takes the best other action instead of a torch.
"""

from __future__ import annotations

import msgspec

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.core.spec import Spec
from bridgehead.lab.action_kinds import kinds
from bridgehead.players import Player, contest
from bridgehead.players.levels import Level, expected, levels

WORD = " without "
LEAST = 1e-9  # a slack too small to matter; it makes a search rate all actions


def entrant(name: str, seed: int | str) -> Player:
    """A player by name, as in `contest.entrant`, optionally without a kind of action. Errors: OptionError."""
    base, _, kind = name.partition(WORD)
    made = contest.entrant(base, seed)
    return Abstaining(name, made, kind, seed) if kind else made


def check(game: Game, name: str) -> None:
    """Check a player's name and its kind of action. Errors: OptionError."""
    entrant(name, 0)
    base, _, kind = name.partition(WORD)
    if kind and kind not in kinds(game).names:
        raise OptionError(f"there is no action called {kind!r}; there are {', '.join(kinds(game).names)}", name)
    if kind:
        _level(game.spec, base)


class Abstaining:
    """A player without one kind of action (see above). base: the player; kind: taken only if there is nothing else."""

    def __init__(self, name: str, base: Player, kind: str, seed: int | str) -> None:
        self.name = name
        self._base, self._kind, self._seed = base, kind, seed
        self._made = 0

    def choose(self, position: Position) -> int:
        """A legal action."""
        self._made += 1
        chosen, found = self._base.choose(position), kinds(position.game)
        unwanted = found.names.index(self._kind)
        free = [action for action in position.legal if found.of[action] != unwanted]
        if found.of[chosen] != unwanted or not free:
            return chosen
        level = _level(position.game.spec, self.name.partition(WORD)[0])
        worth = expected(position, level, f"{self._seed}:{self._made}")
        best = max(worth.get(action, -2.0) for action in free)
        return SeededDealer(f"{self.name}:{self._seed}").pick([a for a in free if worth.get(a, -2.0) == best], self._made)


def _level(spec: Spec, base: str) -> Level:
    """The level behind a player's name. Errors: OptionError for one without an evaluation."""
    kind, _, budget = base.partition(":")
    if base in levels(spec):
        found = levels(spec)[base]
    elif base == "greedy":
        found = Level("ahead")
    elif kind in ("search", "deep", "turn") and budget.isdecimal():
        found = Level(kind, int(budget))  # type: ignore[arg-type]
    else:
        raise OptionError("who leaves an action out has to look at the others: a level, greedy, search:N, deep:N, turn:N", base)
    return msgspec.structs.replace(found, slack=found.slack or LEAST)
