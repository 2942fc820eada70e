"""Actions by kind, and players that avoid one kind; their losses measure the value of the kind.

A kind is the word that an action's notation begins with, as in `torch B1-B2 c`. `strategist without torch` plays as
strategist does, except that it takes the best other action instead of a torch.
"""

from __future__ import annotations

import functools
import re
from typing import Any, NamedTuple

import msgspec
import numpy as np

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game, Position
from bridgehead.players import Player
from bridgehead.players.levels import Level, estimate_actions, levels_at
from bridgehead.players.watching import LookBack
from bridgehead.workshop.arena import search_players

Array = np.ndarray[Any, Any]
WORDS = re.compile(r"[a-z]{2,}(?: [a-z]{2,})*(?=$| )")
WORD = " without "
LEAST = 1e-9  # a slack too small to matter; it makes a search rate all actions
MOVE = "move"  # notation without a word, like a1-b1


class Kinds(NamedTuple):
    """names: of the kinds; of: the kind of each action, by its number."""

    names: tuple[str, ...]
    of: Array


@functools.lru_cache(8)
def kinds(game: Game) -> Kinds:
    """The kinds of a game's actions, in the order of their numbers."""
    start, names = game.start(), game.spec.words.name
    matches = [WORDS.match(names(start, action)) for action in range(game.action_count)]
    words = [found[0] if found else MOVE for found in matches]
    order = {word: place for place, word in enumerate(dict.fromkeys(words))}
    return Kinds(tuple(order), np.array([order[word] for word in words], np.int64))


def make_entrant(name: str, seed: int | str) -> Player:
    """A player by name, as in `search_players.make_entrant`, optionally without a kind of action. Errors: OptionError."""
    base, _, kind = name.partition(WORD)
    made = search_players.make_entrant(base, seed)
    return Abstaining(name, made, kind, seed) if kind else made


def check_player_name(game: Game, name: str) -> None:
    """Check a player's name and its kind of action. Errors: OptionError."""
    make_entrant(name, 0)
    base, _, kind = name.partition(WORD)
    if kind and kind not in kinds(game).names:
        raise OptionError("lab:error.no_action_called", name, kind=repr(kind), names=", ".join(kinds(game).names))
    if kind:
        _level(game, base)


class Abstaining:
    """A player that avoids one kind of action (see above). base: the player; kind: played only if no other action is legal."""

    def __init__(self, name: str, base: Player, kind: str, seed: int | str) -> None:
        self.name = name
        self._base, self._kind, self._seed = base, kind, seed
        self._made = 0

    def choose(self, position: Position, look_back: LookBack | None = None) -> int:
        """A legal action."""
        self._made += 1
        chosen, found = self._base.choose(position, look_back), kinds(position.game)
        unwanted = found.names.index(self._kind)
        free = [action for action in position.legal if found.of[action] != unwanted]
        if found.of[chosen] != unwanted or not free:
            return chosen
        level = _level(position.game, self.name.partition(WORD)[0])
        worth = estimate_actions(position, level, f"{self._seed}:{self._made}")
        best = max(worth.get(action, -2.0) for action in free)
        return SeededDealer(f"{self.name}:{self._seed}").pick([a for a in free if worth.get(a, -2.0) == best], self._made)


def _level(game: Game, base: str) -> Level:
    """The level behind a player's name. Errors: OptionError for one without an evaluation."""
    kind, _, budget = base.partition(":")
    known = levels_at(game)
    if base in known:
        found = known[base]
    elif base == "greedy":
        found = Level("ahead")
    elif kind in ("search", "deep", "turn") and budget.isdecimal():
        found = Level(kind, int(budget))  # type: ignore[arg-type]
    else:
        raise OptionError("lab:error.who_leaves_action_out_look", base)
    return msgspec.structs.replace(found, slack=found.slack or LEAST)
