"""The checker of histories itself: it accepts good ones, refuses bad ones, and agrees with a search over all orders."""

import itertools
import math
import random
from collections.abc import Iterable
from typing import Any

import pytest

from server.linearizability import Operation, order, partitions

NEVER = math.inf


class Register:
    """One value: ("write", x) is answered by None, ("read",) by the value, ("swap", old, new) by whether it was `old`."""

    def start(self) -> int:
        return 0

    def after(self, state: Any, operation: Operation) -> Iterable[int]:
        kind, *values = operation.asked
        answer = operation.answer
        if kind == "read" and answer in (state, ...):
            yield state
        if kind == "write":
            yield values[0]
        if kind == "swap" and answer in (state == values[0], ...):
            yield values[1] if state == values[0] else state


def op(client: int, asked: Any, answer: Any, invoked: float, answered: float = NEVER) -> Operation:
    return Operation(client, asked, answer, invoked, answered)


GOOD = {
    "nothing": [],
    "one after another": [op(1, ("write", 1), None, 0, 1), op(2, ("read",), 1, 2, 3)],
    "a read beside a write sees the old": [op(1, ("write", 1), None, 0, 9), op(2, ("read",), 0, 2, 3)],
    "a read beside a write sees the new": [op(1, ("write", 1), None, 0, 9), op(2, ("read",), 1, 2, 3)],
    "old, then new, beside one write": [
        op(1, ("write", 1), None, 0, 9), op(2, ("read",), 0, 1, 2), op(3, ("read",), 1, 3, 4),
    ],
    "a write without an answer has happened": [op(1, ("write", 1), ..., 0), op(2, ("read",), 1, 5, 6)],
    "a write without an answer has not happened": [op(1, ("write", 1), ..., 0), op(2, ("read",), 0, 5, 6)],
    "a write without an answer happens late": [
        op(1, ("write", 1), ..., 0), op(2, ("read",), 0, 5, 6), op(2, ("read",), 1, 7, 8),
    ],
    "two swaps, one wins": [op(1, ("swap", 0, 1), True, 0, 5), op(2, ("swap", 0, 2), False, 1, 4), op(3, ("read",), 1, 6, 7)],
}  # fmt: skip
BAD = {
    "a stale read": [op(1, ("write", 1), None, 0, 1), op(2, ("read",), 0, 2, 3)],
    "new, then old": [op(1, ("write", 1), None, 0, 9), op(2, ("read",), 1, 1, 2), op(3, ("read",), 0, 3, 4)],
    "a value from nowhere": [op(1, ("write", 1), None, 0, 1), op(2, ("read",), 2, 0, 1)],
    "two swaps, both win": [op(1, ("swap", 0, 1), True, 0, 5), op(2, ("swap", 0, 2), True, 1, 4)],
    "two swaps, none wins": [op(1, ("swap", 0, 1), False, 0, 5), op(2, ("swap", 0, 2), False, 1, 4)],
    "a write that was confirmed is lost": [
        op(1, ("write", 1), None, 0, 1), op(1, ("write", 2), None, 2, 3), op(2, ("read",), 1, 4, 5),
    ],
    "read before it was asked for": [op(2, ("read",), 1, 0, 1), op(1, ("write", 1), ..., 2)],
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_a_good_history_has_an_order(name: str) -> None:
    found = order(GOOD[name], Register())
    assert found is not None and {each for each in GOOD[name] if each.answered < NEVER} <= set(found)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_history_has_none(name: str) -> None:
    assert order(BAD[name], Register()) is None


def by_trying_everything(history: list[Operation]) -> bool:
    """The definition, word by word: some selection of the unanswered operations, in some order, explains every answer."""
    model = Register()
    sure = [each for each in history if each.answered < NEVER]
    open_ = [each for each in history if each.answered == NEVER]
    for number in range(len(open_) + 1):
        for chosen in itertools.combinations(open_, number):
            for line in itertools.permutations([*sure, *chosen]):
                if any(later.answered < sooner.invoked for sooner, later in itertools.combinations(line, 2)):
                    continue
                states = [model.start()]
                for each in line:
                    states = [after for state in states for after in model.after(state, each)]
                if states:
                    return True
    return False


def test_it_agrees_with_the_definition_on_histories_by_lot() -> None:
    lot, verdicts = random.Random(3), []
    for _ in range(400):
        history = []
        for client in range(lot.randrange(2, 6)):
            asked = lot.choice([("read",), ("write", 1), ("write", 2), ("swap", 1, 2), ("swap", 0, 1)])
            answer = {"read": lot.randrange(3), "write": None, "swap": lot.random() < 0.5}[asked[0]]
            invoked = lot.random()
            ended = lot.random() < 0.8
            history.append(op(client, asked, answer if ended else ..., invoked, invoked + lot.random() if ended else NEVER))
        verdicts.append(order(history, Register()) is not None)
        assert verdicts[-1] == by_trying_everything(history), history
    assert 50 < sum(verdicts) < 350, "both verdicts occur"


def test_a_long_history_is_checked_soon() -> None:
    lot, value, history = random.Random(4), 0, []
    for n in range(1500):
        if lot.random() < 0.5:
            value = n
            history.append(op(n % 4, ("write", n), None, n, n + 3.5))
        else:
            history.append(op(n % 4, ("read",), value, n, n + 0.5))
    assert order(history, Register()) is not None
    spoiled = [each if each.invoked != 1400 else each._replace(asked=("read",), answer=-1) for each in history]
    assert order(spoiled, Register()) is None


def test_each_object_is_checked_by_itself() -> None:
    history = [op("a", ("write", 1), None, 0, 1), op("b", ("read",), 0, 2, 3)]
    assert order(history, Register()) is None
    assert all(order(part, Register()) is not None for part in partitions(history, lambda each: each.client).values())
