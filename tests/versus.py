"""An engine against its oracle, ply by ply: equal legal actions, weights, successors and outcomes, and every refusal given.

`fuzz` is what the tests, and `tools/proof.py --plies`, run: matches under random mixtures of house rules.
"""

import importlib
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.jit import bind
from bridgehead.core.position import Position
from bridgehead.core.spec import Spec
from variants import make, mixture_with, values

BOARDS = Path(__file__).parent / "boards"
Run = tuple[dict[str, Any], int, int, tuple[str, ...]]  # house rules, games, most actions, favourites: see proof/test_rare.py


class Fuzzed(NamedTuple):
    """One match compared: its house rules, its seed, how many plies agreed, and how it ended ("" if it was cut)."""

    options: dict[str, Any]
    seed: int
    plies: int
    reason: str


class Disagreement(AssertionError):
    """Engine and oracle differ. The text has what is needed to see it again: house rules and the actions that lead there."""


class Pair:
    """The two sides of one match, and the line played so far."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.name, self.options = name, options
        self.oracle = importlib.import_module(f"oracles.{name}").Oracle(options, BOARDS)
        self.position: Position = make(name, options).start()
        self.line: list[str] = []
        self.offered: dict[str, int] = {}

    def agree(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            raise Disagreement(
                f"{self.name}: {what}: engine {ours}, oracle {theirs}\n"
                f"options {self.options}\nposition {self.position.text}\nline {self.line}"
            )

    def look(self) -> dict[str, int]:
        """Compare what is on the table and what may be done; the legal actions by their texts."""
        position, told = self.position, self.oracle.facts()
        facts = position.facts()
        self.agree("facts", facts, {key: told.get(key) for key in facts})
        names = {position.name(action): action for action in position.legal}
        expected = self.offered = self.oracle.legal()
        self.agree("legal actions", sorted(names), sorted(expected))
        who = None if position.is_over else "chance" if position.is_chance else position.actor
        self.agree("actor", who, self.oracle.actor())
        self.agree("legal actions that are refused", refused(position, position.legal), [])
        if position.is_chance:
            self.agree("weights", normal(dict(zip(names, position.weights, strict=True))), normal(expected))
        return names

    def play(self, text: str, action: int) -> None:
        self.line.append(text)
        self.oracle.legal = lambda: self.offered  # it asks itself before it plays: what it said a moment ago is half the work
        self.oracle.play(text)
        del self.oracle.legal
        self.position = self.position.play(action)


def refused(position: Position, actions: Iterable[int]) -> list[int]:
    """Those of the actions that the rules refuse."""
    law, state, refusal = position.game.law, position.copy_states()[0], position.game.spec.rules.refusal
    return [action for action in actions if refusal(state, law, action) != 0]


def normal(weights: dict[str, int]) -> dict[str, int]:
    """Weights without their common factor."""
    factor = math.gcd(*weights.values())
    return {name: weight // factor for name, weight in weights.items()}


def compare(
    name: str, options: dict[str, Any], seed: int, most: int, explained: bool = False, favourites: tuple[str, ...] = ()
) -> Fuzzed:
    """Play one match at random on both sides. Errors: Disagreement.

    explained: also ask in every position whether each action id is refused exactly when it is not legal.
    favourites: beginnings of action texts that are liked, three times out of four if there is one.
    """
    pair, rng, plies = Pair(name, options), random.Random(seed), 0
    while True:
        names = pair.look()
        if explained:
            pair.agree("actions both or neither legal and refused", unexplained(pair.position), [])
        if pair.position.is_over or plies == most:
            outcome = pair.position.outcome
            return Fuzzed(options, seed, plies, outcome.reason if outcome else "")
        liked = [text for text in names if text.startswith(favourites)] if favourites and rng.random() < 0.75 else []
        choice = rng.choice(sorted(liked or names))
        pair.play(choice, names[choice])
        plies += 1


def fuzz(
    name: str,
    seed: int | str,
    plies: int,
    *,
    wanted: list[tuple[str, Any]] | None = None,
    longest: tuple[int, ...] = (150,),
    biased: Sequence[Run] = (),
    explained: bool = False,
) -> Iterator[Fuzzed]:
    """Matches under random mixtures of house rules until so many plies agreed; each wanted value of a rule in its turn.

    wanted: (house rule, value); all that there are if left out. longest: the length of a match is drawn from these.
    biased: house rules with favourites; every fifth match is one of them.
    """
    rng, played, number = random.Random(f"oracle {name} {seed}"), 0, 0
    turns = wanted or rng.sample(values(name), len(values(name)))
    while played < plies:
        favourites: tuple[str, ...] = ()
        if biased and number % 5 == 4:
            options, _, _, favourites = rng.choice(biased)
        else:
            options = mixture_with(name, rng, 0.3, *turns[number % len(turns)])
        found = compare(name, options, rng.randrange(2**32), rng.choice(longest), explained, favourites)
        played, number = played + found.plies, number + 1
        yield found


def drawn(matches: list[Fuzzed]) -> Counter[str]:
    """How often each house rule was drawn with which value, as `name=value`."""
    return Counter(f"{name}={short(value)}" for match in matches for name, value in match.options.items())


def short(value: Any) -> Any:
    """A house rule's value for a list of them: a board by its name, a layout by its size."""
    if isinstance(value, dict):
        return value.get("name", "own")
    return f"{len(value)} rows" if isinstance(value, list) else value


def unexplained(position: Position) -> list[int]:
    """Action ids that are legal and refused, or neither; the first one only when compiled."""
    game = position.game
    first, out = 0, np.empty(game.max_legal, np.int32)
    found = int(_loop(game.spec)(position.copy_states()[0], game.law, out, first, game.action_count))
    return [] if found < 0 else [found]


def _first_unexplained(state, law, out, first, beyond):  # type: ignore[no-untyped-def]
    count, at = legal(state, law, out), 0  # noqa: F821
    for action in range(first, beyond):
        listed = at < count and out[at] == action
        if listed:
            at += 1
        if (refusal(state, law, action) == 0) != listed:  # noqa: F821
            return action
    return -1


@cache
def _loop(spec: Spec) -> Any:
    names = {"legal": spec.rules.legal, "refusal": spec.rules.refusal}
    return bind(_first_unexplained, names, spec.id, spec.folder)
