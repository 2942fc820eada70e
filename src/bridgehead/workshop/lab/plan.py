"""The plan of a lab run: arms, strengths, numbers of games, a seed. Its canonical text identifies the run."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.players.levels import levels_at
from bridgehead.workshop.arena.contest import deals
from bridgehead.workshop.lab.action_kinds import WORD, check_player_name

OPENING = 2  # random actions of each seat that vary the games of players who always choose alike
RANDOM = 40  # limit of random games that are weighed action by action
AS_WRITTEN, WITH_RULES = "as written", "with these house rules"  # names of arms that are translated
LONGEST = 20_000  # actions of one game, including chance; a longer game is cut off


class Arm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One variant of a game: a name, and the house rules that differ from the standard."""

    name: str
    rules: dict[str, Any] = {}


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One player in all seats: a name as in `action_kinds.make_entrant`, and its games in each arm.

    longest: limit of actions per game; readings: games that are replayed; 0: the plan's.
    """

    player: str
    games: Annotated[int, Meta(ge=1)]
    longest: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    readings: Annotated[int, Meta(ge=0)] = 0


class Duel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two players against each other, in sets of games with the same chance and every seating (`contest.seatings`).

    If both have one strength, the first avoids a kind of action (`action_kinds`); otherwise it is a step of the ladder.
    """

    one: str
    other: str
    sets: Annotated[int, Meta(ge=1)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Everything that decides a run's results: equal plans give equal results, byte by byte.

    arms: one, or two to compare (the same seeds in both). duels: see Duel. weighed: games of each strength that are
    evaluated action by action; at most RANDOM random ones. looks: number of decision samples of the strongest player.
    readings: games of each strength that are replayed for clauses and fields. opening: random actions of each seat at the
    start of games whose players do not vary by themselves (see `openings`). longest: limit of actions per game. level: of all
    intervals.
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
    level: Annotated[float, Meta(ge=0.5, lt=1)] = 0.95
    longest: Annotated[int, Meta(ge=10, le=1_000_000)] = LONGEST

    @property
    def ladder(self) -> list[tuple[int, Duel]]:
        """The duels of different strengths, with their indices."""
        return [(which, duel) for which, duel in enumerate(self.duels) if WORD not in duel.one]

    @property
    def abstaining(self) -> list[tuple[int, Duel]]:
        """The duels in which one player avoids a kind of action, with their indices."""
        return [(which, duel) for which, duel in enumerate(self.duels) if WORD in duel.one]

    def weighs(self, strength: int) -> int:
        """Games of a strength that are evaluated action by action: few random ones, since they are long and reveal little."""
        return min(self.weighed, RANDOM) if self.strengths[strength].player == "random" else self.weighed

    def follows(self, strength: int) -> bool:
        """Are the draws of weighed games followed? Not those of random players below others: they take long, and tell little."""
        return self.strengths[strength].player != "random" or strength == len(self.strengths) - 1

    def openings(self, *players: str) -> int:
        """The random actions of each seat at the start of games between these players: none if one of them varies by itself."""
        return 0 if any(map(self._varies, players)) else self.opening

    def _varies(self, player: str) -> bool:
        """Does a player choose by lot, or search by lot, so that games from one position differ?"""
        if player == "random" or player.startswith("search:"):
            return True
        found = [levels_at(game).get(player.partition(WORD)[0]) for game in self.games]
        return all(level is not None and (level.slack > 0 or level.looks == "search") for level in found)

    def most(self, strength: int) -> int:
        """The limit of actions of a game of one strength."""
        return self.strengths[strength].longest or self.longest

    @property
    def text(self) -> str:
        """The plan as canonical JSON."""
        return json.dumps(msgspec.to_builtins(self), sort_keys=True, separators=(",", ":"))

    @property
    def id(self) -> str:
        """Twelve letters that identify the run."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    @functools.cached_property
    def games(self) -> tuple[Game, ...]:
        """The game of each arm. It is asked for in every game that is played, and making one may take as long as playing it."""
        return tuple(registry.game(self.game, **arm.rules) for arm in self.arms)

    def make_game(self, arm: int) -> Game:
        """The game of an arm."""
        return self.games[arm]


def check_plan(plan: Plan) -> Plan:
    """The plan with the opening that its game needs, if it is playable. Errors: OptionError, BoardError."""
    if not plan.arms or not plan.strengths:
        raise OptionError("lab:error.plan_needs_house_rules_players", "plan")
    if len({arm.name for arm in plan.arms}) != len(plan.arms):
        raise OptionError("lab:error.two_arms_same_name", "arms")
    if len({each.player for each in plan.strengths}) != len(plan.strengths):
        raise OptionError("lab:error.same_player_twice", "players")
    games = [registry.game(plan.game, **arm.rules) for arm in plan.arms]
    for name in {each.player for each in plan.strengths} | {name for duel in plan.duels for name in (duel.one, duel.other)}:
        check_player_name(games[0], name)
    opening = max(0 if deals(game) == "always" else OPENING for game in games)
    return msgspec.structs.replace(plan, version=games[0].spec.version, opening=opening)
