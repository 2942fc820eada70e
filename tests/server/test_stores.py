"""What keeps the log: a file of SQLite and a database of PostgreSQL promise the same."""

import asyncio
import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import apsw
import pytest

from bridgehead.server.rooms.chat import KEPT, OPEN, WATCHER, Chat, ChatMessage
from bridgehead.server.rooms.room import Peers, Tasks
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import Conflict, Event, EventLog, StorageError
from bridgehead.server.storage.postgres import PostgresStore
from bridgehead.server.storage.sqlite import Store
from server.live import Serve
from server.test_chat import FOUR, after, heard, speak
from server.test_lobby import enter, listed
from server.test_seats import come, decide
from waiting import apart

Open = Callable[[], EventLog]


def opened(place: str | Path) -> Any:
    """The log in a file, or in a database by its address."""
    return PostgresStore(str(place)) if "://" in str(place) else Store(Path(place))


def event(version: int, key: str = "", **more: Any) -> Event:
    plain = Event(version, key or f"{version:032x}", "action", 0, 7, "person", 0.125)
    return plain._replace(**more)


def with_store(place: str | Path, work: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine function over a store, and close it."""

    async def main() -> Any:
        store = opened(place)
        try:
            return await work(store)
        finally:
            store.close()

    return apart(main())


def test_what_was_appended_is_there_after_opening_again(place: str) -> None:
    written = hash_chain.chain_events(
        b"root", [event(1), event(2, action=-1, actor=-1, body='{"a":1}'), event(3, time=1763769600.123456)]
    )

    async def write(store: EventLog) -> None:
        await store.create("A", "body", written[:1])
        await store.append("A", written[1:])

    async def read(store: EventLog) -> Any:
        return store.body("A"), store.events("A"), store.events("A", 2), store.body("B"), store.events("B")

    with_store(place, write)
    assert with_store(place, read) == ("body", written, written[2:], None, [])


def test_a_version_or_a_key_is_stored_once_and_a_failed_job_spoils_no_other(place: str) -> None:
    async def work(store: EventLog) -> list[Any]:
        await store.create("A", "body", [])
        await store.create("B", "body", [])
        jobs = [
            store.append("A", [event(1)]),
            store.append("A", [event(1, "other")]),
            store.append("A", [event(2), event(3, event(1).key)]),
            store.append("A", [event(1), event(2, "new")]),
            store.append("B", [event(1)]),
            store.create("A", "again", [event(9)]),
            store.create("C", "one", []),
            store.create("C", "two", [event(1)]),
            store.append("no such table", [event(1)]),
            store.append("B", [event(2**80)]),
            store.append("B", [event(2, body="\ud800")]),
        ]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        logs = [store.events(each) for each in "ABC"]
        return [[type(each) for each in results], logs, store.body("A"), store.body("C")]

    fine, refused, bad = type(None), Conflict, StorageError
    results, logs, a, c = with_store(place, work)
    assert results == [fine, refused, refused, refused, fine, refused, fine, refused, refused, bad, bad]
    assert logs == [[event(1)], [event(1)], []]
    assert (a, c) == ("body", "one")


@pytest.mark.wide
def test_many_jobs_at_once_are_stored_in_few_statements_and_a_wrong_one_alone_is_not(tmp_path: Path) -> None:
    async def write(store: EventLog) -> tuple[int, list[BaseException | None]]:
        await asyncio.gather(*(store.create(f"T{n}", "body", []) for n in range(100)))
        asked: list[str] = []
        store._writer.set_exec_trace(lambda _, sql, values: asked.append(sql) or True)  # type: ignore[attr-defined]
        await asyncio.gather(*(store.append(f"T{n}", [event(1), event(2)]) for n in range(100)))
        few = len(asked)
        again = (store.append(f"T{n}", [event(1 if n == 50 else 3)]) for n in range(100))
        return few, await asyncio.gather(*again, return_exceptions=True)

    file = str(tmp_path / "log.sqlite")
    few, errors = with_store(file, write)
    assert few < 40, "100 jobs, not four statements each"
    assert [n for n, error in enumerate(errors) if error is not None] == [50] and isinstance(errors[50], Conflict)
    store = opened(file)
    assert [[each.version for each in store.events(f"T{n}")] for n in range(100)] == [
        [1, 2] if n == 50 else [1, 2, 3] for n in range(100)
    ]
    store.close()


@pytest.mark.wide
def test_texts_come_back_as_they_were(place: str) -> None:
    strange = ["ﷺ\u202eevil\u0301", "👩‍👩‍👧‍👦", "\\u0000 '); drop table event; --", '{"n":"%s %(x)s"}', "\r\n\t\x7f"]
    strange += ["Ａ" * 5000, "\ufeff\uffff\U0010ffff"]
    events = [event(n, key=text[:20], by=text, body=text, kind=text) for n, text in enumerate(strange, start=1)]

    async def work(store: EventLog) -> Any:
        await store.create("Ü", "\n".join(strange), events)
        return store.body("Ü"), store.events("Ü"), store.events("ü")

    assert with_store(place, work) == ("\n".join(strange), events, [])


@pytest.mark.wide
def test_a_long_log_comes_back_whole_and_in_order(place: str) -> None:
    async def work(store: EventLog) -> Any:
        await store.create("A", "body", [])
        for start in range(1, 20_001, 5000):
            await store.append("A", [event(version) for version in range(start + 4999, start - 1, -1)])
        return store.events("A"), store.events("A", 19_998)

    every, last = with_store(place, work)
    assert every == [event(version) for version in range(1, 20_001)]
    assert last == [event(19_999), event(20_000)]


@pytest.mark.wide
def test_a_closed_store_refuses_and_what_was_queued_before_is_kept(place: str) -> None:
    async def work(store: EventLog) -> Any:
        await store.create("A", "body", [])
        queued = asyncio.gather(*(store.append("A", [event(version)]) for version in range(1, 200)))
        await asyncio.sleep(0)
        await asyncio.to_thread(store.close)
        with pytest.raises(StorageError):
            await store.append("A", [event(200)])
        with pytest.raises(StorageError):
            store.events("A")
        return await queued

    async def main() -> None:
        await work(opened(place))
        again = opened(place)
        assert again.events("A") == [event(version) for version in range(1, 200)]
        again.close()

    apart(main())


RACER = """
import asyncio, sys
from server.test_stores import opened, event
from bridgehead.server.storage.event_log import Conflict

async def race(place, me):
    store = opened(place)
    print("ready", flush=True)
    for line in sys.stdin:
        version = int(line)
        events = [event(version, f"{me}{version}"), event(version + 1, f"{me}{version}.1")]
        try:
            await store.append("A", events[: 1 if version % 3 else 2])
            print("won", flush=True)
        except Conflict:
            store.events("A")  # as a server that has lost does
            print("lost", flush=True)
    store.close()

asyncio.run(race(sys.argv[1], sys.argv[2]))
"""


def race(place: str, number: int) -> None:
    """Two processes race for every version of one log; of each, exactly one wins, and says so truly."""
    with_store(place, lambda store: store.create("A", "body", []))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    racers = {
        me: subprocess.Popen([sys.executable, "-c", RACER, place, me], stdin=-1, stdout=-1, text=True, bufsize=1, env=env)
        for me in "xy"
    }
    for racer in racers.values():
        assert racer.stdout is not None and racer.stdout.readline() == "ready\n"
    won: list[tuple[str, int]] = []
    version = 1
    while version <= number:
        for me in "xy" if len(won) % 2 else "yx":
            print(version, file=racers[me].stdin)
        told = {me: racer.stdout.readline().strip() for me, racer in racers.items() if racer.stdout is not None}
        assert sorted(told.values()) == ["lost", "won"], (version, told)
        won += [(me, version) for me in "xy" if told[me] == "won"]
        version += 1 if version % 3 else 2
    for racer in racers.values():
        assert racer.communicate(timeout=280) == ("", None) and racer.returncode == 0
    store = opened(place)
    log = store.events("A")
    store.close()
    assert [each.version for each in log] == list(range(1, version))
    assert [(each.key[0], each.version) for each in log if "." not in each.key] == won
    seconds = [each for each in log if each.key.endswith(".1")]
    assert all(log[each.version - 2].key + ".1" == each.key for each in seconds), "a decision and its chance stay together"
    assert {me for me, _ in won} == set("xy"), "both are in the race"


@pytest.mark.wide
def test_of_two_processes_that_append_the_same_version_exactly_one_wins(place: str) -> None:
    race(place, 300)


@pytest.mark.long
def test_of_two_processes_that_append_the_same_version_exactly_one_wins_ten_thousand_times(place: str) -> None:
    race(place, 10_000)


@pytest.mark.wide
def test_what_is_said_is_numbered_once_by_all_who_write_and_kept_by_channel(place: str) -> None:
    """Two servers write at once; a hundred lines of each channel stay, and the talk of all pushes out none of a team's."""

    async def work(store: EventLog) -> Any:
        other = opened(place)
        try:
            await store.create("A", "body", [])
            await store.create("B", "body", [])
            one, two = Chat(store, Peers(), Tasks()), Chat(other, Peers(), Tasks())
            for number in range(3):
                await one._keep("A", f"{number}", ChatMessage(0.125, 2, 1, f"{number} ﷺ '); -- %s ? \u202e👩‍👩‍👧‍👦", ""))
            await two._keep("B", "b", ChatMessage(0.25, WATCHER, OPEN, "", "nice"))
            lines = [ChatMessage(1763769600.123456, 0, OPEN, str(number), "") for number in range(KEPT + 20)]
            await asyncio.gather(*(chat._keep("A", secrets.token_hex(8), line) for chat in (one, two) for line in lines))
            with pytest.raises(StorageError):
                await one._keep("no such table", "c", lines[0])
            query = "select number, time, seat, channel, text, react from said where game = ? order by number"
            return store.read(query, "A"), other.read(query, "A"), store.read(query, "B")
        finally:
            other.close()

    here, there, elsewhere = with_store(place, work)
    assert here == there and len({row[0] for row in here}) == len(here) == KEPT + 3
    assert [ChatMessage(*row[1:]).text[0] for row in here[:3]] == ["0", "1", "2"] and here[0][4].endswith("👩‍👩‍👧‍👦")
    kept = [ChatMessage(*row[1:]) for row in here[3:]]
    assert {line[:3] for line in kept} == {(1763769600.123456, 0, OPEN)}
    assert elsewhere == [(1, 0.25, WATCHER, OPEN, "", "nice")]


@pytest.mark.wide
def test_what_was_said_in_a_file_of_an_older_release_is_kept_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "log"
    Store(file).close()
    with apsw.Connection(str(file)) as old:
        old.execute("drop index said_key; alter table said drop column key")
        old.execute("insert into game values ('A', '{}', 0); insert into said values ('A', 1, 0.25, 0, -1, 'before', '')")

    async def work(store: EventLog) -> Any:
        chat = Chat(store, Peers(), Tasks())
        assert [await chat._keep("A", "k", ChatMessage(at, 0, OPEN, "now", "")) for at in (0.5, 0.75)] == [True, False]
        return store.read("select time, text from said where game = ? order by number", "A")

    assert with_store(str(file), work) == with_store(str(file), work) == [(0.25, "before"), (0.5, "now")]


@pytest.mark.wide
def test_people_meet_and_talk_whatever_keeps_it(place: str, serve: Serve) -> None:
    live = serve(store=opened(place))
    table = live.table("barricade", [*FOUR[:3], {"kind": "person", "open": True}], teams="0,2/1,3")
    host, second = live.page(table, 0, host=True), live.page(table, 1)
    enter(host)
    assert speak(host, "for the team", "team")["t"] == speak(second, "for all")["t"] == "ack"
    host.socket.close()
    live.stop()
    live = serve(store=opened(place))
    [shown] = listed(live)
    assert shown["table"] == table["table"] and shown["seats"][3]["free"]
    mate, rival = after(live.page(table, 2)), after(live.page(table, 1))
    assert [[line["text"] for line in heard(page)] for page in (mate, rival)] == [["for the team", "for all"], ["for all"]]
    guest = come(live, table["table"])
    decide(guest, 3, "claim")
    after(guest)
    assert listed(live) == []


# PostgreSQL alone
