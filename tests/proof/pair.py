"""The engine and its oracle side by side: the same options, the same action texts, counts made by each alone."""

import copy
import importlib
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from variants import make

GAMES = sorted(registry.specs())
BOARDS = Path(__file__).parents[1] / "boards"
UNCHANGING = {  # parts of an oracle that no action changes; clones share them
    "barricade": "opt row final start_barricades home_ids entry near distance owner team",
    "burning_bridges": "values board",
    "forty_bridges": "opt spot name steps touch jumps",
    "front_lines": "opt field_cards pack seat cells layout near",
}


def oracle(name: str, options: dict[str, Any], texts: Iterable[str] = ()) -> Any:
    """The oracle of a game after some actions."""
    found = importlib.import_module(f"oracles.{name}").Oracle(options, BOARDS)
    for text in texts:
        found.play(text)
    return found


def engine(name: str, options: dict[str, Any], texts: Iterable[str] = ()) -> Position:
    """The engine's position after some actions."""
    position = make(name, options).start()
    for text in texts:
        position = position.play(text)
    return position


def clone(name: str, one: Any) -> Any:
    """A second oracle in the same position; playing on it leaves the first alone."""
    kept: dict[int, Any] = {}
    for holder in (one, getattr(one, "table", one)):
        kept |= {id(part): part for word in UNCHANGING[name].split() if (part := getattr(holder, word, None)) is not None}
    return copy.deepcopy(one, kept)


def count_by_engine(position: Position, depth: int) -> int:
    """Number of action sequences of that length, by the engine's own functions as they run here."""
    if depth == 1:
        return len(position.legal)
    return sum(count_by_engine(position.play(action), depth - 1) for action in position.legal)


def counts_by_oracle(name: str, one: Any, depth: int) -> list[int]:
    """Numbers of sequences of 1, 2, 3… actions up to that length, by the oracle."""
    actions = one.legal()
    if depth == 1:
        return [len(actions)]
    beyond = [0] * (depth - 1)
    for action in actions:
        after = clone(name, one)
        after.play(action)
        beyond = [sum(pair) for pair in zip(beyond, counts_by_oracle(name, after, depth - 1), strict=True)]
    return [len(actions), *beyond]


def random_line(game: Game, seed: int, most: int) -> list[str]:
    """Texts of a random beginning of a game, at most so many actions; of a game that ends before, the first four fifths."""
    rng, position, line = random.Random(seed), game.start(), []
    while len(line) < most:
        weights = position.weights if position.is_chance else None
        after = position.play(action := rng.choices(position.legal, weights)[0])
        if after.is_over:
            return line[: -len(line) // 5]
        line.append(position.name(action))
        position = after
    return line
