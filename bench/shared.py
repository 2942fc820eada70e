"""Shared by all benchmarks: environments of peers, workers, alternating rounds, ratios, and printing of results.

A *worker* is a process that plays one engine's game for a given time (`workers/`). In a *round* every worker plays
once, one after the other, so a busy machine slows them alike; ratios are taken within a round.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import venv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from bridgehead.core.spec import Spec

ROOT = Path(__file__).resolve().parents[1]
WORKERS = Path(__file__).with_name("workers")
ENVIRONMENTS = ROOT / "build"
ROUNDS = 5
EXAMPLE = "connect_four"
RULES: Mapping[str, Mapping[str, Any]] = {"burning_bridges": {"roundLimit": 100}}  # otherwise random games hardly ever end

PEERS: Mapping[str, tuple[str, ...]] = {
    "openspiel": ("open_spiel==2.0.2",),
    "pgx": ("pgx==2.6.0", "jax==0.10.2", "jaxlib==0.10.2"),
    "pgx-cuda": ("pgx==2.6.0", "jax[cuda12]==0.10.2", "jaxlib==0.10.2"),
    "pettingzoo": ("pettingzoo==1.27.0", "pygame-ce==2.5.8"),
    "chess": ("chess==1.11.2",),
}


class Missing(Exception):
    """A peer could not be installed or run; the message names it and the reason."""


class Middle(NamedTuple):
    """The median of some rounds, with the lowest and the highest."""

    median: float
    low: float
    high: float


class Played(NamedTuple):
    """A worker's result in a round; seconds of its processor time."""

    decisions: int
    games: int
    seconds: float

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds


@dataclass
class Row:
    """One measured quantity, and its unit."""

    name: str
    value: Middle
    unit: str
    note: str = ""


@dataclass
class Ratio:
    """How many times faster, or larger, the first is than the second; `target` is the least acceptable value."""

    name: str
    value: Middle
    target: float | None = None

    @property
    def verdict(self) -> str:
        """`reached`, `missed`, or "" without a target."""
        if self.target is None:
            return ""
        return "reached" if self.value.median >= self.target else "missed"


@dataclass
class Result:
    """The result of a script. missing: peer -> why it was not measured. wrong: what makes the comparison unsound."""

    claim: str
    rows: list[Row] = field(default_factory=list)
    ratios: list[Ratio] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0, or 1 if something was not measured or cannot be compared. A missed target is reported but does not fail the run."""
        return 1 if self.missing or self.wrong else 0


def middle(values: Iterable[float]) -> Middle:
    """The median, the lowest and the highest."""
    found = list(values)
    return Middle(statistics.median(found), min(found), max(found))


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> Middle:
    """Ours relative to theirs, round by round."""
    return middle(a / b for a, b in zip(ours, theirs, strict=True))


def mean_length(rounds: Iterable[Played]) -> float:
    """Decisions per game, over all rounds."""
    found = list(rounds)
    return sum(played.decisions for played in found) / sum(played.games for played in found)


def peer_python(peer: str) -> Path:
    """The Python of a peer's own environment, which is created if it is missing. Errors: Missing."""
    wanted, folder = "\n".join(PEERS[peer]), ENVIRONMENTS / f"bench-{peer}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = folder / "installed.txt"
    if stamp.exists() and stamp.read_text("utf-8") == wanted:
        return python
    print(f"installing {', '.join(PEERS[peer])} into build/{folder.name}", file=sys.stderr, flush=True)
    try:
        if not python.exists():
            venv.create(folder, with_pip=True)
        command: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS[peer]]
        done = subprocess.run(command, capture_output=True, text=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Missing(f"no environment for it: {error}") from error
    if done.returncode:
        raise Missing(f"pip could not install {', '.join(PEERS[peer])}: {last_line(done.stderr)}")
    stamp.write_text(wanted, "utf-8")
    return python


def last_line(text: str) -> str:
    """The last line with text."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "no message")


class Worker:
    """A process that plays on request. Errors: Missing if it does not start or ends early."""

    def __init__(self, python: Path | str, script: str, *arguments: str, **env: str) -> None:
        self.name = " ".join((script, *arguments))
        self.process = subprocess.Popen(
            [python, WORKERS / script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **env},
        )
        self._line()

    def play(self, seconds: float) -> Played:
        """Play for this many processor seconds."""
        assert self.process.stdin
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        decisions, games, taken = self._line().split()
        return Played(int(decisions), int(games), float(taken))

    def close(self) -> None:
        """End it."""
        self.process.communicate()

    def _line(self) -> str:
        assert self.process.stdout and self.process.stderr
        line = self.process.stdout.readline()
        if not line:
            raise Missing(f"{self.name} ended: {last_line(self.process.stderr.read())}")
        return line


def ours(game: str, limit: int = 100_000, **env: str) -> Worker:
    """A worker that plays one of our games, at most `limit` actions of each."""
    return Worker(sys.executable, *our_command(game, limit), **env)


def best_pgx(peer: str, batches: Iterable[int], seconds: float, *more: str) -> Worker:
    """Pgx's Connect Four with the fastest of these batches, each tried for this many seconds. Errors: Missing."""
    python = peer_python(peer)
    workers = [Worker(python, "pgx_connect_four.py", str(batch), *more) for batch in batches]
    tried = {worker: worker.play(seconds).rate for worker in workers}
    best = max(workers, key=lambda worker: tried[worker])
    for worker in workers:
        if worker is not best:
            worker.close()
    return best


def our_command(game: str, limit: int) -> tuple[str, ...]:
    """The command of our worker."""
    return "ours.py", game, str(limit), json.dumps(RULES.get(game, {}))


def alternate(workers: Mapping[str, Worker], seconds: float, rounds: int = ROUNDS) -> dict[str, list[Played]]:
    """Each worker's result in each round; they alternate. seconds: for each, over all rounds."""
    played: dict[str, list[Played]] = {name: [] for name in workers}
    for _ in range(rounds):
        for name, worker in workers.items():
            played[name].append(worker.play(seconds / rounds))
    for worker in workers.values():
        worker.close()
    return played


def rates(rounds: Iterable[Played]) -> list[float]:
    """Decisions per second, round by round."""
    return [played.rate for played in rounds]


def find(name: str) -> Spec:
    """The spec of an installed game, or of the example. Errors: UnknownGame."""
    from bridgehead.core import registry

    if name != EXAMPLE:
        return registry.spec(name)
    sys.path.append(str(ROOT / "examples"))
    import connect_four

    return connect_four.SPEC


def amount(value: float, unit: str) -> str:
    """A number for people."""
    if unit.endswith("/s"):
        return f"{value / 1e6:.3g} M" if value >= 1e6 else f"{value / 1e3:.3g} k"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def machine() -> str:
    """The machine, without a name or a date."""
    import numba
    import numpy

    versions = f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {numpy.__version__}"
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, {versions}"


def ratio_lines(ratios: Iterable[Ratio]) -> list[str]:
    """Each ratio with its range, its target and the verdict."""
    lines = []
    for found in ratios:
        middle_, low, high = (amount(value, "times") for value in found.value)
        target = f"   target {found.target:g}: {found.verdict}" if found.target is not None else ""
        lines.append(f"{found.name:52} {middle_:>7} times ({low} to {high}){target}")
    return lines


def text(result: Result) -> str:
    """The result as text."""
    lines = [result.claim]
    for row in result.rows:
        median, low, high = (amount(value, row.unit) for value in row.value)
        lines.append(f"{row.name:44} {median:>8} {row.unit} ({low} to {high})  {row.note}".rstrip())
    lines += ratio_lines(result.ratios)
    lines += [f"NOT MEASURED: {peer}: {why}" for peer, why in result.missing.items()]
    lines += [f"NOT COMPARABLE: {why}" for why in result.wrong]
    return "\n".join(lines)


def as_data(result: Result) -> dict[str, Any]:
    """The result as JSON data."""
    data = asdict(result)
    data["rows"] = [{**asdict(row), "value": row.value._asdict()} for row in result.rows]
    data["ratios"] = [{**asdict(found), "value": found.value._asdict(), "verdict": found.verdict} for found in result.ratios]
    return {"machine": machine(), **data}


def from_data(data: Mapping[str, Any]) -> Result:
    """The result from `as_data`."""
    rows = [Row(row["name"], Middle(**row["value"]), row["unit"], row["note"]) for row in data["rows"]]
    ratios = [Ratio(found["name"], Middle(**found["value"]), found["target"]) for found in data["ratios"]]
    return Result(data["claim"], rows, ratios, data["missing"], data["wrong"])


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options of all scripts."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--json", action="store_true", help="print the result as JSON")
    return made


def player(description: str | None, seconds: float) -> argparse.ArgumentParser:
    """The options of scripts with workers."""
    made = parser(description)
    made.add_argument("--seconds", type=float, default=seconds, help="for each contestant, all rounds together (%(default)s)")
    made.add_argument("--rounds", type=int, default=ROUNDS, help="alternating rounds (%(default)s)")
    return made


def finish(result: Result, as_json: bool) -> None:
    """Print the result and end with its exit code."""
    print(json.dumps(as_data(result), indent=2) if as_json else text(result))
    sys.exit(result.exit_code)
