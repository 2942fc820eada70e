"""Checked types for threads: msgspec prepares a type at its first use, and two threads that do so at once crash the process."""

from __future__ import annotations

import threading
from typing import TypeVar

import msgspec

T = TypeVar("T")

_preparing = threading.Lock()
_prepared: set[object] = set()


def ready(kind: type[T]) -> type[T]:
    """The type itself, prepared: give msgspec no other to decode or convert to."""
    if kind not in _prepared:
        with _preparing:
            msgspec.json.Decoder(kind)
            _prepared.add(kind)
    return kind
