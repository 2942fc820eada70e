"""Whatever a page loads may fail: once, and the page works; for ever, and the page works or says what is missing.

What is taken away comes from the list of what the page really loads, so nothing new is left out.
"""

import re
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route

from e2e.conftest import Server, link, set_table

pytestmark = [pytest.mark.browser, pytest.mark.wide]
TOGETHER = 6  # pages at a time
PATIENCE = 60  # seconds until a page works or says something
KINDS = {"script", "stylesheet", "fetch", "xhr"}
WORKS = {
    "home": "document.querySelectorAll('.card .picture svg, [data-game] .picture svg').length > 3",
    "new": "document.querySelector('#start') && document.querySelector('#seats select')",
    "table": "document.querySelector('#log li') && document.querySelector('.board .can')"
    " && document.querySelector('#say').textContent && document.querySelector('#seats [data-seat]')",
}
SAID = "[...document.querySelectorAll('#missing, .problem, [role=alert]')].some((e) => e.checkVisibility() && e.textContent)"
SAYS = (
    "[...document.querySelectorAll('#missing, .problem')].filter((each) => each.checkVisibility()).map((each) => each.innerText)"
)
# Without these a page works as well: by its English, without a colour, or without what a newcomer does not see.
DISPENSABLE = "base/first.js"


def find_address(server: Server, name: str) -> str:
    if name == "table":
        return server.url + link(set_table(server, "barricade", ("person", "scout"), seats=2), 0)
    return server.url + {"home": "/", "new": "/new/barricade"}[name]


def is_true(page: Page, wanted: str) -> bool:
    try:
        return bool(page.evaluate(f"() => !!({wanted})"))
    except Error:  # the page is being loaded again
        return False


def works(page: Page, name: str) -> bool:
    return is_true(page, f"!document.querySelector('[inert]') && {WORKS[name]}")


def list_loaded(browser: Browser, url: str, name: str) -> list[str]:
    """The paths of what a page loads until it works and rests."""
    context = browser.new_context()
    page = context.new_page()
    paths: dict[str, None] = {}
    page.on("request", lambda request: request.resource_type in KINDS and paths.setdefault(urlsplit(request.url).path))
    page.goto(url)
    until = time.monotonic() + PATIENCE
    while not works(page, name):
        assert time.monotonic() < until, "the page never works"
        page.wait_for_timeout(100)
    page.wait_for_load_state("networkidle")
    context.close()
    return [*paths]


class Lack:
    """A page from which a path is taken away, so many times."""

    def __init__(self, browser: Browser, url: str, path: str, times: float) -> None:
        self.path, self.left, self.taken = path, times, 0
        self.context: BrowserContext = browser.new_context()
        # A look of the test counts as a press, after which no page is loaded again by itself.
        self.context.add_init_script("Object.defineProperty(navigator, 'userActivation', {value: undefined})")
        self.page = self.context.new_page()
        self.context.route(re.compile(re.escape(path) + r"(\?.*)?$"), self._answer)
        self.page.goto(url, wait_until="commit")

    def _answer(self, route: Route) -> None:
        if self.taken < self.left:
            self.taken += 1
            route.fulfill(status=503, body="")
        else:
            route.continue_()


def results(browser: Browser, url: str, name: str, paths: list[str], times: float) -> Iterator[tuple[str, str]]:
    """How each page ends: "works", "says" or "dead"."""
    for first in range(0, len(paths), TOGETHER):
        lacks = [Lack(browser, url, path, times) for path in paths[first : first + TOGETHER]]
        until = time.monotonic() + PATIENCE
        open_ = {lack.path: lack for lack in lacks}
        while open_ and time.monotonic() < until:
            for path, lack in [*open_.items()]:
                lack.page.wait_for_timeout(30)
                done = is_true(lack.page, SAID) if times > 9 else works(lack.page, name) and lack.taken >= times
                if done:
                    yield path, "says" if times > 9 else "works"
                    del open_[path]
            if times > 9 and time.monotonic() > until - 15:  # a page may ask late for what it shows late
                for path, lack in [*open_.items()]:
                    if lack.taken and works(lack.page, name):
                        yield path, "works"
                        del open_[path]
        for path, lack in open_.items():
            yield path, f"says {lack.page.evaluate(SAYS)}" if is_true(lack.page, SAID) else "dead"
        for lack in lacks:
            lack.context.close()


@pytest.mark.parametrize("name", WORKS)
@pytest.mark.parametrize("times", [1, float("inf")], ids=["once", "for ever"])
@pytest.mark.parametrize("sends, least", [("modules", 20), ("bundles", 3)])
def test_what_is_taken_away_is_fetched_again_or_missed_aloud(
    sends: str, least: int, name: str, times: float, browser: Browser, request: pytest.FixtureRequest
) -> None:
    url = find_address(request.getfixturevalue("server" if sends == "modules" else "bundles"), name)
    paths = list_loaded(browser, url, name)
    assert len(paths) >= least
    found = dict(results(browser, url, name, paths, times))
    print(sends, name, times, found)
    assert {path for path, end in found.items() if end == "dead"} == set()
    if times == 1:
        assert {path for path, end in found.items() if end != "works"} == set()
    else:
        assert all(path.endswith(DISPENSABLE) for path, end in found.items() if end == "works")
