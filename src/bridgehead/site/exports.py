"""Takes out of Pyodide most names that its program exports: packages with machine code need them, and the site has none."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

HEAD = 8  # bytes before the first section
IMPORTS, EXPORTS = 2, 7  # sections of WebAssembly
FUNCTION, TABLE, MEMORY, GLOBAL, TAG = range(5)  # kinds of imports and exports
NAME = re.compile(r"[A-Za-z_$][\w$]*")
LISTED = re.compile(r'(_\w+)=Module\["\1"\]=wasmExports\["(\w+)"\];')  # how the script takes each export
DECLARED = re.compile(r"\bvar (_\w+(?:,_\w+){99,})(?=[,;])")


def lighter(program: bytes, script: str, others: str) -> tuple[bytes, str]:
    """Pyodide's program and its script without the exports that no script uses. others: its other script."""
    used = {*NAME.findall(DECLARED.sub("", LISTED.sub("", script))), *NAME.findall(others), *_imported(program)}
    gone = {name for _, name in LISTED.findall(script) if name not in used and f"_{name}" not in used}
    script = LISTED.sub(lambda found: "" if found[2] in gone else found[0], script)
    script = DECLARED.sub(lambda found: f"var {','.join(each for each in found[1].split(',') if each[1:] not in gone)}", script)
    return b"".join(_exporting(program, used)), script


def _exporting(program: bytes, used: Container[str]) -> Iterator[bytes]:
    """The program in pieces, with fewer exports."""
    yield program[:HEAD]
    for kind, begin, end in _sections(program):
        body = program[begin:end]
        if kind == EXPORTS:
            kept = [entry for name, kind_, entry in _exports(body) if kind_ not in (FUNCTION, GLOBAL) or _is_in(name, used)]
            body = _number(len(kept)) + b"".join(kept)
        yield bytes([kind]) + _number(len(body)) + body


def _is_in(name: str, used: Container[str]) -> bool:
    return name in used or f"_{name}" in used


def _sections(program: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, begin and end of each section."""
    at = HEAD
    while at < len(program):
        size, begin = _read(program, at + 1)
        yield program[at], begin, begin + size
        at = begin + size


def _exports(body: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Name, kind and entry of each export."""
    count, at = _read(body, 0)
    for _ in range(count):
        size, name = _read(body, at)
        _, end = _read(body, name + size + 1)
        yield body[name : name + size].decode(), body[name + size], body[at:end]
        at = end


def _imported(program: bytes) -> Iterator[str]:
    """The names of the imports: the program asks for some of its own exports by their names."""
    body = next(program[begin:end] for kind, begin, end in _sections(program) if kind == IMPORTS)
    count, at = _read(body, 0)
    for _ in range(count):
        for _ in ("module", "name"):
            size, begin = _read(body, at)
            at = begin + size
        yield body[begin:at].decode()
        at = _described(body, at)


def _described(body: bytes, at: int) -> int:
    """Where the description of an import ends, which begins with its kind."""
    kind, at = body[at], at + 1
    if kind == GLOBAL:
        return at + 2
    if kind in (TABLE, MEMORY):
        at += kind == TABLE
        has_most, (_, at) = body[at] & 1, _read(body, at + 1)
        return _read(body, at)[1] if has_most else at
    return _read(body, at + (kind == TAG))[1]


def _read(data: bytes, at: int) -> tuple[int, int]:
    """A number (unsigned LEB128), and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 0x7F) << shift, shift + 7
        if byte < 0x80:
            return value, at


def _number(value: int) -> bytes:
    """A number as WebAssembly writes it."""
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])
