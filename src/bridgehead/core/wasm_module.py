"""Turns an object file of LLVM into a WebAssembly module that runs by itself, without a linker.

LLVM writes one object file for the whole program, with all numbers of functions and addresses filled in as if nothing were
linked to it. It expects its memory and its stack from outside, and it exports nothing. So only these parts change: memory and
stack become the module's own, entries are exported, and what only a linker reads is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

MAGIC = b"\0asm\1\0\0\0"
TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, ELEMENT, CODE, DATA, DATA_COUNT = 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12
ORDER = (TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, ELEMENT, DATA_COUNT, CODE, DATA)
A_FUNCTION, A_TABLE, A_MEMORY, A_GLOBAL, A_TAG = range(5)  # kinds of imports and exports
SYMBOLS, DATA_SYMBOL, SECTION_SYMBOL = 8, 1, 3  # in the section "linking"
UNDEFINED, NAMED = 0x10, 0x40  # flags of a symbol
PAGE = 65_536  # bytes of a page of memory
STACK = 4 * PAGE  # bytes for the stack


class ModuleImport(NamedTuple):
    """Something that the object file expects from outside; `what` is its type as the file has it."""

    name: str
    kind: int
    what: bytes


class SectionReader:
    """Reads numbers and names from the bytes of a section."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self) -> int:
        """A whole number of 7 bits a byte (LEB128, unsigned)."""
        found, shift = 0, 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def take(self, count: int) -> bytes:
        """The next bytes."""
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        """A name after its length."""
        return self.take(self.number()).decode()

    def limits(self) -> bytes:
        """The limits of a memory or table, as they stand."""
        begin, flags = self.at, self.number()
        for _ in range(1 + (flags & 1)):
            self.number()
        return self.data[begin : self.at]


def number(value: int) -> bytes:
    """A whole number in 7 bits a byte."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def encode_signed(value: int) -> bytes:
    """A whole number that is not negative, where a file may hold negative ones: bit 6 of the last byte is the sign."""
    return number(value) if number(value)[-1] < 64 else number(value | 1 << 7 * len(number(value)))[:-1] + b"\0"


def name(text: str) -> bytes:
    """A name after its length."""
    raw = text.encode()
    return number(len(raw)) + raw


def vector(items: Iterable[bytes]) -> bytes:
    """Items after their number."""
    found = list(items)
    return number(len(found)) + b"".join(found)


def section(kind: int, content: bytes) -> bytes:
    """One section of a module."""
    return bytes([kind]) + number(len(content)) + content


def custom(title: str, content: bytes) -> bytes:
    """A section that WebAssembly does not read, only the program that loads the module."""
    return section(0, name(title) + content)


def module(linkable: bytes, entries: Iterable[str], customs: Mapping[str, bytes]) -> bytes:
    """The module of an object file, with these functions and its memory exported. customs: further sections by their names."""
    parts, linking = _sections(linkable)
    expected = list(imports(parts.get(IMPORT, b"\0")))
    table = [each.what for each in expected if each.kind == A_TABLE]
    free = -(-_end_of_data(parts.get(DATA, b"\0")) // 16) * 16
    top = free + STACK
    functions = _functions(linking)
    exports = [name(entry) + bytes([A_FUNCTION]) + number(functions[entry]) for entry in entries]
    made = {
        **parts,
        IMPORT: vector(name("env") + name(each.name) + bytes([A_FUNCTION]) + each.what for each in _called(expected)),
        TABLE: vector(table) if table else b"",
        MEMORY: vector([b"\0" + number(-(-top // PAGE))]),
        GLOBAL: vector([b"\x7f\x01\x41" + encode_signed(top) + b"\x0b"]),  # an i32 that changes: the stack's top
        EXPORT: vector([name("memory") + bytes([A_MEMORY, 0]), *exports]),
    }
    body = b"".join(section(kind, made[kind]) for kind in ORDER if made.get(kind))
    return MAGIC + body + b"".join(custom(title, content) for title, content in customs.items())


def list_imports(linkable: bytes) -> list[str]:
    """The names of the functions that an object file expects from outside."""
    return [each.name for each in _called(imports(_sections(linkable)[0].get(IMPORT, b"\0")))]


def _called(expected: Iterable[ModuleImport]) -> list[ModuleImport]:
    return [each for each in expected if each.kind == A_FUNCTION]


def sections(program: bytes) -> Iterator[tuple[int, bytes]]:
    """The sections of a module or an object file: kind and content of each."""
    whole = SectionReader(program)
    whole.take(len(MAGIC))
    while whole.at < len(program):
        kind = whole.take(1)[0]
        yield kind, whole.take(whole.number())


def _sections(linkable: bytes) -> tuple[dict[int, bytes], bytes]:
    """The numbered sections by their kind, and the content of the one named "linking"."""
    found, linking = {}, b""
    for kind, content in sections(linkable):
        if kind:
            found[kind] = content
        else:
            inside = SectionReader(content)
            if inside.name() == "linking":
                linking = content[inside.at :]
    return found, linking


def imports(content: bytes) -> Iterator[ModuleImport]:
    """The imports of a section, in order."""
    reader = SectionReader(content)
    for _ in range(reader.number()):
        reader.name()
        called, kind, begin = reader.name(), reader.take(1)[0], reader.at
        if kind == A_FUNCTION:
            reader.number()
        elif kind == A_GLOBAL:
            reader.take(2)
        elif kind == A_TAG:
            reader.take(1)
            reader.number()
        else:
            reader.take(kind == A_TABLE)
            reader.limits()
        yield ModuleImport(called, kind, content[begin : reader.at])


def _end_of_data(content: bytes) -> int:
    """The first address behind all data."""
    reader, end = SectionReader(content), 0
    for _ in range(reader.number()):
        flags = reader.number()
        assert flags == 0 and reader.take(1) == b"\x41", "data at a constant address"
        begin = reader.number()
        reader.take(1)
        size = reader.number()
        reader.take(size)
        end = max(end, begin + size)
    return end


def _functions(linking: bytes) -> dict[str, int]:
    """The number of each function that the object file defines, by its name."""
    reader, found = SectionReader(linking), {}
    assert reader.number() == 2, "the version of the section"
    while reader.at < len(linking):
        kind, inside = reader.take(1)[0], SectionReader(reader.take(reader.number()))
        for _ in range(inside.number() if kind == SYMBOLS else 0):
            what, flags = inside.take(1)[0], inside.number()
            if what == DATA_SYMBOL:
                inside.name()
                for _ in range(0 if flags & UNDEFINED else 3):
                    inside.number()
            else:
                place = inside.number()
                if what != SECTION_SYMBOL and (not flags & UNDEFINED or flags & NAMED):
                    title = inside.name()
                    if what == A_FUNCTION and not flags & UNDEFINED:
                        found[title] = place
    return found
