"""Layouts: the fields of a record, declared once; memory for compiled rules, and an object of whole numbers for plain ones.

A layout is a list of `(name, type, shape)`, as NumPy takes it: `[("pieces", "uint64", (2,)), ("turns", "uint32")]`.
Fields keep their order, and each lies at a multiple of its size. The type of an inner record is again such a list.
"""

from __future__ import annotations

import itertools
import keyword
import reprlib
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from bridgehead.core.errors import BridgeheadError

if TYPE_CHECKING:
    import numpy as np

CODES = {
    "bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q",
    "float32": "f", "float64": "d",
}  # fmt: skip
# The attributes of NumPy's records and arrays. Compiled rules read a field of any name; NumPy's own attribute would come first in
# plain Python: `law.size` is 1 for every law.
TAKEN = frozenset(
    """
    T all any argmax argmin argpartition argsort astype base byteswap choose clip compress conj conjugate copy ctypes
    cumprod cumsum data device diagonal dot dtype dump dumps fill flags flat flatten getfield imag item itemsize mT max
    mean min nbytes ndim nonzero partition pprint prod put ravel real repeat reshape resize round searchsorted setfield
    setflags shape size sort squeeze std strides sum swapaxes take to_device tobytes tofile tolist trace transpose var
    view
    """.split()  # noqa: SIM905
)


class Array(NamedTuple):
    """A table of a law: its type, its shape and its values, nested as the shape; what they leave out is 0.

    A table of records has a layout as its type, and {field: values} as its values.
    """

    kind: Any
    shape: tuple[int, ...]
    values: Any


class Field(NamedTuple):
    """A field of a layout; kind: the name of a type, or a Layout."""

    name: str
    kind: Any
    shape: tuple[int, ...]


class PlainTable(dict[Any, Any]):
    """A table of several dimensions: `table[i, j]`. It is a dict of the places that were read, which Python reads fastest.

    cells: all numbers in C order; a table of a frozen record has a tuple.
    """

    __slots__ = ("cells", "shape")

    def __init__(self, shape: tuple[int, ...], cells: Sequence[Any]) -> None:
        self.shape, self.cells = shape, cells

    def _place(self, key: tuple[Any, ...]) -> int:
        place = 0
        for index, length in zip(map(int, key), self.shape, strict=True):
            if not -length <= index < length:
                raise IndexError(f"index {index} is out of bounds for a length of {length}")
            place = place * length + index % length
        return place

    def __missing__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            dict.__setitem__(self, key, found := self.cells[self._place(key)])
            return found
        if not -self.shape[0] <= key < self.shape[0]:
            raise IndexError(f"index {key} is out of bounds for a length of {self.shape[0]}")
        size = prod(self.shape[1:])
        part = tuple(self.cells[key % self.shape[0] * size :][:size])
        return part if len(self.shape) == 2 else PlainTable(self.shape[1:], part)

    def __setitem__(self, key: Any, value: Any) -> None:
        cells: Any = self.cells
        cells[self._place(key)] = value
        if min(key) < 0:
            self.clear()  # the same place may be known under two names
        else:
            dict.__setitem__(self, key, value)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self.shape[0]))

    def __len__(self) -> int:
        return self.shape[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainTable) and (self.shape, tuple(self.cells)) == (other.shape, tuple(other.cells))

    __hash__ = None

    def replace_cells(self, cells: Sequence[Any]) -> PlainTable:
        """A table of other cells with the same numbers."""
        new = PlainTable(self.shape, cells)
        dict.update(new, dict.copy(self))  # a copy is a dict that Python copies at once
        return new


class Rows(dict[int, Any]):
    """An array of frozen records, each made when it is first read: a law may have ten thousands."""

    __slots__ = ("length", "make")

    def __init__(self, length: int, make: Callable[[int], Any]) -> None:
        self.length, self.make = length, make

    def __missing__(self, index: Any) -> Any:
        if not -self.length <= index < self.length:
            raise IndexError(f"index {index} is out of bounds for a length of {self.length}")
        found = self[index] = self.make(int(index) % self.length)
        return found

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self.length))

    def __len__(self) -> int:
        return self.length


class Record:
    """Base of the classes of plain records. Numbers are attributes; an array is a list, of several dimensions a `PlainTable`.

    Methods have names that no field may have. A frozen record has tuples in place of lists.
    """

    __slots__ = ()
    _layout: Layout
    _open: type[Record]
    _frozen: type[Record]

    def copy(self) -> Any:
        """A copy that may be changed."""
        raise NotImplementedError

    def _freeze(self) -> Any:
        raise NotImplementedError

    def tobytes(self) -> bytes:
        """The bytes of the record in memory. Errors: struct.error for a number that its field cannot hold."""
        return self._layout.pack(self)

    @property
    def nbytes(self) -> int:
        return self._layout.nbytes

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __repr__(self) -> str:
        fields = (f"{field.name}={reprlib.repr(flat(self[field.name]))}" for field in self._layout.fields)
        return f"<Record {' '.join(itertools.islice(fields, 20))}>"


class Layout:
    """The fields of a record. Errors: BridgeheadError for a name that plain and compiled rules would read differently."""

    def __init__(self, fields: Sequence[tuple[Any, ...]], what: str = "record") -> None:
        self.fields = tuple(_field(what, *field) for field in fields)

    @classmethod
    def of(cls, described: Any, what: str = "record") -> Layout:
        """The layout of a description: a list of fields, or a dtype of NumPy."""
        if isinstance(described, Layout):
            return described
        if isinstance(described, list | tuple):
            return cls(described, what)
        inner = [(name, described[name]) for name in described.names or ()]
        kinds = [(name, kind.base if kind.base.names else kind.base.name, kind.shape) for name, kind in inner]
        return cls([field for field in kinds if not field[0].startswith("gap_at_")], what)

    def __reduce__(self) -> tuple[Any, ...]:
        return Layout, (self.fields,)

    def __repr__(self) -> str:
        return f"<Layout {', '.join(field.name for field in self.fields)}>"

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The layout as a type of NumPy, without gaps; `law.as_records` makes the type of the memory."""
        import numpy as np

        return np.dtype([(name, kind.dtype if isinstance(kind, Layout) else kind, shape) for name, kind, shape in self.fields])

    @cached_property
    def alignment(self) -> int:
        return max((alignment_of(field.kind) for field in self.fields), default=1)

    @cached_property
    def _format(self) -> str:
        code, place = "", 0
        for _, kind, shape in self.fields:
            gap, number = -place % alignment_of(kind), prod(shape)
            code += (f"{gap}x" if gap else "") + (
                f"{number * kind.nbytes}s" if isinstance(kind, Layout) else f"{number}{CODES[kind]}"
            )
            place += gap + number * size_of(kind)
        return f"<{code}{-place % self.alignment}x"

    @cached_property
    def _struct(self) -> struct.Struct:
        return struct.Struct(self._format)

    @property
    def nbytes(self) -> int:
        """The size of the memory of one record."""
        return self._struct.size

    def pack(self, record: Any) -> bytes:
        """A plain record as the bytes that compiled rules read."""
        values: list[Any] = []
        for name, kind, shape in self.fields:
            value = getattr(record, name)
            if isinstance(kind, Layout):
                values.append(b"".join(map(kind.pack, value)) if shape else kind.pack(value))
            elif shape:
                values += value.cells if isinstance(value, PlainTable) else value
            else:
                values.append(value)
        return self._struct.pack(*values)

    def unpack(self, data: bytes) -> Any:
        """A plain record, frozen, of the bytes of one record."""
        values, at, found = self._struct.unpack(data), 0, {}
        for name, kind, shape in self.fields:
            if isinstance(kind, Layout):
                found[name], at = kind._read(values[at], shape), at + 1
            elif shape:
                found[name], at = values[at : at + prod(shape)], at + prod(shape)
            else:
                found[name], at = values[at], at + 1
        return self._made(found)

    def record(self, values: dict[str, Any]) -> Any:
        """A plain record, frozen, of nested values; what they leave out is 0."""
        found = {}
        for name, kind, shape in self.fields:
            value = values.get(name, ())
            if isinstance(kind, Layout):
                found[name] = kind.rows(value, shape[0]) if shape else kind.record(value or {})
            else:
                found[name] = cells(value, shape) if shape else int(value or 0) if CODES[kind] not in "fd" else float(value or 0)
        return self._made(found)

    def _read(self, data: bytes, shape: tuple[int, ...]) -> Any:
        """The frozen record of these bytes, or an array of them."""
        size = self.nbytes
        return Rows(prod(shape), lambda i: self.unpack(data[i * size : (i + 1) * size])) if shape else self.unpack(data)

    def rows(self, columns: dict[str, Sequence[Any]], length: int) -> Rows:
        """An array of frozen records by {field: values}; what they leave out is 0."""
        given = max(map(len, columns.values()), default=0)
        return Rows(length, lambda i: self.record({name: column[i] for name, column in columns.items()} if i < given else {}))

    def blank(self) -> Any:
        """A plain record of zeros that may be changed."""
        return self._blank.copy()

    @cached_property
    def _blank(self) -> Any:
        return self.record({})

    def _made(self, cells: dict[str, Any]) -> Any:
        made = self._class()
        for name, kind, shape in self.fields:
            value = cells[name]
            setattr(made, name, PlainTable(shape, value) if len(shape) > 1 and not isinstance(kind, Layout) else value)
        return made._freeze()

    @cached_property
    def _class(self) -> type[Record]:
        """The class of plain records that may be changed. Its methods name each field, because that is fastest."""
        opened, frozen = [], []
        for name, kind, shape in self.fields:
            if isinstance(kind, Layout):
                opened.append(f"new.{name} = " + (f"[each.copy() for each in self.{name}]" if shape else f"self.{name}.copy()"))
                frozen.append(f"self.{name} = frozen(self.{name})" if shape else f"self.{name}._freeze()")
            elif len(shape) > 1:
                opened.append(f"new.{name} = self.{name}.replace_cells(list(self.{name}.cells))")
                frozen.append(f"self.{name}.cells = tuple(self.{name}.cells)")
            else:
                opened.append(f"new.{name} = list(self.{name})" if shape else f"new.{name} = self.{name}")
                frozen += [f"self.{name} = tuple(self.{name})"] if shape else []
        methods = [_method("copy", "new = make(kind)", *opened, "return new")]
        methods.append(
            _method(
                "_freeze",
                "if self.__class__ is kind:",
                *("    " + line for line in frozen),
                "    self.__class__ = still",
                "return self",
            )
        )
        names: dict[str, Any] = {"make": object.__new__, "frozen": _frozen}
        exec("\n".join(methods), names)  # noqa: S102 (the names of fields are identifiers: `_check`)
        members = {"__slots__": tuple(field.name for field in self.fields), "_layout": self}
        kind = type("PlainRecord", (Record,), members | {"copy": names["copy"], "_freeze": names["_freeze"]})
        refuse = {"__slots__": (), "__setattr__": _refuse_change}
        names["kind"], names["still"] = kind, type("FrozenRecord", (kind,), refuse)
        return kind


def _frozen(rows: Any) -> Any:
    return rows if isinstance(rows, Rows) else tuple(each._freeze() for each in rows)


def _method(name: str, *lines: str) -> str:
    return "\n    ".join([f"def {name}(self):", *lines])


def _refuse_change(record: Any, name: str, value: Any) -> None:
    raise ValueError(f"{name}: this record is read-only")


def _field(what: str, name: str, kind: Any, shape: Any = ()) -> Field:
    _check(what, name)
    known = kind if isinstance(kind, str) else Layout.of(kind, f"{what}.{name}")
    return Field(name, known, (shape,) if isinstance(shape, int) else tuple(map(int, shape)))


def _check(what: str, name: str) -> None:
    if name in TAKEN:
        raise BridgeheadError("error.field_taken", what, field=repr(name))
    if name.startswith("_") or not name.isidentifier() or keyword.iskeyword(name):
        raise BridgeheadError("error.field_name", what, field=repr(name))


def size_of(kind: Any) -> int:
    return kind.nbytes if isinstance(kind, Layout) else struct.calcsize(f"<{CODES[kind]}")


def alignment_of(kind: Any) -> int:
    return kind.alignment if isinstance(kind, Layout) else size_of(kind)


def flat(value: Any) -> Any:
    """The numbers of a field of a record, plain or of NumPy, in C order."""
    if hasattr(value, "dtype"):
        return value.reshape(-1).tolist()
    return value.cells if isinstance(value, PlainTable) else value if isinstance(value, list | tuple) else (value,)


def cells(values: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Nested values of a shape, in C order; what they leave out is 0."""
    if len(values) > shape[0]:
        raise ValueError(f"{len(values)} values for a table of {shape[0]}")
    if len(shape) == 1:
        return (*map(_number, values), *(0,) * (shape[0] - len(values)))
    rows = [cells(row, shape[1:]) for row in values]
    return (*(cell for row in rows for cell in row), *(0,) * ((shape[0] - len(rows)) * prod(shape[1:])))


def _number(value: Any) -> Any:
    return value if isinstance(value, float) else int(value)
