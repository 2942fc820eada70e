"""Telling another program whose turn it is: what is sent, and where nothing may ever be sent."""

import asyncio
import http.server
import json
import secrets
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from bridgehead.server.connections.webhooks import PAUSE, Webhooks, is_public
from bridgehead.server.messages.tables import WebhookCall
from bridgehead.server.tables.table import Refused
from server.live import Live, Page, Serve
from waiting import apart


class Ear:
    """A web server that writes down what it is told, and answers with a redirect."""

    def __init__(self) -> None:
        told: list[tuple[str, dict[str, str], Any]] = []
        arrived = threading.Semaphore(0)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                told.append((self.path, dict(self.headers), json.loads(body)))
                self.send_response(307)
                self.send_header("Location", "/elsewhere")
                self.end_headers()
                arrived.release()

            def log_message(self, *_: Any) -> None:
                pass

        self.told, self.arrived = told, arrived
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def wait(self) -> tuple[str, dict[str, str], Any]:
        assert self.arrived.acquire(timeout=PAUSE + 15)
        return self.told[-1]


@pytest.fixture
def ear() -> Iterator[Ear]:
    made = Ear()
    yield made
    made.server.shutdown()
    made.server.server_close()


def name(page: Page, url: str) -> dict[str, Any]:
    page.say(t="house", k=secrets.token_hex(16), webhook=url)
    while (told := page.hear_any())["t"] not in ("ack", "rej"):
        pass
    return told


def test_turns_are_told_without_secrets_and_no_redirect_is_followed(serve: Serve, ear: Ear) -> None:
    own = serve(hooks=Webhooks(anywhere=True))
    table = own.table(seats=[{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}])
    page = own.page(table, 0, 1, host=True)
    assert name(page, f"http://localhost:{ear.port}/hook?a=b")["t"] == "ack"
    page.act("a2-a3")
    path, headers, told = ear.wait()
    assert path == "/hook?a=b" and headers["Host"] == f"localhost:{ear.port}"
    assert told.pop("sentence").startswith("Ben")
    assert told == {"table": table["table"], "game": "forty_bridges", "title": "40 Bridges", "seat": 1, "name": "Ben"}
    page.act(page.view["choices"][0]["text"])
    assert ear.wait()[2]["seat"] == 0
    assert [path for path, _, _ in ear.told] == ["/hook?a=b"] * 2
    assert all(secret not in str(ear.told) for secret in [*table["tokens"], table["host"]])
    watcher = own.page(table)
    assert str(ear.port) not in str([watcher.heard, watcher.hear("people")]), "only the host sees the address"


def test_turns_are_told_in_the_language_of_the_host(serve: Serve, ear: Ear) -> None:
    own = serve(hooks=Webhooks(anywhere=True))
    table = own.table()
    page, host = own.page(table, 0, 1), own.page(table, host=True, lang="de")
    assert name(host, f"http://localhost:{ear.port}/hook")["t"] == "ack"
    page.act("a2-a3")
    assert ear.wait()[2]["sentence"] == "Blau zieht mit einem Stein."


def test_a_server_calls_nobody_unless_it_was_started_for_it(live: Live) -> None:
    page = live.page(live.table(), 0, host=True)
    assert name(page, "https://example.org/hook")["code"] == "illegal"


@pytest.mark.parametrize(
    "url",
    ["ftp://example.org", "file:///etc/passwd", "gopher://example.org:70", "http://", "//example.org",
     "https://user:pw@example.org", "http://example.org:22/", "http://example.org:0/", "http://example.org:99999/",
     "http://exa mple.org", "http://example.org/\r\nX: y", "javascript:alert(1)", "http://[::1", "http://ex\u00e4mple.org/\u00e4"],
)  # fmt: skip
def test_what_is_no_public_web_address_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        Webhooks(on=True).check(url)


PRIVATE = [
    "127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "240.0.0.1", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:0:7f00:1::", "::7f00:1", "fe80::1%eth0",
    "2001:db8::1", "192.0.0.1", "192.0.0.9", "192.0.2.1", "192.88.99.1", "203.0.113.7", "fec0::1", "feff::1", "100::1", "5f00::1",
    "2001:20::1", "2001:1ff::1", "3fff::1", "2620:4f:8000::1", "4000::1", "::ffff:192.0.0.1", "64:ff9b:1::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_stands_for_an_address_inside_is_not_called(address: str, ear: Ear) -> None:
    assert not is_public(address)
    hooks = Webhooks(on=True, resolve=lambda host, port: [address])
    parts = hooks.check(f"http://rebound.example:{ear.port}/")  # a name says nothing yet
    with pytest.raises(Refused):
        hooks._post(parts, b"{}")
    assert ear.told == []
    with pytest.raises(Refused):
        hooks.check(f"http://[{address.partition('%')[0]}]/" if ":" in address else f"http://{address}/")


def test_public_addresses_are_called() -> None:
    assert all(is_public(each) for each in ("1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "93.184.216.34"))
    assert all(
        is_public(each) for each in ("192.0.1.1", "198.20.0.1", "223.255.255.255", "2001:200::1", "3ffe::1", "::ffff:1.1.1.1")
    )


def test_the_address_that_was_looked_at_is_the_one_that_is_called(ear: Ear) -> None:
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["203.0.113.1"]  # a name that changes between two looks

    hooks = Webhooks(anywhere=True, resolve=resolve)
    hooks._post(hooks.check(f"http://rebound.example:{ear.port}/x"), b"{}")
    assert ear.wait()[0] == "/x" and asked == ["rebound.example"]


def test_calls_are_few_and_newer_ones_take_the_place_of_those_that_wait() -> None:
    made: list[int] = []

    async def work() -> None:
        hooks = Webhooks(anywhere=True)
        hooks._post = lambda parts, body: made.append(json.loads(body)["seat"])  # type: ignore[method-assign]
        for number in range(20):
            hooks.send("ABCDE", "http://example.org/", WebhookCall("ABCDE", "barricade", "Barricade", number, "Ada", ""))
            await asyncio.sleep(0.02)
        hooks.stop()
        await asyncio.sleep(0)

    apart(work())
    assert made == [0], "the first at once, the others after a pause, of which there was none"
