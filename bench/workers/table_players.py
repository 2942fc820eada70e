"""Many pages at as many tables, in one process: raw frames on raw sockets, legal moves of real games, and latencies.

table_players.py URL GAME TABLES RATE SECONDS [bridgehead|plain|people|boardgame.io]

RATE: moves per second, independent of the server's speed (the latency of a delayed move counts from its due time); 0:
every table moves as fast as it can. Each page holds all seats of its table, and requests no words (`brief`). `plain`:
words of the game, but not of its actions; `people`: those too, as the browser's page. Prints one line of JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import random
import re
import struct
import sys
import time
from collections import deque
from collections.abc import Callable
from urllib.parse import urlsplit

ACTION = re.compile(rb'"action":(\d+)')
VERSION = re.compile(rb'"v":(\d+)')
BOARDS = {"barricade": {"board": "mini", "seats": 2}, "burning_bridges": {"seats": 2}}


def frame(text: bytes) -> bytes:
    """A text frame as a page sends it, with a zero mask."""
    size = len(text)
    head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
    return head + b"\0\0\0\0" + text


class Line(asyncio.Protocol):
    """One WebSocket; subclasses define what to send and how to read answers."""

    path = "/ws"

    def __init__(self, load: Load, number: int, host: str = "") -> None:
        self.load, self.number, self.host = load, number, host or load.host
        self.buffer = bytearray()
        self.open = self.ready = False
        self.sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert b" 101 " in self.buffer[:20], bytes(self.buffer[:200])
            del self.buffer[: end + 4]
            self.open = True
            self.greet()
        while len(self.buffer) >= 2:
            size, start = self.buffer[1] & 127, 2
            if size == 126:
                size, start = int.from_bytes(self.buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(self.buffer[2:10], "big"), 10
            if len(self.buffer) < start + size:
                return
            kind, text = self.buffer[0] & 15, bytes(self.buffer[start : start + size])
            del self.buffer[: start + size]
            if kind == 1:
                self.hear(text)
            elif kind == 9:
                self.transport.write(struct.pack("!BB", 0x8A, 0x80 | len(text)) + b"\0\0\0\0" + text)

    def connection_lost(self, error: Exception | None) -> None:
        self.load.lost += not self.load.over

    def say(self, text: bytes) -> None:
        self.transport.write(frame(text))

    def answered(self) -> None:
        self.load.took.append((self.load.now() - self.sent, self.load.now()))

    def rest(self) -> None:
        """Ready for the next move."""
        self.ready = True
        self.load.is_ready(self)

    def greet(self) -> None:
        raise NotImplementedError

    def hear(self, text: bytes) -> None:
        raise NotImplementedError

    def move(self) -> None:
        raise NotImplementedError


class Table(Line):
    """One of our tables."""

    def greet(self) -> None:
        if not self.load.made:
            asyncio.get_running_loop().call_later(0.1, self.greet)
            return
        self.key = 0
        self.made = self.load.made.popleft()
        hello = {"t": "hello", "p": 1, "table": self.made["table"], "tokens": self.made["tokens"]}
        self.say(json.dumps({**hello, "plain": self.load.plain, "brief": self.load.brief}).encode())

    def hear(self, text: bytes) -> None:
        if text.startswith(b'{"t":"view"'):
            at = text.rfind(b'"choices":[')
            if at >= 0:
                self.actions = ACTION.findall(text, at)
                found = VERSION.search(text)
                assert found is not None
                self.version = found[1]
                self.rest()
            elif b'"outcome":{' in text:
                self.load.ended += 1
                self.again()
        elif text.startswith(b'{"t":"ack"'):
            self.answered()
        elif text.startswith((b'{"t":"rej"', b'{"t":"bye"')):
            self.load.refused += 1

    def again(self) -> None:
        """The game is over: continue at another table, on another socket."""
        if self.load.made:
            self.load.lost -= 1
            self.transport.close()
            asyncio.ensure_future(self.load.connect(self.number))
        elif self.load.running:
            asyncio.get_running_loop().call_later(0.1, self.again)

    def move(self) -> None:
        self.ready = False
        self.key += 1
        action = random.choice(self.actions).decode()
        text = f'{{"t":"act","k":"{self.number:016x}{self.key:016x}","v":{self.version.decode()},"a":{action}}}'
        self.say(text.encode())


class Match(Line):
    """A match of boardgame.io: engine.io 4 and socket.io on a WebSocket. Players alternate; a full board is cleared."""

    path = "/socket.io/?EIO=4&transport=websocket"

    def greet(self) -> None:
        self.name, self.state, self.waits = f"m{self.number}", 0, False

    def hear(self, text: bytes) -> None:
        if text.startswith(b"0"):
            self.say(b"40/squares,")
        elif text.startswith(b"40"):
            self.say(f'42/squares,["sync","{self.name}","0",null,2]'.encode())
        elif text == b"2":
            self.say(b"3")
        elif text.startswith(b'42/squares,["sync"'):
            self.rest()
        elif text.startswith((b'42/squares,["update"', b'42/squares,["patch"')):
            if self.waits:
                self.waits = False
                self.state += 1
                self.answered()
                self.rest()
        elif b"error" in text:
            self.load.refused += 1

    def move(self) -> None:
        self.ready, self.waits = False, True
        player, place = self.state % 2, self.state % 40
        action = {
            "type": "MAKE_MOVE",
            "payload": {"type": "take", "args": [place], "playerID": str(player), "credentials": None},
        }
        self.say(b"42/squares," + json.dumps(["update", action, self.state, self.name, str(player)]).encode())


class Load:
    """All pages, and the clock that starts their moves."""

    def __init__(self, url: str, game: str, tables: int, rate: float, seconds: float, kind: str) -> None:
        self.host, self.game, self.tables = urlsplit(url).netloc, game, tables
        self.rate, self.seconds = rate, seconds
        self.line: Callable[[Load, int], Line] = Match if kind == "boardgame.io" else Table
        self.plain, self.brief = kind != "people", kind not in ("people", "plain")
        self.made: deque[dict[str, object]] = deque()
        self.took: list[tuple[float, float]] = []
        self.idle: deque[Line] = deque()
        self.due: deque[float] = deque()
        self.lost = self.refused = self.ended = 0
        self.running = self.over = False
        self.now = time.perf_counter

    def make_tables(self, number: int) -> None:
        host = http.client.HTTPConnection(self.host)
        body = json.dumps({"game": self.game, "options": BOARDS.get(self.game, {}), "seed": 3})
        for _ in range(number):
            host.request("POST", "/api/tables", body, {"Content-Type": "application/json"})
            self.made.append(json.loads(host.getresponse().read()))

    async def _stock(self) -> None:
        """Create new tables as fast as games end."""
        while self.running:
            missing = self.tables // 4 - len(self.made)
            if self.line is Table and missing > 0:
                await asyncio.get_running_loop().run_in_executor(None, self.make_tables, missing)
            await asyncio.sleep(0.2)

    async def connect(self, number: int) -> None:
        host, _, port = self.host.partition(":")
        await asyncio.get_running_loop().create_connection(lambda: self.line(self, number), host, int(port))  # type: ignore[arg-type]

    def is_ready(self, line: Line) -> None:
        if self.rate and self.due:
            self._begin(line, self.due.popleft())
        elif self.rate or not self.running:
            self.idle.append(line)
        else:
            self._begin(line, self.now())

    def _begin(self, line: Line, due: float) -> None:
        line.sent = due
        line.move()

    async def _offer(self) -> None:
        """Start moves at the wanted rate until the end."""
        begun, offered = self.now(), 0
        while self.running:
            wanted = int((self.now() - begun) * self.rate)
            for n in range(offered, wanted):
                due = begun + n / self.rate
                if self.idle:
                    self._begin(self.idle.popleft(), due)
                else:
                    self.due.append(due)
            offered = wanted
            await asyncio.sleep(0.001)

    async def run(self) -> dict[str, float]:
        if self.line is Table:
            self.make_tables(self.tables + (self.tables // 4 if self.seconds else 0))
        begun = self.now()
        for first in range(0, self.tables, 200):
            await asyncio.gather(*(self.connect(n) for n in range(first, min(first + 200, self.tables))))
        while len(self.idle) < self.tables and self.now() - begun < 60:
            await asyncio.sleep(0.01)
        entered = self.now() - begun
        print(json.dumps({"entered": entered, "ready": len(self.idle)}), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        self.running, begun, work = True, self.now(), time.process_time()
        offering, stocking = None, asyncio.create_task(self._stock())
        if self.rate:
            offering = asyncio.create_task(self._offer())
        else:
            for line in list(self.idle):
                self._begin(line, self.now())
            self.idle.clear()
        await asyncio.sleep(self.seconds)
        self.running, ended = False, self.now()
        await stocking
        if offering is not None:
            await offering
        took = sorted(took for took, at in self.took if begun <= at <= ended)
        self.over = True
        return {
            "moves": len(took), "seconds": ended - begun, "waiting": len(self.due), "lost": self.lost, "refused": self.refused,
            "games": self.ended, "own": time.process_time() - work,
            **{f"p{p}": took[min(len(took) - 1, int(len(took) * p / 100))] * 1000 if took else 0 for p in (50, 99, 100)},
        }  # fmt: skip


def main(url: str, game: str, tables: str, rate: str, seconds: str, kind: str = "bridgehead") -> None:
    with contextlib.suppress(ImportError):
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    print(json.dumps(asyncio.run(Load(url, game, int(tables), float(rate), float(seconds), kind).run())), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
