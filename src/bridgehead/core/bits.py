"""Sets stored as bits of 64-bit words: their members and size. In rules a word is a `uint64` (`core.numbers`).

Compiled, each function becomes one machine instruction, because LLVM recognises its form. In plain Python, integers are faster.
"""

from __future__ import annotations

from typing import Any

from bridgehead.core.jit import COMPILED, rule
from bridgehead.core.numbers import uint64

ONE = uint64(1)


def lowest(word: Any) -> Any:
    """The position of the lowest bit that is set; 64 if none is."""
    whole = int(word)
    return (whole & -whole).bit_length() - 1 if whole else 64


def count(word: Any) -> Any:
    """The number of bits that are set."""
    return int(word).bit_count()


def members(word: Any) -> list[int]:
    """The positions of the bits that are set, ascending, for any whole number. Not for rules, because it makes a list."""
    left, found = int(word), []
    while left:
        found.append((left & -left).bit_length() - 1)
        left &= left - 1
    return found


def write_each(word: Any, first: Any, out: Any, found: Any) -> Any:
    """Write `first` plus the position of each bit of a word into `out`, ascending, from index `found` on; return the next."""
    left, first = int(word), first - 1
    while left:
        bit = left & -left
        out[found] = first + bit.bit_length()
        left ^= bit
        found += 1
    return found


def _write_each(word: Any, first: Any, out: Any, found: Any) -> Any:
    while word:
        out[found] = first + lowest(word)
        word &= word - ONE
        found += 1
    return found


def _count(word: Any) -> Any:
    number = 0
    while word:
        word &= word - ONE
        number += 1
    return number


def _lowest(word: Any) -> Any:
    return count(~word & (word - ONE))


if COMPILED:
    count = rule(_count)
    lowest = rule(_lowest)
    write_each = rule(_write_each)
