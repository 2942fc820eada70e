"""People who ask one another, clocks, and clicks that come too late."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from e2e.conftest import HOLD, Opener, Server, come_true, link, post_table, set_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def play(page: Page, text: str) -> None:
    """Type an action."""
    page.keyboard.press("/")
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")


def ask(page: Page, thing: str) -> None:
    """Ask for something by the keyboard."""
    expect(page.locator("#asking")).to_be_enabled()
    page.locator("#asking").press("Enter")
    button = page.locator("dialog.asking").get_by_role("button", name=thing)
    expect(button).to_be_enabled()
    button.press("Enter")


def test_two_people_take_back_pause_and_end_a_game(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    ada = open_page(link(table, 0))
    ben = open_page(link(table, 1), width=360, height=740, has_touch=True, is_mobile=True)
    watcher = open_page(link(table))
    expect(ada.locator("#seats")).to_contain_text("person, here")
    expect(ada.locator("#stage .can").first).to_be_visible()
    ada.locator("#asking").press("Enter")
    back = ada.locator("dialog.asking").get_by_role("button", name="Take back")
    expect(back).to_have_attribute("aria-disabled", "true")
    back.press("Enter")
    expect(ada.locator("#why")).to_contain_text("made no decision yet")
    play(ada, "a2-a3")
    expect(ben.locator("#log li")).to_have_count(1)
    ask(ada, "Take back")
    bar = ben.locator(".asked")
    expect(bar).to_contain_text("Person 1 asks to go back to their last decision, in turn 1.")
    expect(ben.locator("#spoken")).to_contain_text("Person 1 asks to go back")
    expect(watcher.locator(".asked")).to_contain_text("Person 1 asks")
    assert watcher.locator(".asked button").count() == 0 and watcher.locator("#asking").is_hidden()
    expect(ada.locator(".asked").get_by_role("button")).to_have_text("Withdraw")
    shot(ben, "asked_phone.png")
    ben.wait_for_timeout(450)  # before that, a click was meant for the board
    bar.get_by_role("button", name="Agree").tap()
    for page in (ada, ben, watcher):
        expect(page.locator("#log li")).to_have_count(0)
    expect(ada.locator(".asked")).to_have_text("Agreed: a takeback.")
    expect(ada.locator("#stage .can").first).to_be_visible()
    ask(ada, "Pause")
    expect(bar).to_contain_text("asks for a pause")
    ben.wait_for_timeout(450)
    bar.get_by_role("button", name="Agree").tap()
    expect(ada.locator("#say")).to_contain_text("The table is paused.")
    expect(ada.locator("#stage.paused")).to_be_visible()
    expect(ada.locator("#stage .can")).to_have_count(0)
    ada.reload()
    expect(ada.locator(".asked")).to_contain_text("The table is paused.")
    shot(ada, "paused.png")
    ada.locator(".asked").get_by_role("button", name="Play on").click()
    expect(bar).to_contain_text("asks to play on")
    ben.wait_for_timeout(450)
    bar.get_by_role("button", name="Agree").tap()
    expect(ada.locator("#stage .can").first).to_be_visible()
    assert ben.evaluate("document.documentElement.scrollWidth") <= 360
    ben.locator("#asking").tap()
    menu = ben.locator("dialog.asking")
    menu.get_by_role("button", name="Resign").tap()
    expect(menu).to_contain_text("Resign for good?")
    expect(ada.locator("#say")).not_to_contain_text("resigned")
    menu.get_by_role("button", name="Yes, resign").tap()
    for page in (ada, ben, watcher):
        expect(page.locator("#say")).to_contain_text("Person 2 has resigned. Person 1 wins.")
    expect(ada.locator("#after")).to_be_visible()
    record = ada.request.get(f"{server.url}/api/tables/{table['table']}/record").text()
    assert "ended: seat 2 resigned" in record
    ada.goto(f"{server.url}/replay/{table['table']}")  # of no action, which were taken back
    expect(ada.locator("#say")).to_contain_text("Person 2 has resigned. Person 1 wins.")


def test_a_move_and_what_is_asked_after_it_are_both_said_though_they_come_at_once(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    ben, ada = open_page(link(table, 1), script=HOLD), open_page(link(table, 0))
    expect(ada.locator("#seats")).to_contain_text("person, here")
    expect(ada.locator("#stage .can").first).to_be_visible()
    ben.evaluate("window.held = []")
    play(ada, "a2-a3")
    ask(ada, "Take back")
    expect(ada.locator(".asked")).to_contain_text("asks to go back")
    come_true(ben, "held.some(({ data }) => data.includes('asks to go back'))")
    ben.evaluate("""() => {  // where it takes its time to draw a position
      const draw = () => { for (const until = performance.now() + 200; performance.now() < until;); };
      Object.defineProperty(document, "title", { set: draw });
      for (const event of held.splice(0)) hear(event);
    }""")
    expect(ben.locator("#spoken")).to_have_text(re.compile("steps from a2 to a3.* asks to go back"))


def test_what_is_asked_before_a_move_was_answered_is_asked_after_it(open_page: Opener, server: Server) -> None:
    ada, table = open_page("/verify"), set_table(server, "forty_bridges")
    held: list[tuple[WebSocketRoute, str | bytes]] = []

    def hold(socket: WebSocketRoute) -> None:
        line = socket.connect_to_server()
        line.on_message(lambda message: held.append((socket, message)) if '"t":"ack"' in str(message) else socket.send(message))

    ada.route_web_socket("**/ws?*", hold)
    ada.goto(server.url + link(table, 0))
    ben = open_page(link(table, 1))
    expect(ada.locator("#seats")).to_contain_text("person, here")
    play(ada, "a2-a3")
    expect(ada.locator("#log li")).to_have_count(1)
    ask(ada, "Take back")
    ada.wait_for_timeout(150)
    while held:
        socket, message = held.pop(0)
        socket.send(message)
    expect(ben.locator(".asked")).to_contain_text("Person 1 asks to go back")


def with_bank(page: Page, minutes: str) -> Locator:
    """A table at which both seats are played at this page of a new one, with banks of so many minutes: its clocks."""
    page.locator("#options-all > summary").click()
    page.locator("#clock-kind").select_option("bank")
    page.locator("#clock-bank").fill(minutes)
    page.locator("#clock-increment").fill("0")
    expect(page.locator("#clock-help")).to_contain_text("the one that runs out of time loses")
    page.locator("#start").click()
    expect(page.locator("#asking")).to_be_enabled()
    return page.get_by_role("timer")


def test_a_bank_that_is_chosen_ticks_in_the_strip_of_whoever_is_to_move(open_page: Opener, server: Server) -> None:
    page = open_page("/new/forty_bridges?mode=here")
    timers = with_bank(page, "5")
    page.keyboard.press("a")
    expect(page.locator("dialog.asking")).to_be_visible()
    page.keyboard.press("Escape")
    expect(timers.first).to_have_text(re.compile("4:.."))
    expect(timers.nth(1)).to_have_text("5:00")
    expect(timers.nth(1)).to_have_attribute("aria-label", "Blue: 5 minutes left")
    shot(page, "clocks.png")
    expect(timers.first).not_to_have_text(timers.first.inner_text())
    expect(timers.nth(1)).to_have_text("5:00")
    play(page, "a2-a3")
    expect(timers.nth(1)).to_have_text(re.compile("4:.."))
    left = timers.first.inner_text()
    expect(timers.nth(1)).not_to_have_text(timers.nth(1).inner_text())
    assert timers.first.inner_text() == left


@pytest.mark.long
def test_a_bank_that_runs_out_is_told_before_and_loses_the_game(open_page: Opener, server: Server) -> None:
    page = open_page("/new/forty_bridges?mode=here")
    timers = with_bank(page, "0.2")
    expect(page.locator("#spoken")).to_contain_text("You have 10 seconds left.")
    expect(page.locator("#say")).to_contain_text("Black has run out of time. Blue wins.")
    expect(timers.first).to_have_text("0:00")
    expect(timers.nth(1)).to_have_text("0:12")


def test_somebody_who_thinks_for_long_is_reminded(open_page: Opener, server: Server) -> None:
    table = post_table(server, "forty_bridges", [{"kind": "person", "name": "Ada"}, {"kind": "person"}], clock={"nudge": 1})
    page = open_page(link(table, 1), script="addEventListener('sound', ({ detail }) => { window.heard = detail; })")
    expect(page.locator("#spoken > *").first).to_have_text(re.compile(r"^Ada has been thinking for \d+ seconds?\.$"))
    expect(page.get_by_role("timer").first).to_have_text("1 second")
    assert page.evaluate("window.heard") == "nudge"


def test_a_click_before_the_page_has_its_scripts_is_not_lost(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    slow = open_page("/rules/forty_bridges")

    def late(route: Route) -> None:
        slow.wait_for_timeout(600)
        route.continue_()

    slow.route("**/static/table/table.js", late)
    slow.goto(server.url + link(table, 0), wait_until="commit")
    slow.locator("#tab-all").click()
    expect(slow.locator("#tab-all")).to_have_attribute("aria-selected", "true")
    slow.route("**/static/base/dom.js", late)
    slow.goto(server.url + "/rules/forty_bridges", wait_until="commit")
    slow.get_by_role("button", name="Settings").click()
    expect(slow.locator("#settings")).to_be_visible()


# When the page hears of a new position, before it can do anything about it.
TURNS = """(() => {
    const Before = WebSocket;
    window.WebSocket = class extends Before {
        constructor(url) {
            super(url);
            this.addEventListener("message", ({ data }) => {
                if (data.startsWith('{"t":"view"')) window.told = performance.now();
            });
        }
    };
})()"""


def test_a_click_just_after_the_turn_has_passed_is_ignored(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    ada, ben = open_page(link(table, 0)), open_page(link(table, 1), script=TURNS)
    ben.locator("#tab-all").click()
    expect(ada.locator("#stage .can").first).to_be_visible()
    expect(ben.locator("#list")).to_contain_text("Nothing to do now.")
    # Ben clicks the very moment an action is listed, and again and again; what is counted is when it was taken.
    ben.evaluate("""() => {
      const list = document.querySelector('#list');
      new MutationObserver(() => {
        if (window.began || !list.querySelector('button')) return;
        window.began = window.told;
        const again = setInterval(() => {
          const button = list.querySelector('button');
          if (document.querySelectorAll('#log li').length < 2) { button?.click(); return; }
          window.took = performance.now() - window.began;
          clearInterval(again);
        }, 20);
      }).observe(list, {childList: true, subtree: true});
    }""")
    play(ada, "a2-a3")
    assert come_true(ben, "window.took") >= 400
    expect(ben.locator("#log li")).to_have_count(2)
    coarse = open_page(link(table, 0), has_touch=True, is_mobile=True)
    assert coarse.evaluate("import('/static/base/store.js').then(({ prefs }) => prefs().confirm)") is True
    assert ben.evaluate("import('/static/base/store.js').then(({ prefs }) => prefs().confirm)") is False
    expect(ada.locator("#log li")).to_have_count(2)
    before = ada.locator("#log li").count()
    expect(ada.locator("#stage .can").first).to_be_visible()
    ada.wait_for_timeout(450)
    ada.locator("#tab-all").click()
    ada.locator("#list button").first.dispatch_event("click", {"detail": 2})  # the second of two quick clicks
    ada.wait_for_timeout(300)
    assert ada.locator("#log li").count() == before


def places(page: Page) -> dict[str, list[float]]:
    """Where the buttons with a meaning of their own stand."""
    found: dict[str, list[float]] = page.evaluate("""() => Object.fromEntries(
      [...document.querySelectorAll('.actions button, #buttons button')].map((node) => {
        const box = node.getBoundingClientRect();
        const y = box.y + (node.closest('.actions') && innerWidth < 900 ? 0 : scrollY);
        return [node.textContent, [box.x, y, box.width].map(Math.round)];
      }))""")
    return found


@pytest.mark.parametrize("width", [1280, 360])
def test_buttons_keep_their_places_through_a_turn(width: int, open_page: Opener, server: Server) -> None:
    table = set_table(server, "burning_bridges", seats=2, firstPlayer="seat0")
    page = open_page(link(table, 0, 1), width=width, height=800)
    expect(page.locator("#asking")).to_be_enabled()
    expect(page.locator("#seats .more")).to_have_count(2)  # the last that comes
    come_true(page, "document.fonts.status === 'loaded'")
    before = places(page)
    assert {"Undo step", "Ask…", "Confirm"} < set(before)
    for text in ("walk L B0", "end"):
        play(page, text)
        page.wait_for_timeout(500)
        assert places(page) == before
