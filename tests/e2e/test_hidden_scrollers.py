"""No page hides what one must read: a box with more text than room has a sign that there is more, and tutorials cut none."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bridgehead.core import record
from bridgehead.core.phrases import languages
from e2e.conftest import RULES, Opener, Server, come_true, fetched, link, post_table, shot
from e2e.test_shown_again import PATHS, address, settle, table, tournament  # noqa: F401
from e2e.test_sizes import LANGUAGE, POSITIONS

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SIZES = (360, 740), (390, 844), (740, 360), (768, 1024), (1280, 800)
PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
# The boxes whose text is larger than they are, and that show no sign of it: a finger sees no scroll bar. Signs are an edge that
# fades, and the dots after a title. The name beside the logo may wrap out of sight. And actions beyond the edge of the screen.
HIDDEN = """() => {
    const others = 'svg *, .hidden, .hidden *, .skip, .home, input, select, textarea, option';
    const texts = document.body.querySelectorAll(`:not(${others})`);
    return [...texts].filter((node) => {
        if (!node.textContent.trim() || !node.checkVisibility({ visibilityProperty: true })) return false;
        const { overflowX, overflowY, maskImage, textOverflow } = getComputedStyle(node);
        const high = overflowY !== 'visible' && node.scrollHeight > node.clientHeight + 1;
        const wide = overflowX !== 'visible' && node.scrollWidth > node.clientWidth + 1;
        const cut = node.matches('.actions .btn') && node.getBoundingClientRect().right > innerWidth + 1;
        return cut || ((high || (wide && textOverflow !== 'ellipsis')) && maskImage === 'none');
    }).map((node) => `${node.id || node.className}: ${node.textContent.trim().slice(0, 60)}`);
}"""
# The buttons of a tutorial that no finger reaches without scrolling.
UNREACHED = """() => [...document.querySelectorAll('.actions .btn, .buttons .btn')].filter((node) => {
    if (!node.getClientRects().length) return false;
    const { x, y, width, height } = node.getBoundingClientRect();
    const ends = [[1, 1], [width - 1, 1], [1, height - 1], [width - 1, height - 1]];
    return !ends.every(([h, v]) => document.elementFromPoint(x + h, y + v));
}).map((node) => node.textContent)"""
BOARD = """(() => {
    const { x, y, width, height } = document.querySelector('#stage').getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
})()"""
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(DRAWN)


def find_hidden(page: Page) -> list[tuple[int, int, str]]:
    """What a page hides, at every size."""
    found = []
    for width, height in SIZES:
        resize(page, width, height)
        found += [(width, height, each) for each in page.evaluate(HIDDEN)]
    return found


@pytest.mark.parametrize("language", languages())
def test_no_page_has_a_hidden_scroller(
    language: str,
    open_page: Opener,
    server: Server,
    table: dict[str, Any],  # noqa: F811
    tournament: str,  # noqa: F811
) -> None:
    page = open_page("/", **PHONE, script=LANGUAGE % language)
    for path in PATHS:
        page.goto("about:blank")
        page.goto(address(path, server, table, tournament))
        settle(page, path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert find_hidden(page) == [], path


@pytest.mark.parametrize("game", RULES)
def test_no_table_and_no_replay_has_a_hidden_scroller(game: str, open_page: Opener, server: Server) -> None:
    text = POSITIONS[game][0][1]() if game == "front_lines" else POSITIONS[game][1][1]()
    people = [{"kind": "person", "name": f"Person {i + 1}"} for i in range(record.load(text)[0].game.seats)]
    made = post_table(server, game, people, record=text, seed=3)
    for language in languages():
        page = open_page(link(made, *range(len(people))), **PHONE, script=LANGUAGE % language)
        expect(page.locator("#log li").first).to_be_attached()
        assert find_hidden(page) == [], language
        page.goto(f"{server.url}/replay/{made['table']}")
        assert find_hidden(page) == [], language
        page.close()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", RULES)
def test_a_tutorial_shows_all_that_it_says_and_its_board_stays_in_its_place(
    game: str, language: str, open_page: Opener, server: Server
) -> None:
    page = open_page(f"/learn/{game}", **PHONE, script=LANGUAGE % language)
    steps = fetched(page, f"/api/games/{game}/tutorial?lang={language}")["steps"]
    longest = max(range(len(steps)), key=lambda at: len(steps[at]["text"] + "".join(f["sentence"] for f in steps[at]["frames"])))
    come_true(page, "[...document.fonts].every(({ status }) => status === 'loaded')")
    for size in (SIZES[2], SIZES[0]):  # the page writes with letters that came late once it has been turned
        resize(page, *size)
    place = page.evaluate(BOARD)

    def is_whole(text: str) -> None:
        expect(page.locator("#text")).to_have_text(text)
        page.evaluate(DRAWN)
        assert page.evaluate(HIDDEN) == page.evaluate(UNREACHED) == [], text
        assert page.evaluate(BOARD) == place, text

    for at, step in enumerate(steps):
        is_whole(step["text"])
        if at in {0, longest, len(steps) - 1}:
            assert find_hidden(page) == [], at
            for width, height in SIZES:
                resize(page, width, height)
                shot(page, f"learn_{game}_{language}_{at + 1}_{width}.png")
                assert page.evaluate(UNREACHED) == [], (at, width)
            resize(page, *SIZES[0])
        if "right" in step:
            page.locator("#help").tap()  # a hint
            page.locator("#help").tap()  # the action itself
            expect(page.locator("#praise")).to_be_visible()
            is_whole(step["after"])
        if at < len(steps) - 1:
            page.locator("#next").tap()
    expect(page.locator("#first")).to_be_visible()
