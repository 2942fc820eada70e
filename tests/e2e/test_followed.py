"""Pages of sealed tables follow the record by the rules, and say so; where they cannot, they say that too."""

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from bridgehead.terminal import verifier
from e2e.clicker import OFFERED, Clicker
from e2e.conftest import Opener, Server, link, post_table, shot
from fairness.test_verifier import Finished

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


def test_a_page_that_gets_no_rules_says_so_and_plays_on(browser: Browser, server: Server) -> None:
    table = post_table(server, "barricade", ALONE, options={"board": "mini", "seats": 2, "turnLimit": 20}, level=2)
    page = browser.new_page()
    page.route(
        "**/referee", lambda route: route.fulfill(status=400, json={"error": "These rules cannot be compiled.", "where": ""})
    )
    page.goto(server.url + link(table, 0))
    play(page, 8)
    expect(chance(page)).to_contain_text("Not checked on this device: These rules cannot be compiled.")
    expect(page.locator("#alarm")).to_be_hidden()
    page.close()


def test_the_verifier_in_one_file_has_the_standard_rules_and_says_where_it_has_none(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    verifier.write_verifier(tmp_path / "verifier.html")
    for options, verdict, said in (
        ({"seats": 2}, "holds", "are those of the rules, and what was sealed was played"),
        ({"seats": 2, "lives": 1}, "open", "Not checked by the rules on this device."),
    ):
        table = Finished("front_lines", options, 1, random.Random(2))
        files = [tmp_path / name for name in ("proof.json", "kept.json")]
        for file, content in zip(files, (table.proof(revealed=True), table.kept()[0]), strict=True):
            file.write_bytes(msgspec.json.encode(content))
        page.goto((tmp_path / "verifier.html").as_uri())
        page.set_input_files("#file", files)
        expect(page.locator("#verdict")).to_have_class(re.compile(verdict))
        expect(page.locator("#results")).to_contain_text(said)
        shot(page, f"verifier_{verdict}.png", full_page=True)
    page.close()
