"""Fair shares: how much one hostile address slows another's moves, and another's coming to a table.

bench/neighbours.py [--seconds 4] [--rounds 3] [--connections 60] [--kinds qr,silent] (default: all)

Quiet and hostile phases alternate in one run, over one server with its usual limits, and each hostile phase is compared with
the quiet one before it. A move: from sending it to its confirmation, some five a second. Coming to a table: the page, the
socket, and the first view, three times a second, from changing addresses. The attacker is a process of its own with one
address, on the same machine, so its own work slows the server too; `bridgehead` itself never does that.
Targets: p95 of a move within 3 times of quiet, p95 of coming within 5 times.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import json
import os
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

from load import HERE, ours, wished

HOSTILE = "127.0.0.9"
MOVE, COME = 3.0, 5.0  # targets: ratios to quiet
KINDS = "qr,link,records,imports,editor,pictures,analyses,guesses,silent"


class Phase(NamedTuple):
    """The p95 of both, in milliseconds, and their numbers."""

    move: float
    come: float
    moves: int
    comers: int


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)] * 1000 if times else float("inf")


class Honest:
    """Somebody who plays, and others who come to tables. pause: seconds between two moves."""

    pause = 0.2

    def __init__(self, url: str) -> None:
        self.host = url.removeprefix("http://")
        self.addresses = (f"127.0.1.{n}" for n in itertools.cycle(range(1, 200)))
        self.page: ClientConnection | None = None

    def ask(self, method: str, path: str, address: str, body: object = None) -> bytes:
        connection = http.client.HTTPConnection(self.host, source_address=(address, 0))
        try:
            connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
            return connection.getresponse().read()
        finally:
            connection.close()

    def table(self, address: str) -> dict[str, Any]:
        return json.loads(self.ask("POST", "/api/tables", address, {"game": "forty_bridges", "seed": 1}))

    async def come(self, table: dict[str, Any], address: str, seats: bool) -> tuple[ClientConnection, dict[str, Any]]:
        page = await connect(f"ws://{self.host}/ws", local_addr=(address, 0))
        tokens = table["tokens"] if seats else []
        await page.send(json.dumps({"t": "hello", "p": 1, "table": table["table"], "tokens": tokens, "lang": "en"}))
        return page, await hear(page, "view")

    async def move(self, times: list[float], until: float) -> None:
        """Play from the first view to the last."""
        while time.perf_counter() < until:
            page, view = await self.come(await asyncio.to_thread(self.table, "127.0.0.2"), "127.0.0.2", True)
            while view.get("choices") and time.perf_counter() < until:
                begun = time.perf_counter()
                act = {"t": "act", "k": secrets.token_hex(16), "v": view["v"], "a": secrets.choice(view["choices"])["action"]}
                await page.send(json.dumps(act))
                await hear(page, "ack")
                times.append(time.perf_counter() - begun)
                view = await hear(page, "view")
                await asyncio.sleep(self.pause)
            await page.close()

    async def comers(self, table: dict[str, Any], times: list[float], until: float) -> None:
        while time.perf_counter() < until:
            address, begun = next(self.addresses), time.perf_counter()
            await asyncio.to_thread(self.ask, "GET", f"/t/{table['table']}", address)
            page, _ = await self.come(table, address, False)
            times.append(time.perf_counter() - begun)
            await page.close()
            await asyncio.sleep(0.3)

    async def phase(self, seconds: float) -> Phase:
        moves: list[float] = []
        coming: list[float] = []
        table = await asyncio.to_thread(self.table, "127.0.0.3")
        until = time.perf_counter() + seconds
        await asyncio.gather(self.move(moves, until), self.comers(table, coming, until))
        return Phase(p95(moves), p95(coming), len(moves), len(coming))


async def hear(page: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of that kind. A refusal is an error: nobody honest may be refused."""
    while (message := json.loads(await page.recv()))["t"] != kind:
        assert message["t"] not in ("rej", "bye"), message
    return message


@contextlib.contextmanager
def hostile(url: str, kind: str, connections: int) -> Iterator[dict[str, int]]:
    """A hostile neighbour; afterwards, the numbers of its answers."""
    answers: dict[str, int] = {}
    command = [sys.executable, str(HERE / "workers" / "neighbour.py"), url, kind, str(connections), HOSTILE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        yield answers
        process.stdin.close()
        answers |= json.loads(process.stdout.readline())


def measured(url: str, kind: str, asked: Any) -> tuple[float, float]:
    """Let an attack and quiet alternate; prints and returns both ratios (medians of the rounds)."""
    honest, rounds, answers = Honest(url), [], list[dict[str, int]]()
    for _ in range(asked.rounds):
        quiet = asyncio.run(honest.phase(asked.seconds))
        connections = 200 if kind == "silent" else asked.connections
        with hostile(url, kind, connections) as answered:
            answers.append(answered)
            time.sleep(0.5)  # until it is under way
            beset = asyncio.run(honest.phase(asked.seconds))
        rounds.append((quiet, beset))
    move = statistics.median(beset.move / quiet.move for quiet, beset in rounds)
    come = statistics.median(beset.come / quiet.come for quiet, beset in rounds)
    quiet, beset = (Phase(*map(statistics.median, zip(*each, strict=True))) for each in zip(*rounds, strict=True))
    verdict = "reached" if move <= MOVE and come <= COME else "missed"
    print(
        f"{kind:9} {quiet.move:8.1f} {beset.move:8.1f} {move:6.2f} {quiet.come:9.1f} {beset.come:8.1f} {come:6.2f}  {verdict}"
        f"   its last answers: {answers[-1]}", flush=True,
    )  # fmt: skip
    return move, come


def main() -> None:
    asked = wished(__doc__, seconds=4.0, rounds=3, connections=60, kinds=KINDS)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors before")
    print(f"{'p95 in ms':9} {'a move':>8} {'hostile':>8} {'ratio':>6} {'coming':>9} {'hostile':>8} {'ratio':>6}")
    with ours(limits="usual") as server:
        ratios = [measured(server.url, kind, asked) for kind in asked.kinds.split(",")]
    moves, comes = zip(*ratios, strict=True)
    print(f"worst: a move {max(moves):.2f} times (target {MOVE:g}), coming {max(comes):.2f} times (target {COME:g})")
    print(f"load average {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
