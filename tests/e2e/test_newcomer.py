"""A person who has never seen the games gets from the home page to a move in a few clicks, and plays each game to its end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from e2e.conftest import RULES, Server, fetched, shot
from e2e.newcomer import Newcomer, Pupil
from waiting import least

pytestmark = pytest.mark.browser
TITLES = ("Burning Bridges", "40 Bridges", "The Front Lines", "Barricade")
ASKED = 4  # actions of a tutorial that a pupil may have to be shown
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
    assert pupil.asked <= ASKED, (pupil.asked, sum("right" in step for step in steps))
    shot(page, f"taught_{game}.png")


# The arrows of a tutorial and the discs with pieces drawn again: the tip of each arrow, the middles, and the board's edges.
ARROWS = """() => {
  const middle = ({x, y, width, height}) => [x + width / 2, y + height / 2];
  const tip = (arrow) => { const {e, f} = arrow.getScreenCTM(); return [e, f]; };
  const all = (where) => [...document.querySelectorAll(where)];
  const box = (node) => node.getBoundingClientRect();
  return {
    tips: all('#stage .pointer').map(tip),
    ends: all('#stage .pointer').map((each) => [box(each).top, box(each).bottom]),
    discs: Object.fromEntries(all('#stage [data-fan]').map((fan) => [fan.dataset.fan, middle(box(fan.querySelector('.fan')))])),
    board: [box(document.querySelector('#stage svg.board')).top, box(document.querySelector('#stage svg.board')).bottom],
  };
}"""


def test_an_arrow_of_a_tutorial_points_at_the_piece_as_a_finger_finds_it(open_page: Callable[..., Page]) -> None:
    page = open_page("/learn/burning_bridges", 390, 844, has_touch=True)
    page.locator("#next").tap()
    page.locator("#stage [data-fan]").first.wait_for()
    seen = page.evaluate(ARROWS)
    x, y = seen["discs"]["p:aM"]
    assert any(abs(at[0] - x) < 5 and abs(at[1] - y) < 30 for at in seen["tips"]), seen
    assert all(seen["board"][0] <= top and bottom <= seen["board"][1] for top, bottom in seen["ends"]), seen
