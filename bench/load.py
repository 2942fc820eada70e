"""Load test: pages play legal moves of real games; throughput, latency and memory of a server.

bench/load.py [--tables 500] [--seconds 5] [--rate 300] [--games barricade,forty_bridges] [--peer] [--soak 60]

The server is a process of its own. Its log is on the disk, written through at every commit (synchronous=FULL), and
every move is checked, chained and shown to its page as in any game. The players are another process on the same
machine, so `moves/s` is what both did together; `processor` is the server's own time per move, which hardly depends on
other work on the machine. `--peer` plays 40 squares on a boardgame.io server (in memory) with the same players, in
alternation with ours.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
PLAYERS, HOST, PEER = HERE / "workers" / "table_players.py", HERE / "workers" / "table_host.py", HERE / "peers" / "boardgame_io"
Order = Callable[[str], dict[str, Any]]
EVENTS = 10  # of each table in `restart`
GAMES = ("barricade", "forty_bridges", "burning_bridges", "front_lines")


class Server(NamedTuple):
    """A server under test."""

    url: str
    process: subprocess.Popen[str]
    kind: str

    def seconds(self) -> float:
        """Processor seconds of it and its threads so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Its memory in MB."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def heart(self) -> dict[str, float]:
        """How late our server's loop was since the last call: see workers/table_host.py."""
        assert self.process.stdout is not None
        self.process.send_signal(signal.SIGUSR1)
        return json.loads(self.process.stdout.readline())


@contextlib.contextmanager
def ours(folder: str | None = None, sync: float = 0, limits: str = "none") -> Iterator[Server]:
    """Our server, over a new or existing folder; sync: additional seconds per write-through; limits: "none" or "usual"."""
    with tempfile.TemporaryDirectory(dir=HERE.parent / "build") as new:
        yield from _running([sys.executable, str(HOST), folder or new, str(sync), limits], "bridgehead")


@contextlib.contextmanager
def peer() -> Iterator[Server]:
    """A boardgame.io server; npm installs it if it is missing."""
    home = HERE.parent / "build" / "boardgame_io"
    home.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "server.js"):
        shutil.copy(PEER / name, home / name)
    if not (home / "node_modules" / "boardgame.io").exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=home, check=True)
    yield from _running(["node", str(home / "server.js")], "boardgame.io")


def _running(command: list[str], kind: str) -> Iterator[Server]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url = next((line.strip() for line in process.stdout if line.startswith("http")), "")
        assert url, f"{command[0]} did not start"
        yield Server(url, process, kind)
    finally:
        process.terminate()
        process.wait(20)


@contextlib.contextmanager
def ordered(server: Server, script: Path, *given: object) -> Iterator[tuple[dict[str, Any], Order]]:
    """A process of pages at a server: its first line, and a function that sends an order and returns the answer."""
    command = [sys.executable, str(script), server.url, *map(str, given)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    orders, answers = process.stdin, process.stdout

    def order(what: str) -> dict[str, Any]:
        before = server.seconds()
        orders.write(what + "\n")
        orders.flush()
        found: dict[str, Any] = json.loads(answers.readline())
        return {**found, "processor": server.seconds() - before}

    try:
        yield json.loads(answers.readline()), order
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def pages(
    server: Server, game: str, tables: int, rate: float, seconds: float, kind: str = ""
) -> Iterator[tuple[dict[str, Any], Callable[[], dict[str, Any]]]]:
    """Pages at tables: how they joined, and a function that lets them play."""
    with ordered(server, PLAYERS, game, tables, rate, seconds, kind or server.kind) as (came, order):
        yield came, lambda: order("go")


def wished(about: str | None, **usual: Any) -> argparse.Namespace:
    """The options of the command line with their defaults, and a temporary folder for the servers."""
    wanted = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in usual.items():
        wanted.add_argument(f"--{name}", type=type(value), default=value)
    (HERE.parent / "build").mkdir(exist_ok=True)
    return wanted.parse_args()


def line(what: str, found: dict[str, Any], memory: float) -> str:
    """One line of the table."""
    moves = found["moves"]
    if not moves:
        return f"{what:38} no move"
    return (
        f"{what:38} {moves / found['seconds']:8,.0f} {found['processor'] / moves * 1000:9.3f} {moves / found['processor']:10,.0f}"
        f" {found['p50']:8.1f} {found['p99']:8.1f} {found['p100']:8.1f} {memory:7.0f} {found['lost'] + found['refused']:5}"
    )


HEAD = f"{'':38} {'moves/s':>8} {'ms CPU':>9} {'moves/CPUs':>10} {'p50 ms':>8} {'p99 ms':>8} {'most ms':>8} {'MB':>7} {'bad':>5}"


def measured(server: Server, what: str, game: str, tables: int, rate: float, seconds: float, kind: str = "") -> dict[str, Any]:
    with pages(server, game, tables, rate, seconds, kind) as (came, play):
        assert came["ready"] == tables, came
        found = {**play(), **came}
        print(line(what, found, server.memory()), flush=True)
    return found


def idle_sockets(number: int) -> None:
    """The cost of an idle socket (B5)."""
    with ours() as server:
        before, work = server.memory(), server.seconds()
        with pages(server, "forty_bridges", number, 1, 0) as (came, _):
            grown = server.memory() - before
            print(f"{number:,} sockets at as many tables: {grown:.0f} MB, {grown / number * 1000:.0f} kB each with its table")
            work = (server.seconds() - work) / number * 1000
            print(f"they came in {came['entered']:.1f} s, each with a whole view; {work:.1f} ms CPU each, its table made and all")


def restart(games: int) -> None:
    """From kill -9 to the first move that is stored, at a table among many in the log (B7)."""
    with tempfile.TemporaryDirectory(dir=HERE.parent / "build") as folder:
        with ours(folder) as server:
            body = b'{"game": "forty_bridges", "seed": 1}'
            request = urllib.request.Request(server.url + "/api/tables", body, {"Content-Type": "application/json"})
            table = json.load(urllib.request.urlopen(request))
            for _ in range(EVENTS):
                _move(server, table["table"], table["tokens"])
            server.process.kill()
        _fill(folder, games)
        size = (Path(folder) / "bridgehead.sqlite").stat().st_size / 1e6
        begun = time.perf_counter()
        with ours(folder) as server:
            _move(server, f"X{games}", table["tokens"])
            took, work = time.perf_counter() - begun, server.seconds()
        what = f"start with {games:,} tables of {EVENTS} events ({size:.0f} MB), to the first move that is stored"
        print(f"{what}: {took:.2f} s, {work:.2f} s of processor time; load average {os.getloadavg()[0]:.1f}")


def _move(server: Server, table: str, tokens: list[str]) -> None:
    """Come to a table and make a move there."""
    from websockets.sync.client import connect

    with connect(server.url.replace("http", "ws", 1) + "/ws") as page:
        page.send(json.dumps({"t": "hello", "p": 1, "table": table, "tokens": tokens, "lang": "en"}))
        while (view := json.loads(page.recv()))["t"] != "view":
            pass
        page.send(json.dumps({"t": "act", "k": secrets.token_hex(16), "v": view["v"], "a": view["choices"][0]["action"]}))
        while json.loads(page.recv())["t"] != "ack":
            pass


def _fill(folder: str, games: int) -> None:
    """Copy the one table in a file many times, each copy with a hash chain of its own."""
    import apsw

    from bridgehead.server.storage import hash_chain
    from bridgehead.server.storage.event_log import COLUMNS, Event

    with apsw.Connection(str(Path(folder) / "bridgehead.sqlite")) as file:
        [(body,)] = file.execute("select body from game").fetchall()
        events = [Event(*row) for row in file.execute(f"select {COLUMNS} from event order by version limit {EVENTS}")]
        for n in range(1, games + 1):
            log = hash_chain.chain_events(hash_chain.first_link(f"X{n}", body), events)
            file.execute("insert into game values (?, ?, ?)", (f"X{n}", body, time.time()))
            file.executemany(f"insert into event values ({', '.join('?' * 11)})", [(f"X{n}", *each) for each in log])


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--tables", type=int, default=500)
    wanted.add_argument("--seconds", type=float, default=5)
    wanted.add_argument("--rate", type=float, default=300)
    wanted.add_argument("--games", default=",".join(GAMES))
    wanted.add_argument("--peer", action="store_true", help="also boardgame.io (npm)")
    wanted.add_argument("--soak", type=float, default=0, help="seconds of steady play, with memory before and after")
    wanted.add_argument("--idle", type=int, default=0, help="idle sockets")
    wanted.add_argument("--restart", type=int, default=0, help="tables in the log of the killed server")
    asked = wanted.parse_args()
    (HERE.parent / "build").mkdir(exist_ok=True)
    python = f"Python {platform.python_version()}, {platform.python_compiler()}"
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors before; {python}\n{HEAD}")
    for game in filter(None, asked.games.split(",")):
        with ours() as server:
            measured(server, f"{game}, as fast as it goes", game, asked.tables, 0, asked.seconds)
        with ours() as server:
            measured(server, f"{game}, pages with all words", game, asked.tables, 0, asked.seconds, "people")
        with ours() as server:
            measured(server, f"{game}, {asked.rate:g}/s offered", game, asked.tables, asked.rate, asked.seconds)
        with ours(sync=0.01) as server:
            measured(server, f"{game}, {asked.rate:g}/s, sync +10 ms", game, asked.tables, asked.rate, asked.seconds)
    if asked.peer:
        with peer() as server:
            measured(server, "boardgame.io in memory, as fast as it goes", "squares", asked.tables, 0, asked.seconds)
    if asked.soak:
        with ours() as server:
            measured(server, f"soak, {asked.rate:g}/s, {asked.soak:g} s", "barricade", asked.tables, asked.rate, asked.soak)
    if asked.idle:
        idle_sockets(asked.idle)
    if asked.restart:
        restart(asked.restart)


if __name__ == "__main__":
    main()
