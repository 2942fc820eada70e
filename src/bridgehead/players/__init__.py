"""Computer players by level. A player sees only what the table shows its seat."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Protocol

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Position
from bridgehead.core.spec import Spec
from bridgehead.players.levels import NAMES, LevelPlayer, deciding, levels, values_ahead
from bridgehead.players.watching import LookBack

LEVELS = ("random", "greedy")  # of every game
USUAL = "ranger"  # the default: a middle level


class Player(Protocol):
    """Chooses actions for a seat."""

    def choose(self, position: Position, look_back: LookBack | None = None) -> int:
        """One of `position.legal`; a seat of this player must be to act. Errors: BridgeheadError otherwise.

        look_back: gives the latest play.
        """
        ...


class Drawing:
    """A player that draws one of its best actions by lot; repeatable by its seed. A subclass has `name` and `best`."""

    name = ""

    def __init__(self, seed: int | str) -> None:
        self._lot = SeededDealer(f"{self.name}:{seed}")
        self._seed = seed
        self._made = 0

    def __repr__(self) -> str:
        return f"<Player {self.name}, seed {self._seed}>"

    def choose(self, position: Position, look_back: LookBack | None = None) -> int:
        deciding(position)
        self._made += 1
        return self._lot.pick(self.best(position), self._made)

    def best(self, position: Position) -> Sequence[int]:
        """The actions to draw from."""
        raise NotImplementedError


class RandomPlayer(Drawing):
    """Chooses uniformly among the legal actions."""

    name = "random"

    def best(self, position: Position) -> Sequence[int]:
        return position.legal


class GreedyPlayer(Drawing):
    """Looks one action ahead with the game's evaluation and takes the best action for the seat."""

    name = "greedy"

    def best(self, position: Position) -> Sequence[int]:
        worth = values_ahead(position)
        return [action for action in worth if worth[action] == max(worth.values())]


def levels_of(spec: Spec) -> tuple[str, ...]:
    """All levels of a game: the two of every game, then its own from the weakest to the strongest."""
    return (*LEVELS, *levels(spec))


def list_levels(spec: Spec) -> tuple[str, ...]:
    """The levels offered to people, from the weakest to the strongest: the game's own, else those of every game."""
    return tuple(levels(spec)) or LEVELS


def usual(spec: Spec) -> str:
    """The default level."""
    found = list_levels(spec)
    return USUAL if USUAL in found else found[-1]


def strengths(spec: Spec) -> dict[str, str]:
    """Three of the offered levels, for people who do not want to choose among all: easy, medium and hard."""
    found = list_levels(spec)
    most = len(found) - 1
    return {"easy": found[most // 7], "medium": found[most // 2], "hard": found[-(-most * 5 // 7)]}


def level_named(spec: Spec, named: str | int) -> str:
    """A level by its name, or by its number from 1 (the weakest of those offered). Errors: OptionError."""
    found = list_levels(spec)
    if str(named).isdecimal() and 1 <= int(named) <= len(found):
        return found[int(named) - 1]
    if named not in levels_of(spec):
        raise OptionError(
            "players:error.no_level_1", "level", named=repr(named), spec=", ".join(levels_of(spec)), count=len(found)
        )
    return str(named)


def player(level: str, seed: int | str, stop: threading.Event | None = None) -> Player:
    """The computer player of a level. stop: ends a search early when set. Errors: OptionError for an unknown level."""
    if level in NAMES:
        return LevelPlayer(level, seed, stop=stop)
    if level not in LEVELS:
        raise OptionError("players:error.no_level", "level", level=repr(level), value=", ".join((*LEVELS, *NAMES)))
    return RandomPlayer(seed) if level == "random" else GreedyPlayer(seed)
