"""The engine without a compiler: the package `wasmtime` runs the modules that Bridgehead carries (players/shipped_modules.py).

It loads in a fifth of a second, where Numba takes seconds or compiles first. The modules are of the same source, so a search with
a fixed seed and budget gives the same answer.
"""

from __future__ import annotations

import ctypes
import functools
import json
import logging
import lzma
import math
import struct
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import wasmtime

from bridgehead.core.game import Game, Position
from bridgehead.core.layout import CODES
from bridgehead.players import shipped_modules
from bridgehead.players.modules import facts, layout
from bridgehead.players.wasm_engine import WasmEngine, WasmMemory

log = logging.getLogger("bridgehead")
SECTION, FORMAT = "bridgehead", 1  # of the description in a module (core/wasm.py)
PAGE, LEAST_PAGES = 65_536, 16
LARGE = 64 << 20  # bytes of memory; a module that has taken more is given up after its search, since its memory never shrinks
ALIGNED = 16


@functools.cache
def _engine() -> wasmtime.Engine:
    return wasmtime.Engine()


@functools.lru_cache(16)
def _compile(content: bytes) -> tuple[wasmtime.Module, dict[str, Any]]:
    """A module as machine code, and its description. Errors: wasmtime.WasmtimeError, ValueError."""
    about: dict[str, Any] = json.loads(read_section(content, SECTION))
    if about["format"] != FORMAT:
        raise ValueError(f"a module of format {about['format']}, not {FORMAT}")
    return wasmtime.Module(_engine(), content), about


def read_section(content: bytes, name: str) -> bytes:
    """The custom section of a module that has this name. Errors: ValueError."""
    at = 8
    while at < len(content):
        kind, (size, begin) = content[at], _number(content, at + 1)
        at = begin + size
        if kind == 0:
            length, first = _number(content, begin)
            if content[first : first + length] == name.encode():
                return content[first + length : at]
    raise ValueError(f"no section {name}")


def _number(content: bytes, at: int) -> tuple[int, int]:
    """A whole number (LEB128), and the place behind it."""
    value = shift = 0
    while True:
        byte = content[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


class WasmtimeEngine(WasmEngine):
    """An engine over the modules of the package. Each thread has its own ones at work."""

    def __init__(self) -> None:
        self._own = threading.local()

    def rules(self, game: Game) -> WasmtimeRules:
        """The module at work in this thread, under the law of this game."""
        working: dict[tuple[str, str], WasmtimeRules] = self._own.__dict__.setdefault("rules", {})
        key = game.spec.id, layout(game)
        if key not in working:
            working[key] = WasmtimeRules(*_compile(shipped_modules.read_module(game)), give_up=lambda: working.pop(key, None))
        found = working[key]
        found.use(game)
        return found

    def open_memory(self, game: Game) -> WasmMemory:
        return WasmtimeMemory(game, self.rules(game))

    def tables(self, position: Position) -> tuple[Any, Any] | None:
        stored = position.game.spec.evaluate.stored_endgames
        if stored is None or (found := stored(position)) is None:
            return None
        rules = self.rules(position.game)
        file, starts = found
        if file not in rules.tables:
            values = _unpack(str(file))
            made = rules.tables[file] = rules.make("uint8", len(values)), rules.make("int64", len(starts), len(starts))
            rules.write(made[0].at, values)
            rules.write(made[1].at, b"".join(struct.pack(f"<{len(row)}q", *row) for row in starts))
            rules.keep()
        return rules.tables[file]


@functools.lru_cache(2)
def _unpack(file: str) -> bytes:
    with lzma.open(file) as packed:
        return packed.read()


class Block:
    """Records or numbers in the memory of a module. kind: the name of a type of numbers, or the layout of a record."""

    __slots__ = ("at", "kind", "rules", "shape")

    def __init__(self, rules: WasmtimeRules, at: int, kind: Any, shape: tuple[int, ...]) -> None:
        self.rules, self.at, self.kind, self.shape = rules, at, kind, shape

    @property
    def numbers(self) -> _Numbers:
        """Its numbers, by their index."""
        return _Numbers(self)

    def row(self, index: int) -> Block:
        """One of several records."""
        return Block(self.rules, self.at + index * size_of(self.kind), self.kind, ())

    def get(self, name: str) -> Any:
        """The number in a field of a record, the first of several."""
        field = self.kind["fields"][name]
        return self.rules.read_number(self.at + field["at"], field["type"])

    def set(self, name: str, value: Any) -> None:
        """Write a number into a field of a record."""
        field = self.kind["fields"][name]
        self.rules.write_number(self.at + field["at"], field["type"], value)


class _Numbers:
    def __init__(self, block: Block) -> None:
        self._block = block

    def __getitem__(self, index: int) -> Any:
        block = self._block
        return block.rules.read_number(block.at + index * size_of(block.kind), block.kind)


@functools.cache
def _form(kind: str) -> struct.Struct:
    return struct.Struct(f"<{CODES[kind]}")


def size_of(kind: Any) -> int:
    """The bytes of a number or a record."""
    return _form(kind).size if isinstance(kind, str) else int(kind["size"])


class WasmtimeRules:
    """A module at work. Its memory is given out in order; `mark` and `release` give the last of it back.

    tables: the endgame tables in its memory, by their file. give_up: forgets this module, so that the next search has a new one.
    """

    def __init__(self, module: wasmtime.Module, about: Mapping[str, Any], give_up: Any = lambda: None) -> None:
        self.about, self.give_up, self._store = about, give_up, wasmtime.Store(_engine())
        given = [wasmtime.Func(self._store, each.type, getattr(math, str(each.name))) for each in module.imports]  # type: ignore[arg-type]
        exports = wasmtime.Instance(self._store, module, given).exports(self._store)
        self._memory: Any = exports["memory"]
        self._functions = {name: _Function(self._store, exports[name], entry) for name, entry in about["entries"].items()}
        self._begin = self._next = self._end = 0  # of the memory to give out, and the first byte beyond it
        self._used = 0  # beyond this byte, nothing was written yet
        self._game: Game | None = None
        self.tables: dict[Path, tuple[Block, Block]] = {}
        self.law = self.make("law")
        self.keep()

    def use(self, game: Game) -> None:
        """Play under the law of this game from now on."""
        if self._game is not game:
            self.write(self.law.at, game.law.tobytes())
            self.facts, self._game = facts(game), game

    def make(self, kind: str, *shape: int) -> Block:
        """Zeros: one record or several ("state", "law"), or numbers ("int32")."""
        of = self.about["records"].get(kind, kind)
        size, at = size_of(of) * math.prod(shape), -(-self._next // ALIGNED) * ALIGNED
        if at + size > self._end:
            pages = max(LEAST_PAGES, -(-size // PAGE))
            begin = self._memory.grow(self._store, pages) * PAGE
            if begin != self._end:
                at = self._begin = self._used = begin  # the module has taken some for arrays of its rules
            self._end = begin + pages * PAGE
        self._next = at + size
        if at < self._used:
            ctypes.memset(self._base() + at, 0, min(self._next, self._used) - at)
        self._used = max(self._used, self._next)
        return Block(self, at, of, shape)

    def mark(self) -> int:
        """The end of the memory given out so far, for `release`."""
        return self._next

    def release(self, mark: int) -> None:
        """Give back what was made since a mark."""
        self._next = max(mark, self._begin)
        if self._end - self._begin > LARGE:
            self.give_up()

    def keep(self) -> None:
        """Never give back what was made so far."""
        self._begin = self._next

    def call(self, name: str, *given: Any) -> float | None:
        """Call an entry that gives one number or none. A block is passed as its parameter asks."""
        return self._functions[name](*given)

    def read(self, at: int, size: int) -> bytes:
        return ctypes.string_at(self._base() + at, size)

    def write(self, at: int, data: bytes) -> None:
        ctypes.memmove(self._base() + at, data, len(data))

    def read_number(self, at: int, kind: str) -> Any:
        form = _form(kind)
        return form.unpack(self.read(at, form.size))[0]

    def write_number(self, at: int, kind: str, value: Any) -> None:
        self.write(at, _form(kind).pack(value if kind.startswith("float") else int(value)))

    def _base(self) -> int:
        """The address of the memory, which may move when it grows."""
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)


class _Function:
    """An entry of a module, called without a look at its types each time."""

    def __init__(self, store: wasmtime.Store, function: Any, entry: Mapping[str, Any]) -> None:
        self._store, self._function = store, function
        self._takes = [parameter["what"] for parameter in entry["takes"]]
        self._doubles = [str(kind) == "f64" for kind in function.type(store).params]

    def __call__(self, *given: Any) -> float | None:
        plain: list[Any] = []
        for what, each in zip(self._takes, given, strict=True):
            if what == "number":
                plain.append(float(each))
            elif what == "array":
                plain += [each.at, *(each.shape or (1,))]
            else:
                plain.append(each.at)
        found: float | None = self._function(self._store, *plain)
        return found


class WasmtimeMemory(WasmMemory):
    """The memory of a module in wasmtime."""

    rules: WasmtimeRules

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if error[0] is not None:  # after a trap, the module may have lost count of its own arrays
            self.rules.give_up()

    def pack(self, data: bytes) -> bytes:
        return data

    def put(self, block: Block, packed: bytes, at: int = 0) -> None:
        self.rules.write(block.at + at, packed)

    def copy(self, one: Block, other: Block) -> None:
        self.rules.write(other.at, self.rules.read(one.at, self.game.layout.nbytes))

    def call(self, name: str, *given: Any) -> Any:
        found = self.rules.call(name, *given)
        return int(found) if found is not None and found.is_integer() else found

    def candidates(self, tree: Block) -> Sequence[Mapping[str, Any]]:
        root, size, fields = tree.row(0), size_of(tree.kind), tree.kind["fields"]
        first, count, seats = root.get("first"), root.get("children"), self.game.seats
        rows, found = self.rules.read(tree.at + first * size, count * size), []

        def number(field: str, row: int, index: int = 0) -> Any:
            form = _form(fields[field]["type"])
            return form.unpack_from(rows, row * size + fields[field]["at"] + index * form.size)[0]

        for row in range(count):
            visits, proven = number("visits", row), number("proven", row) == 1
            sums, divisor = ("result", 1) if proven else ("total", max(1, visits))
            expected = [number(sums, row, seat) / divisor for seat in range(seats)]
            found.append({"action": number("action", row), "visits": visits, "expected": expected, "proven": proven})
        return found
