"""Formats of the stored data: every older store opens and says what it said; a newer one is refused and nothing is touched."""

import contextlib
import hashlib
import inspect
import json
import lzma
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from bridgehead.core.errors import BridgeheadError
from bridgehead.fairness import proof
from bridgehead.server.storage import backup, event_log
from bridgehead.server.storage.audit import Audit
from bridgehead.server.storage.event_log import FORMAT, MEANING, Event, StorageError
from bridgehead.server.storage.postgres import KEPT, PostgresStore, psycopg
from bridgehead.server.storage.sqlite import FILE, Store, format_of
from bridgehead.server.tables import event_bodies, proposals
from bridgehead.server.tables.event_handlers import HANDLERS, SEALING
from bridgehead.server.tables.stored_seats import StoredTable
from server.golden import STORES, says
from server.live import Serve
from server.servers import Postgres
from server.test_stores import event, with_store

FORMATS = range(2, FORMAT + 1)  # a store of format 1, which has no sealed chance, is made in `test_hash_chain`
OLDEST, NEWEST = STORES[0], STORES[-1]


def unpack(kept: Path, folder: Path) -> dict[str, Any]:
    """Put a golden store into a folder; what it said when it was made."""
    told: dict[str, Any] = json.loads((kept / "says.json").read_text("utf-8"))
    (folder / FILE).write_bytes(lzma.decompress((kept / f"{FILE}.xz").read_bytes()))
    (folder / FILE).with_suffix(".key").write_bytes(bytes.fromhex(told["key"]))
    return told


def content(folder: Path) -> dict[str, Any]:
    """Every file of a folder: its bytes, and when it was changed."""
    return {
        str(file.relative_to(folder)): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_every_stored_format_has_a_golden_store() -> None:
    assert {json.loads((kept / "says.json").read_text("utf-8"))["format"] for kept in STORES} == set(FORMATS)


@pytest.mark.parametrize("kept", STORES, ids=lambda kept: f"{kept.parent.name}-{kept.name}")
def test_a_store_of_every_format_and_release_is_upgraded_and_says_what_it_said(kept: Path, tmp_path: Path) -> None:
    told, file = unpack(kept, tmp_path), tmp_path / FILE
    assert format_of(file) == told["format"]
    assert says(file) == told["tables"] and says(file) == told["tables"]
    assert format_of(file) == FORMAT
    with Audit(file) as audit:
        assert list(audit.damages()) == [] and audit.tables == len(told["tables"])


@pytest.mark.parametrize("kept", STORES, ids=lambda kept: f"{kept.parent.name}-{kept.name}")
def test_nobody_is_accused_of_cheating_by_an_upgrade_and_the_games_go_on(kept: Path, tmp_path: Path, serve: Serve) -> None:
    told = unpack(kept, tmp_path)
    own, verdicts = serve(), {}
    for name, table in told["tables"].items():
        if table["eras"] and table["actor"] == -2:
            found = proof.verify(proof.read(own.http.get(f"/api/tables/{name}/proof").content), proof.Observed())
            verdicts[name] = {each.verdict for each in found}
    assert verdicts and all("broken" not in each for each in verdicts.values()), verdicts
    for name, table in told["tables"].items():
        assert own.page({"table": name, "tokens": []}).view["v"] >= table["version"]
    assert own.page(own.table(), 0).act("a2-a3")["v"] == 1


def meaning() -> str:
    """A digest of what a log can hold: the structs of tables and bodies, columns and kinds of events, without descriptions."""
    bodies = [each for _, each in inspect.getmembers(event_bodies, inspect.isclass) if issubclass(each, msgspec.Struct)]
    _, schema = msgspec.json.schema_components([StoredTable, *bodies])
    kinds = {kind: SEALING[kind][0].__name__ if kind in SEALING else "" for kind in sorted(HANDLERS)}
    held = [_bare(schema), kinds, sorted(proposals.KINDS), Event._fields]
    return hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()[:16]


def _bare(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: _bare(each) for key, each in schema.items() if key not in ("description", "title")}
    return [_bare(each) for each in schema] if isinstance(schema, list) else schema


def test_what_a_log_can_hold_changes_only_with_the_number_of_the_format() -> None:
    """After a change: raise `FORMAT`, unless no release has stored this format yet; note the new digest beside it; and make a
    golden store (`tools/keep.py store`). A handler that reads the same event otherwise needs a new number, too."""
    assert meaning() == MEANING


def changed(folder: Path, hot: bool) -> None:
    """Make the store of a folder one of the next format. hot: its server was killed, so its newest rows are beside the file."""
    script = (
        "import apsw, os, sys; c = apsw.Connection(sys.argv[1]); c.pragma('journal_mode', 'wal');"
        "c.pragma('user_version', int(sys.argv[2]));"
        "c.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_FULL); c.execute('create table later (x)'); os._exit(0)"
    )
    if hot:
        subprocess.run([sys.executable, "-c", script, str(folder / FILE), str(FORMAT + 1)], check=True)
        assert (folder / f"{FILE}-wal").stat().st_size
        return
    with contextlib.closing(apsw.Connection(str(folder / FILE))) as file:
        file.pragma("user_version", FORMAT + 1)


@pytest.mark.parametrize("hot", [False, True])
def test_a_store_of_a_newer_release_is_refused_and_nothing_is_touched(hot: bool, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    unpack(NEWEST, folder)
    changed(folder, hot)
    before, file = content(folder), folder / FILE
    for use in (Store, Audit, backup.compact, lambda file: backup.save(tmp_path / "copy", folder), backup.check):
        with pytest.raises(BridgeheadError, match=f"newer release.*format {FORMAT + 1}"):
            use(file)
    command = [sys.executable, "-m", "bridgehead", "serve", "--port", "0", "--data", str(folder)]
    told = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"NUMBA_DISABLE_JIT": "1"})
    assert told.returncode and "newer release" in told.stderr and len(told.stderr.strip().splitlines()) == 1, told
    assert content(folder) == before
    assert not (tmp_path / "copy").exists()


def test_an_older_store_that_another_process_has_open_is_not_upgraded_under_it(tmp_path: Path) -> None:
    unpack(OLDEST, tmp_path)
    with contextlib.closing(apsw.Connection(str(tmp_path / FILE))) as older:
        older.pragma("journal_mode", "wal")
        older.execute("select count(*) from event").fetchall()
        with pytest.raises(StorageError, match="a server has these tables open"):
            Store(tmp_path / FILE)
    assert format_of(tmp_path / FILE) == 2
    Store(tmp_path / FILE).close()
    assert format_of(tmp_path / FILE) == FORMAT


def test_the_format_is_in_the_header_before_anything_is_stored(tmp_path: Path) -> None:
    async def work(store: Store) -> int:
        return format_of(store.file)  # type: ignore[arg-type]

    assert with_store(tmp_path / "log", work) == FORMAT


# A database


def older(postgres: Postgres, number: int) -> str:
    """The address of a database of that format with a table in it."""
    name = secrets.token_hex(8)
    url = postgres.database(name)

    async def fill(store: PostgresStore) -> None:
        await store.create("A", "body", [event(1)])

    with_store(url, fill)
    postgres.ask(name, f"update bridgehead set format = {number}")
    return name


@pytest.mark.wide
def test_a_database_of_an_older_release_is_upgraded_unless_that_release_is_connected(postgres: Postgres) -> None:
    name = older(postgres, 2)
    with psycopg.connect(postgres.url(name), application_name="bridgehead"):
        with pytest.raises(StorageError, match="older release are connected"):
            PostgresStore(postgres.url(name))
        assert postgres.ask(name, "select format from bridgehead") == [(2,)]
    stores = [PostgresStore(postgres.url(name)), PostgresStore(postgres.url(name))]
    assert postgres.ask(name, "select format from bridgehead") == [(FORMAT,)]
    for each in stores:
        assert each.events("A") == [event(1)]
        each.close()


@pytest.mark.wide
def test_a_database_of_a_newer_release_is_refused_and_nothing_is_touched(postgres: Postgres) -> None:
    name = older(postgres, FORMAT + 1)
    postgres.ask(name, "drop table code")  # which an older release would make again
    tables = "select relname, relfilenode, xmin::text from pg_class where relnamespace = 'public'::regnamespace order by 1"
    before = postgres.ask(name, tables)
    with pytest.raises(StorageError, match=f"newer release.*format {FORMAT + 1}"):
        PostgresStore(postgres.url(name))
    assert postgres.ask(name, tables) == before


@pytest.mark.wide
def test_a_worker_stops_writing_when_a_newer_release_has_upgraded_its_database(postgres: Postgres) -> None:
    name = older(postgres, FORMAT)

    async def work(store: PostgresStore) -> None:
        postgres.ask(name, f"update bridgehead set format = {FORMAT + 1}")
        postgres.hang_up(name)  # an upgrade waits until no older worker is connected
        with pytest.raises(StorageError, match="newer release"):
            await store.append("A", [event(2)])

    with_store(postgres.url(name), work)
    assert postgres.ask(name, "select max(version) from event") == [(1,)]
    assert KEPT["application_name"] == f"bridgehead {event_log.FORMAT}"
