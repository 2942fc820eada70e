"""Receipts: the server's signature of a table's log at one version, as evidence for later.

The server signs the last link of the log's hash chain (`server/storage/hash_chain.py`), which depends on every event before
it. A changed, shortened or restarted log does not lead to that link.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.core.errors import RecordError
from bridgehead.core.validation import ready
from bridgehead.fairness import signatures

FORMAT: Literal["bridgehead receipt 1"] = "bridgehead receipt 1"


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """After `version` events the chain of that table's log ended in `head`. server: the key that signed it; all in hex."""

    protocol: Literal["bridgehead receipt 1"]
    table: Annotated[str, Meta(min_length=1, max_length=40)]
    version: Annotated[int, Meta(ge=0, lt=2**53)]
    head: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    server: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]

    @property
    def holds(self) -> bool:
        """Is it signed by the key that it names?"""
        message = signed_text(self.table, self.version, bytes.fromhex(self.head))
        return signatures.verify(bytes.fromhex(self.server), message, bytes.fromhex(self.signature))


def signed_text(table: str, version: int, head: bytes) -> bytes:
    """The signed bytes: a tag, the table's id with its length, the number of events, the link."""
    name = table.encode()
    return FORMAT.encode() + b"\0" + len(name).to_bytes(4, "big") + name + version.to_bytes(8, "big") + head


def read(data: bytes) -> Receipt:
    """A receipt from its file. Errors: RecordError."""
    try:
        return msgspec.json.decode(data, type=ready(Receipt))
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError("fairness:error.not_receipt", error=error) from None


def is_one(data: bytes) -> bool:
    """Does a file claim to be a receipt?"""
    return FORMAT.encode() in data[:200]
