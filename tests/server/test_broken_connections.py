"""Lines that break, double, delay and swallow: an action is done once or not at all, and its player learns which."""

import json
import random
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from bridgehead.client import PERSON, Host
from server.live import Live, Page
from server.proxy import Fate, Proxy
from waiting import SOON, least

pytestmark = pytest.mark.wide


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client waits a twentieth of the time before it comes back."""
    wait = time.sleep
    monkeypatch.setattr("bridgehead.client.time.sleep", lambda seconds: wait(seconds / 20))


def once(side: str, kind: str, fate: Fate) -> Callable[[str, dict[str, Any]], Fate]:
    """A plan: the first message of that kind meets its fate, all else goes through."""
    left = [fate]

    def plan(at: str, message: dict[str, Any]) -> Fate:
        return left.pop() if left and at == side and message["t"] == kind else Fate.PASS

    return plan


def keys(live: Live, table: str) -> list[str]:
    return [event.key for event in live.store.events(table)]


@pytest.mark.parametrize(
    ("side", "kind", "fate"),
    [
        ("said", "act", Fate.LOST), ("said", "act", Fate.LAST), ("told", "ack", Fate.LOST), ("told", "ack", Fate.LAST),
        ("told", "view", Fate.LAST), ("said", "act", Fate.TWICE), ("told", "ack", Fate.TWICE), ("told", "view", Fate.TWICE),
    ],
)  # fmt: skip
def test_an_action_over_a_line_that_breaks_is_done_once(side: str, kind: str, fate: Fate, live: Live, hasty: None) -> None:
    made = Host(live.url).create("forty_bridges", [PERSON, PERSON])
    with Proxy(live.host) as line, Host(line.url).join(made.table, made.tokens) as table:
        line.plan = once(side, kind, fate)
        view = table.play("a2-a3")
        assert view["v"] == 1 and len(view["log"]) == 1
        assert table.play(view["choices"][0]["action"])["v"] == 2
        assert line.cuts == int(fate in (Fate.LOST, Fate.LAST))
    assert len(keys(live, made.table)) == len(set(keys(live, made.table))) == 2


def many_cuts(live: Live, number: int) -> None:
    """Play over a line that breaks by lot, until it has broken so many times."""
    lot, played = random.Random(7), 0
    fates = [Fate.LOST, Fate.LAST, Fate.TWICE, *[Fate.PASS] * 6]
    coming = ("hello", "people", "said")  # what is said before somebody plays
    plan = lambda side, message: Fate.PASS if message["t"] in coming else lot.choice(fates)  # noqa: E731
    with Proxy(live.host, plan) as line:
        while line.cuts < number:
            made = Host(live.url).create("barricade", [PERSON, PERSON], options={"board": "mini"})
            made.leave()
            line.plan = lambda side, message: Fate.PASS
            with Host(line.url).join(made.table, made.tokens) as table:
                line.plan = plan
                done = 0
                while table.view["outcome"] is None and line.cuts < number and done < 60:
                    table.play(lot.choice(table.choices)["action"])
                    done += 1
                events = live.store.events(made.table)
                assert [event.by for event in events if event.kind == "action"].count("person") == done
                assert [event.version for event in events] == list(range(1, len(events) + 1))
                played += done
    assert played > number / 2


def test_forty_cuts_lose_nothing_and_double_nothing(live: Live, hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.client.RETRIES", 30)
    many_cuts(live, 40)


@pytest.mark.long
def test_a_thousand_cuts_lose_nothing_and_double_nothing(live: Live, hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.client.RETRIES", 30)
    many_cuts(live, 1000)


def test_what_is_swallowed_is_not_shown_as_played(live: Live) -> None:
    table = live.table()
    with Proxy(live.host, once("said", "act", Fate.SWALLOWED)) as line:
        page = Page(line.url)
        page.say(t="hello", p=1, table=table["table"], tokens=table["tokens"], lang="en")
        page.hear("said")
        key = page.send_act(page.action("a2-a3"))
        page.say(t="ping", n=7)
        assert page.hear_any() == {"t": "pong", "n": 7} and page.view["v"] == 0, "no answer is no answer"
        page.send_act(page.action("a2-a3"), key)
        assert page.hear("ack")["v"] == 1
    assert keys(live, table["table"]) == [key]


def test_a_slow_thin_line_costs_one_round_trip_an_action_and_no_more(live: Live) -> None:
    made = Host(live.url).create("forty_bridges", [PERSON, PERSON])
    with Proxy(live.host, delay=0.15, rate=100_000) as line, Host(line.url).join(made.table, made.tokens) as table:
        line.seen.clear()
        begun = time.monotonic()
        for _ in range(4):
            table.play(table.choices[0]["action"])
        took = time.monotonic() - begun
    assert [message["t"] for side, message in line.seen if side == "said"] == ["act"] * 4
    assert [message["t"] for side, message in line.seen if side == "told"] == ["ack", "view"] * 4
    assert not any("picture" in message for _, message in line.seen), "the board is sent once"
    carried = sum(len(json.dumps(message)) for side, message in line.seen if side == "told") / line.rate
    assert carried < 4 * 0.6 and took >= 4 * 0.3, "what is told is small enough for a thin line"


def frame(message: dict[str, Any]) -> bytes:
    """A message as a page sends it, with a mask of nothing."""
    data = json.dumps(message).encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + len(data).to_bytes(2, "big")
    return bytes([0x81]) + size + bytes(4) + data


def silent_page(live: Live, table: dict[str, Any], seat: int) -> socket.socket:
    """Somebody who says hello and then is gone without a word, as a lost network is."""
    upgrade = (
        f"GET /ws HTTP/1.1\r\nHost: {live.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    line = live.raw(upgrade.encode())
    assert line.recv(4096).startswith(b"HTTP/1.1 101")
    line.sendall(frame({"t": "hello", "p": 1, "table": table["table"], "tokens": [table["tokens"][seat]], "lang": "en"}))
    return line


def test_a_player_whose_line_is_dead_is_seen_to_be_away(own: Live) -> None:
    config = own.server.config
    assert config.ws_ping_interval + config.ws_ping_timeout <= 40
    config.ws_ping_interval = config.ws_ping_timeout = 0.3
    table = own.table()
    witness = own.page(table, 0)
    line = silent_page(own, table, 1)
    assert [seat["here"] for seat in witness.hear("view")["seats"]] == [True, True]
    begun = time.monotonic()
    assert [seat["here"] for seat in witness.hear("view")["seats"]] == [True, False]
    assert time.monotonic() - begun < SOON
    assert witness.act("a2-a3")["v"] == 1
    line.close()


def test_two_tabs_on_a_seat_see_the_same_and_the_later_click_is_told_so(live: Live) -> None:
    table = live.table()
    first, second = live.page(table, 0), live.page(table, 0)
    key = first.send_act(first.action("a2-a3"))
    assert first.hear("ack")["k"] == key and first.hear("view")["v"] == 1
    second.send_act(second.view["choices"][-1]["action"], version=0)
    while (told := second.hear_any())["t"] in ("view", "people", "said"):
        pass
    assert told["code"] == "stale" and told["v"] == 1
    assert second.hear("view")["v"] == 1 and second.view["items"] == first.view["items"]


def test_many_who_come_back_at_once_are_all_served(own: Live) -> None:
    table = own.table("barricade", board="mini")
    page = own.page(table, 0, 1)
    for _ in range(10):
        page.act(page.view["choices"][0]["text"])

    def arrival() -> float:
        with own.held_up() as heart:
            crowd = [silent_page(own, table, n % 2) for n in range(300)]
            answers = [line.recv(20) for line in crowd]
        assert all(answer[:1] == b"\x81" for answer in answers), "each has its view"
        page.act(page.view["choices"][0]["text"])
        for line in crowd:
            line.close()
        return heart.worst

    assert least(arrival, 0.1) < 0.1
    assert page.view["v"] > 10
