"""A check of endgame tables by the rules: each entry must follow from the rules and the entries of its successors.

Where that holds for all entries, all of them are right, whatever `endgames` did to find them. The hashes let a reader compare
tables with the published ones without either.
"""

from __future__ import annotations

import random
from math import comb

import numpy as np

from bridgehead.core.bits import count
from bridgehead.core.game import Game
from bridgehead.core.jit import rule
from bridgehead.core.numbers import ALL
from bridgehead.games.forty_bridges import endgames, rules
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.endgames import CHOOSE, members, number
from bridgehead.games.forty_bridges.rules import rotate_pieces


def count_positions(own: int, other: int) -> int:
    """The number of positions of a class where neither side stands on its winning corner: those that a game can go on from."""
    corners = comb(FIELDS - 1, own - 1) * comb(FIELDS - own, other) + comb(FIELDS - 1, other - 1) * comb(FIELDS - other, own)
    return comb(FIELDS, own) * comb(FIELDS - own, other) - corners + comb(FIELDS - 2, own - 1) * comb(FIELDS - own - 1, other - 1)


@rule
def place(state, law, own, other):
    """Set up a position with these pieces and player 1 to move."""
    rules.setup(state, law)
    state.pieces[0], state.pieces[1] = own, other
    rules.clear_history(state)
    rules.remember(state, law)


@rule
def value_by_rules(states, law, values, starts, out):
    """The value of states[0] by the rules and the values of its successors."""
    won, lost, saved = 0, 0, False
    for i in range(rules.legal(states[0], law, out)):
        states[1] = states[0]
        rules.apply(states[1], law, out[i])
        if states[1].reason != 0:
            child = 0
            if states[1].winner == 0:
                won = 1
                continue
            if states[1].winner < 0:
                saved = True
                continue
        else:
            own, other = rotate_pieces(states[1].pieces[1]), rotate_pieces(states[1].pieces[0])
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
def is_entered(law, own, other):
    """Whether a piece stands on the corner that it wins by: no game goes on from there."""
    return own & law.bit[law.goal[0]] != rules.ZERO or other & law.bit[law.goal[1]] != rules.ZERO


@rule
def judge_entry(states, law, a, b, index, values, starts, out):
    """Whether an entry of class (a, b) belongs to a position that a game can go on from, and whether table and rules disagree."""
    seconds = CHOOSE[FIELDS - a, b]
    own = members(index // seconds, law.board, a)
    other = members(index % seconds, law.board & (ALL ^ own), b)
    entry = values[starts[a, b] + index]
    if is_entered(law, own, other):
        return False, entry != 0
    place(states[0], law, own, other)
    if states[0].reason != 0:  # both sides are blocked from the start
        return True, entry != 0
    return True, entry != value_by_rules(states, law, values, starts, out)


@rule
def wrong_entries(states, law, a, b, values, starts, out, step):
    """Check every `step`-th entry of a class: the number of positions, and of entries where table and rules disagree."""
    looked, wrong = 0, 0
    for index in range(0, CHOOSE[FIELDS, a] * CHOOSE[FIELDS - a, b], step):
        real, differs = judge_entry(states, law, a, b, index, values, starts, out)
        looked += real
        wrong += differs
    return looked, wrong


def check(game: Game, held: endgames.PieceTables, a: int, b: int, step: int) -> tuple[int, int]:
    """Check every `step`-th position of class (a, b): the number of positions, and of wrong entries."""
    states, out = game.new_states(2), np.zeros(game.max_legal, np.int32)
    looked, wrong = wrong_entries(states, game.law, a, b, *held, out, step)
    return int(looked), int(wrong)


@rule
def settle_draws(states, law, a, b, values, starts, settled, out):
    """Settle each entry of class (a, b) that only leads to settled ones: the number of new ones, and of those left.

    settled: 1 for each entry that the ends of games decide, wins and losses from the first.
    """
    found, left = 0, 0
    seconds = CHOOSE[FIELDS - a, b]
    for index in range(CHOOSE[FIELDS, a] * seconds):
        if settled[starts[a, b] + index]:
            continue
        own = members(index // seconds, law.board, a)
        other = members(index % seconds, law.board & (ALL ^ own), b)
        place(states[0], law, own, other)
        whole = True
        for i in range(0 if is_entered(law, own, other) else rules.legal(states[0], law, out)):
            states[1] = states[0]
            rules.apply(states[1], law, out[i])
            if states[1].reason == 0:
                mine, theirs = rotate_pieces(states[1].pieces[1]), rotate_pieces(states[1].pieces[0])
                whole = whole and settled[starts[count(mine), count(theirs)] + number(mine, theirs, FIELDS)] == 1
        settled[starts[a, b] + index] = whole
        found += whole
        left += not whole
    return found, left


def count_hanging(game: Game, tables: endgames.PieceTables) -> int:
    """The number of positions that nobody wins by force, and where that hangs on who has to stop repeating moves first."""
    settled, hanging = (tables.values != 0).astype(np.uint8), 0
    states, out = game.new_states(2), np.zeros(game.max_legal, np.int32)
    for pair in endgames.pairs(max(map(sum, list_classes(tables)))):
        found, left = 1, [0]
        while found:
            counts = [settle_draws(states, game.law, *which, *tables, settled, out) for which in pair]
            found, left = sum(new for new, _ in counts), [open_ones for _, open_ones in counts]
        hanging += sum(left)
    return hanging


def verify(game: Game, tables: endgames.PieceTables, sample: int, seed: int) -> tuple[int, int]:
    """Check so many entries drawn by lot from all: the number of positions that games can go on from, and of wrong entries."""
    states, out = game.new_states(2), np.zeros(game.max_legal, np.int32)
    held = list_classes(tables)
    rng, looked, wrong = random.Random(seed), 0, 0
    for which in rng.choices(held, [endgames.size(*each) for each in held], k=sample):
        index = rng.randrange(endgames.size(*which))
        real, differs = judge_entry(states, game.law, *which, index, *tables, out)
        looked, wrong = looked + bool(real), wrong + bool(differs)
    return looked, wrong


def list_classes(tables: endgames.PieceTables) -> list[tuple[int, int]]:
    """The classes that tables hold, in the order of the files."""
    found = [each for n in range(2, 2 * endgames.MOST + 1) for each in endgames.classes(n) if max(each) <= endgames.MOST]
    return [each for each in found if tables.starts[each] >= 0]
