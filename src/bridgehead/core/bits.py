"""Words of bits as sets: which members, how many. For rules, where a word is `np.uint64`.

Compiled, each loop becomes a single machine instruction (LLVM knows both by their form); plain, Python's integers are faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.jit import COMPILED, rule

ONE = np.uint64(1)


def lowest(word: Any) -> Any:
    """The position of the lowest bit that is set; -1 if none is."""
    return (int(word) & -int(word)).bit_length() - 1


def count(word: Any) -> Any:
    """How many bits are set."""
    return int(word).bit_count()


def _lowest(word: Any) -> Any:
    bit = word & (~word + ONE)
    place = -1
    while bit:
        bit >>= ONE
        place += 1
    return place


def _count(word: Any) -> Any:
    number = 0
    while word:
        word &= word - ONE
        number += 1
    return number


if COMPILED:
    lowest, count = rule(_lowest), rule(_count)
