"""Sentences on the page of a table: who reads them, what they ask, and why something cannot be done."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from e2e.clicker import Clicker
from e2e.conftest import Server, link, post_table, set_table

Opener = Callable[..., Page]
# All sentences above the board from now on.
PROMPTS = """() => {
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
        (hers, "Black", "Waiting for Black: 2 moves left.", "Burning Bridges · Bridgehead"),
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


def test_what_cannot_be_done_says_why(open_page: Opener, server: Server) -> None:
    """Disabled buttons, a piece of somebody else, and a move that loses the own piece."""
    options = {"setup": "custom", "layout": "b3,a1 d3,c4,C3"}
    table = set_table(server, "forty_bridges", ("person", "person"), **options)
    page = open_page(link(table, 0))
    why = page.locator("#why")
    for button, text in (("Confirm", "choose a move first"), ("Undo step", "Nothing to undo"), ("Pass", "You can move, and")):
        page.get_by_role("button", name=button, exact=True).click(force=True)
        expect(why).to_contain_text(text)
    alone = open_page(link(set_table(server, "forty_bridges", ("person", "greedy")), 0))
    alone.get_by_role("button", name="Take back", exact=True).click(force=True)
    expect(alone.locator("#why")).to_contain_text("made no decision yet")
    page.locator('#stage [data-id="p:1:d3"]').click()
    expect(why).to_contain_text("belongs to Person 2")
    page.locator('#stage [data-id="p:0:b3"]').click()
    page.locator('#stage [data-id="f:c3"]').click()
    expect(page.locator("#say")).to_contain_text("Your own piece would be surrounded on c3 and removed.")
    other = open_page(link(table, 1))
    other.locator('#stage [data-id="p:0:b3"]').click()
    expect(other.locator("#why")).to_contain_text("Waiting for Person 1")
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
