"""Following what happened: the others' turns at the table, seen again, at a pace; previews, and taking back."""

import re
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bridgehead.client import Host
from e2e.clicker import TOUCH, Clicker
from e2e.conftest import Opener, Server, come_true, link, set_table, shot
from e2e.test_phone import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def touch(page: Page, thing: str) -> None:
    """Click, or on a phone tap, a thing on the board."""
    place = come_true(page, f"({TOUCH})(['thing', '{thing}'])")
    (page.touchscreen.tap if page.evaluate("matchMedia('(pointer: coarse)').matches") else page.mouse.click)(*place)


def placed(page: Page) -> Any:
    """Where the pieces are on the board."""
    return page.evaluate(
        "[...document.querySelectorAll('#stage .piece')].map((n) => [n.dataset.id, n.getAttribute('transform')])"
    )


def my_turn(page: Page, lines: int) -> None:
    """Play until there are some lines in the log and it is the page's turn."""
    Clicker(page, seed=3, avoid=("Pass",)).until(lambda: page.locator("#log li").count() >= lines)
    expect(page.locator("#stage .can").first).to_be_visible()


def test_what_the_others_did_is_listed_marked_shown_again_and_taken_back(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", ["person", *["greedy"] * 3], seats=4)
    page = open_page(link(table, 0))
    expect(page.locator("#stage .can").first).to_be_visible()
    my_turn(page, 24)
    rows = page.locator("#turns li")
    expect(rows).to_have_count(3)
    told = rows.all_inner_texts()
    assert all(re.search(r"rolled \d: ", each) or "passed" in each for each in told), told
    marks = "document.querySelectorAll('#stage .marks [class*=seat-] .m-seat-line').length"
    come_true(page, f"{marks} >= 3")  # the others' moves are marked in their colours
    shot(page, "since.png")
    page.reload()
    expect(rows).to_have_count(3)
    assert rows.all_inner_texts() == told, "a reload loses nothing"
    now = placed(page)
    rows.first.get_by_role("button").click()
    expect(page.locator("#stage")).to_have_class(re.compile("past"))
    assert placed(page) != now, "the board as it was before"
    expect(page.locator("#stage")).not_to_have_class(re.compile("past"))
    assert placed(page) == now
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator("#since-step").click()
    shot(page, "since_steps_phone.png")
    page.locator("#since-close").click()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("s")
    steps = page.locator("#since-said")
    expect(steps).to_contain_text(re.compile(r"^1 of \d"))
    last = int(re.findall(r"\d+", steps.inner_text())[1])
    for number in range(2, last + 1):
        page.locator("#since-on").click()
        expect(steps).to_contain_text(f"{number} of {last}")
    expect(page.locator("#since-on")).to_be_disabled()
    shot(page, "since_steps.png")
    assert placed(page) == now, "the last step is the present"
    page.locator("#since-back").click()
    page.locator("#since-close").click()
    expect(steps).to_be_hidden()
    log = page.locator("#log li").all_inner_texts()
    page.locator("#takeback").click()
    come_true(page, f"document.querySelectorAll('#log li').length < {len(log)}")
    expect(page.locator("#stage .can").first).to_be_visible()
    back = page.locator("#log li").all_inner_texts()
    gone = [line for line in log[len(back) :] if "You" in line]
    assert log[: len(back)] == back and len([line for line in gone if "rolled" not in line]) == 1, (
        "past the computers, to my decision"
    )


def test_players_move_a_second_apart_and_a_press_shows_the_present(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", ["person", *["greedy"] * 3], seats=4)
    page = open_page(reduced_motion="no-preference")
    page.clock.install()
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    page.goto(server.url + link(table, 0))
    expect(page.locator("#stage .can").first).to_be_visible()
    page.clock.pause_at(page.evaluate("Date.now()") + 5000)

    def arrived(is_so: Callable[[], bool], ticks: int = 0) -> None:
        until = time.monotonic() + 60
        while not is_so():
            assert time.monotonic() < until, frames[-1:]
            page.clock.run_for(ticks)
            page.wait_for_timeout(20)

    def play() -> int:
        """Play an action, and wait until the server says that it is my turn again; the number of lines on the page."""
        acks = sum('"t":"ack"' in frame for frame in frames)
        page.locator("#choices button").first.click()
        arrived(lambda: sum('"t":"ack"' in frame for frame in frames) > acks, ticks=1)  # frames of before may come late
        arrived(lambda: '"choices"' in frames[-1] and '"t":"ack"' not in frames[-1])
        return page.locator("#log li").count()

    shown = play()
    for _ in range(3):
        page.clock.run_for(1000)
        before, shown = shown, page.locator("#log li").count()
        assert shown > before, "one more player"
    expect(page.locator("#stage .can").first).to_be_visible()
    waiting = play()
    page.locator("#where").click()
    assert page.locator("#log li").count() > waiting + 2
    expect(page.locator("#stage .can").first).to_be_visible()


# The seats whose moves are marked; a turn that also sets a barricade has two marks.
MARKED = """[...new Set([...document.querySelectorAll("#stage .marks [class*=seat-]:has(.m-seat-line):not(.seat-none)")]
    .map((each) => each.className.baseVal))].sort()"""


def test_only_the_last_turn_is_marked_and_the_others_where_one_points(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", ["person", *["greedy"] * 3], seats=4)
    fast = "localStorage['bridgehead.prefs'] = JSON.stringify({ speed: 'fast' })"
    page = open_page(link(table, 0), script=fast, reduced_motion="no-preference")
    expect(page.locator("#stage .can").first).to_be_visible()
    rows, choices = page.locator("#turns li"), page.locator("#choices button")
    while rows.count() < 3 or any("passed" in each for each in rows.all_inner_texts()):
        choices.first.click()
        expect(choices.first).to_be_visible()
    (last,) = come_true(page, f"({MARKED}).length === 1 && {MARKED}")  # the move that was made last
    page.locator("#seats li").nth(1).hover()
    (other,) = come_true(page, f"({MARKED}).length === 1 && {MARKED}[0] !== '{last}' && {MARKED}")  # the seat that is pointed at
    rows.nth(1).hover()
    come_true(page, f"({MARKED}).length === 1 && !['{last}', '{other}'].includes({MARKED}[0])")  # the turn that is pointed at
    page.locator("#since-step").hover()
    come_true(page, f"({MARKED}).length === 3")  # all of them
    page.locator(".bar").first.hover(position={"x": 2, "y": 2})
    come_true(page, f"({MARKED}).join() === '{last}'")
    page.reload()
    come_true(page, f"({MARKED}).length === 3")  # whoever comes back has seen none of them


# Keeps the things on the board that were animated.
MOVED = """(() => {
    const animate = Element.prototype.animate;
    window.moved = [];
    Element.prototype.animate = function (...how) { window.moved.push(this.dataset.id); return animate.apply(this, how); };
})()"""


def test_the_only_thing_to_touch_is_previewed_though_one_touch_would_play_it(open_page: Opener, server: Server) -> None:
    table = set_table(server, "burning_bridges", seats=2, firstPlayer="seat0")
    random, offered = Random(0), [""]
    with Host(server.url).join(table["table"], table["tokens"]) as both:
        while not (len(offered) == 2 and offered[0].startswith("take ")):
            both.play(random.choice(both.choices)["action"])
            offered = [choice["text"] for choice in both.choices]
    piece = "p:" + offered[0].removeprefix("take ")
    page = open_page(link(table, 0, 1))
    log = page.locator("#log li")
    expect(page.locator("#stage .can")).to_have_count(1)
    lines = log.count()
    touch(page, piece)
    expect(page.locator("#confirm")).to_be_enabled()
    assert log.count() == lines, "one click is never final"
    touch(page, piece)
    expect(log).to_have_count(lines + 1)
    expect(log.last).to_contain_text("hostage")


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desktop", "phone"])
def test_a_move_takes_two_clicks_or_three_taps_and_an_only_target_is_previewed(
    screen: dict[str, Any], open_page: Opener, server: Server
) -> None:
    table = set_table(server, "burning_bridges", seats=2, firstPlayer="seat0")
    with Host(server.url).join(table["table"], table["tokens"]) as both:
        for text in ("walk L B0", "build B0-R0", "end"):
            both.play(next(choice["action"] for choice in both.choices if choice["text"] == text))
    page = open_page(link(table, 0, 1), script=MOVED, reduced_motion="no-preference", **screen)
    log = page.locator("#log li")
    expect(page.locator("#stage .can").first).to_be_visible()
    lines = log.count()
    touch(page, "p:aS")
    expect(page.locator("#stage .ghost")).to_have_attribute("data-id", "p:aS")
    shot(page, f"preview_{'phone' if screen else 'desktop'}.png")
    assert log.count() == lines, "one click is never final"
    touch(page, "f:B0")
    expect(log).to_have_count(lines + 1)
    expect(log.last).to_contain_text("crosses")
    touch(page, "p:aM")
    touch(page, "f:B0")
    if screen:
        expect(page.locator("#choices button")).to_have_count(2)
        expect(page.locator("#choices [aria-pressed=true]")).to_contain_text("bridge")
        shot(page, "rare_phone.png")
        page.locator("#confirm").tap()
    expect(log).to_have_count(lines + 2)
    expect(log.last).to_contain_text("crosses")
    assert page.evaluate("window.moved") == ["p:aS", "p:aM"], "pieces that make room do not move, nor does anything else"


def test_before_anybody_has_moved_the_game_begins(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "barricade", seats=2), 0, 1))
    expect(page.locator("#log li").first).to_be_visible()  # the lot has decided who goes first
    expect(page.locator("#turns")).to_have_text("The game begins.")
