"""Whoever besieges the server keeps nobody else out, learns no secret, and breaks nothing."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from bridgehead.server.limits import Addresses, Bucket, Limits, neighbourhood
from bridgehead.server.lines import Line
from server.live import PATIENCE, PEOPLE, Live, Page

WEB = Path(__file__).parents[2] / "src" / "bridgehead" / "web"
HELLO: dict[str, Any] = {"t": "hello", "p": 1, "table": "QQQQQ", "tokens": [], "lang": "en"}


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
def test_a_connection_on_which_nothing_whole_is_asked_is_cut(
    sent: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Line, "asking", 0.2)
    own = Live(tmp_path)
    assert is_cut(own.raw(sent))
    assert own.server.config.http_protocol_class.open.total() <= 1
    own.stop()


@pytest.mark.parametrize(
    "begun_with",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n",
    ],
)
def test_what_comes_byte_by_byte_is_cut(begun_with: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Line, "asking", 0.3)
    own = Live(tmp_path)
    line, begun = own.raw(begun_with), time.monotonic()
    with contextlib.suppress(OSError):
        while time.monotonic() - begun < PATIENCE:
            line.sendall(b"x: y\r\n")
            time.sleep(0.02)
    assert time.monotonic() - begun < PATIENCE / 2
    own.stop()


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    own = Live(tmp_path, Limits(sending=0.2))
    line = own.raw(b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
    assert line.recv(4096).startswith(b"HTTP/1.1 408")
    own.stop()


def test_an_answer_that_is_not_read_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Line, "unread", 0.3)
    own = Live(tmp_path)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect(("127.0.0.1", int(own.host.split(":")[1])))
    with contextlib.suppress(OSError):
        for _ in range(300):
            line.sendall(b"GET /static/board.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5)
    begun = time.monotonic()
    while own.server.config.http_protocol_class.open.total():
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.01)
    line.close()
    own.stop()


def test_one_address_has_only_so_many_connections_and_another_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.lines.MOST", 10)
    monkeypatch.setattr(Line, "asking", 3600.0)
    own = Live(tmp_path)
    page = own.page(own.table(), 0)  # a socket is no such connection any more
    kept = [own.raw(b"GET") for _ in range(10 - own.server.config.http_protocol_class.open.total())]
    assert is_cut(own.raw(b""))
    with own.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", source_address=("127.0.0.2", 0)) as other:
        assert other.recv(100).startswith(b"HTTP/1.1 200")
    assert page.act("a2-a3")["v"] == 1
    for line in kept:
        line.close()
    begun = time.monotonic()
    while own.server.config.http_protocol_class.open["127.0.0.1"] > 1:
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.01)
    own.stop()


def test_who_asks_cannot_be_made_up(tmp_path: Path) -> None:
    own = Live(tmp_path, Limits(tables=2))
    made = [
        own.http.post("/api/tables", json={"game": "forty_bridges"}, headers={"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(3)
    ]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    own.stop()


def test_a_proxy_that_is_named_may_say_who_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    own = Live(tmp_path, Limits(tables=1))
    made = [
        own.http.post("/api/tables", json={"game": "forty_bridges"}, headers={"X-Forwarded-For": f"10.0.0.{n}"})
        for n in (1, 2, 2)
    ]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    own.stop()


# Work


def test_a_bucket_goes_into_debt_and_says_when_it_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bridgehead.server.limits.time.monotonic", lambda: now[0])
    bucket, several = Bucket(100, 10), Addresses(100, 10)
    assert bucket.wait(100) == 0 and bucket.wait(50) == 5
    now[0] += 6
    assert bucket.wait(10) == 0
    assert several.wait("a", 90) == 0 and not several.spent("a")
    assert several.wait("a", 30) == 2 and several.spent("a")
    assert not several.spent("b") and several.wait("b", 1) == 0
    now[0] += 3
    assert not several.spent("a")


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
    assert len(asked._buckets) <= 101 and "10.0.3.231" in asked._buckets


def test_an_address_that_asks_too_much_is_slowed_and_others_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.hall.SLOWED", 3600.0)
    monkeypatch.setattr("bridgehead.server.headers.Unhurried.LONGEST", 3600.0)
    own = Live(tmp_path, Limits(effort=45, window=3600))
    table = own.table()
    watcher, again = own.page(table), own.page(table)  # 20 each
    watcher.say(t="ping", n=1)
    watcher.hear("pong")
    again.hear("said")  # the last of what is told to those who come
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
    modest = Page(own.url, source_address=("127.0.0.2", 0))
    modest.say(**HELLO | {"table": table["table"], "tokens": [table["tokens"][0]]})
    modest.hear("view")
    assert modest.act("a2-a3")["v"] == 1
    own.stop()


def test_one_address_keeps_only_so_much_in_memory(tmp_path: Path) -> None:
    own = Live(tmp_path, Limits(weight=1))
    first, second = own.table(), own.table()
    refused = Page(own.url)
    refused.say(**HELLO | {"table": first["table"]})
    assert refused.closed() == 1008 and refused.heard[0]["code"] == "rate"
    room_for_one = own.app.state.tables._open[first["table"]].result().weight
    own.app.state.hall.limits = Limits(weight=room_for_one + 1)
    pages = [own.page(first), own.page(first, 0), own.page(first, 1)]
    other = Page(own.url)
    other.say(**HELLO | {"table": second["table"]})
    assert other.closed() == 1008 and other.heard[0]["code"] == "rate"
    assert pages[1].act("a2-a3")["v"] == 1
    for page in pages:
        page.socket.close()
    begun = time.monotonic()
    while own.app.state.hall._places:
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.01)
    own.page(second)
    own.stop()


def test_codes_cannot_be_guessed_by_trying_many(tmp_path: Path) -> None:
    own = Live(tmp_path, Limits(misses=3))
    table = own.table()
    code = table["table"]
    for miss in ("/t/QQQQQ", "/api/tables/QQQQR/record", "/rules/forty_bridges?table=QQQQS"):
        assert own.http.get(miss).status_code == 404
    for path in (f"/t/{code}", f"/t/{code.lower()}", "/t/QQQQT", f"/api/tables/{code}/record", f"/replay/{code}",
                 f"/api/tables/{code}/frames", f"/rules/forty_bridges?table={code}"):  # fmt: skip
        assert own.http.get(path).status_code == 429, path
    for tokens in ([], ["x" * 32]):
        page = Page(own.url)
        page.say(**HELLO | {"table": code, "tokens": tokens})
        assert page.closed() == 1008 and page.heard[0]["code"] == "rate"
    assert own.page(table, 0).act("a2-a3")["v"] == 1, "who holds a seat is let in"
    own.stop()


# What is said


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (
            "/api/check",
            '{"game":"burning_bridges","options":{"board":{"name":"a","families":2,"nodes":{"A":[%s,1],"B":[1,1]},'
            '"edges":[],"family":[]}}}',
        ),
        ("/api/check", '{"game":"barricade","options":{"turnLimit":%s}}'),
        ("/api/check", '{"game":"barricade","options":{"board":{"name":"a","width":%s}}}'),
        ("/api/tables", '{"game":"forty_bridges","seed":%s}'),
        ("/api/tables", '{"game":"forty_bridges","seats":%s}'),
        ("/api/qr", '{"text":%s}'),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "value",
    ["9" * 400, "9" * 5000, "-1e308", "1e999", "NaN", "Infinity", '"\\ud800"', "[" * 900 + "]" * 900, '{"\\udfff":1}',
     '"' + "é" * 600 + '"',
     '"' + "\\ud83d\\ude00" * 600 + '"', "null", '"\\u0000"'],
)  # fmt: skip
def test_odd_values_are_refused_in_words(path: str, body: str, value: str, live: Live) -> None:
    answer = live.http.post(path, content=body % value)
    assert answer.status_code in (200, 201, 400), answer.text
    assert answer.status_code != 400 or answer.json()["error"]


@pytest.mark.parametrize(
    "options", ['{"\\ud800":1}', '{"homes":"\\ud800"}', '{"board":{"\\ud800":1}}', '{"turnLimit":' + "9" * 400 + "}", "[" * 3000,
                "NaN",
                '{"board":' + '{"name":' * 300 + "1" + "}" * 300 + "}", '{"homes":"²,٣"}', '{"teams":"' + "0," * 3000 + '"}']
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/games/barricade/picture", "/rules/barricade"])
def test_odd_house_rules_in_an_address_are_refused_in_words(path: str, options: str, live: Live) -> None:
    answer = live.http.get(path, params={"options": options})
    assert answer.status_code == 400 and answer.text


@pytest.mark.parametrize("end", ["\n", "\r", "\x00", " "])
def test_codes_keys_and_tokens_end_where_they_end(end: str, live: Live) -> None:
    table = live.table()
    for wrong in ({"table": table["table"] + end}, {"table": table["table"], "tokens": [table["tokens"][0] + end]}):
        page = Page(live.url)
        page.say(**HELLO | wrong)
        assert page.closed() == 1008 and page.heard[0]["code"] == "hello"
    page = live.page(table, 0)
    page.send_act(page.action("a2-a3"), key="0" * 32 + end)
    page.refused("bad")


def test_watchers_and_holders_of_other_tables_seats_change_nothing(live: Live) -> None:
    table, other = live.table(), live.table()
    witness, watcher = live.page(table, 0), live.page(table)
    action = witness.action("a2-a3")
    watcher.send_act(action)
    watcher.refused("turn")
    watcher.say(t="undo", k="1" * 32, v=0)
    watcher.refused("turn")
    assert "choices" not in watcher.view
    for tokens in ([other["tokens"][0]], [table["tokens"][0], other["tokens"][0]], ["A" * 32]):
        page = Page(live.url)
        page.say(**HELLO | {"table": table["table"], "tokens": tokens})
        assert page.closed() == 1008 and page.heard[0]["code"] == "token"
    late = live.page(table, 1)
    late.send_act(action)
    late.refused("turn")
    assert witness.act("a2-a3")["v"] == 1


def test_a_key_sent_again_with_another_body_is_refused_and_with_the_same_is_done_once(live: Live) -> None:
    page = live.page(live.table(), 0, 1)
    key = page.send_act(page.action("a2-a3"))
    first = page.hear("ack")
    page.hear("view")
    page.send_act(page.view["choices"][-1]["action"], key=key)
    page.refused("bad")
    page.say(t="undo", k=key, v=1)
    page.refused("bad")
    page.say(t="act", k=key, v=0, a=next(iter(live.app.state.tables._open[page.view["table"]].result().done.values())).action)
    assert page.hear("ack") == first


@pytest.mark.parametrize(
    ("host", "status"),
    [("kitchen:8000", 200), ("KITCHEN.local", 200), ("a@b", 400), ("kitchen/api/x", 400), ("kitchen?x", 400), ("a b", 400),
     ("kitchen:x", 400), ("evil.example.", 400), ("127.1", 400), ("[::1", 400), ("[::1]", 200), ("", 200)],
)  # fmt: skip
def test_a_name_that_is_no_name_is_refused(host: str, status: int, live: Live) -> None:
    answer = live.raw(b"GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: " + host.encode() + b"\r\n\r\n").recv(100)
    assert answer.startswith(f"HTTP/1.1 {status}".encode())


@pytest.mark.parametrize("path", ["/api/check", "/api/tables", "/api/records", "/api/qr"])
def test_another_sites_page_gets_nothing_done(path: str, live: Live) -> None:
    answer = live.http.post(path, content=b"{}", headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403 and answer.json()["where"] == "Origin"


def test_answers_with_secrets_are_kept_by_nobody(live: Live) -> None:
    for answer in (
        live.http.post("/api/tables", json={"game": "forty_bridges"}),
        live.http.post("/api/qr", json={"text": "http://kitchen/t/ABCDE#s=secret"}),
    ):
        assert answer.headers["cache-control"] == "no-store"
    page = live.http.get(f"/t/{live.table()['table']}")
    assert page.headers["cache-control"] == "no-cache" and page.headers["referrer-policy"] == "no-referrer"


def test_secrets_stand_in_no_log_no_view_and_no_page(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    own = Live(tmp_path)
    seed = "the-seed-of-all-dice"
    made = own.http.post("/api/tables", json={"game": "barricade", "options": {"board": "mini"}, "seats": PEOPLE, "seed": seed})
    table = made.json()
    page, witness = own.page(table, 0, 1), own.page(table)
    page.act(page.view["choices"][0]["text"])
    page.send_act(10**6)
    page.refused("bad")
    told = [json.dumps(page.heard), json.dumps(witness.heard)]
    own.store._writer.set_commit_hook(lambda: True)
    page.send_act(page.view["choices"][0]["action"])
    page.refused("storage")
    own.store._writer.set_commit_hook(None)
    code, token = table["table"], table["tokens"][0]
    for path in (f"/t/{code}", f"/replay/{code}", f"/api/tables/{code}/record", f"/api/tables/{code}/frames", f"/t/{token}",
                 f"/api/tables/{code}/../../{token}"):  # fmt: skip
        answer = own.http.get(path)
        told.append(answer.text.replace(token, "") if token in path else answer.text)
    stranger = Page(own.url)
    stranger.say(**HELLO | {"table": code, "tokens": [token[:-1]]})
    stranger.closed()
    told.append(json.dumps(stranger.heard))
    stored = own.store.body(code) or ""
    own.stop()
    said = capfd.readouterr()
    ours = [each.getMessage() for each in caplog.records if not each.name.startswith(("httpx", "httpcore", "websockets"))]
    told.append("\n".join([*ours, said.out, said.err]))
    assert "could not be stored" in told[-1], "the server's log was looked at"
    for secret in (*table["tokens"], seed):
        assert not any(secret in each for each in told)
    assert not any(secret in stored for secret in table["tokens"]), "tokens are stored as their hashes"


def test_half_a_request_leaves_no_traceback(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    own = Live(tmp_path)
    for _ in range(5):
        own.raw(b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{").close()
    for path in ("/static/x", "/nothing", "/"):
        with contextlib.suppress(Exception):
            Page(own.url + path)
    page = Page(own.url)
    page.socket.send("[" * 8000)
    assert page.closed() == 1008
    assert own.http.get("/healthz").status_code == 200
    own.stop()
    assert "Traceback" not in capfd.readouterr().err


def test_no_depth_is_a_mistake_of_the_server(live: Live) -> None:
    for depth in range(900, 1010, 2):  # what can be read may still be too deep to be looked at
        tangle = "[" * depth + "]" * depth
        sent = f'{{"game":"burning_bridges","options":{{"board":{{"name":{tangle}}}}}}}'
        assert live.http.post("/api/check", content=sent).status_code == 400, depth
        assert live.http.post("/api/tables", content=sent).status_code == 400, depth


def test_fragments_without_end_are_cut_at_eight_kilobytes(live: Live) -> None:
    page = live.page(live.table(), 0)

    def parts() -> Any:
        for _ in range(82):
            yield "x" * 100
        until = time.monotonic() + PATIENCE  # what is sent to a socket that is closed already would wipe out its last word
        while page.socket.protocol.state is State.OPEN and time.monotonic() < until:
            time.sleep(0.01)

    with contextlib.suppress(ConnectionClosed):
        page.socket.send(parts())
    assert page.closed() == 1009


def test_the_pages_never_make_markup_or_code_of_what_they_are_told() -> None:
    for file in WEB.rglob("*.js"):
        text = file.read_text("utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:", text
        ), file
        assert text.count("DOMParser") == (1 if file.name == "dom.js" else 0), "only symbols and QR codes of our own are parsed"
        assert set(re.findall(r"parseSvg\(await ask\((\"[^\"]+\")", text)) <= {'"/art.svg"', '"/api/qr"'}
    for file in (WEB / "templates").glob("*.html"):
        text = file.read_text("utf-8")
        assert not re.search(r"\bon[a-z]+=|<style|style=|\|\s*safe|autoescape|<script(?![^>]*src=)", text), file


def test_names_cannot_break_out_of_a_page_or_a_record(live: Live) -> None:
    odd = ["<img src=x onerror=alert(1)>", '"];\nresult: x', "{{7*7}}{seat.a}", "a\u202eb\x00c\u2028d"]
    table = live.table("barricade", [{"kind": "person", "name": name} for name in odd])
    code = table["table"]
    view = live.page(table, 0).view
    assert view["names"] == ["<img src=x onerror=alert(1)>", '"]; result: x', "{{7*7}}{seat.a}", "abc d"]
    record = live.http.get(f"/api/tables/{code}/record")
    assert live.http.post("/api/records", content=record.content).json()["names"] == view["names"]
    for path in (f"/t/{code}", f"/replay/{code}", f"/rules/barricade?table={code}"):
        assert "<img" not in live.http.get(path).text
    shown = live.http.get("/rules/barricade", params={"options": json.dumps({"homes": "<img src=x>"})})
    assert "<img" not in shown.text
