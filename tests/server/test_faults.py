"""A disk that is full, slow, or does not write through."""

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from bridgehead.server.storage import sqlite as storage
from bridgehead.server.storage.sqlite import StorageError, Store
from server.faults import Disk
from server.live import PATIENCE, Live, Page, Serve
from server.test_storage import made
from server.test_stores import event
from waiting import apart, wait_for

pytestmark = pytest.mark.wide
TESTS = Path(__file__).parents[1]


@pytest.fixture
def disk() -> Iterator[Disk]:
    with Disk() as faulty:
        yield faulty


def test_a_full_disk_refuses_changes_lets_read_says_so_and_needs_no_restart(disk: Disk, own: Live) -> None:
    table = own.table()
    page = own.page(table, 0, 1)
    assert page.act("a2-a3")["v"] == 1
    assert own.http.get("/readyz").status_code == 200
    disk.room = 0
    for _ in range(3):
        page.send_act(page.view["choices"][0]["action"])
        assert page.refused("storage")["v"] == 1
    assert own.page(table).view["v"] == 1 and own.http.get(f"/api/tables/{table['table']}/record").status_code == 200
    assert own.http.post("/api/tables", json={"game": "forty_bridges"}).status_code == 503
    assert own.http.get("/readyz").status_code == 503 and own.http.get("/healthz").status_code == 200
    disk.room = None
    assert own.http.get("/readyz").status_code == 200, "it tries again when it is asked"
    assert page.act(page.view["choices"][0]["text"])["v"] == 2


def test_a_slow_disk_makes_larger_commits_and_holds_nobody_up(disk: Disk, monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    tables = [own.table() for _ in range(12)]
    pages = [own.page(table, 0) for table in tables]
    append, asked, go_on, before = own.store.append, list[str](), threading.Event(), disk.syncs

    async def counted(table: str, *more: Any) -> None:
        asked.append(table)
        await append(table, *more)

    def stand_still() -> None:
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(own.store, "append", counted)
    disk.moment = stand_still
    with own.held_up() as heart:
        for page in pages:
            page.send_act(page.action("a2-a3"))
        assert own.http.get("/healthz").status_code == 200
        wait_for(lambda: len(asked) >= len(pages))
        go_on.set()
        for page in pages:
            assert page.hear("ack")["v"] == 1
    assert disk.syncs - before <= 6, "twelve changes, and not as many commits"
    assert heart.worst < 0.05


def test_a_disk_that_stands_still_is_told_and_only_so_much_waits_for_it(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridgehead.server.storage.group_commit.WAITING", 20)
    monkeypatch.setattr("bridgehead.server.http.metrics.PATIENCE", 0.2)

    async def main() -> tuple[list[BaseException | None], int]:
        store = Store(tmp_path / "log")
        for n in range(60):
            await store.create(f"T{n}", "body", [])
        busy, go_on = threading.Event(), threading.Event()

        def stand_still() -> None:
            busy.set()
            assert go_on.wait(PATIENCE)

        disk.moment = stand_still
        first = asyncio.create_task(store.append("T0", [event(1)]))
        while not busy.is_set():
            await asyncio.sleep(0.005)
        waiting = [asyncio.create_task(store.append(f"T{n}", [event(1)])) for n in range(1, 60)]
        await asyncio.sleep(0)  # all have been asked for
        go_on.set()
        rest = await asyncio.gather(*waiting, return_exceptions=True)
        await first
        stored = sum(len(store.events(f"T{n}")) for n in range(60))
        store.close()
        return list(rest), stored

    answers, stored = apart(main())
    refused = [each for each in answers if each is not None]
    assert len(refused) == 39 and all(isinstance(each, StorageError) for each in refused)
    assert stored == 60 - 39, "what was refused is not there, and what was not is"


def test_a_readiness_that_has_to_wait_for_the_disk_says_no(serve: Serve, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.http.metrics.PATIENCE", 0.1)
    own = serve()
    disk.room = 0
    assert own.http.post("/api/tables", json={"game": "forty_bridges"}).status_code == 503
    disk.room, disk.delay = None, 0.5
    assert own.http.get("/readyz").status_code == 503
    disk.delay = 0
    wait_for(lambda: own.http.get("/readyz").status_code == 200)


def test_after_a_write_through_that_failed_nothing_is_confirmed_any_more(tmp_path: Path, disk: Disk) -> None:
    async def main() -> tuple[str, int]:
        told: list[str] = []
        store = Store(tmp_path / "log")
        store.on_broken = lambda: told.append("broken")
        await store.create("A", "body", [event(1)])
        disk.broken = True
        with pytest.raises(StorageError):
            await store.append("A", [event(2)])
        disk.broken = False  # the disk says that all is well again: what it says now is worth nothing
        with pytest.raises(StorageError, match="write through"):
            await store.append("A", [event(2)])
        reason, stored = await store.trouble(), len(store.events("A"))
        assert told == ["broken"]
        store.close()
        return reason, stored

    reason, stored = apart(main())
    assert "write through" in reason and stored == 1


def test_a_check_in_that_is_not_written_through_is_noticed(tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        store = Store(tmp_path / "log")
        await store.create("A", "body", [])
        disk.broken = "log"  # the log's file; what is written ahead of it is synced
        await store.append("A", [event(1)])
        assert not store.broken
        monkeypatch.setattr(storage, "CHECKPOINT", 1)
        with contextlib.suppress(StorageError):  # the check-in may come before it
            await store.append("A", [event(2)])
        begun = time.monotonic()
        while not store.broken:
            assert time.monotonic() - begun < PATIENCE
            await asyncio.sleep(0.01)
        disk.broken = False
        store.close()

    apart(main())


BREAKING = """
import sys, threading, time
from pathlib import Path
from server.faults import Disk
from bridgehead.server.run import run
from bridgehead.core.errors import BridgeheadError
disk = Disk().__enter__()
def wait():
    while not Path(sys.argv[1], "break").exists():
        time.sleep(0.01)
    disk.broken = True
    Path(sys.argv[1], "break").unlink()
threading.Thread(target=wait, daemon=True).start()
try:
    run("127.0.0.1", 0, Path(sys.argv[1]), False)
except BridgeheadError as error:
    print(error)
    sys.exit(2)
"""


def test_the_server_stops_when_the_disk_does_not_write_through_and_a_new_start_has_all(tmp_path: Path, serve: Serve) -> None:
    path = {"PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, sys.path)])}
    server = subprocess.Popen(
        [sys.executable, "-c", BREAKING, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=os.environ | path
    )
    assert server.stdout is not None
    url = next(found[0] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
    table = made(url, "barricade")
    page = Page(url)
    page.say(t="hello", p=1, table=table["table"], tokens=table["tokens"], lang="en")
    page.hear("view")
    page.act(page.view["choices"][0]["text"])
    before = page.view["v"]
    (tmp_path / "break").touch()
    wait_for(lambda: not (tmp_path / "break").exists())
    action = page.view["choices"][0]["action"]
    key = page.send_act(action)
    assert page.closed() == 1012, "so that pages come back by themselves"
    assert not any(message["t"] == "ack" and message["k"] == key for message in page.heard)
    said, _ = server.communicate(timeout=PATIENCE)
    assert server.returncode == 2 and "does not write through" in said
    own = serve()
    page = own.page(table, 0, 1)
    there = page.view["v"]
    page.send_act(action, key=key, version=before)  # as a page does that comes back without an answer
    assert page.hear("ack")["v"] == there or there == before, "it is there once or not at all"
    keys = [each.key for each in own.store.events(table["table"])]
    assert keys.count(key) == 1 and len(keys) > before


def test_only_the_writer_checks_the_log_in(tmp_path: Path) -> None:
    store = Store(tmp_path / "log")
    assert store._reader.pragma("wal_autocheckpoint") == 0
    store.close()
    assert apsw.Connection(str(tmp_path / "log")).pragma("journal_mode") == "wal"
