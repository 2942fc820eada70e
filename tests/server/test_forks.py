"""A match is played on from any place of a record, and travels whole in a link."""

import json

import pytest

from bridgehead.core import link, record
from bridgehead.core.chance import SeededDealer
from bridgehead.server.storage import imports
from bridgehead.server.storage.sqlite import Store
from records import recorded
from server.live import PEOPLE, Live

NAMES = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bob"}]


def fork(live: Live, text: str, at: int | None, seats: list[dict[str, str]], **more: object) -> dict[str, object]:
    """What the server answers to a wish to play on."""
    game = record.load(text)[0].game.spec.id if text.startswith("bridgehead") else more.pop("game")
    body = {"game": game, "record": text, "seats": seats, **({} if at is None else {"at": at}), **more}
    answer = live.http.post("/api/tables", json=body)
    return {"status": answer.status_code, **answer.json()}


@pytest.mark.parametrize("sent", ["record", "link"])
def test_a_table_begins_with_the_beginning_of_a_record_and_is_played_on(sent: str, live: Live) -> None:
    text = recorded("barricade-2")
    match, names = record.load(text)
    made = fork(live, text if sent == "record" else link.pack(match, names), 31, NAMES, game="barricade", seed=5)
    assert made["status"] == 201, made
    page = live.page(made, 0, 1)
    now = record.load(live.http.get(f"/api/tables/{made['table']}/record").text)[0]
    assert now.game == match.game and now.actions[:31] == match.actions[:31] and not now.position.is_chance
    assert page.view["names"] == ["Ada", "Bob"] and page.view["v"] == 1 + len(now.log) - 31
    assert len(page.view["log"]) == len(now.log)
    before = page.view["v"]
    page.act(page.view["choices"][0]["text"])
    assert page.view["v"] > before


def test_what_follows_the_beginning_is_dealt_by_the_table(live: Live) -> None:
    match, _ = record.load(recorded("barricade-2"))
    at = next(i for i, position in enumerate(match.positions) if i > 20 and position.is_chance)
    made = fork(live, recorded("barricade-2"), at, NAMES, seed=9)
    events = Store(live.file).events(str(made["table"]))
    dealt = SeededDealer("9").deal(match.positions[at], match.fork(at).chances)
    assert [(event.kind, event.by) for event in events] == [("import", "fork"), ("action", "chance")] and events[
        1
    ].action == dealt
    assert json.loads(events[0].body) == {"hash": imports.pack(match.actions).hash, "actions": at}
    assert len({event.key.partition(".")[0] for event in events}) == 1  # one commit, and one step of the table


def test_a_forked_table_is_found_again_after_a_restart(own: Live) -> None:
    position = "A1,a2,d2,C2,c3,A3 D2,e4,B4,C4 a 22 1 - b246e46e6f9e2eb4 -"
    text = recorded("forty_bridges-1").partition("\n\n")[0].replace("captured, seat 2 wins", "unfinished")
    made = fork(own, f"{text}\nstart: {position}\n", None, PEOPLE)
    assert made["status"] == 201, made
    page = own.page(made, 0, 1)
    page.act(page.view["choices"][0]["text"])
    kept = own.http.get(f"/api/tables/{made['table']}/record").text
    own.restart()
    assert own.http.get(f"/api/tables/{made['table']}/record").text == kept and f"start: {position}" in kept


def test_what_cannot_be_played_on_is_refused_with_its_place(live: Live) -> None:
    text, seats = recorded("forty_bridges-1"), PEOPLE
    end = len(record.load(text)[0].log)
    lines = text.replace("1. ", "1. e5-a1; ", 1)
    for body, where, told in (
        ({"record": lines}, "line 8", "e5-a1"),
        ({"record": "hello"}, "line 1", "begins with"),
        ({"record": "eNabc"}, "link", "damaged"),
        ({"record": text, "at": end}, "at", "over"),
        ({"record": text, "at": end + 1}, "at", f"{end} actions"),
        ({"record": text, "at": -1}, "$.at", ">= 0"),
        ({"record": text, "at": 3, "options": {"sidesNeeded": 2}}, "options", "own house rules"),
        ({"record": text, "at": 3, "game": "barricade"}, "game", "another game"),
        ({"record": text, "at": 3, "seats": PEOPLE * 2}, "seats", "4 seats are named"),
        ({"record": text, "at": 3, "seats": [PEOPLE[0], {"kind": "computer", "level": "god"}]}, "seats[1].level", "god"),
    ):
        answer = live.http.post("/api/tables", json={"game": "forty_bridges", "seats": seats, **body})
        assert answer.status_code == 400, answer.text
        assert answer.json()["where"] == where and told in answer.json()["error"], (body, answer.json())


def test_a_record_longer_than_a_request_travels_as_its_link(live: Live) -> None:
    made = live.table("barricade", seats=PEOPLE, board="mini")
    page = live.page(made, 0, 1)
    page.act(page.view["choices"][0]["text"])
    told = live.http.get(f"/api/tables/{made['table']}/link").json()["link"]
    film = live.http.post("/api/records", content=f"{live.url}/replay#g={told}").json()
    same = live.http.get(f"/api/tables/{made['table']}/frames").json()
    assert film == same and film["link"] == told and record.load(film["record"])[0].actions
    bomb = live.http.post("/api/records", content="eNrtwTEBAAAAwqD1T20JT6AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    assert bomb.status_code == 400 and json.loads(bomb.text)["where"] == "link"
