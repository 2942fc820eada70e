"""Do searching computer players slow down other tables? Four tables with computer seats beside one with people.

bench/thinking.py [--game forty_bridges] [--level master] [--moves 300]

Two people play at random on our server. The time from each click to the server's answer is measured without and with
four searching computer seats, alternating in the same run. Everything runs on this machine.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load import ours
from websockets.sync.client import ClientConnection, connect

THINKING = 4  # tables with a searching computer seat
ROUNDS = 3  # of each measurement, alternating


class Seat:
    """A person at a table, who receives everything and plays at random."""

    def __init__(self, url: str, table: dict[str, Any], *seats: int) -> None:
        self.socket: ClientConnection = connect(url.replace("http", "ws", 1) + "/ws", max_size=None).__enter__()
        self.view: dict[str, Any] = {}
        self.say(t="hello", p=1, table=table["table"], tokens=[table["tokens"][seat] for seat in seats])
        self.until(lambda message: message["t"] == "view")

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def until(self, wanted: Any, patience: float = 600) -> dict[str, Any]:
        """The first message of the wanted kind."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(patience))
            if message["t"] == "view":
                self.view = message
            if wanted(message):
                return message

    def move(self) -> float:
        """Play any action; seconds until the server has stored and confirmed it."""
        key, action = secrets.token_hex(16), secrets.choice(self.view["choices"])["action"]
        begun = time.perf_counter()
        self.say(t="act", k=key, v=self.view["v"], a=action)
        self.until(lambda message: message["t"] == "ack" and message["k"] == key)
        taken = time.perf_counter() - begun
        version = self.view["v"]
        self.until(lambda message: message["t"] == "view" and message["v"] > version)
        return taken


def new_table(url: str, game: str, seats: list[dict[str, str]]) -> dict[str, Any]:
    body = json.dumps({"game": game, "seats": seats, "seed": 1}).encode()
    request = urllib.request.Request(f"{url}/api/tables", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        made: dict[str, Any] = json.load(answer)
    return made


def moves(url: str, number: int) -> list[float]:
    """Seconds of each action of two people at a new table, or several if games end."""
    found: list[float] = []
    while len(found) < number:
        page = Seat(url, new_table(url, "forty_bridges", [{"kind": "person"}] * 2), 0, 1)
        while len(found) < number and page.view["outcome"] is None:
            found.append(page.move())
            time.sleep(0.01)  # people pause between moves
        page.socket.close()
    return found


def main(game: str, level: str, number: int) -> None:
    (Path(__file__).parents[1] / "build").mkdir(exist_ok=True)
    with ours() as server:
        measured: dict[str, list[float]] = {"nobody": [], "four": []}
        first: list[float] = []
        for _ in range(ROUNDS):
            measured["nobody"] += moves(server.url, number // ROUNDS)
            crowd = []
            for _ in range(THINKING):
                begun = time.perf_counter()
                table = new_table(server.url, game, [{"kind": "computer", "level": level}] * 2)
                crowd.append(Seat(server.url, table))
                if not first:
                    crowd[0].until(lambda message: message["t"] == "view" and message["v"] > 0)
                    first.append(time.perf_counter() - begun)
            before = server.seconds()
            measured["four"] += moves(server.url, number // ROUNDS)
            print(f"  the server's own processor time meanwhile: {server.seconds() - before:.2f} s")
            for page in crowd:
                page.socket.close()
    print(f"{game}, {level}: the first action of a computer's seat came after {first[0]:.1f} s, compiling included")
    for who, taken in measured.items():
        cuts = statistics.quantiles(taken, n=100)
        print(f"{who} thinking: {len(taken)} actions, median {cuts[49] * 1e3:.2f} ms, p95 {cuts[94] * 1e3:.2f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="forty_bridges")
    parser.add_argument("--level", default="master")
    parser.add_argument("--moves", type=int, default=300)
    given = parser.parse_args()
    main(given.game, given.level, given.moves)
