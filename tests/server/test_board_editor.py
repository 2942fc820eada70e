"""Boards drawn in the browser, at the level of requests; and that nobody who plays sees what was laid out face down."""

import json
from typing import Any

import pytest

from bridgehead.core import link, record, registry
from bridgehead.server.jobs.computer_players import decide
from server.films import completed
from server.live import Live, Serve, computers

GAMES = ("burning_bridges", "forty_bridges", "front_lines", "barricade")


def edit(live: Live, game: str, **wish: Any) -> dict[str, Any]:
    return live.ask(f"/api/games/{game}/edit?lang=en", wish)


@pytest.mark.parametrize("game", GAMES)
def test_a_board_to_begin_with_is_shown_with_its_tools(game: str, live: Live) -> None:
    assert live.http.get(f"/edit/{game}").status_code == 200
    assert f'href="/edit/{game}"' in live.http.get(f"/new/{game}").text
    assert f'href="/edit/{game}"' in live.http.get("/").text
    told = edit(live, game)
    assert set(told) == {"board", "picture", "items", "tools", "no", "problems", "rules", "sealed", "starts"}
    for name in told["starts"]:
        again = edit(live, game, start=name)
        assert edit(live, game, board=again["board"]) == again
        if not again["problems"]:
            checked = live.http.post("/api/check", json={"game": game, "options": again["rules"]})
            assert checked.status_code == 200, checked.text


def test_a_stroke_gives_a_new_board_and_a_refused_one_the_same_with_the_reason(live: Live) -> None:
    told = edit(live, "barricade")
    drawn = edit(live, "barricade", board=told["board"], tool="way", touch=["f:0,0", "f:0,3"])
    assert drawn["board"]["squares"] == [[0, 0], [0, 1], [0, 2], [0, 3]]
    assert {"s:0,0", "s:0,3"} <= {item["id"] for item in drawn["items"]}
    refused = edit(live, "barricade", board=drawn["board"], tool="barricade", touch=["f:5,5"])
    assert refused["board"] == drawn["board"]
    assert refused["no"]["show"] == ["f:5,5"]
    assert "no square on f" in refused["no"]["text"]


def test_sentences_come_in_the_language_of_the_page(live: Live) -> None:
    told = live.http.post("/api/games/barricade/edit?lang=de", json={}).json()
    assert told["problems"][0]["text"] == "Zeichne die Felder des Weges."
    assert told["tools"][0]["label"] == "Feld"


@pytest.mark.parametrize(
    ("sent", "status", "where"),
    [
        (b'{"board": {"name": 3}}', 400, "name"),
        (b'{"board": [1, 2]}', 400, ""),
        (b'{"board": 7', 400, ""),
        (b'{"boards": {}}', 400, ""),
        (b'{"start": "nowhere"}', 400, "start"),
        (b'{"touch": [3]}', 400, "$.touch[0]"),
        (b'{"touch": ["a", "b", "c", "d", "e"]}', 400, "$.touch"),
        (b'{"board": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", 400, ""),
        (b'{"board": "' + b"x" * 70_000 + b'"}', 413, None),
        (b"\xff", 400, ""),
    ],
)
def test_what_is_no_board_is_refused_with_its_place(sent: bytes, status: int, where: str | None, live: Live) -> None:
    answer = live.http.post("/api/games/barricade/edit", content=sent)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]
    if where is not None:
        assert answer.json()["where"] == where


def test_nothing_is_drawn_for_a_game_that_does_not_exist(live: Live) -> None:
    assert live.http.get("/edit/chess").status_code == 404
    assert live.http.post("/api/games/chess/edit", json={}).status_code == 404


def test_drawing_holds_up_nobody_at_a_table(live: Live) -> None:
    edit(live, "barricade", start="six")
    with live.held_up() as heart:
        for _ in range(30):
            edit(live, "barricade", start="six")
    assert heart.worst < 0.25


# -- what is laid out face down ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def laid_out(live: Live) -> dict[str, Any]:
    """House rules with a layout in which the ace of hearts lies first."""
    told = edit(live, "front_lines")
    told = edit(live, "front_lines", board=told["board"], tool="move", touch=["c:AH", "f:a1"])
    told = edit(live, "front_lines", board=told["board"], tool="fill", touch=["4711"])
    assert told["sealed"] and not told["problems"]
    return told["rules"]


def whole(message: object) -> str:
    return json.dumps(message)


def test_a_table_tells_nobody_what_was_laid_out(live: Live, laid_out: dict[str, Any]) -> None:
    table = live.table("front_lines", **laid_out)
    views = [live.page(table, 0, 1).view, live.page(table).view]
    for view in views:
        assert "Field: …" in view["rules"]
        assert not any(f'"{card}"' in whole({**view, "items": []}) for row in laid_out["layout"] for card in row)
    rules = live.http.get("/api/games/front_lines/rules", params={"of": table["table"]}).json()["rules"]
    assert {each["name"]: each["value"] for each in rules}["layout"] == "…"


def test_the_record_of_a_running_game_leaves_the_layout_out_and_replays_alike(live: Live, laid_out: dict[str, Any]) -> None:
    table = live.table("front_lines", **laid_out)
    page = live.page(table, 0, 1)
    for _ in range(12):
        page.send_act(page.view["choices"][0]["action"])
        page.hear("ack")
        page.hear("view")
    text = live.http.get(f"/api/tables/{table['table']}/record").text
    assert "layout" not in text
    match, _ = record.load(text)
    assert len(match.log) == page.view["v"]
    frames = live.http.get(f"/api/tables/{table['table']}/frames?lang=en").json()
    assert completed(frames["frames"])[-1]["items"] == page.view["items"]
    assert frames["record"] == text
    packed = live.http.get(f"/api/tables/{table['table']}/link").json()["link"]
    again, _ = link.read(packed)
    assert again.game.options.layout is None
    assert again.position.text == match.position.text


def test_the_record_of_a_finished_game_tells_the_layout(live: Live, laid_out: dict[str, Any]) -> None:
    seats = [{"kind": "computer", "level": "random"}] * 2
    table = live.table("front_lines", seats=seats, **laid_out)
    page = live.page({**table, "tokens": []})
    page.until(lambda view: view["outcome"] is not None)
    match, _ = record.load(live.http.get(f"/api/tables/{table['table']}/record").text)
    assert [list(row) for row in match.game.options.layout] == laid_out["layout"]
    assert match.position.is_over


def blind(name: str, options: str, *request: Any) -> int:
    """A computer that refuses to know the layout."""
    if "layout" in options:
        raise ValueError("I should not know this")
    return decide(name, options, *request)


def test_computers_do_not_know_the_layout(laid_out: dict[str, Any], serve: Serve) -> None:
    bots = computers()
    bots.decide = blind
    own = serve(bots=bots)
    table = own.table("front_lines", seats=[{"kind": "computer", "level": "greedy"}] * 2, **laid_out)
    page = own.page({**table, "tokens": []})
    page.until(lambda view: view["outcome"] is not None)
    assert "fallback" not in {event.by for event in own.store.events(table["table"])}


def test_only_hidden_house_rules_are_left_out(laid_out: dict[str, Any]) -> None:
    from bridgehead.core import options as house

    game = registry.game("front_lines", **laid_out)
    assert json.loads(house.canonical(game.options)) == laid_out
    assert json.loads(house.canonical(game.options, concealed=True)) == {}


def test_a_drawn_board_is_printed_as_its_designer_wishes(serve: Serve) -> None:
    own = serve()
    board = registry.spec("barricade").editor.starts()["mini"]
    wish = {"game": "barricade", "options": {"board": {**board, "name": "Windmill"}, "seats": 2}}
    made = own.http.post("/api/prints", json={**wish, "how": {"parts": ["board"], "title": "Storm"}})
    assert made.status_code == 200 and made.headers["content-type"] == "application/pdf" and made.content.startswith(b"%PDF")
    assert made.content != own.http.post("/api/prints", json={**wish, "how": {"parts": ["board"]}}).content
    pictures = own.http.post("/api/prints", json={**wish, "how": {"parts": ["board"], "scale": 0.5}, "pictures": True})
    assert pictures.headers["content-type"] == "application/zip" and pictures.content.startswith(b"PK")
    for how, where in (({"paper": "a9"}, "paper"), ({"scale": 9}, "scale"), ({"parts": []}, "parts"), ({"frills": 1}, "")):
        refused = own.http.post("/api/prints", json={**wish, "how": how})
        assert refused.status_code == 400 and where in (refused.json()["where"] or ""), how


def test_a_sheet_that_would_fill_the_memory_as_a_picture_is_refused(serve: Serve) -> None:
    """Nobody makes the worker that draws for all die of a board of 64 by 64 places at double size."""
    own = serve()
    board = {**registry.spec("barricade").editor.starts()["mini"], "width": 64, "height": 64}
    wish = {"game": "barricade", "options": {"board": board, "seats": 2}, "pictures": True}
    refused = own.http.post("/api/prints", json={**wish, "how": {"parts": ["board"], "paper": "whole", "scale": 2}})
    assert refused.status_code == 400 and "too large a picture" in refused.json()["error"], refused.text
