"""What requests and messages cost the server in processor time, beside their prices (server/connections/rate_limits.py).

bench/prices.py [--number 40]

Each is sent one after the other from one connection, to a server without limits. `server`: milliseconds of the server's own
process; `workers`: of its worker processes, which are charged as measured; `price`: what is charged at the door.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from bridgehead.server.connections.rate_limits import PRICES, UNIT, price_of
from bridgehead.server.messages import client
from load import HERE, Server, ours, wished

RECORDS = HERE.parent / "tests" / "proof" / "records"
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def seconds(pid: int) -> float:
    """Processor seconds of the threads of a process so far, to the microsecond."""
    total = 0
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # the thread has just ended
            total += int(file.read_text().split()[0])
    return total / 1e9


def workers(server: Server) -> float:
    """Processor seconds of the server's child processes so far."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return sum(seconds(int(each)) for each in children)


class Sender:
    """One connection that sends requests."""

    def __init__(self, server: Server) -> None:
        self.host = server.url.removeprefix("http://")
        self.http = http.client.HTTPConnection(self.host)

    def ask(self, method: str, path: str, body: object = None) -> Any:
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        self.http.request(method, path, text and text.encode(), {"Content-Type": "application/json"})
        answer = self.http.getresponse()
        data = answer.read()
        return json.loads(data) if "json" in answer.headers["content-type"] and answer.status < 300 else data

    def table(self, game: str = "forty_bridges", **more: object) -> dict[str, Any]:
        return self.ask("POST", "/api/tables", {"game": game, "seed": 1, **more})

    def page(self, table: dict[str, Any], seats: bool = True) -> ClientConnection:
        page = connect(f"ws://{self.host}/ws")
        hello = {"t": "hello", "p": 1, "table": table["table"], "tokens": table["tokens"] if seats else [], "lang": "en"}
        page.send(json.dumps(hello))
        hear(page, "view")
        return page


def hear(page: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    while (message := json.loads(page.recv()))["t"] not in kinds:
        pass
    return message


def requests(sender: Sender) -> Iterator[tuple[str, str, Callable[[], object]]]:
    """Method, path, and a function that sends one request."""
    text = (RECORDS / "barricade-1.txt").read_text("utf-8")
    long = sender.table("barricade", record=text, at=200)["table"]
    short, rng = sender.table(), random.Random(1)

    def code() -> str:
        return "".join(rng.choice(LETTERS) for _ in range(5))

    def to(method: str, path: str, body: object = None) -> tuple[str, str, Callable[[], object]]:
        return method, path, lambda: sender.ask(method, path, body)

    yield "POST", "/api/qr", lambda: sender.ask("POST", "/api/qr", {"text": f"https://tables.example/t/ABCDE#s={code() * 8}"})
    yield "POST", "/api/qr", lambda: sender.ask("POST", "/api/qr", {"text": code() * 300})
    yield to("POST", "/api/tables", {"game": "forty_bridges"})
    yield to("POST", "/api/tables", {"game": "barricade"})
    yield to("POST", "/api/records", text)
    yield to("POST", "/api/check", {"game": "barricade", "options": {"seats": 3}})
    yield to("POST", "/api/games/barricade/edit", {})
    yield to("GET", "/api/games/front_lines/picture")
    yield to("POST", "/api/mine", {"tables": [{"table": short["table"], "tokens": short["tokens"][:1]}]})
    for part in ("record", "link", "frames"):
        yield to("GET", f"/api/tables/{long}/{part}")
    yield to("GET", f"/t/{short['table']}")
    yield "GET", "/t/ABCDE", lambda: sender.ask("GET", f"/t/{code()}")
    yield to("GET", "/rules/barricade")
    yield to("GET", "/")
    yield to("GET", "/new/barricade")
    yield to("GET", "/static/board.js")


def messages(sender: Sender) -> Iterator[tuple[str, type, Callable[[], object]]]:
    """Name, type, and a function that sends one message and waits for its answer."""
    table = sender.table("barricade")
    page, key = sender.page(table), random.Random(2)

    def said(answers: tuple[str, ...], **message: object) -> dict[str, Any]:
        page.send(json.dumps(message))
        return hear(page, *answers)

    def act() -> None:
        view = said(("view",), t="hello", p=1, table=table["table"], tokens=[], lang="en")
        said(("ack", "rej"), t="act", k=f"{key.getrandbits(128):032x}", v=view["v"], a=view["choices"][0]["action"])
        hear(page, "view")

    yield "hello", client.Hello, lambda: sender.page(table, False).close()
    yield "ping", client.Ping, lambda: said(("pong",), t="ping", n=1)
    yield "hello again, and act", client.Act, act
    yield "why", client.Why, lambda: said(("why", "whynot", "rej"), t="why", k="0" * 32, touch=["x"])


def measured(server: Server, number: int, send: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of the server and of its workers for one."""
    send()
    own, theirs = seconds(server.process.pid), workers(server)
    for _ in range(number):
        send()
    return (seconds(server.process.pid) - own) / number * 1000, (workers(server) - theirs) / number * 1000


def show(what: str, own: float, theirs: float, units: int, share: str) -> None:
    print(f"{what:40} {own:10.2f} {theirs:10.2f} {units * UNIT * 1000:10.2f} {units:6} {share}", flush=True)


def main() -> None:
    asked = wished(__doc__, number=40)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors before")
    print(f"{'':40} {'server ms':>10} {'workers ms':>10} {'price ms':>10} {'units':>6} share")
    with ours() as server:
        sender = Sender(server)
        for method, path, send in requests(sender):
            own, theirs = measured(server, asked.number, send)
            price = price_of(method, path)
            show(f"{method} {path}", own, theirs, price.units, price.share)
        for name, kind, send in messages(sender):
            own, theirs = measured(server, asked.number, send)
            units = PRICES.get(kind, 1)
            show(name, own, theirs, units, "seat")


if __name__ == "__main__":
    main()
