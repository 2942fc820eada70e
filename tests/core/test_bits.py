"""Words of bits: the compiled forms and the plain shortcuts say the same."""

import random

import numpy as np

from bridgehead.core import bits

WORDS = [1, 2, 3, 1 << 40, 1 << 63, 2**64 - 1, *(random.Random(7).getrandbits(64) for _ in range(50))]


def test_the_lowest_member_and_the_number_of_members() -> None:
    for word in WORDS:
        members = [place for place in range(64) if word >> place & 1]
        assert (bits.lowest(np.uint64(word)), bits.count(np.uint64(word))) == (members[0], len(members))
        assert bits.members(np.uint64(word)) == members
        assert bits.members(word << 70) == [place + 70 for place in members]


def test_the_forms_that_are_compiled_mean_the_same() -> None:
    for word in WORDS:
        assert bits._lowest(np.uint64(word)) == bits.lowest(np.uint64(word))
        assert bits._count(np.uint64(word)) == bits.count(np.uint64(word))


def test_an_empty_word_has_no_member() -> None:
    assert (bits.lowest(np.uint64(0)), bits.count(np.uint64(0)), bits.members(0)) == (64, 0, [])
    with np.errstate(over="ignore"):
        assert (bits._lowest(np.uint64(0)), bits._count(np.uint64(0))) == (64, 0)
