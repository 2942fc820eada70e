"""Bidding for the first turn on the page: one family presses a number, the other its place, on a phone and on a desk."""

import pytest
from playwright.sync_api import Locator, expect

from e2e.conftest import HAND, Opener, Server, link, set_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SIZES = {"phone": (390, 844), "narrow": (360, 740), "desk": (1280, 800)}


@pytest.mark.parametrize("size", SIZES)
def test_a_number_is_bid_and_the_other_family_chooses_its_place(open_page: Opener, server: Server, size: str) -> None:
    table = set_table(server, "burning_bridges", seats=2, firstPlayer="seat0", bid=True)
    page = open_page(link(table, 0, 1), *SIZES[size])
    buttons = page.locator("#buttons").get_by_role("button")
    expect(page.locator("#stage .piece").first).to_be_visible()
    expect(buttons).to_have_text([f"+{number}" for number in range(5)])
    expect(buttons.first).to_be_in_viewport(ratio=1)
    assert len({box["y"] for box in map(Locator.bounding_box, buttons.all()) if box}) == 1, "all five in one row"
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    shot(page, f"bid_{size}.png")
    for pressed, text in ((buttons.nth(2), "bids 2 more moves"), (buttons.nth(1), "last")):
        page.wait_for_timeout(HAND)
        pressed.click()
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
        expect(page.locator("#log li").last).to_contain_text(text)
        shot(page, f"bid_{size}_{'chosen' if text == 'last' else 'choice'}.png")
    expect(page.get_by_role("button", name="End the turn")).to_be_in_viewport(ratio=1)
