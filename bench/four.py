"""Connect Four at random on one thread: our kit against other engines, in alternating rounds of one run.

Every contestant draws uniformly among the legal columns and plays to the end; a decision is one disc. Rates are
decisions per second of the contestant's own processor time. `workers/openspiel_connect_four.py` explains how
OpenSpiel's C++ is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import shared
from shared import Missing, Played, Ratio, Result, Row, Worker

CPP, PYTHON, TREE, OWN_TREE = "OpenSpiel, C++ rollouts", "OpenSpiel from Python", "OpenSpiel, C++ MCTSBot", "our search"
TARGETS = {CPP: 12.0, PYTHON: 5.0}
SEARCH_TARGET = 3.0  # least ratio of simulations per second, ours to OpenSpiel's
BATCHES = (256, 1024, 4096)  # of Pgx; the best is reported
TOLERANCE = 0.5  # largest difference between mean lengths of one game, in decisions: about six standard errors


def openspiel(way: str) -> Worker:
    """OpenSpiel, driven in one of three ways."""
    return Worker(shared.peer_python("openspiel"), "openspiel_connect_four.py", way)


CONTESTANTS: Mapping[str, Callable[[], Worker]] = {
    CPP: lambda: openspiel("rollouts"),
    TREE: lambda: openspiel("mcts"),
    OWN_TREE: lambda: Worker(sys.executable, "our_search.py"),
    PYTHON: lambda: openspiel("python"),
    "Pgx, JAX on one processor": lambda: shared.best_pgx("pgx", BATCHES, 0.5),
    "PettingZoo": lambda: Worker(shared.peer_python("pettingzoo"), "pettingzoo_connect_four.py"),
}


def start(contestants: Mapping[str, Callable[[], Worker]]) -> tuple[dict[str, Worker], dict[str, str]]:
    """The workers that started, and why the others did not."""
    workers, missing = {}, {}
    for name, make in contestants.items():
        try:
            workers[name] = make()
        except Missing as error:
            missing[name] = str(error)
    return workers, missing


def different(lengths: Mapping[str, float], own: float) -> list[str]:
    """Contestants whose random games have another mean length than ours, so they play another game."""
    return [
        f"{name}: a random game has {length:.2f} decisions, ours {own:.2f}"
        for name, length in lengths.items()
        if abs(length - own) > TOLERANCE
    ]


def compare(played: Mapping[str, list[Played]], missing: dict[str, str]) -> Result:
    """The result of all rounds; `played["ours"]` is ours."""
    own = shared.rates(played["ours"])
    trees = (TREE, OWN_TREE)  # these count games that begin in a tree
    lengths = {name: shared.mean_length(rounds) for name, rounds in played.items() if name not in trees}
    rows = []
    for name, rounds in played.items():
        length = f"{lengths[name]:.2f} decisions a game" if name in lengths else simulations(rounds)
        rows.append(Row(name, shared.middle(shared.rates(rounds)), "decisions/s", length))
    others = {name: shared.rates(rounds) for name, rounds in played.items() if name not in ("ours", OWN_TREE)}
    ratios = [
        Ratio(f"Connect Four: ours / {name}", shared.ratio(own, theirs), TARGETS.get(name)) for name, theirs in others.items()
    ]
    if TREE in played and OWN_TREE in played:
        times = shared.ratio(searched(played[OWN_TREE]), searched(played[TREE]))
        ratios.append(Ratio("Connect Four, simulations: our search / MCTSBot", times, SEARCH_TARGET))
    claim = "Connect Four at random on one thread against other engines"
    return Result(claim, rows, ratios, missing, different(lengths, lengths["ours"]))


def simulations(rounds: list[Played]) -> str:
    """Simulations per second of a tree search, in words."""
    found = shared.middle(searched(rounds))
    return f"{found.median / 1e3:.3g} k simulations/s"


def searched(rounds: list[Played]) -> list[float]:
    """Simulations per second of a tree search, by round."""
    return [played.games / played.seconds for played in rounds]


def main() -> None:
    wanted = shared.player(__doc__, seconds=4.0).parse_args()
    workers, missing = start(CONTESTANTS)
    played = shared.alternate({"ours": shared.ours("connect_four"), **workers}, wanted.seconds, wanted.rounds)
    shared.finish(compare(played, missing), wanted.json)


if __name__ == "__main__":
    main()
