"""The server of a load test: `bridgehead serve`, but without limits an address, and over a disk as slow as one likes.

    table_host.py FOLDER SECONDS_A_SYNC_TAKES_MORE

It tells its address in the first line.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

import apsw

from bridgehead.server import logs
from bridgehead.server.app import build
from bridgehead.server.bots import Bots
from bridgehead.server.limits import Limits
from bridgehead.server.serve import _allow_many_files, _listen, _stop_on_signals, make_server
from bridgehead.server.store import Store

MANY = 1_000_000
LIMITS = Limits(
    seat=MANY, watcher=MANY, sockets=MANY, weight=1 << 40, tables=MANY, misses=MANY, films=MANY, boards=MANY, effort=MANY * 100
)


class SlowDisk(apsw.VFS):
    """The machine's disk, on which every sync takes some time more."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.below = seconds, apsw.vfs_names()[0]
        super().__init__("slow", self.below)
        apsw.set_default_vfs("slow")

    def xOpen(self, name: Any, flags: list[int]) -> Any:
        return SlowFile(self, name, flags)


class SlowFile(apsw.VFSFile):
    def __init__(self, disk: SlowDisk, name: Any, flags: list[int]) -> None:
        self.seconds = disk.seconds
        super().__init__(disk.below, name, flags)

    def xSync(self, flags: int) -> None:
        time.sleep(self.seconds)
        super().xSync(flags)


def main(folder: str, seconds: float) -> None:
    disk = SlowDisk(seconds) if seconds else None
    logs.start()
    _allow_many_files()
    listener = _listen("127.0.0.1", 0)
    server = make_server(build(Store(Path(folder) / "bridgehead.sqlite"), Bots(thinkers=4), limits=LIMITS))
    server.config.limit_concurrency = None
    server.config.http.most = MANY  # type: ignore[union-attr]
    _stop_on_signals(server)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    asyncio.run(server.serve([listener]))
    del disk


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
