"""The static site where a browser lacks or denies something, taken away as browsers do it: on a phone, by touch."""

import contextlib
import functools
import http.server
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bridgehead.core.phrases import languages
from e2e.clicker import Clicker
from e2e.conftest import BOOT, QUIET, RULES, chromium, shot, whole_chromium
from e2e.test_site import begin

pytestmark = [pytest.mark.browser, pytest.mark.wide]
GAME = "barricade"  # chance begins, so that nothing but the board of the new game is there without Python
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "locale": "en"}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "en"}
DENY = """for (const name of %s)
    if (name in self) Object.defineProperty(self, name, {get() { throw new DOMException('denied', 'SecurityError'); }});
"""
GONE = "for (const name of %s) Object.defineProperty(self, name, { value: undefined });"
REFUSE = "() => { throw new DOMException('denied', 'SecurityError'); }"
STORAGE = f"""{DENY % ["localStorage", "sessionStorage", "indexedDB", "caches"]}
Object.defineProperty(self.navigator, 'locks', {{ value: {{ query: async {REFUSE}, request: async {REFUSE} }} }});
self.SharedWorker = class {{ constructor() {{ ({REFUSE})(); }} }};
"""
# What is taken away at the beginning of `granted.js`, by which pages and workers ask for it; then the sentences that may be read.
LACKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "shared workers": (GONE % ["SharedWorker"], ()),
    "shared workers, denied": (f"self.SharedWorker = class {{ constructor() {{ ({REFUSE})(); }} }};", ()),
    "shared workers that fail": (
        "self.SharedWorker = class { port = new MessageChannel().port1; constructor() { setTimeout(() => this.onerror()); } };",
        (),
    ),
    "shared workers that say nothing": ("self.SharedWorker = class { port = new MessageChannel().port1; };", ()),
    "any storage": (STORAGE, ("site.not_kept",)),
    "databases": (GONE % ["indexedDB"], ("site.not_kept",)),
    "databases and shared workers": (GONE % ["indexedDB", "SharedWorker"], ("site.not_kept",)),
    "caches": (GONE % ["caches"], ()),
    "channels": (GONE % ["BroadcastChannel"], ()),
    "locks": ("delete Object.getPrototypeOf(navigator).locks;" + GONE % ["SharedWorker"], ()),
    "service workers": ("delete Object.getPrototypeOf(navigator).serviceWorker;", ()),
    "the clipboard": (
        "delete Object.getPrototypeOf(navigator).clipboard; if (self.document) document.execCommand = () => false;",
        (),
    ),
    "drawing in workers": (GONE % ["OffscreenCanvas"], ()),
}


class Lacking(http.server.SimpleHTTPRequestHandler):
    """A plain file server that begins one module with another text."""

    prelude = ""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        if not self.prelude or not self.path.endswith("/static/base/granted.js"):
            super().do_GET()
            return
        text = (self.prelude + Path(self.translate_path(self.path)).read_text()).encode()
        self.send_response(200)
        self.send_header("content-type", "text/javascript")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@contextlib.contextmanager
def lacking(folder: Path, prelude: str = "") -> Iterator[str]:
    """The address of the site."""
    handler = functools.partial(type("Without", (Lacking,), {"prelude": prelude}), directory=str(folder.parents[1]))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{folder.parent.name}/{folder.name}/"
    server.shutdown()


def words(folder: Path, language: str = "en") -> dict[str, str]:
    found: dict[str, str] = json.loads((folder / "static" / "words" / f"{language}.json").read_text())
    return found


def lines(page: Page) -> list[str]:
    return [line.strip() for line in page.locator("#site-news p:not(.passing)").all_inner_texts()]


def plays(context: BrowserContext, home: str, sentences: list[str], name: str) -> None:
    """A game begins, goes on on another page, and the start page knows it; nothing else is said, and no error is seen."""
    problems: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.set_default_timeout(60_000)
    page.goto(home)
    expect(page.locator(".picture svg").first).to_be_visible(timeout=BOOT)
    begin(page, "here", home, GAME, **RULES[GAME])
    player = Clicker(page, seed=3, finger=True)
    player.until(lambda: page.locator("#log li").count() >= 4)
    expect(page.locator("#site-news .passing")).to_have_count(0, timeout=BOOT)
    assert lines(page) == sentences
    shot(page, f"lacking_{re.sub('[^a-z]+', '_', name)}.png")
    logged = page.locator("#log").inner_text()
    page.goto(home)
    expect(page.locator("#tables li")).to_have_count(1, timeout=BOOT)
    page.locator("#tables a").first.tap()
    expect(page.locator("#log")).to_have_text(logged, timeout=BOOT, use_inner_text=True)
    player.until(lambda: page.locator("#log li").count() >= 6)
    assert page.locator("#log li").count() >= 6
    assert not problems
    page.close()


@pytest.mark.long
@pytest.mark.parametrize("name", LACKS)
def test_a_game_is_played_from_page_to_page_without(name: str, browser: Browser, folder: Path) -> None:
    prelude, keys = LACKS[name]
    with lacking(folder, prelude) as home:
        context = browser.new_context(**PHONE)
        plays(context, home, [words(folder)[key] for key in keys], name)
        context.close()


@pytest.mark.long
def test_a_game_is_played_where_the_browser_blocks_all_data_of_sites(folder: Path, browser: Browser, tmp_path: Path) -> None:
    settings = tmp_path / "Default" / "Preferences"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"profile": {"default_content_setting_values": {"cookies": 2}}}))
    with lacking(folder) as home, whole(browser.browser_type, tmp_path) as context:
        page = context.new_page()
        page.goto(home + "files.json")
        assert page.evaluate("(() => { try { return !!localStorage; } catch { return false; } })()") is False
        page.close()
        plays(context, home, [words(folder)["site.not_kept"]], "data_of_sites")


@contextlib.contextmanager
def whole(chromium_type: Any, profile: Path) -> Iterator[BrowserContext]:
    """The whole Chromium on a phone with this profile."""
    context = chromium_type.launch_persistent_context(
        profile, executable_path=whole_chromium(), headless=False, args=[*QUIET, "--headless=new"], **PHONE
    )
    yield context
    context.close()


@pytest.mark.long
def test_a_game_is_played_at_an_address_of_the_local_network_which_is_no_secure_one(folder: Path, browser: Browser) -> None:
    with lacking(folder) as home:
        context = browser.new_context(**PHONE)
        page = context.new_page()
        there = home.replace("127.0.0.1", "table.lan")
        page.goto(there)
        assert page.evaluate("isSecureContext || 'caches' in self || 'serviceWorker' in navigator") is False
        page.close()
        plays(context, there, [], "secure_context")
        context.close()


SIMD = "WebAssembly.validate(new Uint8Array([0,97,115,109,1,0,0,0,1,5,1,96,0,1,123,3,2,1,0,10,10,1,8,0,65,0,253,15,253,98,11]))"


@pytest.mark.long
def test_a_game_is_played_where_the_processor_has_no_vectors(folder: Path, browser: Browser) -> None:
    assert browser.new_page().evaluate(SIMD) is True
    flags = "--js-flags=--no-enable-sse3 --no-enable-ssse3 --no-enable-sse4-1 --no-enable-sse4-2 --no-enable-avx"
    without = browser.browser_type.launch(executable_path=chromium(), args=[*QUIET, flags])
    with lacking(folder) as home:
        context = without.new_context(**PHONE)
        page = context.new_page()
        assert page.evaluate(SIMD) is False
        page.close()
        plays(context, home, [], "vectors")
    without.close()


STOPPED = {  # what no page can do without; then the sentence
    "WebAssembly": (GONE % ["WebAssembly"], "site.no_wasm"),
    "workers": (GONE % ["SharedWorker", "Worker"], "site.failed"),
}


@pytest.mark.parametrize("name", STOPPED)
def test_one_sentence_says_what_is_missing_and_what_is_pressed_leads_to_it(name: str, browser: Browser, folder: Path) -> None:
    prelude, key = STOPPED[name]
    for language in languages():
        said = words(folder, language)[key]
        with lacking(folder, prelude) as home:
            context = browser.new_context(**PHONE | {"locale": language})
            page = context.new_page()
            page.goto(home)
            expect(page.locator("#site-news p")).to_have_text([said])
            expect(page.locator(".picture svg")).to_have_count(len(RULES))
            page.locator(f"[data-game={GAME}] [data-computer]").tap()
            page.wait_for_timeout(600)
            page.locator(f"[data-game={GAME}] [data-level]").first.tap()
            expect(page.locator("#site-news p")).to_be_in_viewport()
            assert page.locator("#site-news p, .problem:visible").all_inner_texts() == [said]
            for path in (f"new-{GAME}.html?mode=here", "new-forty_bridges.html?mode=here", "replay.html", f"learn-{GAME}.html"):
                page.goto(home + path)
                expect(page.locator("#site-news p")).to_have_text([said])
                if path.startswith("new") and page.locator("#start").is_enabled():
                    page.locator("#start").tap()
                page.wait_for_timeout(300)
                assert page.locator("#site-news p, .problem:visible").all_inner_texts() == [said], path
            shot(page, f"lacking_{name}_{language}.png")
            context.close()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_without_scripts_every_page_says_so_in_every_language(size: dict[str, Any], browser: Browser, folder: Path) -> None:
    context = browser.new_context(**size, java_script_enabled=False)
    page = context.new_page()
    said = [words(folder, language)["no_script"] for language in languages()]
    with lacking(folder) as home:
        for file in folder.glob("*.html"):
            page.goto(home + file.name)
            assert page.locator("noscript p").all_inner_texts() == said
            expect(page.locator("noscript p").first).to_be_in_viewport()
            expect(page.locator(".stopped > [data-why]:visible")).to_have_count(0)
        page.goto(home)
        shot(page, f"lacking_scripts_{size['viewport']['width']}.png")
    context.close()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_page_opened_from_a_folder_says_how_to_serve_it(size: dict[str, Any], browser: Browser, folder: Path) -> None:
    for language in languages():
        context = browser.new_context(**size | {"locale": language})
        page = context.new_page()
        for file in folder.glob("*.html"):
            page.goto(file.as_uri())
            line = page.locator(".stopped .problem")
            expect(line).to_have_text([words(folder, language)["site.folder"]])
            expect(line).to_be_in_viewport()
        page.goto((folder / "index.html").as_uri())
        shot(page, f"lacking_server_{language}_{size['viewport']['width']}.png")
        context.close()


def test_a_page_whose_module_cannot_be_read_says_that_the_games_could_not_be_started(browser: Browser, folder: Path) -> None:
    context = browser.new_context(**PHONE)
    page = context.new_page()
    with lacking(folder, "a language that this browser does not know") as home:
        page.goto(home)
        expect(page.locator(".stopped .problem")).to_have_text([words(folder)["site.failed"]])
    context.close()
