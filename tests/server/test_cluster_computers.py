"""Computer players at several workers, and workers that stop: one thinks at a time, another takes over, nothing is lost."""

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bridgehead.server.cluster import peers
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.storage.postgres import PostgresStore
from server.cluster import Cluster
from server.live import PEOPLE, Live, Page
from server.test_cluster import log_of, until
from server.test_storage import Process
from waiting import Stopwatch

pytestmark = pytest.mark.wide


def odd_word(table: str, said: Any) -> bytes:
    return msgspec.json.encode(("somebody", [(table, "here", said), (table, "behind", said), (table, "no such kind", said)]))


def test_one_worker_at_a_time_lets_the_computer_think(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster.workers(2) as workers:
        asked: list[Live] = []
        for live in workers:

            async def counted(*given: Any, live: Live = live, choose: Any = live.bots.choose) -> Any:
                asked.append(live)
                return await choose(*given)

            monkeypatch.setattr(live.bots, "choose", counted)
        table = workers[0].table("barricade", [{"kind": "person"}, {"kind": "computer", "level": "random"}], board="mini")
        pages = [live.page(table, 0) for live in workers]
        lot = random.Random(1)
        for _ in range(8):
            page = lot.choice(pages)
            while not page.view.get("choices"):
                page.hear("view")
            key, before = page.send_act(lot.choice(page.view["choices"])["action"]), page.view["v"]
            while (answer := page.hear_any()).get("k") != key:
                pass
            assert answer["t"] == "ack" or answer["code"] == "stale", "the other page may be a moment late"
            while page.view["v"] == before:
                page.hear("view")
        log = log_of(workers[0], table)
        computers = [event for event in log if event.by == "random" and "." not in event.key]
        assert len(computers) >= 3 and not any(event.by == "fallback" for event in log)
        assert len(asked) <= len(computers) + 3, "hardly ever do two think about the same"


def test_a_computers_turn_is_free_again_when_the_worker_that_had_it_says_nothing_more(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "POLL", 0.5)
    with cluster.workers(1) as (live,):
        table = live.table("forty_bridges", [{"kind": "computer", "level": "random"}, {"kind": "person"}])
        store: Any = live.store
        begun = time.monotonic()
        assert store.lease(f"think:{table['table']}", "a worker that dies", 2.0)
        page = live.page(table, 1)
        while page.view["v"] == 0:
            page.hear("view")
        assert time.monotonic() - begun > 1.5


def test_a_worker_keeps_the_computers_turn_while_it_thinks_and_leaves_it_to_others_when_it_stops(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "POLL", 0.3)
    place = cluster.postgres.place()
    store = PostgresStore(place)
    with cluster.workers(1, place=place, bots=ComputerPlayers(pace=3600)) as (live,):
        table = live.table("forty_bridges", [{"kind": "computer", "level": "random"}, {"kind": "person"}])
        live.page(table, 1)
        job = f"think:{table['table']}"

        def leased() -> list[Any]:
            return store.read("select owner, until from lease where job = ?", job)

        until(leased)
        ((owner, first),) = leased()
        until(lambda: leased()[0][1] > first)  # it is told again, long before it ends
        assert leased()[0][0] == owner and not store.lease(job, "another", 0)
        live.stop()
    assert store.lease(job, "another", 1)
    store.close()


def test_whoever_was_at_a_worker_that_says_nothing_more_is_away(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "GONE", 1.0)
    monkeypatch.setattr(peers, "POLL", 0.3)
    with cluster.workers(1) as (live,):
        table = live.table()
        page = live.page(table, 0)
        hear = live.app.state.manager.peers._receive
        live.loop.call_soon_threadsafe(hear, "a worker that dies", table["table"], "here", [1])
        for there in (True, False):
            while page.view["seats"][1]["here"] is not there:
                page.hear("view")
        for odd in (None, ["x"], {"a": 1}, [[1]]):  # of another release, perhaps: let be
            live.loop.call_soon_threadsafe(live.app.state.manager.peers.bus._receive, odd_word(table["table"], odd), hear)
        assert page.act("a2-a3")["v"] == 1


@pytest.mark.long
def test_another_worker_takes_over_when_one_that_thinks_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    place = cluster.postgres.place()
    doomed = Process(tmp_path, more=("--database", place, "--bus", cluster.redis.url, "--pace", "10"))
    with cluster.workers(1, place=place) as (other,):
        table = other.table("forty_bridges", [{"kind": "computer", "level": "random"}, {"kind": "person"}])
        there = Page(doomed.url)
        there.say(t="hello", p=1, table=table["table"], tokens=[])
        there.hear("view")
        store: Any = other.store
        until(lambda: not store.lease(f"think:{table['table']}", "somebody else", 0))
        watcher = other.page(table)
        time.sleep(1)
        assert watcher.view["v"] == 0 and not log_of(other, table), "it is not this worker's turn"
        doomed.end(signal.SIGKILL)
        stopwatch = Stopwatch(os.getpid())
        while watcher.view["v"] == 0:
            watcher.hear("view")
        assert stopwatch.seconds() < peers.LEASE + peers.POLL + 3
        assert [event.by for event in log_of(other, table)] == ["random"]


def test_workers_that_are_restarted_one_after_another_lose_nothing(cluster: Cluster, tmp_path: Path) -> None:
    """SIGTERM: the socket is closed with 1012, and the person goes on at the other worker."""
    more = ("--database", cluster.postgres.place(), "--bus", cluster.redis.url)
    workers = [Process(tmp_path, more=more) for _ in range(2)]
    with cluster.workers(1, place=more[1]) as (other,):
        table = other.table("barricade", PEOPLE, board="mini")
        done, times = 0, []
        for turn in range(4):
            page = Page(workers[turn % 2].url)
            page.say(t="hello", p=1, table=table["table"], tokens=table["tokens"])
            page.hear("view")
            assert page.view["v"] >= done, "what was confirmed by the last one is there"
            for _ in range(5):
                page.act(page.view["choices"][0]["text"])
            done = page.view["v"]
            took, status, said = workers[turn % 2].end(signal.SIGTERM)
            assert page.closed() == 1012 and status == 0 and "Traceback" not in said, (status, said)
            times.append(took)
            workers[turn % 2] = Process(tmp_path, more=more)
        assert len([event for event in log_of(other, table) if event.by == "person" and "." not in event.key]) == 20
        assert min(times) < 3
    for worker in workers:
        worker.end(signal.SIGTERM)
