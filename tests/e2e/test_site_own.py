"""What a designer publishes as a static site: an own game, without a line of browser code, and an own board."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from playwright.sync_api import expect

from bridgehead.core.game import Game
from bridgehead.players import wasm
from bridgehead.site import build
from e2e.clicker import Clicker
from e2e.conftest import AT_TABLE, BOOT, HAND, Opener, served, shot
from e2e.test_site import begin, offline_ready
from games.test_adding_a_game import hex_game, installed  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.wide]
ROOT = Path(__file__).parents[2]
MINI = ROOT / "src" / "bridgehead" / "games" / "barricade" / "boards" / "mini.json"


@pytest.fixture
def home(request: pytest.FixtureRequest) -> str:
    """The address of the site that a test names."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture(scope="module")
def site_of_a_game(hex_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:  # noqa: F811
    """The game that docs/do/add_a_game.md builds, published as docs/do/publish.md says."""
    made = tmp_path_factory.mktemp("own") / "games" / "here"
    words = [sys.executable, "-m", "bridgehead", "site", str(made), "--games", "hex_pie"]
    env = {**installed("hex_pie", hex_game), "NUMBA_DISABLE_JIT": "0"}
    ran = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    scripts = {name for name in json.loads((made / "files.json").read_text())["files"] if name.endswith(".js")}
    assert {name for name in scripts if not name.startswith("pyodide/")} == {
        name for name in build.collect_shared_files() if name.endswith(".js")
    }, "the game brings no script"
    with served(made) as address:
        yield address


@pytest.mark.long
@pytest.mark.parametrize("home", ["site_of_a_game"], indirect=True)
def test_an_own_game_is_played_to_its_end_and_against_a_computer_without_a_network(visitor: Opener, home: str) -> None:
    page = visitor()
    expect(page.get_by_role("heading", name="Hex", exact=True)).to_be_visible()
    expect(page.locator("[data-game=hex_pie] .picture svg")).to_have_count(1, timeout=BOOT)
    begin(page, "here", home, "hex_pie", width=5)
    cell = page.locator("#stage .can").first
    touched = cell.get_attribute("data-id")
    cell.click()
    expect(page.locator("#log li")).to_have_count(1)
    page.wait_for_timeout(HAND)
    page.evaluate("(id) => document.querySelector(`#stage [data-id='${id}']`).focus()", touched)
    page.keyboard.press("Enter")
    why = page.locator("#why")
    expect(why.get_by_role("link")).to_have_attribute("href", re.compile(r"rules-hex_pie.html\?table=[A-Z]+#HEX-1$"))
    page.reload()
    expect(page.locator("#log li")).to_have_count(1, timeout=BOOT)
    Clicker(page, seed=3).play()
    expect(page.locator("#say")).to_contain_text("wins")
    shot(page, "site_own_game.png")
    page.wait_for_timeout(HAND)
    page.locator("#after [data-t=replay]").click()
    page.locator("#end").click(timeout=BOOT)
    expect(page.locator("#say")).to_contain_text("wins")
    page.goto(home)
    page.locator("[data-game=hex_pie] [data-more]").click()
    page.locator("[data-game=hex_pie]").get_by_role("link", name="Rules").click()
    expect(page.locator("[id='HEX-2']")).to_contain_text("from the top edge to the bottom")

    offline_ready(page)
    page.context.set_offline(True)
    page.goto(home)
    card = page.locator("[data-game=hex_pie]")
    card.get_by_role("link", name="Play").click()
    card.get_by_role("button", name="Hard").click()
    expect(page).to_have_url(AT_TABLE)
    expect(page.locator("#stage .piece, #stage .can").first).to_be_visible(timeout=BOOT)
    Clicker(page, seed=4).until(lambda: page.locator("#log li").count() >= 4)
    page.keyboard.press("h")
    expect(page.locator(".advice li .btn").first).to_be_visible(timeout=BOOT)


@pytest.fixture(scope="module")
def site_of_a_board(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site with a board of a file."""
    place = tmp_path_factory.mktemp("board")
    (file := place / "own.json").write_text(MINI.read_text("utf-8").replace('"name":"mini"', '"name":"Moat"'))
    compiled = wasm.module

    def module(game: Game, with_law: bool) -> bytes:
        known = folder / "wasm" / f"{game.spec.id}-{wasm.layout(game)}.wasm"
        return known.read_bytes() if known.exists() else compiled(game, with_law=with_law)

    with mock.patch.object(wasm, "module", module):
        build.write(place / "games" / "here", ["barricade"], boards=[file])
    with served(place / "games" / "here") as address:
        yield address


@pytest.mark.parametrize("home", ["site_of_a_board"], indirect=True)
def test_an_own_board_stands_first_and_is_played_against_the_computer(visitor: Opener, home: str) -> None:
    page = visitor()
    card = page.locator("article.game").first
    expect(card.get_by_role("heading")).to_have_text("Moat")
    expect(card.locator(".picture svg")).to_have_count(1, timeout=BOOT)
    shot(page, "site_own_board.png")
    card.get_by_role("link", name="Play").click()
    card.get_by_role("button", name="Easy").click()
    expect(page).to_have_url(AT_TABLE)
    expect(page.locator("#where")).to_contain_text("Moat", timeout=BOOT)
    expect(page.locator("#stage [data-id='f:e10']")).to_have_count(1)
    Clicker(page, seed=3, avoid=("Pass",)).until(lambda: page.locator("#log li").count() >= 8)
    assert page.locator("#log li").count() >= 8
