"""Real dice and cards in the browser: people tap what they show, on a phone, and correct a wrong tap."""

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import Clicker
from e2e.conftest import HAND, Opener, Server, link, post_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
TWO = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]


def tap(page: Page, name: str) -> None:
    """Tap a face once, when it can be tapped: one that has just appeared cannot. A second tap would correct twice."""
    face = page.get_by_role("button", name=name, exact=True)
    box = face.bounding_box()
    assert box is not None and box["width"] >= 44 and box["height"] >= 44, (name, box)
    page.wait_for_timeout(HAND)
    shown = page.locator("#faces").get_attribute("data-look")
    assert shown is not None
    face.tap()
    expect(page.locator("#faces")).not_to_have_attribute("data-look", shown)


def test_everybody_with_a_seat_taps_the_die_and_corrects_it(open_page: Opener, server: Server) -> None:
    table = post_table(server, "barricade", TWO, options={"board": "mini"}, typed=True)
    ada, ben, watcher = open_page(link(table, 0), **PHONE), open_page(link(table, 1), **PHONE), open_page(link(table))
    tap(ada, "Ada goes first.")
    expect(ben.locator("#faces .face")).to_have_count(6)
    for face in ben.locator("#faces .face").all():
        box = face.bounding_box()
        assert box is not None and box["width"] >= 44 and box["height"] >= 44 and box["x"] + box["width"] <= 360
    shot(ben, "die_phone.png")
    tap(ben, "The die shows 2")  # it is Ada's roll, and the die lies before Ben
    expect(ada.locator("#say")).to_contain_text("2")
    tap(ada, "Wrong tap: correct it")
    expect(ben.locator("#faces .face")).to_have_count(6)
    tap(ada, "The die shows 6")
    expect(ben.locator("#log li").last).to_contain_text("6")
    expect(ada.locator("#stage .can").first).to_be_visible()
    expect(watcher.locator("#log li").last).to_contain_text("6")
    expect(watcher.locator("#faces")).to_have_count(0)
    assert ada.evaluate("document.documentElement.scrollWidth") <= 360


def test_only_cards_that_can_still_be_drawn_are_offered(open_page: Opener, server: Server) -> None:
    table = post_table(server, "front_lines", TWO, options={"seats": 2}, typed=True)
    page = open_page(link(table, 0, 1), **PHONE)
    expect(page.locator("#faces .suits .btn")).to_have_text(["Hearts", "Diamonds", "Spades", "Clubs"])
    expect(page.locator("#faces .face:visible")).to_have_count(10)
    page.locator("#faces .suits").get_by_text("Spades").tap()
    expect(page.get_by_role("button", name="7 of Hearts")).to_be_hidden()
    shot(page, "cards_phone.png")
    tap(page, "Ace of Spades")
    expect(page.locator("#log li").last).to_contain_text("Ace of Spades")
    Clicker(page, seed=3, finger=True).until(lambda: page.locator("#faces .face").count() > 0)
    expect(page.locator("#faces .suits .btn")).to_have_count(4)  # a card of the field is turned over
    offered = page.locator("#faces .face").evaluate_all("nodes => nodes.map((node) => node.ariaLabel)")
    assert "King of Spades" not in offered and "Jack of Spades" in offered, "the characters' cards do not lie in the field"
    page.locator("#faces .suits").get_by_text("Diamonds").tap()
    tap(page, "5 of Diamonds")
    page.get_by_role("button", name="Wrong tap: correct it").wait_for()
    shot(page, "cards_turned_phone.png")


def test_a_new_table_with_real_dice(open_page: Opener, server: Server) -> None:
    page = open_page("/new/barricade?mode=here")
    page.get_by_text("More options").first.click()
    page.get_by_label("Real ones: we roll and draw ourselves").check()
    expect(page.locator("#seed")).to_be_disabled()
    expect(page.locator("#live")).to_be_disabled()
    page.locator("#start").click()
    expect(page.locator("#faces .face").first).to_be_visible()
    page.goto(server.url + "/new/forty_bridges?mode=here")
    expect(page.locator("#real")).to_have_count(0)
