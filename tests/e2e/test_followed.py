"""Pages of sealed tables follow the record by the rules, and say so; where they cannot, they say that too."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import OFFERED, Clicker
from e2e.conftest import Opener, Server, link, post_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
ALONE = [{"kind": "person", "name": "Ada"}, {"kind": "computer", "level": "random"}]
CHECKED = "Each draw is checked by the rules on this device."


def play(page: Page, lines: int) -> None:
    """Click until the log has so many lines, or the game is over."""
    clicker = Clicker(page, seed=5)
    for _ in range(4000):
        offered = page.evaluate(OFFERED)
        if offered["over"] or page.evaluate("document.querySelectorAll('#log li').length") >= lines:
            return
        clicker.touch_one(offered) or page.wait_for_timeout(25)
    raise AssertionError("the game takes too long")


def chance(page: Page) -> Any:
    """The sentences about chance in the settings."""
    page.locator("[data-settings]:visible").first.click()
    return page.locator("#chance")


@pytest.mark.parametrize("level", [1, 2])
def test_an_honest_table_raises_no_alarm_and_says_that_it_is_checked(level: int, open_page: Opener, server: Server) -> None:
    table = post_table(server, "barricade", ALONE, options={"board": "mini", "seats": 2, "turnLimit": 20}, level=level)
    page = open_page(link(table, 0))
    play(page, 12)
    page.reload()  # the rules come again, and the record is followed from its beginning
    play(page, 60)
    expect(page.locator("#alarm")).to_be_hidden()
    expect(chance(page)).to_contain_text(CHECKED)
    shot(page, f"followed_{level}.png")


def test_a_table_made_on_the_page_is_held_to_the_level_that_was_asked_for(open_page: Opener, server: Server) -> None:
    page = open_page("/new/barricade?mode=computer")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.locator("#live").check()
    page.locator("#start").click()
    expect(page.locator("#say")).not_to_be_empty()
    assert page.evaluate("Object.values(JSON.parse(localStorage.getItem('bridgehead.tables')))[0].level") == 2
    expect(chance(page)).to_contain_text(re.compile("level 2.*" + CHECKED))
    expect(page.locator("#alarm")).to_be_hidden()


def test_a_table_with_hidden_house_rules_says_that_it_is_not_checked(open_page: Opener, server: Server) -> None:
    page = open_page()
    board: Any = {}
    for wish in ({}, {"tool": "fill", "touch": ["4711"]}):
        told = page.request.post(f"{server.url}/api/games/front_lines/edit", data={**board, **wish}).json()
        board = {"board": told["board"]}
    table = post_table(server, "front_lines", ALONE, options={**told["rules"], "seats": 2})
    page.goto(server.url + link(table, 0))
    play(page, 4)
    expect(chance(page)).to_contain_text("Not checked on this device: some house rules are hidden until the game is over.")
    expect(page.locator("#chance")).not_to_contain_text(CHECKED)
    expect(page.locator("#alarm")).to_be_hidden()
