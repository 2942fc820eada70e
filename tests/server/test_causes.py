"""A full disk, a folder that cannot be written, a damaged file: a sentence names it and what to do, at the start and later."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import psycopg
import pytest

from bridgehead.core.phrases import languages, sentence
from bridgehead.server.storage.causes import CLOSED, DAMAGED, FULL, explain_failure
from bridgehead.server.storage.sqlite import FILE, StorageError, Store
from server.faults import Disk
from server.live import Live
from server.test_storage import Process
from server.test_stores import event, with_store
from waiting import PATIENCE

NOBODY = 65534  # a user without rights


@pytest.fixture
def disk() -> Iterator[Disk]:
    with Disk() as faulty:
        yield faulty


def refused(folder: Path, lang: str = "en") -> str:
    """What `bridgehead serve` says of a folder before it ends: one line."""
    command = [sys.executable, "-m", "bridgehead", "serve", "--no-browser", "--port", "0", "--data", str(folder)]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "LC_ALL": lang, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment)
    assert done.returncode == 2 and done.stderr.startswith("bridgehead: ") and done.stderr.count("\n") == 1, done
    return done.stderr


def test_a_full_disk_is_named_at_the_start(tmp_path: Path, disk: Disk) -> None:
    disk.room = 0
    with pytest.raises(StorageError, match="the disk is full. Make room on it"):
        Store(tmp_path / FILE)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs a small disk of its own")
@pytest.mark.parametrize("room", [0, 32_768])
def test_a_server_names_a_full_disk_before_it_serves_or_refuses(room: int, tmp_path: Path) -> None:
    """With no room at all SQLite cannot open the file; with room for its memory but no page, reading goes on."""
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(tmp_path)], capture_output=True).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        Store(tmp_path / FILE).close()
        (tmp_path / "spare").write_bytes(bytes(room))
        with (tmp_path / "ballast").open("wb", buffering=0) as file, pytest.raises(OSError, match="space"):
            while True:
                file.write(bytes(4096))
        (tmp_path / "spare").unlink()
        if not room:
            assert "the disk is full. Make room on it" in refused(tmp_path)
            return
        for kept in (True, False):
            running = Process(tmp_path)
            assert kept == ("the disk is full. Make room on it" in "".join(running.said)), running.said
            running.end(signal.SIGTERM)
            (tmp_path / "ballast").unlink(missing_ok=True)
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_full_disk_is_named_at_a_commit_to_the_host_and_to_who_asks(
    disk: Disk, own: Live, caplog: pytest.LogCaptureFixture
) -> None:
    table = own.table()
    page = own.page(table, 0, 1)
    disk.room = 0
    for _ in range(2):
        answer = own.http.post("/api/tables?lang=de", json={"game": "forty_bridges"})
        assert answer.status_code == 503 and "Die Festplatte ist voll. Schaff Platz" in answer.json()["error"]
        page.send_act(page.view["choices"][0]["action"])
        page.refused("storage")
    said = [record.getMessage() for record in caplog.records if "nothing can be stored" in record.getMessage()]
    assert len(said) == 1 and "the disk is full. Make room on it" in said[0], "once, not for each move"
    disk.room = None
    assert page.act(page.view["choices"][0]["text"])["v"] == 1, "and it goes on by itself"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs another user")
@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_cannot_be_written_is_named_at_the_start(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    Store(folder / FILE).close()
    for each in (*tmp_path.parents, tmp_path):
        if each.stat().st_uid == os.geteuid() and each.is_relative_to("/tmp/"):
            each.chmod(each.stat().st_mode | 0o055)
    folder.chmod(0o555 if kind == "folder" else 0o777)
    for file in folder.iterdir():
        file.chmod(0o666 if kind == "folder" else 0o444)
    os.seteuid(NOBODY)
    try:
        with pytest.raises(StorageError) as error:
            Store(folder / FILE)
    finally:
        os.seteuid(0)
    told = str(error.value)
    assert str(folder) in told and "it cannot be written" in told and "--data" in told, told


def harmed(folder: Path, *statements: str) -> Path:
    Store(folder / FILE).close()
    with contextlib.closing(apsw.Connection(str(folder / FILE))) as file:
        file.pragma("foreign_keys", False)
        for statement in statements:
            file.execute(statement)
    return folder


@pytest.mark.parametrize(
    ("statements", "lost"),
    [
        (("drop table event",), "no table event)"),
        (("alter table game drop column created",), "no table game, column created, key 0)"),
        (("drop index event_key",), "no table event, unique game,key)"),
        (("drop table profile", "create table profile (id text primary key, name text)"), "no table profile, "),
    ],
)
def test_a_file_that_lacks_a_part_is_refused_at_the_start_and_left_alone(
    statements: tuple[str, ...], lost: str, tmp_path: Path
) -> None:
    folder = harmed(tmp_path / "data", *statements)
    with pytest.raises(StorageError) as error:
        Store(folder / FILE)
    assert f"it is damaged ({lost}" in str(error.value) and "bridgehead restore" in str(error.value)
    with contextlib.closing(apsw.Connection(str(folder / FILE))) as file:
        assert len(file.execute("select 1 from sqlite_schema where name = 'event_key'").fetchall()) == ("table event" not in lost)


def test_the_start_says_in_one_line_and_every_language_what_to_do_about_damage(tmp_path: Path) -> None:
    folder = harmed(tmp_path / "data", "drop table event")
    assert "it is damaged (no table event)" in refused(folder) and "beschädigt" in refused(folder, "de")
    file = folder / FILE
    file.write_bytes(b"no database at all" * 1000)
    assert "it is damaged (" in refused(folder)
    assert file.read_bytes() == b"no database at all" * 1000


def test_a_table_that_vanishes_under_a_running_server_is_named_at_a_commit(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create("A", "body", [])
        with contextlib.closing(apsw.Connection(str(tmp_path / FILE))) as other:
            other.pragma("foreign_keys", False)
            other.execute("drop table event")
        with pytest.raises(StorageError, match="it is damaged .no such table.*bridgehead audit"):
            await store.append("A", [event(1)])
        with pytest.raises(StorageError, match="it is damaged .no such table"):
            store.events("A")

    with_store(tmp_path / FILE, work)


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), FULL), (OSError(errno.EDQUOT, "Quota"), FULL),
        (PermissionError(errno.EACCES, "Permission denied"), CLOSED), (OSError(errno.EROFS, "Read-only file system"), CLOSED),
        (apsw.FullError("database or disk is full"), ""), (psycopg.errors.DiskFull("full"), FULL),
        (psycopg.errors.ReadOnlySqlTransaction("read-only"), CLOSED), (psycopg.errors.UndefinedTable("event"), DAMAGED),
        (OSError("anything else"), ""), (RuntimeError(), ""),
    ],
)  # fmt: skip
def test_causes_are_known_by_their_codes_and_any_other_error_speaks_for_itself(error: Exception, key: str) -> None:
    found = explain_failure(error)
    assert all(sentence(found, language) for language in languages())
    assert found.key == key if key else not found.key.startswith("server:cause")
