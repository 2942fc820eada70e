"""The start page: three actions a card, whole boards, nothing that moves when pressed, and a game at one screen at once."""

import pytest
from playwright.sync_api import Page, expect

from bridgehead.core.phrases import languages
from e2e.conftest import AT_TABLE, HAND, RULES, Opener, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
BOXES = """() => [...document.querySelectorAll('.game, .game .acts .btn, .about h2')].map((node) => {
  const {x, y, width, height} = node.getBoundingClientRect();
  return [x, y + scrollY, width, height];
})"""


def wait_until_drawn(page: Page) -> None:
    expect(page.locator(".picture svg")).to_have_count(len(RULES))


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740), (768, 1024), (1280, 800), (1920, 1080)])
def test_each_card_has_three_actions_a_whole_board_and_its_play_button_in_sight(
    width: int, height: int, locale: str, open_page: Opener
) -> None:
    page = open_page("/", width, height, locale=locale)
    wait_until_drawn(page)
    cards = page.locator("article.game")
    expect(cards.first.locator("[data-computer]")).to_be_in_viewport(ratio=1)
    for card in cards.all():
        assert card.locator("a:visible, button:visible, summary:visible").count() == 3 + 1  # and the picture
        for each in card.locator(".acts .btn").all():
            assert each.evaluate("node => node.scrollWidth <= node.clientWidth"), each.inner_text()
    pictures = page.locator(".picture")
    inside = "node => { const [a, b] = [node, node.firstElementChild].map((each) => each.getBoundingClientRect());"
    inside += " return b.x >= a.x && b.y >= a.y && b.right <= a.right && b.bottom <= a.bottom && b.width > 0.9 * a.width; }"
    assert all(each.evaluate(inside) for each in pictures.all())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width >= 1280:
        boxes = [card.bounding_box() for card in cards.all()]
        right, bottom = (max(box[a] + box[b] for box in boxes if box) for a, b in (("x", "width"), ("y", "height")))
        assert right > 0.95 * width and bottom > 0.75 * height
    shot(page, f"home_{width}_{locale}.png")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_when_play_or_more_is_pressed(width: int, open_page: Opener) -> None:
    page = open_page("/", width, 844)
    wait_until_drawn(page)
    before = page.evaluate(BOXES)
    card = page.locator("[data-game=front_lines]")
    for opener, what in (("[data-computer]", ".ways"), ("[data-more]", ".others")):
        card.locator(opener).click()
        expect(card.locator(f"{what} > :not([inert])")).to_be_visible()
        assert page.evaluate(BOXES) == before
        shot(page, f"home{what}_{width}.png")
        page.keyboard.press("Escape")
        expect(card.locator(what)).to_be_hidden()
    card.locator("[data-computer]").click()
    page.wait_for_timeout(HAND)
    page.mouse.click(5, 5)  # beside it
    expect(card.locator(".ways")).to_be_hidden()


@pytest.mark.parametrize(("game", "counts"), [("barricade", [2, 3, 4]), ("front_lines", [2, 4]), ("forty_bridges", [2])])
def test_pass_and_play_starts_at_once_for_each_number_of_people(game: str, counts: list[int], open_page: Opener) -> None:
    page = open_page("/", 390, 844)
    card = page.locator(f"[data-game={game}]")
    card.locator("[data-computer]").click()
    buttons = card.locator("[data-here]")
    expect(buttons).to_have_text([f"{count} players" for count in counts])
    page.wait_for_timeout(HAND)
    buttons.last.click()
    expect(page).to_have_url(AT_TABLE)
    expect(page.locator("#seats li")).to_have_count(counts[-1])
    assert page.url.split("#s=")[1].split("&")[0].count(".") == counts[-1] - 1  # all seats are this page's
