"""Restore drill: restores a backup into a temporary folder, starts a server over it, and measures the time until it stores."""

from __future__ import annotations

import contextlib
import http.client
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Phrase
from bridgehead.server.messages.tables import NewTable
from bridgehead.server.storage import backup
from bridgehead.server.storage.sqlite import Store, tables_file

PATIENCE = 120.0  # seconds for the server to be ready
PAUSE = 0.02  # seconds between two looks whether it is
OURS = ("BRIDGEHEAD_DATABASE", "BRIDGEHEAD_BUS", "BRIDGEHEAD_KEY", "FORWARDED_ALLOW_IPS")  # settings of the real server


class TimedStep(NamedTuple):
    """A finished step and its seconds."""

    what: Phrase
    seconds: float


def run(copy: Path) -> Iterator[TimedStep]:
    """Restore a backup elsewhere and yield each step when it is done; the last one is the whole. Errors: BridgeheadError."""
    begun = before = time.perf_counter()

    def step(key: str, **params: object) -> TimedStep:
        nonlocal before
        now, last = time.perf_counter(), before
        before = now
        return TimedStep(Phrase(f"server:drill.{key}", params), now - last)

    with tempfile.TemporaryDirectory(prefix="bridgehead-drill-") as folder:
        backup.put_back(copy, Path(folder))
        yield step("restored")
        newest = _newest(Path(folder))
        server = _Server(Path(folder))
        try:
            server.wait()
            yield step("ready")
            if newest:
                status = server.ask("GET", f"/api/tables/{newest}/record")
                yield step("opened" if status == 200 else "not_opened", table=newest)
            wish = NewTable(next(iter(registry.specs())))
            if server.ask("POST", "/api/tables", msgspec.json.encode(wish)) != 201:
                raise BridgeheadError("server:error.drill_stored_nothing", str(copy))
            yield step("stored")
        finally:
            server.stop()
    yield TimedStep(Phrase("server:drill.whole"), before - begun)


def _newest(folder: Path) -> str:
    """The newest table of a folder; "" if there is none."""
    with contextlib.closing(Store(tables_file(folder))) as store:
        rows = store.read("select id from game order by created desc limit 1")
    return str(rows[0][0]) if rows else ""


class _Server:
    """A server of its own over a folder, reachable on this machine only."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "bridgehead", "serve", "--no-browser", "--port", "0", "--data", str(folder)]
        env = {name: value for name, value in os.environ.items() if name not in OURS}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)
        assert self._process.stdout is not None
        lines = (line.partition("http://")[2].strip() for line in self._process.stdout)
        self._host = next(filter(None, lines), "")

    def wait(self) -> None:
        """Wait until it can store. Errors: BridgeheadError."""
        until = time.monotonic() + PATIENCE
        while self._host and self._process.poll() is None and time.monotonic() < until:
            try:
                if self.ask("GET", "/readyz") == 200:
                    return
            except OSError:  # not yet
                pass
            time.sleep(PAUSE)
        raise BridgeheadError("server:error.server_could_not_start_reason")

    def ask(self, method: str, path: str, body: bytes | None = None) -> int:
        """The status of an answer."""
        connection = http.client.HTTPConnection(self._host, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def stop(self) -> None:
        self._process.terminate()
        self._process.communicate()
