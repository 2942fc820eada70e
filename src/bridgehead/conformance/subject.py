"""The game that is tested, under its standard rules and under mixtures of its house rules."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game, Position
from bridgehead.core.match import Match
from bridgehead.core.spec import Spec

TRIES = 200  # most random mixtures to try until one is allowed
PATIENCE = 1800  # most seconds for a game to compile and play


@dataclass(frozen=True)
class Subject:
    """A game to test. values: values to try for house rules whose allowed values the game does not list."""

    spec: Spec
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def game(self, **rules: Any) -> Game:
        """The game under house rules. Errors: BridgeheadError."""
        return Game(self.spec, house.build(self.spec, "", rules))

    @cached_property
    def standard(self) -> Game:
        """The game under its standard rules."""
        return self.game()

    def list_other_values(self, info: house.OptionInfo) -> list[Any]:
        """Values of a house rule that differ from the standard."""
        return [value for value in self.values.get(info.name, info.values) if value != info.default]

    def list_single_changes(self) -> list[dict[str, Any]]:
        """Every house rule changed alone, to each of its other allowed values."""
        single = [{info.name: value} for info in house.describe(self.spec) for value in self.list_other_values(info)]
        return [rules for rules in single if self.allows(rules)]

    def mix_house_rules(self, rng: random.Random, share: float = 0.25) -> dict[str, Any]:
        """A random mixture of house rules that the game allows."""
        for _ in range(TRIES):
            infos = house.describe(self.spec)
            rules = {
                info.name: rng.choice(self.list_other_values(info))
                for info in infos
                if self.list_other_values(info) and rng.random() < share
            }
            if self.allows(rules):
                return rules
        return {}

    def allows(self, rules: dict[str, Any]) -> bool:
        """Whether a game starts under these house rules."""
        try:
            self.game(**rules)
        except BridgeheadError:
            return False
        return True

    def make_games(self, number: int, seed: int = 1) -> list[Game]:
        """The standard game, then this many mixtures of house rules."""
        rng = random.Random(seed)
        return [self.standard] + [self.game(**self.mix_house_rules(rng)) for _ in range(number)]

    def run_guards(
        self, rules: Sequence[dict[str, Any]], pairs: Sequence[tuple[int, int]], compiled: bool
    ) -> list[dict[str, Any]]:
        """The reports of `guards`, run in a separate process, compiled or plain: one for each set of house rules.

        pairs: numbers of games, with the most actions of each.

        The process is separate because wrong rules can write anywhere in memory.
        """
        env = {**os.environ, "NUMBA_DISABLE_JIT": "0" if compiled else "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        wanted = json.dumps([self.spec.package, list(rules), list(pairs)])
        command = [sys.executable, "-m", "bridgehead.conformance.guards", wanted]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
        way = "compiled" if compiled else "plain"
        assert done.returncode == 0, f"the {way} rules end the process with {done.returncode}: {done.stderr[-2000:]}"
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found


def play_random_action(match: Match, rng: random.Random) -> None:
    """Play a random action."""
    position = match.position
    weights = position.weights if position.is_chance else None
    match.play(rng.choices(position.legal, weights)[0])


def walk(game: Game, seed: int, most: int) -> Match:
    """A match of at most `most` random actions."""
    rng, match = random.Random(seed), Match(game)
    while not match.position.is_over and len(match.log) < most:
        play_random_action(match, rng)
    return match


def sample(match: Match, number: int, seed: int = 3) -> list[Position]:
    """Some of the positions of a match."""
    return random.Random(seed).sample(match.positions, min(number, len(match.positions)))
