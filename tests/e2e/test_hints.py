"""Hints at the table and the analysis of a game in a real browser, also by keyboard and on a phone."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.axe import findings
from e2e.conftest import PATIENCE, Server, link, set_table, shot
from server.test_hints import finished

pytestmark = pytest.mark.browser
Opener = Callable[..., Page]


def test_a_hint_is_asked_for_by_key_marked_on_the_board_and_played(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges", ["person", "random"])
    page = open_page(f"{link(table, 0)}&h={table['host']}")
    expect(page.locator("#where")).to_contain_text("hints allowed")
    page.locator("#say").wait_for()
    page.keyboard.press("h")
    rows = page.locator(".advice li .btn")
    expect(rows.first).to_be_visible(timeout=PATIENCE)
    marked = "·".join(page.locator(".marks text.m-text").all_text_contents()).split("·")
    assert sorted(marked) == [str(n + 1) for n in range(rows.count())], "each is marked where it ends"
    expect(page.locator(".m-hinted")).to_have_count(1)
    expect(page.locator("#spoken")).to_contain_text(re.compile(r"Your game: .+\s% to win\. 1\. .+: \d+ %\."))
    expect(rows.first).to_have_accessible_name(re.compile(r"^1 \w.+ \d+ %$"))
    shot(page, "hint.png")
    assert not (found := findings(page)), found
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shot(page, "hint_phone.png")
    rows.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#log li")).not_to_have_count(0)
    expect(page.locator(".advice")).to_be_hidden()
    expect(page.locator(".m-hint")).to_have_count(0)


def test_a_game_is_analysed_in_its_replay(open_page: Opener, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(finished(8), "utf-8")
    page = open_page("/replay", locale="de")
    page.set_input_files("#file", file)
    expect(page.locator("#tab-study")).to_be_visible()
    page.locator("#tab-study").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#tab-study")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".winline")).to_be_visible(timeout=PATIENCE)
    assert page.locator(".winline polyline").count() == 4
    expect(page.locator(".ways .chosen")).to_have_count(1)
    expect(page.locator(".ways .chosen")).to_contain_text("gespielt")
    expect(page.locator(".study tbody tr")).to_have_count(2)
    shot(page, "analysis.png")
    assert not (found := findings(page)), found
    page.locator("#end").click()
    expect(page.locator(".study")).to_contain_text("Das Spiel ist zu Ende.")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".winline").click(position={"x": 60, "y": 40})
    expect(page.locator(".ways .chosen")).to_have_count(1)
    shot(page, "analysis_phone.png")
