"""A drawn opening on the page: sealed like a die, said in the log, and shown on the board, on a phone and on a desk."""

import pytest
from playwright.sync_api import expect

from e2e.conftest import HAND, Opener, Server, link, post_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SIZES = {"phone": (390, 844), "desk": (1280, 800)}
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]


@pytest.mark.parametrize("size", SIZES)
def test_the_log_says_the_drawn_moves_and_the_board_shows_them(open_page: Opener, server: Server, size: str) -> None:
    table = post_table(server, "forty_bridges", PEOPLE, options={"openings": "balanced"})
    page = open_page(link(table, 0, 1), *SIZES[size])
    first = page.locator("#log li").first
    expect(first).to_contain_text("By lot: Ada from")
    said = first.inner_text().replace(",", " ").split()
    froms, tos = ([said[place + 1] for place, word in enumerate(said) if word == each] for each in ("from", "to"))
    page.wait_for_timeout(HAND)
    for seat in (0, 1):
        expect(page.locator(f'[data-id="p:{seat}:{tos[seat]}"]')).to_have_count(1)
        expect(page.locator(f'[data-id="p:{seat}:{froms[seat]}"]')).to_have_count(0)
    expect(page.locator("#stage .can").first).to_be_visible()
    shot(page, f"opening_{size}.png")
