"""What is answered when the site is built: the boards of the first pages, and tables that a page shows before Python is there."""

import asyncio
import json
import re
import zlib
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from test_host import Kept, Page, in_host

from bridgehead.core import registry
from bridgehead.server.http import rendering
from bridgehead.server.messages.tables import NewTable
from bridgehead.server.storage.event_log import Conflict
from bridgehead.server.tables.stored_seats import digest
from bridgehead.site import openings
from bridgehead.site.boards import OwnBoard
from bridgehead.site.host import BrowserHost

TABLE, TOKENS, HOST = "A" * 22, ["a" * 32, "b" * 32], "c" * 32


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """The prepared files of two games: in one a person decides first, in the other the die falls first."""
    files = openings.files([registry.spec("forty_bridges"), registry.spec("barricade")])
    assert files == openings.files([registry.spec("forty_bridges"), registry.spec("barricade")]), "equal at each build"
    return {name: json.loads(zlib.decompress(content)) for name, content in files.items()}


def test_each_language_has_the_boards_of_the_first_pages(made: dict[str, Any]) -> None:
    assert len(made) == 4 * 3
    home = made["first/home-de.json.z"]["answers"]
    assert set(home) == {f"GET /api/games/{game}/showpiece?lang=de " for game in ("forty_bridges", "barricade")}
    assert all(json.loads(each)["items"] for each in home.values())
    new = made["first/new-barricade-en.json.z"]["answers"]
    pictures = [
        json.loads(each) for request, each in new.items() if request.startswith("GET /api/games/barricade/picture?lang=en")
    ]
    assert len(pictures) == 2 and {len(each["plates"]) for each in pictures} == {2, 4}, (
        "for people here, and against the computer"
    )


def test_the_rules_are_those_with_which_the_page_of_a_new_game_begins(made: dict[str, Any]) -> None:
    for game in ("forty_bridges", "barricade"):
        preset = re.search(
            r'id="presets".*?<button[^>]* value="([^"]*)"', rendering.render_new_table(registry.spec(game), lab=False)
        )
        assert preset is not None and preset[1] == "", "the rules as written"
        prepared = made[f"first/new-{game}-en.json.z"]
        checked = [json.loads(request.partition("/api/check ")[2]) for request in prepared["answers"] if "/api/check" in request]
        wishes = checked + [json.loads(table["wish"]) for table in prepared["tables"]]
        assert wishes and {each["preset"] for each in wishes} == {preset[1]}, game


def test_the_picture_of_an_own_board_is_that_which_its_card_asks_for() -> None:
    spec = registry.spec("forty_bridges")
    board = OwnBoard("mine <&'", registry.game("forty_bridges", setup="custom", layout="a1 b1,a3", first="random"))
    (card,) = re.findall(r"data-options='([^']+)'", rendering.render_home([spec], [board]))
    files = openings.files([spec], [board])
    asked = f"GET /api/games/forty_bridges/picture?lang=fr&options={quote(unescape(card), safe=openings.UNCHANGED)} "
    answers = json.loads(zlib.decompress(files["first/home-fr.json.z"]))["answers"]
    assert json.loads(answers[asked])["items"]


def test_only_where_a_person_decides_first_a_first_view_is_prepared(made: dict[str, Any]) -> None:
    assert made["first/new-barricade-en.json.z"]["tables"] == []
    kinds = [
        [seat["kind"] for seat in json.loads(each["wish"])["seats"]]
        for each in made["first/new-forty_bridges-en.json.z"]["tables"]
    ]
    assert kinds == [["person", "person"], ["person", "computer"]]


@pytest.mark.parametrize("number", [0, 1])
def test_the_table_that_python_makes_later_begins_as_the_page_has_shown_it(number: int, made: dict[str, Any]) -> None:
    shown = made["first/new-forty_bridges-en.json.z"]["tables"][number]
    tokens = [token if person else "" for token, person in zip(TOKENS, shown["tokens"], strict=True)]

    async def played(host: BrowserHost, kept: Kept) -> None:
        for _ in range(2):  # a page that is loaded again asks again
            await host.begin(shown["wish"], TABLE, ".".join(tokens), HOST)
        page = Page(host, {"table": TABLE, "tokens": tokens}, kept)
        view = await page.next("view")
        assert {**view, "mark": "", "may": 0} == {**shown["view"], "table": TABLE, "may": 0}
        assert len([row for row in kept.rows_kept if row[0] == TABLE]) == 1, "one table, and no event yet"
        page.send({"t": "act", "k": "0" * 32, "v": 0, "a": view["choices"][0]["action"]})
        assert (await page.next("view"))["v"] == 1

    in_host(played)()


def test_a_table_that_is_there_is_not_made_again_under_its_id() -> None:
    async def made_twice(host: BrowserHost, kept: Kept) -> None:
        wish = json.dumps({"game": "forty_bridges", "seats": [{"kind": "person"}] * 2})
        await host.begin(wish, TABLE, ".".join(TOKENS), HOST)
        table = await host.tables.find(TABLE)
        assert table is not None
        assert [seat.token for seat in table.seats] == list(map(digest, TOKENS))
        with pytest.raises(Conflict):
            await asyncio.wait_for(host.tables.create_for(NewTable("forty_bridges"), table.seats, "", TABLE), 20)

    in_host(made_twice)()
