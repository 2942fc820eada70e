"""German throughout: no page says in German what it says in English, in no text, label, placeholder or title.

That every sentence of a page is from a catalogue (test_pseudo_pages.py) and none is left in English (core/test_languages.py)
shows the same; this looks at the pages themselves.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from bridgehead.client import PERSON, Host, Seated, computer
from bridgehead.core import registry
from e2e.conftest import RULES, Opener, Server

pytestmark = [pytest.mark.browser, pytest.mark.long]
# Names, and words that are the same in both languages.
TITLES = {spec.title for spec in registry.specs().values()}
SAME = {
    "Bridgehead", "English", "Deutsch", "Français", "Español",
    "Ada", "Computer", "Chat", "Team", "Teams", "Name", "Link", "Material", "Pause",
    "Standard", "1 · Wanderer", "Code", "ABCDE", "HD", "SC", "JK",
    "½×", "1×", "2×", "5×", *TITLES, *(f"{each} · Bridgehead" for each in ("404", *TITLES)),
}  # fmt: skip
# Everything that a page says, also where it is hidden just now; what it says in the other language is marked as such.
SAID = """() => {
    const root = document.documentElement, said = [];
    const mine = (node) => { const at = node.closest("[lang]"); return at === root || at.lang === root.lang; };
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { parentElement: at, data } = walk.currentNode;
        if (!at.closest("script, style, noscript") && mine(at)) said.push(data);
    }
    const names = ["aria-label", "placeholder", "title", "alt", "aria-valuetext", "aria-description"];
    for (const node of document.querySelectorAll(names.map((name) => `[${name}]`).join()))
        for (const name of names)
            if (node.hasAttribute(name)) said.push(node.getAttribute(name));
    return said.map((text) => text.trim());
}"""
PLAIN = re.compile(
    r": .*|[a-z]?\d*|[a-z]\d+ \(\d+\)|[A-Z]{1,3}-?[\w.]*\d[\w.]*|[A-Z]{2,4}-[A-Z][\w.]*|ALLQ-\d|[\W\d_]*|\W*[A-Za-z]\W*"
    r"|/\S*|https?:\S*|[A-Z0-9]{5,6}|[a-m]\d+\S*"
)


def said(page: Page) -> set[str]:
    texts: list[str] = page.evaluate(SAID)
    return {text for text in texts if text not in SAME and not PLAIN.fullmatch(text)}


def in_both(page: Page, address: str, ready: str, then: Callable[[Page], None]) -> set[str]:
    """What a page says in the very same words in both languages. ready: what is there once it has said all; then: to be done."""
    told = []
    for language in ("en", "de"):
        page.evaluate("lang => localStorage.setItem('bridgehead.prefs', JSON.stringify({ lang }))", language)
        page.goto("about:blank")
        page.goto(address)
        expect(page.locator(ready).first).to_be_attached()
        page.wait_for_load_state("networkidle")
        then(page)
        told.append(said(page))
    assert len(told[1]) > 5
    return told[0] & told[1]


def begun(server: Server, game: str, **options: object) -> Seated:
    """A table at which some actions have been played."""
    table = Host(server.url).create(
        game, [{**PERSON, "name": "Ada"}, computer("random")], options={**RULES[game], **options}, seed=5
    )
    for _ in range(8):
        table.wait_for_turn()
        table.play(table.choices[len(table.choices) // 2]["action"])
    return table


Looked = tuple[str, str, Callable[[Page], None]]  # address, what is there once a page has said all, what is done then


def pages_of(server: Server, table: Seated, game: str) -> dict[str, Looked]:
    """The pages of a game that is played at a table."""

    def to_the_end(page: Page) -> None:
        page.locator("#end").click()

    rows: dict[str, Looked] = {
        "table": (f"t/{table.table}#s={table.tokens[0]}", "#log li", opened),
        "rules": (f"rules/{game}?table={table.table}", ".clause", nothing),
        "replay": (f"replay/{table.table}", "#replay svg.board [data-id]", to_the_end),
        "new": (f"new/{game}?mode=invite", "#preview svg", nothing),
        "learn": (f"learn/{game}", "#stage svg", nothing),
        "edit": (f"edit/{game}", "#tools button", nothing),
    }
    return {name: (f"{server.url}/{path}", ready, then) for name, (path, ready, then) in rows.items()}


def other_pages(server: Server) -> dict[str, Looked]:
    """The start, and what belongs to no game."""
    table = Host(server.url).create("barricade", [{**PERSON, "name": "Ada"}, {**PERSON, "open": True}], options={"seats": 2})
    table.leave()
    pages = {
        "": ".picture svg", "rules": "h2", "lobby": "h1", "lab": "h1", "verify": "h1", "replay": "#choose h1", "t/NOSUC": "h1",
        f"verify/{table.table}": "#error:not([hidden])",
    }  # fmt: skip
    return {path: (f"{server.url}/{path}", ready, nothing) for path, ready in pages.items()}


def nothing(page: Page) -> None:
    """What is done on a page of which all is seen at once."""


@pytest.mark.parametrize("game", sorted(RULES))
def test_the_pages_of_a_game_are_german(game: str, open_page: Opener, server: Server) -> None:
    page = open_page("/")
    with begun(server, game) as table:
        found = {name: in_both(page, *look) for name, look in pages_of(server, table, game).items()}
    assert {name: texts for name, texts in found.items() if texts} == {}


def opened(page: Page) -> None:
    """Open what can be opened at a table, one after another."""
    for button in (".long [data-table-menu]", "#asking", "#tab-chat", "#tab-all"):
        page.locator(button).click()
        page.wait_for_timeout(150)
        page.keyboard.press("Escape")


def test_the_start_and_what_belongs_to_no_game_is_german(open_page: Opener, server: Server) -> None:
    page = open_page("/", expect_errors=True)
    found = {name: in_both(page, *look) for name, look in other_pages(server).items()}
    assert {name: texts for name, texts in found.items() if texts} == {}
