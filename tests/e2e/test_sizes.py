"""Every size of screen: what can be chosen is as large as a fingertip, nothing lies under a bar, and the board has its room."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bridgehead.core import record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.link import pack as packed
from bridgehead.core.match import Match
from bridgehead.core.phrases import languages
from e2e.clicker import FRAME, SPOT
from e2e.conftest import Server, come_true, link, post_table, set_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
UPRIGHT = (360, 640), (360, 740), (430, 932)
LYING = (640, 360), (740, 360), (932, 430)
TABLET = (768, 1024)
SIZES = (*UPRIGHT, *LYING, TABLET)
FINGER = 21  # px: a touch area of 44 px, less a pixel for rounding
TRIES = 3  # things touched at each size
MANY = 3  # least number of actions that can be chosen


def played(game: str, actions: int, until: str = "", prefer: str = "", **rules: object) -> str:
    """The record of a random game after so many actions, and then as far as there is a choice of actions with such a name.

    prefer: what is played whenever it can be.
    """
    match, dealer, rng = Match(registry.game(game, **rules)), SeededDealer(8), random.Random(8)
    match.deal(dealer)
    while len(match.log) < actions or sum(match.position.name(a).startswith(until) for a in match.position.legal) < MANY:
        legal = match.position.legal
        liked = [action for action in legal if prefer and match.position.name(action).startswith(prefer)]
        match.play(rng.choice(liked or legal))
        match.deal(dealer)
    return record.dump(match)


# Positions of each game: what is pressed first, and a record.
POSITIONS: dict[str, list[tuple[str, Callable[[], str]]]] = {
    "barricade": [
        ("", lambda: played("barricade", 60, until="place", seats=4)),
        ("", lambda: played("barricade", 300, seats=4)),
        ("", lambda: played("barricade", 40, until="place", seats=2, board="mini")),
        ("", lambda: played("barricade", 80, seats=6, board="six")),
    ],
    "burning_bridges": [
        ("", lambda: played("burning_bridges", 0, seats=5)),
        ("", lambda: played("burning_bridges", 150, seats=5)),
        ("Torch", lambda: played("burning_bridges", 150, until="torch", prefer="build", seats=5)),
        ("", lambda: played("burning_bridges", 60, seats=2)),
    ],
    "forty_bridges": [("", lambda: played("forty_bridges", 0)), ("", lambda: played("forty_bridges", 21))],
    "front_lines": [
        ("", lambda: played("front_lines", 25, seats=4)),
        ("", lambda: played("front_lines", 1, seats=2)),
        ("", lambda: played("front_lines", 24, seats=4, rows=6)),
    ],
}

LIT = "[...document.querySelectorAll('#stage .can[data-id]')].map((node) => node.dataset.id)"
CHOSEN = "[...document.querySelectorAll('#stage [data-id][aria-pressed=true]')].map((node) => node.dataset.id)"
# Where a finger finds a thing; null if that is out of sight or under something else.
PLACE = """(id) => {
    const [stage, [x, y]] = [document.querySelector('#stage'), (SPOT)(id)];
    const seen = [[0, 0], [-FINGER, 0], [FINGER, 0], [0, -FINGER], [0, FINGER]];
    return seen.every(([h, v]) => stage.contains(document.elementFromPoint(x + h, y + v))) ? [x, y] : null;
}""".replace("FINGER", str(FINGER)).replace("SPOT", SPOT)
# The things that could be chosen before, by what is chosen now: itself, else the field under it. An only target is chosen too.
MEANT = """([chosen, lit]) => {
    const at = (id) => document.querySelector(`#stage [data-id="${id}"]`).transform.baseVal[0].matrix;
    const far = (a, b) => Math.hypot(at(a).e - at(b).e, at(a).f - at(b).f);
    const fields = (id) => lit.filter((each) => each.startsWith('f:')).sort((a, b) => far(a, id) - far(b, id));
    const known = chosen.filter((id) => lit.includes(id));
    return known.length ? known : [...new Set(chosen.map((id) => fields(id)[0]))];
}"""
# The place of a thing on the small map.
ON_MAP = """(id) => {
    const [map, board] = [document.querySelector('#map'), document.querySelector('#stage svg')];
    map.scrollIntoView({block: 'center'});
    const {e, f} = document.querySelector(`#stage [data-id="${id}"]`).getScreenCTM();
    const spot = new DOMPoint(e, f).matrixTransform(board.getScreenCTM().inverse()).matrixTransform(map.getScreenCTM());
    return [spot.x, spot.y];
}"""
# The buttons that the page cuts off, and what makes it wider than the screen.
CUT = """[...document.querySelectorAll('.bar .btn, .prompt .btn, .talk .btn, .seats li, .choices li')].filter((node) => {
    const {left, right, width} = node.getBoundingClientRect();
    return width > 1 && (left < -1 || right > innerWidth + 1 || node.scrollWidth > node.clientWidth + 1);
}).map((node) => node.textContent).concat(document.documentElement.scrollWidth > innerWidth ? ['the page'] : [])"""
# The names of buttons that are smaller than a fingertip, or cannot be brought out from under something else.
COVERED = """[...document.querySelectorAll('.prompt .btn, .foot .btn')].filter((button) => {
    if (button.disabled || !button.checkVisibility({visibilityProperty: true})) return false;
    button.scrollIntoView({block: 'nearest'});
    const {x, y, width, height} = button.getBoundingClientRect();
    const at = (h, v) => button.contains(document.elementFromPoint(x + width * h, y + height * v));
    return width < 43.5 || height < 43.5 || ![[0.5, 0.5], [0.2, 0.2], [0.8, 0.8]].every(([h, v]) => at(h, v));
}).map((button) => button.textContent)"""


# The Front Lines: the name of each character, where it ends, its lives, and where those begin.
PLATES = """[...document.querySelectorAll('#stage [data-id^="t:"]:has(.plate-name)')].map((plate) => {
    const [name, lives] = plate.querySelectorAll('.plate-name');
    const [before, after] = [name, lives].map((node) => node.getBoundingClientRect());
    return [name.textContent.trim(), before.right, lives.textContent.trim(), after.left];
})"""


class Hand:
    """Fingers at one page."""

    def __init__(self, page: Page) -> None:
        self.page, self.rng = page, random.Random(5)

    def tap(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)
        self.page.evaluate(FRAME)

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).tap()
        self.page.evaluate(FRAME)

    def touch(self, thing: str) -> None:
        """Touch somewhere within a fingertip of a thing."""
        self.page.evaluate("document.querySelector('#stage').scrollIntoView({block: 'nearest'})")
        place = self.page.evaluate(PLACE, thing)
        if place is None and self.page.locator("#map").is_visible():
            self.tap(*self.page.evaluate(ON_MAP, thing))
            self.page.evaluate("document.querySelector('#stage').scrollIntoView({block: 'nearest'})")
            place = self.page.evaluate(PLACE, thing)
        assert place is not None, f"{thing} cannot be reached"
        across, down = self.rng.choice([(1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0, 0)])
        self.tap(place[0] + FINGER * across, place[1] + FINGER * down)

    def chooses(self, thing: str) -> None:
        """One touch chooses the thing, or enlarges the place so that the next one does."""
        before, lit = self.page.evaluate(CHOSEN), self.page.evaluate(LIT)
        self.touch(thing)
        if self.page.evaluate(CHOSEN) == before and self.page.evaluate(LIT) == lit:
            self.touch(thing)
        chosen = [each for each in self.page.evaluate(CHOSEN) if each not in before]
        assert chosen and self.page.evaluate(MEANT, [chosen, lit]) == [thing], (thing, chosen, self.page.viewport_size)


@pytest.fixture
def seated(open_page: Callable[..., Page], server: Server) -> Callable[..., Page]:
    """Opens a page with all seats of a table at which this was played."""

    def opened(text: str, **how: Any) -> Page:
        game = record.load(text)[0].game
        people = [{"kind": "person", "name": f"Person {i + 1}"} for i in range(game.seats)]
        page = open_page(link(post_table(server, game.spec.id, people, record=text, seed=3), *range(game.seats)), **how)
        expect(page.locator("#stage .can").first).to_be_visible()
        return page

    return opened


def sized(page: Page, size: tuple[int, int]) -> None:
    """Give the page another size, and wait until the board has followed."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    come_true(page, f"innerWidth === {size[0]} && document.querySelector('#stage svg').clientWidth <= {size[0]}")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", POSITIONS)
def test_a_finger_chooses_what_it_means_at_every_size(game: str, every: bool, seated: Callable[..., Page]) -> None:
    for number, (button, text) in enumerate(POSITIONS[game]):
        page = seated(text(), width=360, height=640, has_touch=True, is_mobile=True)
        hand = Hand(page)
        for size in SIZES if every or not number else SIZES[number % 3 :: 3]:
            sized(page, size)
            shot(page, f"{game}_{number}_{size[0]}x{size[1]}.png")
            assert page.evaluate(COVERED) == [], size
            assert page.evaluate(CUT) == [], size
            for _ in range(TRIES):
                if button:
                    hand.press(button)
                lit = page.evaluate(LIT)
                hand.chooses(hand.rng.choice(lit))
                page.keyboard.press("Escape")
                page.evaluate(FRAME)
        page.close()


LANGUAGE = "location.host && localStorage.setItem('bridgehead.prefs', JSON.stringify({lang: '%s'}))"


@pytest.mark.parametrize("language", languages())
def test_the_narrowest_screen_holds_home_new_table_and_table(
    language: str, open_page: Callable[..., Page], server: Server
) -> None:
    table = post_table(server, "burning_bridges", [{"kind": "person"}] * 2, options={"seats": 2})
    page = open_page(width=360, height=740, has_touch=True, is_mobile=True, script=LANGUAGE % language)
    for path in ("/", "/new/burning_bridges", link(table, 0, 1)):
        page.goto("about:blank")
        page.goto(server.url + path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [360, 360], path
        assert page.evaluate(CUT) == [], path


# What is cut off: the board or the small map where something lies over it or the screen ends, and parts of a board that is whole.
CUT_OFF = """[['#stage', '#stage svg'], ['#map', '#map']].flatMap(([holder, name]) => {
    const [host, node] = [document.querySelector(holder), document.querySelector(name)];
    if (!node?.checkVisibility()) return [];
    const { left, top, right, bottom } = node.getBoundingClientRect();
    const [across, down] = [[left + 3, (left + right) / 2, right - 3], [top + 3, (top + bottom) / 2, bottom - 3]];
    const hidden = across.some((x) => down.some((y) => !host.contains(document.elementFromPoint(x, y))));
    const column = node.closest('.beside'); // its foot fades
    const faded = getComputedStyle(column ?? node).maskImage !== 'none' && bottom > innerHeight - 72;
    const whole = getComputedStyle(node).overflow === 'hidden' && !node.classList.contains('pan');
    const soft = '.ground-cast, [href="#fb-basin"], [href^="#fl-ground"], [href="#fl-lantern"]'; // a shadow, mud, a glow
    const parts = whole ? [...node.querySelectorAll(`g > :is(path, use):not(${soft})`)] : [];
    const beyond = parts.map((part) => [part, part.getBoundingClientRect()]).filter(([, box]) => box.width > 0
        && (box.left < left - 1 || box.top < top - 1 || box.right > right + 1 || box.bottom > bottom + 1));
    return [...(hidden || faded ? [name] : []), ...beyond.map(([part]) => part.getAttribute('class') ?? part.outerHTML)];
})"""


@pytest.mark.parametrize("game", POSITIONS)
def test_no_board_and_no_small_map_is_cut_off(game: str, seated: Callable[..., Page], open_page: Callable[..., Page]) -> None:
    phone = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
    tables = [seated(text(), **phone) for _, text in POSITIONS[game]]
    for page in (*tables, open_page(f"/puzzles/{game}", **phone)):
        expect(page.locator("#stage .can").first).to_be_visible()
        for size in ((1280, 800), (390, 844), (360, 740), (740, 360), TABLET):
            sized(page, size)
            assert page.evaluate(CUT_OFF) == [], (page.url, size)


# The boxes of parts of the page: left, top, right, bottom.
BOXES = """Object.fromEntries(['#stage', '#stage svg', '#seats', '.say', '.actions', '#map', '#choices', '.talk'].map((name) => {
    const {left, top, right, bottom} = document.querySelector(name).getBoundingClientRect();
    return [name, [left, top, right, bottom]];
}))"""


@pytest.mark.parametrize("game", POSITIONS)
def test_lying_phones_and_tablets_have_two_columns(game: str, seated: Callable[..., Page]) -> None:
    page = seated(POSITIONS[game][0][1](), width=640, height=360, has_touch=True, is_mobile=True)
    for width, height in (*LYING, TABLET):
        sized(page, (width, height))
        boxes = page.evaluate(BOXES)
        left, top, right, bottom = boxes["#stage"]
        if height < width:  # the board has the whole height, and everything else is beside it
            assert (left, top, bottom) == (0, 0, height)
            assert all(boxes[name][0] >= right - 1 for name in ("#seats", ".say", ".actions", ".talk"))
            assert boxes[".actions"][3] <= height and boxes[".say"][3] <= boxes[".actions"][1]
        elif game == "front_lines":  # an upright board: the others beside it
            assert bottom == height and bottom - top > 0.9 * height
            assert all(boxes[name][0] >= right - 1 for name in ("#seats", ".say", ".actions", ".talk"))
        else:  # the prompt and the log beside one another, below the board
            assert boxes[".say"][1] >= bottom - 1 and boxes[".talk"][0] >= boxes[".say"][2] - 1
            assert boxes[".actions"][3] <= height and right - left == width
            assert bottom - top > 0.55 * height


def test_the_front_lines_fits_on_every_screen(seated: Callable[..., Page]) -> None:
    page = seated(POSITIONS["front_lines"][0][1](), width=360, height=640, has_touch=True, is_mobile=True)
    names = "[...document.querySelectorAll('#stage .row-no')].map((node) => node.textContent)"
    for width, height in UPRIGHT:
        sized(page, (width, height))
        boxes, bar = page.evaluate(BOXES), page.evaluate(BOXES)[".actions"][1]
        for name in ("#map", "#choices"):
            assert boxes[name][1] >= boxes["#stage"][3] - 1 and boxes[name][3] <= bar + 1, (name, width, height)
        drawn = page.locator('#stage [data-id="t:drawn"]').bounding_box()
        assert drawn is not None and drawn["x"] + drawn["width"] <= width and drawn["height"] > 60, "the drawn card is in sight"
        assert boxes["#stage"][1] <= drawn["y"] and drawn["y"] + drawn["height"] <= boxes["#stage"][3]
        assert {"a", "b", "c", "d", "1", "12"} <= set(page.evaluate(names)), "rows and columns have their names on the board"
    page = seated(POSITIONS["front_lines"][0][1]())
    field, stage = page.locator("#stage svg").bounding_box(), page.locator("#stage").bounding_box()
    assert field is not None and stage is not None
    assert field["width"] > 0.99 * stage["width"] and field["height"] > 0.85 * stage["height"]


def test_the_front_lines_opens_on_start_before_anybody_has_moved(open_page: Callable[..., Page], server: Server) -> None:
    """Also for those who wait for somebody else."""
    page = open_page(
        link(set_table(server, "front_lines", ["person"] * 4, seats=4)), width=390, height=844, has_touch=True, is_mobile=True
    )
    box = "(node) => { const { left, top, right, bottom } = node.getBoundingClientRect(); return [left, top, right, bottom] }"
    come_true(page, "document.querySelectorAll('#stage .piece').length === 4")
    page.wait_for_timeout(500)
    left, top, right, bottom = page.evaluate(f"({box})(document.querySelector('#stage'))")
    for x0, y0, x1, y1 in page.evaluate(f"[...document.querySelectorAll('#stage .piece')].map({box})"):
        assert x0 >= left and x1 <= right and y0 >= top and y1 <= bottom


@pytest.mark.parametrize("language", languages())
def test_lives_in_digits_stand_beside_the_name(language: str, open_page: Callable[..., Page], server: Server) -> None:
    table = set_table(server, "front_lines", ["person"] * 4, seats=4, lives=6)
    page = open_page(link(table, 0, 1, 2, 3), width=360, height=740, has_touch=True, is_mobile=True, locale=language)
    for _ in range(2):
        plates = page.evaluate(PLATES)
        assert len(plates) == 4
        for name, right, lives, left in plates:
            assert lives == "6/6" and right <= left, name
        sized(page, (1280, 800))


def test_names_on_pieces_can_be_read_with_a_family_on_one_pillar(seated: Callable[..., Page]) -> None:
    page = seated(POSITIONS["burning_bridges"][0][1](), width=360, height=640, has_touch=True, is_mobile=True)
    letters = (
        "[...document.querySelectorAll('[data-fan] .size-letter')].map((n) => [n.textContent, n.getBoundingClientRect().height])"
    )
    come_true(page, f"{letters}.length === 2")
    shown = page.evaluate(letters)
    assert sorted(letter for letter, _ in shown) == ["L", "M"]
    assert all(height >= 12 for _, height in shown)
    hand = Hand(page)
    hand.chooses(next(thing for thing in page.evaluate(LIT) if thing.endswith("L")))
    (large,) = page.evaluate(CHOSEN)
    hand.tap(*page.evaluate(SPOT, large.replace("L", "M")))
    come_true(page, f"{CHOSEN}.length === 0")
    assert page.evaluate(letters) == shown, "no finger can mean one of a pile"


def test_a_seat_keeps_its_colour_from_the_form_to_the_table(open_page: Callable[..., Page]) -> None:
    chips = "[...document.querySelectorAll('#seats .chip')].map((node) => [node.className, node.textContent])"
    for game in ("front_lines", "barricade"):
        page = open_page(f"/new/{game}?mode=here")
        expect(page.locator("#start")).to_be_enabled()
        come_true(page, "[...document.querySelectorAll('#seats .chip')].every((node) => node.textContent)")
        form = page.evaluate(chips)
        expect(page.get_by_label(f"Name of {FIRST[game]}")).to_be_visible()
        page.locator("#start").click()
        page.wait_for_url("**/t/*")
        expect(page.locator("#seats .chip").first).to_be_visible()
        assert page.evaluate(chips) == form
        assert form == [[f"chip seat-{seat}", letter] for seat, letter in SEATS[game]]


FIRST = {"front_lines": "Hearts", "barricade": "Blue"}
SEATS = {"front_lines": zip(("red", "red", "black", "black"), "HDSC", strict=True), "barricade": zip("bcde", "BCDE", strict=True)}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", ["barricade", "front_lines"])
def test_the_names_of_four_seats_stand_in_one_line_each(
    game: str, language: str, open_page: Callable[..., Page], server: Server
) -> None:
    """The plates of a replay have no seat of one's own."""
    match = Match(registry.game(game, seats=4))
    page = open_page(f"/replay#g={packed(match, [''] * 4)}", 360, 740, locale=language)
    lines = "[...document.querySelectorAll('#seats strong')].map((node) => node.getClientRects().length * node.clientHeight)"
    expect(page.locator("#seats strong")).to_have_count(4)
    assert max(page.evaluate(lines)) < 24, page.locator("#seats").inner_text()
    shot(page, f"four_{game}_{language}.png")
