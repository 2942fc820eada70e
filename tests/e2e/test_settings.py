"""The settings: applied at once, kept on the device, each with a preview."""

import re

import pytest
from playwright.sync_api import expect

from bridgehead.client import Host
from e2e.clicker import FRAME
from e2e.conftest import Opener, Server, come_true, link, set_table, shot
from e2e.test_people import SOUNDS

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PAWN = ".seat-b > :is([href='#disc'], [href='#ba-pawn'])"
FACE = f"getComputedStyle(document.querySelector(`{{}} {PAWN}`)).getPropertyValue('--c')"
PLACE = "document.querySelector('#demo [data-id=\"p:b\"]').getAttribute('transform')"
HOPS = "document.querySelector('#demo [data-id=\"p:b\"]').getAnimations().length"
# Presses a button, and reads in the next frame how many hops the pawn makes: they may be over at the next look from outside.
HOPS_AFTER = f"async (button) => {{ button.click(); await {FRAME}; return {HOPS}; }}"

NAME = "getComputedStyle(document.querySelector('#stage .field-name')).opacity"


def test_names_of_places_are_written_by_a_key_a_setting_or_while_the_log_is_read(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    with Host(server.url).join(table["table"], table["tokens"]) as both:
        both.play(both.choices[0]["action"])
    page = open_page(link(table, 0, 1))
    piece = page.locator("#stage .can").first
    expect(piece).to_be_visible()
    assert page.evaluate(NAME) == "0"
    page.keyboard.press("Shift+N")
    assert page.evaluate(NAME) == "1"
    expect(page.locator("#spoken")).to_contain_text("The names of places are shown.")
    page.reload()
    expect(piece).to_be_visible()
    assert page.evaluate(NAME) == "1", "this device keeps it"
    page.locator(".long [data-settings]").click()
    box = page.get_by_role("checkbox", name="Write the names of places on the board")
    expect(box).to_be_checked()
    box.uncheck()
    assert page.evaluate(NAME) == "0"
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+N")
    page.keyboard.press("Shift+N")
    assert page.evaluate(NAME) == "0"
    page.locator("#log li").first.hover()
    assert page.evaluate(NAME) == "1", "the log names places"
    page.locator("#stage").hover()
    assert page.evaluate(NAME) == "0"


# Keeps when each part of a sound begins and ends.
TIMES = """() => {
  window.times = [];
  for (const { prototype } of [OscillatorNode, AudioBufferSourceNode]) {
    const { start, stop } = prototype;
    prototype.start = function (at) { this.begun = at; return start.call(this, at); };
    prototype.stop = function (at) { window.times.push([this.begun, at]); return stop.call(this, at); };
  }
}"""


def test_each_sound_is_short_and_can_be_heard_before_it_is_chosen(open_page: Opener) -> None:
    page = open_page("/")
    page.evaluate(TIMES)
    page.locator("[data-settings]").locator("visible=true").first.click()
    sounds = page.locator("#sounds button")
    expect(sounds).to_have_count(8)
    for name in sounds.all_inner_texts():
        page.evaluate("window.times = []")
        page.get_by_role("button", name=name, exact=True).click()
        begins, ends = zip(*come_true(page, "window.times.length > 0 && window.times"), strict=True)
        assert 0.04 < max(ends) - min(begins) < (0.5 if name == "End of the game" else 0.21), name
    page.get_by_label("Volume").select_option("off")
    for button in sounds.all():
        expect(button).to_be_disabled()


def test_each_setting_has_a_preview_and_is_kept(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", ["person"] * 2, seats=2)
    page = open_page(link(table, 0, 1), color_scheme="light", reduced_motion="no-preference")
    page.evaluate(SOUNDS)
    expect(page.locator("#stage .can").first).to_be_visible()
    usual = page.evaluate(FACE.format("#stage"))
    page.locator(".long [data-settings]").click()
    dialog = page.get_by_role("dialog", name="Settings")
    expect(dialog.locator("#pieces use")).to_have_count(14)

    dialog.get_by_label("Colours of the pieces").select_option("vivid")
    vivid = page.evaluate(FACE.format("#pieces"))
    assert vivid != usual and vivid == page.evaluate(FACE.format("#stage")), "the pieces look as in the preview"
    dialog.get_by_label("Light or dark").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    dialog.get_by_role("button", name="Your turn").click()
    come_true(page, "window.heard.includes(784)")
    dialog.get_by_label("Volume").select_option("off")
    expect(dialog.get_by_role("button", name="Your turn")).to_be_disabled()

    page.evaluate(FRAME)
    place = page.evaluate(PLACE)
    assert dialog.get_by_role("button", name="Try a move").evaluate(HOPS_AFTER) == 1, "the pawn is seen to move"
    page.evaluate(FRAME)
    assert page.evaluate(PLACE) != place
    dialog.get_by_label("Movement").select_option("reduce")
    dialog.get_by_label("Ask me to confirm").check()
    page.evaluate(FRAME)
    place = page.evaluate(PLACE)
    dialog.get_by_role("button", name="Try a move").click()
    page.evaluate(FRAME)
    assert page.evaluate(PLACE) == place, "it waits to be confirmed"
    dialog.get_by_role("button", name="Confirm").click()
    page.evaluate(FRAME)
    assert page.evaluate(PLACE) != place
    come_true(page, f"{HOPS} === 0")

    dialog.get_by_text("Keys", exact=True).click()
    for key, what in (("U", "undo the last step"), ("?", "why it cannot be touched"), ("Home", "to the start")):
        expect(dialog.locator(".keys div", has=page.locator("kbd", has_text=re.compile(f"^{re.escape(key)}$")))).to_contain_text(
            what
        )
    dialog.get_by_label("Language").select_option("de")
    expect(page.get_by_role("dialog", name="Einstellungen")).to_be_visible()  # the page comes again in German, its settings open
    expect(page.locator("[name=colours]")).to_have_value("vivid")
    expect(page.locator("[name=confirm]")).to_be_checked()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740), (740, 360), (768, 1024)])
def test_the_settings_fit_every_screen(width: int, height: int, open_page: Opener) -> None:
    page = open_page("/rules", width, height, color_scheme="dark" if width < 700 else "light")
    page.locator("[data-settings]").click()
    dialog = page.locator("#settings")
    expect(dialog.locator("#demo svg")).to_be_visible()
    shot(page, f"settings_{width}.png")
    assert dialog.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    dialog.get_by_text("Keys", exact=True).click()
    dialog.locator(".keys div").last.scroll_into_view_if_needed()
    shot(page, f"settings_{width}_keys.png")
    expect(dialog.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)


def test_a_screen_reader_clicks_without_a_pointer(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "forty_bridges"), 0, 1))
    page.locator("#stage .can").first.dispatch_event("click")
    expect(page.locator("#spoken")).to_contain_text(re.compile("chosen: (one place|.+ places) to go"))
    page.keyboard.press("Escape")
    expect(page.locator("#spoken")).to_contain_text("Nothing is chosen.")


def test_the_board_of_the_settings_lives_as_long_as_they_are_open(open_page: Opener) -> None:
    page = open_page("/")
    for _ in range(2):
        page.locator("[data-settings]").first.click()
        expect(page.locator("#demo svg.board")).to_have_count(1)
        page.locator("#demo-move").click()
        page.keyboard.press("Escape")
        expect(page.locator("#settings")).to_be_hidden()
        expect(page.locator("#demo svg.board")).to_have_count(0)
