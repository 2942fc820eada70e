"""People at a table in real browsers: joining by code, handing over, talking in teams, pointing, the rematch."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

import bridgehead
from bridgehead.core import registry
from bridgehead.core.phrases import catalogue
from bridgehead.players import list_levels
from e2e.clicker import TOUCH, Clicker
from e2e.conftest import HOLD, PATIENCE, Opener, Server, at_the_end, come_true, link, post_table, set_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
WORDS = catalogue(Path(bridgehead.__file__).parent / "web")
MARKUP = "<img src=x onerror=window.hurt=1>"


def sit(page: Page, name: str, letter: str) -> None:
    """Take a free seat from the table's page."""
    page.get_by_role("button", name=f"Sit down: {letter}").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down", exact=True).click()
    expect(page.locator("#people-menu")).to_be_hidden()


def move(page: Page) -> None:
    """Play one action by clicking, once it is this page's turn, and see it in the log."""
    expect(page.locator("#stage .can[data-id]").first).to_be_visible()
    clicker, logged = Clicker(page, seed=3), page.locator("#log li:not(.mark)").count()
    clicker.until(lambda: page.locator("#log li:not(.mark)").count() > logged)


def test_a_guest_comes_by_the_lobby_sits_down_and_plays_and_keeps_the_seat(open_page: Opener, server: Server) -> None:
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "person", "open": True}]
    table = post_table(server, "forty_bridges", seats, seed=11)
    ada = open_page(f"{link(table, 0)}&h={table['host']}")
    expect(ada.locator("#seats")).to_contain_text("free")
    ada.locator(".long [data-table-menu]").click()
    asked: list[Route] = []
    ada.route("**/times", lambda route: asked.append(route))
    ada.get_by_role("button", name="How long each seat thinks").press("Enter")
    expect(ada.get_by_role("button", name="How long each seat thinks")).to_be_focused()
    ada.locator("#people-title").evaluate("node => { node.dataset.before = 1; }")
    ada.get_by_label("Show this table in the lobby").press("Space")
    expect(ada.locator("[data-before]")).to_have_count(0)  # the menu has been drawn anew
    expect(ada.get_by_label("Show this table in the lobby")).to_be_checked()
    expect(ada.get_by_label("Show this table in the lobby")).to_be_focused()
    while not asked:
        ada.wait_for_timeout(20)
    asked[0].continue_()
    expect(ada.locator("#people-menu tbody tr")).to_have_text(["AAda0––", "BBlue0––"])
    ada.keyboard.press("Escape")
    guest = open_page("/", width=360, height=740, has_touch=True, is_mobile=True)
    guest.get_by_role("link", name="Open tables").click()
    expect(guest.locator("#open")).to_contain_text("Ada")
    shot(guest, "lobby_phone.png")
    guest.get_by_role("link", name="Take a seat").click()
    guest.get_by_label("Your name").fill(MARKUP)
    guest.get_by_role("button", name="Sit down", exact=True).click()
    expect(ada.locator("#seats")).to_contain_text(MARKUP[:24])
    move(ada)
    expect(guest.locator("#stage .can").first).to_be_visible()
    guest.reload()
    expect(guest.locator("#stage .can").first).to_be_visible()
    guest.goto(server.url + "/")
    expect(guest.locator("#tables")).to_contain_text("your turn")
    guest.locator("#tables a.turn").click()
    expect(guest.locator("#stage .can").first).to_be_visible()
    assert guest.evaluate("document.documentElement.scrollWidth") <= 360
    lobby = open_page("/lobby")
    expect(lobby.locator("#nobody")).to_be_visible()
    assert ada.evaluate("[window.hurt ?? 0, document.querySelectorAll('main img').length]") == [0, 0]


def test_a_seat_is_handed_to_the_computer_and_taken_back_with_the_keyboard_only(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    ada, ben = open_page(link(table, 0)), open_page(link(table, 1), script=HOLD)
    expect(ben.locator("#seats .more")).to_have_count(2)
    ben.evaluate("window.held = []")
    ada.locator("#seats .more").first.focus()
    ada.keyboard.press("Enter")
    expect(ada.locator("#people-menu")).to_be_visible()
    ada.keyboard.press("Escape")
    expect(ada.locator("#seats .more").first, "the keyboard is where it was").to_be_focused()
    ada.keyboard.press("Enter")
    shot(ada, "seat_menu.png")
    level = list_levels(registry.spec("forty_bridges"))[0]
    ada.get_by_label("Level").select_option(level)
    ada.get_by_role("button", name="The computer plays on").focus()
    ada.keyboard.press("Enter")
    come_true(ben, "held.some(({ data }) => data.includes('plays from here'))")
    ben.evaluate("() => { while (!held[0].data.includes('plays from here')) hear(held.shift()); hear(held.shift()); }")
    expect(ben.locator("#seats")).to_contain_text(f"Computer, {WORDS.template(f'level.{level}')}")
    expect(ben.locator("#log .mark")).to_have_text(re.compile(r"Seat Black: the computer, .+, plays from here\."))
    ben.evaluate("() => { const late = held; held = null; for (const event of late) hear(event); }")
    expect(ben.locator("#log li:not(.mark)")).to_have_count(1, timeout=PATIENCE)
    move(ben)
    expect(ben.locator("#log li:not(.mark)")).to_have_count(3)
    back = ada.get_by_role("button", name="Take my seat back")
    back.focus()
    ada.keyboard.press("Enter")
    expect(back).to_be_hidden()
    move(ben)
    expect(ada.locator("#stage .can").first).to_be_visible()
    record = ada.request.get(f"{server.url}/api/tables/{table['table']}/record").text()
    assert record.count("\n# Seat A: ") == 2
    ada.locator("#seats .more").first.click()
    ada.get_by_role("button", name="A link for a substitute").click()
    given = ada.locator(".given input").input_value()
    eve = open_page(given.removeprefix(server.url))
    expect(eve.locator("#stage .can").first).to_be_visible()
    expect(ada.locator("#stage .can[data-id]")).to_have_count(0)
    ada.get_by_role("button", name="Close", exact=True).click()
    expect(ada.locator("#people")).to_contain_text("You have no seat here any more.")
    ada.reload()
    expect(ada.locator("#say")).not_to_be_empty()
    expect(ada.locator("#line")).to_be_empty()
    late = open_page(link(table, 0))  # by the old link, of which nobody told this page that it gives nothing any more
    expect(late.locator("#say")).not_to_be_empty()
    expect(late.locator("#line")).to_be_empty()
    ben.goto(f"{server.url}/replay/{table['table']}")
    expect(ben.locator("#log .mark")).to_have_count(1)  # what happened before the first action
    ben.locator("#end").click()
    expect(ben.locator("#log li:nth-child(5).mark")).to_contain_text("is back and plays from here.")
    expect(ben.locator("#log .mark")).to_have_count(4)  # then a link for a substitute, who sat down


def test_a_person_makes_the_seat_their_own_so_that_the_link_that_the_host_knows_ends(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    ada, ben = open_page(f"{link(table, 0)}&h={table['host']}"), open_page(link(table, 1))
    expect(ada.locator("#seats .more")).to_have_count(2)
    ada.locator("#seats .more").nth(1).click()
    expect(ada.locator("#people-menu")).to_contain_text("Mute")
    for dead in ("The computer plays on", "A link for a substitute", "Free for anybody with the code", "New link"):
        expect(ada.locator("#people-menu").get_by_text(dead)).to_have_count(0)
    ada.keyboard.press("Escape")
    ben.locator("#seats .more").nth(1).click()
    ben.get_by_role("button", name="A link for a substitute").click()
    shot(ben, "seat_own.png")
    ben.get_by_role("button", name="Use it here").click()
    expect(ada.locator("#log .mark")).to_have_count(2)
    come_true(ben, f"!location.hash.includes('{table['tokens'][1]}')")
    move(ada)
    move(ben)
    late = open_page(link(table, 1))
    expect(late).to_have_url(re.compile(r"/t/[A-Z]{22}$"))  # the link gives nothing any more: the page watches
    expect(late.locator("#say")).not_to_be_empty()


def test_a_team_talks_and_points_and_the_other_team_hears_nothing_of_it(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", ["person"] * 4, teams="0,2/1,3")
    pages = [open_page(link(table, seat)) for seat in range(3)]
    phone = open_page(link(table, 3), width=360, height=740, has_touch=True, is_mobile=True)
    for each in (*pages, phone):
        each.locator("#tab-chat").click()
    ada, ben, cleo = pages
    ada.get_by_label("Write something").fill(MARKUP)
    ada.keyboard.press("Enter")
    ada.locator("#chat select").select_option("team")
    ada.get_by_label("Write something").fill("only for us")
    ada.keyboard.press("Enter")
    ada.get_by_role("button", name="Good luck!").click()
    expect(cleo.locator("#chat ol")).to_contain_text("only for us")
    for each in (ben, phone):
        expect(each.locator("#chat ol")).to_contain_text(MARKUP)
        expect(each.locator("#chat ol")).not_to_contain_text("only for us")
    ada.keyboard.down("Alt")
    ada.mouse.click(*ada.evaluate(TOUCH, ["thing", "f:i11"]))
    ada.keyboard.up("Alt")
    expect(cleo.locator(".sign")).to_have_count(1)
    shot(ada, "chat.png")
    shot(phone, "chat_phone.png")
    assert ben.locator(".sign").count() == phone.locator(".sign").count() == 0
    expect(cleo.locator(".sign")).to_have_count(0)
    cleo.locator("#stage [tabindex='0']").focus()
    cleo.keyboard.press("Shift+P")
    expect(ada.locator(".sign")).to_have_count(1)
    cleo.locator("#seats .more").first.click()
    cleo.get_by_role("button", name="Mute").click()
    expect(cleo.locator("#chat ol")).to_contain_text("No messages yet.")
    cleo.keyboard.press("Escape")
    cleo.locator(".long [data-settings]").click()
    shows = cleo.get_by_label("Show chat and board signs")
    expect(shows).to_be_checked()  # the settings have been read
    shows.uncheck()
    expect(cleo.locator("#tab-chat")).to_be_hidden()
    for each in (ada, ben, cleo, phone):
        assert each.evaluate("[window.hurt ?? 0, document.querySelectorAll('main img').length]") == [0, 0]


def test_a_rematch_takes_both_to_a_new_table_with_their_seats_turned(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges", quietLimit=2)
    ada, ben = open_page(link(table, 0)), open_page(link(table, 1))
    move(ada)
    move(ben)
    rematch = ada.get_by_role("button", name="Rematch")
    expect(rematch).to_be_visible()
    at_the_end(ada)
    rematch.click()
    ada.wait_for_url(re.compile(rf"/t/(?!{table['table']})"))
    expect(ada.locator("#say")).to_contain_text("Person 2")
    ben.get_by_role("link", name="To the rematch").click()
    expect(ben.locator("#stage .can").first).to_be_visible()
    expect(ben.locator("#seats li").first).to_contain_text("You")
    move(ben)
    expect(ada.locator("#stage .can").first).to_be_visible()


SOUNDS = """() => {
  window.heard = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...all) { window.heard.push(this.frequency.value); return start.apply(this, all); };
  const Before = AudioContext;
  window.AudioContext = class extends Before { constructor() { super(); window.audio = this; } };
}"""


def test_sounds_come_after_a_gesture_and_not_where_they_are_switched_off(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    ada, ben = open_page(link(table, 0)), open_page(link(table, 1))
    for page in (ada, ben):
        page.evaluate(SOUNDS)
    ada.locator("#say").click()
    come_true(ada, "window.audio?.state === 'running'")  # a device for sound takes its time to start
    move(ada)
    expect(ben.locator("#log li")).to_have_count(1)
    assert ben.evaluate("window.heard") == [], "nobody has touched this page yet"
    come_true(ada, "window.heard.length > 0")
    move(ben)
    expect(ada.locator("#log li")).to_have_count(2)
    come_true(ada, "window.heard.includes(784)")  # my turn
    ada.locator(".long [data-settings]").click()
    ada.locator("[name=sound]").select_option("off")
    ada.keyboard.press("Escape")
    before = ada.evaluate("window.heard.length")
    move(ada)
    move(ben)
    expect(ada.locator("#log li")).to_have_count(4)
    assert ada.evaluate("window.heard.length") == before
