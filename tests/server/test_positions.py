"""Positions in the browser, at the level of requests: set up, refused in words, taken from records, linked and played."""

import json
from typing import Any

import pytest

from bridgehead.core import link, registry
from bridgehead.core.match import Match
from server.live import Live

GAMES = ("burning_bridges", "forty_bridges", "front_lines", "barricade")


def set_up(live: Live, game: str, **wish: Any) -> dict[str, Any]:
    return live.ask(f"/api/games/{game}/position?lang=en", wish)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_has_a_page_and_its_link_is_a_table(game: str, live: Live) -> None:
    assert live.http.get(f"/position/{game}").status_code == 200
    for page in ("/", f"/new/{game}"):
        assert f'href="/position/{game}"' in live.http.get(page).text
    told = set_up(live, game)
    assert told["board"] == {"rules": {}, "position": registry.game(game).start().text}
    assert told["tools"] and not told["problems"]
    middle = set_up(live, game, board=told["board"], start="showpiece")
    assert middle["board"]["position"] == registry.spec(game).showpiece
    match, _ = link.read(middle["link"])
    assert match.position.text == middle["board"]["position"]
    assert len(middle["plates"]) == match.game.seats and middle["prompt"]
    seats = [{"kind": "person"}] * match.game.seats
    made = live.http.post("/api/tables", json={"game": game, "record": middle["link"], "at": 0, "seats": seats})
    assert made.status_code == 201, made.text
    record = live.http.get(f"/api/tables/{made.json()['table']}/record").text
    assert f"start: {middle['board']['position']}" in record
    again = live.http.post("/api/positions/last", content=record).json()
    assert again == {"game": game, "rules": {}, "position": middle["board"]["position"]}


def test_a_position_that_cannot_occur_is_shown_with_the_reason_and_has_no_link(live: Live) -> None:
    board = {"rules": {}, "position": "a1,b1,A1,B1,a2,b2,A2,B2,c3 e4 a 0 0 - - -"}
    told = set_up(live, "forty_bridges", board=board)
    assert [each["text"] for each in told["problems"]] == ["player 1: has 9 pieces, and began with 8"]
    assert (told["link"], told["plates"], told["prompt"]) == ("", [], "")
    mended = set_up(live, "forty_bridges", board=told["board"], tool="off", touch=["p:0:c3"])
    assert not mended["problems"] and mended["link"]
    refused = set_up(live, "forty_bridges", board=told["board"], tool="off", touch=["f:c4"])
    assert refused["no"]["text"] == "No piece stands on c4."
    assert refused["board"] == told["board"]


def test_the_things_that_the_reason_names_are_pointed_at(live: Live) -> None:
    board = {"position": "H2 alive a1, D2 alive start, S2 alive start, C2 alive start | turn 0"}
    told = set_up(live, "front_lines", board=board)
    assert told["problems"][0]["show"] == ["p:H"]


def test_house_rules_go_with_the_position(live: Live) -> None:
    told = set_up(live, "front_lines", board={"rules": {"lives": 3}})
    assert told["rules"] == {"lives": 3}
    assert "H3 alive start" in told["board"]["position"]
    assert "3" in told["plain"]
    assert set(told["starts"]) == {"first"}  # the other one is of the standard rules


@pytest.mark.parametrize(
    ("game", "board", "said"),
    [
        ("forty_bridges", {"position": "nonsense"}, "expected 8 parts"),
        ("forty_bridges", {"position": 5}, "str"),
        ("forty_bridges", {"text": ""}, "text"),
        ("forty_bridges", {"rules": {"seats": 9}}, "2"),
        ("barricade", {"position": "a" * 6000}, "longer"),
        (
            "front_lines",
            {"position": "H2 alive start, D2 across, S2 alive start, C2 alive start | drawn 7D left 7 | turn 1"},
            "7D",
        ),
        ("burning_bridges", {"position": "moves a 2 round 0 turns 0; pieces aL R0 bM"}, "missing"),
    ],
)
def test_bad_input_is_refused_in_words(game: str, board: dict[str, Any], said: str, live: Live) -> None:
    answer = live.http.post(f"/api/games/{game}/position?lang=en", json={"board": board})
    assert answer.status_code == 400
    assert said in answer.json()["error"]


def test_a_record_gives_its_positions(live: Live) -> None:
    game = registry.game("barricade", board="mini")
    match = Match(game)
    while len(match.log) < 20:
        match.play(match.position.legal[0])
    packed = link.pack(match, ["a", "b"])
    for at in (0, 7, 20):
        answer = live.http.post(f"/api/positions/{at}", content=packed).json()
        assert answer["position"] == match.positions[at].text
        assert answer["rules"] == game.differences
        set_up(live, "barricade", board={"rules": answer["rules"], "position": answer["position"]})
    for wrong in ("21", "x", "-1"):
        assert live.http.post(f"/api/positions/{wrong}", content=packed).status_code == 400
    assert live.http.post("/api/positions/0", content="nothing").status_code == 400
    assert live.http.get("/position/chess").status_code == 404
    assert json.loads(live.http.post("/api/games/chess/position", json={}).text)["error"]
