"""Whoever besieges the server keeps nobody else out."""

import contextlib
import socket
import time
import tracemalloc
from typing import Any

import pytest

from bridgehead.server.connections.http_protocol import HttpProtocol
from bridgehead.server.connections.rate_limits import Addresses, Bucket, Limits, neighbourhood
from bridgehead.server.usage import Usage
from server.live import PATIENCE, Live, Page, Serve
from waiting import SOON, wait_for

pytestmark = pytest.mark.wide
HELLO: dict[str, Any] = {"t": "hello", "p": 1, "table": "QQQQQ", "tokens": [], "lang": "en"}

UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def is_cut(connection: socket.socket) -> bool:
    """Has the server let go of this connection, within patience?"""
    try:
        while connection.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


# Connections


@pytest.mark.parametrize(
    "sent",
    [
        b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
        b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /heal",
    ],
)  # fmt: skip
def test_a_connection_on_which_nothing_whole_is_asked_is_cut(sent: bytes, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpProtocol, "asking", 0.2)
    own = serve()
    assert is_cut(own.raw(sent))
    assert own.server.config.http_protocol_class.open.total() <= 1


@pytest.mark.parametrize(
    "begun_with",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n",
    ],
)
def test_what_comes_byte_by_byte_is_cut(begun_with: bytes, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpProtocol, "asking", 0.3)
    own = serve()
    line, begun = own.raw(begun_with), time.monotonic()
    with contextlib.suppress(OSError):
        while time.monotonic() - begun < PATIENCE:
            line.sendall(b"x: y\r\n")
            time.sleep(0.02)
    assert time.monotonic() - begun < SOON


def test_a_body_that_does_not_come_is_not_waited_for(serve: Serve) -> None:
    own = serve(Limits(sending=0.2))
    line = own.raw(b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
    assert line.recv(4096).startswith(b"HTTP/1.1 408")


def test_an_answer_that_is_not_read_is_given_up(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpProtocol, "unread", 0.3)
    own = serve()
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect(("127.0.0.1", int(own.host.split(":")[1])))
    with contextlib.suppress(OSError):
        for _ in range(300):
            line.sendall(b"GET /static/board/board.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5)
    wait_for(lambda: not own.server.config.http_protocol_class.open.total())
    line.close()


def test_the_longest_idle_connection_of_an_address_makes_room_for_a_new_one(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridgehead.server.run.MOST", 10)
    monkeypatch.setattr(HttpProtocol, "asking", 3600.0)
    own = serve()
    page = own.page(own.table(), 0)  # a socket is no such connection any more
    own.http.close()
    wait_for(lambda: not own.server.config.http_protocol_class.open)
    kept = [own.raw(b"GET") for _ in range(10)]
    with own.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") as neighbour:
        assert neighbour.recv(100).startswith(b"HTTP/1.1 200")
        assert is_cut(kept[0]) and own.server.config.http_protocol_class.open["127.0.0.1"] == 10
    with own.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", source_address=("127.0.0.2", 0)) as other:
        assert other.recv(100).startswith(b"HTTP/1.1 200")
    assert page.act("a2-a3")["v"] == 1
    for line in kept:
        line.close()
    wait_for(lambda: not own.server.config.http_protocol_class.idle)


def test_who_asks_cannot_be_made_up(serve: Serve) -> None:
    own = serve(Limits(tables=2))
    made = [
        own.http.post("/api/tables", json={"game": "forty_bridges"}, headers={"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(3)
    ]
    assert [answer.status_code for answer in made] == [201, 201, 429]


def test_a_proxy_that_is_named_may_say_who_asks(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    own = serve(Limits(tables=1))
    made = [
        own.http.post("/api/tables", json={"game": "forty_bridges"}, headers={"X-Forwarded-For": f"10.0.0.{n}"})
        for n in (1, 2, 2)
    ]
    assert [answer.status_code for answer in made] == [201, 201, 429]


def test_a_frame_that_says_it_is_a_gigabyte_is_cut_and_costs_nothing(own: Live) -> None:
    page = own.page(own.table(), 0)
    tracemalloc.start()
    for _ in range(20):
        line = own.raw(UPGRADE.format(host=own.host).encode())
        assert line.recv(4096).startswith(b"HTTP/1.1 101")
        line.sendall(bytes([0x81, 0xFF]) + (1 << 30).to_bytes(8, "big") + bytes(4) + b"x" * 1000)
        assert is_cut(line)
    grown = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert grown < 5_000_000
    assert page.act("a2-a3")["v"] == 1


# Work


def test_a_bucket_goes_into_debt_and_says_when_it_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bridgehead.server.connections.rate_limits.time.monotonic", lambda: now[0])
    bucket, several = Bucket(100, 10), Addresses(100, 10)
    assert bucket.take(100) == 0 and bucket.take(50) == -5 * bucket.rate, "it is paid after 5 seconds"
    now[0] += 6
    assert bucket.take(10) == 0
    assert several.wait("a", 90) == 0 and not several.is_spent("a")
    assert several.wait("a", 30) == 2 and several.is_spent("a")
    assert not several.is_spent("b") and several.wait("b", 1) == 0
    now[0] += 3
    assert not several.is_spent("a")


@pytest.mark.parametrize(
    ("host", "counted"),
    [("192.168.1.5", "192.168.1.5"), ("::ffff:192.168.1.5", "192.168.1.5"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
     ("2001:db8:1:2::1", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::/64"), ("", ""), ("nowhere", "nowhere")],
)  # fmt: skip
def test_a_house_full_of_addresses_counts_as_one(host: str, counted: str) -> None:
    assert neighbourhood(host) == counted


def test_no_crowd_of_addresses_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Addresses, "MOST", 100)
    asked = Addresses(2)
    for n in range(1000):
        assert asked.may(f"10.0.{n // 256}.{n % 256}")
    assert len(asked._buckets) <= 100 and "10.0.3.231" in asked._buckets
    assert asked.may("10.0.3.231") and not asked.may("10.0.3.231"), "what it has used up stays used up"


def test_an_address_is_forgotten_when_its_bucket_must_be_full_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bridgehead.server.connections.rate_limits.time.monotonic", lambda: now[0])
    asked = Addresses(10, 60.0)
    asked.wait("a", 20)
    now[0] += 119
    assert asked.may("b") and "a" in asked._buckets and not asked.is_spent("a")
    now[0] += 2
    assert asked.may("c") and "a" not in asked._buckets and "b" in asked._buckets


def test_an_address_that_asks_too_much_is_slowed_and_others_are_not(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.connections.effort.LONGEST", 3600.0)
    own = serve(Limits(effort=100, window=3600))
    table = own.table()
    watcher, again = own.page(table), own.page(table)
    watcher.say(t="ping", n=1)
    watcher.hear("pong")
    again.hear("said")  # the last of what is told to those who come
    used = Usage()
    used.seconds = 103
    own.app.state.effort.charge("127.0.0.1", "pages", used)
    for page, message in (
        (watcher, {"t": "why", "k": "0" * 32, "touch": ["x"]}),
        (again, {"t": "ping", "n": 2}),
        (Page(own.url), HELLO),
    ):
        page.say(**message)
        with pytest.raises(TimeoutError):
            page.socket.recv(0.3)
    with own.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") as line, pytest.raises(TimeoutError):
        line.settimeout(0.3)
        line.recv(100)
    neighbour = Page(own.url)  # of the same address, with a seat: it has a budget of its own
    neighbour.say(**HELLO | {"table": table["table"], "tokens": [table["tokens"][0]]})
    neighbour.hear("view")
    assert neighbour.act("a2-a3")["v"] == 1
    modest = Page(own.url, source_address=("127.0.0.2", 0))
    modest.say(**HELLO | {"table": table["table"]})
    modest.hear("view")


def test_one_address_keeps_only_so_much_in_memory(serve: Serve) -> None:
    own = serve(Limits(weight=1))
    first, second = own.table(), own.table()
    refused = Page(own.url)
    refused.say(**HELLO | {"table": first["table"]})
    assert refused.closed() == 1008 and refused.heard[0]["code"] == "rate"
    room_for_one = own.app.state.tables._open[first["table"]].result().weight
    own.app.state.manager.limits = Limits(weight=room_for_one + 1)
    pages = [own.page(first), own.page(first, 0), own.page(first, 1)]
    other = Page(own.url)
    other.say(**HELLO | {"table": second["table"]})
    assert other.closed() == 1008 and other.heard[0]["code"] == "rate"
    assert pages[1].act("a2-a3")["v"] == 1
    for page in pages:
        page.socket.close()
    wait_for(lambda: not own.app.state.manager._shares)
    own.page(second)


def test_codes_cannot_be_guessed_by_trying_many(serve: Serve) -> None:
    own = serve(Limits(misses=3))
    table = own.table()
    code = table["code"]
    for miss in ("/t/QQQQQ", "/api/tables/QQQQR/record", "/rules/forty_bridges?table=QQQQS"):
        assert own.http.get(miss).status_code == 404
    for path in ("/t/QQQQ", "/t/QQQQ1", f"/api/tables/{code}/record", f"/replay/{code}", f"/api/tables/{code}/frames",
                 f"/rules/forty_bridges?table={code}"):  # fmt: skip
        assert own.http.get(path).status_code == 429, path
    shell = own.http.get("/t/QQQQT").text
    for path in (f"/t/{code}", f"/t/{code.lower()}"):  # a page that is the same for every code, for those who hold a seat there
        assert own.http.get(path).text.replace(code, "QQQQT") == shell
    known = [{"table": code, "tokens": tokens} for tokens in ([], ["x" * 32], [table["tokens"][0]])]
    assert [each["seats"] for each in own.http.post("/api/mine", json={"tables": known}).json()["tables"]] == [1]
    for tokens in ([], ["x" * 32]):
        page = Page(own.url)
        page.say(**HELLO | {"table": code, "tokens": tokens})
        assert page.closed() == 1008 and page.heard[0]["code"] == "rate"
    page = Page(own.url)
    page.say(**HELLO | {"table": code, "tokens": table["tokens"][:1]})
    page.hear("view")
    assert page.act("a2-a3")["v"] == 1, "who holds a seat is let in"
    assert own.page(table).view["v"] == 1, "and so is who has a link, which cannot be guessed"
