"""The loop of every worker: print that it is ready, then play as long as each line of input demands, and print the
result.

A worker runs in the environment of its engine, so this module uses only the standard library.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def serve(play: Callable[[], tuple[int, int]], clock: Callable[[], float] | None = None) -> None:
    """Answer each line `seconds` with `decisions games seconds`; `play()` plays a little: (decisions, games).

    clock: returns seconds; None for this process's processor time.
    """
    clock = clock or time.process_time
    print("ready", flush=True)
    for line in sys.stdin:
        decisions, games, start = 0, 0, clock()
        while (taken := clock() - start) < float(line):
            more, ended = play()
            decisions, games = decisions + more, games + ended
        print(decisions, games, taken, flush=True)
