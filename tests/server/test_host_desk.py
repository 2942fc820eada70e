"""The desk of a server's host: what is stored, backups on a schedule, old tables, a readable log; nothing without the key."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from bridgehead.server.connections.network import LocalNetwork
from bridgehead.server.run import _announce
from bridgehead.server.storage.backup import check
from server.live import Live, Serve
from server.test_proposals import first
from waiting import wait_for

KEY = "k" * 40
DAY = 86_400.0


@pytest.fixture
def own(serve: Serve) -> Live:
    return serve(host_key=KEY)


def run(live: Live, work: Coroutine[Any, Any, Any]) -> Any:
    """The result of some work in the server's loop."""
    return asyncio.run_coroutine_threadsafe(work, live.loop).result()


def act(live: Live, do: str, status: int = 200, **more: Any) -> dict[str, Any]:
    return live.ask("/api/host/act", {"key": KEY, "do": do, **more}, status)


def desk(live: Live) -> dict[str, Any]:
    return live.ask("/api/host", {"key": KEY}, 200)


def test_nobody_without_the_key_sees_the_desk_or_does_anything(own: Live) -> None:
    for key in ("", "k" * 39, "x" * 40):
        own.ask("/api/host", {"key": key}, 403)
        for do in ("backup", "every", "count", "prune", "close"):
            own.ask("/api/host/act", {"key": key, "do": do, "days": 1}, 403)
    assert not (own.file.parent / "backups").exists()


def test_the_desk_counts_what_is_stored_and_who_is_there(own: Live) -> None:
    table = own.table()
    page = own.page(table, 0)
    own.ask("/api/tournaments", {"name": "Hidden cup", "game": "barricade"}, 201)
    found = desk(own)
    assert (found["tables"], found["here"], found["people"]) == (1, 1, 0) and found["size"] > 0 and found["free"] > 0
    assert [each["name"] for each in found["tournaments"]] == ["Hidden cup"], "also those that no list shows"
    assert found["backups"] == [] and found["every"] == 0 and found["folder"].endswith("backups")
    page.socket.close()


def test_a_backup_is_made_now_checked_and_the_oldest_ones_go(own: Live) -> None:
    own.table()
    name = act(own, "backup")["name"]
    folder = own.file.parent / "backups"
    assert "1" in check(folder / name) and (folder / name).stat().st_mode & 0o077 == 0
    assert [each["name"] for each in desk(own)["backups"]] == [name]
    for i in range(9):
        old = folder / f"bridgehead-2020010{i}-000000.sqlite"
        old.write_bytes(b"old")
        os.utime(old, (1000 + i, 1000 + i))
    wait_for(lambda: time.strftime("%Y%m%d-%H%M%S") not in name)  # a second later, so the name is another
    act(own, "backup")
    kept = [each["name"] for each in desk(own)["backups"]]
    assert len(kept) == 7 and name in kept and "bridgehead-20200100-000000.sqlite" not in kept


def test_backups_come_by_themselves_as_planned_also_after_a_restart(own: Live) -> None:
    own.table()
    service = lambda: own.app.state.desk  # noqa: E731
    assert run(own, service().keep_up(time.time())) is False, "nothing is planned"
    act(own, "every", days=1)
    own.restart()
    wait_for(lambda: desk(own)["backups"])  # it is due at once
    assert desk(own)["every"] == 1 and run(own, service().keep_up(time.time())) is False
    wait_for(lambda: time.strftime("%Y%m%d-%H%M%S") not in desk(own)["backups"][0]["name"])
    assert run(own, service().keep_up(time.time() + 1.1 * DAY)) is True and len(desk(own)["backups"]) == 2
    act(own, "every", days=0)
    assert run(own, service().keep_up(time.time() + 9 * DAY)) is False


def test_old_tables_are_counted_and_deleted_while_the_server_runs(own: Live) -> None:
    old, new, open_now = own.table(), own.table(), own.table()
    for table in (old, new, open_now):
        page = own.page(table, 0, 1)
        page.act(first(page))
        if table is not open_now:
            page.socket.close()
    for table in (old, open_now):
        run(own, own.store.write(("update game set created = created - ? where id = ?", (9 * DAY, table["table"]))))
        run(own, own.store.write(("update event set time = time - ? where game = ?", (9 * DAY, table["table"]))))
    wait_for(lambda: act(own, "count", days=5)["tables"] == 1)
    assert act(own, "count", days=0)["tables"] == 0 == act(own, "prune", days=0)["tables"], "0 days delete nothing"
    assert act(own, "prune", days=5)["tables"] == 1
    assert own.http.get(f"/api/tables/{old['table']}/record").status_code == 404
    assert own.http.get(f"/api/tables/{new['table']}/record").status_code == 200
    assert own.http.get(f"/api/tables/{open_now['table']}/record").status_code == 200, "somebody has it open"


def test_the_log_is_read_at_the_desk_and_holds_no_name(own: Live) -> None:
    logging.getLogger("bridgehead").warning("the disk is slow", extra={"table": "T" * 22, "name_of": "Annabella"})
    [line] = [each for each in desk(own)["log"] if "the disk is slow" in each]
    assert line[4] == "-" and "T" * 22 in line and "Annabella" not in line


def test_a_service_without_a_terminal_says_where_the_key_stands_and_not_the_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _announce("127.0.0.1", LocalNetwork("", "", "", 8000), KEY, tmp_path / "host.key")
    said = capsys.readouterr().out
    assert "/class" in said and str(tmp_path / "host.key") in said and KEY not in said
