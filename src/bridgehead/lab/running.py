"""Playing a plan: in parts that can be made anywhere and in any order, kept on disk, gone on with; the results are the same."""

from __future__ import annotations

import functools
import itertools
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from bridgehead.core.errors import RecordError
from bridgehead.core.typed import ready
from bridgehead.lab.facts import FACTS, MOST_SEATS, facts
from bridgehead.lab.plan import Plan
from bridgehead.lab.tracing import SKILLS, Trace, Tracer

PART = 25  # games of a part, where players think; those of the compiled loop come by the thousand
FAST_PART = 1000

Array = np.ndarray[Any, Any]


class Part(NamedTuple):
    """Some games of a plan: arm and strength by number, numbers first to first + games - 1."""

    plan: str
    arm: int
    strength: int
    first: int
    games: int

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"{self.arm}-{self.strength}-{self.first:07d}"


class Executor(Protocol):
    """Makes parts, wherever; yields each with its rows, in any order."""

    def __call__(self, parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]: ...


def parts(plan: Plan) -> list[Part]:
    """A plan cut up."""
    found = []
    for arm, (number, strength) in itertools.product(range(len(plan.arms)), enumerate(plan.strengths)):
        size = FAST_PART if strength.player in SKILLS else PART
        for first in range(0, strength.games, size):
            found.append(Part(plan.text, arm, number, first, min(size, strength.games - first)))
    return found


def make(part: Part) -> Array:
    """Play the games of a part: rows of FACTS. A pure function of the part."""
    plan, tracer = _opened(part.plan, part.arm)
    rows = np.zeros(part.games, FACTS)
    for i in range(part.games):
        number = part.first + i
        rows[i] = facts(tracer.game, number, _play(plan, tracer, part.strength, number, number < plan.weighed))
    return rows


def trace(plan: Plan, arm: int, strength: int, number: int) -> Trace:
    """One game of a plan, played again, with what the evaluation makes of it."""
    _, tracer = _opened(plan.text, arm)
    return _play(plan, tracer, strength, number, weigh=True)


def _play(plan: Plan, tracer: Tracer, strength: int, number: int, weigh: bool) -> Trace:
    seats = lineup(plan, strength, tracer.game.seats)
    return tracer.play(seats, seed(plan, strength, number), weigh, plan.opening)


def lineup(plan: Plan, strength: int, seats: int) -> tuple[str, ...]:
    """Who sits where."""
    return (plan.strengths[strength].player,) * seats


def seed(plan: Plan, strength: int, number: int) -> str:
    """The seed of a game: arms share it, so that they are compared under the same chance."""
    return f"{plan.seed}:{plan.strengths[strength].player}:{number}"


@functools.lru_cache(4)
def _opened(text: str, arm: int) -> tuple[Plan, Tracer]:
    plan = msgspec.json.decode(text, type=ready(Plan))
    return plan, Tracer(plan.made(arm), plan.longest)


def serially(parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]:
    """One after the other, here."""
    for part in parts:
        yield part, make(part)


def on_cores(workers: int = 0) -> Executor:
    """In processes of this machine; 0: one a core."""
    number = workers or os.cpu_count() or 1

    def run(parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]:
        with ProcessPoolExecutor(number, mp_context=multiprocessing.get_context("spawn")) as pool:
            try:
                waiting = iter(parts)
                jobs = {pool.submit(make, part): part for part in itertools.islice(waiting, 2 * number)}
                while jobs:
                    job = next(as_completed(jobs))
                    part = jobs.pop(job)
                    jobs |= {pool.submit(make, each): each for each in itertools.islice(waiting, 1)}
                    yield part, job.result()
            finally:
                pool.shutdown(cancel_futures=True)

    return serially if number == 1 else run


class Results:
    """Rows of a plan's games by arm and strength, in the order of their numbers. folder: where parts are kept.

    Errors: RecordError where the folder holds another run.
    """

    def __init__(self, plan: Plan, folder: Path | None = None) -> None:
        self.plan = plan
        self.folder = folder
        self._rows: dict[Part, Array] = {}
        if folder is not None:
            self._read(folder)

    @property
    def missing(self) -> list[Part]:
        """Parts not played yet; those of all strengths in turn, so that what is there is balanced at any time."""
        return sorted((part for part in parts(self.plan) if part not in self._rows), key=lambda part: (part.first, part[1:]))

    @property
    def done(self) -> int:
        """Games played."""
        return sum(part.games for part in self._rows)

    @property
    def wanted(self) -> int:
        """Games of the whole plan."""
        return len(self.plan.arms) * sum(each.games for each in self.plan.strengths)

    def run(self, executor: Executor, told: Callable[[int], None] = lambda done: None) -> Iterator[Part]:
        """Play what is missing; yields each part once it is kept. Stop when you like."""
        for part, rows in executor(self.missing):
            self._keep(part, rows)
            told(self.done)
            yield part

    def rows(self, strength: int, arm: int = 0) -> Array:
        """Rows of FACTS of one strength in one arm."""
        mine = sorted(part for part in self._rows if (part.arm, part.strength) == (arm, strength))
        return np.concatenate([self._rows[part] for part in mine]) if mine else np.zeros(0, FACTS)

    def _keep(self, part: Part, rows: Array) -> None:
        if self.folder is not None:
            half = self.folder / "parts" / f"{part.name}.half"
            with half.open("wb") as out:
                np.save(out, rows)
            half.replace(half.with_suffix(".npy"))
        self._rows[part] = rows

    def _read(self, folder: Path) -> None:
        (folder / "parts").mkdir(parents=True, exist_ok=True)
        file = folder / "plan.json"
        if not file.exists():
            file.write_text(self.plan.text + "\n", "utf-8")
        elif file.read_text("utf-8").strip() != self.plan.text:
            raise RecordError("this folder holds another run: take another, or empty it", str(folder))
        for part in parts(self.plan):
            kept = folder / "parts" / f"{part.name}.npy"
            if kept.exists():
                self._rows[part] = _loaded(kept, part)


def _loaded(file: Path, part: Part) -> Array:
    try:
        rows: Array = np.load(file)
    except (ValueError, EOFError):
        raise RecordError("damaged: delete it, and it is played again", str(file)) from None
    if rows.dtype != FACTS or len(rows) != part.games:
        raise RecordError("not a part of this run: delete it, and it is played again", str(file))
    return rows


def finish(results: Results, executor: Executor = serially) -> Results:
    """Play all that is missing."""
    for _ in results.run(executor):
        pass
    return results


def as_table(results: Results, arm: int, strength: int) -> Sequence[dict[str, Any]]:
    """Rows as plain data, for CSV and JSON."""
    seats = results.plan.made(arm).seats
    keys = FACTS.names or ()
    return [
        {key: (row[key][:seats] if row[key].shape == (MOST_SEATS,) else row[key]).tolist() for key in keys}
        for row in results.rows(strength, arm)
    ]
