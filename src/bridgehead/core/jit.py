"""Compiling rules: one decorator, one cache that cannot be stale, and templates bound to a game.

`NUMBA_DISABLE_JIT=1` runs the same functions as plain Python and does not even import Numba.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") != "1"


def rule(function: F) -> F:
    """Compile a function of the rules (Numba, no GIL, cached on disk), or leave it plain when compiling is off."""
    return _compile(function, Path(function.__code__.co_filename).parent) if COMPILED else function


def bind(template: Callable[..., Any], names: Mapping[str, Any], game: str, folder: Path) -> Any:
    """A compiled copy of `template` in which the global `names` mean one game's functions.

    A closure would miss the disk cache (its cells pickle with new ids); a copy with its own globals and a
    qualified name of its own is cached like any module function, in the cache folder of the game's sources.
    """
    function = FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__, template.__defaults__)
    function.__qualname__ = f"{template.__name__}__{game}"
    function.__module__ = template.__module__
    return _compile(function, folder) if COMPILED else function


def _compile(function: Any, folder: Path) -> Any:
    import numba

    config: Any = numba.config
    config.CACHE_DIR = str(cache_folder(folder))
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


@functools.cache
def cache_folder(folder: Path) -> Path:
    """Where machine code for the rules in `folder` is kept.

    The name hashes every source that can influence it (the game's folder and all of bridgehead) and the
    versions that compile it, because Numba itself does not notice a change in a called function of another file.
    """
    import llvmlite
    import numba
    import numpy as np

    digest = hashlib.sha256(repr((sys.version, np.__version__, numba.__version__, llvmlite.__version__)).encode())
    for root in sorted({_package_root(Path(__file__)), folder}):
        for source in sorted(root.rglob("*.py")):
            digest.update(str(source.relative_to(root)).encode() + b"\0" + source.read_bytes())
    base = Path(os.environ.get("BRIDGEHEAD_CACHE") or _user_cache())
    return base / "compiled" / digest.hexdigest()[:16]


def _package_root(source: Path) -> Path:
    return source.parents[1]


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "bridgehead"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bridgehead"
