"""No page has a bare sentence in the pseudo-language: in no text, label, placeholder or title."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import pseudo
from e2e.conftest import PATIENCE, Server
from e2e.test_german import SAID, begun, other_pages, pages_of
from pseudo import LANGUAGE, bare, names

pytestmark = [pytest.mark.browser, pytest.mark.wide]
# Names of languages in themselves, names of people, and what is typed as it is.
KNOWN = {"English", "Deutsch", "Ada", "ABCDE", "Français", "Español", "HD", "SC", "JK", "file", "HTTP"}
CODE = re.compile(r"\b(?:[A-Z]{5,6}|[A-Z]{22})\b")  # the code of a table, its id, and the first letters of that


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has the pseudo-language."""
    folder = pseudo.write(tmp_path_factory.mktemp("languages"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, pseudo.EXTRA, str(folder))
        running = Server(tmp_path_factory.mktemp("data"))
        running.start()
    yield running
    running.stop()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(f"localStorage.setItem('bridgehead.prefs', JSON.stringify({{ lang: '{LANGUAGE}' }}))")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def left(page: Page, address: str, ready: str, then: Callable[[Page], None]) -> list[str]:
    """The texts of a page that have bare words. ready: what is there once it has said all; then: to be done."""
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator(ready).first).to_be_attached(timeout=PATIENCE)
    page.wait_for_load_state("networkidle")
    then(page)
    assert page.evaluate("document.documentElement.lang") == LANGUAGE
    texts: list[str] = page.evaluate(SAID.replace("mine(at)", "true"))
    return sorted({text for text in texts if bare(CODE.sub(" ", text), {*names(), *KNOWN})})


@pytest.mark.parametrize("game", ["barricade", pytest.param("front_lines", marks=pytest.mark.long)])
def test_the_pages_of_a_game(game: str, page: Page, server: Server) -> None:
    with begun(server, game) as table:
        found = {name: left(page, *look) for name, look in pages_of(server, table, game).items()}
    assert {name: texts for name, texts in found.items() if texts} == {}


def test_the_start_and_what_belongs_to_no_game(page: Page, server: Server) -> None:
    found = {name: left(page, *look) for name, look in other_pages(server).items()}
    assert {name: texts for name, texts in found.items() if texts} == {}


def test_a_language_that_has_only_some_files_falls_back_to_english(page: Page, server: Server, tmp_path: Path) -> None:
    words = page.request.get(f"{server.url}/static/words/{LANGUAGE}.json").json()
    english = page.request.get(f"{server.url}/static/words/en.json").json()
    assert words.keys() == english.keys() and words["rules"] == "⟦Rules⟧"
    assert page.request.get(f"{server.url}/static/words/qq.json").status == 404
