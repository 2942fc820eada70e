"""What other programs show of a link: title, sentence and picture, without anything that only a seat may know; and films."""

import io
import re
from html import unescape
from typing import Any

import pytest
from PIL import Image

from bridgehead.core import extras, record, registry
from bridgehead.players.puzzles import puzzles
from bridgehead.server.http import previews
from records import recorded
from server.live import Live

NUMBERED = next((place, each) for place, each in enumerate(puzzles(registry.spec("forty_bridges")), 1) if each.number)


def preview(live: Live, path: str, lang: str = "en") -> dict[str, str]:
    """The preview that a page declares."""
    page = live.http.get(path, headers={"accept-language": lang}).text
    found = re.findall(r'<meta (?:property|name)="(?:og:|twitter:)?([a-z:]+)" content="([^"]*)">', page)
    return {name: unescape(value) for name, value in found}


def image(live: Live, address: str) -> Any:
    """The picture at the absolute address of a preview."""
    base = str(live.http.base_url).rstrip("/")
    assert address.startswith(base + "/preview/"), address
    answer = live.http.get(address.removeprefix(base))
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/png", answer.text
    assert answer.headers["cache-control"].startswith("public, max-age=")
    return Image.open(io.BytesIO(answer.content))


@pytest.mark.parametrize(
    ("path", "title", "text"),
    [
        ("/", "Bridgehead", "Board games of getting across"),
        ("/replay", "Bridgehead", "Board games of getting across"),
        ("/new/barricade", "Barricade", ""),
        ("/rules/front_lines", "The Front Lines", ""),
        ("/learn/forty_bridges", "40 Bridges", ""),
        ("/position/burning_bridges", "Burning Bridges", "Set up a position of Burning Bridges"),
        ("/puzzles/barricade", "Barricade", f"{len(puzzles(registry.spec('barricade')))} puzzles of Barricade"),
        (f"/puzzles/forty_bridges?puzzle={puzzles(registry.spec('forty_bridges'))[1].name}", "40 Bridges", "Puzzle 2. "),
        (f"/puzzles/forty_bridges?puzzle={NUMBERED[1].number}", "40 Bridges", f"Puzzle {NUMBERED[0]}. "),
        (
            "/puzzles/forty_bridges?puzzle=9999",
            "40 Bridges",
            f"{len(puzzles(registry.spec('forty_bridges')))} puzzles of 40 Bridges",
        ),
    ],
)
def test_a_page_has_a_title_a_sentence_and_a_picture(path: str, title: str, text: str, live: Live) -> None:
    found = preview(live, path)
    assert found["title"] == title and found["description"].startswith(text) and len(found["description"]) > 15
    assert image(live, found["image"]).size == (1200, 630) == (int(found["image:width"]), int(found["image:height"]))
    assert preview(live, path, "de")["description"] != found["description"]
    assert found["card"] == "summary_large_image"


def test_a_table_shows_its_turn_and_no_name_or_secret(live: Live) -> None:
    seats = [{"kind": "person", "name": name} for name in ("Zebedee", "Zuleika")]
    table = live.table("forty_bridges", seats)
    code, tokens = table["table"], [each for each in table["tokens"] if each]
    first = preview(live, f"/t/{code}")
    assert first["description"].startswith("Turn 1. Black")
    before = image(live, first["image"])
    player = live.page(table, 0)
    player.act("a2-a3")
    later = preview(live, f"/t/{code}")
    assert later["description"].startswith("Turn 2. ") and later["image"] != first["image"]
    assert image(live, later["image"]).tobytes() != before.tobytes()
    assert preview(live, f"/replay/{code}") == later
    page = live.http.get(f"/t/{code}").text
    assert not [secret for secret in (*tokens, table["host"], "Zebedee", "Zuleika") if secret in page]


def test_a_picture_has_the_address_that_others_use(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live.app.state.network, "base", "https://tables.example")
    assert preview(live, "/")["image"].startswith("https://tables.example/preview/")
    page = live.http.get("/", headers={"host": "tables.local:81"}).text
    assert 'property="og:image" content="http://tables.local:81/preview/' in page, "another name is the one that the visitor used"


def test_links_that_lead_nowhere_have_no_picture(live: Live) -> None:
    for path in ("/preview/chess", "/preview/barricade/0", "/preview/barricade/x", "/preview/table/NOSUCHTABLE"):
        assert live.http.get(path).status_code == 404, path
    assert "image" not in preview(live, "/t/NOSUCHTABLE")


def test_a_film_of_some_turns_is_a_gif(live: Live) -> None:
    text = recorded("forty_bridges-1")
    answer = live.http.post("/api/films", params={"from": 2, "to": 5, "seconds": 0.5, "lang": "fr"}, content=text)
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/gif"
    film: Any = Image.open(io.BytesIO(answer.content))
    assert film.n_frames == 5 and film.width == 480 and film.info["duration"] == 500


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"from": "x"}, "whole numbers"), ({"seconds": "nan"}, "whole numbers"), ({"seconds": "99"}, "whole numbers"),
        ({"from": "9", "to": "3"}, "the game has the turns 1 to"), ({"from": "0"}, "the game has the turns 1 to"),
        ({"from": "1" * 5000}, "whole numbers"),
    ],
)  # fmt: skip
def test_a_film_that_cannot_be_is_refused_in_one_line(asked: dict[str, str], error: str, live: Live) -> None:
    text = recorded("forty_bridges-1")
    answer = live.http.post("/api/films", params=asked, content=text)
    assert answer.status_code == 400 and error in answer.json()["error"]
    assert live.http.post("/api/films", content="no record").status_code == 400


def test_a_film_of_a_long_game_shows_it_whole_in_larger_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "FRAMES", 9)
    match, _ = record.load(recorded("forty_bridges-1"))
    last = max(entry.turn for entry in match.log) + 1
    whole: Any = Image.open(io.BytesIO(previews.render_clip(recorded("forty_bridges-1"), "en", 1, last, 1.0)))
    assert 5 <= whole.n_frames <= 9


def test_without_the_extra_previews_have_words_and_one_line_says_what_is_missing(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(extras.PACKAGES, "film", ("no_such_package",))
    found = preview(live, "/rules/barricade")
    assert found["title"] == "Barricade" and "image" not in found and "card" not in found
    for answer in (live.http.get("/preview/barricade"), live.http.post("/api/films", content="")):
        assert answer.status_code == 400
        assert "pip install &#39;bridgehead[film]&#39;" in answer.text or "pip install 'bridgehead[film]'" in answer.text
