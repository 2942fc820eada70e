"""The static site in a real browser: a plain file server in a subfolder, and nothing behind it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bridgehead.site import build
from e2e import axe
from e2e.clicker import Clicker
from e2e.conftest import Watch, come_true, shot

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GAME = "forty_bridges"
BOOT = 300_000  # ms in which Python may have to start, on a machine that does much else
Opener = Callable[..., Page]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, below a folder that a file server serves."""
    made = tmp_path_factory.mktemp("site") / "games" / "here"
    build.write(made, [GAME])
    return made


@pytest.fixture(scope="session")
def home(folder: Path) -> Iterator[str]:
    """The address of the site on `python -m http.server`."""
    words = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder.parents[1])]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout
        found = re.search(r"port (\d+)", running.stdout.readline())
        assert found
        yield f"http://127.0.0.1:{found[1]}/games/here/"
        running.terminate()


@pytest.fixture
def visitor(browser: Browser, home: str) -> Iterator[Opener]:
    """Opens a page of the site: in a new browser, or in that of another page. At the end nothing may have gone wrong."""
    contexts: list[BrowserContext] = []
    watches = []

    def opener(path: str = "", beside: Page | None = None, width: int = 1280, height: int = 800, **settings: object) -> Page:
        context = beside.context if beside else browser.new_context(viewport={"width": width, "height": height}, **settings)  # type: ignore[arg-type]
        if not beside:
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        watches.append(Watch(page, home))
        page.goto(home + path)
        expect(page.locator("main[inert], form[inert]")).to_have_count(0, timeout=BOOT)
        return page

    yield opener
    for context in contexts:
        context.close()
    assert [problem for watch in watches for problem in watch.seen] == []


def begin(page: Page, mode: str, home: str) -> None:
    """Start a game from its page, and wait for the first view."""
    page.goto(f"{home}new-{GAME}.html?mode={mode}")
    start = page.locator("#start")
    expect(start).to_be_enabled(timeout=BOOT)
    start.click()
    expect(page.locator("#stage .piece").first).to_be_visible(timeout=BOOT)
    assert page.url.startswith(f"{home}t.html?table=")


def offline_ready(page: Page) -> None:
    """Wait until the service worker has all files."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def test_hot_seat_to_the_end_then_without_a_network_reloaded_and_a_second_game(visitor: Opener, home: str) -> None:
    page = visitor()
    expect(page.locator(".picture svg")).to_have_count(1, timeout=BOOT)
    begin(page, "here", home)
    clicker = Clicker(page)
    clicker.touch_one(page.evaluate("({keys: [], list: [], lit: []})"))
    Clicker(page).play()
    expect(page.locator("#say")).to_contain_text(re.compile("win|won|draw", re.I))
    said = page.locator("#say").inner_text()
    offline_ready(page)
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("#say")).to_have_text(said, timeout=BOOT)
    begin(page, "here", home)
    Clicker(page, seed=2).play()


def test_a_game_against_the_computer_goes_on_after_a_reload_and_to_its_end(visitor: Opener, home: str) -> None:
    page = visitor()
    begin(page, "computer", home)
    clicker = Clicker(page)
    clicker.until(lambda: page.locator("#log li").count() >= 6)
    logged = page.locator("#log li").count()
    page.reload()
    expect(page.locator("#stage .piece").first).to_be_visible(timeout=BOOT)
    come_true(page, f"document.querySelectorAll('#log li').length >= {logged}")
    Clicker(page, seed=3).play()
    page.goto(home)
    expect(page.get_by_role("heading", name="Games in this browser")).to_be_visible(timeout=BOOT)


def test_two_tabs_show_one_game_and_its_end_stays(visitor: Opener, home: str) -> None:
    page = visitor()
    begin(page, "here", home)
    other = visitor(page.url[len(home) :], beside=page)
    expect(other.locator("#stage .piece").first).to_be_visible(timeout=BOOT)
    Clicker(page).until(lambda: page.locator("#log li").count() >= 2)
    come_true(other, f"document.querySelectorAll('#log li').length >= {page.locator('#log li').count()}")


def test_a_phone_and_the_keyboard_alone_are_enough(visitor: Opener, home: str) -> None:
    page = visitor(width=360, height=740, has_touch=True)
    begin(page, "here", home)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shot(page, "site_phone.png")
    axe.check(page, "a table of the site")
    before = page.locator("#log li").count()
    page.locator("#stage svg").first.focus()
    for _ in range(12):
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        if page.locator("#confirm").get_attribute("aria-disabled") != "true":
            page.keyboard.press("c")
        if page.locator("#log li").count() > before:
            break
    come_true(page, f"document.querySelectorAll('#log li').length > {before}")


def test_all_games_go_to_another_browser_as_one_file(visitor: Opener, home: str, tmp_path: Path) -> None:
    page = visitor()
    begin(page, "here", home)
    Clicker(page).until(lambda: page.locator("#log li").count() >= 2)
    lines, address = page.locator("#log").inner_text(), page.url
    page.goto(home)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save all games").click()
    saving.value.save_as(tmp_path / "games.json")
    assert json.loads((tmp_path / "games.json").read_text())["format"] == "bridgehead games 1"
    other = visitor()
    kept = other.locator("section[aria-labelledby=kept-title]")
    kept.locator("[type=file]").set_input_files(tmp_path / "games.json")
    expect(kept.get_by_role("status")).to_have_text("Games that were added: 1. Already here: 0.")
    other.goto(address)
    expect(other.locator("#log")).to_have_text(lines, timeout=BOOT, use_inner_text=True)
    other.goto(home)
    kept.locator("[type=file]").set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": b"[]"})
    expect(other.get_by_text("This file holds no saved games.")).to_be_visible()


FAILS = """window.SharedWorker = class {
    port = new MessageChannel().port1;
    constructor() { setTimeout(() => this.onerror()); }
}"""
MISSING = {"WebAssembly": ("delete window.WebAssembly", "The games need WebAssembly"), "worker": (FAILS, "could not be started")}


@pytest.mark.parametrize("name", MISSING)
def test_a_browser_that_lacks_something_gets_a_clear_sentence(browser: Browser, home: str, name: str) -> None:
    context = browser.new_context()
    context.add_init_script(MISSING[name][0])
    page = context.new_page()
    page.goto(home)
    expect(page.locator("#site-news")).to_contain_text(MISSING[name][1])
    context.close()


def test_an_update_is_offered_and_not_forced(visitor: Opener, home: str, folder: Path) -> None:
    page = visitor()
    offline_ready(page)
    page.reload()  # the service worker answers from now on
    come_true(page, "!!navigator.serviceWorker.controller")
    version = str(page.evaluate("document.documentElement.dataset.site"))
    files = json.loads((folder / "files.json").read_text())["files"]
    texts = [folder / name for name in files if Path(name).suffix in build.TEXTS]
    before = {file: file.read_bytes() for file in [*texts, folder / "files.json"]}
    try:
        for file, content in before.items():
            file.write_bytes(content.replace(version.encode(), b"a" * len(version)))
        changed = json.loads((folder / "files.json").read_text())
        for each in changed["files"].values():
            each["sha256"] += "0" * 1  # every file counts as new
        (folder / "files.json").write_text(json.dumps(changed))
        page.evaluate("navigator.serviceWorker.getRegistration().then((known) => known.update())")
        offer = page.get_by_role("button", name="Update now")
        expect(offer).to_be_visible(timeout=BOOT)
        assert page.evaluate("document.documentElement.dataset.site") == version
        offer.click()
        come_true(page, f"document.documentElement.dataset.site === '{'a' * len(version)}'")
    finally:
        for file, content in before.items():
            file.write_bytes(content)


BREAK = """async () => {
    const opening = indexedDB.open("bridgehead");
    await new Promise((done) => { opening.onsuccess = done; });
    const change = opening.result.transaction("rows", "readwrite");
    const rows = change.objectStore("rows");
    const keys = rows.getAllKeys();
    keys.onsuccess = () => { for (const key of keys.result) if (key[1] > 0) rows.put("{", key); };
    await new Promise((done) => { change.oncomplete = done; });
}"""


def test_a_damaged_game_is_named_saved_and_removed_and_no_other(visitor: Opener, browser: Browser, home: str) -> None:
    page = visitor()
    begin(page, "here", home)
    Clicker(page).until(lambda: page.locator("#log li").count() >= 2)
    with page.expect_download() as saving:
        page.evaluate(BREAK)
        page.goto(home)
        page.get_by_role("button", name="Save all games").click()
    other = browser.new_context().new_page()  # its Python has not read the game yet
    other.goto(home)
    other.locator("section[aria-labelledby=kept-title] [type=file]").set_input_files(saving.value.path())
    expect(other.locator("section[aria-labelledby=kept-title] [role=status]")).to_contain_text("added: 1", timeout=BOOT)
    other.goto(home + "index.html")
    other.locator("#tables a").first.click()
    news = other.locator("#site-news")
    expect(news).to_contain_text("is damaged", timeout=BOOT)
    with other.expect_download():
        news.get_by_role("button", name="Save what is left").click()
    news.get_by_role("button", name="Remove this game").click()
    expect(other.locator("#kept-title")).to_be_visible(timeout=BOOT)
    expect(other.locator("#tables")).to_be_hidden()
    other.context.close()
