"""A person who has never seen the games gets from the home page to a move in a few clicks, and plays each game to its end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from e2e.conftest import RULES, Server, fetched, shot
from e2e.newcomer import Newcomer, Pupil
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


@pytest.mark.parametrize("game", RULES)
def test_a_tutorial_is_played_to_its_end_by_touch_on_what_the_first_screen_of_a_phone_shows(
    game: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"/learn/{game}", 390, 844, has_touch=True)
    pupil = Pupil(page)
    pupil.learn()
    steps = fetched(page, f"/api/games/{game}/tutorial?lang=en")["steps"]
    assert pupil.taught == len(steps)
    assert pupil.asked < sum("right" in step for step in steps), "nothing was done by touching marks"
    shot(page, f"taught_{game}.png")
