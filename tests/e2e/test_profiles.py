"""A profile in the browser: made with a name, carried to another device by its link, on with the same game, and deleted."""

from __future__ import annotations

import json
import re
import secrets
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from bridgehead.client import Host
from e2e.axe import check
from e2e.conftest import HAND, PATIENCE, come_true, link, post_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PEOPLE = [{"kind": "person"}, {"kind": "person"}]


def made(page: Page, name: str) -> str:
    """Make a profile; its key."""
    page.locator("#name").fill(name)
    page.locator("#save").click()
    expect(page.locator("#whole")).to_be_visible()
    return json.loads(page.evaluate("localStorage.getItem('bridgehead.profile')"))["key"]


def test_a_profile_goes_to_another_device_and_plays_on_there(open_page: Any, server: Any) -> None:
    ada = open_page("/me")
    check(ada, "my profile, empty")
    key = made(ada, "Ada")
    table = post_table(server, "forty_bridges", PEOPLE)
    ada.goto(server.url + link(table, 0))
    come_true(ada, "(JSON.parse(localStorage.getItem('bridgehead.profile')).taken || []).length")
    ada.goto(server.url + "/me")
    expect(ada.locator("#running li")).to_contain_text("your turn")
    shot(ada, "me.png", full_page=True)
    phone = open_page(f"/me#k={key}", width=360, height=740)
    expect(phone.locator("#offered-name")).to_have_text("Ada")
    check(phone, "my profile, offered")
    phone.locator("#use").click()
    phone.locator("#running a").click()
    expect(phone.locator("#main:not([inert])")).to_be_visible()
    expect(phone.locator("#asking")).to_be_enabled()  # only for whoever has a seat


def test_a_link_to_a_profile_never_replaces_another_one_unasked(open_page: Any, server: Any) -> None:
    eve = open_page("/me")
    stolen = made(eve, "Eve")
    ada = open_page("/me")
    own = made(ada, "Ada")
    ada.goto(server.url + "/")
    ada.goto(f"{server.url}/me#k={stolen}")
    expect(ada.locator("#replaces")).to_contain_text("Ada")
    assert json.loads(ada.evaluate("localStorage.getItem('bridgehead.profile')"))["key"] == own
    ada.locator("#refuse").click()
    assert json.loads(ada.evaluate("localStorage.getItem('bridgehead.profile')"))["key"] == own and "#" not in ada.url


def test_a_new_key_and_deleting_ask_first_and_say_what_happened(open_page: Any, server: Any) -> None:
    page = open_page("/me", expect_errors=True)
    old = made(page, "Ada")
    page.locator("#renew").click()
    page.locator(".sheet-dialog .btn.main").click()
    expect(page.locator("#renewed")).to_contain_text("new key")
    second = open_page(f"/me#k={old}", expect_errors=True)
    expect(second.locator("#error")).to_contain_text("no profile with this key")
    page.locator("#delete").click()
    page.locator(".sheet-dialog .btn").first.click()
    expect(page.locator("#whole")).to_be_visible()
    page.locator("#delete").click()
    page.locator(".sheet-dialog .btn.main").click()
    expect(page.locator("#about")).to_be_visible()
    assert page.evaluate("localStorage.getItem('bridgehead.profile')") is None


def test_the_file_with_all_data_is_saved(open_page: Any) -> None:
    page = open_page("/me")
    made(page, "Ada")
    with page.expect_download() as saved:
        page.locator("#export").click()
    whole = json.loads(saved.value.path().read_text("utf-8"))
    assert whole["name"] == "Ada" and whole["games"] == []


def won(server: Any, table: dict[str, Any], key: str) -> None:
    """The profile of a key wins at a table against a new profile named Ben, who resigns after a move."""
    ben = secrets.token_urlsafe(32)
    httpx.post(server.url + "/api/profile/save", json={"key": ben, "name": "Ben"}, timeout=60).raise_for_status()
    for seat, each in enumerate((key, ben)):
        body = {"key": each, "table": table["table"], "tokens": [table["tokens"][seat]]}
        httpx.post(server.url + "/api/profile/seats", json=body, timeout=60).raise_for_status()
    for token in table["tokens"]:  # a page for each seat, or the game would not be rated
        with Host(server.url).join(table["table"], [token]) as one:
            if one.choices:
                one.play(one.choices[0]["action"])
                break
    with Host(server.url).join(table["table"], [table["tokens"][1]]) as loser:
        loser.ask("resign")


def test_rated_games_show_on_the_page_of_the_profile_and_on_the_list(open_page: Any, server: Any) -> None:
    page = open_page("/me")
    key = made(page, "Ada")
    table = httpx.post(server.url + "/api/tables", json={"game": "forty_bridges", "seats": PEOPLE}, timeout=60).json()
    won(server, table, key)
    page.goto(server.url + "/me")
    expect(page.locator("#ratings tbody tr")).to_contain_text("40 Bridges, 2 seats")
    expect(page.locator("#games li").first).to_contain_text("Won · with Ben")
    page.goto(server.url + "/tournaments")
    page.locator("[data-ratings=forty_bridges] summary").click()
    expect(page.locator("[data-ratings=forty_bridges] tbody tr", has_text="Ada").first).to_contain_text("?")


def test_a_change_of_the_key_whose_answer_is_lost_is_done_at_the_next_visit(open_page: Any, server: Any) -> None:
    page = open_page("/me", expect_errors=True)
    old = made(page, "Ada")
    page.route("**/api/profile/key*", lambda route: (route.fetch(), route.abort()))  # done, and the answer is lost
    page.locator("#renew").click()
    page.locator(".sheet-dialog .btn.main").click()
    expect(page.locator("#error")).to_be_visible()
    page.unroute("**/api/profile/key*")
    page.reload()
    expect(page.locator("#renewed")).to_contain_text("new key")
    expect(page.locator("#name")).to_have_value("Ada")
    kept = json.loads(page.evaluate("localStorage.getItem('bridgehead.profile')"))
    assert kept["key"] != old and "next" not in kept


def test_luck_is_counted_on_demand_and_stands_beside_the_results(open_page: Any, server: Any) -> None:
    page = open_page("/me")
    key = made(page, "Ada")
    table = post_table(server, "barricade", PEOPLE, options={"board": "mini"}, seed=3)
    won(server, table, key)
    page.goto(server.url + "/me")
    row = page.locator("#tallies tbody tr")
    expect(row).to_contain_text("Barricade")
    expect(row.locator("td").last).to_have_text("–")
    page.locator("#count-luck").click()
    expect(page.locator("#counting")).to_have_text("The luck of all games that can be counted is known.", timeout=PATIENCE)
    expect(row.locator("td").last).to_have_text(re.compile(r"[+-]?0([.]\d)?"))
    check(page, "my profile with luck")
    for width, height, name in ((1280, 800, "wide"), (360, 740, "narrow")):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing scrolls sideways"
        page.locator("#tallies").scroll_into_view_if_needed()
        shot(page, f"me_luck_{name}.png", full_page=True)


def test_five_people_with_profiles_sit_at_one_table_and_each_takes_a_turn(open_page: Any, server: Any) -> None:
    table = post_table(server, "burning_bridges", [{"kind": "person"}] * 5, options={"seats": 5}, seed=3)
    pages = []
    for seat, name in enumerate(("Ada", "Ben", "Cleo", "Dan", "Eve")):
        page = open_page("/me")
        made(page, name)
        page.goto(server.url + link(table, seat))
        pages.append(page)
    turn = "[...document.querySelectorAll('#seats li')].findIndex((seat) => seat.classList.contains('turn'))"
    acted = set()
    for _ in pages:
        actor = come_true(pages[0], f"{turn} + 1") - 1
        expect(pages[actor].locator("#say")).to_contain_text("Your turn")
        for page in pages:
            come_true(page, f"{turn} === {actor}")
        pages[actor].wait_for_timeout(HAND)  # what is pressed at once after the turn passed is ignored
        pages[actor].get_by_role("button", name="End the turn").click()
        come_true(pages[0], f"{turn} !== {actor}")
        acted.add(actor)
    assert acted == set(range(5)), "each has had one turn"
    for page in pages:
        page.goto(server.url + "/me")
        expect(page.locator("#running li")).to_contain_text("Burning Bridges")
