"""MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), without extensions."""

from __future__ import annotations

import struct
from typing import Any

from .reading import read_as, reader
from .structs import DecodeError
from .writing import to_builtins

# The first byte of whole numbers, of texts, bytes, lists and dicts, by the size of what follows.
UNSIGNED = ((0xCC, ">B"), (0xCD, ">H"), (0xCE, ">I"), (0xCF, ">Q"))
SIGNED = ((0xD0, ">b"), (0xD1, ">h"), (0xD2, ">i"), (0xD3, ">q"))
TEXT, BYTES, LIST, DICT = (0xD9, 0xDA, 0xDB), (0xC4, 0xC5, 0xC6), (0xDC, 0xDD), (0xDE, 0xDF)
SIZES = (">B", ">H", ">I")


def encode(value: Any) -> bytes:
    """A value as MessagePack. Errors: TypeError."""
    made = bytearray()
    _write(value, made)
    return bytes(made)


def _write(value: Any, out: bytearray) -> None:
    if value is None or isinstance(value, bool):
        out.append(0xC0 if value is None else 0xC3 if value else 0xC2)
    elif isinstance(value, int):
        _whole(value, out)
    elif isinstance(value, float):
        out += struct.pack(">Bd", 0xCB, value)
    elif isinstance(value, str | bytes):
        data = value.encode() if isinstance(value, str) else value
        is_text = isinstance(value, str)
        _head(len(data), (0xA0, 32) if is_text else None, TEXT if is_text else BYTES, out)
        out += data
    elif isinstance(value, list | tuple):
        _head(len(value), (0x90, 16), (None, *LIST), out)
        for each in value:
            _write(each, out)
    elif isinstance(value, dict):
        _head(len(value), (0x80, 16), (None, *DICT), out)
        for key, each in value.items():
            _write(key, out)
            _write(each, out)
    else:
        _write(to_builtins(value), out)


def _whole(value: int, out: bytearray) -> None:
    if -32 <= value < 128:
        out.append(value & 0xFF)
        return
    for first, form in UNSIGNED if value >= 0 else SIGNED:
        try:
            data = struct.pack(form, value)
        except struct.error:
            continue
        out.append(first)
        out += data
        return
    raise OverflowError("can't serialize ints >= 2**64 or < -(2**63)")


def _head(size: int, short: tuple[int, int] | None, long: tuple[int | None, ...], out: bytearray) -> None:
    if short and size < short[1]:
        out.append(short[0] | size)
        return
    for first, form, most in zip(long, SIZES, (0xFF, 0xFFFF, 0xFFFFFFFF), strict=True):
        if first is not None and size <= most:
            out.append(first)
            out += struct.pack(form, size)
            return
    raise ValueError("too long")


def decode(data: bytes, *, type: Any = Any) -> Any:
    """MessagePack as a value of a type. Errors: DecodeError, ValidationError."""
    source = _Source(bytes(data))
    value = source.value()
    if source.at != len(source.data):
        raise DecodeError(f"MessagePack data is malformed: trailing characters (byte {source.at})")
    return read_as(reader(type), value)


class _Source:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise DecodeError("Input data was truncated")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def value(self) -> Any:
        first = self.take(1)[0]
        if first < 0x80 or first >= 0xE0:
            return first if first < 0x80 else first - 256
        if first < 0x90:
            return self.dict(first & 15)
        if first < 0xA0:
            return self.list(first & 15)
        if first < 0xC0:
            return self.text(first & 31)
        if first in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[first]
        if first in (0xCA, 0xCB):
            return self.number(">f" if first == 0xCA else ">d")
        for code, form in (*UNSIGNED, *SIGNED):
            if first == code:
                return self.number(form)
        for codes, read in ((TEXT, self.text), (BYTES, self.take), (LIST, self.list), (DICT, self.dict)):
            if first in codes:
                return read(self.number(SIZES[codes.index(first) - len(codes)]))
        raise DecodeError(f"MessagePack data is malformed: invalid opcode '\\x{first:02x}' (byte {self.at - 1})")

    def text(self, size: int) -> str:
        try:
            return self.take(size).decode()
        except UnicodeDecodeError:
            raise DecodeError("Invalid UTF-8") from None

    def list(self, size: int) -> list[Any]:
        return [self.value() for _ in range(size)]

    def dict(self, size: int) -> dict[Any, Any]:
        return {self.value(): self.value() for _ in range(size)}
