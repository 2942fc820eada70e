"""Seal log: a public list of every era that this server froze, so the server cannot discard a game unseen.

link_n = SHA-256("bridgehead sealed" 0 || link_{n-1} || u32 n || game id || u32 era || transcript); link_0 is 32 zero bytes. (A
row of BGF1 was added when the era was sealed: game id || root.) A row names no table, because a game id is random and known
only at its table. The file with the signing key is next to the event log.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

PAGE = 500  # rows of one page
FIRST = "0" * 64
LISTED = "freeze"  # the kind of event that adds a row


def link_of(before: str, n: int, gid: str, root: str) -> str:
    data = bytes.fromhex(before) + n.to_bytes(4, "big") + bytes.fromhex(gid) + bytes.fromhex(root)
    return hashlib.sha256(b"bridgehead sealed\0" + data).hexdigest()


def append_frozen_era(execute: Callable[[str, tuple[Any, ...]], Any], body: str) -> None:
    """Append the era of a "freeze" event, in the transaction that stores the event. execute: SQL, ? for each value."""
    frozen = msgspec.json.decode(body)
    if not frozen.get("number"):  # an era of BGF1 was listed when it was sealed
        return
    era, transcript = frozen["gid"] + frozen["number"].to_bytes(4, "big").hex(), frozen["transcript"]
    n, before = execute("select n, link from sealed order by n desc limit 1", ()).fetchone() or (0, FIRST)
    execute("insert into sealed values (?, ?, ?, ?)", (n + 1, era, transcript, link_of(before, n + 1, era, transcript)))


def signing_key(file: Path) -> bytes:
    """The 32 secret bytes in a file, which is created if missing, readable by its owner only. Errors: OSError."""
    with contextlib.suppress(FileExistsError):
        made = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(made, "wb") as out:
            out.write(secrets.token_bytes(32))
    for _ in range(100):  # another process may be writing the file now
        if len(key := file.read_bytes()) == 32:
            return key
        time.sleep(0.01)
    raise OSError(f"{file} does not hold a key of 32 bytes")
