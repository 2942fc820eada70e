"""Is a history of concurrent operations linearizable? The search of Wing and Gong, with Lowe's memory of what was tried.

A history is linearizable if every operation can be given one moment between its invocation and its answer, so that the
operations, in the order of these moments, are what a single table would have answered. An operation without an answer has no
last moment, and may never have happened. This module knows nothing of the server.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol


class Operation(NamedTuple):
    """One operation of a client. answered: math.inf without an answer; needed: it happened, even without an answer."""

    client: Any
    asked: Any
    answer: Any
    invoked: float
    answered: float = math.inf
    needed: bool = False


class Model(Protocol):
    """What one table does with one operation after another."""

    def start(self) -> Hashable:
        """The state before the first operation."""

    def after(self, state: Any, operation: Operation) -> Iterable[Hashable]:
        """The states that may follow, if this operation may happen now and have this answer."""


def partitions(history: Iterable[Operation], part: Any) -> dict[Any, list[Operation]]:
    """The operations of each object: a history is linearizable if and only if each of its parts is."""
    found: dict[Any, list[Operation]] = {}
    for operation in history:
        found.setdefault(part(operation), []).append(operation)
    return found


def order(history: Sequence[Operation], model: Model) -> list[Operation] | None:
    """An order of the operations that explains every answer; None if there is none.

    Depth first. An operation may come next if no other one that has not been placed was answered before it was invoked. A pair
    of placed operations and state is tried once.
    """
    operations = sorted(history, key=lambda each: each.invoked)
    needed = sum(1 << i for i, each in enumerate(operations) if each.needed or each.answered < math.inf)
    tried: set[tuple[int, Hashable]] = set()
    placed: list[int] = []
    start = model.start()
    paths = [_next(operations, 0, start, model)]
    done = [0]
    if not needed:
        return []
    while paths:
        for index, state in paths[-1]:
            now = done[-1] | 1 << index
            if (now, state) in tried:
                continue
            tried.add((now, state))
            placed.append(index)
            if now & needed == needed:
                return [operations[each] for each in placed]
            done.append(now)
            paths.append(_next(operations, now, state, model))
            break
        else:
            paths.pop()
            done.pop()
            if placed:
                placed.pop()
    return None


def _next(operations: Sequence[Operation], done: int, state: Any, model: Model) -> Any:
    """The operations that may come next, each with a state after it."""
    limit = math.inf
    for index, operation in enumerate(operations):
        if operation.invoked > limit:
            return
        if not done >> index & 1:
            limit = min(limit, operation.answered)
            for after in model.after(state, operation):
                yield index, after
