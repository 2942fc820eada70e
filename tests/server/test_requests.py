"""Pages and requests: what is answered, and how what is wrong is told."""

from xml.etree import ElementTree

import httpx
import pytest

from bridgehead.core import record, registry
from bridgehead.players import list_levels
from server.boards import heavy_board
from server.films import completed
from server.live import PEOPLE, Live

GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]


@pytest.mark.parametrize(
    "path", ["/", "/new/barricade", "/new/barricade?mode=computer", "/rules", "/replay", *(f"/rules/{game}" for game in GAMES)]
)
def test_pages_are_there_and_load_nothing_from_elsewhere(path: str, live: Live) -> None:
    answer = live.http.get(path)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert "unsafe" not in answer.headers["content-security-policy"].replace("'wasm-unsafe-eval'", ""), "but WebAssembly may run"
    assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["referrer-policy"] == "no-referrer"
    foreign = answer.text.replace("http://www.w3.org", "").replace("https://www.w3.org", "").replace(live.url, "")
    assert "//" not in foreign


def test_a_tables_pages_are_there_whatever_case_its_code_is_typed_in(live: Live) -> None:
    table = live.table(seats=[PEOPLE[0], {**PEOPLE[1], "open": True}])["code"]
    assert len(table) == 6 and table.isalpha() and table.isupper()
    for path in (f"/t/{table}", f"/t/{table.lower()}", f"/replay/{table}", f"/rules/forty_bridges?table={table}"):
        assert live.http.get(path, follow_redirects=True).status_code == 200


@pytest.mark.parametrize(
    "path", ["/nothing", "/new/chess", "/t/QQQQQ", "/replay/QQQQQ", "/rules/chess", "/static/none.js", "/static/../app.py"]
)
def test_what_is_not_there_is_told_in_a_page(path: str, live: Live) -> None:
    answer = live.http.get(path)
    assert answer.status_code == 404 and "content-security-policy" in answer.headers


def test_the_games_are_listed_with_all_that_a_page_needs(live: Live) -> None:
    games = live.http.get("/api/games").json()["games"]
    assert sorted(game["id"] for game in games) == GAMES
    for game in games:
        assert set(game) == {
            "id", "livery", "title", "players", "line", "version", "seats", "presets", "recommended",
            "recommended_seats", "options", "levels", "usual", "editor",
        }  # fmt: skip
        assert game["levels"] == list(list_levels(registry.spec(game["id"]))) and game["usual"] in game["levels"]
        assert game["recommended"] == "recommended" and game["seats"][0] in game["recommended_seats"]
        assert all(set(option) == {"name", "default", "allowed", "values", "description", "clause"} for option in game["options"])


@pytest.mark.parametrize("game", GAMES)
def test_the_start_shows_a_game_under_way_on_its_whole_board(game: str, live: Live) -> None:
    shown = live.http.get(f"/api/games/{game}/showpiece").json()
    first = live.http.get(f"/api/games/{game}/picture").json()
    assert shown["items"] != first["items"]
    assert shown["picture"] == first["picture"]


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_of_the_first_position_is_drawn_under_house_rules(game: str, live: Live) -> None:
    drawn = live.http.get(f"/api/games/{game}/picture", params={"lang": "de"}).json()
    assert drawn["picture"]["width"] > 0 and drawn["items"]
    wrong = live.http.get(f"/api/games/{game}/picture", params={"options": '{"nothing": 1}'})
    assert wrong.status_code == 400 and wrong.json()["where"] == "nothing"
    assert live.http.get(f"/api/games/{game}/picture", params={"options": "[" * 5000}).status_code == 400


def test_every_symbol_is_in_one_picture_and_no_id_stands_twice(live: Live) -> None:
    answer = live.http.get("/art.svg")
    ids = [node.get("id") for node in ElementTree.fromstring(answer.content) if node.get("id")]
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert len(ids) == len(set(ids)) > 10 and "disc" in ids and any(name.startswith("fb-") for name in ids)


WRONG = [
    ({"game": "chess"}, 404, "game"),
    ({"game": "barricade", "options": {"nothing": 1}}, 400, "nothing"),
    ({"game": "barricade", "options": {"seats": 99}}, 400, "seats"),
    ({"game": "barricade", "options": {"exitRoll": "7"}}, 400, "exitRoll"),
    ({"game": "barricade", "preset": "none such"}, 400, "preset"),
    ({"game": "barricade", "options": {"board": "none such"}}, 400, None),
    ({"game": "barricade", "options": {"board": {"rows": []}}}, 400, None),
    ({"game": "barricade", "more": 1}, 400, None),
    ({}, 400, None),
    ([], 400, None),
    ("x", 400, None),
]


@pytest.mark.parametrize("path", ["/api/check", "/api/tables"])
@pytest.mark.parametrize(("body", "status", "where"), WRONG)
def test_a_game_that_cannot_be_is_refused_with_its_place(
    path: str, body: object, status: int, where: str | None, live: Live
) -> None:
    answer = live.http.post(path, json=body)
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert set(told) == {"error", "where"} and told["error"]
    assert where is None or told["where"] == where


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[" * 60_000, b"{" * 60_000, b'{"game": 1}', b"x" * 70_000])
@pytest.mark.parametrize("path", ["/api/check", "/api/tables", "/api/qr"])
def test_a_body_that_cannot_be_read_is_refused(path: str, body: bytes, live: Live) -> None:
    answer = live.http.post(path, content=body)
    assert answer.status_code == (413 if len(body) > 65_536 else 400) and answer.json()["error"]


def test_seats_that_cannot_be_are_refused(live: Live) -> None:
    for seats, where in (
        ([{"kind": "person"}] * 7, None),
        ([{"kind": "computer", "level": "god"}, {"kind": "person"}], "seats[0].level"),
        ([{"kind": "ghost"}], "$.seats[0].kind"),
        ([{"kind": "person", "name": "x" * 33}], "$.seats[0].name"),
    ):
        answer = live.http.post("/api/tables", json={"game": "barricade", "seats": seats})
        assert answer.status_code == 400, answer.text
        assert where is None or answer.json()["where"] == where


def test_house_rules_are_checked_and_their_differences_told(live: Live) -> None:
    answer = live.http.post("/api/check", json={"game": "forty_bridges", "options": {"sidesNeeded": 2, "noMoves": "pass"}})
    assert answer.json() == {"differences": {"sidesNeeded": 2}}


def test_a_board_of_ones_own_has_as_many_seats_as_homes(live: Live) -> None:
    board = heavy_board(4, 4)  # two homes
    answer = live.http.post("/api/check", json={"game": "barricade", "options": {"seats": 4, "board": board}})
    assert answer.status_code == 200 and answer.json()["differences"]["seats"] == 2
    assert live.http.post("/api/tables", json={"game": "barricade", "options": {"board": board}}).status_code == 201


def test_only_people_get_tokens(live: Live) -> None:
    table = live.table(seats=[{"kind": "person"}, {"kind": "computer", "level": "random"}])
    assert table["tokens"][0] and table["tokens"][1] is None and table["watch"] == f"/t/{table['table']}"


def test_a_text_becomes_a_qr_code(live: Live) -> None:
    answer = live.http.post("/api/qr", json={"text": "http://192.168.1.5:8000/t/ABCDE#s=" + "x" * 32})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(answer.content).tag.endswith("svg")
    assert live.http.post("/api/qr", json={"text": "x" * 1501}).status_code == 400


def played(live: Live, game: str = "barricade", actions: int = 6, **options: object) -> tuple[str, str]:
    """A table with some actions, and its record."""
    table = live.table(game, [PEOPLE[0] | {"name": "Ada"}, PEOPLE[1]], **options)
    page = live.page(table, 0, 1)
    for _ in range(actions):
        page.act(page.view["choices"][0]["text"])
    return table["table"], live.http.get(f"/api/tables/{table['table']}/record").text


def test_a_record_is_taken_from_a_running_table_and_read_back(live: Live) -> None:
    table, text = played(live, board="mini")
    match, names = record.load(text)
    assert names == ["Ada", "C"] and match.game == registry.game("barricade", board="mini", seats=2)
    film = live.http.get(f"/api/tables/{table}/frames", params={"lang": "de"}).json()
    assert live.http.post("/api/records", content=text, params={"lang": "de"}).json() == film
    assert len(film["frames"]) == len(match.log) + 1 and film["names"] == ["Ada", ""] and film["picture"]
    for n, frame in enumerate(completed(film["frames"])):
        assert frame["n"] == n and frame["items"] and frame["plates"] and frame["prompt"]
    assert film["frames"][1]["text"] == match.positions[0].name(match.log[0].action)
    assert film["frames"][-1]["sentence"] and film["frames"][0]["sentence"] == ""


def test_a_damaged_record_is_refused_with_its_line(live: Live) -> None:
    _, text = played(live, "forty_bridges")
    lines = text.splitlines()
    damaged = {
        "": "line 1",
        "x": "line 1",
        "\n".join(lines[1:]): "line 1",
        text.replace("forty_bridges", "chess"): "line 2",
        text.replace("rules: 1", "rules: 0"): "line 3",
        text.replace("unfinished", "corner, seat 1 wins"): "line 6",
        text.replace("1. ", "1. e5-a1; ", 1): "line 8",
        text.replace("options: {", 'options: {"nothing":1,'): "line 4",
        text.replace("2. ", "3. ", 1): "line 9",
        "\n".join(line for line in lines if not line.startswith("seats")): "line 6",
    }
    for sent, line in damaged.items():
        answer = live.http.post("/api/records", content=sent)
        assert answer.status_code == 400, sent
        assert answer.json()["where"] == line or answer.json()["error"].startswith(line), (sent, answer.json())
    assert live.http.post("/api/records", content=b"\xff\xfe\x00").status_code == 400
    assert live.http.post("/api/records", content=b"x" * 1_100_000).status_code == 413


def test_every_prefix_of_a_record_is_read_or_refused_but_never_an_error(live: Live) -> None:
    _, text = played(live, "forty_bridges", 3)
    for end in range(0, len(text), 7):
        assert live.http.post("/api/records", content=text[:end]).status_code in (200, 400)


def test_a_mistake_in_the_server_is_told_without_its_secrets(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("inner workings")

    monkeypatch.setattr("bridgehead.server.rooms.views.listings", fails)
    answer = httpx.get(live.url + "/api/games")
    assert answer.status_code == 500 and set(answer.json()) == {"error", "where"}
    assert "inner" not in answer.text and "content-security-policy" in answer.headers


def test_a_film_is_sent_as_it_is_to_those_who_cannot_unpack(live: Live) -> None:
    table, _ = played(live, board="mini")
    packed = live.http.get(f"/api/tables/{table}/frames")
    plain = live.http.get(f"/api/tables/{table}/frames", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
