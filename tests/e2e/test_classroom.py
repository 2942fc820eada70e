"""The classroom view in the browser: all tables live, a message, a pause for all, and a table on the wall."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from e2e.axe import check
from e2e.conftest import Server, link, post_table, set_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
GAMES = ("burning_bridges", "forty_bridges", "front_lines", "barricade")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of its own, as its host sees all tables."""
    running = Server(tmp_path)
    running.start()
    yield running
    running.stop()


def host_key(server: Server) -> str:
    kept = server.data / "host.key"
    assert kept.stat().st_mode & 0o077 == 0, "nobody else on the machine reads it"
    return kept.read_text("ascii")


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing scrolls sideways"


def test_the_host_sees_all_tables_speaks_to_them_and_pauses_them(open_page: Any, server: Server) -> None:
    tables = {game: set_table(server, game) for game in GAMES}
    ada = open_page(link(tables["forty_bridges"], 0, 1), expect_errors=True)  # the server is started again
    expect(ada.locator("#tab-all")).to_contain_text("(")
    for game in GAMES:
        if game != "forty_bridges":
            open_page(link(tables[game], 0), expect_errors=True)
    host = open_page("/class#key=" + host_key(server), expect_errors=True)
    expect(host.locator("#tables > li")).to_have_count(4)
    assert "key" not in host.url, "the address bar does not show it"
    expect(host.locator("#tables svg.board")).to_have_count(4)
    expect(host.locator("#sit")).to_be_hidden()  # a class that plays comes first
    check(host, "the class")
    host.set_viewport_size({"width": 1280, "height": 800})
    shot(host, "class_wide.png", full_page=True)
    card = host.locator(f"[data-table={tables['forty_bridges']['table']}]")
    drawn, said = card.locator("svg.board").inner_html(), card.locator("p").first.inner_text()
    ada.locator("#tab-all").click()
    ada.locator("#list button").first.click()
    expect(card.locator("p").first).not_to_have_text(said)
    assert card.locator("svg.board").inner_html() != drawn, "the piece has moved"

    host.locator("#message").fill("Five minutes to go")
    host.locator("#speak button").click()
    expect(host.locator("#done")).to_have_text("Sent to 4 tables.")
    expect(ada.locator("#people")).to_contain_text("The host: Five minutes to go")
    shot(ada, "class_told.png")
    check(ada, "a message of the host")
    ada.get_by_role("button", name="I have read it").click()
    expect(ada.locator("#people")).to_be_hidden()

    host.locator("#pause").click()
    expect(host.locator("#done")).to_have_text("Tables paused: 4")
    expect(ada.locator("#say")).to_contain_text("The host has paused all tables.")
    expect(ada.locator("#tab-all")).not_to_contain_text("(")
    expect(host.locator("#tables > li.held")).to_have_count(4)
    shot(ada, "class_paused_table.png")
    check(host, "the class, paused")
    host.set_viewport_size({"width": 360, "height": 740})
    fits(host)
    shot(host, "class_narrow.png", full_page=True)
    server.stop()
    server.start()
    expect(host.locator("#error")).to_be_hidden()
    expect(host.locator("#tables > li.held")).to_have_count(4)
    host.locator("#resume").click()
    expect(host.locator("#tables > li.held")).to_have_count(0)
    expect(ada.locator("#tab-all")).to_contain_text("(")


def test_a_table_on_the_wall_follows_its_game_and_a_key_leads_back(open_page: Any, server: Server) -> None:
    table = set_table(server, "barricade")
    player = open_page(link(table, *range(len(table["tokens"]))))
    host = open_page("/class#key=" + host_key(server))
    host.get_by_role("button", name="Wall screen").click()
    wall = host.locator("#wall")
    expect(wall).to_be_visible()
    expect(host.locator("#back")).to_be_focused()
    assert wall.locator("button").count() == 1, "no control but the way back"
    check(host, "a table on the wall")
    for width, height, name in ((1280, 800, "wide"), (360, 740, "narrow")):
        host.set_viewport_size({"width": width, "height": height})
        fits(host)
        shot(host, f"class_wall_{name}.png")
    said = host.locator("#wall-prompt").inner_text()
    player.locator("#tab-all").click()
    player.locator("#list button").first.click()
    expect(host.locator("#wall-prompt")).not_to_have_text(said)
    host.keyboard.press("Escape")
    expect(wall).to_be_hidden()
    expect(host.locator("#tables > li").first).to_be_visible()
    host.evaluate("history.back()")
    expect(wall).to_be_visible()
    host.locator("#wall-board").click()
    expect(wall).to_be_hidden()


def test_without_the_key_the_page_asks_for_it_and_shows_nothing(open_page: Any, server: Server) -> None:
    set_table(server, "forty_bridges")
    page = open_page("/class", expect_errors=True, width=360, height=740)
    expect(page.locator("#form")).to_be_visible()
    expect(page.locator("#tools")).to_be_hidden()
    page.locator("#key").fill("k" * 43)
    page.locator("#form button").click()
    expect(page.locator("#error")).to_have_text("This is not the key of this server's host.")
    expect(page.locator("#tables > li")).to_have_count(0)
    fits(page)
    check(page, "the class without the key")
    shot(page, "class_key.png")
    page.locator("#key").fill(host_key(server))
    page.locator("#form button").click()
    expect(page.locator("#error")).to_be_hidden()
    expect(page.locator("#tools")).to_be_visible()
    page.locator("#forget").click()
    expect(page.locator("#form")).to_be_visible()


def test_a_class_sits_down_by_one_code_and_the_host_speaks_to_one_table(open_page: Any, server: Server) -> None:
    host = open_page("/class#key=" + host_key(server))
    host.get_by_role("link", name="Let a class sit down").click()  # where no table is, it stands open
    expect(host.locator("#kind")).to_have_value("arena")
    host.set_viewport_size({"width": 1280, "height": 800})
    host.locator("#game").select_option("forty_bridges")
    host.get_by_text("Time limits, late entry, paper, names").click()
    check(host, "the form of a tournament, opened")
    shot(host, "class_sit_form.png", full_page=True)
    host.locator("#create").click()
    expect(host.locator("#entry")).to_be_visible()
    code = host.locator("#code").inner_text()
    expect(host.locator("#lines tbody tr")).to_have_count(1)  # the computer for whoever is left over
    shot(host, "class_sit_code.png", full_page=True)
    pupils = []
    for name in ("Ada", "Ben", "Cleo"):
        pupil = open_page("/", width=390, height=844)
        pupil.locator("#code").fill(code.lower())
        pupil.locator("#join button").click()
        expect(pupil.locator("#enter")).to_contain_text("A first name or a nickname is enough.")
        pupil.locator("#name").fill(name)
        pupil.locator("#enter button").click()
        expect(pupil.locator("#mine")).to_contain_text(f"You take part as {name}.")
        pupils.append(pupil)
    shot(pupils[0], "class_sit_phone.png", full_page=True)
    expect(host.locator("#lines tbody tr")).to_have_count(4)
    host.locator("#start").click()
    for pupil in pupils:
        expect(pupil.locator("#asking")).to_be_enabled()  # led to the table without a press
        assert "/t/" in pupil.url
    host.goto(server.url + "/class")
    expect(host.locator("#tables > li")).to_have_count(2)
    host.locator("#order").select_option("number")
    expect(host.locator("#tables > li h2").first).to_contain_text("Table 1")
    card = host.locator("#tables > li", has_text=re.compile("Ada"))
    card.get_by_role("button", name="Message").click()
    expect(host.locator("#message")).to_be_focused()
    host.locator("#message").fill("Well done")
    host.locator("#speak button").click()
    expect(host.locator("#done")).to_have_text("Sent to 1 tables.")
    expect(pupils[0].locator("#people")).to_contain_text("The host: Well done")
    card.get_by_role("button", name="Pause").click()
    expect(host.locator("#tables > li.held")).to_have_count(1)
    check(host, "the class with tables of numbers")
    for width, height in ((1280, 800), (390, 844), (360, 740), (740, 360), (768, 1024)):
        host.set_viewport_size({"width": width, "height": height})
        fits(host)
        shot(host, f"class_numbers_{width}.png", full_page=True)
    host.locator("#tables > li.held").get_by_role("button", name="Wall screen").click()
    expect(host.locator("#wall-stop")).to_have_text("The host has paused the game.")
    shot(host, "class_wall_paused.png")


def test_the_desk_makes_a_backup_and_gives_a_lost_link_of_a_host_back(open_page: Any, server: Server) -> None:
    made = httpx.post(server.url + "/api/tournaments", json={"name": "Lost cup", "game": "forty_bridges"}, timeout=60).json()
    set_table(server, "forty_bridges")
    host = open_page("/class#key=" + host_key(server))
    host.locator("#desk summary").click()
    expect(host.locator("#desk-facts")).to_contain_text("Tables stored: 1")
    host.locator("#desk-backup").click()
    expect(host.locator("#desk-done")).to_contain_text("Made and checked: bridgehead-")
    expect(host.locator("#desk-files tbody tr")).to_have_count(1)
    host.locator("#desk-every").select_option("1")
    expect(host.locator("#desk-done")).to_have_text("Noted.")
    host.locator("#desk-count").click()
    expect(host.locator("#desk-done")).to_have_text("Tables so old: 0")
    check(host, "the desk")
    for width, height in ((1280, 800), (390, 844), (360, 740), (740, 360), (768, 1024)):
        host.set_viewport_size({"width": width, "height": height})
        fits(host)
        shot(host, f"desk_{width}.png", full_page=True)
    host.get_by_role("button", name="Host it with a new link: Lost cup").click()
    expect(host.locator("#title")).to_have_text("Lost cup")
    expect(host.locator("#hosting")).to_be_visible()
    old = open_page(f"/tournament/{made['id']}#h={made['host']}", expect_errors=True)
    old.locator("#close").click()
    old.locator("dialog:modal").get_by_role("button", name="End the tournament").click()
    expect(old.locator("#error")).to_contain_text("Only the host")


def test_the_host_makes_two_half_empty_tables_one_lets_places_change_and_closes_a_table(open_page: Any, server: Server) -> None:
    free = {"kind": "person", "open": True}
    tables = {n: post_table(server, "forty_bridges", [{"kind": "person", "name": n}, free]) for n in ("Ada", "Ben", "Cleo")}
    pages = {name: open_page(link(table, 0), width=390, height=844) for name, table in tables.items()}
    host = open_page("/class#key=" + host_key(server))
    cards = host.locator("#tables > li")
    expect(cards).to_have_count(3)
    for name in tables:
        expect(cards.filter(has_text=re.compile(name)).locator("small")).to_have_count(
            1
        )  # everybody is here, the free seat is empty
    cards.filter(has_text=re.compile("Ada")).get_by_role("button", name="Seats").click()
    asked = host.locator("dialog:modal")
    for width, height in ((1280, 800), (390, 844), (360, 740), (740, 360), (768, 1024)):
        host.set_viewport_size({"width": width, "height": height})
        fits(host)
        shot(host, f"class_seats_{width}.png")
    check(host, "the seats of a table of the class")
    asked.get_by_label("Everybody here moves to").select_option(tables["Ben"]["table"])
    asked.get_by_role("button", name="Merge the tables").click()
    expect(host.locator("#done")).to_have_text("The tables are one now; the pages follow.")
    expect(pages["Ada"]).to_have_url(re.compile(tables["Ben"]["table"]))
    late = open_page(link(tables["Ada"], 0), expect_errors=True)  # her other device has the old link
    expect(late).to_have_url(re.compile(tables["Ben"]["table"]))
    expect(late.locator("#seats")).to_contain_text("You")
    late.close()
    expect(cards).to_have_count(2)
    expect(cards.filter(has_text=re.compile("Ben"))).to_contain_text("Ada")
    expect(pages["Ada"].locator("#seats")).to_contain_text("Ben")
    cards.filter(has_text=re.compile("Cleo")).get_by_role("button", name="Seats").click()
    asked.get_by_label("Changes places with").select_option(label="B: Ada")
    asked.get_by_role("button", name="Change places").click()
    expect(host.locator("#done")).to_have_text("They have changed places; their pages follow.")
    expect(pages["Ada"]).to_have_url(re.compile(tables["Cleo"]["table"]))
    expect(pages["Cleo"]).to_have_url(re.compile(tables["Ben"]["table"]))
    expect(cards.filter(has_text=re.compile("Ben"))).to_contain_text("Cleo")
    cards.filter(has_text=re.compile("Ben")).get_by_role("button", name="Seats").click()
    asked.get_by_role("button", name="End the game here").click()
    shot(host, "class_close_390.png")
    asked.get_by_role("button", name="Yes, end it").click()
    expect(host.locator("#done")).to_have_text("The game is ended.")
    for name in ("Ben", "Cleo"):
        expect(pages[name].locator("#say")).to_contain_text("The host has closed this table.")
        shot(pages[name], f"class_closed_{name}.png")


def test_the_host_lets_pupils_choose_with_whom_they_play(open_page: Any, server: Server) -> None:
    host = open_page("/class#key=" + host_key(server))
    host.get_by_label("Who plays together").select_option("choice")
    for width, height in ((1280, 800), (390, 844)):
        host.set_viewport_size({"width": width, "height": height})
        fits(host)
        shot(host, f"class_sit_{width}.png")
    host.get_by_role("link", name="Let a class sit down").click()
    expect(host.get_by_label("Who plays together")).to_have_value("choice")
    host.locator("#game").select_option("forty_bridges")
    host.locator("#create").click()
    expect(host.locator("#entry")).to_be_visible()
    code = host.locator("#code").inner_text()
    pupils = {}
    for name in ("Ada", "Ben", "Cleo"):
        pupil = pupils[name] = open_page("/", width=390, height=844)
        pupil.locator("#code").fill(code.lower())
        pupil.locator("#join button").click()
        pupil.locator("#name").fill(name)
        pupil.locator("#enter button").click()
        expect(pupil.locator("#mine")).to_contain_text("With whom do you want to play?")
    mine = {name: pupil.locator("#mine") for name, pupil in pupils.items()}
    mine["Ada"].get_by_role("button", name="Play with whoever comes").click()
    expect(mine["Ada"]).to_contain_text("You wait for somebody who wants to play with you.")
    mine["Cleo"].get_by_role("button", name="Play with Ada").click()
    expect(mine["Ada"]).to_contain_text("You wait with Cleo.")
    expect(mine["Ben"].get_by_role("button")).to_have_count(1)  # that table is full
    check(pupils["Ben"], "a pupil chooses with whom to play")
    for name, pupil in pupils.items():
        fits(pupil)
        shot(pupil, f"class_choose_{name}.png")
    host.locator("#start").click()
    for name in ("Ada", "Cleo"):
        expect(pupils[name].locator("#asking")).to_be_enabled()  # led to their table
    expect(mine["Ben"]).to_contain_text("With whom do you want to play?")
    assert pupils["Ada"].url.split("#")[0] == pupils["Cleo"].url.split("#")[0]


def test_tables_stand_ready_have_names_that_the_host_types_and_are_filled_by_choice(open_page: Any, server: Server) -> None:
    host = open_page("/class#key=" + host_key(server))
    host.get_by_label("Who plays together").select_option("choice")
    host.get_by_label("Tables that stand ready").fill("3")
    host.get_by_role("link", name="Let a class sit down").click()
    expect(host.get_by_label("Tables that stand ready")).to_have_value("3")
    host.locator("#game").select_option("forty_bridges")
    host.locator("#create").click()
    room = host.locator("#room-tables > li")
    expect(room).to_have_count(3)
    field = host.get_by_label("Name of table 2")
    field.fill("Lions")
    pupil = open_page("/", width=390, height=844)
    pupil.locator("#code").fill(host.locator("#code").inner_text())
    pupil.locator("#join button").click()
    pupil.locator("#name").fill("Ada")
    pupil.locator("#enter button").click()
    expect(host.locator("#lines")).to_contain_text("Ada")  # the host's page was drawn again
    expect(field).to_have_value("Lions")
    expect(field).to_be_focused()
    field.press("Enter")
    expect(pupil.locator("#room-tables > li").nth(1)).to_contain_text("Table 2 · Lions")
    pupil.get_by_role("button", name="Sit here: Table 2").click()
    expect(pupil.locator("#room-tables > li").nth(1)).to_contain_text("Ada")
    wall = open_page("/class#key=" + host_key(server))
    expect(wall.locator("#tables > li")).to_have_count(3)
    expect(wall.locator("#tables > li").nth(1)).to_contain_text("Table 2 · Lions")
    expect(wall.locator("#tables > li").nth(1)).to_contain_text("Ada")
    expect(wall.locator("#count")).to_have_text("Tables: 0 · empty: 3")
    for page, name in ((host, "host"), (pupil, "pupil"), (wall, "class")):
        check(page, f"tables that stand ready, {name}")
        for width, height in ((1280, 800), (390, 844), (360, 740), (740, 360), (768, 1024)):
            page.set_viewport_size({"width": width, "height": height})
            fits(page)
            shot(page, f"class_ready_{name}_{width}.png", full_page=True)
    other = open_page("/", width=390, height=844)
    other.locator("#code").fill(host.locator("#code").inner_text())
    other.locator("#join button").click()
    other.locator("#name").fill("Ben")
    other.locator("#enter button").click()
    other.get_by_role("button", name="Sit here: Table 2").click()
    expect(room.nth(1)).to_contain_text("Ada, Ben")
    host.locator("#start").click()
    for page in (pupil, other):
        expect(page.locator("#asking")).to_be_enabled()  # led to the table
    expect(wall.locator("#tables > li").first).to_contain_text("Table 2 · Lions · 40 Bridges")
    wall.get_by_role("button", name="Wall screen").click()
    expect(wall.locator("#wall-title")).to_contain_text("Table 2 · Lions")
    shot(wall, "class_ready_wall.png")
