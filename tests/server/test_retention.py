"""What nobody has played goes after some days; what was played or finished stays, and every chain stays whole."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest
from typer.testing import CliRunner

from bridgehead.cli import app as cli
from bridgehead.client import PERSON, Host
from bridgehead.core import record
from bridgehead.core.errors import BridgeheadError
from bridgehead.server import drill
from bridgehead.server.storage import backup, hash_chain, imports, retention
from bridgehead.server.storage.audit import Audit
from bridgehead.server.storage.backup import TablesInUse
from bridgehead.server.storage.event_log import Conflict, EventLog
from bridgehead.server.storage.retention import DAY, Policy
from bridgehead.server.storage.sqlite import Store
from records import recorded
from server.cluster import Cluster
from server.live import PATIENCE, PEOPLE, Live, Page
from server.test_siege import HELLO
from server.test_storage import Process, made
from server.test_stores import event, with_store
from waiting import wait_for


def file_of(folder: Path) -> Path:
    return folder / "bridgehead.sqlite"


def tables(folder: Path) -> set[str]:
    with apsw.Connection(str(file_of(folder))) as connection:
        return {row[0] for row in connection.execute("select id from game")}


def rows(folder: Path, query: str) -> int:
    with apsw.Connection(str(file_of(folder))) as connection:
        return int(connection.execute(query).fetchone()[0])


def expire(own: Live, days: float) -> int:
    """Delete what expires in so many days; how many tables."""
    work = own.app.state.tables.expire(Policy(), time.time() + days * DAY)
    return int(asyncio.run_coroutine_threadsafe(work, own.loop).result(PATIENCE))


def fork(own: Live, at: int, text: str = "") -> dict[str, Any]:
    body = {"game": "barricade", "record": text or recorded("barricade-2"), "seats": PEOPLE, "at": at, "seed": 3}
    return own.ask("/api/tables", body, 201)


def test_a_record_is_stored_once_however_often_it_is_imported(tmp_path: Path, own: Live) -> None:
    made = [fork(own, at) for at in (31, 31, 40, 50)]
    assert rows(tmp_path, "select count(*) from imported") == 1
    size = rows(tmp_path, "select sum(length(body) + length(key) + 200) from event")
    assert size < 4 * 1500, "a table that continues a record stores its name, and what follows"
    match, _ = record.load(recorded("barricade-2"))
    assert rows(tmp_path, "select length(actions) from imported") < len(match.actions) * 3
    own.restart()
    for each, at in zip(made, (31, 31, 40, 50), strict=True):
        text = own.http.get(f"/api/tables/{each['table']}/record").text
        assert record.load(text)[0].actions[:at] == match.actions[:at]
    page = own.page(made[0], 0, 1)
    page.act(page.view["choices"][0]["text"])
    own.stop()
    with Audit(file_of(tmp_path)) as audit:
        assert list(audit.damages()) == []


def test_a_table_of_an_older_release_with_its_actions_as_events_is_opened(tmp_path: Path, own: Live) -> None:
    made = own.table("barricade", PEOPLE, board="mini")
    page = own.page(made, 0, 1)
    for _ in range(4):
        page.act(page.view["choices"][0]["text"])
    kept = own.http.get(f"/api/tables/{made['table']}/record").text
    own.stop()
    store = Store(file_of(tmp_path))
    body = store.body(made["table"]) or ""
    events = [event._replace(by="fork", nonce=b"", link=b"") for event in store.events(made["table"])]
    store.close()
    with apsw.Connection(str(file_of(tmp_path))) as connection:
        connection.execute("delete from event")
        for event in hash_chain.chain_events(hash_chain.first_link(made["table"], body), events):
            connection.execute(f"insert into event values ({', '.join('?' * 11)})", (made["table"], *event))
    own.start()
    assert own.http.get(f"/api/tables/{made['table']}/record").text == kept
    table = own.app.state.tables._open[made["table"]].result()
    assert table.begun == len(table.match.log) and table.taken == 0


def test_a_damaged_or_missing_import_is_named_and_its_table_refused(tmp_path: Path, own: Live) -> None:
    made, other = fork(own, 31), own.table()
    own.stop()
    with apsw.Connection(str(file_of(tmp_path))) as connection:
        connection.execute("update imported set actions = ?", (imports.pack([1, 2, 3]).packed,))
    with Audit(file_of(tmp_path)) as audit:
        assert [(each.table, each.event) for each in audit.damages()] == [(made["table"], 1)]
    own.start()
    refused = Page(own.url)
    refused.say(**HELLO | {"table": made["table"]})
    assert refused.closed() == 1008 and refused.heard[-1]["code"] == "game"
    assert own.page(other, 0).act("a2-a3")["v"] == 1


def test_unplayed_tables_expire_and_nothing_that_was_played_or_is_open(tmp_path: Path, own: Live) -> None:
    played, watched, idle, forked = own.table(), own.table(), own.table(), fork(own, 31)
    own.page(played, 0).act("a2-a3")
    own.restart()
    page = own.page(watched, 0)
    assert expire(own, 6) == 0 and expire(own, 8) == 2
    assert tables(tmp_path) == {played["table"], watched["table"]} and rows(tmp_path, "select count(*) from imported") == 0
    for gone in (idle, forked):
        assert own.http.get(f"/t/{gone['table']}").status_code == 404
    assert page.act("a2-a3")["v"] == 1 and own.page(played, 1).view["v"] == 1
    own.stop()
    with Audit(file_of(tmp_path)) as audit:
        assert list(audit.damages()) == [] and audit.tables == 2


def test_a_table_that_is_asked_for_while_it_expires_is_gone_or_there(own: Live) -> None:
    made = own.table()
    own.restart()

    async def both() -> tuple[int, Any]:
        repository = own.app.state.tables
        deleted, found = await asyncio.gather(
            repository.expire(Policy(), time.time() + 8 * DAY), _soon(repository, made["table"])
        )
        return deleted, found

    deleted, found = asyncio.run_coroutine_threadsafe(both(), own.loop).result(PATIENCE)
    assert (deleted == 1) == (found is None)


async def _soon(repository: Any, table: str) -> Any:
    while not repository._open:
        await asyncio.sleep(0)
    return await repository.find(table)


def test_a_table_that_has_got_a_newer_event_is_not_deleted(place: str) -> None:
    async def work(store: EventLog) -> None:
        first, second = event(1, kind="came"), event(2)
        await store.create("NEWER", "{}", [first])
        [found] = retention.find_expired(store, Policy(), time.time() + 8 * DAY)
        assert (found.id, found.version, found.played) == ("NEWER", 1, False)
        await store.append("NEWER", [second])
        with pytest.raises(Conflict):
            await store.write(*found.statements)
        assert [each.version for each in store.events("NEWER")] == [1, 2]
        assert not await retention.prune(store, Policy(), time.time() + 8 * DAY), "it has been played"
        [idle] = await retention.prune(store, Policy(0, 30), time.time() + 31 * DAY)
        assert idle.played and store.body("NEWER") is None and store.events("NEWER") == []

    with_store(place, work)


def test_actions_that_no_table_names_go_after_a_day_and_others_stay(place: str) -> None:
    async def work(store: EventLog) -> None:
        used, unused = imports.pack([1, 2]), imports.pack(range(5000))
        await store.write(used.statement)
        await store.write(unused.statement)
        await store.write(unused.statement)
        body = f'{{"hash":"{used.hash}","actions":1}}'
        await store.create("TAKES", "{}", [event(1, kind="import", by="fork", body=body), event(2)])
        assert imports.read_actions(store, unused.hash) == tuple(range(5000))
        await retention.prune(store, Policy(), time.time() + DAY / 2)
        assert imports.read_actions(store, unused.hash)
        await retention.prune(store, Policy(), time.time() + 2 * DAY)
        assert imports.read_actions(store, used.hash) == (1, 2)
        with pytest.raises(BridgeheadError, match="missing or damaged"):
            imports.read_actions(store, unused.hash)

    with_store(place, work)


def test_prune_deletes_by_the_command_line_and_the_seal_log_stays_whole(tmp_path: Path, own: Live) -> None:
    def prune(*arguments: str) -> Any:
        """The command, in a thread of its own: a browser in the same process keeps a loop running in this one."""
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(CliRunner().invoke, cli, ["prune", "--data", str(tmp_path), *arguments]).result()

    with Host(own.url).create("barricade", [PERSON, PERSON]) as seated:
        seated.wait_for_turn()
    sealed = {"table": seated.table}
    played = own.table()
    own.page(played, 0).act("a2-a3")
    refused = prune()
    assert refused.exit_code == 1 and isinstance(refused.exception, TablesInUse), "nothing says where that server is"
    own.stop()
    before = rows(tmp_path, "select count(*) from sealed")
    assert before == 1
    told = prune("--unplayed", "0.0000001", "--dry-run")
    assert told.output == "tables that would be deleted: 1 unplayed, 0 played\n", told
    assert tables(tmp_path) == {sealed["table"], played["table"]}
    told = prune("--unplayed", "0.0000001")
    assert told.output == "tables deleted: 1 unplayed, 0 played\n", told
    assert tables(tmp_path) == {played["table"]} and rows(tmp_path, "select count(*) from sealed") == before
    with Audit(file_of(tmp_path)) as audit:
        assert list(audit.damages()) == []
    own.start()
    assert own.page(played, 1).view["v"] == 1 and len(own.http.get("/api/sealed").json()["entries"]) == before


def test_prune_asks_the_server_that_has_the_tables_open_and_it_leaves_whoever_is_there(tmp_path: Path) -> None:
    def prune(*more: str, **env: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "bridgehead.cli", "prune", "--data", str(tmp_path), *more]
        return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, env=os.environ | env, check=False)

    server, old = Process(tmp_path), ("--unplayed", "0.0000001", "--idle", "0.0000001")
    try:
        unplayed, played, watched = (made(server.url, "barricade") for _ in range(3))
        for table in (played, watched):
            page = Page(server.url)
            page.say(**HELLO | {"table": table["table"], "tokens": table["tokens"]})
            page.until(lambda view: view.get("choices"))
            page.act(page.view["choices"][0]["text"])
            if table is played:
                page.socket.close()
        refused = prune(*old, BRIDGEHEAD_HOST_KEY="w" * 24)
        assert refused.returncode == 2 and "This is not the key" in refused.stderr and "Traceback" not in refused.stderr
        assert tables(tmp_path) == {each["table"] for each in (unplayed, played, watched)}
        gone = lambda: httpx.get(f"{server.url}/t/{played['table']}").status_code == 404  # noqa: E731
        wait_for(lambda: prune(*old) and gone())
        assert tables(tmp_path) == {watched["table"]}, "somebody is there"
        assert page.act(page.view["choices"][0]["text"])["v"] > 1
        assert prune(*old).stdout == "tables deleted: 0 unplayed, 0 played\n"
        page.socket.close()
    finally:
        server.end(signal.SIGTERM)
    assert not (tmp_path / "server.address").exists()
    assert prune(*old).stdout == "tables deleted: 0 unplayed, 1 played\n", "the same without a server"


def test_prune_of_a_database_closes_a_table_that_a_worker_has_open(cluster: Cluster) -> None:
    place = cluster.postgres.place()
    with cluster.workers(2, place=place) as (one, other):
        table, kept = one.table(), one.table()
        page, watcher = one.page(table, 0, 1), other.page(table)
        page.act("a2-a3")
        words = [sys.executable, "-m", "bridgehead.cli", "prune", "--database", place, "--unplayed", "0", "--idle", "0.0000001"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.stdout == "tables deleted: 1 unplayed, 1 played\n", done
        page.send_act(page.view["choices"][0]["action"])
        assert page.closed() == 1008 and page.heard[-1]["code"] == "table"
        watcher.socket.close()
        wait_for(lambda: one.http.get(f"/api/tables/{table['table']}/record").status_code == 404)
        again = one.table()
        assert one.page(again, 0, 1).act("a2-a3")["v"] == 1 and kept["table"] != again["table"]


def test_a_drill_restores_a_copy_elsewhere_and_tells_how_long_each_step_takes(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    own = Live(data)
    made = own.table()
    own.page(made, 0).act("a2-a3")
    backup.save(copy, data)
    steps = list(drill.run(copy))
    assert [step.what.key for step in steps] == [
        f"server:drill.{key}" for key in ("restored", "ready", "opened", "stored", "whole")
    ]
    assert steps[2].what.params["table"] == made["table"]
    assert steps[-1].seconds == pytest.approx(sum(step.seconds for step in steps[:-1]))
    assert tables(data) == {made["table"]}, "the server's own tables are as they were"
    own.stop()
    copy.write_bytes(b"no copy")
    with pytest.raises(BridgeheadError):
        list(drill.run(copy))
