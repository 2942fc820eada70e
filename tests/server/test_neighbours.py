"""Whoever shares an address with a hostile neighbour plays on, and one address takes no more than its share of the machine."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bridgehead.core import record
from bridgehead.server.connections.effort import WorkBudget
from bridgehead.server.connections.rate_limits import ConnectionQuota, Limits
from bridgehead.server.http import endpoints, invitations
from bridgehead.server.jobs.worker_pool import FairQueue, WorkerLost, WorkerPool
from bridgehead.server.usage import Usage
from records import recorded
from server.live import PATIENCE, Live, Page, Serve
from server.test_siege import HELLO
from waiting import apart, wait_for

pytestmark = pytest.mark.wide


def come(own: Live, table: dict[str, Any], *seats: int) -> Page:
    """A page that has sent its hello."""
    page = Page(own.url)
    page.say(**HELLO | {"table": table["table"], "tokens": [table["tokens"][seat] for seat in seats]})
    return page


# Places


def test_silent_sockets_and_watchers_leave_room_for_people_with_seats(serve: Serve) -> None:
    own = serve(Limits(silent=3, sockets=1, hello=PATIENCE))
    table = own.table()
    silent = [Page(own.url) for _ in range(4)]
    assert silent[0].closed() == 1008 and silent[0].heard[0]["code"] == "rate", "the one that was silent for longest"
    watcher, second = own.page(table), come(own, table)
    assert second.closed() == 1008 and second.heard[0]["code"] == "rate"
    player = own.page(table, 0)
    assert player.act("a2-a3")["v"] == 1 and watcher.hear("view")
    for page in (*silent[2:], watcher, player):  # two newcomers have pushed two more out
        page.socket.close()
    wait_for(lambda: not own.app.state.manager.open_connections)


def test_places_are_counted_by_address_and_kind() -> None:
    places = ConnectionQuota(silent=2, each=1)
    assert places.add_pending("a", 1) is None and places.add_pending("a", 2) is None and places.add_pending("b", 3) is None
    assert places.add_pending("a", 4) == 1 and len(places) == 3
    assert places.admit("a", 2, False) and not places.admit("a", 4, False) and places.admit("b", 3, False)
    assert places.add_pending("a", 5) is None and places.admit("a", 5, True)
    places.release("a", False)
    places.drop_pending("a", 4)  # was not admitted
    assert places.add_pending("a", 6) is None and places.admit("a", 6, False) and len(places) == 3


# Processor time


def test_each_share_of_an_address_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bridgehead.server.connections.rate_limits.time.monotonic", lambda: now[0])
    effort, used = WorkBudget(Limits(effort=10, costly=50, window=10)), Usage()
    used.seconds = 13
    assert effort.charge("a", "pages", used) == 13 and used.seconds == 0
    assert effort.owing == {("a", "pages"): 103.0}
    effort.charge_worker("a", 100)
    assert effort.debt("a") == 10 and effort.refuses("a", "costly") is True
    assert not effort.refuses("a", "pages") and not effort.refuses("b", "costly")
    now[0] += 6
    assert not effort.refuses("a", "costly") and effort.debt("a") == 4


def test_too_many_bytes_delay_everything_but_people_with_a_seat() -> None:
    effort, used = WorkBudget(Limits(traffic=100, window=10)), Usage()
    used.carried = 200
    effort.charge("a", "pages", used)
    assert set(effort.owing) == {("a", "traffic")}

    async def come() -> None:
        await effort.begin("a", "seat")
        await effort.begin("b", "pages")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await effort.begin("a", "codes")

    apart(come())
    assert set(effort.queues) == {("a", "seat"), ("b", "pages")}, "who gives up gives the turn back"


def test_an_address_that_has_computed_too_much_is_refused_until_it_has_paid(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridgehead.server.connections.effort.LONGEST", 0.0)
    own = serve(Limits(costly=0.02, window=10**9))
    table = own.table()
    answers = [own.http.post("/api/qr", json={"text": "x" * 300}).status_code for _ in range(20)]
    assert answers[0] == 200 and answers[-1] == 429
    text = recorded("forty_bridges-1")
    for path, body in (("/api/records", text), ("/api/games/forty_bridges/edit", "{}")):
        assert own.http.post(path, content=body).status_code in (404, 429), path
    body = {"game": "forty_bridges", "record": text, "at": 3}
    assert own.http.post("/api/tables", json=body).status_code == 429, "an import computes"
    assert own.http.post("/api/tables", json={"game": "forty_bridges"}).status_code == 201
    assert own.page(table, 0).act("a2-a3")["v"] == 1, "people at their tables notice nothing"


def test_a_refusal_waits_so_that_it_is_not_asked_for_again_at_once(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    own = serve(Limits(misses=1))
    assert own.http.get("/replay/QQQQQ").status_code == 404
    monkeypatch.setattr("bridgehead.server.connections.middleware.Throttle.REFUSING", 3600.0)
    with own.raw(b"GET /replay/QQQQQ HTTP/1.1\r\nHost: localhost\r\n\r\n") as line, pytest.raises(TimeoutError):
        line.settimeout(0.3)
        line.recv(100)
    assert own.http.get("/healthz").status_code == 200


def test_the_time_of_a_worker_is_charged_to_who_asked_also_when_it_fails_or_takes_too_long() -> None:
    charged: list[tuple[str, float]] = []

    async def ask() -> None:
        pool = WorkerPool(1, PATIENCE)
        pool.worked = lambda asker, seconds: charged.append((asker, seconds))
        assert await pool.ask(sum, range(2_000_000), asker="a") > 0
        with pytest.raises(ValueError, match="invalid literal"):
            await pool.ask(int, "x" * 100_000, asker="b")
        with pytest.raises(WorkerLost):
            await pool.ask(time.sleep, PATIENCE, asker="c", patience=0.2)
        pool.stop()

    apart(ask())
    assert [asker for asker, _ in charged] == ["a", "b", "c"]
    assert charged[0][1] > 0 and charged[1][1] >= 0 and charged[2][1] == 0.2


def test_a_qr_code_and_a_link_are_made_in_workers(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def here(*_: object) -> None:
        raise AssertionError("in the server's own process")

    monkeypatch.setattr(invitations.segno, "make", here)
    monkeypatch.setattr(endpoints.link, "pack", here)
    table = live.table()
    page = live.page(table, 0)
    page.act("a2-a3")
    assert b"<svg" in live.http.post("/api/qr", json={"text": "https://tables.example/t/ABCDE"}).content
    link = live.http.get(f"/api/tables/{table['table']}/link").json()["link"]
    asked: list[object] = []
    monkeypatch.setattr(live.app.state.films, "ask", lambda *given, **_: asked.append(given))
    assert live.http.get(f"/api/tables/{table['table']}/link").json()["link"] == link and not asked, "nothing has changed"


def test_while_a_record_is_written_its_table_is_played_on(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, real = threading.Event(), threading.Event(), record.dump

    def slow(*given: Any, **named: Any) -> str:
        begun.set()
        assert go_on.wait(PATIENCE)
        return real(*given, **named)

    table = live.table()
    page = live.page(table, 0, 1)
    page.act("a2-a3")
    monkeypatch.setattr(record, "dump", slow)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(live.http.get, f"/api/tables/{table['table']}/record")
        assert begun.wait(PATIENCE)
        page.act(page.view["choices"][0]["text"])
        go_on.set()
        text = asked.result(PATIENCE).text
    assert len(record.load(text)[0].log) == 1
    monkeypatch.undo()
    assert len(record.load(live.http.get(f"/api/tables/{table['table']}/record").text)[0].log) == 2


def test_requests_that_compute_in_threads_leave_threads_to_those_who_come(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    first = serve()
    tables = [first.table() for _ in range(2)]
    first.stop()
    own, go_on, begun = serve(), threading.Event(), threading.Semaphore(0)

    def slow(*_: object) -> list[Any]:
        begun.release()
        assert go_on.wait(PATIENCE)
        return []

    monkeypatch.setattr(endpoints.thinking_times, "summary", slow)
    with ThreadPoolExecutor(60) as pool:
        wish = {"host": tables[0]["host"]}
        asked = [pool.submit(own.http.post, f"/api/tables/{tables[0]['table']}/times", json=wish) for _ in range(60)]
        assert begun.acquire(timeout=PATIENCE)
        assert own.page(tables[1], 0).act("a2-a3")["v"] == 1, "its log is read in a thread"
        go_on.set()
        assert {each.result(PATIENCE).status_code for each in asked} == {200}


def test_chores_take_turns_by_address() -> None:
    order: list[str] = []

    async def work() -> None:
        chores = FairQueue(1)
        many = [asyncio.create_task(chores.run_in_turn("a", order.append, "a")) for _ in range(10)]
        await asyncio.sleep(0)
        await asyncio.gather(chores.run_in_turn("b", order.append, "b"), *many)

    apart(work())
    assert order.index("b") <= 2


# The disk


def test_an_address_stores_so_much_a_day_and_its_people_play_on_with_a_reserve(serve: Serve) -> None:
    own = serve(Limits(disk=6000, effort=10_000))
    made = []
    while (answer := own.http.post("/api/tables", json={"game": "forty_bridges", "seed": 1})).status_code == 201:
        made.append(answer.json())
    assert answer.status_code == 429 and 1 < len(made) < 10
    page = own.page(made[0], 0, 1)
    moves = 0
    while moves < 10:  # the reserve
        page.send_act(page.view["choices"][0]["action"])
        while (told := page.hear_any())["t"] not in ("ack", "rej"):
            pass
        if told["t"] == "rej":
            break
        page.hear("view")
        moves += 1
    assert told["t"] == "rej" and told["code"] == "rate" and 3 <= moves < 10
