"""A game as WebAssembly plays by the same rules, to the last digit, and its computers think the same."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from e2e.conftest import QUIET, chromium

pytestmark = pytest.mark.wide
PAGE = Path(__file__).parents[2] / "docs" / "do" / "webassembly.md"
GAMES = ["barricade", "burning_bridges", "connect_four", "forty_bridges", "front_lines"]
USUAL = ["barricade", "connect_four"]  # one whose evaluation makes arrays, and one of another package
PERFT = {"connect_four": 7, "forty_bridges": 3, "front_lines": 3, "barricade": 4, "burning_bridges": 3}


@pytest.mark.parametrize("game", USUAL)
def test_a_module_plays_as_the_compiled_rules_do(compiled: Callable[[str], Any], game: str) -> None:
    """Random positions, perft, random games of the same seed, and searches."""
    run = compiled(game)
    assert run("in_wasm", "same_positions", game, 300, 1)["positions"] >= 300
    assert run("in_wasm", "same_loops", game, PERFT[game])["decisions"] > 20
    assert run("in_wasm", "same_searches", game, 1, 60) >= 2


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_it_does_so_under_mixed_house_rules_and_on_other_boards(compiled: Callable[[str], Any], game: str) -> None:
    run = compiled(game)
    seen = run("in_wasm", "same_positions", game, 3000, 16)  # games with a turn limit among them
    assert seen["positions"] >= 3000 and seen["asked"] > 15_000 and seen["ended"] > 0
    assert run("in_wasm", "same_loops", game, PERFT[game])["decisions"] > 20
    assert run("in_wasm", "same_searches", game, 6, 150) >= 12


@pytest.mark.long
def test_endgame_tables_are_read_as_here(compiled: Callable[[str], Any]) -> None:
    assert compiled("forty_bridges")("in_wasm", "same_endgame") != 0


@pytest.mark.long
@pytest.mark.browser
def test_the_examples_of_the_page_run_in_node_and_in_a_browser(compiled: Callable[[str], Any], tmp_path: Path) -> None:
    """In the browser, under a policy that allows nothing but WebAssembly and scripts of the page."""
    node, page = (re.findall(rf"```{kind}\n(.+?)```", PAGE.read_text("utf-8"), re.DOTALL)[0] for kind in ("js", "html"))
    run = compiled("forty_bridges")
    run("in_wasm", "site", str(tmp_path))
    shown = run("in_wasm", "shown", str(tmp_path), node.replace("200", "20"))
    assert re.fullmatch(r"\d+ moves; results: (1,-1|-1,1|0,0)\n", shown), shown
    (tmp_path / "index.html").write_text(page, "utf-8")
    policy = {"Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'"}
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=QUIET).new_page()
        opened.route("**", lambda route: route.fulfill(path=tmp_path / (urlsplit(route.request.url).path[1:]), headers=policy))
        opened.goto("http://localhost/index.html")
        expect(opened.locator("#best")).to_have_text(re.compile(r"action \d+, \d+ visits"), timeout=60_000)
