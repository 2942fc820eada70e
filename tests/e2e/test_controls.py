"""The buttons of a table: what can be done now, each in a place of its own, and what one must do in one press."""

import pytest
from playwright.sync_api import Page, expect

from bridgehead.core.phrases import languages
from e2e.conftest import HAND, RULES, Opener, Server, link, set_table, shot
from e2e.test_pending import PHONES, VIEWS, from_showpiece, phone

pytestmark = [pytest.mark.browser, pytest.mark.wide]
# The buttons that are seen and cannot be pressed, and where the others are.
GREY = """[...document.querySelectorAll('.prompt .btn')].filter((each) => {
  const isOff = each.disabled || each.ariaDisabled === 'true';
  return isOff && each.checkVisibility({ visibilityProperty: true });
}).map((each) => each.textContent)"""
PLACES = """Object.fromEntries([...document.querySelectorAll('.actions .btn, #buttons .btn')].filter((each) =>
  each.checkVisibility({ visibilityProperty: true })).map((each) => [each.textContent, each.getBoundingClientRect().x]))"""
# A view in which one can only pass, and the actions that the page sends.
FORCED = """() => {
  window.acted = [];
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).t === "act") window.acted.push(JSON.parse(text).a);
    else send.call(this, text);
  };
  const view = JSON.parse(window.views.find((each) => each.includes('"picture"')));
  const { picture, items, goal, sealed, recent, ...rest } = view;
  const pass = { action: 7, label: "pass", text: "pass", path: ["!pass"], kind: "button" };
  const news = { ...rest, v: view.v + 1, moved: view.v + 1, logFrom: view.log.length, log: [], patch: { gone: [], put: [] } };
  window.hear({ data: JSON.stringify({ ...news, choices: [pass], buttons: { "!pass": "Pass" } }) });
}"""


def list_shown(page: Page, *ids: str) -> list[str]:
    return [each for each in ids if page.locator(each).is_visible()]


@PHONES
def test_only_what_can_be_done_now_is_seen_and_nothing_takes_its_place(width: int, open_page: Opener, server: Server) -> None:
    page = open_page(link(from_showpiece(server), 0, 1, 2, 3, 4), **phone(width))
    assert page.evaluate(GREY) == [] and list_shown(page, "#undo", "#takeback", "#confirm") == []
    first = page.evaluate(PLACES)
    page.locator("#choices button").first.tap()
    expect(page.locator("#confirm")).to_be_visible()
    assert page.evaluate(GREY) == [] and list_shown(page, "#undo", "#takeback", "#confirm") == ["#undo", "#confirm"]
    then = page.evaluate(PLACES)
    assert all(abs(then[name] - first[name]) < 2 for name in first if name in then)  # px: letters grow a little bolder
    shot(page, f"controls_{width}.png")
    page.locator("#confirm").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    assert page.evaluate("!!document.activeElement.closest('#stage [data-id]')"), "the keyboard goes on at the board"


def test_a_step_is_undone_before_a_turn_is_taken_back(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "forty_bridges", ("person", "greedy")), 0), **phone(390))
    page.get_by_role("tab", name="All actions").tap()
    page.locator("#list button").first.tap()
    page.locator("#confirm").tap()
    expect(page.locator("#log li")).to_have_count(2)
    page.wait_for_timeout(HAND)
    expect(page.locator("#takeback")).to_be_visible()
    expect(page.locator("#undo")).to_be_hidden()
    page.locator("#list button").first.tap()
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#takeback")).to_be_hidden()
    while page.locator("#undo").is_visible():  # each touch is a step
        page.locator("#undo").tap()
    expect(page.locator("#takeback")).to_be_visible()


@PHONES
def test_what_one_must_do_is_one_press(width: int, open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "barricade", seats=2), 0, 1), script=VIEWS, **phone(width))
    page.evaluate(FORCED)
    page.wait_for_timeout(HAND)
    page.get_by_role("button", name="Pass", exact=True).tap()
    assert page.evaluate("window.acted") == [7]


# Whether the sentence lies over the board.
OVER = """() => {
  const [said, board] = ['#why', '#stage svg.board'].map((each) => document.querySelector(each).getBoundingClientRect());
  const apart = said.bottom <= board.top || said.top >= board.bottom || said.right <= board.left || said.left >= board.right;
  return !apart || said.top < 0 || said.bottom > innerHeight || said.left < 0 || said.right > innerWidth;
}"""


@pytest.mark.parametrize("game", RULES)
def test_a_sentence_that_is_about_no_place_lies_beside_the_board(game: str, open_page: Opener, server: Server) -> None:
    table = set_table(server, game, **({} if game == "forty_bridges" else {"seats": 2}))
    for width, height in ((360, 640), (360, 740), (390, 844), (740, 360), (768, 1024), (1280, 800)):
        finger = {"has_touch": True, "is_mobile": True} if width < 1000 else {}
        page = open_page(link(table, 0, 1), width=width, height=height, **finger)
        page.locator("#ask").evaluate("(button) => button.click()")
        expect(page.locator("#why")).to_be_visible()
        assert not page.evaluate(OVER), (width, height)
        page.close()


# Of each seat the sign's lower edge with its shadow, and the upper edge of the name.
SIGNS = """[...document.querySelectorAll('#seats li')].map((seat) => {
  const [sign, name] = ['.chip', 'strong'].map((each) => seat.querySelector(each).getBoundingClientRect());
  return [sign.top - seat.getBoundingClientRect().top, name.top - sign.bottom, name.width];
})"""
# Of each seat the air before its sign, and how much wider its words are than their place.
AIR = """[...document.querySelectorAll('#seats li')].map((seat) => {
  const [sign, words] = ['.chip', 'div'].map((each) => seat.querySelector(each));
  return [sign.getBoundingClientRect().left - seat.getBoundingClientRect().left, words.scrollWidth - words.clientWidth];
})"""
LANGUAGE = "location.host && localStorage.setItem('bridgehead.prefs', JSON.stringify({lang: '%s'}))"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seats", [4, 5])
def test_the_sign_of_a_seat_leaves_its_name_free_on_a_phone(seats: int, language: str, open_page: Opener, server: Server) -> None:
    table = set_table(server, "burning_bridges", ["person", *["greedy"] * (seats - 1)], seats=seats)
    page = open_page(link(table, 0), script=LANGUAGE % language, **phone(360))
    expect(page.locator("#seats li")).to_have_count(seats)
    for above, between, wide in page.evaluate(SIGNS):
        assert above >= 0 and between >= 3 and wide > 20
    shot(page, f"seats_{seats}_{language}.png", clip={"x": 0, "y": 0, "width": 360, "height": 160})


@PHONES
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seats", [2, 3])
def test_the_sign_of_a_seat_has_air_at_the_edge_of_a_phone(
    seats: int, language: str, width: int, open_page: Opener, server: Server
) -> None:
    table = set_table(server, "burning_bridges", ["person", *["greedy"] * (seats - 1)], seats=seats)
    page = open_page(link(table, 0), script=LANGUAGE % language, **phone(width))
    expect(page.locator("#seats li")).to_have_count(seats)
    assert all(air >= 8 and beyond <= 0 for air, beyond in page.evaluate(AIR)), page.evaluate(AIR)
    shot(page, f"air_{seats}_{language}_{width}.png", clip={"x": 0, "y": 0, "width": width, "height": 160})


@pytest.mark.parametrize("game", RULES)
def test_a_touch_leaves_no_frame_of_the_focus(game: str, open_page: Opener, server: Server) -> None:
    table = set_table(server, game, **({} if game == "forty_bridges" else {"seats": 2}))
    page = open_page(link(table, 0, 1), **phone(390))
    expect(page.locator("#stage .can").first).to_be_visible()
    board = page.locator("#stage").bounding_box()
    assert board
    for across, down in ((0.5, 0.5), (0.03, 0.03), (0.97, 0.5), (0.5, 0.97), (0.3, 0.3)):
        page.touchscreen.tap(board["x"] + across * board["width"], board["y"] + down * board["height"])
        page.wait_for_timeout(100)
        style = page.evaluate("[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]")
        assert style[1] == "none", (across, down, style)


# A view in which the computer gets ready, and one in which it thinks.
WAITING = """(preparing) => {
  const view = JSON.parse(window.views.find((each) => each.includes('"picture"')));
  const { picture, items, goal, sealed, recent, choices, ...rest } = view;
  const patch = { gone: [], put: [] };
  const news = { ...rest, actor: 1 - view.you[0], v: view.v + 1, logFrom: view.log.length, log: [], patch };
  window.hear({ data: JSON.stringify({ ...news, thinking: true, ...(preparing && { preparing }) }) });
}"""


@PHONES
def test_a_long_first_wait_shows_that_it_goes_on_and_offers_another_game(width: int, open_page: Opener, server: Server) -> None:
    table = set_table(server, "front_lines", ("person", "person"), seats=2)
    page = open_page(link(table, 0), script=VIEWS, **phone(width))
    page.evaluate(WAITING, True)
    expect(page.locator("#hint")).to_contain_text("getting ready")
    news = page.locator("#people")
    expect(news.get_by_role("progressbar")).to_be_visible()
    expect(news.get_by_role("link", name="Meanwhile")).to_have_attribute("href", "/new/front_lines?mode=here")
    shot(page, f"preparing_{width}.png")
    page.evaluate(WAITING, False)
    expect(news.get_by_role("progressbar")).to_have_count(0)
