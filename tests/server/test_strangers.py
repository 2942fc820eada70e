"""What arrives from anywhere: noise, strange origins, floods, readers that do not read."""

import contextlib
import json
import random
import secrets
import socket
import threading

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bridgehead.server.connections.rate_limits import Limits
from server.live import PATIENCE, Live, Page, Serve

HELLO = {"t": "hello", "p": 1, "table": "ABCDE", "tokens": [], "lang": "en"}


@pytest.mark.parametrize(
    "first",
    [
        "", "x", "[]", "null", "{}", "\x00", '{"t":"hello"}', '{"t":"ping","n":1}', "[" * 4000, json.dumps(HELLO | {"p": 2}),
        json.dumps(HELLO | {"more": 1}), json.dumps(HELLO | {"table": "a b"}), json.dumps(HELLO | {"tokens": ["x"] * 9}),
        json.dumps(HELLO | {"lang": "xx"}), json.dumps(HELLO | {"t": "act"}), b"\xff\xfe", json.dumps(HELLO).encode(),
    ],
)  # fmt: skip
def test_a_bad_hello_ends_the_conversation_with_a_reason(first: str | bytes, live: Live) -> None:
    page = Page(live.url)
    page.socket.send(first)
    assert page.closed() == 1008
    assert page.heard[0]["t"] == "bye" and page.heard[0]["code"] == "hello" and page.heard[0]["text"]


def test_a_table_that_does_not_exist_is_not_made_by_asking(live: Live) -> None:
    page = Page(live.url)
    page.say(**HELLO | {"table": "QQQQQ"})
    assert page.closed() == 1008
    assert page.heard[0]["code"] == "table" and "QQQQQ" in page.heard[0]["text"]
    assert live.http.get("/t/QQQQQ").status_code == 404


def test_who_says_nothing_is_sent_away(serve: Serve) -> None:
    own = serve(Limits(hello=0.2))
    page = Page(own.url)
    assert page.closed() == 1008 and page.heard[0]["code"] == "hello"
    assert page.heard[0]["retry"] > 0, "a page whose message was late may come again"


@pytest.mark.parametrize(
    "message",
    [
        {"t": "act"}, {"t": "act", "k": "x", "v": 0, "a": 1}, {"t": "act", "k": "0" * 32, "v": -1, "a": 1},
        {"t": "act", "k": "0" * 32, "v": 0, "a": "1"}, {"t": "act", "k": "0" * 32, "v": 0, "a": 1, "seat": 1},
        {"t": "act", "k": "0" * 32, "v": 0, "a": 10**30}, {"t": "undo", "k": "0" * 32}, {"t": "why", "k": "0" * 32, "touch": []},
        {"t": "why", "k": "0" * 32, "touch": ["x" * 65]}, {"t": "nothing"}, {"t": 1}, [], None, {"t": "ping", "n": 1.5},
    ],
)  # fmt: skip
def test_a_message_that_is_none_of_the_protocols_is_refused_and_nothing_happens(message: object, live: Live) -> None:
    table = live.table()
    page = live.page(table, 0)
    page.socket.send(json.dumps(message))
    assert page.refused("bad")["text"]
    assert page.act("a2-a3")["v"] == 1


def test_a_megabyte_of_noise_leaves_the_server_as_it_was(live: Live) -> None:
    lot = random.Random(7)
    table = live.table()
    page, witness = live.page(table, 0), live.page(table, 1)
    for _ in range(256):
        noise = lot.randbytes(4096)
        page.socket.send(noise if lot.random() < 0.5 else noise.decode("latin-1")[:4000])
    for _ in range(256):
        page.refused("bad")
    page.socket.send(lot.randbytes(1_000_000))
    assert page.closed() == 1009
    with socket.create_connection(tuple(live.host.split(":")), PATIENCE) as raw:
        raw.sendall(lot.randbytes(65_536))
    assert witness.view["v"] == 0
    assert live.page(table, 0).act("a2-a3")["v"] == 1


@pytest.mark.parametrize("length", [8192, 8193])
def test_a_message_is_eight_kilobytes_at_most(length: int, live: Live) -> None:
    page = live.page(live.table(), 0)
    page.socket.send("x" * length)
    if length == 8192:
        page.refused("bad")
    else:
        assert page.closed() == 1009


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [
        ("http://{host}", True), (None, True), ("https://evil.example", False), ("http://{host}.evil.example", False),
        ("null", False), ("", False), ("http://127.0.0.1:1", False), ("http://evil.{host}", False), ("file://{host}", False),
    ],
)  # fmt: skip
def test_a_page_of_another_site_gets_no_socket_and_no_table(origin: str | None, welcome: bool, live: Live) -> None:
    table = live.table()
    headers = {} if origin is None else {"Origin": origin.format(host=live.host)}
    asked = live.http.post("/api/tables", json={"game": "forty_bridges"}, headers=headers)
    assert asked.status_code == (201 if welcome else 403)
    if welcome:
        Page(live.url, additional_headers=headers).say(**HELLO | {"table": table["table"]})
    else:
        with pytest.raises(InvalidStatus, match="403"):
            Page(live.url, additional_headers=headers)


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost:8000", 200), ("192.168.1.5:8000", 200), ("[::1]:8000", 200), ("kitchen.local", 200), ("kitchen", 200),
     ("rebound.evil.example", 400), ("127.0.0.1.evil.example:8000", 400)],
)  # fmt: skip
def test_a_strange_name_that_points_here_is_refused(host: str, status: int, live: Live) -> None:
    assert live.http.get("/healthz", headers={"Host": host}).status_code == status


def test_a_reader_that_does_not_read_stops_nobody(serve: Serve) -> None:
    own = serve(Limits(seat=100_000, watcher=100_000, effort=10**8, queue=8, queued=100_000))
    table = own.table("barricade", board="mini")
    lazy = socket.create_connection(("127.0.0.1", int(own.host.split(":")[1])), PATIENCE)
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    lazy.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {own.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
    )
    assert lazy.recv(4).startswith(b"HTTP")
    hello = json.dumps(HELLO | {"table": table["table"]}).encode()
    frame = bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello
    lazy.sendall(frame)
    page = own.page(table, 0, 1)
    crowded = next(iter(own.app.state.manager.rooms.values()))

    def ask() -> None:
        """Want the whole view again and again: those of changes are small."""
        with contextlib.suppress(OSError):
            while True:
                lazy.sendall(frame)

    asking = threading.Thread(target=ask)
    asking.start()
    for _ in range(2000):
        if page.view["outcome"]:
            page = own.page(own.table("barricade", board="mini"), 0, 1)
        page.act(page.view["choices"][0]["text"])
        if len(crowded.connections) < 2:
            break
    assert len(crowded.connections) < 2, "the one that never reads is let go"
    with contextlib.suppress(OSError):
        lazy.shutdown(socket.SHUT_RDWR)
    asking.join(PATIENCE)
    lazy.close()


def test_a_flood_is_stopped_and_others_play_on(serve: Serve) -> None:
    own = serve(Limits(watcher=20))
    table = own.table()
    flooder, page = own.page(table), own.page(table, 0)
    with contextlib.suppress(ConnectionClosed):
        for n in range(5000):
            flooder.say(t="ping", n=n)
    flooder.closed()
    assert sum(message["t"] == "pong" for message in flooder.heard) <= 25
    assert page.act("a2-a3")["v"] == 1


def test_a_key_is_of_the_one_who_made_it(live: Live) -> None:
    table = live.table()
    first, second = live.page(table, 0), live.page(table, 1)
    key = first.send_act(first.action("a2-a3"))
    first.hear("ack")
    second.say(t="undo", k=key, v=1)
    second.refused("bad")
    second.say(t="undo", k=secrets.token_hex(16), v=1)
    second.refused("illegal")
