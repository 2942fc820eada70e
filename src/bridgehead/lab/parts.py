"""Splits a plan into parts: each part is a pure function of the plan with rows of numbers as its result."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.validation import ready
from bridgehead.lab import decision_samples, duels, games, readings
from bridgehead.lab.plan import Plan
from bridgehead.lab.tracing import Tracer

Array = np.ndarray[Any, Any]


class Part(NamedTuple):
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


class Kind(Protocol):
    """A kind of rows: their number per strength or duel, the size of a part, and how to make one."""

    def sizes(self, plan: Plan) -> list[tuple[int, int]]:
        """(rows, rows per part) of each strength or duel."""
        ...

    def dtype(self, game: Game) -> np.dtype[Any]:
        """The dtype of a row."""
        ...

    def row(self, plan: Plan, tracer: Tracer, which: int, number: int) -> Any:
        """One row: a pure function of these."""
        ...


KINDS: dict[str, Kind] = {"games": games, "duels": duels, "looks": decision_samples, "readings": readings}


def parts(plan: Plan) -> list[Part]:
    """The parts of a plan, in the best order: a few games of every kind first, so that partial results are balanced."""
    order = list(KINDS)
    return sorted(_cut(plan), key=lambda part: (part.first, order.index(part.kind), part.which, part.arm))


def _cut(plan: Plan) -> Iterator[Part]:
    for arm in range(len(plan.arms)):
        for kind, made in KINDS.items():
            for which, (rows, size) in enumerate(made.sizes(plan)):
                for first in range(0, rows, size):
                    yield Part(plan.text, kind, arm, which, first, min(size, rows - first))


def make(part: Part) -> Array:
    """The rows of a part. Errors: OptionError if the installed rules differ from the plan's."""
    plan, tracer = opened(part.plan, part.arm)
    kind = KINDS[part.kind]
    rows = np.zeros(part.size, kind.dtype(tracer.game))
    for i in range(part.size):
        rows[i] = kind.row(plan, tracer, part.which, part.first + i)
    return rows


@functools.lru_cache(4)
def opened(text: str, arm: int) -> tuple[Plan, Tracer]:
    """A plan from its text, and a tracer for one of its arms."""
    plan = msgspec.json.decode(text, type=ready(Plan))
    tracer = Tracer(plan.made(arm), plan.longest)
    if tracer.game.spec.version != plan.version:
        raise OptionError(
            "lab:error.planned_rules_here_rules", plan.game, version=plan.version, version2=tracer.game.spec.version
        )
    return plan, tracer
