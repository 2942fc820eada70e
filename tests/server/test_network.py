"""Opening the network: only the page that the command opened may ask, and links carry an address that the server has reached."""

import secrets
from pathlib import Path
from typing import Any

import httpx
import pytest

from bridgehead.core.errors import BridgeheadError
from bridgehead.server import run
from bridgehead.server.connections import network as networks
from bridgehead.server.connections.network import LocalNetwork, own_addresses
from server.live import PATIENCE, Live, Serve
from server.test_storage import Process
from waiting import wait_for

SECRET = "s" * 32
HOME = "127.0.0.9"  # stands for this machine's address in its home network


@pytest.fixture
def lone(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Live:
    """A server on loopback that the person at the machine may open."""
    monkeypatch.setattr(networks, "own_addresses", lambda: [HOME])
    return serve(network=LocalNetwork("", "bridgehead serve --host 0.0.0.0 --port 8000", SECRET))


def ask(live: Live, host: str = "", secret: str = SECRET, open: bool = True, **headers: str) -> httpx.Response:
    """Ask to open the network, as a page of this host."""
    host = host or live.host
    told = {"host": host, "origin": f"http://{host}", **headers}
    return live.http.post("/api/network", json={"secret": secret, "open": open}, headers={k: v for k, v in told.items() if v})


def test_one_click_opens_the_network_and_another_closes_it(lone: Live) -> None:
    shown: list[str] = []
    lone.app.state.network.shown = shown.append
    before = lone.http.get("/api/network").json()
    assert before == {"base": "", "command": "bridgehead serve --host 0.0.0.0 --port 8000", "opens": True}
    there = f"http://{HOME}:{lone.app.state.network.port}"
    with pytest.raises(httpx.ConnectError):
        httpx.get(there, timeout=PATIENCE)
    assert ask(lone).json()["base"] == there == lone.http.get("/api/network").json()["base"]
    assert ask(lone).json()["base"] == there, "a second click changes nothing"
    table = lone.table()
    assert table["base"] == there
    with httpx.Client(base_url=there, timeout=PATIENCE) as guest:
        assert guest.get(f"/t/{table['table']}").status_code == 200
        assert guest.get("/api/network").json() == {"base": there, "command": "", "opens": False}
        wish = {"secret": SECRET, "open": False}
        assert guest.post("/api/network", json=wish, headers={"origin": there}).status_code == 403
    assert ask(lone, open=False).json()["base"] == ""
    with pytest.raises(httpx.ConnectError):
        httpx.get(there, timeout=PATIENCE)
    assert shown == [there, ""]


def test_a_page_without_the_secret_opens_it_with_the_code_on_the_terminal(lone: Live) -> None:
    network: LocalNetwork = lone.app.state.network
    own = {"origin": f"http://{lone.host}"}
    assert "asks" not in lone.http.get("/api/network").json(), "nobody would see a code"
    assert lone.http.post("/api/network", json={"ask": True}, headers=own).status_code == 200
    codes: list[str] = []
    network.asked = codes.append
    assert lone.http.get("/api/network").json()["asks"]
    for attempt in ({}, {"origin": "http://evil.example"}, {**own, "host": f"rebound.lan:{network.port}"}):
        assert lone.http.post("/api/network", json={"ask": True}, headers=attempt).status_code in (400, 403)
    assert codes == []
    assert lone.http.post("/api/network", json={"ask": True}, headers=own).status_code == 200
    (code,) = codes
    assert len(code) == 6 and code not in lone.http.get("/api/network").text
    assert ask(lone, secret="").status_code == 403
    assert ask(lone, secret=code, origin="http://evil.example").status_code == 403
    assert ask(lone, secret=code).json()["base"] and ask(lone, secret=code, open=False).json()["base"] == ""
    for _ in range(networks.TRIES):
        assert ask(lone, secret=f"{(int(code) + 1) % 10**6:06}").status_code == 403
    assert ask(lone, secret=code).status_code == 403, "guessing ends it"


def test_a_guest_who_is_there_when_the_network_closes_is_cut_off(lone: Live) -> None:
    there = ask(lone).json()["base"]
    with httpx.Client(base_url=there, timeout=PATIENCE) as guest:
        assert guest.get("/healthz").status_code == 200
        ask(lone, open=False)
        with pytest.raises(httpx.TransportError):
            guest.get("/healthz")


def test_nobody_else_opens_the_network(lone: Live) -> None:
    """Pages of other sites, of other names for this machine, of proxies and tunnels, and whoever lacks the secret."""
    port = lone.app.state.network.port
    attempts: list[dict[str, Any]] = [
        {"secret": ""}, {"secret": "t" * 32}, {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": ""},
        {"host": f"evil.example:{port}"}, {"host": f"rebound.lan:{port}"}, {"host": f"machine:{port}"},
        {"host": f"{HOME}:{port}"}, {"host": f"[::ffff:127.0.0.1]:{port}"}, {"host": "0.0.0.0"},
        *({header: "203.0.113.9"} for header in networks.FORWARDED),
    ]  # fmt: skip
    for attempt in attempts:
        assert ask(lone, **attempt).status_code in (400, 403), attempt
    body = f'{{"secret": "{SECRET}"}}'
    for kind in ("text/plain", "application/x-www-form-urlencoded"):  # what a form of another site can send
        more = {"origin": "http://evil.example", "content-type": kind}
        assert lone.http.post("/api/network", content=body, headers=more).status_code == 403
    assert lone.http.get("/api/network").json()["base"] == ""
    assert ask(lone).json()["base"] != ""


def test_the_secret_is_in_no_answer(lone: Live) -> None:
    for path in ("/", "/api/network", "/new/barricade?mode=invite", "/api/schema.json"):
        assert SECRET not in lone.http.get(path).text


def test_no_secret_cannot_be_guessed_as_empty(own: Live) -> None:
    assert ask(own, secret="").status_code == 403


def test_a_probe_is_answered_by_this_server_only(lone: Live) -> None:
    assert lone.http.get(f"/api/network/{secrets.token_hex(16)}").status_code == 404


def test_a_machine_in_no_network_gets_no_link(lone: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    for none in ([], ["203.0.113.254"], ["9.9.9.9"]):  # no address, one that is not this machine's, one of the internet
        monkeypatch.setattr(networks, "own_addresses", lambda none=none: none)
        answer = ask(lone)
        assert (answer.status_code, answer.json()["base"]) == (200, "")


def test_a_server_for_the_whole_network_knows_the_address_that_it_has_reached(tmp_path: Path) -> None:
    server = Process(tmp_path, more=["--host", "0.0.0.0"])
    try:
        reached = next((f"http://{each}:{server.port}" for each in own_addresses()), "")
        asked = lambda: httpx.get(f"{server.url}/api/network", timeout=PATIENCE).json()  # noqa: E731
        wait_for(lambda: asked()["base"] == reached)
        assert not asked()["opens"]
    finally:
        server.process.terminate()
        server.process.wait(PATIENCE)


def test_a_public_address_stands_and_a_proxy_leaves_nothing_to_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIDGEHEAD_URL", "https://tables.example/")
    server = Process(tmp_path)
    try:
        state = httpx.get(f"{server.url}/api/network", timeout=PATIENCE).json()
        assert (state["base"], state["opens"]) == ("https://tables.example", False)
        named = httpx.get(f"{server.url}/healthz", headers={"host": "tables.example"}, timeout=PATIENCE)
        assert named.status_code == 200, "requests for the public name are answered"
    finally:
        server.process.terminate()
        server.process.wait(PATIENCE)


def test_the_command_gives_the_secret_to_the_browser_and_to_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, browser = tmp_path / "address", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {told}.new && mv {told}.new {told}\n')
    browser.chmod(0o700)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    server = Process(tmp_path, more=["--browser"])
    try:
        wait_for(told.exists)
        address, _, secret = told.read_text("utf-8").partition("/#network=")
        assert address == server.url and len(secret) == 32
        assert secret not in "".join(server.said)
        closing = {"secret": secret, "open": False}
        assert httpx.post(f"{address}/api/network", json=closing, headers={"origin": address}).json()["opens"]
        wrong = httpx.post(f"{address}/api/network", json=closing | {"secret": "t" * 32}, headers={"origin": address})
        assert wrong.status_code == 403
    finally:
        server.process.terminate()
        server.process.wait(PATIENCE)


RIGHT = ["https://tables.example", "http://tables.example:8080/", "http://[::1]:8000", "https://münchen.example", ""]
WRONG = [
    "club.example", "https://club.example/games", "https:// club.example", " https://club.example", "https://club.example ",
    "ftp://club.example", "https://", "https://club.example?x=1", "https://club.example#a", "https://me:secret@club.example",
    "https://club.example:99999", "http://[::1", "https://club.example\nX: y", "javascript:alert(1)",
]  # fmt: skip


@pytest.mark.parametrize("given", RIGHT)
def test_a_public_address_of_the_right_form_is_taken(given: str) -> None:
    assert run._public_address(given) == given.rstrip("/")


@pytest.mark.parametrize("given", WRONG)
def test_another_public_address_is_refused_with_the_form_that_is_right(given: str) -> None:
    with pytest.raises(BridgeheadError, match="like https://tables.example") as refused:
        run._public_address(given)
    assert refused.value.where == "BRIDGEHEAD_URL"
