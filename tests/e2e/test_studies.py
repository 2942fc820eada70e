"""The analysis board in a real browser: a study made by mouse, thumb and keys, kept, shared and opened elsewhere."""

import re
from pathlib import Path

import apsw
import pytest
from playwright.sync_api import Page, expect

from bridgehead.core import link, record, registry
from bridgehead.core.match import Match
from bridgehead.core.remarks import DrawnShape
from bridgehead.players import book
from e2e.axe import check
from e2e.clicker import TOUCH
from e2e.conftest import PATIENCE, Opener, Server, shot
from records import RECORDS, recorded

pytestmark = [pytest.mark.browser, pytest.mark.wide]
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740, "has_touch": True}
SIZES = [WIDE, PHONE, {"width": 740, "height": 360, "has_touch": True}, {"width": 768, "height": 1024, "has_touch": True}]


def opened(open_page: Opener, game: str, at: int, **size: object) -> Page:
    match, names = record.load(recorded(f"{game}-1"))
    page = open_page(f"/study#at={at}&g={link.pack(match, names)}", **size)
    expect(now(page)).to_have_attribute("data-path", str(at))
    page.wait_for_load_state("networkidle")  # the pencil and other parts come after the record
    return page


def now(page: Page):  # type: ignore[no-untyped-def]
    return page.locator("#tree [aria-current]")


def press(page: Page, *things: str) -> None:
    """Choose things of the board by keys."""
    for thing in things:
        expect(page.locator(f"#stage [data-id='{thing}']")).to_have_count(1)  # the board is drawn after the tree
        page.evaluate("id => document.querySelector(`#stage [data-id='${id}']`).focus()", thing)
        page.keyboard.press("Enter")


def saved(page: Page) -> str:
    with page.expect_download() as download:
        page.locator("#save").click()
    return Path(download.value.path()).read_text("utf-8")


def test_the_engines_lines_are_switched_on_and_off_and_one_of_them_is_played(open_page: Opener) -> None:
    page = opened(open_page, "forty_bridges", 20, **WIDE)
    lines = page.locator("#lines")
    expect(lines).to_be_hidden()
    page.locator("#engine").click()
    expect(lines.locator("li").first).to_contain_text("%", timeout=PATIENCE)
    first = lines.locator("li button").first
    wanted = first.locator("span").first.inner_text()
    page.locator("#engine").click()
    expect(lines).to_be_hidden()
    page.locator("#engine").click()
    expect(lines.locator("li").first).to_contain_text(wanted, timeout=PATIENCE)  # known already
    before = page.locator("#say").inner_text()
    first.click()
    expect(now(page)).not_to_have_attribute("data-path", "20")
    expect(page.locator("#say")).not_to_have_text(before)


def test_how_a_game_ended_is_said_once(open_page: Opener) -> None:
    match = Match(registry.game("forty_bridges", quietLimit=2))
    while not match.position.is_over:
        match.play(match.position.legal[0])
    page = open_page(f"/study#g={link.pack(match, ['', ''])}", **WIDE)
    expect(page.locator("#say")).to_contain_text("2 turns without a capture: nobody wins.")
    assert page.locator("#say").inner_text().count("nobody wins") == 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}")
def test_a_study_is_made_kept_shared_and_opened_elsewhere(size: dict[str, object], open_page: Opener, server: Server) -> None:
    page = opened(open_page, "forty_bridges", 6, **size)
    first = saved(page)
    press(page, "p:0:b3", "f:c3")
    expect(now(page)).to_have_attribute("data-path", "6.0.1")
    page.locator("#comment").fill("Why not this?")
    page.locator("#comment").blur()
    expect(page.locator("#tree .remark")).to_have_text("Why not this?")
    page.locator("#draw").click()
    press(page, "f:a1", "f:b2", "f:c3", "f:c3")
    expect(page.locator("#stage [data-shape=arrow]")).to_have_count(1)
    expect(page.locator("#stage [data-shape=circle]")).to_have_count(1)
    page.locator("#draw").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= int(str(size["width"]))
    shot(page, f"study_{size['width']}.png")
    match, _ = record.load(saved(page))
    (variation,) = match.remarks[6].variations
    remark = variation.remarks[1]
    assert remark.comment == "Why not this?" and remark.shapes == [DrawnShape("f:a1", "f:b2"), DrawnShape("f:c3", "f:c3")]
    page.reload()
    expect(now(page)).to_have_attribute("data-path", "6.0.1")
    expect(page.locator("#comment")).to_have_value("Why not this?")
    page.locator("#share").click()
    address = page.get_by_role("dialog").locator("input").last.input_value()
    other = open_page(re.sub(r"^https?://[^/]+", "", address), **size)
    expect(other.locator("#tree .remark")).to_have_text("Why not this?")
    expect(now(other)).to_have_attribute("data-path", "6.0.1")
    expect(other.locator("#stage [data-shape]")).to_have_count(2)
    other.locator("#promote").click()
    expect(now(other)).to_have_attribute("data-path", "7")
    other.locator("#clear").click()
    expect(other.locator("#stage [data-shape]")).to_have_count(0)
    other.locator("#delete").click()
    expect(now(other)).to_have_attribute("data-path", "6")
    for _ in range(3):
        other.locator("#undo").click()
    expect(now(other)).to_have_attribute("data-path", "6.0.1")
    assert record.load(saved(other))[0].remarks == match.remarks
    assert record.load(first)[0].actions == match.actions


def test_the_mouse_draws_with_the_right_button_and_by_dragging_while_drawing_is_on(open_page: Opener) -> None:
    page = opened(open_page, "forty_bridges", 3)
    start, end = (page.evaluate(TOUCH, ["thing", field]) for field in ("f:c3", "f:d4"))
    page.mouse.move(*start)
    page.mouse.down(button="right")
    page.mouse.move(*end)
    page.mouse.up(button="right")
    expect(page.locator("#stage [data-shape=arrow]")).to_have_count(1)
    page.locator("#draw").click()
    page.mouse.move(*end)
    page.mouse.down()
    page.mouse.move(*start)
    page.mouse.up()
    expect(page.locator("#stage [data-shape=arrow]")).to_have_count(2)
    expect(now(page)).to_have_attribute("data-path", "3")


@pytest.mark.parametrize("width", [1280, 360])
def test_drawings_have_colours_by_palette_and_by_keys_and_the_record_keeps_them(width: int, open_page: Opener) -> None:
    page = opened(open_page, "forty_bridges", 3, width=width)
    palette = page.locator("#palette")
    expect(palette).to_be_hidden()
    start, end = (page.evaluate(TOUCH, ["thing", field]) for field in ("f:c3", "f:d4"))
    page.keyboard.down("Shift")
    page.mouse.move(*start)
    page.mouse.down(button="right")
    page.mouse.move(*end)
    page.mouse.up(button="right")
    page.keyboard.up("Shift")
    expect(page.locator("#stage .shape.red[data-shape=arrow]")).to_have_count(1)
    page.locator("#draw").click()
    blue = palette.get_by_role("button", name="Blue")
    blue.focus()
    page.keyboard.press("Enter")
    expect(blue).to_have_attribute("aria-pressed", "true")
    press(page, "f:a1", "f:b2", "f:c3", "f:c3")
    expect(page.locator("#stage .shape.blue")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shot(page, f"study_colours_{width}.png")
    check(page, "drawing in colours")
    shapes = record.load(saved(page))[0].remarks[3].shapes
    assert shapes == [DrawnShape("f:c3", "f:d4", "red"), DrawnShape("f:a1", "f:b2", "blue"), DrawnShape("f:c3", "f:c3", "blue")]
    page.reload()
    expect(page.locator("#stage .shape.blue")).to_have_count(2)


def test_keys_walk_the_tree_and_a_touch_that_is_refused_gets_its_reason(open_page: Opener) -> None:
    page = opened(open_page, "forty_bridges", 4)
    page.locator("#say").focus()
    for key, path in (("ArrowLeft", "3"), ("ArrowRight", "4"), ("Home", "0"), ("ArrowRight", "1")):
        page.keyboard.press(key)
        expect(now(page)).to_have_attribute("data-path", path)
    page.keyboard.press("End")
    expect(page.locator("#forward")).to_be_disabled()
    page.locator("#tree [data-path='4']").click()
    expect(now(page)).to_have_attribute("data-path", "4")
    press(page, "p:1:e5")
    expect(page.locator("#why")).to_be_visible()


@pytest.mark.parametrize("game", ["barricade", "front_lines"])
def test_chance_is_chosen_by_hand_at_the_beginning_of_a_game(game: str, open_page: Opener) -> None:
    page = open_page(f"/study?game={game}")
    expect(now(page)).to_have_attribute("data-path", "0")
    face = page.locator("#faces .face:visible").first
    expect(face).to_be_visible()
    page.wait_for_timeout(500)  # faces that have just appeared do not count
    face.click()
    expect(now(page)).to_have_attribute("data-path", "1")
    shot(page, f"study_{game}.png")


def test_a_replay_a_file_and_nothing_lead_to_the_board(open_page: Opener) -> None:
    text = recorded("barricade-1")
    page = open_page(f"/replay?at=5#g={link.pack(*record.load(text))}")
    page.locator("#to-study").click()
    expect(now(page)).to_have_attribute("data-path", "5")
    other = open_page("/study", expect_errors=True)
    expect(other.locator("#choose")).to_be_visible()
    other.set_input_files("#file", {"name": "x.txt", "mimeType": "text/plain", "buffer": b"bad\n"})
    expect(other.locator("#error")).to_contain_text("line 1")
    other.set_input_files("#file", RECORDS / "barricade-1.txt")
    expect(now(other)).to_have_attribute("data-path", "0")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=lambda size: f"{size['width']}")
def test_the_book_shows_what_was_played_here_and_plays_it(size: dict[str, object], open_page: Opener, server: Server) -> None:
    match, names = record.load(recorded("forty_bridges-1"))
    own = apsw.Connection(str(server.data / "bridgehead.sqlite"))
    own.set_busy_timeout(5000)
    for query, values in book.statements(match, f"book {size['width']}", ["master", "scout"], True, 1.0, link.pack(match, names)):
        own.execute(query, values)
    own.close()
    page = open_page("/study?game=forty_bridges", **size)
    page.locator("#book").click()
    first = match.positions[0].name(match.log[0].action)
    move = page.locator("#pages li .btn", has_text=first)
    expect(move).to_contain_text("up to")
    expect(move).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= int(str(size["width"]))
    page.locator("#pages select").select_option("person")
    expect(move).to_have_count(0)
    page.locator("#pages select").select_option("")
    with page.expect_popup() as popup:
        page.locator("#pages .found a").first.click()
    expect(now(popup.value)).to_have_attribute("data-path", "0")
    move.click()
    expect(now(page)).to_have_attribute("data-path", "1")
    second = match.positions[1].name(match.log[1].action)
    expect(page.locator("#pages li .btn", has_text=second)).to_be_visible()
    page.locator("#book").click()
    expect(page.locator("#pages")).to_be_hidden()
