"""Whoever floods, does not read, or sends too much costs the others next to nothing (bar B9)."""

import gc
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bridgehead.server.connections.rate_limits import Limits
from server.live import Live, Page, Serve

pytestmark = pytest.mark.wide
TROUBLE = Path(__file__).parents[2] / "bench" / "workers" / "trouble.py"
LEAST = 0.01  # seconds of work between a move and its answer that nobody notices
GROWN = 5_000_000


def resident() -> int:
    """Bytes of memory that this process holds, server and all."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


class Honest:
    """Plays from an address of its own; how much this process worked for each answer, in seconds."""

    def __init__(self, own: Live) -> None:
        self.own = own
        self.sit()

    def sit(self) -> None:
        self.table = self.own.table("barricade", board="mini")
        self.page = Page(self.own.url, source_address=("127.0.0.2", 0))
        self.page.say(t="hello", p=1, table=self.table["table"], tokens=self.table["tokens"], lang="en")
        self.page.hear("view")

    def moves(self, number: int) -> list[float]:
        """In the order of how long they took."""
        took = []
        for _ in range(number):
            if self.page.view["outcome"]:
                self.sit()
            action, work = self.page.view["choices"][0]["action"], time.process_time()
            self.page.send_act(action)
            self.page.hear("ack")
            took.append(time.process_time() - work)
            self.page.hear("view")
            self.page.heard.clear()  # this page is in the server's process, and all that it heard would count as the server's
        return sorted(took)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="many addresses of one's own, and /proc")
@pytest.mark.parametrize("kind", ["flood", "slow", "large"])
def test_trouble_costs_the_others_next_to_nothing(kind: str, serve: Serve) -> None:
    own = serve(Limits(seat=100_000, tables=10_000, effort=10_000))
    honest = Honest(own)
    honest.moves(60)
    gc.collect()
    alone, before = honest.moves(100), resident()
    host, port = own.host.split(":")
    command = [sys.executable, str(TROUBLE), kind, host, port, honest.table["table"]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as maker:
        assert maker.stdin is not None and maker.stdout is not None
        assert maker.stdout.readline() == "begun\n"
        # What else the machine does only adds to the work in a while: the quietest of five tells of the trouble.
        beset = min((honest.moves(100) for _ in range(5)), key=lambda took: took[-2])
        grown = resident() - before
        maker.stdin.close()
        told = json.loads(maker.stdout.readline())
    print(kind, alone[50], alone[-2:], beset[50], beset[-2:], grown, told)
    least = max(LEAST, 3 * alone[50])  # by the pace of this machine: a fixed number of seconds fails on a slow one
    assert beset[-2] <= 2 * max(alone[-2], least), (alone[-5:], beset[-5:])
    assert grown < GROWN
    assert kind == "slow" or told["sent away"] > 0
