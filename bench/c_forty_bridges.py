"""40 Bridges against the same rules in C (bench/c/forty_bridges.c): equal games and their speeds.

Random play by the standard rules, one thread. First both play the same seeds, and every game must end alike: the pieces
left, decisions, turns, plies since the last removal, reason and winner. Then they play alternating rounds; the ratio is
ours / C in processor time of each round. Needs a C compiler and a processor with BMI2.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import shared
from bridgehead.core import registry
from bridgehead.core.jit import COMPILED
from bridgehead.core.kernels import kernels
from shared import Missing, Ratio, Result, Row

SOURCE = Path(__file__).parent / "c" / "forty_bridges.c"
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-std=c11", "-Wall", "-Wextra", "-Werror")
LIMIT = 100_000  # actions per game; no game is so long
TARGET = 0.5
NAMES = ("decisions", "turns", "quiet", "reason", "winner")
RESULT = np.dtype([("pieces", np.uint64, (2,)), *((name, np.int64) for name in NAMES)])


def in_c(folder: Path) -> ctypes.CDLL:
    """The C program, compiled into `folder`. Errors: Missing without a compiler or on an unsupported processor."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        raise Missing("no C compiler: set CC")
    target = folder / "forty_bridges.so"
    done = subprocess.run([compiler, *FLAGS, "-o", target, SOURCE], capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{compiler} cannot compile it: {shared.last_line(done.stderr)}")
    library = ctypes.CDLL(str(target))
    library.random_games.argtypes, library.random_games.restype = [ctypes.c_uint64, ctypes.c_int64], ctypes.c_int64
    library.play_games.argtypes, library.play_games.restype = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p], None
    library.prepare()
    return library


def results_in_c(library: ctypes.CDLL, seeds: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How the game of each seed ends in C: records of RESULT."""
    results = np.zeros(len(seeds), RESULT)
    library.play_games(seeds.ctypes.data, len(seeds), results.ctypes.data)
    return results


def our_results(seeds: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How the game of each seed ends here: records of RESULT."""
    game = registry.game("forty_bridges")
    states, out = game.new_states(len(seeds)), np.empty(game.max_legal, np.int32)
    results, lengths = np.zeros(len(seeds), RESULT), np.zeros(len(seeds), np.int64)
    play, skill = kernels(game.spec).play_games, np.zeros(2, np.int64)
    play(states, game.law, seeds, LIMIT, skill, out, lengths, np.zeros((len(seeds), 2)))
    for name in ("pieces", *NAMES[1:]):
        results[name] = states[name]
    results["decisions"] = lengths
    return results


def differences(ours: np.ndarray[Any, Any], theirs: np.ndarray[Any, Any]) -> list[str]:
    """The first game that ends differently, in words; "" if there is none."""
    for seed, (here, there) in enumerate(zip(ours, theirs, strict=True), start=1):
        if here != there:
            return [f"seed {seed} ends differently, {RESULT.names}: ours {here}, C {there}"]
    return []


def ends(results: np.ndarray[Any, Any]) -> str:
    """Numbers of games by reason."""
    reasons = registry.spec("forty_bridges").rules.REASONS
    return ", ".join(f"{name} {int((results['reason'] == code).sum())}" for code, (name, _) in enumerate(reasons) if name)


def rates(library: ctypes.CDLL, rounds: int, games: int) -> tuple[list[float], list[float]]:
    """Decisions per second of processor time by round, ours and C's. Errors: ValueError if they differ in number."""
    game = registry.game("forty_bridges")
    state, out = game.new_states(1)[0], np.empty(game.max_legal, np.int32)
    play = kernels(game.spec).random_games
    play(state, game.law, np.uint64(0), 1, LIMIT, out)
    ours, theirs = [], []
    for seed in range(1, rounds + 1):
        start = time.process_time()
        made = play(state, game.law, np.uint64(seed), games, LIMIT, out)[0]
        between = time.process_time()
        made_in_c = library.random_games(seed, games)
        end = time.process_time()
        if made != made_in_c:
            raise ValueError(f"seed {seed}: {made} decisions here, {made_in_c} in C")
        ours.append(made / (between - start))
        theirs.append(made / (end - between))
    return ours, theirs


def measure(check: int, rounds: int, games: int) -> Result:
    """Compare the games, then measure the rates and their ratio."""
    claim = "40 Bridges at random against the same rules in C"
    with tempfile.TemporaryDirectory() as folder:
        try:
            library = in_c(Path(folder))
        except Missing as error:
            return Result(claim, missing={"C": str(error)})
        seeds = np.arange(1, check + 1, dtype=np.uint64)
        played = our_results(seeds)
        if wrong := differences(played, results_in_c(library, seeds)):
            return Result(claim, wrong=wrong)
        ours, theirs = rates(library, rounds, games)
    rows = [Row("ours", shared.middle(ours), "decisions/s"), Row("C", shared.middle(theirs), "decisions/s")]
    same = f"{check} games end alike: {ends(played)}"
    return Result(f"{claim}; {same}", rows, [Ratio("ours / C", shared.ratio(ours, theirs), TARGET)])


def main() -> None:
    options = shared.parser(__doc__)
    options.add_argument("--check", type=int, default=20_000, help="games that must end alike (%(default)s)")
    options.add_argument("--rounds", type=int, default=15, help="alternating rounds (%(default)s)")
    options.add_argument("--games", type=int, default=5_000, help="games per round (%(default)s)")
    wanted = options.parse_args()
    if not COMPILED:
        raise SystemExit("NUMBA_DISABLE_JIT=1 is set: there is nothing compiled to measure")
    shared.finish(measure(wanted.check, wanted.rounds, wanted.games), wanted.json)


if __name__ == "__main__":
    main()
