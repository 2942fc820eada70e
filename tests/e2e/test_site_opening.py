"""The static site before Python is there: its boards are seen, and the first move of a game can be made."""

import contextlib
import functools
import http.server
import json
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.site import build
from e2e.axe import check
from e2e.clicker import Clicker
from e2e.conftest import BOOT, Watch, come_true, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
GAME = "forty_bridges"
PATHS = (  # of pages, as on a server
    "/?a=b", "/rules", "/rules/barricade?table=X#BA-1", "/new/barricade?mode=here", "/new/barricade?like=ABC#o=z", "/t/ABC#s=x",
    "/replay", "/replay?at=3#g=x", "/replay/ABC", "/replay/ABC?at=3#x", "/verify", "/verify/ABC", "/study#at=3&g=x",
    "/learn/barricade", "/edit/barricade#b=x", "/position/barricade?table=ABC", "/puzzles/barricade#x", "/static/table/table.js",
)  # fmt: skip


class Held(http.server.SimpleHTTPRequestHandler):
    """A plain file server that gives Python, and what is missing, only when it may."""

    may: threading.Event

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        if "/pyodide/" in self.path or not Path(self.translate_path(self.path)).exists():
            self.may.wait()
        super().do_GET()


@contextlib.contextmanager
def holding(folder: Path) -> Iterator[tuple[str, threading.Event]]:
    """The address of a site, and the event that lets Python come."""
    may = threading.Event()
    handler = functools.partial(type("Waiting", (Held,), {"may": may}), directory=str(folder.parents[1]))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{folder.parent.name}/{folder.name}/", may
    may.set()
    server.shutdown()


@contextlib.contextmanager
def phone(browser: Browser, home: str, language: str) -> Iterator[Page]:
    """A page in a new browser, on which nothing may go wrong."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, locale=language, color_scheme="light")
    made = context.new_page()
    made.set_default_timeout(30_000)
    watch = Watch(made, home)
    yield made
    context.close()
    assert watch.seen == []


@pytest.fixture
def held(folder: Path) -> Iterator[tuple[str, threading.Event]]:
    with holding(folder) as found:
        yield found


@pytest.fixture
def page(browser: Browser, held: tuple[str, threading.Event]) -> Iterator[Page]:
    with phone(browser, held[0], "de") as made:
        yield made


def test_the_first_pages_of_each_game_need_no_python_and_lead_where_files_are(browser: Browser, tmp_path: Path) -> None:
    files = build.before_python(registry.specs())
    build.save(site := tmp_path / "games" / "here", build.add_version(build.rename_for_hosts(files)))
    for language, game in zip(languages(), registry.specs(), strict=False):
        begins = bool(json.loads(zlib.decompress(files[f"first/new-{game}-{language}.json.z"]))["tables"])
        with holding(site) as (home, _), phone(browser, home, language) as page:
            page.goto(home)
            expect(page.locator(".picture svg")).to_have_count(len(registry.specs()))
            for mode in ("here", "computer"):
                page.goto(f"{home}new-{game}.html?mode={mode}")
                expect(page.locator("#preview svg")).to_be_attached()
                expect(page.locator("#start")).to_be_enabled()
                if begins:
                    page.locator("#start").click()
                    expect(page.locator("#stage .can").first).to_be_visible()
            shown = page.evaluate("(paths) => paths.map((path) => site.href(path))", PATHS)
            assert shown == [home + build.address(path[1:]).removeprefix("./") for path in PATHS]


@pytest.mark.parametrize("mode", ["here", "computer"])
def test_the_first_move_is_made_before_python_is_there_and_is_played_when_it_has_come(
    mode: str, page: Page, held: tuple[str, threading.Event]
) -> None:
    home, may = held
    page.goto(home)
    expect(page.locator(".picture svg")).to_have_count(4)
    page.goto(f"{home}new-{GAME}.html?mode={mode}")
    expect(page.locator("#preview svg")).to_be_attached()
    page.locator("#start").click()
    expect(page.locator("#stage .can").first).to_be_visible()
    expect(page.locator("#say")).to_contain_text("mit einem Stein")
    check(page, "a table before Python is there")
    clicker = Clicker(page, seed=2, finger=True)
    waits = page.locator("#site-news").get_by_text("Dein Zug wird gespielt, sobald die Spiele geladen sind.")
    clicker.until(lambda: waits.count() > 0)
    shot(page, f"site_opening_{mode}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360 and not may.is_set()
    page.reload()  # a table that Python has not made yet is still the same
    expect(page.locator("#stage .can").first).to_be_visible()
    clicker.until(lambda: waits.count() > 0)
    may.set()
    come_true(page, "document.querySelectorAll('#log li').length >= 1", seconds=120)
    expect(waits).to_have_count(0)
    assert page.evaluate("localStorage.getItem('bridgehead.begun')") == "{}"
    if mode == "here":
        said = page.locator("#log").inner_text()
        page.reload()
        expect(page.locator("#log")).to_have_text(said, timeout=BOOT, use_inner_text=True)
        page.goto(home)
        expect(page.locator("#tables li")).to_have_count(1, timeout=BOOT)


def test_a_table_with_other_wishes_waits_for_python(page: Page, held: tuple[str, threading.Event]) -> None:
    home, may = held
    page.goto(f"{home}new-{GAME}.html?mode=here")
    page.locator("#seats input").first.fill("Ada")
    page.locator("#start:enabled").click()
    expect(page.locator("#site-news")).to_contain_text("Die Spiele werden geladen")
    may.set()
    expect(page.locator("#seats")).to_contain_text("Ada", timeout=BOOT)
    expect(page.locator("#stage .can").first).to_be_visible(timeout=BOOT)
    assert page.evaluate("localStorage.getItem('bridgehead.begun')") is None
