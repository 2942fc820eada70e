"""Several workers over one PostgreSQL: nothing is lost or doubled, and what happens at one shows at the others."""

import asyncio
import contextlib
import logging
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.cluster import peers
from bridgehead.server.cluster import redis_bus as buses
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import Event
from server.cluster import Cluster
from server.live import PATIENCE, PEOPLE, Live, Page
from waiting import SOON, apart, wait_for

pytestmark = pytest.mark.wide
STALE = 6.0  # seconds for which a view may be old when words are lost


def until(true: Callable[[], Any]) -> None:
    """Wait until something is so."""
    wait_for(true)


def come(live: Live, table: dict[str, Any], *seats: int, **more: Any) -> Page:
    """Somebody at a table of another worker."""
    page = Page(live.url)
    page.say(t="hello", p=1, table=table["table"], tokens=[table["tokens"][seat] for seat in seats], **more)
    return page


def log_of(live: Live, table: dict[str, Any]) -> list[Event]:
    """The log of a table, which has to be whole."""
    body, events = live.store.body(table["table"]), live.store.events(table["table"])
    assert body is not None and hash_chain.find_broken_link(hash_chain.first_link(table["table"], body), events) is None
    return list(events)


def without_looks(workers: list[Live], monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on they do not look from time to time whether anything has happened: they have to be told."""
    for each in workers:
        monkeypatch.setattr(each.app.state.manager.peers, "_look_everywhere", lambda: None)


def test_what_happens_at_one_worker_shows_at_the_others_at_once(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster.workers(3) as (one, other, third):
        without_looks([one, other, third], monkeypatch)
        table = one.table(seats=[{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Bob"}])
        ann, bob, watcher = one.page(table, 0), other.page(table, 1), third.page(table)
        while not all(seat["here"] for page in (ann, bob, watcher) for seat in page.view["seats"]):
            for page in (ann, bob, watcher):
                if not all(seat["here"] for seat in page.view["seats"]):
                    page.hear("view")
        for turn in range(6):
            mover, waiter = (ann, bob) if turn % 2 == 0 else (bob, ann)
            mover.act(mover.view["choices"][0]["text"])
            for page in (waiter, watcher):
                while page.view["v"] < turn + 1:
                    page.hear("view")
                assert page.view["since"] == turn and page.view["traces"], "it is shown as movement"
                assert page.view["items"] == mover.view["items"]
        ann.socket.close()
        while bob.view["seats"][0]["here"]:
            bob.hear("view")
        assert len(log_of(one, table)) == 6


def test_a_table_is_found_as_it_is_at_a_worker_that_had_it_before(cluster: Cluster) -> None:
    with cluster.workers(2, bus="") as (one, other):
        table = one.table()
        other.page(table, 0).socket.close()
        until(lambda: not other.app.state.manager.rooms)
        page = one.page(table, 0, 1)
        for _ in range(3):
            page.act(page.view["choices"][0]["text"])
        assert other.page(table, 0, 1).view["items"] == page.view["items"]
        record = other.http.get(f"/api/tables/{table['table']}/record").text
        assert record == one.http.get(f"/api/tables/{table['table']}/record").text


def is_a_persons(event: Event) -> bool:
    """Was this asked for by somebody, not added to it as its chance?"""
    return "." not in event.key and event.by == "person"


def racing(page: Page, lot: random.Random, until_version: int, confirmed: list[tuple[str, int, int]]) -> None:
    """Act on every view, without asking whether another one has; write down what was confirmed."""
    while page.view["v"] < until_version and not page.view["outcome"]:
        if not page.view.get("choices"):
            page.hear("view")
            continue
        action = lot.choice(page.view["choices"])["action"]
        key, version = page.send_act(action), page.view["v"]
        while (answer := page.hear_any()).get("k") != key:
            pass
        if answer["t"] == "ack":
            confirmed.append((key, action, answer["v"]))
        else:
            assert answer["code"] in ("stale", "illegal", "turn"), answer
        while page.view["v"] == version:
            page.hear("view")


def race(cluster: Cluster, tables: int, versions: int, **more: Any) -> tuple[int, int]:
    """People with the same seats at two workers race; how many actions were confirmed, and how many refused."""
    lot, heard = random.Random(5), []
    with cluster.workers(2, **more) as workers:
        for _ in range(tables):
            table = workers[0].table("barricade", PEOPLE, board="mini")
            pages = [worker.page(table, 0, 1) for worker in workers]
            lists: list[list[tuple[str, int, int]]] = [[], []]
            threads = [
                threading.Thread(target=racing, args=(page, random.Random(lot.random()), versions, done))
                for page, done in zip(pages, lists, strict=True)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(PATIENCE * 10)
                assert not thread.is_alive()
            done = sorted((version, key, action) for key, action, version in lists[0] + lists[1])
            log = log_of(workers[0], table)
            assert [(event.key, event.action) for event in log if is_a_persons(event)] == [(key, a) for _, key, a in done]
            heard += [message for page in pages for message in page.heard]
    acks = sum(message["t"] == "ack" for message in heard)
    return acks, sum(message["t"] == "rej" for message in heard)


def test_two_workers_race_at_one_table_and_each_version_is_won_once(cluster: Cluster) -> None:
    acks, refused = race(cluster, tables=2, versions=150)
    assert acks >= 100 and refused >= 5, (acks, refused)


@pytest.mark.long
def test_two_workers_race_ten_thousand_times(cluster: Cluster) -> None:
    acks = refused = 0
    while acks < 10_000:
        more, no = race(cluster, tables=5, versions=600)
        acks, refused = acks + more, refused + no
    assert refused > 100


def test_lost_words_make_a_view_old_by_six_seconds_at_most(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    assert peers.POLL + 1 <= STALE
    monkeypatch.setattr(peers, "POLL", 1.0)  # so that a machine that is slow may be so
    with cluster.workers(2, lost=0.1) as (one, other):
        table = one.table("barricade", PEOPLE, board="mini")
        page, watcher = one.page(table, 0, 1), other.page(table)
        shown: dict[int, float] = {}

        def watch() -> None:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    seen = watcher.view["v"]
                    watcher.hear("view")
                    shown.update(dict.fromkeys(range(seen + 1, watcher.view["v"] + 1), time.monotonic()))

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        happened: dict[int, float] = {}
        lot = random.Random(2)
        bus: Any = one.app.state.manager.peers.bus
        while bus.lost < 8 and not page.view["outcome"]:
            page.act(lot.choice(page.view["choices"])["text"])
            happened[page.view["v"]] = time.monotonic()
        bus.share = 1.0
        late: list[float] = []
        while max(late, default=0) <= 0.3 and not page.view["outcome"]:  # soon, where the next look is due just then
            page.act(lot.choice(page.view["choices"])["text"])
            happened[page.view["v"]] = time.monotonic()
            until(lambda: max(happened) in shown)
            late = [shown[version] - at for version, at in happened.items()]
        assert bus.lost >= 8 and 0.3 < max(late) <= STALE, (bus.lost, max(late))


def test_without_the_bus_play_goes_on_and_it_is_said_once_and_it_comes_back(
    cluster: Cluster, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buses, "PAUSE", 0.2)
    monkeypatch.setattr(peers, "POLL", 1.0)
    with caplog.at_level(logging.WARNING, "bridgehead"), cluster.workers(2) as (one, other):
        table = one.table()
        ann, bob = one.page(table, 0), other.page(table, 1)
        cluster.redis.kill()
        try:
            for turn in range(2):
                mover, waiter = (ann, bob) if turn % 2 == 0 else (bob, ann)
                mover.act(mover.view["choices"][0]["text"])
                while waiter.view["v"] < turn + 1:
                    waiter.hear("view")
        finally:
            cluster.redis.start()
        away = [record for record in caplog.records if "bus is away" in record.getMessage()]
        assert len(away) == 2, "once a worker"
        until(lambda: sum("bus is there again" in record.getMessage() for record in caplog.records) == 2)
        without_looks([one, other], monkeypatch)
        ann.act(ann.view["choices"][0]["text"])
        while bob.view["v"] < 3:
            bob.hear("view")
        assert len(log_of(one, table)) == 3


@contextlib.asynccontextmanager
async def talking(url: str, number: int, pause: float) -> AsyncIterator[None]:
    """So many ends of a bus that send with pauses, once they all listen. In the end they have to stop."""
    listening: list[None] = []
    ends, lot = [buses.Bus(url, "talk") for _ in range(number)], random.Random(3)

    async def talk(end: buses.Bus) -> None:
        while True:
            end.send("table", "kind")
            await asyncio.sleep(lot.uniform(0, pause))

    for end in ends:
        end.start(lambda *message: None, lambda: listening.append(None))
    talks = [asyncio.create_task(talk(end)) for end in ends]
    async with asyncio.timeout(PATIENCE):
        while len(listening) < number:
            await asyncio.sleep(0.01)
    yield
    for each in talks:
        each.cancel()
    async with asyncio.timeout(SOON):
        await asyncio.gather(*(end.stop() for end in ends))


def test_a_bus_that_goes_is_away_once_and_there_again_once(
    cluster: Cluster, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buses, "PAUSE", 0.05)

    def logged() -> Counter[str]:
        return Counter(record.getMessage().partition(" (")[0] for record in caplog.records)

    async def come(line: str, number: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while logged()[line] < number:
                await asyncio.sleep(0.01)

    async def play() -> None:
        async with talking(cluster.redis.url, 8, 0.1):
            for number in range(8, 97, 8):
                await asyncio.to_thread(cluster.redis.kill)
                await come("the bus is away", number)
                await asyncio.sleep(0.2)
                await asyncio.to_thread(cluster.redis.start)
                await come("the bus is there again", number)
                await asyncio.sleep(0.3)

    with caplog.at_level(logging.WARNING, "bridgehead"):
        apart(play())
    assert logged() == {"the bus is away": 96, "the bus is there again": 96}


def test_a_bus_stops_while_messages_are_sent_and_received(cluster: Cluster) -> None:
    async def play() -> None:
        for _ in range(10):
            async with talking(cluster.redis.url, 8, 0.01):
                await asyncio.sleep(0.3)

    apart(play())


def test_connections_to_the_database_that_are_cut_under_play_lose_and_double_nothing(cluster: Cluster) -> None:
    name = "cut"
    place = cluster.postgres.database(name)
    with cluster.workers(2, place=place) as workers:
        tables = [worker.table("barricade", PEOPLE, board="mini") for worker in workers]
        confirmed: dict[str, list[tuple[str, int, int]]] = {table["table"]: [] for table in tables}
        pages = [worker.page(table, 0, 1) for worker, table in zip(workers, tables, strict=True)]
        watchers = [worker.page(table) for worker, table in zip(workers, reversed(tables), strict=True)]
        threads = [
            threading.Thread(target=racing, args=(page, random.Random(page.view["table"]), 120, confirmed[page.view["table"]]))
            for page in pages
        ]
        for thread in threads:
            thread.start()
        cut = 0
        while any(thread.is_alive() for thread in threads):
            cut += cluster.postgres.hang_up(name)
            time.sleep(0.15)
        assert cut >= 3
        for table, watcher in zip(reversed(tables), watchers, strict=True):
            log = log_of(workers[0], table)
            done = confirmed[table["table"]]
            assert [(event.key, event.action) for event in log if is_a_persons(event)] == [(key, a) for key, a, _ in done]
            assert len(done) > 40
            while watcher.view["v"] < len(log):
                watcher.hear("view")


@pytest.mark.parametrize(
    ("address", "is_safe"),
    [
        ("redis://127.0.0.1:6379", True), ("redis://localhost", True), ("redis://[::1]:6379/1", True),
        ("redis://:secret@10.0.0.5:6379", True), ("rediss://me:secret@bus.example:6379", True),
        ("redis://10.0.0.5:6379", False), ("redis://me@bus.example", False), ("redis://:@bus.example", False),
        ("redis://localhost.example:6379", False), ("redis://127.0.0.1.example", False), ("http://:secret@10.0.0.5", False),
        ("redis://", False), ("redis://:x@host:port", False),
    ],
)  # fmt: skip
def test_a_bus_that_lets_anybody_in_is_refused(address: str, is_safe: bool) -> None:
    if is_safe:
        buses.check(address)
    else:
        with pytest.raises(BridgeheadError, match="--bus"):
            buses.check(address)


def test_serve_refuses_a_bus_without_a_password_elsewhere_and_says_so_in_one_line(cluster: Cluster) -> None:
    command = [sys.executable, "-m", "bridgehead.cli", "serve", "--no-browser", "--port", "0"]
    for more, told in (
        (["--database", cluster.postgres.place(), "--bus", "redis://10.255.255.1:6379"], "password"),
        (["--bus", cluster.redis.url], "--database"),
        (["--database", "postgresql://me:a-secret@127.0.0.1:1/none"], "database"),
    ):
        done = subprocess.run([*command, *more], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 2 and told in done.stderr and done.stderr.startswith("bridgehead: "), done
        assert "a-secret" not in done.stderr and "Traceback" not in done.stderr


def test_a_table_that_falls_behind_what_people_saw_is_frozen_at_every_worker(cluster: Cluster) -> None:
    """An old copy of the database is put back (T27): nobody rolls the same dice again."""
    place = cluster.postgres.place()
    with cluster.workers(1, place=place) as (live,):
        table = live.table("barricade", PEOPLE, board="mini")
        page = live.page(table, 0, 1)
        for _ in range(4):
            page.act(page.view["choices"][0]["text"])
        seen, old = page.view, live.page(table, 0).view["v"] - 2
    with psycopg.connect(place, autocommit=True) as connection:
        keep = (
            max(row[0] for row in connection.execute("select version from event where key not like '%.%'") if row[0] <= old) - 1
        )
        connection.execute("delete from event where version > %s", (keep,))
    with cluster.workers(2, place=place) as (one, other):
        innocent, elsewhere = one.page(table, 0), other.page(table, 1)
        liar = come(one, table, 1, last=seen["v"], mark="0" * 16)
        assert liar.closed() == 1008 and liar.heard[-1]["code"] == "behind"
        innocent.say(t="ping", n=1)
        assert innocent.hear("pong"), "whoever only says so is sent away alone"
        back = come(one, table, 0, 1, last=seen["v"], mark=seen["mark"])
        for page in (back, innocent, elsewhere):
            assert page.closed() == 1008 and page.heard[-1]["code"] == "behind" and "older copy" in page.heard[-1]["text"]
        for live in (one, other):
            again = come(live, table, 0, lang="de")
            assert again.closed() == 1008 and "ältere Kopie" in again.heard[-1]["text"]
        assert len(log_of(one, table)) == keep
        assert one.http.get(f"/api/tables/{table['table']}/record").status_code == 200
