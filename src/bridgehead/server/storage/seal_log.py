"""The public list of everything that this server ever sealed, one row an era, so that no discarded game stays unseen.

link_n = SHA-256("bridgehead sealed" 0 || link_{n-1} || u32 n || game id || root), with 32 zero bytes before the first.
It names no table: whoever sits at one knows its game id, which is as random as it is long. Beside the file of the
tables lies the key by which the server signs.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

SCHEMA = """
create table if not exists sealed (
    n integer primary key, gid text not null unique, root text not null, link text not null) strict
"""
PAGE = 500  # rows told at once
FIRST = "0" * 64


class Row(NamedTuple):
    """A row of the list, in hex."""

    n: int
    gid: str
    root: str
    link: str


def link_of(before: str, n: int, gid: str, root: str) -> str:
    data = bytes.fromhex(before) + n.to_bytes(4, "big") + bytes.fromhex(gid) + bytes.fromhex(root)
    return hashlib.sha256(b"bridgehead sealed\0" + data).hexdigest()


def add(execute: Callable[[str, tuple[Any, ...]], Any], body: str) -> None:
    """Append what an event of kind "seal" says, in the transaction that stores the event. execute: SQL, ? for each value."""
    sealed = msgspec.json.decode(body)
    n, before = execute("select n, link from sealed order by n desc limit 1", ()).fetchone() or (0, FIRST)
    row = (n + 1, sealed["gid"], sealed["root"], link_of(before, n + 1, sealed["gid"], sealed["root"]))
    execute("insert into sealed values (?, ?, ?, ?)", row)


def signing_key(file: Path) -> bytes:
    """The 32 secret bytes in a file, which is made for its owner's eyes if it is not there. Errors: OSError."""
    with contextlib.suppress(FileExistsError):
        made = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(made, "wb") as out:
            out.write(secrets.token_bytes(32))
    for _ in range(100):  # another process may be writing it just now
        if len(key := file.read_bytes()) == 32:
            return key
        time.sleep(0.01)
    raise OSError(f"{file} does not hold a key of 32 bytes")
