"""Processes as Linux's /proc shows them: children, how long they waited for a processor, and whether they are gone."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

PATIENCE = 60.0  # seconds


def children(pid: int) -> list[int]:
    """Processes whose parent this is."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


class Stopwatch:
    """Seconds from now on, less the time for which threads of these processes were ready to run and had no processor.

    On an idle machine this is the time by the clock. A busy machine is not counted, so a limit on it does not depend on
    the machine. Where Linux does not tell how long threads wait, it is the time by the clock.
    """

    def __init__(self, *pids: int) -> None:
        self._pids = pids
        self._begun, self._delays = time.monotonic(), self._read()

    def seconds(self) -> float:
        """How many there were until now; at least 0, since threads wait side by side."""
        delayed = sum(delay - self._delays.get(thread, 0) for thread, delay in self._read().items()) / 1e9
        return max(0.0, time.monotonic() - self._begun - delayed)

    def _read(self) -> dict[str, int]:
        """Nanoseconds for which each thread has waited for a processor so far."""
        found = {}
        for pid in self._pids:
            for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError, IndexError):  # the thread has just ended
                    found[thread.parent.name] = int(thread.read_text().split()[1])
        return found


def wait_until_gone(pids: list[int]) -> None:
    begun = time.monotonic()
    while any(alive(pid) for pid in pids):
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
