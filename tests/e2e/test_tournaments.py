"""A tournament in the browser: set up, entered, played and decided, and standings that every page shows by themselves."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from e2e.axe import check
from e2e.conftest import PATIENCE, Server, at_the_end, shot
from server.live import Page as Player
from server.test_siege import HELLO

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def opened(server: Any, game: str, **wish: Any) -> tuple[str, str]:
    """A tournament's id, and the token of its host."""
    answer = httpx.post(server.url + "/api/tournaments", json={"name": "Club evening", "game": game, **wish}, timeout=60)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], answer.json()["host"]


def add_bots(page: Page, count: int, level: str) -> None:
    page.locator("#level").select_option(level)
    page.locator("#count").fill(str(count))
    page.locator("#bots button").click()
    expect(page.locator("#lines tbody tr")).to_have_count(count)


def decide(page: Page, name: str) -> None:
    """The host decides the game of somebody, who wins it. (A plain text would find "Ada" in the letter A before Dan, too.)"""
    row = page.locator(".game-row", has_text=re.compile(name)).first
    row.get_by_role("button", name="Decide").click()
    page.locator("dialog:modal").get_by_role("button", name=f"{name} wins").click()


def test_a_tournament_is_set_up_in_the_page_and_entered_by_a_link(open_page: Any, server: Any) -> None:
    host = open_page("/tournaments")
    check(host, "tournaments")
    host.set_viewport_size({"width": 1280, "height": 800})
    host.locator("#name").fill("School cup")
    host.locator("#game").select_option("forty_bridges")
    host.locator("#kind").select_option("round_robin")
    host.locator("#create").click()
    expect(host.locator("#title")).to_have_text("School cup")
    expect(host.locator("#state")).to_have_text("Not started yet: 0 take part.")
    address = host.url.split("#")[0]
    guests = []
    for name in ("Ada", "Ben"):
        guest = open_page(address.removeprefix(server.url), width=360, height=740)
        expect(guest.locator("#hosting")).to_be_hidden()
        guest.locator("#name").fill(name)
        guest.locator("#enter button").click()
        expect(guest.locator("#mine")).to_contain_text(f"You take part as {name}.")
        guests.append(guest)
    host.locator("#start").click()
    expect(host.locator(".game-row")).to_have_count(1)
    check(host, "a tournament")
    for guest in guests:
        guest.locator("#mine a").click()
        expect(guest.locator("#asking")).to_be_enabled()
    guests[0].goto(address)
    decide(host, "Ada")
    expect(guests[0].locator("#state")).to_have_text("The tournament is over.")
    expect(guests[0].locator("#lines tbody tr").first).to_contain_text("Ada")
    expect(guests[0].locator(".game-row")).to_contain_text("decided by the host")


def test_sixteen_bots_and_a_person_play_a_tournament_through(open_page: Any, server: Any) -> None:
    cup, token = opened(server, "barricade", options={"board": "mini"}, size=2, rounds=2)
    page = open_page(f"/tournament/{cup}#h={token}")
    add_bots(page, 16, "captain")
    page.locator("#name").fill("Ada")
    page.locator("#enter button").click()
    expect(page.locator("#lines tbody tr")).to_have_count(17)
    page.locator("#start").click()
    shot(page, "tournament.png", full_page=True)
    for number in (1, 2):
        expect(page.locator("#state")).to_have_text(f"Round {number} of 2", timeout=PATIENCE)
        if page.locator("#mine a").count():
            page.locator("#mine a").click()
            expect(page.locator("#asking")).to_be_enabled()
            page.goto(f"{server.url}/tournament/{cup}")
            decide(page, "Ada")
    expect(page.locator("#state")).to_have_text("The tournament is over.", timeout=PATIENCE)
    points = [float(text) for text in page.locator("#lines tbody td:nth-child(3)").all_inner_texts()]
    assert points == sorted(points, reverse=True) and sum(points) == 18, "16 games and two byes"
    shot(page, "tournament_over.png", full_page=True)


def test_the_host_removes_several_on_a_phone_and_all_see_who_is_missing(open_page: Any, server: Any) -> None:
    cup, token = opened(server, "forty_bridges", kind="round_robin")
    for name in ("Ada", "Ben", "Spam 1", "Spam 2"):
        answer = httpx.post(f"{server.url}/api/tournaments/{cup}/entrants", json={"name": name}, timeout=60)
        assert answer.status_code == 201
    host = open_page(f"/tournament/{cup}#h={token}", width=360, height=740)
    expect(host.locator("#lines tbody tr")).to_have_count(4)
    expect(host.locator("#about")).to_contain_text("10 minutes to come to a table")
    expect(host.locator("#removing")).to_be_hidden()
    for name in ("Spam 1", "Spam 2"):
        box = host.get_by_role("checkbox", name=f"Choose {name}")
        place = box.locator("xpath=ancestor::label").bounding_box()
        assert place is not None and place["width"] >= 44 and place["height"] >= 44, "a finger hits it"
        box.check()
    check(host, "a tournament whose host chooses")
    shot(host, "tournament_removing_phone.png", full_page=True)
    assert host.evaluate("document.documentElement.scrollWidth") <= 360, "nothing is cut off"
    host.get_by_role("button", name="Remove the chosen (2)").click()
    asked = host.locator("dialog:modal")
    expect(asked).to_contain_text("You can bring them back until the next round is drawn.")
    asked.get_by_role("button", name="Remove").click()
    expect(host.locator("#lines tbody tr")).to_have_count(2)
    expect(host.locator("#removing")).to_be_hidden()
    expect(host.locator("#log-part")).to_be_hidden()
    host.locator("#start").click()
    expect(host.locator(".game-row")).to_contain_text("to come by")
    guest = open_page(f"/tournament/{cup}")
    expect(guest.locator("#lines tbody tr")).to_have_count(2)
    expect(guest.get_by_role("checkbox")).to_have_count(0)


def test_a_bye_is_announced_and_tie_breaks_wait_for_a_press(open_page: Any, server: Any) -> None:
    cup, host = opened(server, "forty_bridges", kind="round_robin")
    guest = open_page(f"/tournament/{cup}#h={host}")
    guest.locator("#name").fill("Ada")
    guest.locator("#enter button").click()
    expect(guest.locator("#mine")).to_contain_text("You take part as Ada.")
    for name in ("Ben", "Cleo"):
        httpx.post(f"{server.url}/api/tournaments/{cup}/entrants", json={"name": name}, timeout=60)
    guest.locator("#start").click()
    expect(guest.locator("#mine")).to_contain_text("Ada, you have a bye in this round")
    expect(guest.locator("#mine")).to_contain_text("It counts as a win.")
    expect(guest.locator("#lines th", has_text="Points")).to_be_visible()
    expect(guest.locator("#lines th.breaks").first).to_be_hidden()
    shot(guest, "tournament_bye.png")
    guest.get_by_text("How ties are broken").click()
    expect(guest.locator("#lines th.breaks").first).to_be_visible()


def test_a_mistake_is_undone_and_the_hosts_page_goes_on_while_it_has_the_focus(open_page: Any, server: Any) -> None:
    cup, token = opened(server, "forty_bridges", kind="swiss", rounds=2, where="Town hall")
    host = open_page(f"/tournament/{cup}#h={token}")
    pages = {}
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        pages[name] = open_page(f"/tournament/{cup}", width=390, height=844) if name in ("Ada", "Dan") else None
        if page := pages[name]:
            page.locator("#name").fill(name)
            page.locator("#enter button").click()
            expect(page.locator("#mine")).to_contain_text(f"You take part as {name}.")
        else:
            httpx.post(f"{server.url}/api/tournaments/{cup}/entrants", json={"name": name}, timeout=60)
    expect(host.locator("#lines tbody tr")).to_have_count(4)
    host.get_by_role("checkbox", name="Choose Ada").focus()
    host.locator("#start").evaluate("node => node.click()")
    expect(host.locator(".game-row")).to_have_count(2)
    row = host.locator(".game-row", has_text=re.compile("Ada"))
    row.get_by_role("button", name="Decide").click()
    host.locator("dialog:modal").get_by_role("button", name="Ada wins").click()
    expect(row).to_contain_text("Ada: 1")
    expect(row.get_by_role("button", name="Correct")).to_be_focused()
    dan = pages["Dan"]
    dan.get_by_role("button", name="Leave").click()
    asked = dan.locator("dialog:modal")
    check(dan, "leaving a tournament asks")
    shot(dan, "tournament_leave_phone.png")
    expect(asked).to_contain_text("You play no further games.")
    asked.get_by_role("button", name="Close").click()
    expect(dan.locator("#mine")).not_to_contain_text("you have left")
    dan.get_by_role("button", name="Leave").click()
    dan.locator("dialog:modal").get_by_role("button", name="Leave").click()
    expect(dan.locator("#mine")).to_contain_text("Dan, you have left this tournament.")
    expect(row.get_by_role("button", name="Correct")).to_be_focused()
    row.get_by_role("button", name="Correct").click()
    host.locator("dialog:modal").get_by_role("button", name="Nobody wins").click()
    expect(host.locator(".game-row", has_text=re.compile("Ada"))).to_contain_text("Ada: 0.5")
    dan.get_by_role("button", name="Come back").click()
    expect(dan.locator("#mine")).not_to_contain_text("you have left")
    host.locator("#log-part summary").click()
    expect(host.locator("#log")).to_contain_text("The host corrected: ")
    expect(host.locator("#log")).to_contain_text("Dan came back")
    host.set_viewport_size({"width": 1280, "height": 800})
    shot(host, "tournament_host_wide.png", full_page=True)
    check(host, "a tournament whose host has corrected")
    host.evaluate("window.print = () => undefined")
    host.locator("#certificates").click()
    host.emulate_media(media="print")
    expect(host.locator(".certificates section")).to_have_count(4)
    expect(host.locator(".certificates section").first).to_contain_text("Town hall")
    expect(host.locator("#main")).to_be_hidden()
    shot(host, "tournament_certificates.png", full_page=True)
    host.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(host.locator("#main")).to_be_visible()


def test_a_class_of_thirty_pages_plays_two_rounds_over_a_restart(browser: Any, tmp_path: Path) -> None:
    """An odd number: one is late, one leaves and comes back, one never comes to the table."""
    server = Server(tmp_path)
    server.start()
    cup, token = opened(server, "forty_bridges", kind="swiss", rounds=2, late=2, appear=1)
    path = f"{server.url}/tournament/{cup}"
    pages = [browser.new_context(viewport={"width": 390, "height": 844}, service_workers="block").new_page() for _ in range(29)]
    host = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    try:
        host.goto(f"{path}#h={token}")
        for i, page in enumerate(pages[:-1]):
            enter(page, path, f"Pupil {i}")
        expect(host.locator("#lines tbody tr")).to_have_count(28, timeout=PATIENCE)
        host.locator("#start").click()
        expect(host.locator(".game-row")).to_have_count(14)
        enter(pages[-1], path, "Late")
        expect(host.locator("#log")).to_contain_text("Late entered late")
        leaver = pages[1]
        leaver.get_by_role("button", name="Leave").click()
        leaver.locator("dialog:modal").get_by_role("button", name="Leave").click()
        expect(leaver.locator("#mine")).to_contain_text("Pupil 1, you have left this tournament.")
        leaver.get_by_role("button", name="Come back").click()
        expect(leaver.locator("#mine a")).to_have_text(re.compile("Go to my game at table [0-9]+"))
        server.stop()
        server.start()
        games = httpx.get(f"{server.url}/api/tournaments/{cup}", timeout=60).json()["games"]
        for game in games[1:]:
            act = {"do": "decide", "host": token, "table": game["table"], "places": [1, 2]}
            assert httpx.post(f"{server.url}/api/tournaments/{cup}", json=act, timeout=60).status_code == 200
        here = next(page for page, i in zip(pages, range(28), strict=False) if i == games[0]["seats"][0])
        here.locator("#mine a").click()
        expect(here.locator("#asking")).to_be_visible()
        expect(host.locator("#state")).to_have_text("Round 2 of 2", timeout=2 * PATIENCE)
        expect(host.locator("#games")).to_contain_text("did not appear: Pupil ")
        expect(host.locator("#error")).to_be_hidden()  # the restart is over
        shot(host, "tournament_thirty.png", full_page=True)
        expect(pages[-1].locator("#mine")).not_to_contain_text("has left")
    finally:
        for page in (*pages, host):
            page.context.close()
        server.stop()


def enter(page: Page, path: str, name: str) -> None:
    """A pupil opens the tournament and takes part."""
    page.goto(path)
    page.locator("#name").fill(name)
    page.locator("#enter button").click()
    expect(page.locator("#mine")).to_contain_text(name, timeout=PATIENCE)


def test_a_finished_table_leads_back_to_its_tournament_also_on_a_phone(open_page: Any, server: Any) -> None:
    cup, host = opened(server, "forty_bridges", kind="swiss", rounds=2)
    path = f"{server.url}/api/tournaments/{cup}"
    enter = lambda name: httpx.post(f"{path}/entrants", json={"name": name}, timeout=60).json()["token"]  # noqa: E731
    tokens = [enter(name) for name in ("Ada", "Ben")]
    [game] = httpx.post(path, json={"do": "start", "host": host}, timeout=60).json()["games"]
    ada = open_page(f"/t/{game['table']}#s={tokens[0]}", width=390, height=844)
    player = Player(server.url)
    player.say(**HELLO | {"table": game["table"], "tokens": [tokens[1]]})
    player.until(lambda view: view.get("may") and view["actor"] >= 0)
    player.say(t="ask", k=secrets.token_hex(16), v=player.view["v"], what="resign")
    at_the_end(ada)
    back = ada.get_by_role("link", name="To the tournament: Club evening")
    expect(back).to_be_in_viewport()
    for width, height in ((390, 844), (360, 740), (1280, 800)):
        ada.set_viewport_size({"width": width, "height": height})
        shot(ada, f"tournament_back_{width}.png")
    back.click()
    expect(ada.locator("#title")).to_have_text("Club evening")
    player.socket.close()
