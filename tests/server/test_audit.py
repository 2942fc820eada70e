"""Whatever is changed in a file of tables, the audit names it; nothing else is hurt by it, and a start says so."""

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import apsw
import pytest
from typer.testing import CliRunner

from bridgehead.cli import app
from bridgehead.core.errors import BridgeheadError
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.audit import Audit, AuditFinding
from bridgehead.server.storage.sqlite import COLUMNS, Event
from server.damaging import relink
from server.live import Live
from server.test_stores import event, with_store
from waiting import SOON, apart, wait_for

pytestmark = pytest.mark.wide
TABLES = 250  # they fill most of the file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Many tables with ten events each, checked in."""

    async def fill(store: Any) -> None:
        for n in range(TABLES):
            table = f"T{n:02}"
            await store.create(table, f"body of {table}", [])
            await store.append(
                table, hash_chain.chain_events(hash_chain.first_link(table, f"body of {table}"), [event(v) for v in range(1, 11)])
            )

    with_store(tmp_path / "log", fill)
    return tmp_path / "log"


def damages(file: Path) -> list[AuditFinding]:
    with Audit(file) as audit:
        return list(audit.damages())


def contents(file: Path) -> list[Any]:
    """All that a file says, or as far as it can be read."""
    try:
        with apsw.Connection(str(file)) as connection:
            tables = connection.execute("select id, body from game order by id").fetchall()
            return [*tables, *connection.execute(f"select game, {COLUMNS} from event order by game, version").fetchall()]
    except (apsw.Error, ValueError) as error:
        return [str(error)]


def test_a_whole_file_is_whole(file: Path) -> None:
    with Audit(file) as audit:
        assert list(audit.damages()) == [] and (audit.tables, audit.events) == (TABLES, 10 * TABLES)
    told = CliRunner().invoke(app, ["audit", "--no-fold", str(file)])
    assert told.exit_code == 0 and f"{TABLES} tables with {10 * TABLES:,} events are whole; 0 damages" in told.output


@pytest.mark.parametrize("column", Event._fields)
def test_a_changed_event_is_named(column: str, file: Path) -> None:
    new: Any = {"version": 99, "nonce": b"x" * 16, "link": b"x" * 32, "time": 1.25, "actor": 5, "action": 5}.get(column, "{}")
    with apsw.Connection(str(file)) as connection:
        connection.execute(f"update event set {column} = ? where game = 'T07' and version = 6", (new,))
    assert [(damage.table, damage.event) for damage in damages(file)] == [("T07", 6)]
    told = CliRunner().invoke(app, ["audit", "--no-fold", str(file)])
    assert told.exit_code == 1 and "table T07, event 6: this does not follow" in told.output


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("delete from event where game = 'T07' and version = 3", ("T07", 3)),
        ("update game set body = 'another body' where id = 'T07'", ("T07", 1)),
        ("pragma foreign_keys = off; delete from game where id = 'T07'", ("T07", 0)),
        ("update event set game = 'T08', version = 11, key = 'x' where game = 'T07' and version = 10", ("T08", 11)),
    ],
)
def test_what_is_taken_or_moved_is_named(change: str, named: tuple[str, int], file: Path) -> None:
    with apsw.Connection(str(file)) as connection:
        connection.execute(change)
    assert [(damage.table, damage.event) for damage in damages(file)] == [named]


def test_any_byte_that_is_flipped_is_noticed_or_changes_nothing(file: Path) -> None:
    lot, whole, before = random.Random(3), file.read_bytes(), contents(file)
    named = silent = 0
    for _ in range(300):
        data = bytearray(whole)
        place = lot.randrange(100, len(data))
        data[place] ^= 1 << lot.randrange(8)
        file.write_bytes(bytes(data))
        for beside in ("-wal", "-shm"):
            file.with_name(file.name + beside).unlink(missing_ok=True)
        try:
            found = damages(file)
        except BridgeheadError:
            found = [AuditFinding("", 0, "refused")]
        if not found:
            assert contents(file) == before, (place, set(contents(file)) ^ set(before))
            silent += 1  # a byte that nobody reads
        named += any(damage.table for damage in found)
    assert named > 100 and silent < 150, (named, silent)


def test_a_list_of_what_was_sealed_that_was_changed_is_told(tmp_path: Path, own: Live) -> None:
    for _ in range(3):
        wish = {"game": "barricade", "options": {"seats": 2}, "seats": [{"kind": "computer", "level": "random"}] * 2}
        assert own.http.post("/api/tables", json=wish).status_code == 201
    own.stop()
    assert damages(own.file) == []
    for change in ("root = substr(root, 2) || substr(root, 1, 1)", "n = n + 5", "gid = 'nonsense'"):
        copy = tmp_path / "copy.sqlite"
        copy.write_bytes(own.file.read_bytes())
        with apsw.Connection(str(copy)) as connection:
            connection.execute(f"update sealed set {change} where n = 2")
        assert [damage.what[:5] for damage in damages(copy)] == ["row 2"]


def test_a_file_that_is_none_of_ours_is_told(tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(b"this is no database" * 100)
    for name in ("noise", "nothing"):
        told = CliRunner().invoke(app, ["audit", str(tmp_path / name)])
        assert told.exit_code != 0 and isinstance(told.exception, BridgeheadError)
    assert not (tmp_path / "nothing").exists()


def test_an_audit_changes_nothing_in_the_file(file: Path) -> None:
    before = file.read_bytes()
    damages(file)
    assert file.read_bytes() == before


def test_a_start_says_which_tables_are_damaged_and_serves_the_others(caplog: pytest.LogCaptureFixture, own: Live) -> None:
    hurt, well = own.table(), own.table()
    for table in (hurt, well):
        own.page(table, 0, 1).act("a2-a3")
    own.stop()
    with apsw.Connection(str(own.file)) as connection:
        connection.execute("update event set action = action + 1 where game = ?", (hurt["table"],))
    own.start()
    wait_for(lambda: any("file of tables is damaged" in record.message for record in caplog.records))
    assert [record.table for record in caplog.records if hasattr(record, "table")] == [hurt["table"]]
    assert own.http.get(f"/t/{hurt['table']}").status_code == 400, "nothing comes before its first event"
    assert own.page(well, 0, 1).view["v"] == 1


def test_an_audit_plays_the_logs_by_the_rules(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    hurt, well, gone = own.table(), own.table("barricade", board="mini"), own.table()
    for table in (hurt, well, gone):
        page = own.page(table, 0, 1)
        for _ in range(3):
            page.act(page.view["choices"][0]["text"])
    own.stop()
    relink(own.file, hurt["table"], lambda event: event._replace(action=0) if event.version == 2 else event)
    with apsw.Connection(str(own.file)) as connection:
        body = str(connection.execute("select body from game where id = ?", (gone["table"],)).get)
        connection.execute("update game set body = ? where id = ?", (body.replace("forty_bridges", "no_game"), gone["table"]))
    relink(own.file, gone["table"], lambda event: event)
    monkeypatch.setattr("bridgehead.terminal.shows.PAUSE", 0.0)
    told = CliRunner().invoke(app, ["audit", str(own.file)])
    assert told.exit_code == 1 and "tables with" in told.stderr and "so far" in told.stderr
    assert f"table {hurt['table']}, event 2: nobody can play on from here: the rules do not allow it" in told.stdout
    assert f"table {gone['table']}: nobody can play on from here" in told.stdout and "no_game" in told.stdout
    assert "1 tables with" in told.stdout or "1 table with" in told.stdout
    told = CliRunner().invoke(app, ["audit", "--no-fold", str(own.file)])
    assert told.exit_code == 0 and "3 tables" in told.stdout, "their chains are whole"


def test_a_server_that_stops_does_not_wait_for_its_look_at_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bridgehead.server.storage import audit

    async def main() -> float:
        monkeypatch.setattr(Audit, "_logs", lambda self, tables: self._file.execute(endless).fetchall())
        endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) from n"
        task = asyncio.create_task(audit.audit_at_start(file))
        await asyncio.sleep(0.2)
        begun = time.monotonic()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return time.monotonic() - begun

    assert apart(main()) < SOON, "and that look never ends"
