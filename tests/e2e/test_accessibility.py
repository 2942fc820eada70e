"""No page has a finding of axe-core: light on a desk, dark on a phone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from bridgehead.core import record
from e2e.axe import check, findings
from e2e.conftest import RULES, Opener, Server, link, post_table

pytestmark = [pytest.mark.browser, pytest.mark.wide]
ROOT = Path(__file__).parents[2]

PAGES = {  # path -> a thing that the page's script shows last
    "/": ".picture svg",
    "/new/barricade?mode=invite": "#preview svg",
    "/rules": "main h1",
    "/rules/barricade": ".clause",
    "/learn/barricade": "#stage [role=button]",
    "/edit/barricade": "#stage [role=button]",
    "/position/front_lines": "#stage [role=button]",
    "/replay": "#choose h1",
    "/study": "#choose h1",
    "/study?game=burning_bridges": "#stage [role=button]",
    "/puzzles/forty_bridges": "#stage [role=button]",
    "/lobby": "#nobody:not([hidden])",
    "/me": "#about",
    "/tournaments": "#form:not([inert])",
    "/games": "#nobody:not([hidden])",
    "/lab": "#nothing:not([hidden])",
    "/children": "main section",
    "/verify": "#file",
}


@pytest.mark.parametrize("path", PAGES)
def test_no_page_around_the_table_has_a_finding(path: str, open_page: Opener) -> None:
    page = open_page(path, color_scheme="light")
    expect(page.locator(PAGES[path]).first).to_be_visible()
    for each in page.locator("main details:not([open]) > summary").all():
        if each.is_visible():
            each.click()
    check(page, path)


def test_no_error_and_no_report_has_a_finding(open_page: Opener, browser: Browser) -> None:
    check(open_page("/t/nosuchtable", expect_errors=True, color_scheme="light"), "error")
    page = browser.new_page()
    page.goto((ROOT / "docs" / "reports" / "barricade.html").as_uri())
    assert not (found := findings(page)), found
    page.close()


def table_of(server: Server, game: str, left: int) -> dict[str, Any]:
    """A table with a recorded game, up to so many actions before its end."""
    text = (ROOT / "tests" / "proof" / "records" / f"{game}-1.txt").read_text("utf-8")
    match, names = record.load(text)
    seats = [{"kind": "person", "name": name} for name in names]
    return post_table(server, game, seats, record=text, at=len(match.log) - left)


@pytest.mark.parametrize("game", RULES)
def test_no_table_has_a_finding_in_play_or_for_a_watcher(game: str, open_page: Opener, server: Server) -> None:
    table = table_of(server, game, 20)
    seats = range(len(table["tokens"]))
    page = open_page(link(table, *seats), color_scheme="light")
    expect(page.locator("#stage .can").first).to_be_visible()
    page.locator("#tab-all").click()
    page.locator("#stage .can").first.dispatch_event("click")
    check(page, "in play")
    page = open_page(link(table), color_scheme="light")
    expect(page.locator("#log li").first).to_be_visible()
    check(page, "watched")


def test_no_dialog_has_a_finding(open_page: Opener, server: Server) -> None:
    table = table_of(server, "forty_bridges", 3)
    page = open_page(f"{link(table, 0)}&h={table['host']}", color_scheme="light")
    expect(page.locator("#seats .more").first).to_be_visible()
    openers = ["[data-settings]", "[data-table-menu]", "#seats .more", "#asking"]
    for opener in openers:
        page.locator(f"{opener}:visible").first.click()
        dialog = page.locator("dialog[open]")
        expect(dialog).to_be_visible()
        for summary in dialog.locator("summary").all():
            summary.click()
        check(page, opener)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    page.locator("#tab-chat").click()
    page.locator(".quick button").first.click()
    expect(page.locator(".said")).to_have_count(1)
    check(page, "chat")
