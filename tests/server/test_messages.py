"""Whatever is said to the server: odd values are refused in words, no secret is told, and nobody acts for another."""

import contextlib
import json
import logging
import re
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from server.live import PATIENCE, PEOPLE, Live, Page
from server.test_siege import HELLO

WEB = Path(__file__).parents[2] / "src" / "bridgehead" / "web"


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
@pytest.mark.parametrize("path", ["/api/games/barricade/picture", "/api/games/barricade/rules"])
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


def test_half_a_request_leaves_no_traceback(capfd: pytest.CaptureFixture[str], own: Live) -> None:
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
