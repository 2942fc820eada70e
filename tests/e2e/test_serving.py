"""Pages as an installed server sends them: bundles instead of modules, a language from the settings."""

import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from bridgehead.core import registry
from bridgehead.server.tables.state import has_chance
from e2e.conftest import PATIENCE, Server, come_true, link, post_table
from server.test_serving import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.wide]


@pytest.fixture(scope="module")
def server(bundles: Server) -> Server:
    return bundles


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="de-DE")
    yield context
    context.close()


@pytest.fixture
def problems(context: BrowserContext) -> list[str]:
    """What goes wrong on any page: errors, and files that do not come."""
    found: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and "404" not in message.text:
            found.append(message.text)

    context.on("console", note)
    context.on("weberror", lambda error: found.append(str(error.error)))
    return found


def asked_of(page: Page, address: str) -> list[str]:
    """The paths that a page asks the server for, without what its cache has."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_load_state("networkidle")
    entries = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
    asked = page.evaluate(f"{entries}.filter((each) => each.transferSize).map((each) => each.name)")
    return [urlsplit(name).path for name in asked]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_works_from_its_bundle(path: str, context: BrowserContext, problems: list[str], server: Server) -> None:
    page = context.new_page()
    page.goto(server.url + path)
    page.wait_for_load_state("networkidle")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("main[inert]")).to_have_count(0)
    page.locator("[data-settings]").first.click()  # a part that comes later
    expect(page.locator("#settings")).to_be_visible()
    expect(page.locator("#pieces svg")).to_be_visible()
    assert problems == []


def test_a_table_comes_with_few_requests_and_the_second_time_with_none_but_its_own(
    context: BrowserContext, problems: list[str], server: Server
) -> None:
    table = post_table(server, "burning_bridges", [{"kind": "person"}, {"kind": "person"}])
    page, address = context.new_page(), server.url + link(table, 0, 1)
    first = asked_of(page, address)
    expect(page.locator("#say")).not_to_be_empty()
    assert len(first) <= 12, "\n".join(first)
    expect(page.locator("#stage .can").first).to_be_visible()
    page.locator("#asking").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    again = asked_of(page, address)
    assert again[0] == urlsplit(address).path and not [path for path in again if path.startswith("/static/")], again
    assert problems == []


@pytest.mark.parametrize("game", registry.specs())
def test_a_table_comes_in_few_bytes_with_letters_drawings_and_rules(browser: Browser, server: Server, game: str) -> None:
    """With the rules that check each draw; as soon as the server has packed its files, a few seconds after the first one."""
    table = post_table(server, game, [{"kind": "person"}, {"kind": "person"}])
    sizes = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map(({ name, transferSize }) => [name, transferSize])"""
    if has_rules := has_chance(registry.game(game)):
        module = httpx.get(f"{server.url}/api/tables/{table['table']}/referee").json()["module"]
        httpx.get(server.url + module, timeout=PATIENCE / 1000).raise_for_status()  # they may have to be compiled
    until, loaded = time.monotonic() + 600, []  # it packs while it has nothing else to do
    while not 0 < sum(size for _, size in loaded) <= 165_000:
        assert time.monotonic() < until, "\n".join(f"{size:7} {name}" for name, size in loaded)
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.url + link(table, 0, 1))
        if has_rules:
            come_true(page, f"{sizes}.some(([name, size]) => size && name.includes('/rules/'))")
        page.wait_for_load_state("networkidle")
        expect(page.locator("#stage .can").first).to_be_visible()
        loaded = page.evaluate(sizes)
        context.close()


def test_a_language_that_is_chosen_in_the_settings_comes_from_the_server(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(f"{server.url}/rules/barricade")
    page.locator("[data-settings]").first.click()
    with page.expect_navigation():
        page.locator("#settings [name=lang]").select_option("fr")
    expect(page.locator("#settings")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert 'lang="fr"' in page.request.get(f"{server.url}/rules/barricade").text(), "a cookie tells it"
    context.clear_cookies()
    page.goto(f"{server.url}/me")  # a browser that has lost it asks once more
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page).to_have_title("Mon profil · Bridgehead")
