"""Actions of imported records, stored once by their hash. Each table that continues one names the hash in its log."""

from __future__ import annotations

import hashlib
import time
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.storage.event_log import EventLog, Statement

SCHEMA = "create table if not exists imported (hash text primary key, actions {blob} not null, used {real} not null)"
KEEP = "insert into imported values (?, ?, ?) on conflict (hash) do update set used = excluded.used"
KNOWN = "select 1 from imported where hash = ?"
MOST = 1 << 20  # bytes of unpacked actions


class PackedActions(NamedTuple):
    """Packed actions, and the SHA-256 of what is packed, hex."""

    hash: str
    packed: bytes

    @property
    def statement(self) -> Statement:
        """Stores the actions, or notes that they are used again."""
        return KEEP, (self.hash, self.packed, time.time())


def pack(actions: Sequence[int]) -> PackedActions:
    """The actions of a record, chance's included."""
    data = msgspec.msgpack.encode(list(actions))
    return PackedActions(hashlib.sha256(data).hexdigest(), zlib.compress(data, 9))


def read_actions(store: EventLog, digest: str) -> tuple[int, ...]:
    """The actions of that hash. Errors: BridgeheadError if they are missing or damaged, StorageError."""
    rows = store.read("select actions from imported where hash = ?", digest)
    return unpack(PackedActions(digest, bytes(rows[0][0]) if rows else b""))


def unpack(kept: PackedActions) -> tuple[int, ...]:
    """The actions. Errors: BridgeheadError if they do not have this hash."""
    try:
        data = zlib.decompressobj().decompress(kept.packed, MOST)
        if hashlib.sha256(data).hexdigest() == kept.hash:
            return msgspec.msgpack.decode(data, type=tuple[int, ...])
    except (zlib.error, msgspec.DecodeError):
        pass
    raise BridgeheadError("server:error.import_damaged", kept.hash)
