"""msgspec for the browser's Python: its wheel for Emscripten, fetched once from the Python Package Index."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import require
from bridgehead.site import npm_packages

VERSION = "0.22.0"
SHA256 = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
FILE = f"msgspec-{VERSION}-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
TARGET = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--platform", "pyemscripten_2026_0_wasm32")
EXTENSION = "msgspec/_core.cpython-314-wasm32-emscripten.so"  # its machine code, which boot.js loads


def load_files() -> dict[str, bytes]:
    """What Python needs of it, and its licence. Errors: BridgeheadError, MissingExtra."""
    kept = npm_packages.cache() / FILE
    if not kept.is_file():
        fetch(kept)
    with zipfile.ZipFile(kept) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist() if Path(name).suffix in (".py", ".so") or "licenses" in name}


def fetch(to: Path) -> None:
    """Fetch the wheel by pip, which knows proxies and mirrors, and check its hash. Errors: BridgeheadError, MissingExtra."""
    require("site")
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=to.parent) as place:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--quiet",
            "--disable-pip-version-check",
            "--dest",
            place,
        ]
        done = subprocess.run([*command, *TARGET, f"msgspec=={VERSION}"], capture_output=True, text=True, check=False)
        if done.returncode or not (made := Path(place, FILE)).is_file():
            lines = [line for line in done.stderr.splitlines() if line.strip()] or [""]
            raise BridgeheadError("terminal:site.no_wheel", FILE, name=FILE, folder=str(to.parent), problem=lines[0][:200])
        if (found := hashlib.sha256(made.read_bytes()).hexdigest()) != SHA256:
            raise BridgeheadError(
                "terminal:site.wrong_package", FILE, name="msgspec", version=VERSION, found=found, wanted=SHA256
            )
        made.rename(to)
