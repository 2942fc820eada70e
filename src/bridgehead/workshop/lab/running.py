"""Runs a plan in parts: each is a pure function of the plan with rows of numbers as its result.

Results are stored on disk and can be continued later; they do not depend on machine and time.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from bridgehead.core.errors import OptionError, RecordError
from bridgehead.core.game import Game
from bridgehead.core.validation import ready
from bridgehead.players.levels import fingerprint
from bridgehead.players.process_pool import answers
from bridgehead.workshop.lab import decision_samples, games, readings
from bridgehead.workshop.lab.plan import Plan
from bridgehead.workshop.lab.tracing import Tracer

Array = np.ndarray[Any, Any]


class RowBlock(NamedTuple):
    """Some rows of a plan, first to first + size - 1. plan: its text; kind: see KINDS; which: index of the strength or duel."""

    plan: str
    kind: str
    arm: int
    which: int
    first: int
    size: int

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.kind}-{self.arm}-{self.which}-{self.first:07d}"


class RowKind(NamedTuple):
    """A kind of rows. sizes: (rows, rows per part) of each strength or duel; dtype: of a row; row: makes one, a pure function."""

    sizes: Callable[[Plan], list[tuple[int, int]]]
    dtype: Callable[[Game], np.dtype[Any]]
    row: Callable[[Plan, Tracer, int, int], Any]


KINDS: dict[str, RowKind] = {
    "games": RowKind(games.sizes, games.dtype, games.row),
    "duels": RowKind(games.duel_sizes, games.dtype, games.duel_row),
    "looks": RowKind(decision_samples.sizes, decision_samples.dtype, decision_samples.row),
    "readings": RowKind(readings.sizes, readings.dtype, readings.row),
}


def split_plan(plan: Plan) -> list[RowBlock]:
    """The parts of a plan, in the best order: a few games of every kind first, so that partial results are balanced."""
    order, found = list(KINDS), []
    for (kind, made), arm in itertools.product(KINDS.items(), range(len(plan.arms))):
        for which, (rows, size) in enumerate(made.sizes(plan)):
            found += [RowBlock(plan.text, kind, arm, which, at, min(size, rows - at)) for at in range(0, rows, size)]
    return sorted(found, key=lambda part: (part.first, order.index(part.kind), part.which, part.arm))


def make(part: RowBlock) -> Array:
    """The rows of a part. Errors: OptionError if the installed rules differ from the plan's."""
    plan, tracer = open_plan(part.plan, part.arm)
    kind = KINDS[part.kind]
    rows = np.zeros(part.size, kind.dtype(tracer.game))
    for i in range(part.size):
        rows[i] = kind.row(plan, tracer, part.which, part.first + i)
    return rows


@functools.lru_cache(4)
def open_plan(text: str, arm: int) -> tuple[Plan, Tracer]:
    """A plan from its text, and a tracer for one of its arms."""
    plan = msgspec.json.decode(text, type=ready(Plan))
    tracer = Tracer(plan.make_game(arm), plan.longest)
    if tracer.game.spec.version != plan.version:
        raise OptionError(
            "lab:error.planned_rules_here_rules", plan.game, version=plan.version, version2=tracer.game.spec.version
        )
    return plan, tracer


class Executor(Protocol):
    """Runs parts anywhere; yields each part with its rows, in any order."""

    def __call__(self, parts: Iterable[RowBlock]) -> Iterator[tuple[RowBlock, Array]]: ...


def serially(parts: Iterable[RowBlock]) -> Iterator[tuple[RowBlock, Array]]:
    """Runs parts one after the other in this process."""
    for part in parts:
        yield part, make(part)


def on_cores(workers: int = 0) -> Executor:
    """Runs parts in processes of this machine; 0: one per core."""
    number = workers or os.cpu_count() or 1
    return serially if number == 1 else functools.partial(answers, make, number=number)


class Results:
    """Rows of a plan by kind, arm and strength or duel, in order. folder: where parts are stored.

    Errors: RecordError if the folder holds another run, or one of other levels or weights, or a damaged part.
    """

    def __init__(self, plan: Plan, folder: Path | None = None) -> None:
        self.plan = plan
        self.folder = folder
        self.parts = split_plan(plan)
        self._types: dict[tuple[int, str], np.dtype[Any]] = {}
        self._rows: dict[RowBlock, Array] = {}
        if folder is not None:
            self._read(folder)

    @property
    def missing(self) -> list[RowBlock]:
        """Parts still to be made."""
        return [part for part in self.parts if part not in self._rows]

    @property
    def rows_made(self) -> int:
        """The number of rows made."""
        return sum(part.size for part in self._rows)

    @property
    def wanted(self) -> int:
        """The number of rows of the whole plan."""
        return sum(part.size for part in self.parts)

    def run(self, executor: Executor, report: Callable[[int], None] = lambda done: None) -> Iterator[RowBlock]:
        """Make the missing parts; yields each part once it is stored. The caller may stop at any time."""
        for part, rows in executor(self.missing):
            self.keep(part, rows)
            report(self.rows_made)
            yield part

    def rows(self, kind: str, which: int, arm: int = 0) -> Array:
        """The rows so far of one strength or duel in one arm, up to the first that is missing."""
        made, end = list[Array](), 0
        for part in sorted(part for part in self._rows if (part.kind, part.arm, part.which) == (kind, arm, which)):
            if part.first != end:
                break
            made.append(self._rows[part])
            end += part.size
        return np.concatenate(made) if made else np.zeros(0, self._type(arm, kind))

    def take(self, other: Results) -> None:
        """Take the rows from a run of the same plan, or of a longer one: a row depends only on its number."""
        for part in self.missing:
            rows = other.rows(part.kind, part.which, part.arm)[part.first : part.first + part.size]
            if len(rows) == part.size:
                self.keep(part, rows)

    def _type(self, arm: int, kind: str) -> np.dtype[Any]:
        if (arm, kind) not in self._types:
            self._types[arm, kind] = KINDS[kind].dtype(self.plan.make_game(arm))
        return self._types[arm, kind]

    def keep(self, part: RowBlock, rows: Array) -> None:
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
            raise RecordError("lab:error.folder_holds_another_run_take", str(folder))
        players, mine = folder / "players.txt", fingerprint(self.plan.make_game(0).spec)
        if not players.exists():
            players.write_text(mine + "\n", "utf-8")
        elif players.read_text("utf-8").strip() != mine:
            raise RecordError("lab:error.players_another_version_made_run", str(folder))
        self.refresh()

    def refresh(self) -> None:
        """Read the parts that other processes have stored meanwhile."""
        if self.folder is None:
            return
        stored = {file.stem for file in (self.folder / "parts").glob("*.npy")}
        for part in self.missing:
            if part.name in stored:
                file = self.folder / "parts" / f"{part.name}.npy"
                self._rows[part] = _loaded(file, self._type(part.arm, part.kind), part.size)


def _loaded(file: Path, dtype: np.dtype[Any], size: int) -> Array:
    try:
        rows: Array = np.load(file)
    except (ValueError, EOFError):
        raise RecordError("lab:error.damaged_delete_played_again", str(file)) from None
    if rows.dtype != dtype or len(rows) != size:
        raise RecordError("lab:error.not_part_run_delete_played", str(file))
    return rows


def finish(results: Results, executor: Executor = serially) -> Results:
    """Make all missing parts."""
    for _ in results.run(executor):
        pass
    return results
