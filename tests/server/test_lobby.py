"""The lobby, and the tables that a browser knows: what is listed, for how long, and what is told to whom."""

import secrets
from typing import Any

import pytest

from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.rooms import lobby
from server.clubs import one_move, resigned
from server.live import PEOPLE, Live, Page, Serve
from server.test_seats import OPEN, come, decide, until


def listed(live: Live) -> list[dict[str, Any]]:
    return live.http.get("/api/lobby").json()["tables"]


def enter(page: Page, wanted: bool = True) -> None:
    """Put a table on the list, or take it off."""
    page.say(t="house", k=secrets.token_hex(16), listed=wanted)
    page.hear("ack")
    until(page, lambda it: it.people["listed"] == wanted)
    synced(page)


def synced(page: Page) -> None:
    """Wait until everything that a page has caused is done."""
    page.say(t="ping", n=1)
    page.hear("pong")


def test_a_table_is_listed_by_its_host_and_until_it_is_full(own: Live) -> None:
    table = own.table(seats=OPEN, quietLimit=7)
    host = own.page(table, 0, host=True)
    assert listed(own) == [], "tables are private until their hosts say otherwise"
    enter(host)
    [shown] = listed(own)
    assert shown["table"] == table["table"] and shown["game"] == "forty_bridges" and shown["age"] < 60
    assert "Quiet limit: 7" in shown["rules"]["en"] and [seat["free"] for seat in shown["seats"]] == [False, True]
    secret = [*table["tokens"], table["host"]]
    assert shown["seats"][0]["name"] == "Ada" and all(each not in str(shown) for each in secret)
    enter(host, False)
    assert listed(own) == []
    enter(host)
    guest = come(own, table["table"])
    decide(guest, 1, "claim")
    synced(guest)
    assert listed(own) == []


def test_a_listed_table_whose_game_is_over_is_listed_no_more(own: Live) -> None:
    table = own.table(seats=OPEN, quietLimit=2)
    host = own.page(table, 0, host=True)
    enter(host)
    decide(host, 1, "computer", level="random")
    synced(host)
    assert listed(own) == [], "no seat is free"
    decide(host, 1, "open")
    synced(host)
    assert len(listed(own)) == 1 and listed(own)[0]["seats"][1]["free"]
    host.act("a2-a3")
    until(host, lambda it: it.view["outcome"])
    synced(host)
    assert listed(own) == []


def test_the_list_ends_by_time_has_bounds_and_is_the_same_after_a_restart(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    hosts = []
    for _ in range(lobby.OF_ONE):
        hosts.append(own.page(own.table(seats=OPEN), 0, host=True))
        enter(hosts[-1])
    more = own.page(own.table(seats=OPEN), 0, host=True)
    more.say(t="house", k=secrets.token_hex(16), listed=True)
    more.refused("closed")
    before = [table["table"] for table in listed(own)]
    assert len(before) == lobby.OF_ONE
    own.restart()
    assert [table["table"] for table in listed(own)] == before
    now = lobby.time.time()
    monkeypatch.setattr(lobby.time, "time", lambda: now + lobby.EMPTY + 60)
    assert listed(own) == [], "their people have gone"


def test_a_name_full_of_markup_stays_a_text_in_the_list(own: Live) -> None:
    table = own.table(seats=[{"kind": "person", "name": "<img src=x onerror=hurt>"}, {"kind": "person", "open": True}])
    enter(own.page(table, 0, host=True))
    answer = own.http.get("/api/lobby")
    assert answer.headers["content-type"] == "application/json" and "<img src=x onerror=hurt>" in answer.text
    page = own.http.get("/lobby")
    assert page.status_code == 200 and "onerror" not in page.text


def test_the_tables_of_a_browser_say_whose_turn_it_is_and_only_to_its_seats(own: Live) -> None:
    table, other = own.table(), own.table(seats=PEOPLE)
    own.page(other, 0, 1).act("a2-a3")
    asked = [
        {"table": table["table"], "tokens": table["tokens"][:1]}, {"table": other["table"], "tokens": other["tokens"][:1]},
        {"table": other["table"], "tokens": [table["tokens"][1]]}, {"table": "QQQQQ"},
    ]  # fmt: skip
    told = own.http.post("/api/mine?lang=de", json={"tables": asked}).json()["tables"]
    assert [(each["table"], each["turn"], each["over"], each["seats"]) for each in told] == [
        (table["table"], True, False, 1), (other["table"], False, False, 1), (other["table"], False, False, 0),
    ]  # fmt: skip
    assert "zieht" in told[0]["prompt"] or "Zug" in told[0]["prompt"] or told[0]["prompt"]
    assert all(token not in str(told) for token in table["tokens"] + other["tokens"])


def test_asking_for_tables_is_bounded(serve: Serve) -> None:
    own = serve(Limits(misses=5, mine=6))
    table = own.table()
    too_many = [{"table": "ABCDE"}] * 21
    assert own.http.post("/api/mine", json={"tables": too_many}).status_code == 400
    guesses = [{"table": f"QQQQ{letter}"} for letter in "ABCDEFGH"]
    assert own.http.post("/api/mine", json={"tables": guesses}).status_code == 429
    for tokens, status in (([], 429), (table["tokens"][:1], 200)):
        asked = {"tables": [{"table": table["code"], "tokens": tokens}]}
        assert own.http.post("/api/mine", json=asked).status_code == status, "after wrong codes only a seat's token helps"
    assert [own.http.post("/api/mine", json={"tables": []}).status_code for _ in range(4)][-1] == 429


# Running games to watch


def to_watch(live: Live, seats: list[dict[str, Any]] = PEOPLE) -> dict[str, Any]:
    """A new table whose game anybody may watch."""
    return live.ask("/api/tables", {"game": "forty_bridges", "seats": seats, "public": True}, 201)


def public(page: Page, wanted: bool = True) -> None:
    """Let anybody find a table's game, or end that."""
    page.say(t="house", k=secrets.token_hex(16), public=wanted)
    page.hear("ack")
    until(page, lambda it: it.people["public"] == wanted)
    synced(page)


def test_a_game_is_found_by_watchers_only_if_its_table_says_so_and_while_it_runs(own: Live) -> None:
    private, shown = own.table(), to_watch(own)
    own.page(private, 0, 1).act("a2-a3")
    ada = own.page(shown, 0, host=True)
    assert listed(own) == [], "a game that has not begun is nothing to watch"
    ada.act("a2-a3")
    synced(ada)
    [found] = listed(own)
    assert (found["table"], found["public"], found["turn"], found["watching"], found["code"]) == (shown["table"], True, 2, 0, "")
    watcher = own.page(shown)
    assert watcher.view["you"] == [] and listed(own)[0]["watching"] == 1
    both = own.page(shown, 1)
    one_move(both)
    synced(both)
    assert listed(own)[0]["turn"] == 3, "moves in between are counted too"
    public(ada, False)
    assert listed(own) == []
    public(ada)
    assert len(listed(own)) == 1
    secret = [*shown["tokens"], shown["host"], shown["code"]]
    assert all(each not in own.http.get("/api/lobby").text for each in secret)


def test_a_game_that_is_over_is_nothing_to_watch_and_only_the_host_makes_a_table_public(own: Live) -> None:
    table = to_watch(own)
    ada = own.page(table, 0)
    ada.say(t="house", k=secrets.token_hex(16), public=False)
    ada.refused("illegal")
    ada.act("a2-a3")
    synced(ada)
    assert len(listed(own)) == 1
    resigned(own, table, 0)
    assert listed(own) == []


def test_a_public_table_with_a_free_seat_is_not_shown_to_strangers(own: Live) -> None:
    table = to_watch(own, OPEN)
    ada = own.page(table, 0, host=True)
    ada.act("a2-a3")
    synced(ada)
    assert listed(own) == [], "a stranger could take the seat"
    decide(come(own, table["table"]), 1, "claim")
    synced(ada)
    assert [each["table"] for each in listed(own)] == [table["table"]]


def test_games_to_watch_are_bounded_and_leave_room_for_free_seats(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "TO_WATCH", 1)
    for _ in range(3):
        page = own.page(to_watch(own), 0, host=True)
        page.act("a2-a3")
        synced(page)
    assert len(listed(own)) == 1
    private = own.page(own.table(), 0, host=True)
    private.say(t="house", k=secrets.token_hex(16), public=True)
    private.refused("closed")
    enter(own.page(own.table(seats=OPEN), 0, host=True))
    assert [each["public"] for each in listed(own)] == [False, True]
