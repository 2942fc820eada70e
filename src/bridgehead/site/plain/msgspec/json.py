"""JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from .reading import read_as, reader
from .structs import DecodeError, ValidationError
from .writing import encode_value

SURROGATE = re.compile("[\ud800-\udfff]")


def encode(value: Any) -> bytes:
    """A value as JSON. Errors: TypeError."""
    return encode_value(value).encode()


def decode(data: bytes | str, *, type: Any = Any) -> Any:
    """JSON as a value of a type. Errors: DecodeError, ValidationError."""
    return Decoder(type).decode(data)


class Decoder:
    """Decodes JSON as a type."""

    def __init__(self, type: Any = Any) -> None:
        self.type = type
        self._read: Any = None

    def decode(self, data: bytes | str) -> Any:
        """Errors: DecodeError, ValidationError."""
        value = _parsed(data if isinstance(data, str) else bytes(data).decode())
        if self._read is None:
            self._read = reader(self.type)
        return read_as(self._read, value, streamed=True)


def _parsed(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_constant, parse_float=_float)
    except json.JSONDecodeError as error:
        if error.pos >= len(text) or "Unterminated string" in error.msg or not text.strip():
            raise DecodeError("Input data was truncated") from None
        raise DecodeError(f"JSON is malformed: invalid character (byte {len(text[: error.pos].encode())})") from None
    if "\\ud" in text or "\\uD" in text:
        _check(value)
    return value


def _constant(name: str) -> Any:
    raise DecodeError("JSON is malformed: invalid character (byte 0)")


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValidationError("Number out of range")
    return number


def _check(value: Any) -> None:
    """Refuse texts that are no Unicode."""
    if isinstance(value, str):
        if SURROGATE.search(value):
            raise DecodeError("JSON is malformed: unexpected end of escaped utf-16 surrogate pair (byte 0)")
    elif isinstance(value, dict):
        for key, each in value.items():
            _check(key)
            _check(each)
    elif isinstance(value, list):
        for each in value:
            _check(each)


def format(data: bytes, *, indent: int = 2) -> bytes:
    """JSON with line breaks."""
    return json.dumps(json.loads(data), indent=indent, ensure_ascii=False).encode()
