"""The rules as written are what everybody gets who has not chosen otherwise; the recommended ones are remembered once chosen."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bridgehead.core import options as house
from bridgehead.core import registry, tutorial
from bridgehead.core.measured import often_has_no_winner
from bridgehead.server.http.rendering import WEB
from e2e.conftest import HAND, Opener, Server, at_the_end, link, post_table, set_table, shot
from e2e.test_proposals import ask

pytestmark = [pytest.mark.browser, pytest.mark.wide]
GAMES = sorted(spec.id for spec in registry.specs().values() if spec.package.startswith("bridgehead."))


def wish_for(page: Page, path: str, press: Callable[[], None]) -> dict[str, Any]:
    """What the page sends when it makes a table; no table is made."""
    page.route(f"**{path}", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith(path)) as sent:
        press()
    return dict(sent.value.post_data_json)


def from_home(page: Page, game: str) -> dict[str, Any]:
    card = page.locator(f"article[data-game={game}]")
    if card.locator(".strengths").is_hidden():
        card.locator("[data-computer]").click()
    return wish_for(page, "/api/tables", card.get_by_role("button", name="Easy").click)


def from_new(page: Page, game: str) -> dict[str, Any]:
    expect(page.locator("#start")).to_be_enabled()
    return wish_for(page, "/api/tables", page.locator("#start").click)


def from_lesson(page: Page, game: str) -> dict[str, Any]:
    return wish_for(page, "/api/tables", page.locator("#first").click)


def from_tournaments(page: Page, game: str) -> dict[str, Any]:
    expect(page.locator("#form")).not_to_have_attribute("inert", "")
    page.locator("#game").select_option(game)
    page.locator("#name").fill("Cup")
    wish = wish_for(page, "/api/tournaments", page.locator("#create").click)
    return {**wish, "options": {"seats": wish["size"]} if registry.spec(game).seats[0] < registry.spec(game).seats[1] else {}}


def last_step(game: str) -> int:
    return len(tutorial.tutorial(registry.spec(game))[1])


# Pages that make tables by house rules of their own choice, by the script that does it.
PAGES: dict[str, tuple[str, Callable[[str], str], Callable[[Page, str], dict[str, Any]]]] = {
    "home": ("home.js", lambda game: "/", from_home),
    "here": ("new_table.js", lambda game: f"/new/{game}?mode=here", from_new),
    "computer": ("new_table.js", lambda game: f"/new/{game}?mode=computer", from_new),
    "invite": ("new_table.js", lambda game: f"/new/{game}?mode=invite", from_new),
    "lesson": ("learn.js", lambda game: f"/learn/{game}?step={last_step(game)}", from_lesson),
    "tournaments": ("tournaments.js", lambda game: "/tournaments", from_tournaments),
}


def differences(wish: dict[str, Any]) -> dict[str, Any]:
    """The house rules of a wish that differ from the rules as written, without the number of seats."""
    made = house.build(registry.spec(wish["game"]), wish["preset"], wish["options"])
    return {name: value for name, value in house.list_differences(made).items() if name != "seats"}


def test_every_script_that_makes_a_table_by_rules_is_tried_here() -> None:
    asks = re.compile(r'ask\("/api/(?:tables|tournaments)", (?!\{ game: film\.game, record)')
    assert {file.name for file in (WEB / "static").rglob("*.js") if asks.search(file.read_text("utf-8"))} == {
        script for script, _, _ in PAGES.values()
    }


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_table_has_the_rules_as_written_until_somebody_chooses_the_recommended_ones(
    game: str, name: str, open_page: Opener
) -> None:
    _, path, make = PAGES[name]
    spec = registry.spec(game)
    lesson = tutorial.tutorial(spec)[0].first if name == "lesson" else {}
    lesson = {each: value for each, value in lesson.items() if each != "seats"}
    page = open_page(path(game), expect_errors=True)
    wish = make(page, game)
    assert (wish["preset"], differences(wish)) == ("", lesson)

    server = page.url.removesuffix(path(game))
    page.goto(f"{server}/new/{game}")
    button = page.locator("#presets button", has_text="Recommended rules")
    expect(page.locator("#start")).to_be_enabled()
    expect(page.locator("#beside")).to_contain_text("Recommended rules: ")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.goto(server + path(game))
    wish = make(page, game)
    recommended = lesson or house.list_differences(house.build(spec, house.RECOMMENDED))  # a small board was not measured
    assert differences(wish) == recommended


def test_the_start_page_offers_the_recommended_rules_and_remembers_them(open_page: Opener) -> None:
    page = open_page("/", expect_errors=True)
    card = page.locator("article[data-game=front_lines]")
    card.locator("[data-computer]").click()
    expect(card.get_by_text("Often nobody wins: 76 % of 2,000 games")).to_be_visible()
    card.get_by_label("Recommended rules").check()
    assert differences(from_home(page, "front_lines")) == {"lives": 6}
    page.reload()
    expect(card.get_by_label("Recommended rules")).to_be_checked()
    card.locator("[data-computer]").click()
    card.get_by_label("Recommended rules").uncheck()
    page.reload()
    assert differences(from_home(page, "front_lines")) == {}


def test_the_start_page_warns_of_the_games_that_often_have_no_winner(open_page: Opener) -> None:
    assert [game for game in GAMES if often_has_no_winner(registry.spec(game))] == ["forty_bridges", "front_lines"]
    page = open_page("/")
    warned = page.locator("article:has(.strengths p)")
    assert {each.get_attribute("data-game") for each in warned.all()} == {"forty_bridges", "front_lines"}


@pytest.mark.parametrize("rules", [{}, {"lives": 3}], ids=["as written", "others"])
def test_without_a_winner_by_the_written_rules_the_end_offers_six_lives(
    rules: dict[str, Any], open_page: Opener, server: Server
) -> None:
    table = set_table(server, "front_lines", seats=2, **rules)
    ada, ben = open_page(link(table, 0), 360, 740), open_page(link(table, 1))
    expect(ada.locator("#log li").first).to_be_visible()  # a card was drawn
    ask(ada, "Offer a draw")
    agree = ben.locator(".asked").get_by_role("button", name="Agree")
    expect(agree).to_be_visible()
    ben.wait_for_timeout(HAND)
    agree.click()
    for page in (ada, ben):
        at_the_end(page)
        expect(page.locator(".moments")).to_be_visible()
        expect(page.locator("#rematch")).to_be_visible()
    if rules:
        ada.wait_for_timeout(HAND)
        expect(ada.locator("#again")).to_have_count(0)
        return
    expect(ada.locator("#again")).to_have_text("Again with six lives")
    assert ada.evaluate("document.documentElement.scrollWidth") <= 360
    shot(ada, "end_without_winner_phone.png")
    shot(ben, "end_without_winner.png")
    ada.locator("#again").click()
    expect(ada.locator("#presets button", has_text="Recommended rules")).to_have_attribute("aria-pressed", "true")
    expect(ada.locator("#start")).to_be_enabled()
    with ada.expect_request("**/api/tables") as sent:
        ada.locator("#start").click()
    assert differences(sent.value.post_data_json) == {"lives": 6}


@pytest.mark.parametrize("preset", ["", "recommended"])
def test_another_table_like_one_has_its_rules_whatever_was_chosen_before(preset: str, open_page: Opener, server: Server) -> None:
    seats = [{"kind": "person"}, {"kind": "person"}]
    table = post_table(server, "front_lines", seats, preset=preset, options={"seats": 2})
    before = f"localStorage['bridgehead.recommended'] = '{json.dumps([] if preset else ['front_lines'])}'"
    page = open_page(f"/new/front_lines?like={table['table']}", expect_errors=True, script=before)
    wish = from_new(page, "front_lines")
    assert wish["preset"] == preset and differences(wish) == house.list_differences(
        house.build(registry.spec("front_lines"), preset)
    )
