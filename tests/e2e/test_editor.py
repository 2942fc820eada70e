"""Boards drawn in a real browser: by mouse, by keyboard, by thumb; kept as a file, shared as a link, and played."""

import base64
import json
import re
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import TOUCH, Clicker, drag
from e2e.conftest import Opener, Server, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def tool(page: Page, name: str) -> None:
    page.locator(f"#tools [data-tool='{name}']").click()
    expect(page.locator(f"#tools [data-tool='{name}']")).to_have_attribute("aria-pressed", "true")


def touch(page: Page, *things: str) -> None:
    for thing in things:
        place = page.evaluate(TOUCH, ["thing", thing])
        assert place, thing
        page.mouse.click(*place)


def has(page: Page, thing: str, count: int = 1) -> None:
    expect(page.locator(f"#stage [data-id='{thing}']")).to_have_count(count)


def saved(page: Page, file: Path) -> dict:  # type: ignore[type-arg]
    """The board as it stands in the file that the page saves."""
    with page.expect_download() as started:
        page.locator("#save").click()
    started.value.save_as(file)
    return json.loads(file.read_text())  # type: ignore[type-arg]


def test_a_small_board_is_drawn_from_nothing_by_mouse_and_keyboard_saved_and_played(
    open_page: Opener, server: Server, tmp_path: Path
) -> None:
    page = open_page("/new/barricade?mode=here")
    page.get_by_role("link", name="Draw your own").click()
    expect(page.locator("#problems")).to_contain_text("Draw the squares of the way.")
    expect(page.locator("#play")).to_be_disabled()
    page.locator("#sizes [data-tool=pawns]").fill("1")
    page.locator("#sizes [data-tool=pawns]").press("Enter")
    tool(page, "way")
    touch(page, "f:1,1", "f:1,6")
    has(page, "s:1,6")
    # The rest of the way by keyboard: from a point to its neighbours, Enter touches, and the focus stays where it was.
    page.evaluate("document.querySelector(\"#stage [data-id='s:1,6']\").focus()")
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    has(page, "s:5,6")
    expect(page.locator("#spoken")).to_have_text("f1, square")
    assert page.evaluate("document.activeElement.dataset.id") == "s:5,6"
    tool(page, "final")
    touch(page, "s:1,1")
    for number, column in (1, 2), (2, 5):
        tool(page, f"home:{number}")
        touch(page, f"s:{column},6")
        has(page, f"f:{column},7")
        touch(page, f"f:{column},7")
        has(page, f"h:{column},7")
    tool(page, "barricade")
    touch(page, "s:1,3")
    expect(page.locator("#problems")).to_contain_text("it can be played")
    touch(page, "s:5,6")  # in front of a home: allowed to draw, named as a problem
    expect(page.locator("#problems button")).to_contain_text("No barricade can start on f1")
    page.keyboard.press("Control+z")
    has(page, "b:5,6", 0)
    has(page, "b:1,3")
    page.locator("#undo").click()
    has(page, "b:1,3", 0)
    page.locator("#redo").click()
    has(page, "b:1,3")
    shot(page, "edit_barricade.png")
    board = saved(page, tmp_path / "own.json")
    assert board["barricades"] == [[1, 3]]
    assert [home["entry"] for home in board["homes"]] == [[2, 6], [5, 6]]
    page.reload()  # nothing is lost
    has(page, "b:1,3")
    page.locator("#play").click()
    expect(page.locator("#differences")).to_contain_text("Board")
    expect(page.locator("#start")).to_be_enabled()
    page.locator("#start").click()
    expect(page.locator("#where")).to_contain_text("own board")
    moved = re.compile(r": \w+ to [a-f]\d")  # the dice decide when
    Clicker(page, seed=1, avoid=("Pass",)).until(lambda: bool(moved.search(page.locator("#log").inner_text())))
    expect(page.locator("#log")).to_contain_text(moved)


def test_a_marker_is_dragged_and_the_shared_link_opens_the_same_board_elsewhere(
    open_page: Opener, server: Server, tmp_path: Path
) -> None:
    page = open_page("/edit/burning_bridges")
    has(page, "m:start:a:R0")
    drag(page, "m:start:a:R0", "f:B5")
    has(page, "m:start:a:B5")
    touch(page, "m:goal:b:R13", "f:A3")
    has(page, "m:goal:b:A3")
    shot(page, "edit_burning_bridges.png")
    board = saved(page, tmp_path / "here.json")
    assert board["family"][0]["start"] == {"L": "B5", "M": "B5", "S": "B5"}
    assert sorted(board["family"][1]["goals"]) == ["A3", "R14", "R15"]
    page.locator("#share").click()
    link = page.locator("#link input").input_value()
    assert len(link) < 2000

    other = open_page(link.removeprefix(server.url) + ").", expect_errors=True)  # as it stood in a letter
    has(other, "m:start:a:B5")
    assert saved(other, tmp_path / "there.json") == board
    # A bad file and a damaged link are named, and leave the board as it is.
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({**board, "edges": [["R0", "nowhere"]]}))
    other.locator("#open").set_input_files(bad)
    expect(other.locator("#error")).to_contain_text("edges[0]")
    bad.write_text("{")
    other.locator("#open").set_input_files(bad)
    expect(other.locator("#error")).to_contain_text("bad.json")
    bomb = base64.urlsafe_b64encode(zlib.compress(json.dumps("a" * 20_000_000).encode())).decode().rstrip("=")
    for wrong in (link.rpartition("=")[2][:-20], f"z{bomb}", "j%%%", "q", ""):
        other.locator("#open").set_input_files(tmp_path / "here.json")
        expect(other.locator("#error")).to_be_hidden()
        other.evaluate(f"location.hash = {json.dumps('b=' + wrong)}")
        expect(other.locator("#error")).to_contain_text("damaged")
    assert saved(other, tmp_path / "still.json") == board
    other.locator("#open").set_input_files(tmp_path / "here.json")
    expect(other.locator("#error")).to_be_hidden()
    fresh = open_page("/edit/burning_bridges#b=zdamaged")
    expect(fresh.locator("#error")).to_contain_text("damaged")
    has(fresh, "m:start:a:R0")


def test_a_layout_is_dealt_on_a_phone_and_its_maker_gets_no_seat(open_page: Opener, server: Server) -> None:
    page = open_page("/edit/front_lines", width=360, height=740, has_touch=True, locale="de-DE")
    expect(page.locator("#problems")).to_contain_text("48 Plätze")
    page.locator("#tools [data-tool=fill]").click()
    expect(page.locator("#problems")).to_contain_text("So kann gespielt werden")
    expect(page.locator("#sealed")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = [
        box for box in map(lambda each: each.bounding_box(), page.locator("#main button:visible").all()) if box["height"] < 44
    ]
    assert small == []
    shot(page, "edit_phone.png")
    card = page.locator("#stage [data-id^='c:']").first.get_attribute("aria-label")
    page.locator("#play").click()
    expect(page.locator("#start")).to_be_enabled()
    page.locator("#start").click()
    expect(page.locator("#invites li")).to_have_count(5)  # four seats, and one to watch
    assert all("#s=" in field.input_value() for field in page.locator("#invites li input").all()[:4])
    expect(page.locator("#go")).to_have_text("Beim Tisch zusehen")
    page.locator("#go").click()
    expect(page.locator("#say")).not_to_be_empty()
    assert "#s=" not in page.url
    assert card and card not in page.locator("#stage").inner_html()
