"""A page that is shown again is right again: after "Back", as the browser kept it in memory, and when its tab is seen again."""

import datetime
import difflib
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e.conftest import QUIET, Server, link, post_table, set_table, until_wired, whole_chromium
from e2e.test_accessibility import PAGES
from e2e.test_classroom import host_key

pytestmark = [pytest.mark.browser, pytest.mark.wide]
TEMPLATES = Path(__file__).parents[2] / "src" / "bridgehead" / "web" / "templates"
PARTS = {"base", "verify_parts", "empty_parts", "error", "reminder"}  # no pages, and pages that say one thing
# What a person can read and press on a page, without what is another at each look: times.
SEEN = """() => {
    const main = document.querySelector('main, form#form');
    const nodes = [...main.querySelectorAll('a[href], button, input, select')].filter((node) => node.getClientRects().length);
    const state = nodes.map((node) => [node.getAttribute('href'), node.disabled, node.textContent.trim()].join(' '));
    return [document.documentElement.dataset.theme, main.innerText, ...state].join('\\n').replace(/\\d+ (s|min)\\b/g, '')
        .replace(/#[^ ]*|blob:[^ ]*/g, '');
}"""
LEAVE = (
    "addEventListener('pageshow', ({ persisted }) => { if (persisted) sessionStorage.persisted = 'yes'; }); window.before = true"
)
BACK = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
VISIBLE = "document.dispatchEvent(new Event('visibilitychange'))"
LIVE = ("/t/", "/replay/", "/rules/forty_bridges?")  # pages of a game that goes on: those that do not follow it load again


@pytest.fixture
def table(server: Server) -> dict[str, Any]:
    return set_table(server, "forty_bridges")


@pytest.fixture(scope="module")
def tournament(server: Server) -> str:
    wish = {"name": "Club evening", "game": "forty_bridges", "size": 2, "kind": "swiss", "rounds": 3, "listed": True}
    answer = httpx.post(server.url + "/api/tournaments", json=wish, timeout=60)
    return str(answer.json()["id"])


def address(path: str, server: Server, table: dict[str, Any], tournament: str) -> str:
    """A path of the list below as an address."""
    named = {"TABLE": table["table"], "SEATS": ".".join(table["tokens"]), "CUP": tournament, "KEY": host_key(server)}
    if "TRIAL" in path:
        made = httpx.post(f"{server.url}/api/playtests", json={"game": "forty_bridges"}, timeout=60).json()
        named |= {"TRIAL": made["id"], "DESIGNER": made["host"]}
    return server.url + re.sub("[A-Z]{3,}", lambda found: named[found[0]], path)


PATHS = (
    *PAGES, "/class#key=KEY", "/tournament/CUP", "/t/TABLE#s=SEATS", "/replay/TABLE", "/rules/forty_bridges?table=TABLE",
    "/playtest/TRIAL", "/playtest/TRIAL#h=DESIGNER",
)  # fmt: skip


def test_the_list_has_every_page() -> None:
    files = {"": "home", "t": "table", "position": "edit", **{name: name for name in ("rules", "tournament")}}
    parts = {re.match(r"/(\w*)", path)[1] for path in PATHS}  # type: ignore[index]
    assert {files.get(part, part) for part in parts} == {file.stem for file in TEMPLATES.glob("*.html")} - PARTS


def change(context: BrowserContext, server: Server, table: dict[str, Any], tournament: str) -> None:
    """Change what pages show, on other pages of the same browser: tables, a move, settings, a profile, a tournament, puzzles."""
    page = context.new_page()
    page.goto(server.url + link(table, 0, 1))
    lit = page.locator("#stage .can[data-id]")
    expect(lit.first).to_be_visible()
    count = page.locator("#log li").count()
    while page.locator("#log li").count() == count:
        lit.nth(0).focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        if page.locator("#confirm[aria-disabled=false]").count():
            page.locator("#confirm").click()
    post_table(server, "barricade", [{"kind": "person", "name": "Ada"}, {"kind": "person", "open": True}], public=True)
    httpx.post(server.url + f"/api/tournaments/{tournament}/entrants", json={"name": "Ada"}, timeout=60)
    wish = {"name": "Another", "game": "forty_bridges", "size": 2, "kind": "swiss", "listed": True}
    httpx.post(server.url + "/api/tournaments", json=wish)
    page.goto(server.url + "/me")
    page.locator("#name").fill(f"Ada {datetime.datetime.now(tz=datetime.UTC):%f}")
    page.locator("#save").click()
    expect(page.locator("#whole")).to_be_visible()
    page.evaluate("""() => {
        localStorage['bridgehead.puzzles'] = JSON.stringify({forty_bridges: {solved: [1, 2], missed: {}}});
        const prefs = JSON.parse(localStorage['bridgehead.prefs'] ?? '{}');
        localStorage['bridgehead.prefs'] = JSON.stringify({...prefs, theme: prefs.theme === 'dark' ? 'light' : 'dark'});
    }""")
    page.close()


def settle(page: Page, path: str) -> None:
    """Wait until the page's script has shown all."""
    if path in PAGES and not any(part in PAGES[path] for part in ("#nobody", "#nothing", "#about")):
        expect(page.locator(PAGES[path]).first).to_be_attached()
    expect(page.locator("[inert]:not(dialog *)")).to_have_count(0)
    page.wait_for_timeout(500)


def is_as_new(page: Page) -> None:
    """The page shows what a fresh page of its address shows. Both may still be moving."""
    fresh = page.context.new_page()
    fresh.goto(page.url)
    until = time.monotonic() + 60
    while (found := page.evaluate(SEEN)) != (wanted := fresh.evaluate(SEEN)) or not wanted:
        assert time.monotonic() < until, "\n".join(
            difflib.unified_diff(wanted.splitlines(), found.splitlines(), "fresh", "page", lineterm="")
        )
        page.wait_for_timeout(200)
    fresh.close()


@pytest.fixture
def keeping(browser: Browser) -> Iterator[Browser]:
    """A browser that keeps pages in memory for "Back"."""
    opened = browser.browser_type.launch(
        executable_path=whole_chromium(), headless=False, args=[*QUIET, "--headless=new"],
        ignore_default_args=["--disable-back-forward-cache"],
    )  # fmt: skip
    yield opened
    opened.close()


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
def test_back_to_a_page_kept_in_memory(
    path: str, keeping: Browser, server: Server, table: dict[str, Any], tournament: str
) -> None:
    context = keeping.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address(path, server, table, tournament))
    settle(page, path)
    page.evaluate(LEAVE)
    page.goto(server.url + "/lobby" if path == "/verify" else server.url + "/verify")
    change(context, server, table, tournament)
    page.go_back(wait_until="commit")
    page.wait_for_timeout(300)
    if not path.startswith("/t/"):
        assert page.evaluate("sessionStorage.persisted") == "yes", "the browser kept the page"
    is_as_new(page)
    context.close()


@pytest.mark.parametrize("path", [path for path in PATHS if not path.startswith(LIVE)])
def test_a_tab_that_is_seen_again(path: str, browser: Browser, server: Server, table: dict[str, Any], tournament: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address(path, server, table, tournament))
    settle(page, path)
    page.evaluate("window.before = true")
    change(context, server, table, tournament)
    page.evaluate(VISIBLE)
    is_as_new(page)
    assert page.evaluate("window.before") is True, "what was typed on a page stays"
    context.close()


def test_the_puzzle_of_the_day_is_that_of_the_day_on_which_the_page_is_seen(browser: Browser, server: Server) -> None:
    for event in (BACK, VISIBLE):
        page = browser.new_page()
        page.clock.install(time=datetime.datetime(2026, 11, 29, 23, 0, tzinfo=datetime.UTC))
        page.goto(server.url)
        daily = page.locator("#daily")
        expect(daily).to_have_attribute("href", re.compile(r"\?today$"))
        days = []
        for day in (29, 30):
            page.clock.set_system_time(datetime.datetime(2026, 11, day, 23, 30, tzinfo=datetime.UTC))
            page.evaluate(event)
            page.clock.run_for(100)
            days.append(daily.get_attribute("href"))
        assert days[0] != days[1]
        page.close()


def test_a_level_can_be_pressed_again_after_back(browser: Browser, server: Server) -> None:
    page = browser.new_page()
    going = until_wired(page, page.goto)
    going(server.url)
    page.route("**/t/*", lambda route: route.fulfill(status=204))  # the browser stays
    card = page.locator("[data-game=forty_bridges]")
    card.locator("[data-computer]").click()
    button = card.locator("[data-level]").first
    with page.expect_response("**/t/*"):
        button.click()
    expect(button).to_be_enabled()
    page.close()
