"""Names, boards and links made to do harm, in a real browser."""

import json

import pytest
from playwright.sync_api import expect

from e2e.conftest import Opener, Server, link, post_table, set_table
from server.boards import pillars

pytestmark = [pytest.mark.browser, pytest.mark.wide]
MARKUP = "<img src=x onerror=window.hurt=1>"


def test_names_and_boards_full_of_markup_are_only_text(open_page: Opener, server: Server) -> None:
    board = pillars(24, 60, name='"><script>window.hurt=1</script>')
    for family, color in zip(board["family"], ("<svg onload=x>", "</style><b>", "{{7*7}}", "url(//x)", "' x='"), strict=True):
        family["color"] = color
    seats = [{"kind": "person", "name": name} for name in (MARKUP[:32], "<b>x</b>", "__proto__", "constructor", "$&{n}")]
    table = post_table(server, "burning_bridges", seats, options={"board": board, "firstPlayer": "seat0"})
    page = open_page("/verify")
    for path in (link(table, 0, 1, 2, 3, 4), f"/replay/{table['table']}", f"/rules/burning_bridges?table={table['table']}"):
        page.goto(server.url + path)
        if path.startswith("/rules"):
            expect(page.locator("#option-board")).to_be_visible()
        else:
            expect(page.locator("#seats")).to_contain_text(MARKUP[:32])
            expect(page.locator("#seats")).to_contain_text("$&{n}")
            expect(page.locator("svg.board [data-id]").first).to_be_visible()
        assert page.evaluate("[window.hurt ?? 0, document.querySelectorAll('main img, main script, main b').length]") == [0, 0]


def test_house_rules_in_a_link_are_only_text(open_page: Opener, server: Server) -> None:
    rules = json.dumps({"families": MARKUP})
    page = open_page(f"/rules/burning_bridges?options={rules}", expect_errors=True)
    expect(page.locator("h1")).to_be_visible()
    assert page.evaluate("[window.hurt ?? 0, document.querySelectorAll('main img').length]") == [0, 0]


def test_what_somebody_says_stands_behind_the_name_also_where_both_are_written_from_the_right(
    open_page: Opener, server: Server
) -> None:
    page = open_page(link(post_table(server, "forty_bridges", [{"kind": "person", "name": "محمد"}, {"kind": "person"}]), 0))
    page.locator("#tab-chat").click()
    page.locator("#chat input").fill("سلام 12")
    page.locator("#chat form button").click()
    row = page.locator("#chat .said p")
    name, said = row.locator("strong").bounding_box(), row.locator("bdi").last.bounding_box()
    assert name and said and name["x"] + name["width"] <= said["x"]


def test_a_link_with_an_empty_seat_forgets_no_seat(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page = open_page(link(table, 0))
    expect(page.locator("#tab-all")).to_contain_text("(")
    for bait in ("#s=", ""):
        page.goto("about:blank")
        page.goto(f"{server.url}/t/{table['table']}{bait}")
        expect(page.locator("#tab-all")).to_contain_text("(")
