"""What a lab run plays: arms, strengths, numbers of games, a seed; its canonical text names the run."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.lab.abstaining import WORD, check
from bridgehead.players.contest import OPENING

RANDOM = 40  # most random games that are looked at action by action
LONGEST = 20_000  # actions of one game, chance's included; what goes on longer is broken off


class Arm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to play a game: its house rules, all that differ from the standard, and the name it is told by."""

    name: str
    rules: dict[str, Any] = {}


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Players of one kind in all seats: a name that `abstaining.entrant` knows, and how many games they play in each arm.

    longest: most actions of a game; 0: as the plan says.
    """

    player: str
    games: Annotated[int, Meta(ge=1)]
    longest: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class Duel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two players against each other, in sets of games with the same chance and every seating (`contest.seatings`).

    Of one strength where the first leaves a kind of action out (`abstaining`), else a step of the ladder.
    """

    one: str
    other: str
    sets: Annotated[int, Meta(ge=1)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that decides a run's results. Two runs of equal plans have equal results, byte by byte.

    arms: one, or two that are compared (the same seeds in both). duels: see Duel. weighed: so many games of each strength are
    looked at action by action, of random ones at most RANDOM. looks: at so many positions of its games the strongest player's
    choices are looked into. readings: so many games of each strength are read again for the clauses that decided something and
    the places used.
    opening: actions at the start drawn by lot, so that no two games of a game without chance are the same.
    longest: most actions of a game.
    """

    game: str
    version: str
    arms: tuple[Arm, ...]
    strengths: tuple[Strength, ...]
    duels: tuple[Duel, ...] = ()
    seed: int = 1
    weighed: Annotated[int, Meta(ge=0)] = 200
    looks: Annotated[int, Meta(ge=0)] = 0
    readings: Annotated[int, Meta(ge=0)] = 0
    opening: Annotated[int, Meta(ge=0)] = 0
    longest: Annotated[int, Meta(ge=10, le=1_000_000)] = LONGEST

    @property
    def ladder(self) -> list[tuple[int, Duel]]:
        """The duels of different strengths, with their numbers."""
        return [(which, duel) for which, duel in enumerate(self.duels) if WORD not in duel.one]

    @property
    def abstaining(self) -> list[tuple[int, Duel]]:
        """The duels in which one leaves a kind of action out, with their numbers."""
        return [(which, duel) for which, duel in enumerate(self.duels) if WORD in duel.one]

    def weighs(self, strength: int) -> int:
        """How many games of a strength are looked at action by action: of long random games few, for they say little."""
        return min(self.weighed, RANDOM) if self.strengths[strength].player == "random" else self.weighed

    def most(self, strength: int) -> int:
        """Most actions of a game of one strength."""
        return self.strengths[strength].longest or self.longest

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


def checked(plan: Plan) -> Plan:
    """The plan, if it can be played, with the opening that its game needs. Errors: OptionError, BoardError."""
    if not plan.arms or not plan.strengths:
        raise OptionError("lab:error.plan_needs_house_rules_players", "plan")
    if len({arm.name for arm in plan.arms}) != len(plan.arms):
        raise OptionError("lab:error.two_arms_same_name", "arms")
    if len({each.player for each in plan.strengths}) != len(plan.strengths):
        raise OptionError("lab:error.same_player_twice", "players")
    games = [registry.game(plan.game, **arm.rules) for arm in plan.arms]
    for name in {each.player for each in plan.strengths} | {name for duel in plan.duels for name in (duel.one, duel.other)}:
        check(games[0], name)
    opening = max(0 if deals(game) == "always" else OPENING for game in games)
    return msgspec.structs.replace(plan, version=games[0].spec.version, opening=opening)


def deals(game: Game) -> Literal["never", "first", "always"]:
    """When chance acts: not at all, only before the first decision (as where lots are drawn for who begins), or after it too.

    Judged by the first dozen actions. Where it does not go on, games are told apart by an opening drawn by lot.
    """
    match, decided, found = Match(game), False, False
    for _ in range(12):
        if match.outcome is not None:
            break
        if match.position.is_chance and decided:
            return "always"
        found = found or match.position.is_chance
        decided = decided or not match.position.is_chance
        match.play(match.position.legal[0])
    return "first" if found else "never"
