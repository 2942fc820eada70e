"""Hints at the table and analyses of games that are over: who is told what, and when."""

import asyncio
import contextlib
import json
import os
import secrets
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from bridgehead.core import record, registry
from bridgehead.core.ending import RESIGNED, Ending
from bridgehead.core.match import Match
from bridgehead.players import subprocess_player
from bridgehead.players.advice import Assessment
from bridgehead.server.connections import rate_limits
from bridgehead.server.jobs import computer_players
from bridgehead.server.rooms.room import Tasks
from bridgehead.server.rooms.room_manager import CLOSING
from server.live import PATIENCE, PEOPLE, ROOMY, Live, Page, Serve
from waiting import apart, wait_for

pytestmark = pytest.mark.wide
ALONE = [{"kind": "person"}, {"kind": "computer", "level": "greedy"}]
RECORD = Path(__file__).parents[1] / "proof" / "records" / "forty_bridges-1.txt"
TOLD = Assessment(0, 0.5, "even", [], "why", "", "", "", 1)


def what_it_knows(*request: Any) -> Assessment:
    """In place of a search: what it was asked."""
    time.sleep(0.05)
    return msgspec.structs.replace(TOLD, why=json.dumps(request))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Any:
    running = Live(tmp_path_factory.mktemp("hints"), ROOMY._replace(hints=10_000, studies=10_000))
    yield running
    running.stop()


@pytest.fixture
def quick(monkeypatch: Any) -> None:
    """Hints that are found without a search."""
    monkeypatch.setattr(computer_players, "advise", what_it_knows)
    monkeypatch.setattr("bridgehead.server.jobs.computer_players.prepare", what_it_knows)


def until_stopped(*request: Any) -> Assessment:
    """In place of a search: the first one in the worker begins a file, and goes on until it is stopped."""
    stop, begun = subprocess_player.stop(), Path(os.environ["BEGUN"])
    again = begun.exists()
    while stop is not None and not (again or stop.is_set()):
        begun.touch()
        time.sleep(0.01)
    return TOLD


def wish(page: Page, **more: Any) -> dict[str, Any]:
    """Ask for a hint; the answer, whatever it is."""
    key = secrets.token_hex(16)
    page.say(t="hint", k=key, v=page.view["v"], **more)
    until = time.monotonic() + 8 * PATIENCE  # it may have to be compiled first
    while True:
        with contextlib.suppress(TimeoutError):
            if (message := page.hear_any()).get("k") == key:
                return message
        assert time.monotonic() < until


def finished(actions: int = 4) -> str:
    """The record of a short game that was given up."""
    match = Match(registry.game("forty_bridges"))
    for _ in range(actions):
        match.play(match.position.legal[3])
    match.end(Ending(RESIGNED, 0))
    return record.dump(match, ["Ada", "Ben"])


def studied(own: Live, text: str, lang: str = "en") -> dict[str, Any]:
    """The analysis of a record, asked for until it is there."""
    begun = own.http.post("/api/analyses", content=text, headers={"content-type": "text/plain"})
    assert begun.status_code == 202, begun.text
    until = time.monotonic() + 8 * PATIENCE
    while True:
        answer = own.http.get(f"/api/analyses/{begun.json()['key']}", params={"lang": lang})
        found: dict[str, Any] = answer.json()
        if "line" in found or answer.status_code != 200:
            break
        assert time.monotonic() < until and 0 <= found["done"] <= found["of"]
        time.sleep(0.05)
    return found | {"status": answer.status_code}


def test_a_hint_is_found_by_a_real_search_and_named_in_words(own: Live) -> None:
    body = {"game": "forty_bridges", "seats": ALONE, "record": RECORD.read_text("utf-8"), "at": 30}
    table = own.http.post("/api/tables", json=body).json()
    page = own.page(table, 0)
    assert page.view["hints"], "one person alone may ask"
    events = own.store.events(table["table"])
    told = wish(page)
    legal = {choice["action"]: choice for choice in page.view["choices"]}
    assert told["t"] == "hint" and told["v"] == page.view["v"] and told["seat"] == 0
    assert 1 <= len(told["best"]) <= 3 and all(each["action"] in legal for each in told["best"])
    assert [each["label"] for each in told["best"]] == [legal[each["action"]]["label"] for each in told["best"]]
    assert 0 < told["chance"] < 1 and told["why"] and told["answer"] and 1 <= told["alike"] <= len(told["best"])
    assert any(each["effects"] for each in told["best"]) and all(len(each["effects"]) <= 3 for each in told["best"])
    assert own.store.events(table["table"]) == events, "a hint changes nothing"


@pytest.mark.usefixtures("quick")
def test_a_hint_is_made_of_the_position_and_of_nothing_that_is_secret(own: Live) -> None:
    body = {"game": "barricade", "options": {"board": "mini"}, "seats": ALONE, "seed": "the-seed-of-the-dice"}
    table = own.http.post("/api/tables", json=body).json()
    page = own.page(table, 0)
    page.until(lambda view: view["actor"] == 0)
    told = wish(page)
    name, options, text, names, language, seed = json.loads(told["why"])
    assert (name, json.loads(options)["board"], names, language) == ("barricade", "mini", ["B", "C"], "en")
    assert registry.game("barricade", board="mini").load(text).actor == 0
    assert not any(secret in told["why"] for secret in ["the-seed-of-the-dice", table["tokens"][0], table["host"]])


@pytest.fixture
def sought(quick: None, tmp_path: Path, serve: Serve, monkeypatch: Any) -> tuple[Live, Page, str]:
    """A server that seeks a hint until it is stopped, the page that has asked, and the key of its question."""
    monkeypatch.setattr(computer_players, "advise", until_stopped)
    monkeypatch.setenv("BEGUN", str(tmp_path / "begun"))
    live = serve(ROOMY)
    page, key = live.page(live.table(seats=ALONE), 0), secrets.token_hex(16)
    page.say(t="hint", k=key, v=page.view["v"])
    wait_for((tmp_path / "begun").exists)
    return live, page, key


def test_a_search_for_a_hint_ends_with_its_page(sought: tuple[Live, Page, str]) -> None:
    live, page, _ = sought
    page.socket.close()
    assert wish(live.page(live.table(seats=ALONE), 0))["t"] == "hint", "the one worker is free again"


def test_a_server_that_seeks_a_hint_stops(sought: tuple[Live, Page, str]) -> None:
    assert sought[0].stop() < CLOSING


def test_what_a_server_has_begun_does_not_keep_it_from_stopping() -> None:
    async def work() -> tuple[list[str], int]:
        tasks, done = Tasks(), list[str]()

        async def change(seconds: float, name: str) -> None:
            await asyncio.sleep(seconds)
            done.append(name)

        tasks.start(change(0.01, "short"))
        tasks.start(change(PATIENCE, "endless"))
        await tasks.wait(0.5)
        return done, len(tasks)

    assert apart(work()) == (["short"], 0)


def test_a_hint_that_is_not_wanted_any_more_really_stops(sought: tuple[Live, Page, str]) -> None:
    _, page, key = sought
    page.say(t="hint", k=secrets.token_hex(16), v=page.view["v"], stop=True)
    answer = page.hear_any()
    while answer.get("k") != key:
        answer = page.hear_any()
    assert (answer["t"], answer["code"]) == ("rej", "closed") and answer["text"] == "The search for a hint was stopped."
    assert wish(page)["t"] == "hint", "the one worker is free again"


@pytest.mark.usefixtures("quick")
def test_where_several_people_play_only_the_host_allows_hints_and_all_are_told(own: Live) -> None:
    table = own.table(seats=PEOPLE)
    ada, ben = own.page(table, 0, host=True), own.page(table, 1)
    assert "hints" not in ada.view and wish(ada)["code"] == "closed"
    ada.say(t="house", k=secrets.token_hex(16), hints=True)
    for page in (ada, ben):
        while not page.people.get("hints"):
            page.hear("people")
        assert page.view["hints"] and page.people["marks"][-1]["text"] == "Hints are allowed from here (the host decided)."
    assert wish(ada)["t"] == "hint"
    assert wish(ben)["code"] == "turn", "only whoever is to act"
    assert wish(own.page(table))["code"] == "turn", "and nobody who looks on"
    assert "# Hints are allowed from here" in own.http.get(f"/api/tables/{table['table']}/record").text
    ada.say(t="house", k=secrets.token_hex(16), hints=False)
    while ada.people["hints"]:
        ada.hear("people")
    assert wish(ada)["code"] == "closed" and "hints" not in ada.view


@pytest.mark.usefixtures("quick")
def test_a_hint_for_what_is_no_longer_or_asked_too_often_is_refused(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = time.monotonic()
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(monotonic=lambda: begun))  # however slow the hints are
    few = serve(ROOMY._replace(hints=2))
    page = few.page(few.table(seats=[ALONE[0], {"kind": "computer", "level": "greedy"}]), 0)
    first = page.view
    page.act("a2-a3")
    page.until(lambda view: view["actor"] != 1)
    now, page.view = page.view, first
    assert wish(page)["code"] == "stale"
    page.view = now
    assert [wish(page).get("code") for _ in range(3)] == [None, None, "rate"]


def test_a_game_that_is_over_is_analysed_in_both_languages_and_kept(own: Live) -> None:
    text = finished()
    told = studied(own, text)
    assert told["status"] == 200 and len(told["line"]) == 5 and told["line"][-1] == [0, 1]
    assert [seat["name"] for seat in told["seats"]] == ["Ada", "Ben"] and len(told["steps"]) == 4
    assert all(1 <= len(step["ways"]) <= 4 and sum(way["chosen"] for way in step["ways"]) == 1 for step in told["steps"])
    assert told["words"]["moments"] == "Key moments"
    german = studied(own, text, "de")
    assert german["words"]["moments"] == "Schlüsselmomente" and german["line"] == told["line"]
    assert len(list((own.file.parent / "analyses").glob("*.json"))) == 1
    own.app.state.analyses._kept.clear()
    assert studied(own, text)["line"] == told["line"], "it is read from where it was kept"
    assert not own.app.state.analyses.going


def test_only_games_that_are_over_are_analysed(own: Live) -> None:
    table = own.table(seats=PEOPLE)
    page = own.page(table, 0)
    page.act("a2-a3")
    running = own.http.get(f"/api/tables/{table['table']}/record").text
    refused = studied(own, running)
    assert refused["status"] == 400 and "when it is over" in refused["error"]
    assert studied(own, "no record")["status"] == 400
    assert own.http.get("/api/analyses/" + "0" * 32).status_code == 404


def test_one_address_has_so_many_games_analysed_and_no_more(serve: Serve) -> None:
    few = serve(ROOMY._replace(studies=1))
    codes = [few.http.post("/api/analyses", content="no record").status_code for _ in range(2)]
    assert codes == [202, 429]
