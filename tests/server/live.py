"""A real server on a free port, and small clients that speak the protocol with it."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import secrets
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from bridgehead.client import patch_items
from bridgehead.server.app import build
from bridgehead.server.cluster.peers import ClusterPeers
from bridgehead.server.connections.mail import Mailer
from bridgehead.server.connections.network import LocalNetwork
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.run import _listen, make_server
from bridgehead.server.storage.sqlite import Store
from server.spoken import is_in_protocol
from waiting import PATIENCE, Stopwatch, wait_for

PEOPLE = [{"kind": "person"}, {"kind": "person"}]
ROOMY = Limits(
    seat=100_000, watcher=100_000, sockets=10_000, tables=10_000, films=10_000, mine=10_000, boards=10_000, effort=10_000_000,
    complaints=10_000, answer=PATIENCE, silent=10_000, regret=0, costly=10**9, disk=1 << 50, at_once=10_000, traffic=1 << 50,
)  # fmt: skip


class Live:
    """A server over a folder, in a thread of this process."""

    def __init__(
        self,
        folder: Path,
        limits: Limits = ROOMY,
        bots: ComputerPlayers | None = None,
        network: LocalNetwork | None = None,
        store: Any = None,
        others: ClusterPeers | None = None,
        hooks: Webhooks | None = None,
        mail: Mailer | None = None,
        host_key: str = "",
    ) -> None:
        self.file = folder / "bridgehead.sqlite"
        more = {"limits": limits, "webhooks": hooks, "peers": others, "mailer": mail, "host_key": host_key}
        self._given = store, bots, network, more
        self.start()

    def start(self) -> None:
        """Serve the folder, again after `stop`."""
        store, bots, network, more = self._given
        self.store = store or Store(self.file)
        self.bots = bots or computers()
        network = network or LocalNetwork()
        self.app = build(self.store, self.bots, network, **more)  # type: ignore[arg-type]
        listener = _listen("127.0.0.1", 0)
        network.port = listener.getsockname()[1]
        self.host = f"127.0.0.1:{network.port}"
        self.url = f"http://{self.host}"
        self.server = make_server(self.app, network)
        self.thread = threading.Thread(target=lambda: asyncio.run(self._serve(listener)), daemon=True)
        self.thread.start()
        self.http = httpx.Client(base_url=self.url, timeout=PATIENCE)
        wait_for(lambda: self.server.started or not self.thread.is_alive())
        assert self.server.started

    def restart(self) -> None:
        """Stop it, and serve the folder again."""
        self.stop()
        self.start()

    async def _serve(self, listener: socket.socket) -> None:
        self.loop = asyncio.get_running_loop()
        await self.server.serve([listener])

    def held_up(self) -> HeldUp:
        """`with live.held_up() as heart:` measures for how long the server's loop cannot do anything else."""
        return HeldUp(self.loop)

    def raw(self, sent: bytes, **options: Any) -> socket.socket:
        """A connection to it on which these bytes have been sent."""
        connection = socket.create_connection(("127.0.0.1", int(self.host.split(":")[1])), PATIENCE, **options)
        connection.sendall(sent)
        return connection

    def stop(self) -> float:
        """Stop it, if it runs. Returns the seconds that this took, of a `Stopwatch`."""
        self.http.close()
        stopwatch = Stopwatch(os.getpid())
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), self.doing()
        return stopwatch.seconds()

    def doing(self) -> str:
        """The tasks of the server's loop, and where each thread of this process is."""
        tasks = [str(task) for task in asyncio.all_tasks(self.loop)]
        names = {each.ident: each.name for each in threading.enumerate()}
        frames = sys._current_frames().items()
        threads = [f"{names.get(number)}:\n{''.join(traceback.format_stack(frame))}" for number, frame in frames]
        return "\n".join(["still at work", *tasks, *threads])

    def ask(self, path: str, body: Any = None, status: int = 200, **more: Any) -> dict[str, Any]:
        """The answer to a request, which has to have this status. It is a POST if there is a body. more: of the request."""
        answer = self.http.get(path, **more) if body is None else self.http.post(path, json=body, **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    def table(self, game: str = "forty_bridges", seats: list[dict[str, Any]] | None = None, **options: Any) -> dict[str, Any]:
        """A new table."""
        body = {"game": game, "options": options, "seats": PEOPLE if seats is None else seats, "seed": 1}
        return self.ask("/api/tables", body, 201)

    def page(self, table: dict[str, Any], *seats: int, lang: str = "en", host: bool = False, **wish: bool) -> Page:
        """Somebody at a table who holds these seats (and the host's token), after the first view. wish: `plain`, `brief`."""
        page, tokens = Page(self.url), [table["tokens"][seat] for seat in seats]
        more = {"host": table["host"]} if host else {}
        page.say(t="hello", p=1, table=table["table"], tokens=tokens, lang=lang, **wish, **more)
        page.hear("view")
        return page


def computers(**settings: Any) -> ComputerPlayers:
    """Computer players that answer at once, and may take long for it on a busy machine."""
    return ComputerPlayers(**{"pace": 0, "deadline": PATIENCE, **settings})


Serve = Callable[..., Live]  # the fixture `serve`


class HeldUp:
    """A heart that beats in a server's loop; `worst` is the longest pause between two beats.

    Paused time is counted in seconds of work of this whole process, so that other processes do not matter: what holds
    the loop up here, in its own thread or in another that does not let go, works.
    """

    BEAT = 0.002

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.worst = 0.0

    async def _beat(self) -> None:
        before = time.process_time()
        while True:
            await asyncio.sleep(self.BEAT)
            now = time.process_time()
            self.worst, before = max(self.worst, now - before), now

    def __enter__(self) -> HeldUp:
        gc.collect()
        gc.freeze()  # what the tests before have left is no work of the server's
        self.task = asyncio.run_coroutine_threadsafe(self._beat(), self.loop)
        return self

    def __exit__(self, *_: object) -> None:
        self.task.cancel()


class Page:
    """What a page does: it says and hears messages. `view` is the last one heard."""

    def __init__(self, url: str, path: str = "/ws", **headers: Any) -> None:
        # A browser reads, and answers pings, whether or not its page looks at the messages: so does a queue without a limit.
        at = url.replace("http", "ws", 1) + path
        opening = connect(at, open_timeout=PATIENCE, ping_interval=None, max_queue=None, **headers)
        self.socket: ClientConnection = opening.__enter__()
        self.view: dict[str, Any] = {}
        self.people: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of that kind; those before it are kept in `heard`."""
        while (message := self.hear_any())["t"] != kind:
            pass
        return message

    def until(self, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first view of which that is true: the last one heard, or one that comes."""
        while not true(self.view):
            self.hear("view")
        return self.view

    def hear_any(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = is_in_protocol("ServerMessage", json.loads(self.socket.recv(PATIENCE)))
        self.heard.append(message)
        if message["t"] == "view":
            message["items"] = patch_items(self.view.get("items", []), message)
            self.view = message
        if message["t"] == "people":
            self.people = message
        return message

    def closed(self) -> int:
        """The code the server closes with; what it says before is kept in `heard`."""
        try:
            while True:
                self.heard.append(is_in_protocol("ServerMessage", json.loads(self.socket.recv(PATIENCE))))
        except ConnectionClosed:
            return self.socket.protocol.close_code or 0

    def action(self, text: str) -> int:
        """The id of a legal action by its notation."""
        return next(int(choice["action"]) for choice in self.view["choices"] if choice["text"] == text)

    def send_act(self, action: int, key: str = "", version: int | None = None) -> str:
        key = key or secrets.token_hex(16)
        self.say(t="act", k=key, v=self.view["v"] if version is None else version, a=action)
        return key

    def act(self, text: str) -> dict[str, Any]:
        """Play an action and hear of it; the view after it."""
        self.send_act(self.action(text))
        self.hear("ack")
        return self.hear("view")

    def refused(self, code: str) -> dict[str, Any]:
        """The refusal that comes next, which has to have this code."""
        message = self.hear("rej")
        assert message["code"] == code, message
        return message
