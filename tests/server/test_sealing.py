"""Sealed chance at tables: nothing is dealt before everybody sealed, nobody can cheat, everything survives a restart."""

import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridgehead.client import Host, Rejected, Seated, View
from bridgehead.fairness import bgf2, proof, statements
from bridgehead.fairness.bgf2 import SeatHead, Terms
from bridgehead.fairness.party import Party
from bridgehead.fairness.seals import Seals
from bridgehead.server.storage import seal_log
from bridgehead.server.storage.sqlite import Store
from bridgehead.server.tables.table import Table
from server.live import PATIENCE, PEOPLE, Live, Page

MINI = {"board": "mini", "seats": 2, "turnLimit": 8}
COMPUTER = {"kind": "computer", "level": "random"}
NAMED = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]


def new(live: Live, seats: list[dict[str, str]] | None = None, game: str = "barricade", **wish: Any) -> dict[str, Any]:
    """A new table with sealed chance."""
    body = {
        "game": game,
        "seats": NAMED if seats is None else seats,
        **({"options": MINI} if game == "barricade" else {}),
        **wish,
    }
    return live.ask("/api/tables", body, 201)


def inside(live: Live, table: dict[str, Any]) -> Table:
    """The table as the server holds it."""
    found = live.app.state.tables._open[table["table"]].result()
    assert isinstance(found, Table)
    return found


def era(page: Page) -> dict[str, Any]:
    """The last era that the page was told of."""
    told = next(message["sealed"] for message in reversed(page.heard) if "sealed" in message)
    return told["eras"][-1]


def say(page: Page, message: dict[str, Any]) -> dict[str, Any]:
    """Say something and hear the answer to it."""
    key = secrets.token_hex(16)
    page.say(**message, k=key)
    while (answer := page.hear_any()).get("k") != key:
        pass
    return answer


def game_id(page: Page) -> str:
    gid = next(message["sealed"]["gid"] for message in reversed(page.heard) if "sealed" in message)
    assert isinstance(gid, str)
    return gid


def seal(page: Page, seat: int, head: bytes, gid: str = "", number: int = 1) -> dict[str, Any]:
    heads = [{"seat": seat, "head": head.hex()}]
    return say(page, {"t": "seal", "gid": gid or game_id(page), "era": number, "heads": heads, "source": 0})


def reveal(page: Page, seat: int, value: bytes, e: int = -1) -> dict[str, Any]:
    told = [{"seat": seat, "value": value.hex()}]
    return say(page, {"t": "reveal", "gid": game_id(page), "era": 1, "links": told, "e": e})


def chain(page: Page, seat: int, seed: int = 7, length: int = 1) -> list[bytes]:
    return bgf2.chain(bytes([seed]) * 32, bytes.fromhex(game_id(page)), 1, seat, length)


def proof_of(live: Live, table: dict[str, Any], *parties: Party) -> tuple[proof.Proof, list[proof.Finding]]:
    """The table's proof, checked with what these parties kept."""
    told = proof.read(live.http.get(f"/api/tables/{table['table']}/proof").content)
    assert isinstance(told, proof.Proof)
    return told, proof.verify(told, proof.Observed(kept=[party.collect_evidence() for party in parties]))


def together(true: Callable[[View], bool], *seated: Seated) -> None:
    """Let several at a table hear and answer, in turns, until that is true of the views of all."""
    deadline = time.monotonic() + PATIENCE
    while not all(true(each.view) for each in seated):
        assert time.monotonic() < deadline, [each.view["sealed"] for each in seated]
        for each in seated:
            with contextlib.suppress(TimeoutError):
                each.wait_until(lambda view: False, 0.02)


def play_out(*seated: Seated) -> None:
    """Those who hold the seats play the last legal action until the game is over."""
    while seated[0].view["outcome"] is None:
        for each in seated:
            if each.choices:
                with contextlib.suppress(Rejected):
                    each.play(each.choices[-1]["action"])
        newest = max(each.view["v"] for each in seated)
        together(lambda view, v=newest: view["v"] >= v and view["actor"] != -1, *seated)  # type: ignore[misc]
        if not any(each.choices for each in seated):  # a computer thinks
            together(lambda view, v=newest: view["v"] > v or view["outcome"] is not None, *seated)  # type: ignore[misc]


def test_nothing_is_dealt_before_everybody_has_sealed_and_opened(live: Live) -> None:
    table = new(live)
    ada, watcher = live.page(table, 0), live.page(table)
    assert (
        ada.view["actor"] == -1 and ada.view["prompt"] == "Waiting for Ben to sit down: chance is sealed when everybody is here."
    )
    assert "Waiting for Ben" in watcher.view["prompt"]
    assert "choices" not in ada.view
    ben = live.page(table, 1)
    links = {0: chain(ada, 0), 1: chain(ben, 1, 8)}
    assert seal(ada, 0, links[0][0])["t"] == "ack"
    assert reveal(ada, 0, links[0][1])["code"] == "bad", "nothing may be opened before the freeze"
    assert seal(ben, 1, links[1][0])["t"] == "ack"
    ada.hear("view")
    while not era(ada)["transcript"]:
        ada.hear("view")
    assert ada.view["actor"] == -1
    assert reveal(ada, 0, links[0][1])["t"] == "ack"
    assert ada.hear("view")["actor"] == -1
    told = era(ada)
    assert (
        told["unopened"] == [1]
        and not told["opening"]
        and told["listed"]["n"] == live.http.get("/api/sealed").json()["head"]["n"]
    )
    heads = tuple(SeatHead(0, 1, links[seat][0]) for seat in (0, 1))
    values = bytes.fromhex(told["rules"]), bytes.fromhex(told["root"])
    terms = Terms(bytes.fromhex(game_id(ada)), 1, 0, *values, 12, 1, heads)
    assert told["transcript"] == terms.transcript.hex()
    assert reveal(ben, 1, links[1][1])["t"] == "ack"
    assert ben.hear("view")["actor"] >= 0 and "Ada, Ben" in ben.view["sealed"]["text"] and len(ben.view["draws"]) == 2
    assert era(ben)["opening"] == [links[seat][1].hex() for seat in (0, 1)]


def test_what_does_not_belong_is_refused(live: Live) -> None:
    table = new(live)
    ada, ben = live.page(table, 0), live.page(table, 1)
    mine, other = chain(ada, 0), chain(ada, 0, 9)
    assert seal(ada, 1, mine[0])["code"] == "turn", "a head for somebody else's seat"
    assert seal(ada, 0, mine[0], gid="0" * 32)["code"] == "stale", "a head for another era"
    assert seal(ada, 0, mine[0])["t"] == "ack" and seal(ada, 0, mine[0])["t"] == "ack"
    assert seal(ada, 0, other[0])["code"] == "bad", "two heads for one seat"
    theirs = chain(ben, 1)
    seal(ben, 1, theirs[0])
    while not era(ada)["transcript"]:
        ada.hear("view")
    version = inside(live, table).version
    assert reveal(ada, 0, other[1])["code"] == "bad", "a link of another chain"
    assert reveal(ada, 0, mine[1], e=0)["code"] == "stale", "a link out of turn"
    assert reveal(ada, 1, theirs[1])["code"] == "turn", "a link of somebody else's seat"
    assert seal(ada, 0, other[0])["code"] == "stale", "a head after the freeze"
    assert inside(live, table).version == version
    for wrong in (
        {"t": "seal", "gid": "x", "era": 1, "heads": []},
        {"t": "reveal", "gid": "0" * 32, "era": 1, "links": [{"seat": 0, "value": ""}]},
        {"t": "reveal", "gid": "0" * 32, "era": 0, "links": [{"seat": 0, "value": "0" * 64}]},
    ):
        ada.say(**wrong, k=secrets.token_hex(16))
        ada.refused("bad")
    watcher = live.page(table)
    assert seal(watcher, 0, mine[0])["code"] == "turn"
    assert say(watcher, {"t": "begin", "gid": "0" * 32, "era": 1})["code"] == "turn"


@pytest.mark.parametrize("withheld", [False, True], ids=["never came", "sealed and did not open"])
def test_a_table_can_begin_without_waiting_and_shows_that_the_server_sealed(withheld: bool, live: Live) -> None:
    table = new(live)
    with Host(live.url).join(table["table"], [table["tokens"][0]]) as ada:
        if withheld:
            ben = live.page(table, 1)
            assert seal(ben, 1, chain(ben, 1)[0])["t"] == "ack"
            ada.wait_until(lambda view: view["sealed"]["eras"][-1]["unopened"] == [1], 20)
            ben.socket.close()
        ada.begin()
        ada.wait_until(lambda view: view["actor"] != -1, 20)
        told = ada.view["sealed"]["eras"][-1]
        assert told["number"] == 1 + withheld and told["seats"][1][0] == 1 and not ada.party.alarms
        assert ada.view["sealed"]["text"].endswith("Sealed by the server, and therefore no protection: Ben.")
        with pytest.raises(Rejected, match="the table is not waiting for a seat"):
            ada.begin()
    found, findings = proof_of(live, table, ada.party)
    assert proof.verdict(findings) == "open" and len(found.eras) == 1 + withheld, "an era that was given up is shown"
    assert any("frozen and then given up" in finding.what for finding in findings) == withheld


def test_no_secret_is_told_before_its_time(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    table = new(live, [NAMED[0], COMPUTER], options={**MINI, "turnLimit": 30})
    heard: list[str] = []
    with Host(live.url).join(table["table"], [table["tokens"][0]]) as ada:
        watcher = live.page(table)
        assert ada._socket is not None
        receive = ada._socket.recv
        ada._socket.recv = lambda seconds=None: heard.append(receive(seconds)) or heard[-1]  # type: ignore[method-assign,func-returns-value,assignment]
        for _ in range(5):
            ada.wait_for_turn()
            if ada.choices:
                ada.play(ada.choices[-1]["action"])
        ada.wait_for_turn()
        held = inside(live, table)
        assert isinstance(held.dealer, Seals)
        running = held.dealer.running_era
        assert running is not None
        before = live.http.get(f"/api/tables/{table['table']}/proof").text
        watcher.say(t="ping", n=1)
        watcher.hear("pong")
        told = "".join(heard) + str(watcher.heard) + before + live.http.get("/api/sealed").text + caplog.text
        keeper, gid = held.dealer.keeper, running.game_id
        secret = keeper.derive_secret(gid, 1)
        future = [bgf2.event_key(secret, gid, 1, event) for event in range(held.dealer.dealt, 4096)]
        own = [seed for seed in ada.party._seeds.values()]
        made = bgf2.mac(bytes.fromhex(held.body.secret), b"bridgehead/seat\0" + gid + bgf2.u32(1) + bgf2.u8(1))
        salt = keeper.salt(gid)
        for each in (secret, bytes.fromhex(held.body.secret), live.store.key, made, *own, *future):
            assert each.hex() not in told
        assert salt.hex() not in "".join(heard), "it hides concealed house rules"
        assert bgf2.event_key(secret, gid, 1, 0).hex() in told, "what was dealt is opened"
        play_out(ada)
        after = live.http.get(f"/api/tables/{table['table']}/proof").text
        assert secret.hex() in after and held.body.secret not in after
    stored = b"".join(file.read_bytes() for file in live.file.parent.glob("bridgehead.sqlite*"))
    assert not any(seed.hex().encode() in stored or seed in stored for seed in own), "the server never has a person's seed"


def test_what_is_not_sealed_says_so(live: Live) -> None:
    practice = new(live, seed=5)
    page = live.page(practice, 0)
    assert page.view["sealed"]["practice"] and "whoever chose the seed can know every outcome" in page.view["sealed"]["text"]
    assert "not sealed: a seed that its maker knows" in live.http.get(f"/api/tables/{practice['table']}/record").text
    refused = live.http.get(f"/api/tables/{practice['table']}/proof")
    assert refused.status_code == 400 and "not sealed" in refused.json()["error"]
    plain = new(live, PEOPLE, game="forty_bridges")
    german = live.page(plain, 0, lang="de")
    assert german.view["sealed"]["text"] == "In diesem Spiel gibt es keinen Zufall: da ist nichts zu versiegeln."
    assert "chance:" not in live.http.get(f"/api/tables/{plain['table']}/record").text
    assert say(german, {"t": "begin", "gid": "0" * 32, "era": 1})["code"] == "closed"
    nobody = new(live, [COMPUTER, COMPUTER])
    watcher = live.page(nobody)
    assert watcher.view["actor"] != -1 and "sealed by the server alone" in watcher.view["sealed"]["text"]


def test_the_rematch_of_a_practice_game_is_sealed_for_nobody_chose_a_seed_for_it(live: Live) -> None:
    practice = new(live, seed=5)
    both = live.page(practice, 0, 1)
    assert say(both, {"t": "ask", "v": both.view["v"], "what": "resign"})["t"] == "ack"
    assert say(both, {"t": "rematch"})["t"] == "ack"
    while not both.people.get("rematch"):
        both.hear_any()
    again = live.page({**practice, "table": both.people["rematch"]}, 0, 1)
    assert again.view["sealed"]["level"] == 1 and not again.view["sealed"]["practice"], again.view["sealed"]


def test_all_that_was_ever_sealed_is_listed_and_chained(own: Live) -> None:
    tables = [new(own, [COMPUTER, COMPUTER]) for _ in range(3)]
    unsealed = new(own)
    own.restart()
    told = own.http.get("/api/sealed").json()
    rows = told["entries"]
    eras = [(game_id(page) + "00000001", era(page)["transcript"]) for page in map(own.page, tables)]
    assert [(row["gid"], row["root"]) for row in rows] == eras, "every transcript, also of tables that nobody came to"
    assert game_id(own.page(unsealed)) not in str(rows), "nothing is known before the freeze, so there is nothing to list"
    link = seal_log.FIRST
    for row in rows:
        link = seal_log.link_of(link, row["n"], row["gid"], row["root"])
        assert link == row["link"]
    head = statements.Statement("list", "", told["head"]["n"], told["head"]["link"], told["head"]["signature"])
    assert head.holds(told["server"]) and (head.number, head.value) == (3, link)
    assert [row["n"] for row in own.http.get("/api/sealed?from=2").json()["entries"]] == [2, 3]
    for wrong in ("0", "-1", "x", "9" * 30, "²"):
        assert own.http.get(f"/api/sealed?from={wrong}").status_code == 400
    assert not any(table["table"] in str(rows) for table in tables)


def test_another_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = Store(tmp_path / "b.sqlite")
    second = Store(tmp_path / "b.sqlite")
    assert first.key == second.key and len(first.key) == 32
    assert (tmp_path / "b.key").stat().st_mode & 0o077 == 0
    first.close()
    second.close()
