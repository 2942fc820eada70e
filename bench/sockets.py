"""Memory per socket, and mass reconnection: B5 and B6 of the bars in docs/notebook/performance.md.

bench/sockets.py [--watchers 10000] [--at 50] [--tables 1000] [--games barricade,forty_bridges] [--rate 4]

Watchers: sockets without a seat, spread over --at tables. Tables: sockets with seats, one per table. Both connect,
disconnect and connect again, all at once; meanwhile one page continues to play at --rate moves per second. Memory is
the increase of the server's RSS; processor time is its own.
"""

from __future__ import annotations

import os
import time
from typing import Any

from load import HERE, Order, Server, ordered, ours, wished

IDLE = 2  # seconds without traffic after which a socket counts as idle
PAGES = HERE / "workers" / "pages.py"


def taken(server: Server, honest: Order) -> dict[str, Any]:
    """The latencies of the playing page, and of the server's loop."""
    found = honest("look")
    return {**{each: found[each] for each in ("moves", "p50", "p99")}, **server.heart()}


def measured(sockets: int, tables: int, game: str, rate: float) -> None:
    """Connect, disconnect, and connect again."""
    with ours() as server:
        start = server.memory()
        with (
            ordered(server, PAGES, 0, 0, game, rate) as (_, honest),
            ordered(server, PAGES, sockets, tables, game, 0) as (_, order),
        ):
            made = server.memory()
            taken(server, honest)
            came = {**order("come"), **taken(server, honest)}
            time.sleep(IDLE)
            held = server.memory()
            order("go")
            left = server.memory()
            taken(server, honest)
            back = {**order("come"), **taken(server, honest)}
            time.sleep(IDLE)
            again = server.memory()
        what = f"{sockets:,} at {tables:,} tables of {game}"
        print(f"{what}: {held - start:.0f} MB, {(held - start) / sockets * 1000:.1f} kB each; {held:.0f} MB in all")
        print(f"    start {start:.0f}, tables made {made:.0f}, all there {held:.0f}, gone {left:.0f}, there again {again:.0f} MB")
        for name, each in (("came", came), ("came back", back)):
            print(
                f"    {name} in {each['seconds']:.2f} s: {each['processor'] / sockets * 1000:.2f} ms of processor time each,"
                f" {each['bytes'] / sockets / 1000:.1f} kB of view; refused {each['refused']}, lost {each['lost']};"
                f" meanwhile {each['moves']} moves, {each['p50']:.0f} ms, 99 % {each['p99']:.0f} ms; the loop was at work"
                f" for {each['work_p50']:.0f} ms at a stretch, 99 % {each['work_p99']:.0f}, at most {each['work_p100']:.0f}"
            )


def main() -> None:
    games = "barricade,burning_bridges,forty_bridges,front_lines"
    asked = wished(__doc__, watchers=10_000, at=50, tables=1000, games=games, rate=4.0)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors before")
    if asked.watchers:
        measured(asked.watchers, asked.at, "forty_bridges", asked.rate)
    for game in filter(None, asked.games.split(",")):
        if asked.tables:
            measured(asked.tables, asked.tables, game, asked.rate)


if __name__ == "__main__":
    main()
