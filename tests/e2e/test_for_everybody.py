"""Keys, tabs, forced colours, zoom and the spacing of text, as WCAG 2.2 asks for them."""

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.conftest import Opener, Server, link, set_table
from e2e.test_accessibility import table_of
from waiting import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def chosen_tab(page: Page) -> str:
    """The tab that is shown, which has the focus and is the only stop of the Tab key."""
    focused = page.locator("[role=tab]:focus")
    expect(focused).to_have_attribute("aria-selected", "true")
    expect(page.locator('[role=tab][tabindex="0"], [role=tab]:not([tabindex])')).to_have_count(1)
    shown = focused.get_attribute("aria-controls")
    expect(page.locator(f"#{shown}")).to_be_visible()
    return str(shown)


def test_arrows_home_and_end_choose_among_the_tabs_of_a_table(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", ["person"] * 2, seats=2)
    page = open_page(link(table, 0))
    expect(page.locator("#stage .can").first).to_be_visible()
    page.locator("#tab-log").focus()
    keys = ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End")
    shown = []
    for key in keys:
        page.keyboard.press(key)
        shown.append(chosen_tab(page))
    assert shown == ["all", "chat", "log", "chat", "log", "chat"]
    page.locator("#tab-all").click()
    assert chosen_tab(page) == "all"


def test_arrows_choose_among_the_tabs_of_a_replay_and_leave_the_game_where_it_is(open_page: Opener, server: Server) -> None:
    table = table_of(server, "barricade", 1)
    page = open_page(link(table, *range(len(table["tokens"]))))
    page.locator("#tab-all").click()
    page.locator("#typed").fill("i13-i14")  # the last action of this record
    page.locator("#typed").press("Enter")
    expect(page.locator("#after")).to_be_visible()
    page.goto(f"{server.url}/replay/{table['table']}")
    expect(page.locator("#tab-study")).to_be_visible()
    place = page.locator("#scrub").input_value()
    page.locator("#tab-log").focus()
    shown = []
    for key in ("ArrowLeft", "ArrowRight", "End", "Home"):
        page.keyboard.press(key)
        shown.append(chosen_tab(page))
    assert shown == ["study", "log", "study", "log"]
    assert page.locator("#scrub").input_value() == place


def open_keys(page: Page) -> Locator:
    page.locator(".long [data-settings]").click()
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_text("Keys", exact=True).click()
    return dialog


def test_keys_of_one_letter_can_be_changed_and_switched_off_in_all_open_tabs(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", ["person"] * 2, seats=2)
    page = open_page(link(table, 0, 1))
    expect(page.locator("#stage .can").first).to_be_visible()
    other = page.context.new_page()
    other.goto(server.url + link(table, 0, 1))
    expect(other.locator("#stage .can").first).to_be_visible()
    dialog, said = open_keys(page), page.locator("#keys-said")

    def lists(key: str) -> bool:
        """Whether a key does on the other page what "M" usually does: it shows the list of all actions."""
        other.locator("#tab-log").click()
        other.keyboard.press(key)
        return other.locator("#tab-all").get_attribute("aria-selected") == "true"

    wait_for(lambda: lists("m"))  # they come after the board
    assert not lists("x")
    listing = dialog.get_by_role("button", name="list of all actions")
    listing.click()
    page.keyboard.press("u")
    expect(said).to_have_text("U is already the key for: undo the last step.")
    expect(listing).to_have_text("M")
    listing.click()
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    listing.press("Enter")
    page.keyboard.press("x")
    expect(said).to_have_text("X is now the key for: list of all actions.")
    expect(listing).to_have_text("X")
    assert lists("x") and not lists("m")
    listing.click()
    page.keyboard.press("Delete")
    expect(listing).to_have_text("none")
    assert not lists("x") and not lists("m")
    dialog.get_by_role("button", name="The usual keys").click()
    assert lists("m")
    dialog.get_by_label("Keys of one letter or sign").uncheck()
    expect(listing).to_be_disabled()
    assert not lists("m") and not lists("M")
    other.reload()
    expect(other.locator("#stage .can").first).to_be_visible()
    assert not lists("m"), "it is stored"
    stored = other.evaluate("JSON.parse(localStorage['bridgehead.prefs'])")
    assert stored == {"keys": {}, "letters": False}, "no other setting is"
    other.locator("#stage [role=button][tabindex='0']").focus()
    other.keyboard.press("ArrowRight")
    expect(other.locator("#stage [role=button]:focus")).to_be_visible()
    other.keyboard.press("n")
    dialog.get_by_label("Keys of one letter or sign").check()
    assert lists("m")


def test_a_question_mark_asks_in_a_tutorial_unless_keys_of_one_sign_are_off(open_page: Opener) -> None:
    page = open_page("/learn/barricade")
    for _ in range(2):  # to the first step with a task
        page.locator("#next").click()
    expect(page.locator("#help")).to_be_enabled()
    why, thing = page.locator("#why"), page.locator("#stage [role=button][tabindex='0']")
    for letters in (False, True):
        page.evaluate("(letters) => localStorage.setItem('bridgehead.prefs', JSON.stringify({letters}))", letters)
        thing.focus()
        page.keyboard.press("?")
        if letters:
            expect(why).to_be_visible()
        else:
            page.wait_for_timeout(1000)  # an answer would be there
            expect(why).to_be_hidden()
