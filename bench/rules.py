"""Decisions per second of every installed game, and Connect Four against OpenSpiel's, driven from Python.

One thread, random play from the start, compiled; chance actions are played but not counted. Rounds of all contestants
alternate, so that a busy machine slows them alike; figures are medians of the rounds, with the lowest and the highest.
OpenSpiel is installed into an environment of its own (build/bench-venv) when it is missing.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.jit import COMPILED
from bridgehead.core.kernels import kernels
from bridgehead.core.spec import Spec

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / "build" / "bench-venv"
WORKER = Path(__file__).with_name("openspiel_connect_four.py")
OPENSPIEL = "open_spiel==2.0.2"
ROUNDS = 5
TARGET = 5  # Connect Four is to be at least so many times as fast as OpenSpiel from Python

Round = Callable[[float], tuple[int, float]]  # seconds to play for -> decisions made, seconds taken


def ours(spec: Spec) -> Round:
    """Rounds of one of our games, compiled here."""
    game = Game(spec, house.build(spec))
    play, state, out = kernels(spec).random_games, game.new_states(1)[0], np.empty(game.max_legal, np.int32)
    play(state, game.law, np.uint64(0), 1, 100_000, out)
    seed = 0

    def run(seconds: float) -> tuple[int, float]:
        nonlocal seed
        decisions, batch, start = 0, 1, time.perf_counter()
        while (taken := time.perf_counter() - start) < seconds:
            seed += 1
            decisions += play(state, game.law, np.uint64(seed), batch, 100_000, out)[0]
            batch = min(2 * batch, 4096) if time.perf_counter() - start < seconds / 8 else batch
        return decisions, taken

    return run


class OpenSpiel:
    """Rounds of OpenSpiel's Connect Four, in a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([environment(), WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, seconds: float) -> tuple[int, float]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("OpenSpiel's process ended; its message stands above")
        decisions, taken = line.split()
        return int(decisions), float(taken)

    def close(self) -> None:
        self.process.communicate()


def environment() -> Path:
    """The Python that has OpenSpiel; made and filled when it is missing. Errors: SystemExit, with what to do."""
    python = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    if subprocess.run([python, "-c", "import pyspiel"], capture_output=True).returncode:
        print(f"installing {OPENSPIEL} into {ENVIRONMENT.relative_to(ROOT)}", file=sys.stderr)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", OPENSPIEL]
        if subprocess.run(command, stdout=sys.stderr).returncode:
            raise SystemExit(f"cannot install {OPENSPIEL} (message above); run with --no-openspiel to measure without it")
    return python


def measure(contestants: dict[str, Round], seconds: float) -> dict[str, dict[str, float]]:
    """Decisions per second by contestant, over rounds in which all take turns."""
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, run in contestants.items():
            decisions, taken = run(seconds / ROUNDS)
            rates[name].append(decisions / taken)
    return {name: {"median": statistics.median(all_), "low": min(all_), "high": max(all_)} for name, all_ in rates.items()}


def report(result: dict[str, Any]) -> str:
    """The result as a table."""
    lines = [f"{result['machine']}, Python {result['python']}: decisions per second, one thread, random play"]
    for name, rate in result["decisions_per_second"].items():
        lines.append(f"{name:28} {rate['median']:>14,.0f}   ({rate['low']:,.0f} to {rate['high']:,.0f})")
    if "ratio" in result:
        verdict = "reached" if result["ratio"] >= TARGET else "missed"
        lines.append(f"connect_four: {result['ratio']:.1f} times OpenSpiel from Python (target {TARGET}: {verdict})")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each contestant, all rounds together")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--games", default="", help="ids of the games, with commas (default: all installed)")
    parser.add_argument("--no-openspiel", action="store_true", help="leave OpenSpiel out")
    wanted = parser.parse_args()
    if not COMPILED:
        raise SystemExit("NUMBA_DISABLE_JIT=1 is set: there is nothing compiled to measure")
    sys.path.insert(0, str(ROOT / "examples"))
    import connect_four

    specs = [registry.spec(name) for name in wanted.games.split(",")] if wanted.games else list(registry.specs().values())
    contestants: dict[str, Round] = {spec.id: ours(spec) for spec in [*specs, connect_four.SPEC]}
    peer = None if wanted.no_openspiel else OpenSpiel()
    if peer:
        contestants["connect_four (OpenSpiel)"] = peer
    rates = measure(contestants, wanted.seconds)
    result: dict[str, Any] = {"machine": platform.machine(), "python": platform.python_version(), "decisions_per_second": rates}
    if peer:
        peer.close()
        result["ratio"] = rates["connect_four"]["median"] / rates["connect_four (OpenSpiel)"]["median"]
    print(json.dumps(result, indent=2) if wanted.json else report(result))


if __name__ == "__main__":
    main()
