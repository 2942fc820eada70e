"""Start-up times: the command line, and the first random game of each engine.

`empty`: with an empty cache of compiled code; `kept`: again, with the cache of the first run. Every measurement is a
fresh process, in seconds of wall time including the interpreter; processor time and peak memory are reported too. A
first game compiles the loop of random play and all its rules, for ours; 1,024 games that step together, for Pgx. Only
Connect Four is in all engines.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import shared
from bridgehead.core import registry
from shared import WORKERS, Middle, Missing, Ratio, Result, Row

EMPTY, KEPT = ", empty", ", kept"
LIMIT = 1000  # actions of the one game
MEGABYTE = 1 << 20 if sys.platform == "darwin" else 1 << 10  # in the unit of ru_maxrss
FASTER = 1.0  # least ratio to a peer that compiles too


class Run(NamedTuple):
    """A process: wall seconds, processor seconds, peak megabytes."""

    seconds: float
    processor: float
    megabytes: float


Case = Callable[[Path], tuple[Sequence[str | Path], dict[str, str]]]  # folder for compiled code -> command, environment


def measure(command: Sequence[str | Path], env: dict[str, str]) -> Run:
    """Run a command to its end. Errors: Missing if it fails."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **env}
    )
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Missing(f"{' '.join(map(str, command))} ended with {process.returncode}")
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / MEGABYTE)


def game(name: str, **env: str) -> Case:
    """The first random game of one of ours. A worker with empty input plays just that."""
    script, *arguments = shared.our_command(name, LIMIT)
    return lambda folder: ([sys.executable, WORKERS / script, *arguments], {"BRIDGEHEAD_CACHE": str(folder), **env})


def worker(peer: str, script: str, *arguments: str) -> Case:
    """The first random game of a peer; JAX caches everything it compiles. Errors: Missing."""
    python = shared.peer_python(peer)
    kept = {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1"}
    return lambda folder: ([python, WORKERS / script, *arguments], {"JAX_COMPILATION_CACHE_DIR": str(folder), **kept})


def cases() -> tuple[dict[str, Case], dict[str, Case], dict[str, str]]:
    """Cases without compiling, cases that start twice, and what is missing."""
    python = sys.executable
    once: dict[str, Case] = {
        "python -c pass": lambda _: ([python, "-c", "pass"], {}),
        "python -c 'import numba'": lambda _: ([python, "-c", "import numba"], {}),
        "bridgehead --help": lambda _: ([python, "-m", "bridgehead.cli", "--help"], {}),
        "bridgehead games": lambda _: ([python, "-m", "bridgehead.cli", "games"], {}),
        "connect_four, plain": game("connect_four", NUMBA_DISABLE_JIT="1"),
    }
    twice = {name: game(name) for name in [*registry.specs(), "connect_four"]}
    missing = {}
    for name, made, arguments in (
        ("OpenSpiel", once, ("openspiel", "openspiel_connect_four.py", "python")),
        ("PettingZoo", once, ("pettingzoo", "pettingzoo_connect_four.py")),
        ("Pgx", twice, ("pgx", "pgx_connect_four.py", "1024")),
    ):
        try:
            made[name] = worker(*arguments)
        except Missing as error:
            missing[name] = str(error)
    return once, twice, missing


def one_round(once: dict[str, Case], twice: dict[str, Case]) -> dict[str, Run]:
    """Every case, one after the other."""
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, case in once.items():
            runs[name] = measure(*case(Path(folder, "once")))
        for name, case in twice.items():
            for state in (EMPTY, KEPT):
                runs[name + state] = measure(*case(Path(folder, name)))
    return runs


def seconds(rounds: Iterable[dict[str, Run]], name: str) -> list[float]:
    """The wall time of one case, by round."""
    return [runs[name].seconds for runs in rounds]


def memory(megabytes: float) -> str:
    """Peak memory in words. A new process counts its parent's memory, so values below ours cannot be seen."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    return f"{megabytes:.0f} MB" if megabytes > own else f"under {own + 1:.0f} MB"


def compare(rounds: list[dict[str, Run]], missing: dict[str, str]) -> Result:
    """The result of all rounds."""
    result = Result("From starting a process to the end of its first game", missing=missing)
    for name in rounds[0]:
        processor: Middle = shared.middle(runs[name].processor for runs in rounds)
        note = f"{processor.median:.2f} s of processors, {memory(max(runs[name].megabytes for runs in rounds))}"
        result.rows.append(Row(name, shared.middle(seconds(rounds, name)), "s", note))
    for name, theirs, our, target in (
        ("Connect Four compiled anew: Pgx / ours", "Pgx" + EMPTY, "connect_four" + EMPTY, FASTER),
        ("Connect Four compiled before: Pgx / ours", "Pgx" + KEPT, "connect_four" + KEPT, FASTER),
        ("Connect Four, nothing compiled: OpenSpiel / ours", "OpenSpiel", "connect_four, plain", None),
        ("Connect Four, nothing compiled: PettingZoo / ours", "PettingZoo", "connect_four, plain", None),
    ):
        if theirs in rounds[0]:
            result.ratios.append(Ratio(name, shared.ratio(seconds(rounds, theirs), seconds(rounds, our)), target))
    return result


def main() -> None:
    parser = shared.parser(__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="alternating rounds (%(default)s)")
    wanted = parser.parse_args()
    once, twice, missing = cases()
    shared.finish(compare([one_round(once, twice) for _ in range(wanted.rounds)], missing), wanted.json)


if __name__ == "__main__":
    main()
