"""The same rules without the compiler (NUMBA_DISABLE_JIT=1), as the server runs them, next to python-chess.

The first actions of random games, in decisions per second of processor time. python-chess is the best-known rules
library in pure Python. Chess is another game, so that ratio is a scale and not a contest. The other ratio shows the
gain from compiling.
"""

from __future__ import annotations

import shared
from bridgehead.core import registry
from shared import Missing, Ratio, Result, Row, Worker

CHESS = "python-chess"
LIMIT = 200  # actions per game, plain or compiled; also of chess


def start(names: list[str]) -> tuple[dict[str, Worker], dict[str, str]]:
    """Each game compiled and plain, and python-chess or why it is missing."""
    workers: dict[str, Worker] = {}
    for name in names:
        workers[f"{name}, compiled"] = shared.ours(name, LIMIT)
        workers[f"{name}, plain"] = shared.ours(name, LIMIT, NUMBA_DISABLE_JIT="1")
    try:
        workers[CHESS] = Worker(shared.peer_python("chess"), "python_chess.py")
    except Missing as error:
        return workers, {CHESS: str(error)}
    return workers, {}


def main() -> None:
    wanted = shared.player(__doc__, seconds=2.5).parse_args()
    names = list(registry.specs())
    workers, missing = start(names)
    rates = {name: shared.rates(rounds) for name, rounds in shared.alternate(workers, wanted.seconds, wanted.rounds).items()}
    result = Result("Our rules without the compiler", missing=missing)
    result.rows = [Row(name, shared.middle(found), "decisions/s") for name, found in rates.items()]
    for name in names:
        plain = rates[f"{name}, plain"]
        result.ratios.append(Ratio(f"{name}: compiled / plain", shared.ratio(rates[f"{name}, compiled"], plain)))
        if CHESS in rates:
            result.ratios.append(Ratio(f"{name}, plain / {CHESS}", shared.ratio(plain, rates[CHESS])))
    shared.finish(result, wanted.json)


if __name__ == "__main__":
    main()
