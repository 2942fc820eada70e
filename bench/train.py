"""Our games as environments for learning agents, on one thread, against Pgx and PettingZoo in alternating rounds of one run.

Every contestant plays at random within the mask, and makes an observation and a mask for every decision. Rates are decisions
per second of processor time. Pgx and PettingZoo have none of our games, so Connect Four is the common one; ours is
`examples/connect_four`, which declares no planes and shows its record as numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import shared
from bridgehead.core import registry
from four import BATCHES, start
from shared import Played, Ratio, Result, Row, Worker

FORTY, FOUR = "forty_bridges", "connect_four"
PGX, ZOO = "Pgx, JAX on one processor: connect_four", "PettingZoo's own: connect_four"
TARGETS = {f"environments: {FORTY}": 2e6, f"pettingzoo: {FORTY}": 5e4}  # decisions/s


def worker(way: str, game: str) -> Callable[[], Worker]:
    """The start of one of our workers."""
    return lambda: Worker(sys.executable, "our_training.py", way, game)


def contestants() -> Mapping[str, Callable[[], Worker]]:
    """All of them by name."""
    ways = [("environments", game) for game in (*registry.specs(), FOUR)]
    ways += [("gymnasium", FORTY), *(("pettingzoo", game) for game in (*registry.specs(), FOUR))]
    ours = {f"{way}: {game}": worker(way, game) for way, game in ways}
    peers = {
        PGX: lambda: shared.best_pgx("pgx", BATCHES, 0.5),
        ZOO: lambda: Worker(shared.peer_python("pettingzoo"), "pettingzoo_connect_four.py"),
    }
    return ours | peers


def compare(played: Mapping[str, list[Played]], missing: dict[str, str]) -> Result:
    """The result of all rounds."""
    result = Result("Environments for learning agents", missing=missing)
    for name, rounds in played.items():
        rates = shared.rates(rounds)
        result.rows.append(Row(name, shared.middle(rates), "decisions/s"))
        if name in TARGETS:
            result.ratios.append(Ratio(f"{name} / its target", shared.middle(rate / TARGETS[name] for rate in rates), 1.0))
    for ours, peer in ((f"environments: {FOUR}", PGX), (f"pettingzoo: {FOUR}", ZOO)):
        if peer in played and ours in played:
            result.ratios.append(Ratio(f"{ours} / {peer}", shared.ratio(shared.rates(played[ours]), shared.rates(played[peer]))))
    return result


def main() -> None:
    parser = shared.player(__doc__, seconds=4.0)
    parser.add_argument("--only", default="", help="a part of the names of the contestants to measure, such as forty_bridges")
    wanted = parser.parse_args()
    workers, missing = start({name: make for name, make in contestants().items() if wanted.only in name})
    shared.finish(compare(shared.alternate(workers, wanted.seconds, wanted.rounds), missing), wanted.json)


if __name__ == "__main__":
    main()
