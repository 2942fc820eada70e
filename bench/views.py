"""How many views of a table the server encodes per second, with all sentences and pictures ready.

With `--against`, the same for another checkout of this project, in turns with this one: a change to the views is compared
with the commit before it (`--against ../main/src`). Also checks that both send the same bytes.
"""

from __future__ import annotations

import os
import subprocess
import sys

import shared
from bridgehead.core import registry
from shared import WORKERS, Ratio, Result, Row, Worker

LEAST = 1 / 1.3  # of the other's speed


def sources(name: str) -> dict[str, str]:
    """What makes a process run the code in that folder; "" for this checkout."""
    return {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": name or str(shared.ROOT / "src")}


def same_bytes(game: str, other: str) -> bool:
    """Do both checkouts encode the same views?"""
    command = [sys.executable, str(WORKERS / "views.py"), game, "DIGEST"]
    found = {subprocess.check_output(command, env={**os.environ, **sources(each)}) for each in ("", other)}
    return len(found) == 1


def main() -> None:
    parser = shared.player(__doc__, seconds=2.0)
    parser.add_argument("--against", default="", help="the folder src of another checkout")
    wanted, result = parser.parse_args(), Result("Views encoded, sentences and pictures ready")
    for game in registry.specs():
        workers = {"": Worker(sys.executable, "views.py", game, **sources(""))}
        if wanted.against:
            workers[wanted.against] = Worker(sys.executable, "views.py", game, **sources(wanted.against))
        played = shared.alternate(workers, wanted.seconds, wanted.rounds)
        rates = {name: shared.rates(rounds) for name, rounds in played.items()}
        result.rows.append(Row(game, shared.middle(rates[""]), "views/s"))
        if wanted.against:
            result.ratios.append(Ratio(f"{game}: this / {wanted.against}", shared.ratio(rates[""], rates[wanted.against]), LEAST))
            if not same_bytes(game, wanted.against):
                result.wrong.append(f"{game}: the views differ")
    shared.finish(result, wanted.json)


if __name__ == "__main__":
    main()
