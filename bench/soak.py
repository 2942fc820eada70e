"""Soak test: memory and loop latency of a server over hours of play (bar B12 of docs/notebook/performance.md).

bench/soak.py [--seconds 1800] [--rate 500] [--tables 100] [--game barricade] [--every 30]

Pages play random legal moves at a fixed rate. A finished table is replaced by a new one, so tables are created,
finished and forgotten all the time. A table in memory holds its log, so memory grows until as many games end as begin:
with 100 tables at 500 moves per second after some minutes, with 500 tables after half an hour. It reports memory (RSS),
the server's processor time and the latency of its loop.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from typing import Any

from load import Server, ours, pages, wished

SETTLED = 0.3  # share of the time after which memory must not grow any more


class Watch(threading.Thread):
    """Samples the server at a fixed interval."""

    def __init__(self, server: Server, every: float) -> None:
        super().__init__(daemon=True)
        self.server, self.every = server, every
        self.found: list[dict[str, float]] = []
        self.over = threading.Event()

    def run(self) -> None:
        begun, work = time.perf_counter(), self.server.seconds()
        while not self.over.wait(self.every):
            now = self.server.seconds()
            each = {"at": time.perf_counter() - begun, "memory": self.server.memory(), "work": now - work, **self.server.heart()}
            work = now
            self.found.append(each)
            print(
                f"{each['at']:7.0f} s {each['memory']:7.1f} MB {each['work'] / self.every * 100:5.0f} % of a processor;"
                f" late 99 % {each['late_p99']:6.1f}, most {each['late_p100']:6.1f} ms; at work 99 % {each['work_p99']:5.1f},"
                f" most {each['work_p100']:5.1f} ms; load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


def show(found: list[dict[str, float]], played: dict[str, Any]) -> None:
    settled = [each["memory"] for each in found[int(len(found) * SETTLED) :]]
    middle = statistics.median(settled)
    less, more = (min(settled) / middle - 1) * 100, (max(settled) / middle - 1) * 100
    late, work = sorted(each["late_p99"] for each in found), sorted(each["work_p99"] for each in found)
    moves, seconds = played["moves"], played["seconds"]
    print(
        f"{moves:,} moves in {seconds:.0f} s ({moves / seconds:.0f}/s), {played['games']:,} games;"
        f" {played['processor'] / moves * 1000:.2f} ms of processor time a move;"
        f" lost {played['lost']}, refused {played['refused']}; answers 99 % {played['p99']:.0f} ms"
    )
    print(
        f"memory after the first {SETTLED:.0%}: {middle:.1f} MB, {less:+.1f} to {more:+.1f} %; of each look the loop was late by"
        f" (99 %) {statistics.median(late):.1f} ms, at worst {late[-1]:.1f}; at work at a stretch"
        f" {statistics.median(work):.1f} ms, at worst {work[-1]:.1f}"
    )


def main() -> None:
    asked = wished(__doc__, seconds=1800.0, rate=500.0, tables=100, game="barricade", every=30.0)
    with ours() as server, pages(server, asked.game, asked.tables, asked.rate, asked.seconds) as (came, play):
        print(f"{came['ready']} tables, {server.memory():.1f} MB")
        watch = Watch(server, asked.every)
        server.heart()
        watch.start()
        played = play()
        watch.over.set()
        watch.join()
        show(watch.found, played)


if __name__ == "__main__":
    main()
