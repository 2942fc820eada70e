"""Common sense of the levels: win where a move wins, leave out foolish actions, survive where results hardly differ.

What is foolish depends on the game; `foolish` of its evaluation decides. `winning_of(spec)` binds `rules` to one game; here it
is only declared.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from bridgehead.core.game import Position
from bridgehead.core.kernels import bind_all, rules, rules_of
from bridgehead.core.spec import OVER, Spec
from bridgehead.players.judging import SPACE, find_safest


def winning(states, law, out, result):
    """The first legal action of states[0] that wins at once for the seat to act; -1 if there is none. states: two or more."""
    seat = rules.actor(states[0], law)
    for i in range(rules.legal(states[0], law, out)):
        states[1] = states[0]
        rules.apply(states[1], law, out[i])
        if rules.actor(states[1], law) == OVER:
            rules.returns(states[1], law, result)
            if result[seat] > 0.0:
                return out[i]
    return -1


@functools.cache
def winning_of(spec: Spec) -> Any:
    """The template bound to one game, compiled at its first call."""
    return bind_all((winning,), rules_of(spec), f"{spec.id}_sense", spec.folder).winning


class BlunderFilter:
    """What anybody at the table sees in a position in which a seat is to act."""

    def __init__(self, position: Position) -> None:
        self._game = position.game
        self._evaluate = position.game.spec.evaluate
        self._states = self._game.new_states(SPACE)
        self._states[0] = position.copy_states()[0]
        self._out = np.empty((SPACE, self._game.max_legal), np.int32)

    def winning(self) -> int | None:
        """An action that wins at once."""
        found = int(winning_of(self._game.spec)(self._states, self._game.law, self._out[0], np.zeros(self._game.seats)))
        return None if found < 0 else found

    def is_blunder(self, action: int) -> bool:
        """Is this action foolish by the game's evaluation?"""
        judge = self._evaluate.foolish
        return judge is not None and bool(judge(self._states, self._game.law, action, self._out))

    def find_safest(self, worth: Mapping[int, float]) -> Collection[int]:
        """As `judging.find_safest`, where the game knows risk and progress."""
        risk, progress = self._evaluate.risk, self._evaluate.progress
        if risk is None or progress is None:
            return worth.keys()
        state, law = self._states[0], self._game.law
        return find_safest(worth, self.is_blunder, lambda action: (-risk(state, law, action), progress(state, law, action)))
