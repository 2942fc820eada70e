"""Runs a plan. Results are stored on disk and can be continued later; they do not depend on machine and time."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bridgehead.core.errors import RecordError
from bridgehead.lab.parts import KINDS, Part, make, parts
from bridgehead.lab.plan import Plan
from bridgehead.players.levels import fingerprint
from bridgehead.players.process_pool import answers

Array = np.ndarray[Any, Any]


class Executor(Protocol):
    """Runs parts anywhere; yields each part with its rows, in any order."""

    def __call__(self, parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]: ...


def serially(parts: Iterable[Part]) -> Iterator[tuple[Part, Array]]:
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
        self.parts = parts(plan)
        self._types: dict[tuple[int, str], np.dtype[Any]] = {}
        self._rows: dict[Part, Array] = {}
        if folder is not None:
            self._read(folder)

    @property
    def missing(self) -> list[Part]:
        """Parts still to be made."""
        return [part for part in self.parts if part not in self._rows]

    @property
    def done(self) -> int:
        """The number of rows made."""
        return sum(part.size for part in self._rows)

    @property
    def wanted(self) -> int:
        """The number of rows of the whole plan."""
        return sum(part.size for part in self.parts)

    def run(self, executor: Executor, report: Callable[[int], None] = lambda done: None) -> Iterator[Part]:
        """Make the missing parts; yields each part once it is stored. The caller may stop at any time."""
        for part, rows in executor(self.missing):
            self._keep(part, rows)
            report(self.done)
            yield part

    def rows(self, kind: str, which: int, arm: int = 0) -> Array:
        """The rows so far of one strength or duel in one arm."""
        mine = sorted(part for part in self._rows if (part.kind, part.arm, part.which) == (kind, arm, which))
        return np.concatenate([self._rows[part] for part in mine]) if mine else np.zeros(0, self._type(arm, kind))

    def take(self, other: Results) -> None:
        """Take the rows from a run of the same plan, or of a longer one: a row depends only on its number."""
        for part in self.missing:
            rows = other.rows(part.kind, part.which, part.arm)[part.first : part.first + part.size]
            if len(rows) == part.size:
                self._keep(part, rows)

    def _type(self, arm: int, kind: str) -> np.dtype[Any]:
        if (arm, kind) not in self._types:
            self._types[arm, kind] = KINDS[kind].dtype(self.plan.made(arm))
        return self._types[arm, kind]

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
            raise RecordError("lab:error.folder_holds_another_run_take", str(folder))
        players, mine = folder / "players.txt", fingerprint(self.plan.made(0).spec)
        if not players.exists():
            players.write_text(mine + "\n", "utf-8")
        elif players.read_text("utf-8").strip() != mine:
            raise RecordError("lab:error.players_another_version_made_run", str(folder))
        for part in self.parts:
            kept = folder / "parts" / f"{part.name}.npy"
            if kept.exists():
                self._rows[part] = _loaded(kept, self._type(part.arm, part.kind), part.size)


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
