"""The server of a load test: `bridgehead serve`, without limits per address or with its usual ones, optionally with a slow disk.

table_host.py FOLDER SECONDS_A_SYNC_TAKES_MORE none|usual

Its first line is its address. On SIGUSR1 it prints one line of JSON with figures since the last one: `late`, by how
much intervals between two timer ticks in its loop exceeded their length (ms), and `work`, its processor time (ms),
which hardly depends on other work on the machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

import apsw

from bridgehead.server import logging
from bridgehead.server.app import build
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.run import _allow_many_files, _listen, _stop_on_signals, make_server
from bridgehead.server.storage.sqlite import Store

MANY = 1_000_000
LIMITS = Limits(
    seat=MANY, watcher=MANY, sockets=MANY, weight=1 << 40, tables=MANY, misses=MANY, films=MANY, boards=MANY, effort=MANY * 100,
    silent=MANY, costly=MANY * 100, disk=1 << 60, at_once=MANY, traffic=1 << 60,
)  # fmt: skip


class SlowDisk(apsw.VFS):
    """The machine's disk, with a delay at every sync."""

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


class Heart:
    """A timer in the server's loop."""

    BEAT = 0.01

    def __init__(self) -> None:
        self.late: list[float] = []
        self.work: list[float] = []

    async def beat(self) -> None:
        while True:
            begun, work = time.perf_counter(), time.process_time()
            await asyncio.sleep(self.BEAT)
            self.late.append(max(0.0, time.perf_counter() - begun - self.BEAT) * 1000)
            self.work.append((time.process_time() - work) * 1000)

    def tell(self, *_: object) -> None:
        figures: dict[str, float] = {"beats": len(self.late)}
        for name, times in (("late", sorted(self.late)), ("work", sorted(self.work))):
            for p in (50, 99, 100):
                figures[f"{name}_p{p}"] = times[min(len(times) - 1, len(times) * p // 100)] if times else 0.0
        print(json.dumps(figures), flush=True)
        self.late, self.work = [], []


async def serve(server: Any, listener: Any) -> None:
    heart = Heart()
    beating = asyncio.create_task(heart.beat())
    signal.signal(signal.SIGUSR1, heart.tell)
    await server.serve([listener])
    beating.cancel()


def main(folder: str, seconds: float, limits: str) -> None:
    disk = SlowDisk(seconds) if seconds else None
    logging.start_logging()
    _allow_many_files()
    listener = _listen("127.0.0.1", 0)
    usual = limits == "usual"
    store, players = Store(Path(folder) / "bridgehead.sqlite"), ComputerPlayers(thinkers=4)
    server = make_server(build(store, players, limits=None if usual else LIMITS))
    if not usual:
        server.config.limit_concurrency = None
        server.config.http.most = MANY  # type: ignore[union-attr]
    _stop_on_signals(server)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    asyncio.run(serve(server, listener))
    del disk


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3])
