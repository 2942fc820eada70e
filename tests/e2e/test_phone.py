"""The table on a phone, with fingers: the touches come from the browser's own input, so that its style rules count."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import CDPSession, Page, expect

from e2e.clicker import Clicker
from e2e.conftest import RULES, Opener, Server, come_true, link, set_table, shot
from e2e.test_accessibility import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
Spot = tuple[float, float]


@contextmanager
def fingers(page: Page) -> Iterator[Callable[..., None]]:
    """A function that moves any number of fingers together, each along its own spots."""
    session: CDPSession = page.context.new_cdp_session(page)

    def send(kind: str, spots: list[Spot]) -> None:
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(spots)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def move(*ways: list[Spot]) -> None:
        send("touchStart", [way[0] for way in ways])
        for spots in zip(*(way[1:] for way in ways), strict=True):
            send("touchMove", list(spots))
            page.wait_for_timeout(16)  # one frame: the browser joins the moves of a frame
        send("touchEnd", [])

    yield move
    session.detach()


def line(start: Spot, end: Spot, steps: int = 8) -> list[Spot]:
    """Spots from one to another."""
    return [(start[0] + (end[0] - start[0]) * i / steps, start[1] + (end[1] - start[1]) * i / steps) for i in range(steps + 1)]


def shown(page: Page) -> list[float]:
    """The visible part of the board: x, y, width, height, in units of the picture."""
    box: str = page.evaluate("document.querySelector('#stage svg.board').getAttribute('viewBox')")
    return [float(each) for each in box.split()]


def test_the_board_is_dragged_and_pinched_with_fingers(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(link(set_table(server, "barricade", ["person"] * 4), 0, 1, 2, 3), **PHONE)
    expect(page.locator("#stage .can").first).to_be_visible()
    stage = page.locator("#stage").bounding_box()
    assert stage is not None
    x, y = stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2
    before, scrolled = shown(page), page.evaluate("scrollY")
    with fingers(page) as move:
        move(line((x, y - 60), (x, y + 60)))
        assert shown(page)[1] < before[1] - 60, "the board follows the finger for its whole way"
        move(line((x - 20, y), (x - 80, y)), line((x + 20, y), (x + 80, y)))
        assert shown(page)[2] < 0.7 * before[2], "two fingers that part make it larger"
        large = shown(page)
        move(line((x - 80, y), (x - 20, y)), line((x + 80, y), (x + 20, y)))
        assert shown(page)[2] > 1.5 * large[2]
    assert page.evaluate("scrollY") == scrolled, "the page stays where it is"


# Has each piece an edge, in the drawings that it uses, and is all of it seen?
EDGED = """(() => {
    const drawing = (use) => document.querySelector(use.getAttribute("href"));
    const drawingsOf = (piece) => [...piece.querySelectorAll("use")].map(drawing);
    const edgesOf = (piece) => drawingsOf(piece).flatMap((each) => [...(each?.querySelectorAll(".side, .face-2") ?? [])]);
    const pieces = [...document.querySelectorAll("#stage svg [data-id^='p:']")].map(edgesOf);
    const isSeen = (edge) => getComputedStyle(edge).display === "inline";
    return pieces.length > 0 && pieces.every((edges) => edges.length > 0 && edges.every(isSeen));
})()"""


@pytest.mark.parametrize("game", ["barricade", "burning_bridges"])
def test_pieces_have_their_edge_on_a_phone(game: str, open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(link(set_table(server, game, seats=2), 0, 1), **PHONE)
    expect(page.locator("#stage .can").first).to_be_visible()
    come_true(page, EDGED)
    shot(page, f"{game}_phone.png")


# Adds up what moved on the page without a touch within half a second before it.
SHIFTS = """(() => {
    window.shifted = 0;
    const add = ({ value, hadRecentInput }) => { if (!hadRecentInput) window.shifted += value; };
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: "layout-shift", buffered: true });
})()"""


@pytest.mark.parametrize("game", RULES)
def test_nothing_moves_but_what_somebody_moves(game: str, open_page: Callable[..., Page], server: Server) -> None:
    seats = {"barricade": 4, "burning_bridges": 3, "front_lines": 4}.get(game, 2)
    options = {} if game == "forty_bridges" else {"seats": seats}
    table = set_table(server, game, ["person", *["greedy"] * (seats - 1)], **options)
    page = open_page(link(table, 0), **PHONE, script=SHIFTS, reduced_motion="no-preference")
    expect(page.locator("#stage .can").first).to_be_visible()
    stage = page.locator("#stage").bounding_box()
    lines = 12 if game == "forty_bridges" else 24  # later this game is over, and its end looks different
    Clicker(page, seed=3, prefer=("Confirm",), avoid=("Pass",), finger=True).until(
        lambda: page.locator("#log li").count() >= lines
    )
    shot(page, f"{game}_thumb.png")
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("#stage").bounding_box() == stage, "the board stands where it stood"
    assert page.evaluate("window.shifted") <= 0.02


# What is pressed and zooms at a double tap: `touch-action` of a node counts together with that of all around it.
ZOOMS = """() => {
    const around = (node) => node ? [getComputedStyle(node).touchAction, ...around(node.parentElement)] : [];
    const pressed = document.querySelectorAll('a, button, label, input, select, textarea, summary, [role=button], #stage');
    return [...pressed].filter((node) => around(node).every((action) => action === 'auto'))
        .map((node) => node.outerHTML.slice(0, 80));
}"""


def test_a_double_tap_on_what_is_pressed_zooms_on_no_page(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", ("person", "person"))
    page = open_page("/", width=360, height=740, has_touch=True, is_mobile=True)
    for path in (*PAGES, "/class", link(table, 0, 1)):
        page.goto("about:blank")
        page.goto(server.url + path)
        assert page.locator("a, button").count() > 2
        assert page.evaluate(ZOOMS) == []
