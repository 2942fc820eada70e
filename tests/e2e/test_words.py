"""Sentences on the page of a table: who reads them, what they ask, and why something cannot be done."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import OFFERED, Clicker
from e2e.conftest import RULES, Opener, Server, link, post_table, set_table

pytestmark = [pytest.mark.browser, pytest.mark.wide]
# Everything that a page says, hidden or not, in texts, labels and its title; without the letters drawn on boards and signs.
SAID = """() => {
    const said = [document.title], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const {parentElement, data} = walker.currentNode;
        if (!parentElement.closest('svg, .chip, dialog, option')) said.push(data);
    }
    for (const name of ['aria-label', 'title', 'aria-valuetext', 'placeholder'])
        for (const node of document.querySelectorAll(`[${name}]`)) said.push(node.getAttribute(name));
    return said;
}"""
SEAT = re.compile(r"\b[B-F]\b|\bA\b(?! [a-z])")
# All sentences above the board from now on.
PROMPTS = """() => {
    const later = window.setTimeout; // on a busy machine a draw may take so long that it is worth a sentence
    window.setTimeout = (work, ms, ...more) => later(work, ms === 700 ? 60_000 : ms, ...more);
    window.prompts = [];
    const say = document.getElementById("say");
    new MutationObserver(() => window.prompts.push(say.textContent.trim())).observe(say, { childList: true });
}"""


def test_the_table_says_you_names_colours_and_has_the_goal(open_page: Opener, server: Server) -> None:
    seats: list[dict[str, Any]] = [{"kind": "person"}, {"kind": "person", "name": "Ann"}, {"kind": "computer", "level": "greedy"}]
    table = post_table(server, "burning_bridges", seats, options={"firstPlayer": "seat0"}, seed=11)
    mine, hers, watcher, both = (open_page(link(table, *own)) for own in ((0,), (1,), (), (0, 1)))
    for page, name, says, title in (
        (mine, "You", "Your turn: 2 moves left.", "● Your turn: Burning Bridges · Bridgehead"),
        (hers, "Black", "Black is to move: 2 moves left.", "Burning Bridges · Bridgehead"),
        (watcher, "Black", "Black has 2 moves left.", "Burning Bridges · Bridgehead"),
        (both, "Black", "Black has 2 moves left.", "● Black: Burning Bridges · Bridgehead"),
    ):
        expect(page.locator("#say")).to_have_text(says)
        expect(page.locator("#seats strong").first).to_have_text(name)
        expect(page).to_have_title(title)
    expect(hers.locator("#seats strong")).to_have_text(["Black", "You", "Yellow"])
    expect(mine.locator("#seats li").nth(1)).to_contain_text("Blue, ")  # Ann's colour in words
    expect(mine.locator("#goal")).to_contain_text("Bring both parents and the child to your goal pillars")
    expect(watcher.locator("#goal")).to_contain_text("Each family brings")
    mine.locator("#goal-more").click()
    expect(mine.locator("dialog[open] li")).to_have_count(6)
    mine.keyboard.press("Escape")
    mine.keyboard.press("/")
    mine.keyboard.type("walk L B0")
    mine.keyboard.press("Enter")
    expect(mine.locator("#log li")).to_have_text(["1Your parent L walks to B0."])
    for page in (hers, watcher, both):
        expect(page.locator("#log li")).to_have_text(["1Black's parent L walks to B0."])


def letters(page: Page, field: str = "") -> list[str]:
    """The texts of a page that call a seat by its letter. field: a letter that is the name of a field."""
    return [text for text in page.evaluate(SAID) if set(SEAT.findall(text)) - {field}]


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("own", [(0,), (0, 2), ()], ids=["one seat", "two seats", "watcher"])
def test_no_seat_is_called_by_its_letter(game: str, own: tuple[int, ...], open_page: Opener, server: Server) -> None:
    """At a table at which nobody has a name: prompt, log, what was done since, spoken lines, tab; and in its replay."""
    options = {} if game == "forty_bridges" else {"seats": 4}
    middle = "C" if game == "burning_bridges" else ""
    kinds = ["person", "computer", "person", "computer"] if options else ["person", "computer"]
    own = tuple(seat for seat in own if seat < len(kinds))
    seats = [{"kind": kind, **({"level": "greedy"} if kind == "computer" else {})} for kind in kinds]
    table = post_table(server, game, seats, options=options, seed=11)
    people = [seat for seat, kind in enumerate(kinds) if kind == "person"]
    page, other = open_page(link(table, *own)), open_page(link(table, *(seat for seat in people if seat not in own)))
    lines = page.locator("#log li")
    expect(page.locator("#seats strong").first).to_be_visible()
    found = []
    hands = [Clicker(each, seed=3) for each in (page, other)]
    until = time.monotonic() + 120
    while lines.count() < 12:
        assert time.monotonic() < until, page.locator("#say").inner_text()
        if not any(hand.touch_one(hand.page.evaluate(OFFERED)) for hand in hands):
            page.wait_for_timeout(30)
        found += letters(page, middle)
    expect(page.locator("#since-title")).not_to_be_empty()
    page.goto(f"{server.url}/replay/{table['table']}")
    page.locator("#end").click()
    expect(page.locator("#forward")).to_be_disabled()
    assert found + letters(page, middle) == []


def test_what_cannot_be_done_says_why(open_page: Opener, server: Server) -> None:
    """What only keys reach now, a piece of somebody else, and a move that loses the own piece."""
    options = {"setup": "custom", "layout": "b3,a1 d3,c4,C3"}
    table = set_table(server, "forty_bridges", ("person", "person"), **options)
    page = open_page(link(table, 0))
    why = page.locator("#why")
    expect(page.locator("#stage .can").first).to_be_visible()
    for button in ("Confirm", "Undo step", "Pass"):
        shown = page.locator(".prompt .btn", has_text=re.compile(f"^{button}$"))
        expect(shown).to_have_count(1)
        expect(shown).to_be_hidden()
    page.keyboard.press("u")
    expect(why).to_contain_text("Nothing to undo")
    alone = open_page(link(set_table(server, "forty_bridges", ("person", "greedy")), 0))
    expect(alone.locator("#stage .can").first).to_be_visible()
    expect(alone.locator("#takeback")).to_be_hidden()
    alone.keyboard.press("t")
    expect(alone.locator("#why")).to_contain_text("made no decision yet")
    page.locator('#stage [data-id="p:1:d3"]').click()
    expect(why).to_contain_text("belongs to Person 2")
    page.locator('#stage [data-id="p:0:b3"]').click()
    page.locator('#stage [data-id="f:c3"]').click()
    expect(page.locator("#say")).to_contain_text("Your own piece would be surrounded on c3 and removed.")
    other = open_page(link(table, 1))
    other.locator('#stage [data-id="p:0:b3"]').click()
    expect(other.locator("#why")).to_contain_text("Person 1 is to move a piece")
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.locator("#log li").last).to_contain_text("are surrounded there and lose the piece")


def test_a_list_of_choices_shows_all_or_says_how_many_more(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "front_lines", seats=2), 0, 1), height=640)
    expect(page.locator("#choices li")).not_to_have_count(0)
    shown = page.locator("#choices li").count()
    more = page.locator("#choices").get_by_text(re.compile(r"^\d+ more$"))
    assert page.evaluate("(list => list.scrollHeight <= list.clientHeight + 1)(document.getElementById('choices'))")
    if more.count():
        rest = int(more.inner_text().split()[0])
        more.click()
        expect(page.locator("#choices li")).to_have_count(shown - 1 + rest)
    else:
        assert page.locator("#tab-all").inner_text().endswith(f"({shown})")


def test_no_sentence_flashes_for_what_chance_decides_at_once(open_page: Opener, server: Server) -> None:
    """Where chance is sealed, the page answers for its seat: nobody has to be asked to roll."""
    seats: list[dict[str, Any]] = [{"kind": "person"}, {"kind": "computer", "level": "greedy"}]
    table = post_table(server, "barricade", seats, options={"board": "mini"}, level=2)
    page = open_page(link(table, 0))
    expect(page.locator("#say")).to_have_text(re.compile("^You rolled"))
    page.evaluate(PROMPTS)
    Clicker(page, seed=3, prefer=("Pass",)).until(lambda: page.locator("#log li").count() >= 14)
    prompts = page.evaluate("window.prompts")
    assert any(text.startswith("You rolled") for text in prompts)
    assert not [text for text in prompts if re.search("roll the die|rolls the die|page of", text)]
