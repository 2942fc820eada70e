"""Compiling rules: one decorator, one cache that cannot be stale, and templates bound to a game.

Without Numba, or with `NUMBA_DISABLE_JIT=1`, the same functions run as plain Python. `BRIDGEHEAD_NJIT=1` compiles them by
plain `njit`, without the private parts of Numba that `numba_kit` uses: slower, and without a cache on disk.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from bridgehead.core.extras import MissingExtra

F = TypeVar("F", bound=Callable[..., Any])

log = logging.getLogger("bridgehead")


def has_numba() -> bool:
    """Is Numba installed?"""
    try:
        return importlib.util.find_spec("numba") is not None
    except ImportError:
        return False


WANTED = os.environ.get("NUMBA_DISABLE_JIT", "0") != "1"  # is compiling wanted?
COMPILED = WANTED and has_numba()
CORE = Path(__file__).parent
SOURCES = (".py", ".json")  # tables that a module reads when it is imported may become constants of machine code


def rule(function: F) -> F:
    """Compile a function of the rules (Numba, no GIL, cached on disk), or leave it plain when compiling is off."""
    return _compile(function, {_folder(function)}) if COMPILED else function


def bind(template: Callable[..., Any], names: Mapping[str, Any], game: str, folder: Path) -> Any:
    """A compiled copy of `template` in which the global `names` are one game's functions, or modules of them.

    folder: the game's.

    A closure would miss the disk cache (its cells pickle with new ids); a copy with its own globals and a
    qualified name of its own is cached like any module function, in the cache folder of all sources concerned.
    """
    function = bind_template(template, names, game)
    inside = [each for value in names.values() for each in (vars(value).values() if isinstance(value, ModuleType) else [value])]
    rules = {_folder(each) for each in inside if callable(each)}
    return _compile(function, {folder, _folder(template)} | rules) if COMPILED else function


def bind_template(template: Callable[..., Any], names: Mapping[str, Any], game: str) -> Any:
    """A plain copy of `template` in which the global `names` are one game's functions."""
    function = FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__, template.__defaults__)
    function.__qualname__ = f"{template.__name__}__{game}"
    function.__module__ = template.__module__
    return function


def get_python_function(function: Any) -> Any:
    """The Python function of a rule, compiled or not."""
    return function if isinstance(function, FunctionType) else function.py_func


def require_compiler() -> None:
    """Check that loops are compiled, or that this process wants the slow plain ones. Errors: MissingExtra."""
    if WANTED and not COMPILED:
        raise MissingExtra("lab")


def _folder(function: Any) -> Path:
    return Path(get_python_function(function).__code__.co_filename).parent


def _compile(function: Any, folders: Iterable[Path]) -> Any:
    return _compiler()(function, cache_folder(*folders))


@functools.cache
def _compiler() -> Callable[[Any, Path], Any]:
    """The compiler of `numba_kit`, or plain `njit` where it does not work with this version of Numba."""
    if os.environ.get("BRIDGEHEAD_NJIT", "0") != "1":
        try:
            from bridgehead.core import numba_kit
        except Exception as error:  # a private part of Numba is missing or different; whatever the error, `njit` works
            log.warning("rules are compiled by plain njit, which is slower: the kit does not fit this Numba (%s)", error)
        else:
            if numba_kit.works(cache_folder()):
                return numba_kit.compile_rule
            log.warning("rules are compiled by plain njit, which is slower: the kit fails its self-test with this Numba")
    return _njit


def _njit(function: Any, folder: Path) -> Any:
    """Compile by Numba's public interface only.

    Nothing is cached on disk: Numba names records by a counter, so cached code can be taken for code for another record.
    """
    import numba

    return numba.njit(nogil=True, error_model="numpy", boundscheck=False)(function)


@functools.cache
def cache_folder(*folders: Path) -> Path:
    """The folder for machine code made from the sources in `folders` and in core.

    Its name is a hash of their sources and of the versions that compile them: Numba itself does not notice a change in a called
    function of another file.
    """
    import llvmlite
    import numba
    import numpy as np

    versions = repr((sys.version, np.__version__, numba.__version__, llvmlite.__version__))
    return find_cache() / "compiled" / hash_sources(*folders, begin=versions)


def hash_sources(*folders: Path, begin: str = "") -> str:
    """A hash of every source in these folders and in core that can influence compiled code. begin: of what else it depends on."""
    digest = hashlib.sha256(begin.encode())
    for folder in sorted({CORE, *folders}):
        # In a package, its subfolders count; in other folders (scripts), only the files directly in it; or one file alone.
        whole = (folder / "__init__.py").exists()
        found = [folder] if folder.is_file() else folder.rglob("*") if whole else folder.iterdir()
        for source in sorted(path for path in found if path.suffix in SOURCES):
            digest.update(str(source.relative_to(folder)).encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def find_cache() -> Path:
    """A writable folder: the named one, the user's cache, or a temporary one that is deleted when this process ends."""
    base = Path(os.environ.get("BRIDGEHEAD_CACHE") or _user_cache())
    with contextlib.suppress(OSError):
        base.mkdir(parents=True, exist_ok=True)
    if os.access(base, os.W_OK):
        return base
    passing = tempfile.mkdtemp(prefix="bridgehead-")
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    os.environ["BRIDGEHEAD_CACHE"] = passing  # child processes use it, too
    log.warning(
        "compiled rules cannot be kept in %s; name a folder in BRIDGEHEAD_CACHE, or they are compiled at each start", base
    )
    return Path(passing)


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "bridgehead"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bridgehead"
