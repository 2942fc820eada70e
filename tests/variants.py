"""House rules to try: every option with values away from the default, and random mixtures of them; and random games."""

import json
import random
from functools import lru_cache
from pathlib import Path
from typing import Any

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match

BOARDS = Path(__file__).parents[1] / "src" / "bridgehead" / "games"

# Numbers and texts that `describe` cannot list, and seat counts.
VALUES: dict[str, dict[str, list[Any]]] = {
    "forty_bridges": {
        "layout": ["a1,b1,A1 e5,d5,D4"], "sidesNeeded": [1, 2, 4, 5], "maxCaptures": [2], "repetition": ["none", "forbid"],
        "quietLimit": [2, 10, 40, None, 150],
    },
    "barricade": {
        "seats": [2, 3, 4],
        "board": ["mini", "six"],
        "homes": ["1,2", "2,4", "1,3,4"],
        "teams": ["0,2/1,3", "0/1,2,3", "0,1/2", "0/1/2,3"],
        "pawns": [1, 2],
        "turnLimit": [1, 30, 200],
        "dieSides": [2, 4, 8],
        "barricades": [0, 1, 6],
    },
    "front_lines": {
        "seats": [2, 3, 4],
        "lives": [1, 3],
        "rows": [1, 3, 8],
        "layout": [[["2H", "2S", "JD", "3C"]], [["2H", "9S", "KH", "5D"], ["2S", "JC", "3C", "4D"], ["AC", "AH", "8D", "QS"]]],
    },
    "burning_bridges": {
        "seats": [2, 3, 4, 5],
        "board": ["star3", "star4", "star6"],
        "families": ["1,3", "0,1,2"],
        "maxBridgesPerFamily": [1, 3],
        "immunityTurns": [0, 1, 5],
        "idleLimit": [1, 3],
        "roundLimit": [3, 20],
        "noneCost": [1],
        "lastMoves": [1, 3],
        "pie": [True],
        "bid": [True],
    },
}  # fmt: skip


def changes(game: str) -> list[dict[str, Any]]:
    """Every option changed alone, to each of its other values (where that is a sound set of house rules)."""
    found = []
    for info in house.describe(registry.spec(game)):
        for value in VALUES[game].get(info.name, [v for v in info.values if v != info.default]):
            if sound(game, {info.name: value}):
                found.append({info.name: value})
    return found


def mixture(game: str, rng: random.Random, share: float = 0.25) -> dict[str, Any]:
    """A random, sound mixture of house rules."""
    while True:
        options = {}
        for info in house.describe(registry.spec(game)):
            values = VALUES[game].get(info.name, list(info.values))
            if values and rng.random() < share:
                options[info.name] = rng.choice(values)
        if sound(game, options):
            return options


def values(game: str) -> list[tuple[str, Any]]:
    """Every house rule with each of its values away from the default."""
    infos = house.describe(registry.spec(game))
    return [
        (info.name, value)
        for info in infos
        for value in VALUES[game].get(info.name, list(info.values))
        if value is not None and value != info.default
    ]


def mixture_with(game: str, rng: random.Random, share: float, name: str, value: Any) -> dict[str, Any]:
    """A random, sound mixture in which one house rule has this value; few others if it goes with few."""
    for tries in range(1000):
        options = {name: value}
        for other, choice in rng.sample(values(game), len(values(game))):
            if other not in options and rng.random() < share / (1 + tries // 100):
                options[other] = choice
        if sound(game, options):
            return options
    raise AssertionError(f"{game}: no sound house rules with {name}={value}")


def sound(game: str, options: dict[str, Any]) -> bool:
    """Whether a game starts under these house rules."""
    try:
        make(game, options)
    except BridgeheadError:
        return False
    return True


def make(game: str, options: dict[str, Any]) -> Game:
    """The game under house rules."""
    return _made(game, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=32)
def _made(game: str, options: str) -> Game:
    spec = registry.spec(game)
    return Game(spec, house.build(spec, "", json.loads(options)))


def at_random(game: Game, lot: random.Random, most: int = 10**9) -> Match:
    """A match of so many random actions at most, chance's too."""
    match = Match(game)
    while not match.position.is_over and len(match.log) < most:
        match.play(lot.choice(match.position.legal))
    return match
