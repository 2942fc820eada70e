"""The entry points of the installed games and of the workshop. Imports none of them, and not what compiles rules."""

from __future__ import annotations

import functools
import os
from importlib.metadata import EntryPoint, entry_points
from typing import Any

GROUP = "bridgehead.games"
WORKSHOP = "bridgehead.workshop"
ONLY = "BRIDGEHEAD_GAMES"  # an environment variable: the games that count, with spaces between them; all, if it is not set


def entries() -> list[EntryPoint]:
    """The entry points of the games that count."""
    only = os.environ.get(ONLY, "").split()
    return [entry for entry in entry_points(group=GROUP) if not only or entry.name in only]


@functools.cache
def list_game_names() -> tuple[str, ...]:
    """The installed games by the names of their entry points: for help and completion."""
    return tuple(sorted(entry.name for entry in entries()))


def call_workshop(name: str, function: str, *given: Any) -> Any:
    """Call a function of the workshop: by the name of an entry point, which is imported now, and its own."""
    return getattr(entry_points(group=WORKSHOP)[name].load(), function)(*given)
