"""A database as what keeps the log: lost connections, lost answers, crashes, other databases, leases."""

import asyncio
import secrets
import threading
import time
from typing import Any

import psycopg
import pytest

from bridgehead.fairness import signatures
from bridgehead.server.rooms.chat import OPEN, Chat, ChatMessage
from bridgehead.server.rooms.room import Peers, Tasks
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import Conflict, Event, EventLog, StorageError
from bridgehead.server.storage.postgres import PostgresStore
from server.live import Serve
from server.servers import Postgres
from server.test_chat import after, heard, speak
from server.test_stores import event, with_store
from waiting import SOON

pytestmark = pytest.mark.wide


def test_connections_that_are_ended_in_the_middle_lose_and_double_nothing(postgres: Postgres) -> None:
    name = secrets.token_hex(8)
    place = postgres.database(name)
    over = threading.Event()
    cut = []

    def cutting() -> None:
        while not over.wait(0.05):
            cut.append(postgres.hang_up(name))

    async def work(store: EventLog) -> int:
        for table in "ABCD":
            await store.create(table, "body", [])
        thread = threading.Thread(target=cutting)
        thread.start()
        try:
            await asyncio.gather(*(play(store, table) for table in "ABCD"))
        finally:
            over.set()
            thread.join()
        return sum(len(store.events(table)) for table in "ABCD")

    async def play(store: EventLog, table: str) -> None:
        head = b""
        for version in range(1, 401, 2):
            events = hash_chain.chain_events(head, [event(version), event(version + 1)])
            await store.append(table, events)  # a Conflict would fail the test: nobody else writes
            head = events[-1].link
            assert (await asyncio.to_thread(store.events, table, version - 1)) == events

    assert with_store(place, work) == 1600
    assert sum(cut) > 5, cut


def test_a_commit_whose_answer_was_lost_is_looked_up_not_repeated(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection ends after the server has committed, before we hear of it; and before it has."""
    place = postgres.place()

    async def work(store: EventLog) -> None:
        assert isinstance(store, PostgresStore)
        offer = PostgresStore._offer

        def lost_after(self: PostgresStore, jobs: Any, unsure: bool) -> Any:
            results = offer(self, jobs, unsure)
            if not unsure:
                self._writer.execute("commit")
                self._writer.close()
                raise psycopg.OperationalError("lost after the commit")
            return results

        def lost_before(self: PostgresStore, jobs: Any, unsure: bool) -> Any:
            results = offer(self, jobs, unsure)
            if not unsure:
                self._writer.close()
                raise psycopg.OperationalError("lost before the commit")
            return results

        def lost_unnoticed(self: PostgresStore, jobs: Any, unsure: bool) -> Any:
            results = offer(self, jobs, unsure)
            if not unsure:
                raise psycopg.OperationalError("connection socket closed")  # and psycopg does not hold it for closed
            return results

        for number, lost in enumerate((lost_after, lost_before, lost_unnoticed)):
            monkeypatch.setattr(PostgresStore, "_offer", lost)
            table = f"T{number}"
            await store.create(table, "body", hash_chain.chain_events(b"", [event(1)]))
            await store.append(table, hash_chain.chain_events(b"", [event(2), event(3)]))
            monkeypatch.setattr(PostgresStore, "_offer", offer)
            with pytest.raises(Conflict):
                await store.append(table, hash_chain.chain_events(b"", [event(2), event(3)]))
            with pytest.raises(Conflict):
                await store.create(table, "another", [])
            assert [each.version for each in store.events(table)] == [1, 2, 3]

    with_store(place, work)


@pytest.mark.parametrize("committed", [True, False])
def test_a_line_whose_commit_was_lost_is_said_once(
    committed: bool, postgres: Postgres, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection ends in the middle of writing down what was said, after the database has it or before."""
    live = serve(store=PostgresStore(postgres.place()))
    table = live.table()
    ada, ben = after(live.page(table, 0)), after(live.page(table, 1))
    offer, lost = PostgresStore._offer, []

    def lose_once(self: PostgresStore, jobs: Any, unsure: bool) -> Any:
        results = offer(self, jobs, unsure)
        if not lost and any(job.beside for job in jobs):
            lost.append(jobs)
            if committed:
                self._writer.execute("commit")
            self._writer.close()
            raise psycopg.OperationalError("lost in the middle of a commit")
        return results

    monkeypatch.setattr(PostgresStore, "_offer", lose_once)
    assert speak(ada, "Hello")["t"] == "ack" and lost
    assert speak(ada, "Goodbye")["t"] == "ack"
    for page in (after(ada), after(ben), after(live.page(table))):
        assert [each["text"] for each in heard(page)] == ["Hello", "Goodbye"]


def test_what_was_said_under_an_older_release_is_kept_and_goes_on(postgres: Postgres) -> None:
    old = secrets.token_hex(8)
    PostgresStore(postgres.database(old)).close()
    postgres.ask(old, "drop index said_key")
    postgres.ask(old, "alter table said drop column key")

    async def work(store: EventLog) -> Any:
        await store.create("A", "body", [])
        assert await Chat(store, Peers(), Tasks())._keep("A", "k", ChatMessage(0.5, 0, OPEN, "Hello", ""))
        assert not await Chat(store, Peers(), Tasks())._keep("A", "k", ChatMessage(0.75, 0, OPEN, "Hello", ""))
        return store.read("select time from said where game = ?", "A")

    for _ in range(2):
        PostgresStore(postgres.url(old)).close()
    assert with_store(postgres.url(old), work) == [(0.5,)]


def test_another_workers_event_is_not_taken_for_ours_after_a_lost_commit(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = postgres.place()

    async def work(store: EventLog) -> list[Event]:
        theirs = hash_chain.chain_events(b"", [event(1)])
        await store.create("A", "body", theirs)
        offer, lost = PostgresStore._offer, []

        def lose_once(self: PostgresStore, jobs: Any, unsure: bool) -> Any:
            if not lost:
                lost.append(self._writer.close())
                raise psycopg.OperationalError("lost")
            return offer(self, jobs, unsure)

        monkeypatch.setattr(PostgresStore, "_offer", lose_once)
        with pytest.raises(Conflict):
            await store.append("A", hash_chain.chain_events(b"", [event(1)]))  # the same key and version, of another attempt
        assert lost
        return store.events("A") if store.events("A") == theirs else []

    assert with_store(place, work)


def test_a_database_that_crashes_and_comes_back_has_kept_what_was_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Postgres()
    place = own.database("crash")

    async def work(store: EventLog) -> None:
        assert isinstance(store, PostgresStore)
        await store.create("A", "body", [event(1)])
        store._patience = 60
        await asyncio.to_thread(own.kill)
        waiting = asyncio.create_task(store.append("A", [event(2)]))
        await asyncio.sleep(0.3)
        assert not waiting.done(), "while the database is away nothing is confirmed, and nothing refused at once"
        await asyncio.to_thread(own.start)
        await waiting
        assert store.events("A") == [event(1), event(2)]
        await asyncio.to_thread(own.kill)
        store._patience = 0.3
        begun = time.monotonic()
        with pytest.raises(StorageError, match="not available"):
            await store.append("A", [event(3)])
        assert time.monotonic() - begun < SOON
        await asyncio.to_thread(own.start)
        await store.append("A", [event(3)])
        assert store.events("A") == [event(1), event(2), event(3)]

    try:
        with_store(place, work)
    finally:
        own.stop()


def test_what_is_signed_with_may_be_kept_outside_of_the_database(postgres: Postgres) -> None:
    place, key = postgres.place(), b"k" * 32
    given, other = PostgresStore(place, key=key), PostgresStore(place)
    assert given.key == key and given.shown == signatures.public_key(key).hex() != other.shown
    given.close()
    other.close()


@pytest.mark.parametrize("value", ["off", "local", "remote_write"])
def test_a_database_that_may_forget_what_it_confirmed_is_refused(value: str, postgres: Postgres) -> None:
    with pytest.raises(StorageError, match=f"synchronous_commit = {value}"):
        PostgresStore(f"{postgres.url('postgres')}?options=-c%20synchronous_commit%3D{value}")


def test_a_database_that_is_not_ours_or_of_another_release_is_refused_and_left_alone(postgres: Postgres) -> None:
    theirs, old = secrets.token_hex(8), secrets.token_hex(8)
    postgres.database(theirs)
    postgres.ask(theirs, "create table game (x int)")
    with pytest.raises(StorageError, match="something else"):
        PostgresStore(postgres.url(theirs))
    assert postgres.ask(theirs, "select count(*) from pg_tables where schemaname = 'public'") == [(1,)]
    PostgresStore(postgres.database(old)).close()
    postgres.ask(old, "update bridgehead set format = 1")
    with pytest.raises(StorageError, match="format 1"):
        PostgresStore(postgres.url(old))
    with pytest.raises(StorageError, match="cannot be kept") as refused:
        PostgresStore("postgresql://me:a-secret@127.0.0.1:1/nothing")
    assert "a-secret" not in str(refused.value)


def test_workers_that_start_together_make_the_tables_once(postgres: Postgres) -> None:
    place = postgres.place()
    stores: list[PostgresStore] = []
    threads = [threading.Thread(target=lambda: stores.append(PostgresStore(place))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 6
    for store in stores:
        store.close()


def test_a_job_is_leased_to_one_until_it_lets_go_or_its_time_is_over(postgres: Postgres) -> None:
    async def work(store: EventLog) -> None:
        assert isinstance(store, PostgresStore)
        assert store.lease("think:A", "me", 30) and store.lease("think:A", "me", 30)
        assert not store.lease("think:A", "you", 30) and store.lease("think:B", "you", 30)
        store.release("think:A", "you")
        assert not store.lease("think:A", "you", 30)
        store.release("think:A", "me")
        assert store.lease("think:C", "me", 30) and store.lease("think:D", "me", 30)
        store.release_all("me")
        assert store.lease("think:C", "you", 30) and store.lease("think:D", "you", 30) and not store.lease("think:B", "me", 30)
        assert store.lease("think:A", "you", 0.05)
        await asyncio.sleep(0.1)
        assert store.lease("think:A", "me", 30)

    with_store(postgres.place(), work)


def test_what_is_newer_than_what_is_known_is_found_for_many_tables_at_once(postgres: Postgres) -> None:
    async def work(store: EventLog) -> None:
        assert isinstance(store, PostgresStore)
        for table in "ABC":
            await store.create(table, "body", [event(version) for version in (1, 2, 3)])
        assert store.newer({"A": 3, "B": 1, "C": 9, "D": 0}) == {"B": [event(2), event(3)]}
        assert store.newer({}) == {}

    with_store(postgres.place(), work)
