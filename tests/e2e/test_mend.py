"""Mend the rules: wishes as boxes with numbers, a search that is watched, and proposals as cards that lead to a table."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bridgehead.server.http import reports
from bridgehead.workshop.lab.tune import pieces, search
from e2e.axe import check
from e2e.conftest import come_true, shot
from e2e.test_lab import Steps
from server.live import PATIENCE, ROOMY, Live
from server.test_reports import plan_here

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SLOW = 8_000 * PATIENCE  # ms for a worker that has to start, on a machine that does much else
SIZES = {"wide": (1280, 800), "phone": (360, 740), "lying": (740, 360), "tablet": (768, 1024)}


def small(game: Any, wished: str, boards: bool) -> search.SearchRequest:
    """A search of a few random games of 40 Bridges that end soon."""
    pieces.wishes(wished, game)
    return search.SearchRequest(game.spec.id, game.differences, wished, "quietLimit=2|4", ("random",), 20, 4, deepest=1)


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    monkeypatch.setattr(Steps, "let", threading.Semaphore(0))
    monkeypatch.setattr(reports, "WorkerPool", lambda count, deadline, compiled: Steps(count, deadline))
    monkeypatch.setattr(reports, "EACH", 0.0)
    monkeypatch.setattr(pieces, "request", small)
    own = Live(tmp_path_factory.mktemp("data"), ROOMY._replace(labs=10_000))
    plan_here(own, monkeypatch)
    yield own
    Steps.let.release(1000)
    own.stop()


WITHIN = (
    "[...document.querySelectorAll('#ask-mend, #mending, #mending *')].every(e => e.getBoundingClientRect().right <= innerWidth)"
)


def fits(page: Page) -> None:
    """Nothing of it hangs over the side."""
    come_true(page, WITHIN)


def test_wishes_lead_to_proposals_and_a_proposal_to_a_table(open_page: Callable[..., Page], server: Live) -> None:
    page = open_page("/new/forty_bridges", width=360, height=740, locale="de-DE", expect_errors=True)
    page.locator("#options-all > summary").click()
    page.locator("#mend").click()
    wishes = page.locator("#mending .wishes input[type=checkbox]")
    expect(wishes).to_have_count(5)
    expect(page.locator("#mend")).to_have_attribute("aria-expanded", "true")
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#mending").scroll_into_view_if_needed()
        shot(page, f"mend_wishes_{name}.png")
        fits(page)
    go = page.get_by_role("button", name="Bessere Regeln suchen")
    for box in wishes.all():
        box.uncheck()
    go.click()
    expect(page.locator("#mending .problem")).to_be_visible()
    wishes.nth(2).check()  # minutes: games as they are last longer, those with a low quiet limit do not
    least, most = page.locator("#mending .wishes input[type=number]").all()[2:4]
    least.fill("0")
    most.fill("5")
    go.click()
    expect(page.locator("#mending progress")).to_be_visible()
    Steps.let.release(2)
    expect(page.locator("#mending [role=status]")).to_contain_text("Einstellungen aus", timeout=SLOW)
    fits(page)
    Steps.let.release(1000)
    cards = page.locator("#mending .mended > li")
    expect(cards.first).to_be_visible(timeout=SLOW)
    expect(cards.first).to_contain_text("Deine Regeln")
    expect(cards.nth(1)).to_contain_text("→")
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        cards.nth(1).scroll_into_view_if_needed()
        shot(page, f"mend_cards_{name}.png")
        fits(page)
    cards.nth(1).locator("summary").first.click()
    expect(cards.nth(1).locator("dd").first).to_be_visible()
    cards.nth(1).locator("summary").last.click()
    expect(cards.nth(1).locator("code")).to_contain_text("bridgehead print forty_bridges")
    check(page, "mend the rules")
    shot(page, "mend_numbers.png")
    with page.context.expect_page() as opened:
        cards.nth(1).get_by_role("link", name="Nach diesen Regeln spielen").click()
    table = opened.value
    expect(table.locator("#differences")).to_contain_text("4", timeout=SLOW)
    expect(table.locator("#start")).to_be_enabled()


NUMBERS = [{"wish": "at most 5 % of games without a winner", "players": ["greedy: 2 % without a winner [1, 4] (met)"]}]
PROPOSAL = {
    "rules": {},
    "changes": [],
    "meets": False,
    "state": "missed",
    "numbers": NUMBERS,
    "parts": "",
    "worse": "",
    "print": "",
}
BETTER = {
    **PROPOSAL, "rules": {"sidesNeeded": 4}, "changes": ["Sides to close: 3 → 4"], "meets": True, "state": "met",
    "worse": "Nothing measured became worse beyond doubt.", "print": "bridgehead print forty_bridges --rules sidesNeeded=4",
}  # fmt: skip
UNSURE = {**BETTER, "state": "open"}
FOUND = {"verdict": "Two proposals meet all wishes.", "causes": [], "base": PROPOSAL, "proposals": [BETTER, UNSURE]}


def test_proposals_are_cards_that_name_what_prints_them(open_page: Callable[..., Page], server: Live) -> None:
    done = {"state": "done", "stage": "confirm", "settings": 0, "done": 1, "of": 1, "before": 0, "found": FOUND}
    page = open_page("/new/forty_bridges")
    page.route("**/api/mendings?*", lambda route: route.fulfill(json={"key": "0" * 32}))
    page.route("**/api/mendings/*", lambda route: route.fulfill(json=done))
    page.locator("#options-all > summary").click()
    page.locator("#mend").click()
    page.get_by_role("button", name="Look for better rules").click()
    cards = page.locator("#mending .mended > li")
    expect(cards).to_have_count(3)
    expect(cards.locator(".badge.good")).to_have_text("meets all wishes for sure")
    expect(cards.last.locator(".badge")).to_have_text("meets all wishes, not for sure")
    assert "good" not in (cards.last.locator(".badge").get_attribute("class") or "").split()
    cards.last.locator("summary").last.click()
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        cards.last.scroll_into_view_if_needed()
        shot(page, f"mend_cards_{name}.png")
        fits(page)
    expect(cards.last.locator("code")).to_have_text("bridgehead print forty_bridges --rules sidesNeeded=4")
    assert cards.last.get_by_role("link").get_attribute("href").startswith("/new/forty_bridges#o=")  # type: ignore[union-attr]


def test_a_search_that_a_server_lost_is_begun_again(open_page: Callable[..., Page], server: Live) -> None:
    done = {"state": "done", "stage": "confirm", "settings": 0, "done": 1, "of": 1, "before": 0, "found": FOUND}
    begun, looks = [], []
    page = open_page("/new/forty_bridges", expect_errors=True)

    def begin(route: Any) -> None:
        begun.append(route.request.post_data)
        route.fulfill(json={"key": f"{len(begun)}" * 32})

    def look(route: Any) -> None:
        looks.append(route.request.url)
        lost = {"error": "There is no such study.", "where": "key"}
        route.fulfill(status=404, json=lost) if len(looks) == 1 else route.fulfill(json=done)

    page.route("**/api/mendings?*", begin)
    page.route("**/api/mendings/*", look)
    page.locator("#options-all > summary").click()
    page.locator("#mend").click()
    page.get_by_role("button", name="Look for better rules").click()
    expect(page.locator("#mending .mended > li")).to_have_count(3, timeout=SLOW)
    assert len(begun) == 2 and begun[0] == begun[1]
    assert "1" * 32 in looks[0] and "2" * 32 in looks[1]
