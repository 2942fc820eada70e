"""Waiting times of a person: from starting the server to a page, and from an action to its answer.

A real server in a process of its own, with an empty cache of compiled code, and one page that plays legal actions over
a WebSocket on loopback, within the rate limit of a page. Wall time.
"""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Any

from websockets.sync.client import ClientConnection, connect

import shared
from shared import Middle, Result, Row

GAMES = {"burning_bridges": 5, "forty_bridges": 2, "front_lines": 4, "barricade": 4}


def start(folder: str) -> tuple[subprocess.Popen[str], str, float]:
    """The server, its address, and seconds until its first page."""
    env = {**os.environ, "BRIDGEHEAD_CACHE": folder, "PYTHONUNBUFFERED": "1"}
    began = time.perf_counter()
    command = [sys.executable, "-m", "bridgehead.cli", "serve", "--no-browser", "--port", "0", "--data", folder]
    server = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    url = next(found[0] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
    while True:
        try:
            urllib.request.urlopen(url).read()
            return server, url, time.perf_counter() - began
        except OSError:
            time.sleep(0.01)


def new_table(url: str, game: str, seats: int) -> dict[str, Any]:
    body = {"game": game, "options": {"seats": seats}, "seats": [{"kind": "person"}] * seats, "seed": 3}
    request = urllib.request.Request(url + "/api/tables", json.dumps(body).encode(), {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request))


def hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(20))
        assert message["t"] != "rej", message
        if message["t"] == kind:
            return message


def round_trips(url: str, game: str, seats: int, actions: int) -> list[float]:
    """Milliseconds from sending an action to receiving the view after it, for each action."""
    table, rng = new_table(url, game, seats), random.Random(1)
    taken: list[float] = []
    with connect(url.replace("http", "ws", 1) + "/ws") as socket:
        socket.send(json.dumps({"t": "hello", "p": 1, "table": table["table"], "tokens": table["tokens"], "lang": "en"}))
        view = hear(socket, "view")
        while len(taken) < actions and view["outcome"] is None:
            action = rng.choice(view["choices"])["action"]
            began = time.perf_counter()
            socket.send(json.dumps({"t": "act", "k": secrets.token_hex(16), "v": view["v"], "a": action}))
            view = hear(socket, "view")
            taken.append((time.perf_counter() - began) * 1000)
            time.sleep(0.1)  # within the rate limit of a page
    return taken


def main() -> None:
    parser = shared.parser(__doc__)
    parser.add_argument("--actions", type=int, default=150, help="of each game (%(default)s)")
    wanted, result = parser.parse_args(), Result("At the table: from an action to the view after it")
    with tempfile.TemporaryDirectory() as folder:
        server, url, seconds = start(folder)
        result.rows.append(Row("first page after the start", Middle(seconds, seconds, seconds), "s"))
        try:
            for game, seats in GAMES.items():
                taken = round_trips(url, game, seats, wanted.actions)
                note = f"first {taken[0]:.1f} ms, 95 % {statistics.quantiles(taken, n=20)[-1]:.1f} ms, {len(taken)} actions"
                result.rows.append(Row(game, shared.middle(taken), "ms", note))
        finally:
            server.terminate()
            server.wait(10)
    shared.finish(result, wanted.json)


if __name__ == "__main__":
    main()
