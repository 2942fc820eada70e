"""What every worker does: say that it is ready, then play for as long as each line of input says, and tell what it did.

A worker runs in the environment of the engine that it measures, so this uses nothing but the standard library.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def serve(play: Callable[[], tuple[int, int]]) -> None:
    """Answer each line `seconds` with `decisions games processor-seconds`; `play()` plays a little: (decisions, games)."""
    print("ready", flush=True)
    for line in sys.stdin:
        decisions, games, start = 0, 0, time.process_time()
        while (taken := time.process_time() - start) < float(line):
            more, ended = play()
            decisions, games = decisions + more, games + ended
        print(decisions, games, taken, flush=True)
