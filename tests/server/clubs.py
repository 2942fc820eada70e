"""Small helpers of the tests about people: profiles, and games that end quickly."""

from __future__ import annotations

import asyncio
import secrets
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from hypothesis.stateful import RuleBasedStateMachine

from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.storage.sqlite import FILE, Store
from server.live import Live, Page
from waiting import wait_for


class OwnLoop:
    """A loop in a thread of its own, for services without a server: a browser's tests keep a loop running in this thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    def run(self, work: Any) -> Any:
        """What a coroutine returns."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


class StoreMachine(RuleBasedStateMachine):
    """A state machine over a store of its own, with a loop for what is asynchronous."""

    def __init__(self) -> None:
        super().__init__()
        self.folder, self.loop = TemporaryDirectory(), OwnLoop()
        self.store, self.boards = Store(Path(self.folder.name) / FILE), WorkerPool(1, 30.0)

    def run(self, work: Any) -> Any:
        """What a coroutine returns."""
        return self.loop.run(work)

    def teardown(self) -> None:
        self.store.close()
        self.boards.stop()
        self.loop.stop()
        self.folder.cleanup()


class Person:
    """Somebody with a profile, as a browser keeps it: a key. Whoever got this name in an earlier test gives it up."""

    earlier: ClassVar[list[Person]] = []

    def __init__(self, live: Live, name: str) -> None:
        self.live = live
        self.key = self.newest = secrets.token_urlsafe(32)  # newest: the key that opens the profile now
        wish = {"key": self.key, "name": name}
        made = live.http.post("/api/profile/save", json=wish)
        if made.status_code == 400:
            for other in (each for each in self.earlier if each.live.url == live.url):
                given = {"key": other.newest, "name": secrets.token_hex(8)}
                wait_for(lambda given=given: live.http.post("/api/profile/save", json=given).status_code == 200)
            made = live.http.post("/api/profile/save", json=wish)
        assert made.status_code == 200, made.text
        self.id = made.json()["id"]
        self.earlier.append(self)

    def ask(self, what: str = "", status: int = 200, **more: Any) -> dict[str, Any]:
        path = "/api/profile" + (f"/{what}" if what else "")
        answer = self.live.ask(path, {"key": self.key, **more}, status)
        if what == "key" and status == 200:
            self.newest = more["fresh"]
        return answer

    def sit(self, table: dict[str, Any], *seats: int, status: int = 200, **more: Any) -> dict[str, Any]:
        tokens = [table["tokens"][seat] for seat in seats]
        return self.ask("seats", status, table=table["table"], tokens=tokens, **more)


def new_table(live: Live, **more: Any) -> dict[str, Any]:
    """A table of two people at which chance is the server's, so its game may count for ratings."""
    body = {"game": "forty_bridges", "seats": [{"kind": "person"}, {"kind": "person"}], **more}
    return live.ask("/api/tables", body, 201)


def one_move(page: Page) -> int:
    """A page makes its first move; the version after it."""
    page.until(lambda view: view.get("choices"))
    page.send_act(page.view["choices"][0]["action"])
    return int(page.hear("ack")["v"])


def finished(live: Live, table: dict[str, Any], loser: int, moves: int = 2) -> None:
    """Some moves are made, each by a page of its seat, then a seat resigns; ends when the result is stored."""
    pages, version = [live.page(table, seat) for seat in range(len(table["tokens"]))], 0
    for _ in range(moves):
        actor = pages[0].until(lambda view, at=version: view["v"] >= at and view["actor"] >= 0)["actor"]
        version = one_move(pages[actor])
    for page in pages:
        page.socket.close()
    resigned(live, table, loser)
    wait_for(lambda: live.store.read("select 1 from result where game = ?", table["table"]))


def resigned(live: Live, table: dict[str, Any], loser: int) -> None:
    """A seat resigns, also while a computer moves on."""
    page = live.page(table, loser)
    ask = lambda: page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="resign")  # noqa: E731
    ask()
    while not page.view["outcome"]:
        if page.hear_any()["t"] == "rej":
            ask()
    page.socket.close()
