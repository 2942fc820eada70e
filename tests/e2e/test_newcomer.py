"""A person who has never seen the games gets from the home page to a move in a few clicks, and plays each game to its end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from e2e.conftest import Server
from e2e.newcomer import Newcomer
from waiting import least

pytestmark = pytest.mark.browser
TITLES = ("Burning Bridges", "40 Bridges", "The Front Lines", "Barricade")
MOST = 8  # clicks from home to the first move: two to the board, then a move of three, touched at random


@pytest.mark.parametrize("title", TITLES)
def test_from_home_to_the_first_move(title: str, open_page: Callable[..., Page], server: Server) -> None:
    def visit() -> float:
        visitor = Newcomer(open_page("/"))
        visitor.start(title)
        assert visitor.clicks == 2
        way = visitor.first_move()
        assert way.words < 700, way
        return way.clicks

    # Cards are dealt by lot: beside open mines, who touches at random may ask for one again and again before another card.
    assert least(visit, MOST) <= MOST


@pytest.mark.long
@pytest.mark.timeout(2400)  # by lot, and at the pace of a hand, a game takes minutes
@pytest.mark.parametrize("title", TITLES)
def test_from_home_to_the_end(title: str, open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/")
    visitor = Newcomer(page, seed=2)
    visitor.start(title)
    visitor.play()
    assert page.locator("#say").inner_text()
