"""The log: what was confirmed is in it, whatever happens; what was not is in it once or not at all."""

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.storage import sqlite as storage
from bridgehead.server.storage.sqlite import Event, StorageError, Store
from processes import children, wait_until_gone
from server.live import PATIENCE, Live, Page, Serve
from server.test_stores import event, with_store
from waiting import Stopwatch, least, wait_for


def test_what_waits_together_is_committed_together(tmp_path: Path) -> None:
    commits = []

    async def work(store: Store) -> None:
        await store.create("A", "body", [])
        store._writer.set_commit_hook(lambda: bool(commits.append(1)))
        await asyncio.gather(*(store.append("A", [event(v)]) for v in range(1, 501)))

    with_store(tmp_path / "log", work)
    assert len(commits) < 100


def test_the_file_is_written_through_to_the_disk(tmp_path: Path) -> None:
    async def work(store: Store) -> Any:
        return store._writer.pragma("synchronous"), store._writer.pragma("journal_mode")

    assert with_store(tmp_path / "log", work) == (2, "wal")


def test_a_full_disk_refuses_events_and_takes_them_again_when_there_is_room(tmp_path: Path) -> None:
    async def work(store: Store) -> tuple[int, list[Event]]:
        await store.create("A", "body", [])
        store._writer.pragma("max_page_count", store._writer.pragma("page_count") + 2)
        version = 0
        with pytest.raises(StorageError, match="full"):
            while version < 10_000:
                await store.append("A", [event(version + 1)])
                version += 1
        store._writer.pragma("max_page_count", 2**30)
        await store.append("A", [event(version + 1)])
        return version, store.events("A")

    version, events = with_store(tmp_path / "log", work)
    assert 0 < version < 10_000 and events == [event(v) for v in range(1, version + 2)]


def test_an_action_that_cannot_be_stored_has_not_happened(own: Live) -> None:
    table = own.table()
    page = own.page(table, 0)
    before = page.view
    own.store._writer.set_commit_hook(lambda: True)  # every commit fails
    page.send_act(page.action("a2-a3"))
    page.refused("storage")
    assert own.page(table, 0).view["items"] == before["items"]
    assert own.http.post("/api/tables", json={"game": "forty_bridges"}).status_code == 503
    own.store._writer.set_commit_hook(None)
    assert page.act("a2-a3")["v"] == 1


def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.2")
    with pytest.raises(StorageError, match="3.51.3"):
        Store(tmp_path / "log")
    assert storage.SAFE_SQLITE == (3, 51, 3)


def test_a_file_that_is_not_ours_is_refused_and_left_alone(tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(b"this is no database" * 1000)
    foreign = tmp_path / "foreign"
    with apsw.Connection(str(foreign)) as connection:
        connection.execute("create table theirs (x)")
    folder = tmp_path / "folder"
    folder.mkdir()
    for file in (noise, foreign, folder, noise / "log"):
        with pytest.raises(BridgeheadError) as refused:
            Store(file)
        assert str(file) in str(refused.value)
    assert noise.read_bytes().startswith(b"this is no database")


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_a_server_started_again_finds_the_game_as_it_was(game: str, own: Live) -> None:
    table = own.table(game)
    page = own.page(table, 0, 1)
    first = page.send_act(page.view["choices"][0]["action"])
    answer = page.hear("ack")
    page.hear("view")
    for turn in range(12):
        page.act(page.view["choices"][turn % len(page.view["choices"])]["text"])
        if page.view["undo"] and turn % 3 == 0:
            page.say(t="undo", k=secrets.token_hex(16), v=page.view["v"])
            page.hear("ack")
            page.hear("view")
    before = own.page(table, 0, 1).view
    own.restart()
    page = own.page(table, 0, 1)
    assert page.view == before
    page.say(t="act", k=first, v=0, a=10**9)
    page.refused("bad")
    assert own.app.state.tables._open[table["table"]].result().done[first].version == answer["v"]
    page.act(page.view["choices"][0]["text"])


def test_a_table_of_rules_that_are_not_installed_is_refused_and_the_others_go_on(own: Live) -> None:
    old, new = own.table(), own.table()
    own.stop()
    with apsw.Connection(str(own.file)) as file:
        file.execute("""update game set body = replace(body, '"rules":"1"', '"rules":"0"') where id = ?""", (old["table"],))
    own.start()
    page = Page(own.url)
    page.say(t="hello", p=1, table=old["table"], tokens=[], lang="en")
    assert page.closed() == 1008
    assert page.heard[0]["code"] == "game" and "rules 0" in page.heard[0]["text"]
    assert own.http.get(f"/api/tables/{old['table']}/record").status_code == 400
    assert own.page(new, 0).act("a2-a3")["v"] == 1


def test_tables_nobody_looks_at_leave_the_memory_and_are_found_again(own: Live) -> None:
    own.app.state.tables.most = 3
    watched = own.table()
    page = own.page(watched, 0)
    others = [own.table() for _ in range(5)]
    kept = own.app.state.tables._open
    assert len(kept) == 3 and watched["table"] in kept and others[0]["table"] not in kept
    assert own.page(others[0], 0).act("a2-a3")["v"] == 1
    assert page.act("a2-a3")["v"] == 1


def test_two_servers_over_one_file_never_lose_or_double_an_action(serve: Serve) -> None:
    one, other = serve(), serve()
    table = one.table()
    here, there = one.page(table, 0, 1), other.page(table, 0, 1)
    here.act("a2-a3")
    there.send_act(there.view["choices"][0]["action"])
    there.refused("stale")
    there.until(lambda view: view["v"] != 0)
    assert there.view["items"] == here.view["items"]
    there.act(there.view["choices"][0]["text"])
    assert [e.version for e in one.store.events(table["table"])] == [1, 2]
    one.stop()


class Process:
    """`bridgehead serve` in a process of its own, over a folder."""

    def __init__(self, folder: Path, port: int = 0, more: Sequence[str] = ()) -> None:
        command = [sys.executable, "-m", "bridgehead.cli", "serve", "--no-browser", "--port", str(port), "--data", str(folder)]
        command += more
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        self.said = []
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return
        raise AssertionError("".join(self.said))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def end(self, how: signal.Signals) -> tuple[float, int, str]:
        """Stop it. Returns the seconds until it was gone (of a `Stopwatch`), its exit status, and its last output."""
        stopwatch = Stopwatch(os.getpid(), self.process.pid)
        self.process.send_signal(how)
        assert self.process.stdout is not None
        rest = self.process.stdout.read()
        os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)  # its figures in /proc are there until `wait`
        return stopwatch.seconds(), self.process.wait(PATIENCE), rest


def made(url: str, game: str) -> dict[str, Any]:
    """A new table of a server in another process."""
    answer = httpx.post(
        f"{url}/api/tables", json={"game": game, "options": {"board": "mini", "seats": 2}, "seed": 5}, timeout=PATIENCE
    )
    return json.loads(answer.text)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_server_stops_within_a_second_and_leaves_nothing_behind(tmp_path: Path) -> None:
    def stopping() -> float:
        server = Process(tmp_path)
        table = made(server.url, "barricade")
        page = Page(server.url)
        page.say(t="hello", p=1, table=table["table"], tokens=table["tokens"], lang="en")
        page.hear("view")
        workers = children(server.process.pid)
        assert workers
        second = Process(tmp_path / "other", server.port)
        assert second.port != server.port, "a taken port is left to whoever has it"
        second.end(signal.SIGINT)
        took, status, said = server.end(signal.SIGTERM)
        assert status == 0 and "Traceback" not in said and "warn" not in said.lower(), said
        assert page.closed() == 1012
        wait_until_gone(workers)
        return took

    assert least(stopping, 2) < 2


@pytest.mark.skipif(not Path("/proc").exists(), reason="reads /proc")
def test_workers_end_with_a_server_that_was_killed(tmp_path: Path) -> None:
    server = Process(tmp_path)
    table = made(server.url, "barricade")
    assert table["table"]
    workers = wait_for(lambda: children(server.process.pid))
    server.end(signal.SIGKILL)
    wait_until_gone(workers)


def test_a_folder_that_cannot_be_used_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    command = [sys.executable, "-m", "bridgehead.cli", "serve", "--no-browser", "--port", "0", "--data", str(tmp_path / "file")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2 and done.stderr.startswith("bridgehead: ") and done.stderr.count("\n") == 1


def test_a_table_nobody_has_looked_at_for_minutes_leaves_the_memory(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    monkeypatch.setattr("bridgehead.server.tables.repository.REMEMBERED", 0.0)
    watched, left = own.table(), own.table()
    page = own.page(watched, 0)
    own.page(left, 0).socket.close()
    kept, begun = own.app.state.tables._open, time.monotonic()
    while left["table"] in kept:
        own.table()
        assert time.monotonic() - begun < PATIENCE
    assert watched["table"] in kept and page.act("a2-a3")["v"] == 1
    assert own.page(left, 0).act("a2-a3")["v"] == 1
