"""The rest of the standard library: a start has only the modules that it needs; the first import of another brings them all."""

from __future__ import annotations

import importlib
import lzma
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

NAMES = Path(__file__).with_name("library.txt")  # its other modules; written when the site is built


class Rest:
    """A finder, last of all. names: the modules that are missing; archive: what Python imports from; fetch: gives it whole."""

    def __init__(self, names: Sequence[str], archive: Path, fetch: Callable[[], bytes]) -> None:
        self._names, self._archive, self._fetch = frozenset(names), archive, fetch

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """A module of the library. Errors: those of fetching it; the next import tries again."""
        if name not in self._names:
            return None
        self._archive.write_bytes(lzma.decompress(self._fetch()))
        self._names = frozenset()
        importlib.invalidate_caches()
        return PathFinder.find_spec(name, path)


def complete(address: str) -> None:
    """In the browser: let imports find the whole library. address: of its archive, packed by xz."""
    archive = next(Path(each) for each in sys.path if each.endswith(".zip"))
    sys.meta_path.append(Rest(NAMES.read_text("utf-8").split(), archive, lambda: _fetched(address)))


def _fetched(address: str) -> bytes:
    """A file of the site, now: an import cannot wait. Errors: ImportError."""
    from js import XMLHttpRequest

    request = XMLHttpRequest.new()
    request.open("GET", address, False)
    request.responseType = "arraybuffer"
    request.send()
    if request.status != 200:
        raise ImportError(f"{address}: {request.status}")
    return bytes(request.response.to_bytes())
