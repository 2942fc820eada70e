"""The lobby in the browser: two people find each other, a third one watches, and one of them is blocked and reported."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from e2e.axe import check
from e2e.conftest import come_true, link, post_table, shot
from e2e.test_profiles import made
from server.clubs import one_move
from server.live import Page as Seat

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]


def seek(page: Page, game: str = "forty_bridges") -> None:
    page.locator("#find-game").select_option(game)
    page.locator("#find-go").click()
    expect(page.locator("#find-stop")).to_be_visible()


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_two_people_find_each_other_and_sit_at_one_table(open_page: Any, server: Any) -> None:
    ada = open_page("/lobby", width=1280, height=800)
    expect(ada.locator("#find-usual")).to_contain_text("not known yet")
    check(ada, "the lobby")
    seek(ada)
    expect(ada.locator("#find-usual")).to_contain_text("You have waited")
    ada.set_viewport_size({"width": 1280, "height": 800})
    shot(ada, "lobby_waiting.png", full_page=True)
    ben = open_page("/lobby", width=360, height=740)
    expect(ben.locator("#find")).to_be_visible()
    assert fits(ben)
    seek(ben, "barricade")
    expect(ben.locator("#find-state")).to_contain_text("Looking for an opponent")
    shot(ben, "lobby_find_phone.png", full_page=True)
    ben.locator("#find-stop").click()
    expect(ben.locator("#find-state")).to_be_empty()
    seek(ben)
    for page in (ada, ben):
        page.wait_for_url("**/t/*", timeout=60_000)
        expect(page.locator("#asking")).to_be_enabled()  # only for whoever has a seat
    assert ada.url.split("#")[0] == ben.url.split("#")[0] and ada.url != ben.url


def test_whoever_closes_the_page_waits_no_longer(open_page: Any, server: Any) -> None:
    ada = open_page("/lobby")
    seek(ada, "front_lines")
    ada.goto(server.url + "/")
    ben = open_page("/lobby")
    seek(ben, "front_lines")
    expect(ben.locator("#find-usual")).to_contain_text("You have waited 3 seconds")
    ben.goto(server.url + "/")


def test_a_game_that_is_set_up_as_public_is_found_and_watched(open_page: Any, server: Any) -> None:
    host = open_page("/new/forty_bridges?mode=computer")
    expect(host.locator("#public")).not_to_be_checked()
    host.locator("#public").check()
    shot(host, "new_public.png", full_page=True)
    host.locator("#start:enabled").click()
    host.wait_for_url("**/t/*")
    expect(host.locator("#main:not([inert])")).to_be_visible()
    place = urlsplit(host.url)
    table, token = place.path.removeprefix("/t/"), parse_qs(place.fragment)["s"][0]
    seat = Seat(server.url)
    seat.say(t="hello", p=1, table=table, tokens=[token], lang="en")
    one_move(seat)
    watcher = open_page("/lobby")
    row = watcher.locator("#watch li", has=watcher.locator(f"a[href='/t/{table}']"))
    expect(row).to_contain_text("turn")
    watcher.set_viewport_size({"width": 360, "height": 740})
    assert fits(watcher)
    check(watcher, "the lobby with a game to watch")
    shot(watcher, "lobby_watch_phone.png", full_page=True)
    watcher.set_viewport_size({"width": 1280, "height": 800})
    shot(watcher, "lobby_watch.png", full_page=True)
    row.get_by_role("link").click()
    watcher.wait_for_url("**/t/*")
    expect(watcher.locator("#asking")).to_be_hidden()


def test_a_profile_is_blocked_and_reported_from_the_menu_of_its_seat(open_page: Any, server: Any) -> None:
    table = post_table(server, "forty_bridges", PEOPLE)
    pages = []
    for seat, name in enumerate(("Ada", "Ben")):
        page = open_page("/me")
        made(page, name)
        page.goto(server.url + link(table, seat))
        come_true(page, "(JSON.parse(localStorage.getItem('bridgehead.profile')).taken || []).length")
        pages.append(page)
    ada, ben = pages
    ben.locator("#tab-chat").click()
    ben.locator("#chat input").fill("you fool")
    ben.locator("#chat input").press("Enter")
    ada.locator("#tab-chat").click()
    expect(ada.locator("#chat")).to_contain_text("you fool")
    ada.locator("[data-seat='1']").click()
    shot(ada, "seat_menu_block.png")
    ada.get_by_role("button", name="Report Ben to the host").click()
    check(ada, "a report to the host")
    shot(ada, "report.png")
    assert fits(ada)
    ada.get_by_label("What happened?").fill("He insults me.")
    ada.get_by_role("button", name="Send the report").click()
    expect(ada.locator(".sheet-dialog")).to_contain_text("Lines of the chat that went with it: 1")
    ada.locator(".sheet-dialog").get_by_role("button", name="Close").click()
    ada.get_by_role("button", name="Block Ben’s profile").click()
    expect(ada.get_by_role("button", name="Unblock Ben")).to_be_visible()
    expect(ada.locator("#chat")).not_to_contain_text("you fool")
    ada.goto(server.url + "/me")
    expect(ada.locator("#blocks li")).to_contain_text("Ben")
    shot(ada, "me_blocked.png", full_page=True)
    ada.locator("#blocks button").click()
    expect(ada.locator("#blocked")).to_be_hidden()
