"""Replays: a link that holds the game, the side it is seen from, and playing on from any place of it."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from bridgehead.core import link, record
from bridgehead.fairness import receipt
from e2e.axe import check
from e2e.conftest import AT_TABLE, Opener, Server, at_the_end, come_true, post_table, set_table, shot
from e2e.conftest import link as link_of
from records import RECORDS, recorded

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def place(page: Page, id: str) -> tuple[float, float]:
    x, y = page.evaluate(
        "(id) => { const m = document.querySelector(`[data-id='${id}']`).getScreenCTM(); return [m.e, m.f]; }", id
    )
    return float(x), float(y)


def test_a_link_opens_a_game_that_no_table_knows_and_it_is_played_on_against_the_computer(open_page: Opener) -> None:
    text = recorded("forty_bridges-1")
    page = open_page(f"/replay?at=20#g={link.pack(*record.load(text))})")
    expect(page.locator("#jump")).to_have_value("20")
    low, high = place(page, "f:a1"), place(page, "f:e5")
    page.locator("#side").select_option("1")
    come_true(page, f"Math.abs(document.querySelector(`[data-id='f:a1']`).getScreenCTM().f - {high[1]}) < 3")
    assert place(page, "f:a1") == pytest.approx(high, abs=3) and place(page, "f:e5") == pytest.approx(low, abs=3)
    said = page.locator("#say").inner_text()
    page.locator("#fork").click()
    dialog = page.get_by_role("dialog", name="Play on from here")
    expect(dialog).to_contain_text(said)
    dialog.get_by_label("Play the computer").check()
    expect(dialog.get_by_role("combobox")).to_have_count(2)
    shot(page, "fork.png")
    dialog.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(f"{AT_TABLE.pattern}s=[\\w-]+&h=[\\w-]+$"))
    expect(page.locator("#log li").nth(19)).to_contain_text(said.partition("seat 2 ")[2])
    expect(page.locator("#seats")).to_contain_text("computer", ignore_case=True)


def test_a_long_game_shows_its_first_position_at_once_and_the_rest_as_it_comes(open_page: Opener) -> None:
    match, names = record.load(recorded("barricade-1"))
    page, held = open_page("/replay"), list[Route]()
    page.route("**/api/records/*", lambda route: held.append(route))
    page.set_input_files("#file", RECORDS / "barricade-1.txt")
    expect(page.locator("#stage [data-id^='p:']")).to_have_count(20)
    expect(page.locator("#loading")).to_be_visible()
    expect(page.locator("#count")).to_have_text(f"of {match.log[-1].turn + 1}")
    page.locator("#end").click()
    page.locator("#end").click()
    expect(page.locator("#scrub")).to_have_value("0")
    assert held
    page.unroute("**/api/records/*")  # this lets those go that were held
    expect(page.locator("#scrub")).to_have_value(str(len(match.log)))
    expect(page.locator("#say")).to_contain_text("the final square!")
    expect(page.locator("#loading")).to_be_hidden()
    expect(page.locator("#log li")).to_have_count(len(match.log))
    page.locator("#jump").fill("60")
    page.locator("#jump").press("Enter")
    expect(page.locator("#jump")).to_have_value("60")
    expect(page.locator("#stage [data-id^='p:']")).to_have_count(20)


def test_a_fork_for_friends_gives_a_link_to_each_and_an_old_link_still_opens(open_page: Opener) -> None:
    page = open_page(f"/replay#r={quote(recorded('barricade-2'), safe='')}", width=360, height=740)
    page.locator("#jump").fill("9")
    page.locator("#jump").press("Enter")
    page.locator("#fork").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Invite friends").check()
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.locator(".invites li")).to_have_count(2)  # one other seat, and the link to watch
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    dialog.get_by_role("link", name="Go to my seat").click()
    expect(page.locator("#log li").first).to_be_visible()
    page.go_back()
    page.locator("#end").click()
    expect(page.locator("#fork")).to_be_disabled()  # nothing is left to play there


def test_the_whole_game_is_shared_from_the_table_at_its_end(open_page: Opener, server: Server) -> None:
    text = recorded("forty_bridges-1")
    match, names = record.load(text)
    seats = [{"kind": "person", "name": name} for name in names]
    table = post_table(server, "forty_bridges", seats, record=text, at=len(match.log) - 1)
    page = open_page(link_of(table, 0, 1))
    page.locator("#tab-all").click()
    page.locator("#typed").fill(match.positions[-2].name(match.log[-1].action))
    page.locator("#typed").press("Enter")
    at_the_end(page)
    page.locator("#share").click()
    dialog = page.get_by_role("dialog", name="The whole game in a link")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".qr")).to_have_count(0)  # a phone could not reach this server
    shared = dialog.get_by_label("Copy link").input_value()
    shot(page, "share.png")
    assert record.dump(*link.read(shared)) == text
    kept = come_true(page, f"JSON.parse(localStorage.getItem('bridgehead.receipts') || '{{}}')['{table['table']}']")
    assert receipt.read(json.dumps(kept).encode()).holds, "kept at the end, unasked"
    assert kept["version"] == 2, "what was imported is one event, the last action another"
    page.goto(shared)
    page.locator("#end").click()
    expect(page.locator("#say")).to_contain_text("All pieces of one side are gone: Blue wins.")


def test_a_move_leads_to_its_clauses_and_a_clause_to_its_moves(server: Server, open_page: Opener) -> None:
    table = post_table(server, "forty_bridges", [{"kind": "person"}] * 2, record=recorded("forty_bridges-1"), at=20)
    page = open_page(f"/replay/{table['table']}?at=1")
    expect(page.locator("#scrub")).to_have_value("1")
    said = page.locator("#say").inner_text()
    page.get_by_role("link", name="Rules of this move").click()
    note = page.locator("p.note", has_text="Clauses:")
    expect(note).to_contain_text(said.rstrip("."))
    shot(page, "clauses.png")
    clause = note.locator("a[href^='#']").last.inner_text()
    note.get_by_role("link", name=clause).click()
    row = page.locator(f"[id='{clause}']")
    expect(row).to_be_in_viewport()
    row.locator("summary").click()
    shot(page, "moves-of-a-clause.png")
    row.get_by_role("link", name="Turn 1").first.click()
    expect(page.locator("#say")).to_have_text(said)


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
def test_lines_of_a_tables_log_lead_to_their_clause_and_back_by_mouse_and_by_keys(
    open_page: Opener, server: Server, size: tuple[int, int]
) -> None:
    table = set_table(server, "forty_bridges", ("person", "random"))
    page = open_page(link_of(table, 0), width=size[0], height=size[1])
    page.keyboard.press("/")
    page.keyboard.type("a2-a3")
    page.keyboard.press("Enter")
    lines = page.locator("#log li:not(.mark) a")
    expect(lines).to_have_count(2)
    page.locator("#tab-log").click()
    expect(lines.last).to_be_visible()
    assert [each.get_attribute("tabindex") for each in lines.all()] == ["-1", "0"], "one stop of the Tab key"
    tree = page.locator("#log").aria_snapshot()
    assert tree.count(lines.first.inner_text()) == 1 + lines.last.inner_text().count(lines.first.inner_text()), tree
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    shot(page, f"log_links_{size[0]}.png")
    check(page, "a table's log")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    lines.last.focus()
    page.keyboard.press("ArrowUp")
    expect(lines.first).to_be_focused()
    with page.context.expect_page() as opened:
        page.keyboard.press("Enter")
    rules = opened.value
    rules.wait_for_url(re.compile(rf"/rules[/-]forty_bridges(\.html)?\?of={table['table']}&at=1#FB"))
    clause = rules.locator(f"[id='{rules.url.partition('#')[2]}']")
    expect(clause).to_be_in_viewport()
    expect(clause.locator("details[open] a").first).to_have_attribute(
        "href", re.compile(rf"/replay(/|\.html\?table=){table['table']}[?&]at=1$")
    )
    expect(rules.locator(".note").last).to_contain_text("Clauses: FB")
    shot(rules, f"log_clause_{size[0]}.png")
    clause.locator("details[open] a").first.click()
    expect(rules.locator("#log li:not(.mark) a").first).to_have_attribute("href", re.compile(f"of={table['table']}&at=1"))
