"""What every worker does: say that it is ready, then play for as long as each line of input says, and tell what it did.

A worker runs in the environment of the engine that it measures, so this uses nothing but the standard library.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def serve(play: Callable[[], tuple[int, int]], clock: Callable[[], float] | None = None) -> None:
    """Answer each line `seconds` with `decisions games seconds`; `play()` plays a little: (decisions, games).

    clock: what tells seconds; None for the processor time of this process.
    """
    clock = clock or time.process_time
    print("ready", flush=True)
    for line in sys.stdin:
        decisions, games, start = 0, 0, clock()
        while (taken := clock() - start) < float(line):
            more, ended = play()
            decisions, games = decisions + more, games + ended
        print(decisions, games, taken, flush=True)
