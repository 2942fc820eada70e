"""Each seat of a board that can be turned has its own side below, and everything on the board follows."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import SPOT
from e2e.conftest import HAND, Opener, Server, link, set_table, shot
from e2e.test_phone import fingers, line

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
# The mean height of a seat's pieces on the screen, and that of the whole board.
HEIGHTS = """(seat) => {
  const place = (node) => node.getScreenCTM().f, mean = (all) => all.reduce((a, b) => a + b, 0) / all.length;
  const all = [...document.querySelectorAll('#stage [data-id]')];
  return [mean(all.filter((n) => n.matches(`[class*="seat-${seat}"][data-id^="p:"]`)).map(place)), mean(all.map(place))];
}"""


def lies_below(page: Page, seat: str) -> bool:
    """Whether a seat's pieces lie in the lower half of the board."""
    expect(page.locator(f"#stage [class*='seat-{seat}'][data-id^='p:']")).not_to_have_count(0)
    own, all_ = page.evaluate(HEIGHTS, seat)
    return bool(own > all_)


def spot(page: Page, thing: str) -> tuple[float, float]:
    x, y = page.evaluate(SPOT, thing)
    return x, y


PIECE, GOAL = "#stage .can[data-id^='p:']", "#stage .can[data-id]:not([data-id^='p:'])"


def find_first(page: Page, kind: str) -> str:
    """The id of the first piece or goal that can be touched, once there is one."""
    found = page.locator(kind).first
    expect(found).to_be_visible()
    return str(found.get_attribute("data-id"))


def tap(page: Page, thing: str) -> None:
    page.touchscreen.tap(*spot(page, thing))


def test_both_seats_play_by_touch_from_below(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    black, blue = open_page(link(table, 0), **PHONE), open_page(link(table, 1), **PHONE)
    watcher = open_page(link(table))
    assert lies_below(black, "a") and lies_below(blue, "b")
    assert lies_below(watcher, "a") and not lies_below(watcher, "b"), "whoever watches sees it as it is printed"
    for page, letter in ((black, "a"), (blue, "b")):
        expect(page.locator("#stage .can").first).to_be_visible()
        page.wait_for_timeout(HAND)
        piece = find_first(page, PIECE)
        tap(page, piece)
        goal = find_first(page, GOAL)
        tap(page, goal)
        there = spot(page, goal)
        page.locator("#confirm").tap()
        for each in (black, blue, watcher):
            expect(each.locator("#log li").last).to_contain_text(goal[2:])
        now = spot(page, f"{piece[:4]}{goal[2:]}")
        assert abs(now[0] - there[0]) < 20 and abs(now[1] - there[1]) < 20, (letter, now, there)
    shot(blue, "own_side.png")


def test_dragging_and_arrow_keys_follow_the_turned_board(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    black, blue = open_page(link(table, 0), **PHONE), open_page(link(table, 1), **PHONE)
    black.locator(PIECE).first.focus()
    black.keyboard.press("Enter")
    black.locator(GOAL).first.focus()
    black.keyboard.press("Enter")
    black.locator("#confirm").tap()
    expect(blue.locator(PIECE).first).to_be_visible()
    blue.wait_for_timeout(HAND)
    piece = find_first(blue, PIECE)
    tap(blue, piece)
    goal = find_first(blue, GOAL)
    blue.keyboard.press("Escape")
    with fingers(blue) as move:
        move(line(spot(blue, piece), spot(blue, goal)))
    assert blue.evaluate("scrollY") == 0
    blue.wait_for_timeout(HAND)  # a touch in the moment in which a drag ends is no click
    blue.locator("#confirm").tap()
    piece = f"{piece[:4]}{goal[2:]}"
    expect(blue.locator(f"#stage [data-id='{piece}']")).to_be_visible()
    for key, axis, sign in (("ArrowRight", 0, 1), ("ArrowUp", 1, -1)):
        blue.locator(f"#stage [data-id='{piece}']").focus()
        start = spot(blue, piece)
        blue.keyboard.press(key)
        place = spot(blue, blue.evaluate("document.activeElement.dataset.id"))
        assert (place[axis] - start[axis]) * sign > 5, (key, start, place)


def test_a_press_turns_the_board_and_this_device_remembers_it(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page = open_page(link(table, 1), **PHONE)
    assert lies_below(page, "b")
    page.get_by_role("button", name="Menu", exact=True).tap()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name="Turn the board").tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert lies_below(page, "a")
    page.reload()
    assert lies_below(page, "a")
    page.get_by_role("button", name="Menu", exact=True).tap()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name="Turn the board").tap()
    assert lies_below(page, "b")


def test_a_replay_is_seen_from_the_own_side(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page = open_page(link(table, 1), **PHONE)
    assert lies_below(page, "b")
    page.goto(f"{server.url}/replay/{table['table']}")
    assert lies_below(page, "b")
    expect(page.locator("#side")).to_have_value("1")


def test_one_screen_for_both_turns_only_where_the_settings_say_so(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "forty_bridges"), 0, 1), **PHONE)

    def play() -> None:
        page.locator("#stage .can[data-id^='p:']").first.focus()
        page.keyboard.press("Enter")
        page.locator("#stage .can[data-id]:not([data-id^='p:'])").first.focus()
        page.keyboard.press("Enter")
        before = page.locator("#log li").count()
        page.locator("#confirm").tap()
        expect(page.locator("#log li")).to_have_count(before + 1)
        page.wait_for_timeout(HAND)

    assert lies_below(page, "a")
    play()
    assert lies_below(page, "a"), "Blue moves, and nothing has turned"
    page.get_by_role("button", name="Menu", exact=True).tap()
    page.locator(".bottom [data-settings]").tap()
    page.get_by_label("At one screen, turn the board to whoever moves").check()
    page.get_by_role("dialog", name="Settings").get_by_role("button", name="Close").tap()
    assert lies_below(page, "b")
    play()
    assert lies_below(page, "a")


def test_a_board_with_one_start_for_all_is_not_turned(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "front_lines", seats=2), 1), **PHONE)
    expect(page.locator("#stage [data-id^='p:']").first).to_be_attached()
    expect(page.locator("[data-turn]").locator("visible=true")).to_have_count(0)
    page.get_by_role("button", name="Menu", exact=True).tap()
    expect(page.get_by_role("dialog", name="Menu").get_by_role("button", name="Turn the board")).to_have_count(0)
