"""Choice of side on the page: the exchange is one of the buttons, on a phone and on a desk, in its turn only."""

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import SPOT
from e2e.conftest import HAND, Opener, Server, link, set_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SIZES = {"phone": (360, 740), "desk": (1280, 800)}
BEGUN = {"burning_bridges": {"seats": 2, "firstPlayer": "seat0", "pie": True}, "forty_bridges": {"pie": True}}


def begin(page: Page, game: str) -> None:
    """The first turn of the game."""
    page.wait_for_timeout(HAND)
    if game == "burning_bridges":
        page.get_by_role("button", name="End the turn").click()
    else:
        for thing in ("p:0:b2", "f:c2"):
            page.mouse.click(*page.evaluate(SPOT, thing))
            page.wait_for_timeout(HAND)
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
    expect(page.locator("#log li")).to_have_count(1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", BEGUN)
def test_the_second_turn_offers_the_exchange_and_the_log_says_it(open_page: Opener, server: Server, game: str, size: str) -> None:
    page = open_page(link(set_table(server, game, **BEGUN[game]), 0, 1), *SIZES[size])
    swap = page.locator("#buttons").get_by_role("button", name="Exchange sides")
    expect(page.locator("#stage .can").first).to_be_visible()
    expect(swap).to_have_count(0)
    begin(page, game)
    expect(swap).to_be_in_viewport(ratio=1)
    if game == "burning_bridges":
        expect(page.get_by_role("button", name="End the turn")).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(HAND)
    shot(page, f"exchange_{game}_{size}.png")
    swap.click()
    if page.locator("#confirm").is_visible():
        page.locator("#confirm").click()
    expect(page.locator("#log li").last).to_contain_text("exchange")
    expect(swap).to_have_count(0)
    shot(page, f"exchanged_{game}_{size}.png")
