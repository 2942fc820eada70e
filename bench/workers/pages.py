"""Many pages in one process that connect, watch or sit, and disconnect: raw frames on raw sockets.

pages.py URL SOCKETS TABLES GAME [RATE]

SOCKETS are spread evenly over TABLES. With as many sockets as tables, each page holds all seats of its own; otherwise
they only watch. Each line of input is an order, answered by a line of JSON: `come`, `go`, `look`, `end`. RATE: moves
per second of one more page that plays at a table of its own; each answer contains its latencies since the order before.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
import time
from urllib.parse import urlsplit

from table_players import ACTION, BOARDS, VERSION, Line, Load


class Page(Line):
    """A page that connects and listens."""

    load: Crowd  # type: ignore[assignment]

    def greet(self) -> None:
        self.asked = time.perf_counter()
        self.say(json.dumps({"t": "hello", "p": 1, **self.load.places[self.number]}).encode())

    def hear(self, text: bytes) -> None:
        if text.startswith(b'{"t":"view"') and not self.ready:
            self.ready = True
            self.load.came += 1
            self.load.bytes += len(text)
            self.load.last = time.perf_counter()
        elif text.startswith((b'{"t":"rej"', b'{"t":"bye"')):
            self.load.refused += 1


class Player(Line):
    """A page that plays random legal moves at a rate, and records the latency of each from its due time."""

    load: Crowd  # type: ignore[assignment]
    actions: list[bytes] = []
    version = b"0"

    def greet(self) -> None:
        self.say(json.dumps({"t": "hello", "p": 1, **self.load.own[self.number]}).encode())

    def hear(self, text: bytes) -> None:
        if text.startswith(b'{"t":"view"'):
            at = text.rfind(b'"choices":[')
            self.actions = ACTION.findall(text, at) if at >= 0 else []
            found = VERSION.search(text)
            assert found is not None
            self.version = found[1]
            self.ready = True
        elif text.startswith(b'{"t":"ack"'):
            self.answered()
        elif text.startswith((b'{"t":"rej"', b'{"t":"bye"')):
            self.load.refused += 1

    async def play(self, rate: float) -> None:
        due = time.perf_counter()
        while self.actions:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            self.sent, self.ready = due, False
            key = f"{random.getrandbits(128):032x}".encode()
            self.say(b'{"t":"act","k":"%s","v":%s,"a":%s}' % (key, self.version, random.choice(self.actions)))
            while not self.ready:
                await asyncio.sleep(0.002)
            due = max(due + 1 / rate, time.perf_counter() - 1)


class Crowd(Load):
    """All pages."""

    def __init__(self, url: str, sockets: int, tables: int, game: str, rate: float) -> None:
        super().__init__(url, game, tables, rate, 0, "bridgehead")
        self.sockets = sockets
        self.came = self.bytes = 0
        self.last = 0.0
        self.pages: list[Page] = []

    def make(self) -> None:
        """Create the tables and distribute the pages."""
        self.make_tables(self.tables)
        tables: list[dict[str, object]] = [{"table": made["table"], "tokens": made["tokens"]} for made in self.made]
        if self.sockets != self.tables:
            tables = [{"table": made["table"]} for made in tables]
        self.places = [tables[n % self.tables] for n in range(self.sockets)]
        self.made.clear()
        self.game = "barricade"
        self.make_tables(1)
        self.own = [{"table": made["table"], "tokens": made["tokens"]} for made in self.made]

    async def come(self) -> dict[str, float]:
        """All pages connect at once; seconds until the last one has its whole view."""
        host, _, port = self.host.partition(":")
        self.came = self.bytes = 0
        begun, loop, self.over = time.perf_counter(), asyncio.get_running_loop(), False

        async def one(number: int) -> None:
            _, page = await loop.create_connection(lambda: Page(self, number), host, int(port))
            self.pages.append(page)

        for first in range(0, self.sockets, 500):
            await asyncio.gather(*(one(n) for n in range(first, min(first + 500, self.sockets))))
        while self.came < self.sockets and time.perf_counter() - begun < 120:
            await asyncio.sleep(0.005)
        return {"came": self.came, "seconds": self.last - begun, "bytes": self.bytes}

    async def go(self) -> dict[str, float]:
        """All pages disconnect at once."""
        self.over = True
        for page in self.pages:
            page.transport.abort()  # type: ignore[attr-defined]
        self.pages = []
        await asyncio.sleep(1)
        self.over = False
        return {"gone": self.sockets}

    async def run(self) -> dict[str, float]:
        loop = asyncio.get_running_loop()
        self.make()
        print(json.dumps({"tables": self.tables}), flush=True)
        playing = None
        if self.rate:
            host, _, port = self.host.partition(":")
            _, player = await loop.create_connection(lambda: Player(self, 0), host, int(port))
            while not player.actions:
                await asyncio.sleep(0.01)
            playing = asyncio.create_task(player.play(self.rate))
        while (order := (await loop.run_in_executor(None, sys.stdin.readline)).strip()) not in ("", "end"):
            found = await self.come() if order == "come" else await self.go() if order == "go" else {}
            took = sorted(seconds * 1000 for seconds, _ in self.took)
            part = {f"p{p}": took[min(len(took) - 1, len(took) * p // 100)] if took else 0 for p in (50, 99)}
            print(json.dumps({**found, **part, "moves": len(took), "refused": self.refused, "lost": self.lost}), flush=True)
            self.took = []
        self.over = True
        if playing:
            playing.cancel()
        return {}


def main(url: str, sockets: str, tables: str, game: str, rate: str = "0") -> None:
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    assert BOARDS and urlsplit(url).netloc
    asyncio.run(Crowd(url, int(sockets), int(tables), game, float(rate)).run())


if __name__ == "__main__":
    main(*sys.argv[1:])
