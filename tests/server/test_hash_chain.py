"""The chain through a table's log: whatever is changed in the file is noticed, and old files are brought up to it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.sqlite import FORMAT, Event, Store
from server.live import PEOPLE, Live, Page

OLD = """
create table game (
    id text primary key, body text not null, created real not null) strict, without rowid;
create table event (
    game text not null references game, version integer not null, key text not null, kind text not null,
    actor integer not null, action integer not null, by text not null, time real not null,
    primary key (game, version)) strict, without rowid;
create unique index event_key on event (game, key);
pragma user_version = 1;
"""
EVENTS = [Event(n, f"key {n}", "action", 0, n, "person", 1.5 * n, "{}") for n in (1, 2, 3)]
ROOT = hash_chain.first_link("ABCDE", "body")


def test_a_chain_follows_from_its_table_and_each_link_from_all_before() -> None:
    linked = hash_chain.chain_events(ROOT, EVENTS)
    assert hash_chain.find_broken_link(ROOT, linked) is None
    assert hash_chain.find_broken_link(hash_chain.first_link("ABCDE", "other"), linked) == 1
    assert hash_chain.chain_events(linked[-1].link, EVENTS)[0].link != hash_chain.chain_events(linked[-1].link, EVENTS)[0].link, (
        "nonces differ"
    )


def test_no_nonce_is_given_twice_in_whatever_thread() -> None:
    with ThreadPoolExecutor(4) as threads:
        linked = [event for made in threads.map(lambda _: hash_chain.chain_events(ROOT, EVENTS), range(200)) for event in made]
    assert {len(event.nonce) for event in linked} == {hash_chain.NONCE}
    assert len({event.nonce for event in linked}) == len(linked) == 600


@given(st.builds(Event, st.integers(), *[st.text()] * 2, *[st.integers()] * 2, st.text(), st.floats(0, 1e12), st.text()))
def test_what_is_chained_of_an_event_is_json_as_every_encoder_writes_it(event: Event) -> None:
    assert hash_chain.row(event) == json.dumps(event[: hash_chain.ROW], ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("field", [name for name in Event._fields if name != "version"])
def test_a_changed_field_breaks_the_chain_at_its_event(field: str) -> None:
    linked = hash_chain.chain_events(ROOT, EVENTS)
    old = getattr(linked[1], field)
    changed = linked[1]._replace(**{field: old + type(old)(1) if isinstance(old, int | float) else old + old[:1]})
    assert hash_chain.find_broken_link(ROOT, [linked[0], changed, linked[2]]) == 2


def test_a_missing_event_or_link_breaks_the_chain() -> None:
    linked = hash_chain.chain_events(ROOT, EVENTS)
    assert hash_chain.find_broken_link(ROOT, [linked[0], linked[2]]) == 2
    assert hash_chain.find_broken_link(ROOT, [linked[0], linked[1]._replace(nonce=b"", link=b""), linked[2]]) == 2


def test_a_table_whose_log_was_changed_is_refused_and_others_play_on(tmp_path: Path, own: Live) -> None:
    honest, forged = own.table(), own.table()
    for made in (honest, forged):
        own.page(made, 0, 1).act("a2-a3")
    own.stop()
    file = apsw.Connection(str(tmp_path / "bridgehead.sqlite"))
    file.execute("update event set by = 'greedy' where game = ?", (forged["table"],))
    file.close()
    own.start()
    page = Page(own.url)
    page.say(t="hello", p=1, table=forged["table"], tokens=[])
    assert "damaged" in page.hear("bye")["text"]
    assert own.page(honest, 0).view["v"] == 1


def test_a_file_of_format_1_is_brought_up_to_date_and_played_on(tmp_path: Path, own: Live) -> None:
    made = own.table(seats=PEOPLE)
    own.page(made, 0, 1).act("a2-a3")
    own.stop()
    file = apsw.Connection(str(tmp_path / "bridgehead.sqlite"))
    games = file.execute("select * from game").fetchall()
    events = file.execute("select game, version, key, kind, actor, action, by, time from event").fetchall()
    file.close()
    for each in tmp_path.glob("bridgehead.sqlite*"):
        each.unlink()
    file = apsw.Connection(str(tmp_path / "bridgehead.sqlite"))
    file.execute(OLD)
    file.executemany("insert into game values (?, ?, ?)", games)
    file.executemany("insert into event values (?, ?, ?, ?, ?, ?, ?, ?)", events)
    file.close()
    own.start()
    page = own.page(made, 0, 1)
    assert page.view["v"] == 1
    page.act(page.view["choices"][0]["text"])
    stored = own.store.events(made["table"])
    assert not stored[0].link and len(stored[1].link) == 32
    own.stop()
    assert Store(tmp_path / "bridgehead.sqlite").events(made["table"]) == stored
    assert apsw.Connection(str(tmp_path / "bridgehead.sqlite")).pragma("user_version") == FORMAT
