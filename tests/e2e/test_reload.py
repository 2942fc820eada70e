"""What a browser keeps of its tables, so that nobody loses a seat with an address."""

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import Opener, Server, come_true, link, set_table

pytestmark = [pytest.mark.browser, pytest.mark.wide]
FINISHED = """(() => {
    const all = JSON.parse(localStorage.getItem("bridgehead.tables"));
    for (let i = 0; i < 80; i++) all[`OLD${i}`] = { title: "", tokens: ["x"], host: "", at: Date.now() + i, over: true };
    localStorage.setItem("bridgehead.tables", JSON.stringify(all));
})()"""


def given(page: Page) -> list[str]:
    """The links on the page of a new table: those of friends, and that to watch by."""
    expect(page.locator("#invites li")).to_have_count(2)
    return [field.input_value() for field in page.locator("#invites li input").all()]


def at_home(page: Page, server: Server, table: str) -> str:
    """Where the start leads to by the name of a table."""
    page.goto(server.url)
    return page.locator(f"#tables a[href*='{table}']").get_attribute("href") or ""


def test_whoever_invites_and_comes_back_finds_links_and_seat(open_page: Opener, server: Server) -> None:
    ada = open_page("/new/forty_bridges?mode=invite", 360, 740)
    ada.locator("#seats input").nth(1).fill("Ben")
    ada.locator("#start").click()
    links, mine = given(ada), ada.locator("#go").get_attribute("href")
    assert mine
    ada.reload()  # as a phone does when somebody was at another program to send a link
    assert given(ada) == links and ada.locator("#go").get_attribute("href") == mine
    expect(ada.locator("#invites")).to_contain_text("Ben")
    expect(ada.locator("#form")).to_be_hidden()
    code, table = ada.locator("#table-code").inner_text(), mine.removeprefix("/t/").partition("#")[0]
    assert at_home(ada, server, table) == mine, "seat and host's secret are known before anybody went to the table"
    ada.locator("#code").fill(f" {code[:2].lower()} {code[2:]}.")  # as it was heard
    ada.locator("#join button").click()
    expect(ada).to_have_url(re.compile(f"/t/{table}"))
    expect(ada.locator("#tab-all")).to_contain_text("(")


def test_a_browser_forgets_no_seat_for_another_link_or_for_tables_that_are_over(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    ada = open_page(f"{link(table, 0)}&h={table['host']}")
    expect(ada.locator("#tab-all")).to_contain_text("(")
    ada.goto(server.url)
    ada.goto(server.url + link(table, 1) + "),")  # to see whether it is the right link, as it stood in a letter
    expect(ada.locator("#seats")).to_contain_text("You")
    come_true(ada, f"JSON.parse(localStorage['bridgehead.tables'])['{table['table']}'].tokens.length === 2")
    assert (
        at_home(ada, server, table["table"])
        == f"/t/{table['table']}#s={table['tokens'][1]}.{table['tokens'][0]}&h={table['host']}"
    )
    ada.evaluate(FINISHED)
    other = set_table(server, "forty_bridges")
    ada.goto(server.url + link(other, 0))
    expect(ada.locator("#tab-all")).to_contain_text("(")
    known = come_true(
        ada, f"(all => all.includes('{other['table']}') && all)(Object.keys(JSON.parse(localStorage['bridgehead.tables'])))"
    )
    assert table["table"] in known and len(known) == 60
