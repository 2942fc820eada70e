"""Several server processes over one PostgreSQL and one Redis: throughput, latency of views, and a check that nothing is
lost or doubled.

The processes run without rate limits. At each table two people play at random through different processes, so every
action must reach a process that did not store it; `--together`: both use the process that a proxy chooses by table, as
those in deploy/ do. Measured are wall time and processor time: the latter hardly depends on other work on the machine.
`--store` measures the log alone: two processes append one event per table and wait for it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import statistics
import subprocess
import sys
import time
import zlib
from pathlib import Path
from urllib.parse import urlsplit

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parent))
from bridgehead.server.storage.event_log import Event
from bridgehead.server.storage.postgres import PostgresStore
from server.servers import Postgres, Redis
from workers.table_players import ACTION, VERSION, Line

WORKER = """
import asyncio, sys
from bridgehead.server.app import build
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.cluster.redis_bus import Bus
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.cluster.peers import ClusterPeers
from bridgehead.server.storage.postgres import PostgresStore
from bridgehead.server.run import _listen, make_server, _stop_on_signals

store = PostgresStore(sys.argv[1])
many = 10**9
roomy = Limits(seat=many, watcher=many, sockets=many, tables=many, films=many, boards=many, effort=many, weight=1 << 40,
               at_once=many, traffic=1 << 50, silent=many, costly=many, disk=1 << 60)
server = make_server(build(store, ComputerPlayers(pace=0), limits=roomy, peers=ClusterPeers(store, Bus(sys.argv[2], store.id))))
_stop_on_signals(server)
listener = _listen("127.0.0.1", 0)
print(listener.getsockname()[1], flush=True)
asyncio.run(server.serve([listener]))
"""


class Play:
    """Counters of a measurement, and how the pages play; `Line` asks it for the time and reports losses.

    happened: the time of confirmation, by table and version; late: seconds until the other seat's page showed it.
    """

    now = staticmethod(time.perf_counter)

    def __init__(self, together: bool) -> None:
        self.together = together
        self.over = False
        self.lost = 0
        self.confirmed: dict[str, list[str]] = {}
        self.happened: dict[tuple[str, int], float] = {}
        self.late: list[float] = []
        self.waits: list[float] = []
        self.stale = 0

    def places(self, urls: list[str], table: str) -> list[str]:
        """The processes of both seats: one, as a proxy by table chooses it, or two."""
        return [urls[zlib.crc32(table.encode()) % len(urls)]] * 2 if self.together else [urls[0], urls[-1]]


class Seat(Line):
    """The page of one seat at one process, until the game or the measurement is over."""

    def __init__(self, play: Play, url: str, table: str, token: str) -> None:
        super().__init__(play, 0, urlsplit(url).netloc)  # type: ignore[arg-type]
        self.play, self.table, self.token = play, table, token
        self.path = f"/ws?table={table}"
        self.sent_key = ""
        self.ended = asyncio.get_running_loop().create_future()

    def greet(self) -> None:
        self.say(json.dumps({"t": "hello", "p": 1, "table": self.table, "tokens": [self.token], "brief": True}).encode())

    def hear(self, text: bytes) -> None:
        if self.play.over:
            self.end()
        elif text.startswith(b'{"t":"view"'):
            self.see(text)
        elif text.startswith(b'{"t":"ack"'):
            self.answered()
            version = int(VERSION.search(text)[1])  # type: ignore[index]
            self.play.happened[self.table, version] = self.play.now()
            self.play.confirmed.setdefault(self.table, []).append(self.sent_key)
            self.sent_key = ""
        elif text.startswith(b'{"t":"rej"'):
            assert b'"code":"stale"' in text, text
            self.sent_key = ""
            self.play.stale += 1

    def see(self, text: bytes) -> None:
        at = text.rfind(b'"choices":[')
        if at >= 0:
            version = VERSION.search(text)[1]  # type: ignore[index]
            if (happened := self.play.happened.pop((self.table, int(version)), None)) is not None:
                self.play.late.append(self.play.now() - happened)
            if not self.sent_key and (actions := ACTION.findall(text, at)):
                self.act(version.decode(), random.choice(actions).decode())
        elif b'"outcome":{' in text:
            self.end()

    def act(self, version: str, action: str) -> None:
        self.sent, self.sent_key = self.play.now(), secrets.token_hex(16)
        self.say(f'{{"t":"act","k":"{self.sent_key}","v":{version},"a":{action}}}'.encode())

    def answered(self) -> None:
        self.play.waits.append(self.play.now() - self.sent)

    def end(self) -> None:
        self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


async def seat(play: Play, url: str, table: str, token: str) -> None:
    """One seat, from joining to leaving."""
    address = urlsplit(url)
    _, page = await asyncio.get_running_loop().create_connection(
        lambda: Seat(play, url, table, token), address.hostname, address.port
    )
    await page.ended


async def tables(urls: list[str], game: str, number: int, play: Play) -> None:
    """Keep this many tables in play until the end."""

    async def one(client: httpx.AsyncClient) -> None:
        while not play.over:
            made = (await client.post("/api/tables", json={"game": game, "seats": [{"kind": "person"}] * 2})).json()
            both = zip(play.places(urls, made["table"]), made["tokens"], strict=True)
            await asyncio.gather(*(seat(play, url, made["table"], token) for url, token in both))

    async with httpx.AsyncClient(base_url=urls[0], timeout=60) as client:
        await asyncio.gather(*(one(client) for _ in range(number)))


def used(process: subprocess.Popen[str]) -> float:
    """Processor seconds of a process."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    urls: list[str], workers: list[subprocess.Popen[str]], asked: argparse.Namespace, play: Play
) -> tuple[float, float]:
    """Play for some seconds after a warm-up; returns wall time and processor time of the server processes."""
    task = asyncio.create_task(tables(urls, asked.game, asked.tables, play))
    await asyncio.sleep(asked.begin)
    play.waits.clear()
    play.late.clear()
    began, before = time.perf_counter(), sum(map(used, workers))
    await asyncio.sleep(asked.seconds)
    wall, work = time.perf_counter() - began, sum(map(used, workers)) - before
    play.over = True
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return wall, work


def whole(place: str, play: Play) -> tuple[int, int]:
    """Confirmed actions that are missing from the log, and keys that are in it twice."""
    store = PostgresStore(place)
    lost = doubled = 0
    for table, keys in play.confirmed.items():
        stored = [event.key for event in store.events(table)]
        lost += len(set(keys) - set(stored))
        doubled += len(stored) - len(set(stored))
    store.close()
    return lost, doubled


APPENDER = """
import asyncio, sys, time
sys.path.insert(0, sys.argv[4])
from cluster import appending
asyncio.run(appending(sys.argv[1], sys.argv[2], float(sys.argv[3])))
"""


async def appending(place: str, name: str, seconds: float, number: int = 500) -> None:
    """Append one event to each of many tables at once, and wait for all."""
    store, done, end = PostgresStore(place), 0, time.perf_counter() + seconds

    async def one(table: str) -> None:
        nonlocal done
        await store.create(table, "body", [])
        version = 0
        while time.perf_counter() < end:
            version += 1
            key = secrets.token_hex(16)
            link, nonce = secrets.token_bytes(32), secrets.token_bytes(16)
            await store.append(table, [Event(version, key, "action", 0, 7, "person", time.time(), "", nonce, link)])
            done += 1

    await asyncio.gather(*(one(f"{name}{each}") for each in range(number)))
    print(done / seconds, flush=True)
    store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="forty_bridges")
    parser.add_argument("--workers", type=int, choices=(1, 2), default=2)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--begin", type=float, default=8)
    parser.add_argument("--together", action="store_true", help="a table's pages at one process, as deploy/'s proxies send them")
    parser.add_argument("--store", action="store_true", help="the log alone")
    asked = parser.parse_args()
    postgres, redis = Postgres(), Redis()
    place = postgres.place()
    try:
        if asked.store:
            here = str(Path(__file__).parent)
            command = [sys.executable, "-c", APPENDER, place]
            both = [subprocess.Popen([*command, name, str(asked.seconds), here], stdout=-1, text=True) for name in "xy"]
            print(f"{sum(float(each.communicate()[0]) for each in both):,.0f} events a second by two processes")
            return
        command = [sys.executable, "-c", WORKER, place, redis.url]
        workers = [
            subprocess.Popen(command, stdout=-1, text=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
            for _ in range(asked.workers)
        ]
        urls = [f"http://127.0.0.1:{int(worker.stdout.readline())}" for worker in workers if worker.stdout]
        play = Play(asked.together)
        wall, work = asyncio.run(measure(urls, workers, asked, play))
        for worker in workers:
            worker.terminate()
            worker.wait()
        lost, doubled = whole(place, play)
        done = len(play.waits)
        waits, late = sorted(play.waits), sorted(play.late)
        print(f"{done / wall:,.0f} actions a second; a worker's core would do {done / work:,.0f}; {play.stale} stale")
        print(f"until confirmed: {statistics.median(waits) * 1000:.1f} ms, 99 % {waits[int(done * 0.99)] * 1000:.1f} ms")
        print(f"then until the other seat sees it: {statistics.median(late) * 1000:.1f} ms, most {late[-1] * 1000:.1f} ms")
        print(f"{lost} of {sum(map(len, play.confirmed.values())):,} confirmed actions lost, {doubled} doubled")
    finally:
        redis.stop()
        postgres.stop()


if __name__ == "__main__":
    main()
