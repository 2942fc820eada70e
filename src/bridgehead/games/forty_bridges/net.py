"""A small net that corrects the evaluation of 40 Bridges, in whole numbers, so that it says the same everywhere.

Its inputs are the pieces by field, seen from the seat to act: own ones, then the opponent's. Each hidden unit adds up its weights
of the pieces on the board, is kept between 0 and 1, and is squared. `tools/nets.py` learns it; net.manifest.json says how.

Four hidden units share a word of 64 bits, so one addition serves four. OFFSET, added to each weight, keeps every part of a word
positive, and 16 pieces and the bias together below 2 to the power of 16.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import COMPILED, rule
from bridgehead.core.numbers import int64, np, uint64
from bridgehead.games.forty_bridges.board import FIELDS

INPUTS = 2 * FIELDS
UNIT = 256  # a hidden unit of 1
OFFSET = 1800  # beyond the largest weight
FINE = 20  # binary digits behind the point of the sum
LANES, BLOCK = 4, 8  # hidden units in a word, words that are added up together
ONE, MASK = uint64(1), uint64(0xFFFF)
SECOND, THIRD, FOURTH = uint64(16), uint64(32), uint64(48)


class Net(NamedTuple):
    """weights: a row of hidden units for each input, then the biases (1 is UNIT); output: of each hidden unit, and constant:
    in units of 1/16 of the evaluation, with FINE binary digits where a hidden unit of 1 counts UNIT squared."""

    weights: Sequence[Sequence[int]]
    output: Sequence[int]
    constant: int


def read(file: Path) -> Net:
    """The net of a file. Errors: ValueError if it does not fit the board or its words."""
    found = Net(**json.loads(file.read_text("utf-8")))
    width = len(found.output)
    fits = len(found.weights) == INPUTS + 1 and width % (LANES * BLOCK) == 0 and all(len(row) == width for row in found.weights)
    if not fits or any(abs(weight) >= OFFSET for row in found.weights for weight in row):
        raise ValueError(f"{file}: not a net of {INPUTS} inputs with weights below {OFFSET}")
    return found


def words(net: Net) -> Any:
    """The rows of weights one after the other, four to a word."""
    made = [
        sum(weight + OFFSET << 16 * lane for lane, weight in enumerate(row[first : first + LANES]))
        for row in net.weights
        for first in range(0, len(row), LANES)
    ]
    return np.array(made, np.uint64) if COMPILED else made


_NET = read(Path(__file__).with_name("net.json"))
WORDS, CONSTANT = words(_NET), _NET.constant
OUTPUT: Any = np.array(_NET.output, np.int64) if COMPILED else _NET.output
WIDTH = len(_NET.output) // LANES  # words in a row


@rule
def correction(state, seat):
    """What the net adds to the value of a running game for the seat to act, in units of 1/16 of the evaluation."""
    own, enemy = state.pieces[seat], state.pieces[1 - seat]
    less, total = OFFSET * int64(count(own | enemy) + ONE), CONSTANT
    for block in range(0, WIDTH, BLOCK):
        total += block_of(own, enemy, seat, block, less)
    return total >> FINE


@rule
def block_of(own, enemy, seat, block, less):
    """The share of the hidden units in BLOCK words."""
    at = WIDTH * INPUTS + block
    a, b, c, d = WORDS[at], WORDS[at + 1], WORDS[at + 2], WORDS[at + 3]
    e, f, g, h = WORDS[at + 4], WORDS[at + 5], WORDS[at + 6], WORDS[at + 7]
    for side in range(2):
        rest = enemy if side else own
        while rest:
            field = int64(lowest(rest))
            rest &= rest - ONE
            at = WIDTH * (FIELDS * side + (FIELDS - 1 - field if seat else field)) + block
            a, b, c, d = a + WORDS[at], b + WORDS[at + 1], c + WORDS[at + 2], d + WORDS[at + 3]
            e, f, g, h = e + WORDS[at + 4], f + WORDS[at + 5], g + WORDS[at + 6], h + WORDS[at + 7]
    at = LANES * block
    total = four(a, at, less) + four(b, at + 4, less) + four(c, at + 8, less) + four(d, at + 12, less)
    return total + four(e, at + 16, less) + four(f, at + 20, less) + four(g, at + 24, less) + four(h, at + 28, less)


@rule
def four(word, at, less):
    """The share of the hidden units in a word."""
    total = OUTPUT[at] * squared(int64(word & MASK) - less)
    total += OUTPUT[at + 1] * squared(int64((word >> SECOND) & MASK) - less)
    total += OUTPUT[at + 2] * squared(int64((word >> THIRD) & MASK) - less)
    return total + OUTPUT[at + 3] * squared(int64((word >> FOURTH) & MASK) - less)


@rule
def squared(hidden):
    """A hidden unit, kept between 0 and 1, and squared."""
    hidden = min(max(hidden, 0), UNIT)
    return hidden * hidden
