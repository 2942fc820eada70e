"""The classroom view of a server's host: all tables at once, one message, one pause; and what nobody else can do with it."""

from __future__ import annotations

import html
import secrets
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import languages
from bridgehead.server.http import rendering
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.run import _host_key
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import thinking_times
from server.live import PEOPLE, Live, Page, Serve
from server.test_proposals import agree, answer, ask, asked, first
from server.test_tournaments import Cup
from waiting import wait_for

KEY = "k" * 40


@pytest.fixture
def own(serve: Serve) -> Live:
    return serve(host_key=KEY)


def look(live: Live, known: dict[str, str] | None = None, boards: list[str] | None = None, **more: Any) -> dict[str, Any]:
    return live.ask("/api/class", {"key": KEY, "known": known or {}, "boards": boards or [], **more})


def do(live: Live, what: str, status: int = 200, key: str = KEY, **more: Any) -> dict[str, Any]:
    return live.ask("/api/class/act", {"key": key, "do": what, **more}, status)


def state(live: Live, table: dict[str, Any]) -> str:
    return str(next(each["state"] for each in look(live)["news"] if each["table"] == table["table"]))


def caught_up(page: Page) -> int:
    """How many messages a page has heard, when the server has nothing more for it."""
    page.say(t="ping", n=1)
    page.hear("pong")
    return len(page.heard)


def from_host(page: Page) -> list[str]:
    """What a page has heard from the host of the server by now."""
    caught_up(page)
    lines = [line for message in page.heard if message["t"] == "said" for line in message["lines"]]
    return [line["text"] for line in lines if line["seat"] == -2]


def test_the_host_sees_each_table_with_its_people_its_turn_and_its_board(own: Live) -> None:
    seats = [PEOPLE[0] | {"name": "Ada"}, PEOPLE[0] | {"name": "Ben"}]
    table = own.table(seats=seats)
    ada = own.page(table, 0)
    view = look(own)
    (shown,) = view["news"]
    assert view["order"] == [table["table"]] and view["all"] == 1
    assert [(each["name"], each["here"]) for each in shown["seats"]] == [("Ada", True), ("Ben", False)]
    assert (shown["actor"], shown["state"]) == (ada.view["actor"], "running") and 0 <= shown["waits"] < 600
    assert shown["items"] == ada.view["items"] and view["boards"][shown["board"]]["width"] > 0
    assert "token" not in str(view) and table["tokens"][1] not in str(view), "no seat can be taken with it"


def test_only_what_changed_is_sent_among_thirty_tables(own: Live) -> None:
    tables = [own.table() for _ in range(30)]
    pages = [own.page(table, 0, 1) for table in tables]
    all_of_them = look(own)
    assert len(all_of_them["news"]) == 30 and len(all_of_them["boards"]) == 1, "thirty tables, one board"
    known = {each["table"]: each["stamp"] for each in all_of_them["news"]}
    boards = list(all_of_them["boards"])
    assert look(own, known, boards)["news"] == []
    pages[7].act(first(pages[7]))
    again = look(own, known, boards)
    assert [each["table"] for each in again["news"]] == [tables[7]["table"]] and again["boards"] == {}
    assert len(again["order"]) == 30
    heard = [caught_up(page) for page in pages]
    assert do(own, "pause") == {"tables": 30, "failed": 0}
    for page in pages:
        page.until(lambda view: view.get("paused"))
    more = [caught_up(page) - 1 - before for page, before in zip(pages, heard, strict=True)]
    assert max(more) == 1, "one message a page"


def test_a_pause_of_all_stops_moves_and_clocks_until_the_host_lets_all_go_on(own: Live) -> None:
    clock = {"bank": 600, "increment": 0}
    table = own.http.post("/api/tables", json={"game": "forty_bridges", "seats": PEOPLE, "clock": clock}).json()
    both = own.page(table, 0, 1)
    both.act(first(both))
    action = both.view["choices"][0]["action"]
    assert both.view["clock"]["running"] is not None
    do(own, "pause")
    both.until(lambda view: view.get("paused"))
    assert "host" in both.view["paused"] and "choices" not in both.view and both.view["clock"]["running"] is None
    both.send_act(action)
    assert "The host has paused all tables." in both.refused("closed")["text"]
    assert do(own, "pause") == {"tables": 0, "failed": 0}, "nothing happens twice"
    assert do(own, "resume") == {"tables": 1, "failed": 0}
    both.until(lambda view: not view.get("paused"))
    both.act(first(both))


def test_a_computer_stops_at_a_table_that_the_host_has_paused_and_goes_on_after_a_restart(serve: Serve) -> None:
    slow = serve(host_key=KEY, bots=ComputerPlayers(pace=3600))
    table = slow.table(seats=[{"kind": "computer", "level": "greedy"}, PEOPLE[0]])
    person = slow.page(table, 1)
    thinking, room = slow.app.state.manager.computer_turns.thinking, slow.app.state.manager.rooms[table["table"]]
    wait_for(lambda: room in thinking)
    assert do(slow, "pause")["tables"] == 1
    person.until(lambda view: "host" in view.get("paused", ""))
    wait_for(lambda: room not in thinking)
    assert not room.table.match.log
    slow.stop()
    quick = serve(host_key=KEY)
    person = quick.page(table, 1)
    caught_up(person)
    thinking, room = quick.app.state.manager.computer_turns.thinking, quick.app.state.manager.rooms[table["table"]]
    assert "host" in person.view["paused"] and room not in thinking and not room.table.match.log
    do(quick, "resume")
    person.until(lambda view: view["actor"] == 1)
    assert room.table.match.log, "it has played"


def test_a_pause_of_the_people_stays_when_the_host_lets_all_go_on(own: Live) -> None:
    table = own.table()
    ada, ben = own.page(table, 0), own.page(table, 1)
    agree(ada, ben, "pause")
    do(own, "pause")
    ada.until(lambda view: "host" in view.get("paused", ""))
    assert state(own, table) == "held" and ada.view["may"] == []
    ask(ada, "resume")
    assert "host" in ada.refused("closed")["text"], "its people cannot end the pause of the host"
    do(own, "resume")
    ada.until(lambda view: view.get("paused") and "host" not in view["paused"])
    assert state(own, table) == "paused" and "resume" in ada.view["may"]
    ben.until(lambda view: view.get("paused") and "host" not in view["paused"])
    agree(ada, ben, "resume")
    assert state(own, table) == "running"


def test_a_proposal_that_was_open_waits_until_the_host_lets_all_go_on(own: Live) -> None:
    table = own.table()
    ada, ben = own.page(table, 0), own.page(table, 1)
    ask(ada, "pause")
    asked(ada, ben)
    do(own, "pause")
    ben.until(lambda view: view.get("paused"))
    answer(ben, True)
    assert "host" in ben.refused("closed")["text"]
    do(own, "resume")
    ben.until(lambda view: not view.get("paused"))
    answer(ben, True)
    ben.until(lambda view: view.get("paused"))
    assert state(own, table) == "paused"


def test_a_pause_and_a_message_survive_a_restart(tmp_path: Path, serve: Serve) -> None:
    before = Live(tmp_path, host_key=KEY)
    table = before.table()
    both = before.page(table, 0, 1)
    both.act(first(both))
    do(before, "pause")
    do(before, "say", k=secrets.token_hex(16), text="Back after the break")
    before.stop()
    after = serve(host_key=KEY)
    assert state(after, table) == "held", "nobody has come back yet"
    both = after.page(table, 0, 1)
    assert "host" in both.view["paused"]
    assert from_host(both) == ["Back after the break"]
    assert do(after, "resume")["tables"] == 1
    both.until(lambda view: not view.get("paused"))


def test_a_message_reaches_every_table_once_although_its_chat_is_off(own: Live) -> None:
    tables = [own.table(), own.table()]
    pages = [own.page(table, 0, host=True) for table in tables]
    pages[1].say(t="house", k=secrets.token_hex(16), chat=False)
    pages[1].hear("ack")
    key = secrets.token_hex(16)
    for _ in range(2):  # the answer was lost, so the page sends it again
        assert do(own, "say", k=key, text="Ten\u202e minutes") == {"tables": 2, "failed": 0}
    for page in pages:
        assert from_host(page) == ["Ten minutes"], "without the character that turns the text around"


def test_nobody_without_the_key_sees_or_does_anything(own: Live, live: Live) -> None:
    table = own.table()
    guest = own.page(table, 0, 1)
    for key in ("", "k" * 39, "k" * 41, table["host"], table["tokens"][0]):
        assert own.http.post("/api/class", json={"key": key}).status_code == 403
        for what in ("pause", "resume", "say", "close", "merge", "swap"):
            assert "key" in do(own, what, 403, key, text="Free ice cream")["error"]
    for forged in ("ключ", "k" * 500, None, 7):
        assert own.http.post("/api/class", json={"key": forged}).status_code == 400
    assert own.http.get("/api/class", params={"key": KEY}).status_code == 405, "the key is never in an address"
    guest.act(first(guest))
    assert from_host(guest) == [] and state(own, table) == "running"
    off = live.http.post("/api/class", json={"key": ""})
    assert off.status_code == 403 and "BRIDGEHEAD_HOST_KEY" in off.json()["error"], "a server without a key opens to nobody"


def test_too_many_too_long_and_empty_messages_are_refused_in_words(own: Live) -> None:
    page = own.page(own.table(), 0)
    fresh = lambda: secrets.token_hex(16)  # noqa: E731
    assert do(own, "say", 400, k=fresh(), text="x" * 301)["where"] == "$.text"
    assert "Write something" in do(own, "say", 400, k=fresh(), text=" \u200b ")["error"]
    answers = [own.http.post("/api/class/act", json={"key": KEY, "do": "say", "k": fresh(), "text": f"{n}"}) for n in range(9)]
    assert [each.status_code for each in answers] == [200] * 6 + [400] * 3
    assert "At most 6 messages" in answers[-1].json()["error"]
    assert from_host(page) == [str(n) for n in range(6)]


def test_the_key_is_made_once_beside_the_tables_and_read_by_its_owner_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRIDGEHEAD_HOST_KEY", raising=False)
    file = tmp_path / "bridgehead.sqlite"
    key = _host_key(file)
    assert len(key) == 43 and _host_key(file) == key and (tmp_path / "host.key").stat().st_mode & 0o077 == 0
    (tmp_path / "host.key").write_text("", "ascii")
    assert len(_host_key(file)) == 43, "an empty file is no key"
    assert (tmp_path / "host.key").stat().st_mode & 0o077 == 0
    (tmp_path / "host.key").write_text("short", "ascii")
    assert _host_key(file) == "" == _host_key(None), "a damaged key opens nothing, and a database has none unless it is given"
    monkeypatch.setenv("BRIDGEHEAD_HOST_KEY", "g" * 24)
    assert _host_key(file) == _host_key(None) == "g" * 24
    monkeypatch.setenv("BRIDGEHEAD_HOST_KEY", "g" * 23)
    with pytest.raises(BridgeheadError, match="24 to 128"):
        _host_key(file)


def test_the_pause_of_the_host_counts_for_no_thinking_time_also_across_one_of_the_people() -> None:
    kinds = ("action", "pause", "hold", "resume", "release", "action")
    events = [Event(n, "", kind, 0, 1, "person", 10.0 * n) for n, kind in enumerate(kinds, 1)]
    assert list(thinking_times.spans(events)) == [(0, 20.0)], "ten seconds before the pauses and ten after them"


def test_the_host_pauses_and_addresses_one_table_alone(own: Live) -> None:
    one, other = own.table(), own.table()
    pages = [own.page(each, 0) for each in (one, other)]
    assert do(own, "pause", table=one["table"]) == {"tables": 1, "failed": 0}
    assert (state(own, one), state(own, other)) == ("held", "running")
    assert do(own, "say", k=secrets.token_hex(16), text="Your turn, Ada", table=other["table"])["tables"] == 1
    assert (from_host(pages[0]), from_host(pages[1])) == ([], ["Your turn, Ada"])
    assert do(own, "resume", table=other["table"])["tables"] == 0
    assert do(own, "resume", table=one["table"])["tables"] == 1 and state(own, one) == "running"
    assert do(own, "pause", table="Z" * 22)["tables"] == 0
    do(own, "pause", 400, table="../x")


def test_a_table_of_a_tournament_has_its_number_before_the_host(own: Live) -> None:
    made = own.ask("/api/tournaments", {"name": "Class 7b", "game": "forty_bridges", "kind": "arena"}, 201)
    path = f"/api/tournaments/{made['id']}"
    tokens = [own.ask(f"{path}/entrants", {"name": name}, 201)["token"] for name in ("Ada", "Ben")]
    [game] = own.ask(path, {"do": "start", "host": made["host"]})["games"]
    plain = own.table()
    for table in (plain, {"table": game["table"], "tokens": [tokens[each] for each in game["seats"]]}):
        own.page(table, 0)
    shown = {each["table"]: (each["club"], each["number"]) for each in look(own)["news"]}
    assert sorted(shown.values()) == [("", 0), ("Class 7b", 1)] and shown[plain["table"]] == ("", 0)


@pytest.mark.parametrize("language", languages())
def test_a_page_of_the_server_says_what_is_kept_about_children_and_names_its_buttons(live: Live, language: str) -> None:
    page = live.http.get("/children", headers={"accept-language": language}).text
    assert "90" in page and "{" not in page[page.index("<main") : page.index("</main")]
    for button in ("cups.listed", "cup.delete", "desk.old", "cup.json", "class"):
        assert html.escape(rendering.WORDS.text(button, language)) in page
    for path in ("/class", "/tournaments", f"/tournament/{Cup(live).id}"):
        assert 'href="/children"' in live.http.get(path).text
