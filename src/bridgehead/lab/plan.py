"""What a lab run plays: arms, strengths, numbers of games, a seed; its canonical text names the run."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.players.contest import OPENING, entrant, has_chance

LONGEST = 20_000  # actions of one game, chance's included; what goes on longer is broken off


class Arm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to play a game: its house rules, all that differ from the standard, and the name it is told by."""

    name: str
    rules: dict[str, Any] = {}


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Players of one kind in all seats: a name that `contest.entrant` knows, and how many games they play in each arm."""

    player: str
    games: Annotated[int, Meta(ge=1)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that decides a run's results. Two runs of equal plans have equal results, byte by byte.

    arms: one, or two that are compared (the same seeds in both). weighed: so many games of each strength are looked at
    action by action. opening: actions at the start drawn by lot, so that no two games of a game without chance are the same.
    longest: most actions of a game.
    """

    game: str
    version: str
    arms: tuple[Arm, ...]
    strengths: tuple[Strength, ...]
    seed: int = 1
    weighed: Annotated[int, Meta(ge=0)] = 200
    opening: Annotated[int, Meta(ge=0)] = 0
    longest: Annotated[int, Meta(ge=10, le=1_000_000)] = LONGEST

    @property
    def text(self) -> str:
        """The plan as canonical JSON."""
        return json.dumps(msgspec.to_builtins(self), sort_keys=True, separators=(",", ":"))

    @property
    def id(self) -> str:
        """Twelve letters that name the run."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    def made(self, arm: int) -> Game:
        """The game of an arm."""
        return registry.game(self.game, **self.arms[arm].rules)


def planned(
    game: str, arms: tuple[Arm, ...], strengths: tuple[Strength, ...], seed: int = 1, weighed: int = 200, longest: int = LONGEST
) -> Plan:
    """A plan that can be played. Errors: OptionError, BoardError."""
    if len({arm.name for arm in arms}) != len(arms):
        raise OptionError("two arms have the same name", "arms")
    if len({each.player for each in strengths}) != len(strengths):
        raise OptionError("the same player stands there twice", "players")
    for each in strengths:
        entrant(each.player, 0)
    opening = max(0 if has_chance(registry.game(game, **arm.rules)) else OPENING for arm in arms)
    return Plan(game, registry.spec(game).version, arms, strengths, seed, weighed, opening, longest)
