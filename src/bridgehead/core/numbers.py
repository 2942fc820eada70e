"""Whole numbers and arrays in rules, written alike for compiled and for plain rules.

Compiled, numbers have the widths of NumPy and wrap around. In plain Python they have no width, so a rule keeps a word within
64 bits itself: `ALL ^ word` is its complement, and `& ALL` follows a product or a left shift that may be wider.
"""

from __future__ import annotations

import importlib
from typing import Any

from bridgehead.core.jit import COMPILED, rule


class Later:
    """A module that is imported when it is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, member: str) -> Any:
        return getattr(importlib.import_module(self._name), member)


np: Any = importlib.import_module("numpy") if COMPILED else Later("numpy")
uint64: Any = np.uint64 if COMPILED else int
"""A number as a word of bits, or as an index without a sign."""
int64: Any = np.int64 if COMPILED else int
ALL = uint64(2**64 - 1)


def fill(array: Any, value: Any) -> None:
    """Write a value into every place of an array of a state."""
    for i in range(len(array)):
        array[i] = value


def _fill(array: Any, value: Any) -> None:
    array[:] = value


if COMPILED:
    fill = rule(_fill)
