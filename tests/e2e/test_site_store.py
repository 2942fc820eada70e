"""What keeps the games of a static site in a browser, without the site around it."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

from bridgehead.site import build

pytestmark = [pytest.mark.browser, pytest.mark.wide]
ROWS = '[["A", 0, "{}"], ["A", 1, "x"], ["imported:1", 0, "y"], ["B", 0, "z"]]'


def opened(browser: Browser) -> Page:
    """A page that can load the store."""
    page = browser.new_page()

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        script = path.endswith(".js")
        body = (
            ((build.SITE if path.startswith("/site/") else build.WEB) / path.removeprefix("/")).read_text("utf-8")
            if script
            else "<!doctype html>"
        )
        route.fulfill(body=body, content_type="text/javascript" if script else "text/html")

    page.route("**/*", answer)
    page.goto("http://store.test/")
    return page


@pytest.mark.parametrize("made", ["await Store.open()", "new Memory(() => {})"])
def test_a_store_names_its_tables_once_each_and_gives_their_rows(browser: Browser, made: str) -> None:
    page = opened(browser)
    code = f"""async (rows) => {{
        const {{ Store, Memory }} = await import("/site/store.js");
        const store = {made};
        const before = await store.tables();
        await store.keep(rows);
        return [before, await store.tables(), await store.rows("A")].map((each) => JSON.parse(each));
    }}"""
    before, names, rows = page.evaluate(code, ROWS)
    assert before == [] and sorted(names) == ["A", "B", "imported:1"] and rows == [[0, "{}"], [1, "x"]]
    page.close()
