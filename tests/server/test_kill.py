"""kill -9, again and again, while people play: what was confirmed is there, once, in order."""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.sqlite import Store
from server.live import PATIENCE, Page
from server.test_storage import made
from waiting import wait_for

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="servers are forked, so that many can start"),
]

# A process that has read all the code, and makes servers of itself: each is there at once, and dies alone.
NURSERY = """
import os, sys
from pathlib import Path
from bridgehead.server import app
from bridgehead.server.storage import sqlite
from bridgehead.server.tables import repository
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.run import run
from waiting import wait_for
ComputerPlayers.start = lambda self: None  # nobody plays against a computer here
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        sys.stdin = open(os.devnull)
        os.dup2(2, 1)
        sys.stdout = open(line.strip(), "w")
        run("127.0.0.1", 0, Path(sys.argv[1]), False)
        os._exit(0)
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


class Nursery:
    """Servers over one folder, one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number = folder, 0
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([sys.executable, "-c", NURSERY, str(folder)], text=True, env=env, **pipes)  # type: ignore[call-overload]

    def start(self) -> str:
        """Start a server; its address, as soon as it listens."""
        self.number += 1
        said = self.folder / f"said{self.number}"
        self.process.stdin.write(f"{said}\n")
        self.process.stdin.flush()
        self.pid = int(self.process.stdout.readline())
        wait_for(lambda: said.exists() and re.search(r"http://.*\n", said.read_text()))
        return "http://" + said.read_text().partition("http://")[2].split()[0]

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        assert self.process.stdout.readline() == "gone\n"

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(PATIENCE)


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    running = Nursery(tmp_path)
    yield running
    with contextlib.suppress(OSError, AttributeError):
        os.kill(running.pid, signal.SIGKILL)
    running.close()


class Player:
    """Plays at a table at random until the server is gone, and sends what was not answered again with its key."""

    def __init__(self, table: dict[str, Any], seed: int) -> None:
        self.table, self.lot = table, random.Random(seed)
        self.confirmed: list[tuple[str, int, int]] = []
        self.open: tuple[str, int, int] | None = None  # sent, and not answered
        self.answered_late = 0
        self.wrong: list[dict[str, Any]] = []
        self.over = False

    def play(self, url: str) -> None:
        with contextlib.suppress(ConnectionClosed, OSError, TimeoutError):
            page = Page(url)
            page.say(t="hello", p=1, table=self.table["table"], tokens=self.table["tokens"], lang="en")
            page.hear("view")
            if self.open is not None:
                key, action, version = self.open
                page.send_act(action, key, version)
                self._hear(page)
                self.answered_late += 1
            while not page.view["outcome"] and not self.wrong:
                action = self.lot.choice(page.view["choices"])["action"]
                self.open = ("%032x" % self.lot.getrandbits(128), action, page.view["v"])  # noqa: UP031
                page.send_act(action, *self.open[::2])
                self._hear(page)
            self.over = bool(page.view["outcome"])

    def _hear(self, page: Page) -> None:
        assert self.open is not None
        while (told := page.hear_any())["t"] not in ("ack", "rej"):
            pass
        if told["t"] == "rej" or told["k"] != self.open[0]:
            self.wrong.append(told)
            return
        self.confirmed.append((self.open[0], self.open[1], told["v"]))
        self.open = None
        page.until(lambda view: view["v"] >= told["v"])


def shown(nursery: Nursery, cycles: int, moves: int) -> None:
    """Kill the server so many times, each time after so many moves more."""
    players: list[Player] = []
    for cycle in range(cycles):
        url = nursery.start()
        running = [player for player in players if not player.over]
        fresh = [Player(made(url, "barricade"), 100 * cycle + n) for n in range(4 - len(running))]
        players += fresh
        playing = [threading.Thread(target=player.play, args=(url,)) for player in running + fresh]
        for thread in playing:
            thread.start()
        while sum(len(player.confirmed) for player in players) < moves * (cycle + 1) and any(t.is_alive() for t in playing):
            time.sleep(0.002)
        nursery.kill()
        for thread in playing:
            thread.join(PATIENCE)
            assert not thread.is_alive()
    store = Store(nursery.folder / "bridgehead.sqlite")
    for player in players:
        table = player.table["table"]
        events = store.events(table)
        stored = {event.key: event for event in events}
        assert (
            len(stored) == len(events)
            and hash_chain.find_broken_link(hash_chain.first_link(table, store.body(table) or ""), events) is None
        )
        assert all(key in stored and stored[key].action == action for key, action, _ in player.confirmed)
        assert player.wrong == []
        ours = [event for event in events if event.by == "person"]
        assert len(ours) - len(player.confirmed) in (0, 1), "one may be there that was not answered"
    store.close()
    assert sum(len(player.confirmed) for player in players) >= moves * cycles * 0.9
    assert any(player.answered_late for player in players), "some kills fell between a move and its answer"


def test_twenty_kills_under_load_lose_nothing_that_was_confirmed(nursery: Nursery) -> None:
    shown(nursery, 20, 40)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_thousand_kills_under_load_lose_nothing(nursery: Nursery) -> None:
    shown(nursery, 1000, 15)


def test_an_action_sent_before_the_kill_is_there_once_or_not_at_all(nursery: Nursery) -> None:
    url = nursery.start()
    table = made(url, "barricade")
    page = Page(url)
    page.say(t="hello", p=1, table=table["table"], tokens=table["tokens"], lang="en")
    page.hear("view")
    action, version = page.view["choices"][0]["action"], page.view["v"]
    key = page.send_act(action)
    nursery.kill()
    page.closed()
    page = Page(nursery.start())
    page.say(t="hello", p=1, table=table["table"], tokens=table["tokens"], lang="en")
    page.hear("view")
    for _ in range(2):
        page.send_act(action, key, version)
        assert page.hear("ack")["v"] > version
    nursery.kill()
    try:
        store = Store(nursery.folder / "bridgehead.sqlite")
        assert [event.key for event in store.events(table["table"])].count(key) == 1
        store.close()
    except BridgeheadError as error:
        raise AssertionError(error) from error
