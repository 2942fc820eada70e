"""The static site in a real browser: a plain file server in a subfolder, and nothing behind it."""

import base64
import hashlib
import json
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from bridgehead.core import link, record
from bridgehead.core.phrases import languages
from bridgehead.site import build
from e2e import axe
from e2e.clicker import Clicker
from e2e.conftest import AT_TABLE, BOOT, HAND, RULES, Opener, Server, come_true, served, shot
from e2e.test_editor import has, saved, touch
from e2e.test_learning import paths
from records import RECORDS, recorded

pytestmark = [pytest.mark.browser, pytest.mark.wide]
GAME = "forty_bridges"
HOUSE = RULES | {  # a hand that plays at random may not come to the end without these, or only after thousands of clicks
    "burning_bridges": {"seats": 2, "roundLimit": 15},
    "barricade": RULES["barricade"] | {"turnLimit": 60},
}
SIZES = {
    "desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 740}, "lying": {"width": 740, "height": 360},
}  # fmt: skip


def begin(page: Page, mode: str, home: str, game: str = GAME, **rules: object) -> None:
    """Start a game from its page, and wait for the first view. rules: house rules, which a link carries."""
    page.goto("about:blank")  # a new fragment alone loads no page
    page.goto(f"{home}new-{game}.html?mode={mode}" + (f"#o={packed({'rules': rules})}" if rules else ""))
    start = page.locator("#start")
    expect(start).to_be_enabled(timeout=BOOT)
    start.click()
    expect(page.locator("#stage .piece, #stage .can").first).to_be_visible(timeout=BOOT)
    assert page.url.startswith(f"{home}t.html?table=")


def packed(data: object) -> str:
    """Data for the fragment of a link, as link_codec.js packs it."""
    return "z" + base64.urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).decode().rstrip("=")


def worker(page: Page, script: str) -> None:
    """Run a script in the worker of a page's Python."""
    session = page.context.browser.new_browser_cdp_session()  # type: ignore[union-attr]
    found = session.send("Target.getTargets")["targetInfos"]
    target = next(each["targetId"] for each in found if each["type"] == "shared_worker" and "python.js" in each["url"])
    inside = session.send("Target.attachToTarget", {"targetId": target, "flatten": False})["sessionId"]
    answers: list[object] = []
    session.on("Target.receivedMessageFromTarget", lambda message: answers.append(message))
    message = json.dumps({"id": 1, "method": "Runtime.evaluate", "params": {"expression": script}})
    session.send("Target.sendMessageToTarget", {"sessionId": inside, "message": message})
    while not answers:  # it may be busy
        page.wait_for_timeout(20)
    session.detach()


def offline_ready(page: Page) -> None:
    """Wait until the service worker has all files and answers the page, also one of the first visit."""
    come_true(page, "!!navigator.serviceWorker.controller", seconds=300)


@pytest.mark.long
@pytest.mark.parametrize("game", RULES)
def test_a_game_at_one_screen_goes_to_its_end_and_a_second_begins_without_a_network(
    game: str, visitor: Opener, home: str
) -> None:
    prefer = {"burning_bridges": ("End",), "front_lines": ("cross", "Cross")}.get(game, ())
    page = visitor()
    expect(page.locator(f"[data-game={game}] .picture svg")).to_have_count(1, timeout=BOOT)
    begin(page, "here", home, game, **HOUSE[game])
    clicker = Clicker(page, seed=3, prefer=prefer, avoid=("Pass",))
    clicker.until(lambda: clicker.clicks >= 12)
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        shot(page, f"site_{game}_{name}.png")
    page.set_viewport_size(SIZES["desk"])
    clicker.play()
    expect(page.locator("#say")).to_contain_text(re.compile("won|wins|draw|nobody|No ", re.I))
    shot(page, f"site_{game}_end.png")
    said = page.locator("#say").inner_text()
    offline_ready(page)
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("#say")).to_have_text(said, timeout=BOOT)
    begin(page, "here", home, game, **HOUSE[game])
    second = Clicker(page, seed=4, prefer=prefer, avoid=("Pass",))
    second.until(lambda: page.locator("#log li").count() >= 6)


@pytest.mark.long
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


@pytest.mark.long
def test_two_tabs_show_one_game_and_its_end_stays(visitor: Opener, home: str) -> None:
    page = visitor()
    begin(page, "here", home)
    other = visitor(page.url[len(home) :], beside=page)
    expect(other.locator("#stage .piece").first).to_be_visible(timeout=BOOT)
    Clicker(page).until(lambda: page.locator("#log li").count() >= 2)
    come_true(other, f"document.querySelectorAll('#log li').length >= {page.locator('#log li').count()}")


class Keys(Clicker):
    """Plays by the keyboard alone."""

    def touch_one(self, offered: dict) -> bool:  # type: ignore[type-arg]
        lit = offered["lit"]
        kind, key, _ = self.rng.choice(lit or [*offered["keys"], *offered["list"]] or [("", "", "")])
        if not kind or not self.walked("!!document.activeElement.closest('#stage [data-id]')" if lit else named(key), "Tab"):
            return False
        if lit and not self.walked(f"document.activeElement.closest('[data-id]')?.dataset.id === {json.dumps(key)}", "n"):
            return False
        self.page.keyboard.press("Enter")
        self.clicks += 1
        return True

    def walked(self, reached: str, key: str) -> bool:
        """Press a key until an expression is true; whether it is."""
        for _ in range(80):
            if self.page.evaluate(reached):
                return True
            self.page.keyboard.press(key)
        return False


def named(text: str) -> str:
    return f"document.activeElement.matches('button') && document.activeElement.textContent === {json.dumps(text)}"


@pytest.mark.long
def test_a_phone_and_the_keyboard_alone_are_enough(visitor: Opener, home: str) -> None:
    page = visitor(width=360, height=740, has_touch=True)
    axe.check(page, "the start page of the site")
    begin(page, "here", home)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shot(page, "site_phone.png")
    axe.check(page, "a table of the site")
    player = Keys(page)
    player.until(lambda: page.locator("#log li").count() >= 6)
    assert page.locator("#log li").count() >= 6


@pytest.mark.long
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


@pytest.mark.long
def test_where_pages_cannot_share_a_worker_the_second_tab_waits_for_the_first_and_goes_on_with_its_game(
    visitor: Opener, home: str
) -> None:
    page = visitor(script="delete window.SharedWorker")  # as in Chrome on a phone
    begin(page, "here", home)
    Clicker(page).until(lambda: page.locator("#log li").count() >= 3)
    logged = page.locator("#log").inner_text()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#site-news")).to_contain_text("open in another tab", timeout=BOOT)
    other.wait_for_timeout(30_000)  # longer than a page waits until it connects again: a game is not damaged for that
    expect(other.locator("#site-news p")).to_have_count(1)
    page.close()
    expect(other.locator("#log")).to_have_text(logged, timeout=BOOT, use_inner_text=True)
    expect(other.locator("#site-news").get_by_text("open in another tab")).to_have_count(0)
    Clicker(other).until(lambda: other.locator("#log li").count() >= 5)
    assert other.locator("#log li").count() >= 5


@pytest.fixture
def replace(folder: Path) -> Iterator[Callable[..., str]]:
    """Replaces the site by another build, but for one file if named, and gives the version. Afterwards the site is as before."""
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.suffix in build.TEXTS or file.name == build.LIST}

    def replacing(old: str = "") -> str:
        listed = json.loads(before[folder / build.LIST])
        version = "a" * len(listed["version"])
        for name, about in listed["files"].items():
            if (file := folder / name) in before:
                text = before[file].replace(listed["version"].encode(), version.encode())
                about["sha256"] = hashlib.sha256(text).hexdigest()
                if name != old:
                    file.write_bytes(text)
        # Browsers look for updates when they like: no list may be there before its files, or in part.
        whole = folder.with_name(build.LIST)
        whole.write_text(json.dumps(listed | {"version": version}))
        whole.replace(folder / build.LIST)
        return version

    yield replacing
    for file, content in before.items():
        file.write_bytes(content)


KEPT = """(async () => {
    const opening = indexedDB.open("bridgehead start");
    opening.onupgradeneeded = () => opening.transaction.abort(); // it is not there yet
    const opened = await new Promise((done) => {
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => done();
    });
    if (!opened) return false;
    const counting = opened.transaction("starts").objectStore("starts").count();
    return new Promise((done) => { counting.onsuccess = () => { opened.close(); done(counting.result > 0); }; });
})()"""  # whether the first visit has kept its image of Python
LOOK = """navigator.serviceWorker.getRegistration().then(async (known) => {
    await known.update();
    while (known.installing) await new Promise((done) => setTimeout(done, 100));
    return Boolean(known.waiting);
})"""  # for an update: whether one waits
HELD = """(() => {
    const { postMessage } = ServiceWorker.prototype;
    ServiceWorker.prototype.postMessage = function (...given) {
        window.later = () => postMessage.apply(this, given);
    };
})()"""  # what a page asks of a service worker comes only when `later` is called


def test_an_update_is_offered_once_all_its_files_are_there_and_not_forced(
    visitor: Opener, home: str, replace: Callable[..., str]
) -> None:
    page = visitor()
    offline_ready(page)
    come_true(page, KEPT, seconds=300)  # a page that goes while its worker still loads delays updates by up to five minutes
    page.reload()  # the service worker answers from now on
    come_true(page, "!!navigator.serviceWorker.controller")
    version = str(page.evaluate("document.documentElement.dataset.site"))
    offer = page.get_by_role("button", name="Update now")
    replace("index.html")
    assert page.evaluate(LOOK) is False
    expect(offer).to_have_count(0)
    new = replace()
    assert page.evaluate(LOOK) is True
    expect(offer).to_be_visible(timeout=BOOT)
    assert page.evaluate("document.documentElement.dataset.site") == version
    page.evaluate(HELD)
    offer.click()
    expect(page.locator("#site-news")).to_contain_text("at the latest in five minutes")
    expect(offer).to_be_disabled()
    page.evaluate("later()")
    expect(page.locator("html")).to_have_attribute("data-site", new, timeout=BOOT)


FULL = """(() => {
    const begin = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function (...given) {
        if (self.full) throw new DOMException("no room", "QuotaExceededError");
        return begin.apply(this, given);
    };
})()"""


def test_when_the_storage_is_full_the_move_is_not_made_and_a_sentence_says_so(visitor: Opener, home: str) -> None:
    page = visitor()
    begin(page, "here", home)
    worker(page, FULL)
    Clicker(page).until(lambda: page.locator("#log li").count() >= 2)
    worker(page, "self.full = true")
    logged = page.locator("#log").inner_text()
    clicker = Clicker(page, seed=2)
    clicker.until(lambda: page.locator("#site-news").get_by_text("The storage of this browser is full").count() > 0)
    expect(page.locator("#log")).to_have_text(logged, use_inner_text=True)
    worker(page, "self.full = false")
    clicker.until(lambda: page.locator("#log li").count() >= 4)
    page.reload()
    come_true(page, "document.querySelectorAll('#log li').length >= 4", seconds=300)


BREAK = """async () => {
    const opening = indexedDB.open("bridgehead");
    await new Promise((done) => { opening.onsuccess = done; });
    const change = opening.result.transaction("rows", "readwrite");
    const rows = change.objectStore("rows");
    const keys = rows.getAllKeys();
    keys.onsuccess = () => { for (const key of keys.result) if (key[1] > 0) rows.put("{", key); };
    await new Promise((done) => { change.oncomplete = done; });
}"""


@pytest.mark.long
def test_a_damaged_game_is_named_saved_and_removed_and_no_other(visitor: Opener, browser: Browser, home: str) -> None:
    page = visitor()
    begin(page, "here", home)
    Clicker(page).until(lambda: page.locator("#log li").count() >= 2)
    with page.expect_download() as saving:
        page.evaluate(BREAK)
        page.goto(home)
        page.get_by_role("button", name="Save all games").click()
    other = browser.new_context().new_page()  # its Python has not read the game yet
    other.set_default_timeout(60_000)
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


FORBIDDEN = "Object.defineProperty(self, 'indexedDB', {get() { throw new DOMException('forbidden', 'SecurityError'); }});\n"


@pytest.mark.long
def test_where_nothing_may_be_stored_a_sentence_says_so_and_a_game_can_be_played(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    copied = shutil.copytree(folder, tmp_path / "own" / "site")
    store = copied / "site" / "store.js"
    store.write_text(FORBIDDEN + store.read_text())
    with served(copied) as home:
        for language in ("de", "en"):
            page = browser.new_page(locale=language)
            begin(page, "here", home)
            words = json.loads((folder / "static" / "words" / f"{language}.json").read_text())
            expect(page.locator("#site-news")).to_contain_text(words["site.not_kept"], timeout=BOOT)
        Clicker(page).until(lambda: page.locator("#log li").count() >= 2)
        assert page.locator("#log li").count() >= 2


@pytest.mark.long
def test_a_page_of_another_version_than_the_stored_files_says_so_and_begins_again(visitor: Opener, home: str) -> None:
    page = visitor()
    offline_ready(page)
    page.reload()
    come_true(page, "!!navigator.serviceWorker.controller")
    version = str(page.evaluate("document.documentElement.dataset.site"))
    page.route("**/index.html", lambda route: route.continue_())
    page.evaluate(
        """async (version) => {
            for (const name of await caches.keys()) {
                const cache = await caches.open(name);
                for (const request of await cache.keys())
                    if (request.url.endsWith("index.html")) {
                        const text = (await (await cache.match(request)).text()).replaceAll(version, "0".repeat(12));
                        await cache.put(request, new Response(text, {headers: {"content-type": "text/html"}}));
                    }
            }
        }""",
        version,
    )
    page.reload()
    expect(page.locator("#site-news")).to_contain_text("another version than this page", timeout=BOOT)
    page.get_by_role("button", name="Reload").click()
    expect(page.locator("html")).to_have_attribute("data-site", version, timeout=BOOT)  # also while the page is just changing


def test_a_link_that_is_too_long_or_broken_says_so_and_the_page_works(visitor: Opener, home: str) -> None:
    page = visitor()
    for text, said in (("z" + "A" * 61_000, "too large"), ("zzzz", "is damaged")):
        page.goto("about:blank")
        page.goto(f"{home}new-{GAME}.html?mode=here#o={text}")
        expect(page.locator("#error")).to_contain_text(said, timeout=BOOT)
        expect(page.locator("#start")).to_be_enabled()
    text = recorded("forty_bridges-1")
    whole = link.pack(*record.load(text))
    for text, said in ((whole + "A" * 300_000, "longer than"), (whole[:90], "cut off")):
        page.goto("about:blank")
        page.goto(f"{home}replay.html#g={text}")
        expect(page.locator("#error")).to_contain_text(said, timeout=BOOT)


@pytest.mark.long
def test_links_and_records_go_from_a_server_to_the_site_and_back(visitor: Opener, home: str, server: Server) -> None:
    """A server's link opens here with its address changed, and pasted as it is; a game of here opens there."""
    match, names = record.load(recorded("forty_bridges-1"))
    there = f"{server.url}/replay?at=20#g={link.pack(match, names)}"
    page = visitor(f"replay.html?at=20#g={link.pack(match, names)}")
    expect(page.locator("#jump")).to_have_value("20", timeout=BOOT)
    page.goto(home)
    page.get_by_label("A link to a game").fill("https://example.org/t/ABC")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("This link is damaged")).to_be_visible()
    page.get_by_label("A link to a game").fill(there)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#log li")).to_have_count(20, timeout=BOOT)
    expect(page.locator("#jump")).to_have_value("20")
    expect(page.locator("#scrub")).to_have_attribute("max", str(len(match.log)))
    page.locator("#fork").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Invite friends")).to_be_hidden()
    dialog.get_by_label("Play the computer").check()
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/t.html?table=*")
    expect(page.locator("#log li").nth(19)).to_be_visible(timeout=BOOT)
    table = str(page.evaluate("new URLSearchParams(location.search).get('table')"))
    kept = page.evaluate("(path) => site.fetch(path).then((found) => found.text())", f"/api/tables/{table}/record")
    shared = json.loads(page.evaluate("(path) => site.fetch(path).then((found) => found.text())", f"/api/tables/{table}/link"))
    shown = page.context.browser.new_page()  # type: ignore[union-attr]
    for address in (f"/replay?at=20#g={shared['link']}", f"/replay?at=20#r={quote(kept, safe='')}"):
        shown.goto(server.url + address)
        expect(shown.locator("#log li").nth(19)).to_be_attached(timeout=BOOT)
    shown.close()


RELAY = """(() => {
    window.thinkers = [];
    window.Worker = class extends Worker {
        constructor(url, options) {
            super(url, options);
            this.asked = this.answered = 0;
            if (options.name !== "image") window.thinkers.push(this);
        }
        terminate() {
            this.ended = true;
            super.terminate();
        }
        set onmessage(take) {
            super.onmessage = ({ ports: [inside] }) => {
                const { port1, port2 } = new MessageChannel();
                port2.onmessage = ({ data }) => { this.asked++; inside.postMessage(data); };
                inside.onmessage = ({ data }) => { this.answered++; port2.postMessage(data); };
                take({ ports: [port1] });
            };
        }
    };
})()"""  # counts what is asked of the page's thinking workers
ASKED = "window.thinkers.at(-1)?.asked"
ANSWERED = "window.thinkers.at(-1)?.answered"


@pytest.mark.long
def test_levels_and_hints_think_in_the_pages_worker_which_is_replaced_when_it_is_stopped_or_dies(
    visitor: Opener, home: str
) -> None:
    page = visitor()
    page.add_init_script(RELAY)
    page.goto(f"{home}new-{GAME}.html?mode=computer")
    page.locator("#start:enabled").click(timeout=BOOT)
    expect(page).to_have_url(AT_TABLE, timeout=BOOT)
    come_true(page, "window.thinkers.length === 1", seconds=300)
    clicker = Clicker(page)
    clicker.until(lambda: page.evaluate(ANSWERED) > 0 and page.locator("#stage .can").count() > 0)
    assert page.locator("#log li").count() >= 2, "the level has answered"

    asked = page.evaluate(ASKED)
    page.keyboard.press("h")
    come_true(page, f"{ASKED} > {asked}")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".advice")).to_be_hidden()
    come_true(page, f"window.thinkers.length === 2 || {ANSWERED} === {ASKED}")  # ended, unless it was done already
    page.keyboard.press("h")
    expect(page.locator(".advice li .btn").first).to_be_visible(timeout=BOOT)
    assert page.evaluate(ANSWERED) >= 1
    shot(page, "site_hint.png")

    count = page.evaluate("window.thinkers.length")
    logged = page.locator("#log li").count()
    page.evaluate("""() => {
        const last = window.thinkers.at(-1);
        last.terminate();
        last.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
    }""")
    come_true(page, f"window.thinkers.length === {count + 1}")
    page.locator(".advice li .btn").first.click()
    clicker.until(lambda: page.evaluate(ANSWERED) > 0 and page.locator("#log li").count() > logged + 1)
    assert page.locator("#log li").count() > logged + 1


@pytest.mark.long
def test_a_game_is_analysed_by_two_workers_which_end_with_it(visitor: Opener, home: str) -> None:
    page = visitor()
    page.add_init_script(RELAY)
    page.goto(f"{home}replay.html")
    page.set_input_files("#file", RECORDS / "forty_bridges-1.txt")
    page.locator("#tab-study").click(timeout=BOOT)
    expect(page.locator(".winline")).to_be_visible(timeout=BOOT)
    expect(page.locator(".ways .chosen")).to_have_count(1)
    expect(page.locator(".study tbody tr")).to_have_count(2)
    at_once = min(2, page.evaluate("navigator.hardwareConcurrency"))
    assert page.evaluate("window.thinkers.filter(({ answered }) => answered).length") == at_once, "two workers have shared it"
    come_true(page, "window.thinkers.every(({ ended }) => ended)")
    shot(page, "site_analysis.png")


@pytest.mark.long
def test_a_tutorial_is_played_to_its_end_and_leads_to_a_first_game(visitor: Opener) -> None:
    page = visitor("learn-barricade.html")
    path = "/api/games/barricade/tutorial?lang=en"
    steps = page.evaluate("(path) => site.fetch(path).then((found) => found.json())", path)["steps"]
    for number, step in enumerate(steps, start=1):
        expect(page.locator("#count")).to_have_text(f"Step {number} of {len(steps)}", timeout=BOOT)
        expect(page.locator("#text")).to_have_text(step["text"])
        if "right" in step:
            for id in paths(step)[0]:
                if id.startswith("!"):
                    page.locator("#buttons button", has_text=re.compile(f"^{re.escape(step['buttons'][id])}$")).click()
                else:
                    touch(page, id)
            expect(page.locator("#praise")).to_have_text("Right!")
        if number < len(steps):
            page.locator("#next").click()
    shot(page, "site_tutorial.png")
    page.locator("#first").click()
    page.wait_for_url("**/t.html?table=*")
    expect(page.locator("#stage [data-id='f:e10']")).to_have_count(1, timeout=BOOT)
    expect(page.locator("#seats")).to_contain_text("computer", ignore_case=True)


@pytest.mark.long
def test_a_board_is_drawn_shared_and_played(visitor: Opener, home: str, tmp_path: Path) -> None:
    page = visitor("edit-burning_bridges.html")
    has(page, "m:start:a:R0")
    touch(page, "m:goal:b:R13", "f:A3")
    has(page, "m:goal:b:A3")
    board = saved(page, tmp_path / "here.json")
    page.locator("#share").click()
    link = page.locator("#link input").input_value()
    assert link.startswith(f"{home}edit-burning_bridges.html#b=")
    other = visitor(link.removeprefix(home))
    has(other, "m:goal:b:A3")
    assert saved(other, tmp_path / "there.json") == board
    other.locator("#play").click()
    other.locator("#start:enabled").click(timeout=BOOT)
    expect(other.locator("#where")).to_contain_text("Board: star5", timeout=BOOT)  # the drawing kept its name
    expect(other.locator("#stage .piece").first).to_be_visible()


@pytest.mark.long
def test_a_position_is_set_up_from_a_table_and_played(visitor: Opener, home: str) -> None:
    page = visitor()
    begin(page, "here", home)
    Clicker(page).until(lambda: page.locator("#log li").count() >= 2)
    table = page.evaluate("new URLSearchParams(location.search).get('table')")
    page.evaluate("(path) => location.assign(site.href(path))", f"/position/{GAME}?table={table}")
    expect(page.locator("#stage .piece").first).to_be_visible(timeout=BOOT)
    assert page.url == f"{home}position-{GAME}.html?table={table}"


def roll_ourselves(page: Page) -> None:
    """Start a game with real dice or cards from its page."""
    page.get_by_text("More options").first.click()
    page.get_by_label("Real ones: we roll and draw ourselves").check()
    page.locator("#start:enabled").click(timeout=BOOT)
    expect(page.locator("#faces .face").first).to_be_visible(timeout=BOOT)


def type_in(page: Page, face: str) -> None:
    """Tap a face as soon as it can be tapped."""
    page.get_by_role("button", name=face, exact=True).wait_for()
    page.wait_for_timeout(HAND)
    page.get_by_role("button", name=face, exact=True).click()


@pytest.mark.long
def test_the_only_draw_of_burning_bridges_is_typed_and_corrected(visitor: Opener) -> None:
    faces = ["Black goes first.", "Blue goes first.", "Yellow goes first."]
    page = visitor(f"new-burning_bridges.html?mode=here#o={packed({'rules': {'seats': 3}})}", width=360, height=740)
    roll_ourselves(page)
    offered = page.locator("#faces .face")
    assert offered.evaluate_all("nodes => nodes.map((node) => node.ariaLabel)") == faces
    type_in(page, faces[0])
    expect(page.locator("#log li").last).to_contain_text(faces[0])
    type_in(page, "Wrong tap: correct it")
    expect(offered).to_have_count(len(faces))
    type_in(page, faces[-1])
    expect(page.locator("#log li").last).to_contain_text(faces[-1])
    clicker = Clicker(page, seed=3, prefer=("End",))
    clicker.until(lambda: page.locator("#log li").count() >= 4)
    assert page.locator("#log li").count() >= 4
    expect(offered).to_have_count(0)
    page.reload()
    expect(page.locator("#stage .can").first).to_be_visible(timeout=BOOT)
    expect(page.locator("#log li").first).to_contain_text(faces[-1])


@pytest.mark.long
def test_real_dice_are_typed(visitor: Opener, home: str) -> None:
    page = visitor("new-barricade.html?mode=here")
    roll_ourselves(page)
    for face in ("Blue goes first.", "The die shows 6"):
        type_in(page, face)
    expect(page.locator("#log li").last).to_contain_text("6")
    type_in(page, "Wrong tap: correct it")
    expect(page.locator("#faces .face")).to_have_count(6)


@pytest.mark.long
def test_real_cards_are_typed(visitor: Opener, home: str) -> None:
    page = visitor(f"new-front_lines.html?mode=here#o={packed({'rules': {'seats': 2}})}", width=360, height=740)
    roll_ourselves(page)
    suits = page.locator("#faces .suits .btn")
    expect(suits).to_have_text(["Hearts", "Diamonds", "Spades", "Clubs"])
    suits.get_by_text("Spades").click()
    expect(page.get_by_role("button", name="7 of Hearts")).to_be_hidden()
    type_in(page, "Ace of Spades")
    expect(page.locator("#log li").last).to_contain_text("Ace of Spades")
    Clicker(page, seed=3).until(lambda: page.locator("#faces .face").count() > 0)
    offered = page.locator("#faces .face").evaluate_all("nodes => nodes.map((node) => node.ariaLabel)")
    assert "King of Spades" not in offered and "Jack of Spades" in offered, "the characters' cards do not lie in the field"
    suits.get_by_text("Diamonds").click()
    shot(page, "site_cards_phone.png")
    type_in(page, "5 of Diamonds")
    page.get_by_role("button", name="Wrong tap: correct it").wait_for()
    expect(page.locator("#log li").last).to_contain_text("5 of Diamonds")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.long
def test_settings_and_all_languages_stay_from_page_to_page(visitor: Opener, home: str, folder: Path) -> None:
    page = visitor(color_scheme="light")
    for language in languages():
        page.locator("[data-settings]").first.click()
        dialog = page.locator("#settings")
        dialog.locator("[name=theme]").select_option("dark")
        if page.evaluate("document.documentElement.lang") != language:
            with page.expect_navigation():
                dialog.locator("[name=lang]").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        words = json.loads((folder / "static" / "words" / f"{language}.json").read_text())
        page.goto(f"{home}new-{GAME}.html?mode=here")
        page.locator("#start:enabled").click(timeout=BOOT)
        expect(page.locator("#stage .piece").first).to_be_visible(timeout=BOOT)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("#tab-log")).to_have_text(words["log"])
        page.goto(home)
