"""Every game played to its end by the keys alone, by somebody who knows only what the accessibility tree says."""

import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.axe import check
from e2e.clicker import STANDS
from e2e.conftest import Opener, Server, link, set_table, some_games

pytestmark = pytest.mark.browser
Node = dict[str, Any]

SHORT = {  # rules with which any play comes to its end soon
    "burning_bridges": {"seats": 3, "roundLimit": 2},
    "forty_bridges": {"quietLimit": 4},
    "front_lines": {"seats": 2, "lives": 1},
    "barricade": {"seats": 2, "board": "mini", "turnLimit": 8},
}
# How a thing on the board says that it can be touched.
LIT = re.compile(r", (\d+ actions|can be touched|jump|takes what is there|allowed, and dangerous|safe|unknown)$")
CHOSEN = re.compile(r" chosen: (\d+|one) places? to go$")
ASIDE = {"Undo step", "Take back", "Ask…", "Hint", "The rules in short"}


@dataclass(frozen=True)
class Thing:
    """One thing of the page as the accessibility tree has it; `region` names the part of the page that it is in."""

    role: str
    name: str
    region: str
    disabled: bool


class Reader:
    """Reads roles, names and live regions, goes to a thing with the keys, and presses Enter."""

    def __init__(self, page: Page) -> None:
        self.page, self.rng, self.presses = page, random.Random(7), 0
        self.session = page.context.new_cdp_session(page)
        self.known: set[int] = set()  # nodes of live regions that were heard
        self.heard: list[str] = []

    def read(self) -> list[Thing]:
        """Everything on the page, in its order. Adds what live regions say to `heard`."""
        nodes: dict[str, Node] = {node["nodeId"]: node for node in self.session.send("Accessibility.getFullAXTree")["nodes"]}

        def region(node: Node | None) -> str:
            while node and word(node, "role") != "region":
                node = nodes.get(node.get("parentId", ""))
            return word(node, "name") if node else ""

        for node in nodes.values():
            if word(node, "role") != "RootWebArea" and states(node).get("live") == "polite" and not node["ignored"]:
                self.listen(nodes, node)
        return [
            Thing(word(node, "role"), word(node, "name"), region(node), bool(states(node).get("disabled")))
            for node in nodes.values()
            if not node["ignored"]
        ]

    def listen(self, nodes: dict[str, Node], live: Node) -> None:
        """Hear what was added to a live region."""
        for child in live.get("childIds", []):
            node = nodes.get(child)
            if node and node["backendDOMNodeId"] not in self.known:
                self.known.add(node["backendDOMNodeId"])
                self.heard.append(" ".join(texts(nodes, node)))

    def focus(self) -> str:
        """The name of what the focus is on."""
        found = self.session.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
        node = self.session.send("Accessibility.getPartialAXTree", {"objectId": found, "fetchRelatives": False})["nodes"][0]
        return word(node, "name")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.presses += 1

    def go(self, key: str, names: set[str]) -> bool:
        """Press a key until the focus is on one of these; whether it has come there."""
        for _ in range(60):
            if self.focus() in names:
                return True
            self.press(key)
        return False

    def act(self, things: list[Thing]) -> bool:
        """Go to one of the things that can be pressed now, and press it; whether there was one."""
        can = [each for each in things if each.role == "button" and not each.disabled]
        lit = [each for each in can if each.region == "Board" and LIT.search(each.name)]
        keys = [each for each in can if each.region == "Your move" and each.name not in ASIDE]
        if not (lit or keys):
            return False
        aim = self.rng.choice(lit if lit and (not keys or self.rng.random() < 0.7) else keys)
        board = {each.name for each in things if each.region == "Board" and each.role == "button"}
        if aim in lit and not self.go("Tab", board):
            return False
        if not self.go("n" if aim in lit else "Tab", {aim.name}):
            return False  # the table went on
        self.press("Enter")
        return True

    def play(self) -> None:
        """Play until the page offers another game. An assertion fails when nothing that is pressed changes the page for long."""
        things, moved = self.read(), time.monotonic()
        while ("link", "New game") not in {(each.role, each.name) for each in things}:
            assert time.monotonic() - moved < STANDS, ("the game stands still", [each for each in things if each.region])
            self.act(things)
            self.page.wait_for_timeout(60)
            before, things = things, self.read()
            moved = time.monotonic() if things != before else moved


def word(node: Node, key: str) -> str:
    return str(node.get(key, {}).get("value", ""))


def states(node: Node) -> dict[str, Any]:
    return {each["name"]: each["value"].get("value") for each in node.get("properties", [])}


def texts(nodes: dict[str, Node], node: Node) -> Iterator[str]:
    """The texts inside a node, in their order."""
    if word(node, "role") == "StaticText":
        yield word(node, "name")
        return
    for child in node.get("childIds", []):
        if child in nodes:
            yield from texts(nodes, nodes[child])


@some_games("barricade", "burning_bridges")  # the others are played whole in test_whole_games.py
def test_a_game_is_played_to_its_end_by_ear_and_keys(game: str, open_page: Opener, server: Server) -> None:
    rules = SHORT[game]
    table = set_table(server, game, ["person", *["wanderer"] * (rules.get("seats", 2) - 1)], **rules)
    page = open_page(link(table, 0))
    expect(page.locator("#say")).not_to_be_empty()
    reader = Reader(page)
    before = page.locator("#log li").count()
    reader.play()
    assert reader.presses > 8
    things = reader.read()
    assert any(re.search("wins|won|draw|nobody", each.name, re.I) for each in things if each.region == "Your move")
    named = {"button", "link", "textbox", "combobox", "checkbox", "tab", "dialog", "timer", "region", "tablist"}
    assert [each for each in things if each.role in named and not each.name.strip()] == [], "everything says what it is"
    everything = "\n".join(reader.heard)
    log = page.locator("#log li > :last-child").all_inner_texts()[before:]
    assert [line for line in log if line not in everything] == [], "every line is announced"
    touched = any(CHOSEN.search(text) for text in reader.heard)
    assert touched or game == "front_lines", "a choice says how it goes on; in The Front Lines each touch is an action"

    check(page, "the end")
    page.goto(f"{server.url}/replay/{table['table']}")
    expect(page.locator("#log li").first).to_be_visible()
    check(page, "replay")
