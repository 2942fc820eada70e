"""Faults of the disk, the file and the clock: what was confirmed stays, what was not has not happened, and others play on."""

import asyncio
import gc
import os
import secrets
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import apsw
import pytest

from bridgehead.core import registry
from bridgehead.server.storage.sqlite import Event, StorageError, Store
from bridgehead.server.tables import repository
from bridgehead.server.tables import table as one_table
from server.live import PATIENCE, PEOPLE, Live, Page, Serve, computers
from server.test_stores import event, with_store
from waiting import apart, wait_for

pytestmark = pytest.mark.wide
HELLO: dict[str, Any] = {"t": "hello", "p": 1, "tokens": [], "lang": "en"}


def test_a_value_that_cannot_be_stored_spoils_no_other_and_the_writer_lives_on(tmp_path: Path) -> None:
    async def work(store: Store) -> tuple[list[Any], list[Event]]:
        await store.create("A", "body", [])
        odd = [event(1)._replace(key="\ud800"), event(1)._replace(action=2**70), event(1)._replace(time=[])]
        jobs = [store.append("A", [each]) for each in odd]
        results = await asyncio.gather(*jobs, store.append("A", [event(1)]), return_exceptions=True)
        await store.append("A", [event(2)])
        return list(results), store.events("A")

    results, events = with_store(tmp_path / "log", work)
    assert [type(each) for each in results] == [StorageError] * 3 + [type(None)]
    assert events == [event(1), event(2)]


def test_whatever_fails_in_the_writer_is_told_and_the_writer_lives_on(tmp_path: Path) -> None:
    async def work(store: Store) -> list[Event]:
        await store.create("A", "body", [])

        class Fails(list[Event]):
            def __iter__(self) -> Any:
                raise RuntimeError("nobody thought of this")

        with pytest.raises(StorageError, match="nobody thought"):
            await store.append("A", Fails())
        await store.append("A", [event(1)])
        return store.events("A")

    assert with_store(tmp_path / "log", work) == [event(1)]


def test_a_closed_log_says_so_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    async def main() -> None:
        store = Store(tmp_path / "log")
        store.close()
        with pytest.raises(StorageError, match="closing"):
            await asyncio.wait_for(store.append("A", [event(1)]), PATIENCE)
        with pytest.raises(StorageError):
            store.events("A")

    apart(main())


@pytest.mark.skipif(os.name != "posix", reason="rights of files")
def test_the_log_is_for_its_owners_eyes(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        own = Live(tmp_path)
        own.table()
        shown = [path for path in tmp_path.iterdir() if stat.S_IMODE(path.stat().st_mode) & 0o077]
        own.stop()
    finally:
        os.umask(before)
    assert own.file.exists() and shown == []


def fill_files(live: Live) -> None:
    """Make tables until one is refused. Files have room at first, and again when the database has written its log back."""
    while live.http.post("/api/tables", json={"game": "forty_bridges"}).status_code != 503:
        pass


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs a small disk of its own")
def test_a_disk_that_is_full_refuses_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)], capture_output=True).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        own = Live(disk)
        table = own.table()
        page = own.page(table, 0, 1)
        ballast = disk / "ballast"
        with ballast.open("wb", buffering=0) as file, pytest.raises(OSError, match="space"):
            while True:
                file.write(bytes(4096))
        fill_files(own)
        while not any(message["t"] == "rej" for message in page.heard):
            page.send_act(page.view["choices"][0]["action"])
            while (answer := page.hear_any())["t"] not in ("ack", "rej"):
                pass
            if answer["t"] == "ack":
                page.hear("view")
        version = page.view["v"]
        assert page.heard[-1]["code"] == "storage" and own.page(table).view["v"] == version
        fill_files(own)
        ballast.unlink()
        assert page.act(page.view["choices"][0]["text"])["v"] == version + 1
        own.stop()
        own = Live(disk)
        assert own.page(table).view["v"] == version + 1
        own.stop()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_log_that_another_process_locks_is_waited_for_beside_the_tables(own: Live) -> None:
    asleep = own.table()
    own.restart()
    playing = own.page(own.table(), 0)
    for connection in (own.store._reader, own.store._writer):
        while True:
            try:
                connection.set_busy_timeout(500)
                break
            except apsw.ThreadingViolationError:  # its thread is at work with it
                time.sleep(0.005)
    other = apsw.Connection(str(own.file))
    other.execute("begin immediate")
    playing.send_act(playing.action("a2-a3"))
    with own.held_up() as heart:
        assert own.http.get("/healthz").status_code == 200
        playing.refused("storage")
    assert heart.worst < 0.05
    assert own.page(asleep, 0).view["v"] == 0, "reading goes on"
    other.execute("rollback")
    assert playing.act("a2-a3")["v"] == 1
    other.close()


def test_a_log_that_cannot_be_read_now_is_asked_for_again_later(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    table = own.table()
    own.restart()

    def fails(*_: object) -> None:
        raise StorageError("the log cannot be read: disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(own.store, "events", fails)
        page = Page(own.url)
        page.say(**HELLO | {"table": table["table"]})
        assert page.closed() == 1013 and page.heard == [], "no bye: the page comes back by itself"
        assert own.http.get(f"/t/{table['table']}").status_code == 503
    assert own.page(table, 0).act("a2-a3")["v"] == 1


def damaged(own: Live, damage: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table with some moves and one without; the first is then changed in the file by a statement."""
    hurt, well = own.table("barricade", board="mini"), own.table()
    page = own.page(hurt, 0, 1)
    for _ in range(3):
        page.act(page.view["choices"][0]["text"])
    own.stop()
    with apsw.Connection(str(own.file)) as file:
        file.execute(damage, (hurt["table"],))
        assert file.changes() == 1
    file.close()
    own.start()
    return hurt, well


@pytest.mark.parametrize(
    "damage",
    [
        "update game set body = '{' where id = ?", "update game set body = '{}' where id = ?",
        "delete from event where version = 1 and game = ?", "update event set kind = 'undo' where version = 1 and game = ?",
        "update game set body = replace(body, '\"seats\":2', '\"seats\":99') where id = ?",
    ],
)  # fmt: skip
def test_a_table_of_which_nothing_can_be_read_is_refused_in_words_and_the_others_go_on(damage: str, own: Live) -> None:
    hurt, well = damaged(own, damage)
    for _ in range(2):
        stranger = Page(own.url)
        stranger.say(**HELLO | {"table": hurt["table"]})
        assert stranger.closed() == 1008
        assert stranger.heard[0]["code"] == "game" and "damaged" in stranger.heard[0]["text"]
        assert hurt["table"] in stranger.heard[0]["text"]
    assert own.http.get(f"/t/{hurt['table']}").status_code == 400
    assert own.page(well, 0).act("a2-a3")["v"] == 1


@pytest.mark.parametrize(
    ("damage", "at", "why"),
    [
        ("delete from event where version = 2 and game = ?", 2, "it is missing"),
        ("update event set version = 99 where version = (select max(version) from event) and game = ?", 0, "it is missing"),
        ("update event set action = 999999 where version = 2 and game = ?", 2, "it does not follow"),
        ("update event set kind = 'odd' where version = 3 and game = ?", 3, "it does not follow"),
    ],
)
def test_a_damaged_table_shows_what_was_before_and_says_where_and_why(damage: str, at: int, why: str, own: Live) -> None:
    hurt, well = damaged(own, damage)
    at = at or len(own.store.events(hurt["table"]))
    page, host = own.page(hurt, 0, 1, lang="de"), own.page(hurt, host=True)
    assert page.view["v"] == host.view["v"] == at - 1
    assert f"event {at}" in host.view["paused"] and why in host.view["paused"] and f"Ereignis {at}" in page.view["paused"]
    host.hear("people")
    assert f"event {at}" in host.people["marks"][-1]["text"] and "choices" not in page.view and page.view["may"] == []
    assert all(seat["may"] == [] for seat in host.people["seats"])
    key = "7" * 32
    for message in (
        {"t": "act", "k": key, "v": at - 1, "a": 0}, {"t": "undo", "k": key, "v": at - 1},
        {"t": "ask", "k": key, "v": at - 1, "what": "pause"}, {"t": "seat", "k": key, "seat": 0, "do": "leave"},
        {"t": "hint", "k": key, "v": at - 1}, {"t": "rematch", "k": key},
    ):  # fmt: skip
        page.say(**message)
        page.refused("closed")
    host.say(t="house", k=key, chat=False)
    assert why in host.refused("closed")["text"]
    assert own.http.get(f"/t/{hurt['table']}").status_code == 200
    assert f"event {at}" in own.http.get(f"/api/tables/{hurt['table']}/record").text
    assert own.page(well, 0).act("a2-a3")["v"] == 1


def test_a_torn_page_of_the_file_hurts_the_tables_on_it_and_no_others(own: Live) -> None:
    made = [own.table() for _ in range(60)]
    own.stop()
    with apsw.Connection(str(own.file)) as file:
        file.execute("pragma wal_checkpoint(truncate)").fetchall()
        size = file.pragma("page_size")
    file.close()
    data = bytearray(own.file.read_bytes())
    pages = range(3, len(data) // size)
    page = next(n for n in pages if any(each["table"].encode() in data[n * size : (n + 1) * size] for each in made))
    data[page * size : page * size + 200] = b"\xff" * 200
    own.file.write_bytes(bytes(data))
    own.start()
    status = {each["table"]: own.http.get(f"/t/{each['table']}").status_code for each in made}
    assert 503 in status.values() or 400 in status.values()
    assert set(status.values()) <= {200, 400, 404, 503}
    new = own.http.post("/api/tables", json={"game": "forty_bridges"})
    assert new.status_code in (201, 503) and own.http.get("/healthz").status_code == 200


def test_an_action_that_another_server_has_stored_is_not_done_twice(serve: Serve) -> None:
    one, other = serve(), serve()
    table = one.table()
    here, there = one.page(table, 0, 1), other.page(table, 0, 1)
    action, key = here.action("a2-a3"), secrets.token_hex(16)
    here.send_act(action, key=key)
    first = here.hear("ack")
    there.send_act(action, key=key, version=0)  # the page has changed servers, and does not know that it was heard
    assert there.hear("ack") == first
    there.say(t="undo", k=key, v=0)
    there.refused("bad")
    assert [each.key for each in one.store.events(table["table"])] == [key]
    there.act(there.view["choices"][0]["text"])
    one.stop()


def test_a_clock_that_jumps_changes_nothing(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    table = own.table()
    page = own.page(table, 0, 1)
    there = own.app.state.manager.rooms[table["table"]].table
    for jump in (-1e9, 0.0, 4e9, -5.0):
        with monkeypatch.context() as patch:
            patch.setattr(there, "wall", lambda jump=jump: jump)
            patch.setattr("bridgehead.server.storage.sqlite.time.time", lambda jump=jump: jump)
            page.act(page.view["choices"][0]["text"])
            assert own.store.events(there.id)[-1].time == jump
            assert own.http.post("/api/tables", json={"game": "forty_bridges"}).status_code == 201
    own.restart()
    assert own.page(table, 0, 1).view["v"] == 4


def test_a_commit_under_way_when_the_server_stops_is_finished(own: Live) -> None:
    table = own.table()
    page = own.page(table, 0)
    under_way = threading.Event()

    def commit() -> bool:
        under_way.set()
        return not wait_for(lambda: own.server.should_exit)

    own.store._writer.set_commit_hook(commit)
    page.send_act(page.action("a2-a3"))
    assert under_way.wait(PATIENCE)
    own.restart()
    stored = own.page(table, 0).view["v"]
    page.closed()
    assert stored == 1 or not any(message["t"] == "ack" for message in page.heard)
    assert len(own.store.events(table["table"])) == stored


def test_a_full_table_says_so_and_its_computer_stops_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(one_table, "MOST_EVENTS", 1)
    own = Live(tmp_path, bots=computers())
    table = own.table(seats=[PEOPLE[0], {"kind": "computer", "level": "random"}])
    page = own.page(table, 0)
    page.act("a2-a3")
    manager = own.app.state.manager
    wait_for(lambda: manager.rooms[table["table"]] not in manager.computer_turns.thinking)
    gc.collect()
    assert own.page(table).view["v"] == 1
    own.stop()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_large_tables_nobody_looks_at_leave_the_memory_first(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    made = [own.table() for _ in range(4)]
    kept = own.app.state.tables._open
    weight = kept[made[0]["table"]].result().weight
    assert weight > registry.game("forty_bridges").dtype.itemsize
    monkeypatch.setattr(repository, "HELD", 2 * weight)
    watched = own.page(made[3], 0)
    own.table()
    assert made[0]["table"] not in kept and made[3]["table"] in kept
    assert sum(each.result().weight for each in kept.values() if not each.result().attendance.crowd) <= 2 * weight
    assert watched.act("a2-a3")["v"] == 1
