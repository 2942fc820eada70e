"""The log and the menu of a table on a phone are sheets: each way of closing them leads back to the table."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.conftest import Opener, Server, come_true, link, set_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PHONES = pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740), (740, 360)])
CLOSING = ("Close", "Escape", "back", "beside")


def close(page: Page, sheet: Locator, how: str) -> None:
    if how == "Close":
        sheet.get_by_role("button", name="Close").tap()
    elif how == "Escape":
        page.keyboard.press("Escape")
    elif how == "back":
        page.evaluate("history.back()")  # as the gesture does
    else:
        page.touchscreen.tap(8, 80)


@PHONES
def test_log_and_menu_are_sheets_that_close_in_four_ways(width: int, height: int, open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "barricade", seats=2), 0, 1), width, height, has_touch=True, is_mobile=True)
    before = page.evaluate("[history.length, location.href]")
    for name, inside in (("Log", "#log li"), ("Menu", "#menu a")):
        opener = page.locator(".bar").get_by_role("button", name=name, exact=True)
        for how in CLOSING:
            opener.tap()
            sheet = page.get_by_role("dialog", name=name, exact=True)
            expect(sheet.locator(inside).first).to_be_in_viewport()
            shot(page, f"sheet_{name}_{width}.png")
            close(page, sheet, how)
            expect(sheet).to_have_count(0)
            expect(opener).to_be_focused()
            assert page.evaluate("scrollY") == 0
            expect(page.locator("#log")).to_have_count(1)
            come_true(page, "!history.state?.sheet")
    assert page.evaluate("[history.length, location.href]") == [before[0] + 1, before[1]]


def test_what_is_pressed_in_a_sheet_is_seen_at_the_table(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "barricade", seats=2), 0, 1), 390, 844, has_touch=True, is_mobile=True)
    bar = page.locator(".bar")
    bar.get_by_role("button", name="Log").tap()
    sheet = page.get_by_role("dialog", name="Log")
    sheet.get_by_role("tab", name=re.compile("All actions")).tap()
    sheet.locator("#list button").first.tap()
    expect(sheet).to_have_count(0)
    expect(page.locator("#confirm")).to_have_attribute("aria-disabled", "false")
    bar.get_by_role("button", name="Menu").tap()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name="Settings").tap()
    settings = page.get_by_role("dialog", name="Settings")
    expect(settings).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(1)
    settings.get_by_role("button", name="Close").tap()
    bar.get_by_role("button", name="Menu").tap()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name="Table").tap()
    expect(page.get_by_role("dialog", name="Table")).to_be_visible()


def test_a_desktop_has_the_log_beside_the_board_and_no_sheet(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "barricade", seats=2), 0, 1))
    expect(page.locator("#log li").first).to_be_in_viewport()
    expect(page.locator("[data-sheet]").locator("visible=true")).to_have_count(0)
