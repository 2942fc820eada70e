"""nginx and Python's file server give every file of the site unchanged, with types by which browsers run and show it."""

import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from bridgehead.players import wasm
from bridgehead.site import build
from server.servers import free_port
from waiting import wait_for

pytestmark = pytest.mark.wide
TYPES = {
    ".html": "text/html", ".js": "(text|application)/javascript", ".css": "text/css", ".svg": "image/svg", ".png": "image/png",
    ".json": "application/json", ".wasm": "application/wasm",
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, bytes]]]:
    """A folder with a site in a subfolder. Its modules are empty: no web host looks into them."""
    folder = tmp_path_factory.mktemp("host")
    with mock.patch.object(wasm, "module", lambda game, with_law: b"\0asm\1\0\0\0"):
        yield folder, build.write(folder / "games", ["forty_bridges"])


def nginx(folder: Path, port: int) -> list[str]:
    """Debian's nginx with its own list of types."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    kept = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "" if os.getuid() else "user root;"
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/errors; {user}\nevents {{}}\nhttp {{ access_log off; {kept}\n"
        f"include /etc/nginx/mime.types; server {{ listen 127.0.0.1:{port}; root {folder}; }} }}\n"
    )
    return [program, "-p", str(folder), "-e", f"{folder}/errors", "-c", f"{folder}/nginx.conf"]


def python(folder: Path, port: int) -> list[str]:
    return [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]


@pytest.mark.parametrize("host", [nginx, python], ids=["nginx", "python -m http.server"])
def test_every_file_comes_unchanged_with_the_right_type(host: object, files: tuple[Path, dict[str, bytes]]) -> None:
    folder, made = files
    port = free_port()
    running = subprocess.Popen(host(folder, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # type: ignore[operator]
    try:
        wait_for(lambda: answers(f"http://127.0.0.1:{port}/games/"))
        for name, content in made.items():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/games/{name}") as answer:
                assert answer.read() == content, name
                assert "content-encoding" not in {each.lower() for each in answer.headers}, name
                assert re.match(TYPES.get(Path(name).suffix, ""), answer.headers["content-type"]), name
        assert not [name for name in made if name.endswith(".mjs")]
    finally:
        running.terminate()
        running.wait()


def answers(url: str) -> bool:
    try:
        return bool(urllib.request.urlopen(url).status == 200)
    except urllib.error.URLError:
        return False
