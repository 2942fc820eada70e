"""A line that freezes or breaks, other tabs, another link: the page says at once what is the matter, and nothing waits."""

import json
import re
import time
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from e2e.conftest import Opener, Server, link, set_table

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SOON = 3_000  # ms from the loss of a line until the page says so


class Line:
    """The socket of a page, which can be frozen: messages wait, and nothing is closed."""

    def __init__(self, page: Page) -> None:
        self.is_frozen, self.connections = False, 0
        page.route_web_socket(re.compile("/ws"), self._connect)

    def _connect(self, mine: WebSocketRoute) -> None:
        self.connections += 1
        self.last = mine
        theirs = mine.connect_to_server()
        waiting: list[Callable[[], None]] = []
        self.waiting = waiting

        def carry(send: Callable[[str | bytes], None], text: str | bytes) -> None:
            if self.is_frozen:
                waiting.append(partial(send, text))
            else:
                send(text)

        mine.on_message(partial(carry, theirs.send))
        theirs.on_message(partial(carry, mine.send))

    def thaw(self) -> None:
        """Let the messages of the last connection come at last, and those after them at once."""
        self.is_frozen = False
        for send in self.waiting:
            send()
        self.waiting.clear()


def at_table(browser: Browser, server: Server, **options: object) -> tuple[Page, Line]:
    """A page at a table against a computer, and its line. The test can stop its clock."""
    table = set_table(server, "barricade", ("person", "scout"), **({"seats": 2} | options))
    page = browser.new_page()
    page.clock.install()
    line = Line(page)
    page.goto(server.url + link(table, 0))
    expect(page.locator(".board .can").first).to_be_attached()
    expect(page.locator("[inert]")).to_have_count(0)
    return page, line


def test_a_frozen_line_is_said_within_three_seconds_and_replaced_after_a_sleep(browser: Browser, server: Server) -> None:
    page, line = at_table(browser, server)
    page.wait_for_timeout(4000)
    expect(page.locator("#line")).to_be_empty()
    line.is_frozen = True
    page.clock.pause_at(page.evaluate("Date.now() + 1"))  # so that it counts the page's seconds, however busy the machine is
    page.clock.run_for(SOON)
    expect(page.locator("#line")).to_have_text("Waiting for the server…")
    page.clock.resume()
    line.thaw()
    expect(page.locator("#line")).to_be_empty(timeout=SOON)
    line.is_frozen = True
    assert line.connections == 1
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    woken = time.monotonic()
    while line.connections == 1:
        assert time.monotonic() - woken < 2 * SOON / 1000, "an old line that does not answer is given up"
        page.wait_for_timeout(50)
    line.thaw()
    expect(page.locator("#line")).to_be_empty(timeout=2 * SOON)
    page.close()


def test_a_hint_under_way_ends_with_the_line(browser: Browser, server: Server) -> None:
    page, line = at_table(browser, server)
    line.is_frozen = True
    page.locator("#advise").click()
    expect(page.locator(".advice")).to_contain_text("is looking")
    line.last.close()
    expect(page.locator(".advice")).to_be_hidden()
    expect(page.locator("#why")).to_contain_text("The connection broke before the answer came.")
    page.close()


def test_settings_hold_in_all_open_tabs_and_only_what_was_changed_is_stored(
    open_page: Opener, browser: Browser, server: Server
) -> None:
    one = open_page("/")
    two = one.context.new_page()
    two.goto(server.url + "/new/barricade")
    expect(two.locator("html")).to_have_attribute("data-theme", "light")
    one.locator("[data-settings]").first.click()
    one.locator("#settings [name=theme]").select_option("dark")
    expect(two.locator("html")).to_have_attribute("data-theme", "dark")
    assert json.loads(one.evaluate("localStorage['bridgehead.prefs']")) == {"theme": "dark"}


def test_a_watching_tab_that_gets_the_link_to_a_seat_takes_the_seat(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page = open_page(link(table))
    expect(page.locator("#seats")).not_to_contain_text("You")
    page.evaluate("(hash) => { location.hash = hash; }", link(table, 0).partition("#")[2])
    expect(page.locator("#seats")).to_contain_text("You")
