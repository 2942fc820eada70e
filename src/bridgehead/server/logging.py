"""The server's log: an event and allowed fields, and nothing else, so no token, seed or name can get into it.

An event is one of the server's own sentences, without its parameters. A library's record is reduced to its place in the
code. An exception is reduced to its type and place, since its text may quote a user's data; only errors of the disk keep
their text.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

from cachetools import LRUCache

OURS = "bridgehead"
FIELDS = frozenset({"table", "address", "level", "action", "code", "status", "seconds", "event_number", "omitted"})
PAUSE = 1.0  # seconds between two lines about bad requests of one address
ADDRESSES = 10_000  # addresses that are remembered for that
DISK = "apsw"  # module whose errors are about the disk, like OSError


class LogFormatter(logging.Formatter):
    """One line a record: JSON for programs, or `key=value` for people."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        found = fields(record)
        if self.as_json:
            return json.dumps(found)
        rest = " ".join(f"{name}={value}" for name, value in found.items() if name not in ("time", "level", "event"))
        return f"{found['level']}: {found['event']} {rest}".rstrip()


def fields(record: logging.LogRecord) -> dict[str, object]:
    """The logged fields of a record: time, level, event, allowed fields, the exception and its places."""
    found: dict[str, object] = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
        "level": record.levelname.lower(),
        "event": record.msg if record.name == OURS else f"{record.name} in {record.filename}:{record.lineno}",
    }
    found |= {name: _short(record.__dict__[name]) for name in sorted(FIELDS & record.__dict__.keys())}
    if record.exc_info and record.exc_info[1] is not None:
        found["error"], found["at"] = describe_error(record.exc_info[1])
    return found


class OncePerSecond(logging.Filter):
    """Lets one record a second pass for each address, so that bad requests do not fill the disk.

    A record of a library that names no address counts by its place in the code. `omitted`: the number of records left out since
    the last one. Our own records without an address always pass.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._last: LRUCache[str, tuple[float, int]] = LRUCache(ADDRESSES)  # by address: time of its line, records omitted since

    def filter(self, record: logging.LogRecord) -> bool:
        address = getattr(record, "address", "" if record.name == OURS else f"{record.filename}:{record.lineno}")
        if not address:
            return True
        at, omitted = self._last.get(address, (-PAUSE, 0))
        now = self._now()
        if now - at < PAUSE:
            self._last[address] = at, omitted + 1
            return False
        self._last[address] = now, 0
        if omitted:
            record.omitted = omitted
        return True


def is_shutdown_cancellation(record: logging.LogRecord) -> bool:
    """Is it about a task that was cancelled because the server stops?"""
    return bool(record.exc_info) and isinstance(record.exc_info[1], asyncio.CancelledError)  # type: ignore[index]


def _short(value: Any) -> Any:
    return value if isinstance(value, int | float) else str(value)[:64]


def describe_error(error: BaseException) -> tuple[str, list[str]]:
    """The types of an exception and of its causes, and the last places that it passed."""
    kinds: list[str] = []
    each: BaseException | None = error
    while each is not None and len(kinds) < 5:
        text = f": {each}" if isinstance(each, OSError) or type(each).__module__ == DISK else ""
        kinds.append(type(each).__name__ + text[:200])
        each = each.__cause__ or each.__context__
    places = traceback.extract_tb(error.__traceback__)[-6:]
    return " < ".join(kinds), [f"{place.filename.rpartition('/')[2]}:{place.lineno} {place.name}" for place in places]


def start_logging(kind: str = "") -> None:
    """Log to standard error. kind: "json", or "" for lines for people, with warnings and errors only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter(kind == "json"))
    handler.addFilter(lambda record: not is_shutdown_cancellation(record))
    handler.addFilter(OncePerSecond())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO if kind == "json" else logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)
