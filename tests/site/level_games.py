"""Games between the levels, with the budgets that they have at a table. A game depends on its number alone."""

import functools
import random
from collections import Counter

from bridgehead.core import record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.players.levels import NAMES, LevelPlayer

ENOUGH = 1000  # games of each level
MOST = 3000  # actions of a game, which stays unfinished then
SEATS = {"forty_bridges": (2,), "barricade": (2, 3, 4), "front_lines": (2, 4), "burning_bridges": (2, 3, 4, 5)}


def seated(name: str, number: int) -> list[str]:
    """The levels of a game, all different, by seat."""
    rng = random.Random(f"{name} {number}")
    return rng.sample(NAMES, rng.choice(SEATS[name]))


@functools.cache
def wanted(name: str) -> list[int]:
    """The numbers of the games in which every level sits often enough. Those without the master, which are quick, come first."""
    often: Counter[str] = Counter()
    while min(often[level] for level in NAMES) < ENOUGH:
        often.update(["games", *seated(name, often["games"])])
    return sorted(range(often["games"]), key=lambda number: ("master" in seated(name, number), number))


def play(name: str, number: int) -> str:
    """Its record, under the usual rules. The names of the seats are their levels."""
    levels = seated(name, number)
    match, dealer = Match(registry.game(name, seats=len(levels))), SeededDealer(f"{name} {number}")
    players = [LevelPlayer(level, f"{number}:{seat}") for seat, level in enumerate(levels)]
    while len(match.log) < MOST:
        match.deal(dealer)
        if match.outcome:
            break
        match.play(players[match.position.actor].choose(match.position))
    return record.dump(match, levels)
