"""Several workers over one PostgreSQL and one Redis: actions a second, how old a view gets, and that nothing is lost or doubled.

Workers in processes of their own, without limits of how fast one may play. At each table two people play at random, each
at another worker, so that every action has to show at a worker that did not store it. Wall time, and seconds of processor
time of the workers: what they spend on an action does not depend on what else the machine does. `--store` measures the
log alone: two processes that append one event a table and wait for it.
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
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from bridgehead.server.ledger import Event
from bridgehead.server.postgres import PostgresStore
from server.servers import Postgres, Redis

WORKER = """
import asyncio, sys
from bridgehead.server.app import build
from bridgehead.server.bots import Bots
from bridgehead.server.bus import Bus
from bridgehead.server.limits import Limits
from bridgehead.server.others import Others
from bridgehead.server.postgres import PostgresStore
from bridgehead.server.serve import _listen, make_server, _stop_on_signals

store = PostgresStore(sys.argv[1])
many = 10**9
roomy = Limits(seat=many, watcher=many, sockets=many, tables=many, films=many, boards=many, effort=many, weight=1 << 40)
server = make_server(build(store, Bots(pace=0), limits=roomy, others=Others(store, Bus(sys.argv[2], store.id))))
_stop_on_signals(server)
listener = _listen("127.0.0.1", 0)
print(listener.getsockname()[1], flush=True)
asyncio.run(server.serve([listener]))
"""


class Play:
    """What is counted.

    happened: when an action was confirmed, by table and version; late: seconds until another worker showed it.
    """

    def __init__(self) -> None:
        self.over = False
        self.confirmed: dict[str, list[str]] = {}
        self.happened: dict[tuple[str, int], float] = {}
        self.late: list[float] = []
        self.waits: list[float] = []
        self.stale = 0


async def player(url: str, table: str, token: str, play: Play, lot: random.Random) -> None:
    """One seat at one worker, to the end of the game or of the measurement."""
    async with connect(url.replace("http", "ws", 1) + "/ws", max_size=None, compression=None) as socket:
        await socket.send(json.dumps({"t": "hello", "p": 1, "table": table, "tokens": [token], "plain": True}))
        sent: dict[str, float] = {}
        async for text in socket:
            if play.over:
                return
            message = json.loads(text)
            if message["t"] == "view":
                if "choices" in message and (at := play.happened.pop((table, message["v"]), None)) is not None:
                    play.late.append(time.perf_counter() - at)  # the other seat, at the other worker
                if message["outcome"]:
                    return
                if message.get("choices") and not sent:
                    await act(socket, message, sent, lot)
            elif message["t"] == "ack":
                now = time.perf_counter()
                play.waits.append(now - sent.pop(message["k"]))
                play.happened[table, message["v"]] = now
                play.confirmed.setdefault(table, []).append(message["k"])
            elif message["t"] == "rej":
                assert message["code"] == "stale", message
                sent.clear()
                play.stale += 1


async def act(socket: ClientConnection, view: dict[str, Any], sent: dict[str, float], lot: random.Random) -> None:
    key = secrets.token_hex(16)
    sent[key] = time.perf_counter()
    await socket.send(json.dumps({"t": "act", "k": key, "v": view["v"], "a": lot.choice(view["choices"])["action"]}))


async def tables(urls: list[str], game: str, number: int, play: Play) -> None:
    """Keep that many tables in play until it is over."""

    async def one(client: httpx.AsyncClient, lot: random.Random) -> None:
        while not play.over:
            made = (await client.post("/api/tables", json={"game": game, "seats": [{"kind": "person"}] * 2})).json()
            seats = [
                player(url, made["table"], token, play, lot)
                for url, token in zip([urls[0], urls[-1]], made["tokens"], strict=True)
            ]
            await asyncio.gather(*seats)

    async with httpx.AsyncClient(base_url=urls[0], timeout=60) as client:
        await asyncio.gather(*(one(client, random.Random(each)) for each in range(number)))


def used(process: subprocess.Popen[str]) -> float:
    """Seconds of processor time of a process."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    urls: list[str], workers: list[subprocess.Popen[str]], asked: argparse.Namespace, play: Play
) -> tuple[float, float]:
    """Play for some seconds, after a beginning that is not counted; seconds of wall time and of the workers' processor time."""
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
    """Confirmed actions that are not in the log, and keys that are in it twice."""
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
    """Append to many tables at once, one event each, and wait for it."""
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
        play = Play()
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
