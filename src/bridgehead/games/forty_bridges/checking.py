"""A check of endgame tables: each entry must follow from the rules and the entries of its successors."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count
from bridgehead.core.game import Game
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.endgames import CHOOSE, members, number, turned
from bridgehead.games.forty_bridges.history import clear, remember
from bridgehead.games.forty_bridges.rules import apply, legal, setup
from bridgehead.games.forty_bridges.tables import Tables


@rule
def place(state, law, own, other):
    """Set up a position with these pieces and player 1 to move."""
    setup(state, law)
    state.pieces[0], state.pieces[1] = own, other
    clear(state)
    remember(state, law)


@rule
def value_by_rules(states, law, values, starts, out):
    """The value of states[0] by the rules and the values of its successors."""
    won, lost, saved = 0, 0, False
    for i in range(legal(states[0], law, out)):
        states[1] = states[0]
        apply(states[1], law, out[i])
        if states[1].reason != 0:
            child = 0
            if states[1].winner == 0:
                won = 1
                continue
            if states[1].winner < 0:
                saved = True
                continue
        else:
            own, other = turned(states[1].pieces[1]), turned(states[1].pieces[0])
            child = int(values[starts[count(own), count(other)] + number(own, other, FIELDS)])
            if child == 0:
                saved = True
                continue
        if child % 2 == 0 and states[1].reason == 0:
            won = child + 1 if won == 0 else min(won, child + 1)
        else:
            lost = max(lost, child + 1 if states[1].reason == 0 else 2)
    return won if won else 0 if saved else lost


@rule
def wrong_entries(states, law, a, b, values, starts, out, step):
    """Check every `step`-th position of a class: the number of positions, and of those where table and rules disagree."""
    seconds = CHOOSE[FIELDS - a, b]
    looked, wrong = 0, 0
    for index in range(0, CHOOSE[FIELDS, a] * seconds, step):
        own = members(index // seconds, law.board, a)
        other = members(index % seconds, law.board & ~own, b)
        entry = values[starts[a, b] + index]
        if own & law.bit[law.goal[0]] or other & law.bit[law.goal[1]]:
            wrong += entry != 0
            continue
        place(states[0], law, own, other)
        looked += 1
        if states[0].reason != 0:  # both sides are blocked from the start
            wrong += entry != 0
        else:
            wrong += entry != value_by_rules(states, law, values, starts, out)
    return looked, wrong


def check(game: Game, held: Tables, a: int, b: int, step: int) -> tuple[int, int]:
    """Check every `step`-th position of class (a, b): the number of positions, and of wrong entries."""
    states, out = game.new_states(2), np.zeros(game.max_legal, np.int32)
    looked, wrong = wrong_entries(states, game.law, a, b, *held, out, step)
    return int(looked), int(wrong)
