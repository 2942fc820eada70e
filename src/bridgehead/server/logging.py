"""What the server writes down about itself: fields that are allowed, and nothing else.

A line is an event, which is a sentence of ours without anything filled in, and the fields of `FIELDS`; of what libraries
have to say only where they said it. Of an exception it says what it was and where, and only of those of the disk what they
said: others may quote what somebody has sent. So no token, seed or name can get into a log, whatever is logged by whom.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
import traceback
from typing import Any

import apsw

OURS = "bridgehead"
FIELDS = frozenset({"table", "address", "level", "action", "code", "status", "seconds", "event_number"})
OF_THE_DISK = (apsw.Error, OSError)


class Lines(logging.Formatter):
    """One line a record: JSON for machines, else `key=value` for people."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        told = fields(record)
        if self.as_json:
            return json.dumps(told)
        rest = " ".join(f"{name}={value}" for name, value in told.items() if name not in ("time", "level", "event"))
        return f"{told['level']}: {told['event']} {rest}".rstrip()


def fields(record: logging.LogRecord) -> dict[str, object]:
    """What a record tells: time, level, event, allowed fields, and which exception where."""
    told: dict[str, object] = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
        "level": record.levelname.lower(),
        "event": record.msg if record.name == OURS else f"{record.name} in {record.filename}:{record.lineno}",
    }
    told |= {name: _short(record.__dict__[name]) for name in sorted(FIELDS & record.__dict__.keys())}
    if record.exc_info and record.exc_info[1] is not None:
        told["error"], told["at"] = told_of(record.exc_info[1])
    return told


def is_a_stop(record: logging.LogRecord) -> bool:
    """Is it only that something was ended because the server ends?"""
    return bool(record.exc_info) and isinstance(record.exc_info[1], asyncio.CancelledError)  # type: ignore[index]


def _short(value: Any) -> Any:
    return value if isinstance(value, int | float) else str(value)[:64]


def told_of(error: BaseException) -> tuple[str, list[str]]:
    """The kind of an exception and of those behind it, and the last places it came from."""
    kinds: list[str] = []
    each: BaseException | None = error
    while each is not None and len(kinds) < 5:
        said = f": {each}" if isinstance(each, OF_THE_DISK) else ""
        kinds.append(type(each).__name__ + said[:200])
        each = each.__cause__ or each.__context__
    places = traceback.extract_tb(error.__traceback__)[-6:]
    return " < ".join(kinds), [f"{place.filename.rpartition('/')[2]}:{place.lineno} {place.name}" for place in places]


def start(kind: str = "") -> None:
    """Write what happens to standard error. kind: "json", or "" for lines that people read, warnings only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(kind == "json"))
    handler.addFilter(lambda record: not is_a_stop(record))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO if kind == "json" else logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)
