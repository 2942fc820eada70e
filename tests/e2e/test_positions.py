"""Positions set up in a real browser: by mouse and by thumb, as a text and a link, from a replay and from a table, and played."""

import pytest
from playwright.sync_api import Page, expect

from bridgehead.core import registry
from e2e.clicker import drag
from e2e.conftest import AT_TABLE, Opener, Server, shot
from e2e.test_editor import has, tool, touch

pytestmark = [pytest.mark.browser, pytest.mark.wide]
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740, "has_touch": True}
# What is done in each game, one stroke after another: the tool, what it touches; and a thing that stands there at the end.
STROKES = {
    "forty_bridges": ([("piece:b", ("f:c3",)), ("off", ("p:1:e5",))], "p:1:c3"),
    "barricade": ([("pawn:b", ("f:c1",)), ("block", ("b:a3",)), ("block", ("f:c3",))], "b:c3"),
    "burning_bridges": ([("bridge:a", ("f:R0", "f:B0")), ("torch", ("b:B0-R0:a",))], "t:B0-R0:a"),
    "front_lines": ([("card:7H", ("c:a1",)), ("put", ("p:H", "c:a1"))], "p:H"),
}


def line(page: Page) -> str:
    return page.locator("#position-text").input_value()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("game", STROKES)
def test_a_position_is_set_up_shared_and_opened_elsewhere(
    game: str, size: dict[str, int], open_page: Opener, server: Server
) -> None:
    page = open_page(f"/position/{game}", **size)
    expect(page.locator("#problems")).to_contain_text("Yes: it can be played")
    first = line(page)
    strokes, thing = STROKES[game]
    for name, touched in strokes:
        before = line(page)
        tool(page, name)
        page.locator("#stage").scroll_into_view_if_needed()
        for each in touched:
            page.evaluate("id => document.querySelector(`#stage [data-id='${id}']`).focus()", each)
            page.keyboard.press("Enter")
        expect(page.locator("#position-text")).not_to_have_value(before)
    has(page, thing)
    expect(page.locator("#play")).to_be_enabled()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    shot(page, f"position_{game}_{size['width']}.png", full_page=size["width"] < 500)
    made = line(page)
    assert made != first
    page.locator("#share").click()
    other = open_page(page.locator("#link input").input_value().removeprefix(server.url), **size)
    has(other, thing)
    assert line(other) == made
    for _ in strokes:
        page.locator("#undo").click()
    expect(page.locator("#position-text")).to_have_value(first)


def test_a_piece_is_dragged_an_impossible_text_is_refused_in_words_and_the_position_is_played_against_the_computer(
    open_page: Opener, server: Server
) -> None:
    page = open_page("/position/forty_bridges", expect_errors=True)
    has(page, "p:0:b2")
    drag(page, "p:0:b2", "f:c3")
    has(page, "p:0:c3")
    touch(page, "p:0:a1", "f:c2")  # and by touching
    has(page, "p:0:c2")
    page.locator("#tools [data-tool='turn:b']").click()
    expect(page.locator("#tools [data-tool='turn:b']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#prompt")).to_have_text("Blue moves a piece.")
    good = line(page)
    page.locator("#position-text").fill(good.replace("c3 ", "c3,c4 "))
    page.locator("#position-text").press("Tab")
    expect(page.locator("#problems")).to_have_text("player 1: has 9 pieces, and began with 8")
    expect(page.locator("#play")).to_be_disabled()
    page.locator("#position-text").fill("no position")
    page.locator("#position-text").press("Tab")
    expect(page.locator("#error")).to_contain_text("expected 8 parts")
    has(page, "p:0:c4")
    page.locator("#undo").click()
    expect(page.locator("#position-text")).to_have_value(good)
    page.locator("#play").click()
    page.get_by_role("dialog", name="Play on from here").get_by_label("Play the computer").check()
    page.get_by_role("dialog", name="Play on from here").get_by_role("button", name="Start").click()
    page.wait_for_url(AT_TABLE)
    has(page, "p:0:c3")
    expect(page.locator("#say")).to_contain_text("move")


def test_the_position_of_a_replay_and_of_a_table_is_taken_to_the_page(open_page: Opener, server: Server) -> None:
    page = open_page("/position/forty_bridges")
    expect(page.locator("#play")).to_be_enabled()
    page.locator("#starts").select_option("showpiece")
    middle = registry.spec("forty_bridges").showpiece
    expect(page.locator("#position-text")).to_have_value(middle)
    page.locator("#play").click()
    page.get_by_role("dialog", name="Play on from here").get_by_role("button", name="Start").click()
    page.wait_for_url(AT_TABLE)
    page.locator("nav [data-table-menu]").first.click()
    page.get_by_role("link", name="Copy or change the position").click()
    expect(page.locator("#position-text")).to_have_value(middle)
    page.go_back()
    page.locator("nav [data-t=replay]").first.click()
    expect(page.locator("#log")).to_be_visible()
    expect(page.locator("#say")).not_to_be_empty()
    page.locator("#position").click()
    expect(page.locator("#position-text")).to_have_value(middle)
