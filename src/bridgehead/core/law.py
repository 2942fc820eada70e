"""Records of NumPy for compiled rules: states and laws in memory. A law holds the house rules and board tables of a game."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from bridgehead.core.jit import COMPILED
from bridgehead.core.layout import Array, Layout, Record, cells
from bridgehead.core.numbers import np

if TYPE_CHECKING:
    import numpy as np


def as_records(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The structured type with fields by attribute, each at an address that is a multiple of its size.

    Plain Python gets a record class with a property for each field: NumPy's own class searches for the field at every access,
    which is three times slower. A field that is a table is looked up once per record.
    Errors: BridgeheadError for a name that NumPy uses itself.
    """
    Layout.of(dtype)
    dtype = align_fields(dtype)
    return np.dtype((np.record, dtype)) if COMPILED else _plain(dtype, TableField)


def align_fields(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The structured type with aligned fields, which a graphics card reads at once instead of byte by byte.

    Gaps are fields with names: NumPy does not copy nameless bytes, and equal states have to be equal byte by byte.
    """
    if dtype.subdtype:
        return np.dtype((align_fields(dtype.base), dtype.shape))
    if dtype.names is None:
        return dtype
    fields: list[Any] = []
    place, widest = 0, 1
    for name in dtype.names:
        inner = align_fields(dtype[name])
        step = alignment(inner)
        place += _fill(fields, place, step)
        fields.append((name, inner))
        place, widest = place + inner.itemsize, max(widest, step)
    _fill(fields, place, widest)
    return np.dtype((dtype.type, np.dtype(fields, align=True)))


def alignment(dtype: np.dtype[Any]) -> int:
    """The alignment of such a field in bytes (NumPy forgets it for record classes)."""
    base = dtype.base
    return max(alignment(base[name]) for name in base.names) if base.names else base.alignment


def _fill(fields: list[Any], place: int, step: int) -> int:
    """Add the gap from a place to the next multiple of a step; return its width."""
    if gap := -place % step:
        fields.append((f"gap_at_{place}", np.uint8, (gap,)))
    return gap


def _plain(dtype: np.dtype[Any], table: Callable[[str], Any]) -> np.dtype[Any]:
    """The type with a record class for plain Python. table: makes the property of a field that is a table."""
    names = dtype.names
    if names is None:
        return np.dtype((_plain(dtype.base, _field), dtype.shape)) if dtype.subdtype else dtype
    inner = [_plain(dtype[name], _field) for name in names]
    offsets = [dtype.fields[name][1] for name in names] if dtype.fields else []
    whole = np.dtype({"names": names, "formats": inner, "offsets": offsets, "itemsize": dtype.itemsize})
    plain = {
        "__getattribute__": object.__getattribute__,
        "__setattr__": object.__setattr__,
        "__getitem__": np.void.__getitem__,  # np.record's own is twice as slow, and gives an inner record the outer one's class
    }
    fields = {name: (table if dtype[name].shape else _field)(name) for name in names}
    return np.dtype((type("PlainRecord", (np.record,), fields | plain), whole))


def _field(name: str) -> property:
    return property(itemgetter(name), lambda record, value: record.__setitem__(name, value))


class TableField:
    """A field of a record that is a table. Rules write into it and never replace it, so the record caches it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, record: Any, owner: type) -> Any:
        whole = record.base
        if whole.shape != (1,):
            return record[self.name]
        table = record.__dict__[self.name] = whole[self.name][0]  # a view of the record would keep it alive for ever
        return table


class SeatsOnly(NamedTuple):
    """The default law: the number of seats."""

    seats: int


def pack_law(law: Any, numbers: Mapping[str, int] | None = None, fields: Sequence[tuple[Any, ...]] = ()) -> Any:
    """A law (NamedTuple or dict of tables and whole numbers) as one read-only record with the same attributes.

    A table is an `Array`, or an array of NumPy. numbers: the house rules (`options.numbers`), further fields of the record; where
    both have a field, the law's wins. fields: the types and the order of the fields, for values that are nested lists.

    A record reaches compiled functions as one address. A tuple of arrays is copied at every call and counts
    references at every look-up: 40 Bridges ran five times slower with one (0.84 and 4.2 M decisions/s).
    """
    values: dict[str, Any] = {**(numbers or {}), **(law if isinstance(law, dict) else law._asdict())}
    fields = fields or [(name, *_type(value)) for name, value in values.items()]
    given = {name: value.values if isinstance(value, Array) else value for name, value in values.items()}
    if not COMPILED and not any(hasattr(value, "dtype") for value in values.values()):
        return Layout(fields).record(given)
    layout = Layout(fields)
    record = np.zeros(1, as_records(layout.dtype))
    for name, kind, shape in layout.fields:
        _write(record[name], kind, (1, *shape), [given[name]] if name in given else [])
    record.flags.writeable = False
    return record[0]


def _type(value: Any) -> tuple[Any, tuple[int, ...]]:
    if isinstance(value, Array):
        return value.kind, value.shape
    return (value.dtype if value.dtype.names else value.dtype.name, value.shape) if hasattr(value, "dtype") else ("int64", ())


def _write(place: Any, kind: Any, shape: tuple[int, ...], values: Any) -> None:
    """Write nested values into an array of that shape; what they leave out stays 0."""
    if isinstance(kind, Layout):
        for name, inner, size in kind.fields:
            _write(place[name], inner, (*shape, *size), [row[name] for row in values if name in row])
    elif values and hasattr(values[0], "dtype"):
        place[0] = values[0]
    else:
        place[...] = np.array(cells(values, shape), kind).reshape(shape)


def memory(law: Any) -> Any:
    """A law as a record of NumPy, read-only."""
    return np.frombuffer(law.tobytes(), as_records(law._layout.dtype))[0] if isinstance(law, Record) else law


def numbers_of(law: Any) -> Any:
    """A law as a plain record."""
    return Layout.of(law.dtype).unpack(law.tobytes()) if hasattr(law, "dtype") else law


def quick(law: Any) -> Any:
    """A law in the form that plain rules read fastest: a record of NumPy as a namespace. Compiled rules need the record itself.

    The fields stay NumPy's numbers: a narrow number of a state times a Python integer would stay narrow, and wrap around.
    """
    if COMPILED or isinstance(law, Record) or getattr(getattr(law, "dtype", None), "names", None) is None:
        return law
    return SimpleNamespace(**{name: law[name] for name in law.dtype.names})


def parcel(law: Any) -> bytes:
    """A law as bytes, for another process of the same release: `unpack_law` makes it again."""
    packet = io.BytesIO()
    _Parcel(packet, pickle.HIGHEST_PROTOCOL).dump(law)
    return packet.getvalue()


def unpack_law(packet: bytes) -> Any:
    """The law of a parcel. Only for trusted bytes."""
    return pickle.loads(packet)


class _Parcel(pickle.Pickler):
    """Record classes are made at run time, so a record is pickled as its bytes and its plain type."""

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, type | Layout):
            return NotImplemented
        if isinstance(thing, Record):
            return thing._layout.unpack, (thing.tobytes(),)
        return (
            (_record, (_bare(thing.dtype), thing.tobytes())) if hasattr(thing, "dtype") and thing.dtype.names else NotImplemented
        )


def _record(dtype: np.dtype[Any], data: bytes) -> Any:
    return np.frombuffer(data, as_records(dtype))[0]


def _bare(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same memory without record classes."""
    if dtype.subdtype:
        return np.dtype((_bare(dtype.base), dtype.shape))
    if dtype.names is None or dtype.fields is None:
        return dtype
    inner, offsets = [_bare(dtype[name]) for name in dtype.names], [dtype.fields[name][1] for name in dtype.names]
    layout: dict[str, Any] = {"names": dtype.names, "formats": inner, "offsets": offsets, "itemsize": dtype.itemsize}
    bare: np.dtype[Any] = np.dtype(layout, align=dtype.isalignedstruct)
    return bare
