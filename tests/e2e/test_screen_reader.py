"""Every game played to its end by the keys alone, by somebody who knows of the page only what a screen reader tells."""

import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from e2e.clicker import STANDS
from e2e.conftest import Server, link, set_table, some_games

pytestmark = pytest.mark.browser
Opener = Callable[..., Page]

SHORT = {  # rules with which any play comes to its end soon
    "burning_bridges": {"seats": 2, "roundLimit": 2},
    "forty_bridges": {"quietLimit": 4},
    "front_lines": {"seats": 2, "lives": 1},
    "barricade": {"seats": 2, "board": "mini", "turnLimit": 8},
}
# What a thing on the board tells of itself when it can be touched.
LIT = re.compile(r", (\d+ actions|can be touched|jump|takes what is there|allowed, and dangerous|safe|unknown)$")
ASIDE = {"Undo step", "Ask…"}


@dataclass(frozen=True)
class Told:
    """One thing of the page as the accessibility tree has it; `region` names the part of the page it is in."""

    role: str
    name: str
    region: str
    disabled: bool


class Listener:
    """Reads roles and names, goes to one of them with the keys, and presses Enter."""

    def __init__(self, page: Page) -> None:
        self.page, self.rng, self.presses = page, random.Random(7), 0
        self.line = page.context.new_cdp_session(page)

    def hear(self) -> list[Told]:
        """Everything that is told, in its order."""
        nodes = {node["nodeId"]: node for node in self.line.send("Accessibility.getFullAXTree")["nodes"]}

        def word(node: dict, key: str) -> str:  # type: ignore[type-arg]
            return str(node.get(key, {}).get("value", ""))

        def region(node: dict | None) -> str:  # type: ignore[type-arg]
            while node and word(node, "role") != "region":
                node = nodes.get(node.get("parentId", ""))
            return word(node, "name") if node else ""

        told = []
        for node in nodes.values():
            state = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
            if not node["ignored"]:
                told.append(Told(word(node, "role"), word(node, "name"), region(node), bool(state.get("disabled"))))
        return told

    def focus(self) -> str:
        """The name of what the focus is on, as the accessibility tree has it."""
        found = self.line.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
        node = self.line.send("Accessibility.getPartialAXTree", {"objectId": found, "fetchRelatives": False})["nodes"][0]
        return str(node.get("name", {}).get("value", ""))

    def go(self, key: str, names: set[str]) -> bool:
        """Press a key until the focus is on one of these; whether it has come there."""
        for _ in range(60):
            if self.focus() in names:
                return True
            self.page.keyboard.press(key)
            self.presses += 1
        return False

    def act(self, told: list[Told]) -> bool:
        """Go to one of the things that can be pressed now, and press it; whether there was one."""
        can = [each for each in told if each.role == "button" and not each.disabled]
        lit = [each for each in can if each.region == "Board" and LIT.search(each.name)]
        keys = [each for each in can if each.region == "Your move" and each.name not in ASIDE]
        if not (lit or keys):
            return False
        aim = self.rng.choice(lit if lit and (not keys or self.rng.random() < 0.7) else keys)
        board = {each.name for each in told if each.region == "Board" and each.role == "button"}
        if aim in lit and not self.go("Tab", board):
            return False
        if not self.go("n" if aim in lit else "Tab", {aim.name}):
            return False  # the table went on
        self.page.keyboard.press("Enter")
        self.presses += 1
        return True

    def play(self) -> None:
        """Play until the page offers another game. An assertion fails when nothing that is pressed changes the page for long."""
        told, moved = self.hear(), time.monotonic()
        while ("link", "Play again") not in {(each.role, each.name) for each in told}:
            assert time.monotonic() - moved < STANDS, ("the game stands still", [each for each in told if each.region])
            self.act(told)
            self.page.wait_for_timeout(60)
            before, told = told, self.hear()
            moved = time.monotonic() if told != before else moved


@some_games("barricade", "burning_bridges")  # the others are played whole in test_tables.py
def test_a_game_is_played_to_its_end_by_ear_and_keys(game: str, open_page: Opener, server: Server) -> None:
    table = set_table(server, game, **SHORT[game])
    page = open_page(link(table, 0, 1))
    expect(page.locator("#say")).not_to_be_empty()
    listener = Listener(page)
    listener.play()
    assert listener.presses > 8
    told = listener.hear()
    assert any(re.search("wins|won|draw|nobody", each.name, re.I) for each in told if each.region == "Your move")
    named = {"button", "link", "textbox", "combobox", "checkbox", "tab", "dialog", "timer", "region", "tablist"}
    assert [each for each in told if each.role in named and not each.name.strip()] == [], "everything says what it is"
