"""Puzzles in the browser: a wrong try, the right action, what is remembered, and the puzzle of the day."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import FRAME, SPOT
from e2e.conftest import Opener, fetched, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
GAME = "forty_bridges"


def entries(page: Page) -> list[dict[str, Any]]:
    """The list of puzzles as the page has it."""
    return fetched(page, f"/api/games/{GAME}/puzzles")["puzzles"]


def told(page: Page, number: int) -> dict[str, Any]:
    """A puzzle as the page has it, by its place in the list."""
    return fetched(page, f"/api/games/{GAME}/puzzle?name={entries(page)[number - 1]['name']}")


def touch(page: Page, path: list[str], tap: bool = False) -> None:
    """Touch the things of a click path, one after another."""
    for id in path:
        page.evaluate(FRAME)
        (page.touchscreen.tap if tap else page.mouse.click)(*page.evaluate(SPOT, id))


def solve(page: Page, number: int) -> None:
    """Find all actions of a puzzle, by its place in the list."""
    puzzle = told(page, number)
    for stage in range(1 + len(puzzle["more"])):
        if stage:
            expect(page.locator("#text")).to_have_text(puzzle["more"][stage - 1]["text"])
        touch(page, paths(puzzle, stage)[0])


def paths(puzzle: dict[str, Any], stage: int = 0) -> tuple[list[str], list[str]]:
    """The click paths of the right action and of another one."""
    step = [puzzle["step"], *puzzle["more"]][stage]
    right, choices = {*step["right"]}, step["choices"]
    (good,) = (each["path"] for each in choices if str(each["action"]) in right)
    wrong = next(each["path"] for each in choices if str(each["action"]) not in right and not each["path"][0].startswith("!"))
    return good, wrong


def test_a_puzzle_is_missed_then_solved_and_the_browser_remembers_both(open_page: Opener) -> None:
    page = open_page(f"/puzzles/{GAME}")
    count = page.locator("#count")
    expect(count).to_have_text(re.compile(r"Puzzle 1 of \d+ · solved: 0"))
    _, wrong = paths(told(page, 1))
    touch(page, wrong)
    expect(page.locator("#why")).to_have_text("Something else is better. Try again.")
    solve(page, 1)
    expect(page.locator("#praise")).to_have_text("Right!")
    expect(page.locator("#text")).to_have_text(
        re.compile(r".+\. (This wins|Everything else|Nothing else).+\. Win chance \d+ %.+Second best: ")
    )
    expect(count).to_contain_text("solved: 0 · with help: 1")  # it was missed before
    for number in (2, 3, 4):
        page.locator("#next").click()
        expect(count).to_contain_text(f"Puzzle {number} of")
        solve(page, number)
        expect(count).to_contain_text(f"solved: {number - 1}")
    shot(page, "puzzle.png")
    page.locator("#next").click()
    expect(count).to_contain_text("Puzzle 1 of")  # the missed one is back
    page.reload()
    expect(count).to_contain_text("Puzzle 1 of")
    expect(count).to_contain_text("solved: 3")


def test_a_phone_shows_a_puzzle_whole_and_the_second_hint_is_the_answer(open_page: Opener) -> None:
    page = open_page(f"/puzzles/{GAME}", width=360, height=740, locale="de", has_touch=True)
    expect(page.locator("#count")).to_contain_text("Rätsel 1 von")
    expect(page.locator("#level")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("#help").tap()
    expect(page.locator("#why")).to_contain_text("Schau hierhin")
    expect(page.locator("#why")).to_have_class(re.compile("hint"))
    expect(page.locator(".pointer")).to_have_count(1)
    box = page.locator(".pointer").bounding_box()
    assert box and box["y"] >= 0
    shot(page, "puzzle_hint_phone.png")
    page.locator("#help").tap()
    expect(page.locator("#praise")).to_be_visible()
    expect(page.locator("#count")).to_contain_text("gelöst: 0 · mit Hilfe: 1")
    shot(page, "puzzle_phone.png")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_puzzle_of_two_actions_shows_the_reply_and_asks_for_the_second(open_page: Opener, width: int) -> None:
    phone = width == 360
    page = open_page(f"/puzzles/{GAME}", width=width, height=740 if phone else 800, has_touch=phone)
    known = entries(page)
    number = next(n for n, each in enumerate(known, 1) if each["actions"] == 2)
    page.goto(page.url.split("?")[0] + f"?puzzle={known[number - 1]['name']}")
    text, level, happened = page.locator("#text"), page.locator("#level"), page.locator("#happened")
    expect(text).to_contain_text("It takes 2 actions.")
    puzzle = told(page, number)
    touch(page, paths(puzzle)[0], phone)
    expect(page.locator("#count")).to_contain_text("solved: 0")
    reply = puzzle["more"][0]["frames"][-1]["sentence"]
    expect(happened).to_have_text(reply)
    expect(text).to_have_text(
        re.compile("Right so far. Here is the best reply. .+ acts again: find the next action. Second best before: ")
    )
    expect(level).to_contain_text("Action 2 of 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shot(page, f"puzzle_line_{width}.png")
    right, wrong = paths(puzzle, 1)
    touch(page, wrong, phone)
    expect(page.locator("#why")).to_have_text("Something else is better. Try again.")
    touch(page, right, phone)
    expect(page.locator("#praise")).to_have_text("Right!")
    expect(text).to_have_text(re.compile("Win chance .+ Second best: "))
    expect(page.locator("#count")).to_contain_text("solved: 0 · with help: 1")
    page.get_by_label("Idea").select_option("several")
    place = next(n for n in [*range(number + 1, len(known) + 1), *range(1, number)] if known[n - 1]["actions"] > 1)
    expect(page.locator("#count")).to_contain_text(f"Puzzle {place} of")
    solve(page, place)
    expect(page.locator("#count")).to_contain_text("solved: 1")


def test_the_home_page_leads_to_the_puzzle_of_the_day(open_page: Opener) -> None:
    page = open_page("/")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.locator("#count")).to_contain_text("Puzzle")
    assert re.search(r"/puzzles[/-]\w+(\.html)?\?puzzle=[a-z]{6}$", page.url)


def test_ideas_and_missed_ones_can_be_chosen_and_old_numbers_lead_on(open_page: Opener) -> None:
    page = open_page(f"/puzzles/{GAME}")
    known = entries(page)
    (place, kept), (again, missed) = [(n, each) for n, each in enumerate(known, 1) if each["number"]][3:5]
    gone = next(n for n in range(1, 500) if n not in {each["number"] for each in known})
    page.evaluate(
        "kept => localStorage['bridgehead.puzzles'] = JSON.stringify(kept)",
        {GAME: {"solved": [kept["number"], gone], "missed": {str(missed["number"]): 9}}},
    )
    page.goto(page.url.split("?")[0] + f"?puzzle={kept['number']}")
    expect(page.locator("#count")).to_have_text(re.compile(rf"Puzzle {place} of \d+ · solved: 1"))
    assert page.url.endswith(f"?puzzle={kept['name']}")
    ideas = page.get_by_label("Idea")
    expect(ideas.locator("option", has_text="Missed ones again (1)")).to_be_enabled()
    ideas.select_option("missed")
    expect(page.locator("#count")).to_contain_text(f"Puzzle {again} of")
    ideas.select_option("sacrifice")
    place = next(n for n in [*range(again, len(known)), *range(again)] if "sacrifice" in known[n]["ideas"])
    expect(page.locator("#count")).to_contain_text(f"Puzzle {place + 1} of")
    solve(page, place + 1)
    expect(page.locator("#level")).to_contain_text("Sacrifice")
    shot(page, "puzzle_idea.png")
    page.goto(page.url.split("?")[0] + f"?puzzle={gone}")
    expect(page.locator("#happened")).to_contain_text(f"Puzzle {gone} is no longer among the puzzles")
    expect(page.locator("#count")).to_contain_text("solved: 2")
