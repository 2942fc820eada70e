"""Exponential, logarithm and tangent: close to the true values, and the same bits compiled and plain."""

import math
import random
import struct
from collections.abc import Callable
from typing import Any

import pytest

from bridgehead.core import numerics

FUNCTIONS = {"exp": (-700, 700), "log": (1e-300, 1e6), "tanh": (-25, 25)}


def bits(name: str, count: int) -> list[str]:
    """The results for random numbers, as bits."""
    rng, (low, high) = random.Random(name), FUNCTIONS[name]
    function = getattr(numerics, name)
    return [struct.pack("<d", float(function(rng.uniform(low, high)))).hex() for _ in range(count)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_they_are_as_close_as_a_double_can_be(name: str) -> None:
    rng, (low, high) = random.Random(name), FUNCTIONS[name]
    for _ in range(2000):
        x = rng.uniform(low, high)
        assert getattr(numerics, name)(x) == pytest.approx(getattr(math, name)(x), rel=4e-16, abs=4e-16), x


def test_their_ends() -> None:
    assert (numerics.exp(-800.0), numerics.exp(0.0), numerics.exp(710.0)) == (0.0, 1.0, math.inf)
    assert (numerics.log(1.0), numerics.tanh(0.0), numerics.tanh(400.0), numerics.tanh(-400.0)) == (0.0, 0.0, 1.0, -1.0)
    assert all(numerics.tanh(-x) == -numerics.tanh(x) for x in (0.1, 0.7, 3.3, 19.9))


def test_compiled_and_plain_rules_give_the_same_bits(compiled: Callable[[str], Any]) -> None:
    for name in FUNCTIONS:
        assert compiled("connect_four")("test_numerics", "bits", name, 500) == bits(name, 500)
