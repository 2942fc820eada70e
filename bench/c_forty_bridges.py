"""40 Bridges against the same rules in C (bench/c/forty_bridges.c): the same games, and how long they take.

Random play by the standard rules, one thread. First both play the same seeds, and every game must end alike: the pieces left,
decisions, turns, plies since the last removal, reason and winner. Then they play in rounds that alternate; the ratio is ours / C
of processor time in each round, and the figures are medians with the lowest and the highest. Needs a C compiler and BMI2.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bridgehead.core import registry
from bridgehead.core.jit import COMPILED
from bridgehead.core.kernels import kernels

SOURCE = Path(__file__).parent / "c" / "forty_bridges.c"
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-std=c11", "-Wall", "-Wextra", "-Werror")
LIMIT = 100_000
NAMES = ("decisions", "turns", "quiet", "reason", "winner")
RESULT = np.dtype([("pieces", np.uint64, (2,)), *((name, np.int64) for name in NAMES)])


def in_c(folder: Path) -> ctypes.CDLL:
    """The C program, compiled into `folder`. Errors: SystemExit without a compiler."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("no C compiler: set CC")
    target = folder / "forty_bridges.so"
    subprocess.run([compiler, *FLAGS, "-o", target, SOURCE], check=True)
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


def compare(library: ctypes.CDLL, games: int) -> str:
    """How many games end alike, by reason. Errors: SystemExit with the first that does not end alike in both."""
    seeds = np.arange(1, games + 1, dtype=np.uint64)
    ours, theirs = our_results(seeds), results_in_c(library, seeds)
    for seed, here, there in zip(seeds, ours, theirs, strict=True):
        if here != there:
            raise SystemExit(f"seed {seed} ends differently, ours then C ({RESULT.names}): {here} {there}")
    reasons = registry.spec("forty_bridges").rules.REASONS
    ends = [f"{name} {int((ours['reason'] == code).sum())}" for code, (name, _) in enumerate(reasons) if name]
    return f"{games} games end alike: {', '.join(ends)}"


def measure(library: ctypes.CDLL, rounds: int, games: int) -> tuple[list[float], list[float]]:
    """Decisions a second of processor time by round, ours and C's."""
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
            raise SystemExit(f"seed {seed}: {made} decisions here, {made_in_c} in C")
        ours.append(made / (between - start))
        theirs.append(made / (end - between))
    return ours, theirs


def line(name: str, figures: list[float], digits: int) -> str:
    return f"{name:28} {statistics.median(figures):>14,.{digits}f}   ({min(figures):,.{digits}f} to {max(figures):,.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", type=int, default=20_000, help="games that must end alike")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--games", type=int, default=5_000, help="games a round")
    wanted = parser.parse_args()
    if not COMPILED:
        raise SystemExit("NUMBA_DISABLE_JIT=1 is set: there is nothing compiled to measure")
    with tempfile.TemporaryDirectory() as folder:
        library = in_c(Path(folder))
        print(compare(library, wanted.check))
        ours, theirs = measure(library, wanted.rounds, wanted.games)
    print(line("ours, decisions a second", ours, 0))
    print(line("C, decisions a second", theirs, 0))
    print(line("ours / C", [here / there for here, there in zip(ours, theirs, strict=True)], 2))


if __name__ == "__main__":
    main()
