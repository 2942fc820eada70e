"""Searches run with compiled rules, in a process of its own; what they found is printed as JSON for test_search.py."""

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.players import player
from bridgehead.players.search import Search
from bridgehead.players.search import _Tree as Tree
from bridgehead.players.thoughts import Budget, Clock, SearchResult
from connect_four import SPEC

FOUR = Game(SPEC, house.build(SPEC))


def think(columns: str, simulations: int, **how: Any) -> SearchResult:
    """A search of Connect Four after discs in these columns, a to g."""
    position = Match(FOUR, ["abcdefg".index(column) for column in columns]).position
    return Search(**how).think(position, Budget(simulations=simulations))


def told(columns: str, simulations: int, **how: Any) -> dict[str, Any]:
    """What such a search found."""
    thought = think(columns, simulations, **how)
    proven = {"abcdefg"[each.action]: each.expected[0] for each in thought.candidates if each.proven}
    return {
        "action": "abcdefg"[thought.action],
        "expected": thought.expected,
        "proven": proven,
        "simulations": thought.simulations,
        "visits": sum(each.visits for each in thought.candidates),
    }


def patience() -> dict[str, Any]:
    """Seconds of this process. Told to stop before the start, told to stop by another thread, stopped by the clock."""
    position, stop, begun = Match(FOUR).position, threading.Event(), time.process_time()
    threading.Timer(0.1, stop.set).start()
    stopped = Search().think(position, Budget(seconds=60), stop)
    after_stop, begun = time.process_time() - begun, time.process_time()
    timed = Search().think(position, Budget(seconds=0.05))
    return {
        "never": Search().think(position, Budget(seconds=60), stop).simulations,
        "stopped": [stopped.simulations, after_stop],
        "timed": [timed.simulations, time.process_time() - begun],
    }


def against_greedy(games: int) -> int:
    """Games of 40 Bridges won against the greedy player, colours alternating."""
    game, won = registry.game("forty_bridges"), 0
    for number in range(games):
        match, search, greedy = Match(game), Search(seed=number), player("greedy", number)
        while match.outcome is None:
            chooser = search if match.position.actor == number % 2 else greedy
            match.play(chooser.choose(match.position))
        won += match.outcome.winners == (number % 2,)
    return won


def unanswered(answered: bool) -> int:
    """How many positions in which the other seat decides were judged without looking at its answers."""
    search = Search(seed=5, answered=answered)
    tree = Tree(Match(FOUR).position, search, "5")
    tree.grow(Clock(None, 500, None))
    seen = tree.nodes[: tree.used[0]]
    return int(((seen.visits > 0) & (seen.actor == 1) & (seen.first == 0) & (seen.proven == 0)).sum())


def main() -> None:
    found = {
        "unanswered": [unanswered(each) for each in (False, True)],
        "win": told("aabbcc", 50),
        "threat": told("aabbc", 3000),
        "unclear": told("dadb", 2000),
        "two threats": told("dfcf", 50_000),
        "repeated": [think("dc", 3000, seed=seed) for seed in (7, 7, 8)],
        "threads": [think("dc", 3000, seed=7, threads=2) for _ in range(2)],
        "full": told("", 5000, nodes=100),
        "patience": patience(),
        "against greedy": against_greedy(12),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
