"""Hints at the table and the analysis of a game in a real browser, also by keyboard and on a phone."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from e2e.axe import findings
from e2e.conftest import PATIENCE, Opener, Server, come_true, link, post_table, shot
from records import recorded
from server.test_hints import finished

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PLACE = "document.querySelector('#log').scrollTop === 300"  # where the log was scrolled to


def test_a_hint_is_asked_for_by_key_marked_on_the_board_and_played(open_page: Opener, server: Server) -> None:
    text = recorded("forty_bridges-1")
    seats = [{"kind": "person"}, {"kind": "computer", "level": "random"}]
    table = post_table(server, "forty_bridges", seats, record=text, at=40)
    page = open_page(f"{link(table, 0)}&h={table['host']}")
    expect(page.locator("#where")).to_contain_text("40 Bridges. Rules as written")
    expect(page.locator("#where")).not_to_contain_text("hints")
    page.locator("#say").wait_for()
    page.evaluate("document.querySelector('#log').scrollTop = 300")
    come_true(page, PLACE)
    page.keyboard.press("h")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".advice")).to_be_hidden()
    page.keyboard.press("h")
    rows = page.locator(".advice li .btn")
    expect(rows.first).to_be_visible(timeout=PATIENCE)
    numbers = [str(n + 1) for n in range(rows.count())]
    marked = "[...document.querySelectorAll('.marks text.m-text')].flatMap((each) => each.textContent.split('·')).sort().join()"
    come_true(page, f"{marked} === '{','.join(sorted(numbers))}'")  # each is marked where it ends, in the frame after the list
    expect(page.locator(".m-hinted")).to_have_count(1)
    come_true(page, PLACE)
    page.locator("#tab-chat").click()
    page.locator("#tab-log").click()
    come_true(page, PLACE)
    expect(page.locator("#spoken")).to_contain_text(re.compile(r"Your game: [^%]+\. 1\. [^%]+\."))
    expect(page.locator(".advice")).not_to_contain_text(re.compile(r"%|\d+ of 100|points"), use_inner_text=True)
    page.get_by_text("In numbers", exact=True).click()
    expect(page.locator(".advice")).to_contain_text(re.compile(r"About \d+ % to win\."))
    expect(rows.first).to_have_accessible_name(re.compile(r"^1 \w.+ \d+ %$"))
    shot(page, "hint.png")
    assert not (found := findings(page)), found
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shot(page, "hint_phone.png")
    rows.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#log li")).not_to_have_count(40)
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


def test_of_many_key_moments_those_with_the_largest_swings_are_shown_first(open_page: Opener, tmp_path: Path) -> None:
    def enlarge(route: Route) -> None:
        """Make every action of the analysis a key moment: the first by 4 points, each by 4 more than the one before."""
        answer = route.fetch()
        study = answer.json()
        if "line" in study:
            chances = [0.5]
            for at in range(len(study["steps"])):
                chances.append(chances[-1] + 0.04 * (at + 1) * (-1) ** at)
            study["line"] = [[chance, 1 - chance] for chance in chances]
            rows = zip(study["steps"], range(len(study["steps"])), strict=True)
            study["moments"] = [{"at": at, "turn": step["turn"], "text": f"Action {at}.", "why": ""} for step, at in rows]
        route.fulfill(response=answer, body=json.dumps(study))

    file = tmp_path / "game.txt"
    file.write_text(finished(8), "utf-8")
    page = open_page("/replay")
    page.route("**/api/analyses/*", enlarge)
    page.set_input_files("#file", file)
    page.locator("#tab-study").click()
    moments = page.locator(".study .moment")
    expect(moments.first).to_be_attached(timeout=PATIENCE)
    count = moments.count()
    assert count > 6, "the game has more actions than moments that are shown first"
    expect(moments.filter(visible=True)).to_have_text([re.compile(f"Action {at}\\.") for at in range(count - 6, count)])
    page.get_by_role("button", name=f"{count - 6} more", exact=True).focus()
    page.keyboard.press("Enter")
    expect(moments.filter(visible=True)).to_have_text([re.compile(f"Action {at}\\.") for at in range(count)])
    expect(moments.first).to_be_focused()
    expect(page.locator(".study .moments > li")).to_have_count(count)
