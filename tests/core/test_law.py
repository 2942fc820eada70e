"""Records: laws and states as memory, the same compiled, plain and on a graphics card."""

import weakref
from typing import NamedTuple

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.jit import COMPILED
from bridgehead.core.law import align_fields, alignment, as_records, pack_law
from bridgehead.core.layout import TAKEN
from bridgehead.workshop.devices import laws

MIXED = np.dtype([("small", np.int8), ("word", np.uint64), ("short", np.int16, (3,)), ("last", np.int8)])
ROWS = np.dtype([("narrow", np.int32), ("rows", as_records(MIXED), (2,))])


def test_every_field_lies_at_a_multiple_of_its_size_and_every_byte_has_a_name() -> None:
    made = align_fields(MIXED)
    assert made.isalignedstruct and made.itemsize == 24
    assert made.fields is not None
    places = {name: made.fields[name][1] for name in ("small", "word", "short", "last")}
    assert places == {"small": 0, "word": 8, "short": 16, "last": 22}
    assert sum(made[name].itemsize for name in made.names or ()) == made.itemsize
    assert align_fields(made) == made
    rows = align_fields(ROWS)
    assert rows.fields is not None
    assert rows.fields["rows"][1] == 8 and rows.itemsize == 8 + 2 * 24


def test_copies_of_equal_states_are_equal_byte_by_byte() -> None:
    states = np.zeros(4, as_records(MIXED))
    for _ in range(200):
        junk = np.full(states.nbytes, 255, np.uint8)
        del junk
        assert states.copy().tobytes() == states.tobytes()


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_states_and_laws_of_every_game_are_aligned(name: str) -> None:
    game = registry.game(name)
    for dtype in (game.new_states(1).dtype, laws(game).dtype):
        assert dtype.fields is not None
        assert all(place % alignment(dtype[key]) == 0 for key, (_, place, *_) in dtype.fields.items())


def test_a_record_inside_a_record_has_its_own_fields() -> None:
    outer = np.zeros(1, as_records(np.dtype([("number", np.int8), ("inner", MIXED)])))[0]
    outer.inner.word = np.uint64(7)
    assert (outer.inner.word, outer.inner.small, outer.number) == (7, 0, 0)


@pytest.mark.parametrize("count", [1, 2])
def test_a_table_of_a_record_is_the_memory_that_it_lies_in(count: int) -> None:
    states = np.zeros(count, as_records(MIXED))
    record = states[-1]
    assert record.short.tolist() == [0, 0, 0]
    record.short[1] = 7
    assert (record.short.tolist(), states["short"][-1].tolist()) == ([0, 7, 0], [0, 7, 0])
    states["short"][-1] = 5
    assert record.short.tolist() == [5, 5, 5]
    states.flags.writeable = False
    with pytest.raises(ValueError):
        states[-1].short[0] = 1


@pytest.mark.skipif(COMPILED, reason="NumPy's own records hold nothing at hand")
def test_a_record_goes_although_its_tables_were_looked_at() -> None:
    record = np.zeros(1, as_records(MIXED))[0]
    assert record.short is record.short
    gone = weakref.ref(record)
    del record
    assert gone() is None, "nobody looks for rubbish among arrays"


@pytest.mark.parametrize("name", ["size", "shape", "base", "dtype", "data", "item", "T", "max", "sum", "flags", "_own", "class"])
def test_a_field_that_plain_and_compiled_rules_would_read_differently_is_refused(name: str) -> None:
    assert name in TAKEN or name in ("_own", "class")
    for dtype in (np.dtype([(name, np.int8)]), np.dtype([("rows", np.dtype([(name, np.int8)]), (3,))])):
        with pytest.raises(BridgeheadError, match=f"cannot be called '{name}'"):
            as_records(dtype)


def test_a_law_with_such_a_field_is_refused() -> None:
    class Law(NamedTuple):
        size: int

    with pytest.raises(BridgeheadError, match=r"record: a field cannot be called 'size': NumPy's records have an attribute"):
        pack_law(Law(81))
