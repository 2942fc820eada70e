"""Learning a game at the board: by keyboard alone, by mouse, and what is said of touches that are not meant."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import FRAME, SPOT
from e2e.conftest import AT_TABLE, Opener, fetched, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
FOCUSED = "document.activeElement.dataset.id || document.activeElement.textContent"
NAMES = "[...document.querySelectorAll('#stage .can')].map((node) => node.getAttribute('aria-label'))"


def lesson(page: Page, game: str, lang: str = "en") -> dict[str, Any]:
    """The steps as the page has them."""
    return fetched(page, f"/api/games/{game}/tutorial?lang={lang}")


def paths(step: dict[str, Any]) -> tuple[list[str], list[str] | None]:
    """What has to be touched for the action that is meant, and for one that is legal and not meant."""
    right = next(choice["path"] for choice in step["choices"] if str(choice["action"]) in step["right"])
    others = [choice["path"] for choice in step["choices"] if str(choice["action"]) not in step["right"]]
    return right, next((path for path in others if not path[0].startswith("!")), None)


def walk_to(page: Page, wanted: str, key: str) -> None:
    """Press a key until the thing wanted has the focus."""
    for _ in range(60):
        if page.evaluate(FOCUSED) == wanted:
            return
        page.keyboard.press(key)
    raise AssertionError(f"{wanted} is never reached by {key}")


def test_a_tutorial_is_played_to_its_end_by_keyboard_with_names_for_everything(open_page: Opener) -> None:
    page = open_page("/")
    page.get_by_role("link", name=re.compile("Learn in five minutes.*Barricade")).click()
    steps = lesson(page, "barricade")["steps"]
    for number, step in enumerate(steps, start=1):
        expect(page.locator("#count")).to_have_text(f"Step {number} of {len(steps)}")
        expect(page.locator("#text")).to_have_text(step["text"])
        if "right" in step:
            expect(page.locator("#next")).to_be_disabled()
            assert all(page.evaluate(NAMES))
            path, _ = paths(step)
            for id in path:
                if id.startswith("!"):
                    walk_to(page, step["buttons"][id], "Tab")
                else:
                    walk_to(page, id, "n")
                page.keyboard.press("Enter")
            expect(page.locator("#praise")).to_have_text("Right!")
        if number < len(steps):
            assert page.evaluate(FOCUSED) == "Next"
            page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED).startswith("My first game")
    page.keyboard.press("Enter")
    expect(page).to_have_url(AT_TABLE)
    expect(page.locator("#seats")).to_contain_text("computer", ignore_case=True)
    expect(page.locator("#stage [data-id='f:e10']")).to_have_count(1)  # the small board, as in the tutorial


def test_a_tutorial_is_clicked_to_its_end_on_a_phone_and_explains_what_is_not_meant(open_page: Opener) -> None:
    page = open_page("/learn/burning_bridges", width=360, height=740, locale="de", has_touch=True)
    steps = lesson(page, "burning_bridges", "de")["steps"]
    bubble, taken = page.locator("#why"), 0

    def tap(id: str) -> None:
        if id.startswith("!"):
            page.locator("#buttons button", has_text=re.compile(f"^{step['buttons'][id]}$")).tap()
            return
        page.evaluate(FRAME)
        page.touchscreen.tap(*page.evaluate(SPOT, id))

    for number, step in enumerate(steps, start=1):
        expect(page.locator("#count")).to_have_text(f"Schritt {number} von {len(steps)}")
        expect(page.locator("#text")).to_have_text(step["text"])
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        if number == 2:  # no line leads to the middle; a walk elsewhere is legal but not meant
            tap("p:aM")
            tap("f:C")
            expect(bubble.get_by_role("link")).to_have_attribute("href", re.compile(r"/rules[/-]burning_bridges(\.html)?#BB"))
            shot(page, "learn_phone.png")
            tap("f:R1")
            expect(bubble).to_contain_text("etwas anderes")
            expect(page.locator("#next")).to_be_disabled()
        if "right" in step:
            path, _ = paths(step)
            if taken == 2:  # the hint is told first, then shown
                page.locator("#help").tap()
                expect(bubble).to_have_text(re.compile(re.escape(step["hint"])))
                page.locator("#help").tap()
            else:
                for id in path:
                    tap(id)
            taken += 1
            expect(page.locator("#praise")).to_have_text("Richtig!")
            expect(page.locator("#text")).to_have_text(step["after"])
        if number < len(steps):
            page.locator("#next").tap()
    expect(page.locator("#first")).to_be_visible()
    page.locator("#back").tap()
    expect(page.locator("#text")).to_have_text(steps[-2]["text"])
