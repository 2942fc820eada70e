"""A designer's desk, walked from the first square to a printed sheet: a board stays what its designer drew."""

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import Opener, Server, shot
from e2e.test_editor import has, saved, tool, touch

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def draw(page: Page) -> None:
    """Two homes on a ring, the second one's door two squares nearer; two barricades."""
    page.locator("#sizes [data-tool=pawns]").fill("1")
    page.locator("#sizes [data-tool=pawns]").press("Enter")
    tool(page, "way")
    for one, other in (("f:1,1", "f:7,1"), ("f:1,1", "f:1,6"), ("f:7,1", "f:7,6"), ("f:1,6", "f:7,6")):
        touch(page, one, other)
    has(page, "s:7,6")
    tool(page, "final")
    touch(page, "s:4,1")
    for number, column in (1, 2), (2, 7):
        tool(page, f"home:{number}")
        touch(page, f"s:{column},{6 if number == 1 else 5}")
        touch(page, f"f:{column if number == 1 else 8},{7 if number == 1 else 5}")
    tool(page, "barricade")
    touch(page, "s:1,3", "s:7,3")
    has(page, "b:7,3")


def name_board(page: Page, name: str, author: str) -> None:
    for field, text in (("name", name), ("author", author)):
        page.locator(f"#sizes [data-tool={field}]").fill(text)
        page.locator(f"#sizes [data-tool={field}]").press("Tab")
    expect(page.locator("#sizes [data-tool=author]")).to_have_value(author)


def test_a_designer_draws_keeps_compares_plays_and_prints_a_board(open_page: Opener, server: Server, tmp_path: Path) -> None:
    page = open_page("/edit/barricade")
    draw(page)
    name_board(page, "Round the lake", "Ada L.")
    expect(page.locator("#problems")).to_contain_text("it can be played")
    steps = page.locator("#steps")
    expect(steps).to_contain_text("They do not start equally far")
    shot(page, "desk_drawn.png")

    # Two versions on the shelf, side by side.
    page.locator("#shelf-open").click()
    expect(page.locator("#shelf")).to_contain_text("Nothing is kept yet")
    page.get_by_label("Note on this version").fill("first try")
    page.get_by_role("button", name="Keep this version").click()
    expect(page.locator(".shelf > li")).to_have_count(1)
    tool(page, "home:2")
    touch(page, "s:6,6", "f:6,7", "h:8,5")
    expect(steps).to_contain_text("All start equally far")
    page.get_by_role("button", name="Keep this version").click()
    expect(page.locator(".shelf > li")).to_have_count(2)
    expect(page.locator(".shelf > li").last).to_contain_text("first try")
    for n in (1, 2):
        page.get_by_label(f"Compare Round the lake, version {n}").check()
    page.get_by_role("button", name="Show two side by side").click()
    expect(page.locator(".beside-boards figure")).to_have_count(2)
    expect(page.locator(".beside-boards")).to_contain_text("All start equally far")
    expect(page.locator(".beside-boards")).to_contain_text("They do not start equally far")
    page.locator(".beside-boards").scroll_into_view_if_needed()
    shot(page, "desk_shelf.png")
    page.reload()
    has(page, "s:7,6")
    page.locator("#shelf-open").click()
    expect(page.locator(".shelf > li")).to_have_count(2)
    page.locator(".shelf > li").last.get_by_role("button", name="Open").click()
    has(page, "h:8,5")
    page.locator(".shelf > li").first.get_by_role("button", name="Open").click()
    has(page, "h:6,7")

    # The sheets, with a title of their own.
    page.locator("#print").click()
    page.locator("#printing select").first.select_option("a3")
    page.get_by_label("Rules in your own words").fill("# Goal\n\nRound the lake and home.")
    with page.expect_download() as started:
        page.get_by_role("button", name="Make the file").click()
    assert started.value.suggested_filename == "Round-the-lake.pdf"
    started.value.save_as(tmp_path / "board.pdf")
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")
    shot(page, "desk_print.png")
    for box in ("Pieces and cards", "Rules of the game"):
        page.get_by_label(box).uncheck()
    page.get_by_label("Each sheet as a picture").check()
    with page.expect_download() as started:
        page.get_by_role("button", name="Make the file").click()
    started.value.save_as(tmp_path / "sheets.zip")
    assert zipfile.ZipFile(tmp_path / "sheets.zip").namelist()

    # Played, it is the board that was drawn: no preset takes a barricade away, and what a house rule leaves out is said.
    board = saved(page, tmp_path / "board.json")
    assert board["author"] == "Ada L." and len(board["barricades"]) == 2
    page.locator("#play").click()
    expect(page.locator("#start")).to_be_enabled()
    expect(page.locator(".own span")).to_have_text("Round the lake")
    expect(page.locator("#presets button[value=recommended]")).to_be_hidden()
    expect(page.locator("#measured")).to_be_visible()
    for preset in page.locator("#presets button:visible").all():
        preset.click()
        expect(page.locator("#start")).to_be_enabled()
        expect(page.locator("#differences")).to_contain_text("Round the lake")
        expect(page.locator("#board-notes")).to_be_hidden()
    page.locator("#options-all > summary").click()
    page.locator("#more > summary").click()
    field = page.locator("[data-name=barricades] .value")
    field.fill("1")
    field.press("Tab")
    expect(page.locator("#board-notes")).to_have_text("One of 2 barricades is left out.")
    shot(page, "desk_left_out.png")
    field.fill("")
    field.press("Tab")
    expect(page.locator("#board-notes")).to_be_hidden()
    with page.expect_request("**/api/tables") as sent:
        page.locator("#start").click()
    options = sent.value.post_data_json["options"]
    assert options["board"] == {**board} and "barricades" not in options
    expect(page.locator("#where")).to_contain_text("Round the lake")


def layout(page: Page) -> Any:
    return page.evaluate("document.querySelector('[data-name=layout] .value').value")


def test_a_preset_leaves_a_layout_of_40_bridges_as_it_was_drawn(open_page: Opener, server: Server) -> None:
    page = open_page("/edit/forty_bridges")
    page.locator("#starts").select_option("arrow")
    page.locator("#play").click()
    expect(page.locator("#start")).to_be_enabled()
    before = layout(page)
    assert re.fullmatch(r"[\w,]+ [\w,]+", before), before
    for preset in page.locator("#presets button:visible").all():
        preset.click()
        expect(page.locator("#start")).to_be_enabled()
        assert layout(page) == before


def test_a_file_with_a_fault_is_refused_in_words_and_homes_beyond_the_table_too(
    open_page: Opener, server: Server, tmp_path: Path
) -> None:
    page = open_page("/edit/barricade", expect_errors=True)
    page.locator("#starts").select_option("six")
    expect(page.locator("#sizes [data-tool=name]")).to_have_value("six")
    board = saved(page, tmp_path / "six.json")
    (tmp_path / "bad.json").write_text(json.dumps({**board, "squares": 3}))
    page.locator("#open").set_input_files(tmp_path / "bad.json")
    expect(page.locator("#error")).to_have_text("squares: a list belongs here, not a whole number")
    used = {tuple(point) for point in board["squares"]} | {tuple(p) for home in board["homes"] for p in home["slots"]}
    free = [[x, y] for y in range(board["height"]) for x in range(board["width"]) if (x, y) not in used][:8]
    closed = [board["final"], *board["barricades"], *(home["entry"] for home in board["homes"])]
    entry = next(point for point in board["squares"] if point not in closed)
    more = {**board, "homes": [*board["homes"], {"id": 7, "color": "black", "entry": entry, "slots": free}]}
    (tmp_path / "seven.json").write_text(json.dumps(more))
    page.locator("#open").set_input_files(tmp_path / "seven.json")
    expect(page.locator("#problems")).to_contain_text("A table seats 6 at most: remove one home.")
    expect(page.locator("#play")).to_be_disabled()
