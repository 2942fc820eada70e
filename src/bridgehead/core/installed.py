"""The entry points of the installed games and of the workshop. Imports none of them, and not what compiles rules."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

GROUP = "bridgehead.games"
WORKSHOP = "bridgehead.workshop"
ONLY = "BRIDGEHEAD_GAMES"  # an environment variable: the games that count, with spaces between them; all, if it is not set
FILES = "BRIDGEHEAD_GAME_FILES"  # another one: modules on Python's path that are games in one file, with spaces between them


def entries() -> list[EntryPoint]:
    """The entry points of the games that count."""
    only = os.environ.get(ONLY, "").split()
    alone = [EntryPoint(name, f"{name}:SPEC", GROUP) for name in os.environ.get(FILES, "").split()]
    return [*(entry for entry in entry_points(group=GROUP) if not only or entry.name in only), *alone]


def add_game_files(files: Sequence[Path]) -> None:
    """Count games in one file among the installed ones, in this process and in those that it starts."""
    for file in files:
        if (folder := str(file.parent.resolve())) not in sys.path:
            sys.path.append(folder)
    names = dict.fromkeys([*os.environ.get(FILES, "").split(), *(file.stem for file in files)])
    os.environ[FILES] = " ".join(names)
    list_game_names.cache_clear()


@functools.cache
def list_game_names() -> tuple[str, ...]:
    """The installed games by the names of their entry points: for help and completion."""
    return tuple(sorted(entry.name for entry in entries()))


def call_workshop(name: str, function: str, *given: Any) -> Any:
    """Call a function of the workshop: by the name of an entry point, which is imported now, and its own."""
    return getattr(entry_points(group=WORKSHOP)[name].load(), function)(*given)
