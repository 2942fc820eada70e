"""The static site in Chromium beside a server: each level answers alike, and the page of a new game offers the same."""

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bridgehead.core import record
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.players.levels import NAMES
from bridgehead.players.subprocess_player import SearchProcess, decide, describe_position
from bridgehead.site import build
from e2e.conftest import BOOT, RULES, Opener, Server, Site, link, post_table, shot
from waiting import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SEED = 11  # of the tables: of their dice, and of their levels
LEAST = 2  # decisions of each level


@pytest.fixture(scope="module")
def workers() -> Iterator[SearchProcess]:
    """A process as those in which a server's levels think."""
    made = SearchProcess()
    yield made
    made.close()


def played(page: Page, table: str) -> Match:
    """The game so far at a table of the site."""
    asked = "(path) => site.fetch(path).then((found) => found.text())"
    return record.load(page.evaluate(asked, f"/api/tables/{table}/record"))[0]


def decided(match: Match) -> list[int]:
    """The numbers of the actions that players chose."""
    return [number for number, entry in enumerate(match.log) if entry.actor != CHANCE]


def enough(page: Page, table: str) -> Match:
    """The game at a table, as soon as its levels have decided often enough."""

    def found() -> Match | None:
        page.wait_for_timeout(200)  # the page's Python has a level to serve, too
        match = played(page, table)
        return match if len(decided(match)) >= LEAST else None

    return wait_for(found, BOOT / 1000)


@pytest.mark.long
@pytest.mark.parametrize("game", RULES)
def test_each_level_decides_in_the_browser_as_at_a_server(
    game: str,
    visitor: Opener,
    home: str,
    workers: SearchProcess,
) -> None:
    page = visitor(f"new-{game}.html?mode=computer")
    for level in NAMES:
        seats: list[dict[str, Any]] = [{"kind": "computer", "level": level}] * 2
        table = post_table(Site(home, page), game, seats, options=RULES[game], seed=SEED)
        page.goto(home + build.address(link(table).removeprefix("/")))
        match = enough(page, table["table"])
        for number in decided(match)[:LEAST]:
            seed = hashlib.sha256(f"{SEED}:{number}".encode()).hexdigest()  # as computer_turns.py makes it
            chosen = workers.ask(decide, *describe_position(match.positions[number]), level, seed)
            assert match.log[number].action == chosen, (level, number)


FORM = """() => {
  const said = (node) => node.textContent.trim().replace(/\\s+/g, " ");
  const all = (where) => [...document.querySelectorAll(where)];
  return {
    title: said(document.querySelector("h1")),
    counts: all("#count option").map(said),
    levels: [...document.querySelector("#seat").content.querySelectorAll("option")].map((node) => node.value),
    presets: all("#presets button").map((node) => [said(node), node.dataset.preset]),
    options: all(".options > li").map((node) => {
      const { name, default: usual } = node.dataset;
      const pressed = [...node.querySelectorAll("[type=radio]")].map(({ value, checked }) => [value, checked]);
      const field = node.querySelector(".value");
      return { name, usual, said: said(node), pressed, typed: field && [field.value, { ...field.dataset }] };
    }),
    shown: all("#options-all label, #options-all summary").filter((node) => !node.closest("[data-needs]")).map(said),
  };
}"""


def test_the_page_of_a_new_game_offers_what_a_servers_page_offers(
    visitor: Opener,
    home: str,
    server: Server,
) -> None:
    page = visitor()
    other = page.context.browser.new_page()  # type: ignore[union-attr]
    for game in RULES:
        page.goto(f"{home}new-{game}.html?mode=here")
        other.goto(f"{server.url}/new/{game}?mode=here")
        for each in (page, other):
            expect(each.locator("#start")).to_be_enabled(timeout=BOOT)
            expect(each.locator(".sketch:not(:has(svg))")).to_have_count(0, timeout=BOOT)
            faint = "nodes => nodes.filter((node) => getComputedStyle(node).opacity !== '1').length"
            assert each.locator(".sketch").evaluate_all(faint) == 0, game
        here, there = page.evaluate(FORM), other.evaluate(FORM)
        assert here == there
        assert len(here["levels"]) == 1 + len(NAMES) and len(here["options"]) >= 5
        assert all(option["typed"] or any(pressed for _, pressed in option["pressed"]) for option in here["options"])
        page.locator("#options-all > summary").click()
        page.locator("#more > summary").click()
        shot(page, f"site_form_{game}.png")
    other.close()
