"""What only shows after long: memory that grows, and bytes that nobody thought of (`make test-long`)."""

import gc
import os
import random
import subprocess
import sys
import time
import weakref
from pathlib import Path

import pytest

from server.live import PEOPLE, Live
from server.test_storage import Process, made
from waiting import wait_for

FUZZ = """
import sys
import atheris
from waiting import wait_for
with atheris.instrument_imports(include=["bridgehead.server.messages.client", "msgspec"]):
    import msgspec
    from bridgehead.server.messages.client import ClientMessage, decode_message
    from bridgehead.server.messages.invitations import QrWish
    from bridgehead.server.messages.tables import NewTable, GameWish

def once(data):
    for decode in (decode_message, *others):
        try:
            decode(data)
        except (msgspec.DecodeError, RecursionError):
            pass

others = [msgspec.json.Decoder(kind).decode for kind in (NewTable, GameWish, QrWish)]
atheris.Setup(sys.argv, once)
atheris.Fuzz()
"""


@pytest.mark.long
def test_the_decoders_withstand_guided_noise(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="a fuzzer that is not made for every Python")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "act").write_text('{"t":"act","k":"00000000000000000000000000000000","v":0,"a":1}')
    (corpus / "hello").write_text('{"t":"hello","p":1,"table":"ABCDE","tokens":["x"],"lang":"de"}')
    (corpus / "new").write_text('{"game":"barricade","options":{"board":"mini"},"seats":[{"kind":"person"}],"seed":1}')
    command = [sys.executable, "-c", FUZZ, "-max_total_time=120", "-max_len=8192", "-rss_limit_mb=2048", str(corpus)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Done" in done.stderr


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not Path("/proc").exists(), reason="reads /proc")
def test_memory_does_not_grow_with_those_who_come_and_go(tmp_path: Path) -> None:
    from bridgehead.client import PERSON, Host

    server, lot, held = Process(tmp_path), random.Random(1), []
    host = Host(server.url)
    for _ in range(10):
        for _ in range(60):  # an address may make 120 tables a minute
            with host.create("barricade", [PERSON, PERSON], options={"board": "mini"}) as table, host.join(table.table):
                for _ in range(15):
                    if table.choices:
                        table.play(lot.choice(table.choices)["action"])
        held.append(resident(server.process.pid))
        time.sleep(31)
    assert max(held[5:]) < 1.05 * max(held[2:5]), held
    assert made(server.url, "barricade")["table"]
    server.process.kill()


def test_those_who_come_and_go_leave_nothing_behind(own: Live) -> None:
    tables = [own.table() for _ in range(3)]

    def rounds(number: int) -> int:
        for n in range(number):
            page = own.page(tables[n % 3], n % 2)
            page.say(t="why", k="0" * 32, touch=["x"])
            page.hear("why")
            page.socket.close()
        wait_for(lambda: not own.app.state.manager.rooms)
        gc.collect()
        kinds = ("Connection", "Task", "Room", "TableText", "ServerProtocol", "Bucket")
        return sum(type(each).__name__ in kinds for each in gc.get_objects())

    rounds(20)
    before = rounds(5)
    assert rounds(60) <= before + 5
    manager = own.app.state.manager
    assert not manager.rooms and not manager._shares and not manager.tasks and manager.open_connections == 0


def test_what_a_table_remembers_of_its_actions_is_not_looked_through_by_the_collector(live: Live) -> None:
    table = live.table("barricade", board="mini")
    page = live.page(table, 0, 1)
    for _ in range(5):
        page.act(page.view["choices"][0]["text"])
    found = live.app.state.tables._open[table["table"]].result()
    kept = [*found.match.log, *found.done.values()]
    assert len(kept) > 10 and not any(gc.is_tracked(each) for each in kept), "there are millions of them, and the loop waits"


def test_a_table_that_leaves_the_memory_needs_no_collector_to_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.tables.repository.REMEMBERED", 0.0)
    monkeypatch.setattr("bridgehead.server.tables.repository.JUST_FOUND", 0.0)
    own = Live(tmp_path)
    wish = {"game": "barricade", "options": {"board": "mini"}, "seats": PEOPLE, "clock": {"bank": 600}, "seed": 1, "public": True}
    table, manager, tables = own.ask("/api/tables", wish, 201), own.app.state.manager, own.app.state.tables
    page, watcher = own.page(table, 0, 1, host=True), own.page(table)
    page.act(page.view["choices"][0]["text"])  # the clock runs, and the lobby notes it
    page.say(t="say", k="0" * 32, text="hello")
    page.hear("ack")
    held = [weakref.ref(manager.rooms[table["table"]]), weakref.ref(tables._open[table["table"]].result())]
    gc.collect()
    gc.disable()
    try:
        for each in (page, watcher):
            each.socket.close()
        until = time.monotonic() + 20
        while any(each() is not None for each in held) and time.monotonic() < until:
            own.table()  # whoever comes lets go of what nobody looks at
            time.sleep(0.05)
        assert [each() for each in held] == [None, None]
    finally:
        gc.enable()
        own.stop()
