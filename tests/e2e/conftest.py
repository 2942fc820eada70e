"""A real server in a process of its own, and a real Chromium."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, WebSocket, expect, sync_playwright

from bridgehead.server.storage.sqlite import FILE
from bridgehead.site import build
from server.spoken import is_in_protocol
from server.test_storage import Process

SHOTS = Path(__file__).parents[2] / "shots"  # pictures for a person to look at, taken where BRIDGEHEAD_SHOTS is set
HAND = 450  # ms that a hand takes; what is pressed within 400 ms after the turn passed was meant for what was there before
PATIENCE = 1_200_000  # ms in which a game may have to be compiled, by a worker that gives way to all else on a busy machine
BOOT = 300_000  # ms in which Python may have to start on a static site, on a machine that does much else
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP table.lan 127.0.0.1"]
Opener = Callable[..., Page]  # the fixture `open_page`
expect.set_options(timeout=60_000)  # a busy machine is slow, and that is no fault of the page


class Server:
    """`bridgehead serve` on a free port, which can be stopped, killed and started again over the same data."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, 0

    def start(self) -> None:
        self.process = Process(self.data, self.port)
        self.port = self.process.port

    def stop(self, kill: bool = False) -> None:
        self.process.end(signal.SIGKILL if kill else signal.SIGTERM)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that sends bundles, as an installed one does: without the variable by which tests otherwise have modules."""
    running = Server(tmp_path_factory.mktemp("bundles"))
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(os.environ, "BRIDGEHEAD_MODULES")
        running.start()
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def free_names(request: pytest.FixtureRequest) -> None:
    """Let the profiles of earlier tests hold no names at the server that all tests share."""
    if "server" in request.fixturenames:
        running = request.getfixturevalue("server")
        if not isinstance(running, Server):  # the test's own
            return
        with contextlib.closing(apsw.Connection(str(running.data / FILE))) as file:
            file.set_busy_timeout(60_000)
            file.execute("delete from named")


def chromium() -> str:
    """The program. The shell without windows works a quarter less."""
    names = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
    program = next(filter(None, map(shutil.which, (os.environ.get("BRIDGEHEAD_CHROMIUM", ""), *names))), None)
    assert program, "the browser tests need Chromium; `make test` says how to get it"
    return program


def whole_chromium() -> str:
    """The program with windows. Only it has settings for sites, and keeps pages in memory for "Back"."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert program, "some long tests need the whole Chromium; `sh tools/ensure_chromium.sh whole` installs it"
    return program


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        yield opened
        opened.close()


def shot(page: Page, name: str, **how: Any) -> None:
    """Take a picture, if pictures are wanted."""
    if os.environ.get("BRIDGEHEAD_SHOTS"):
        page.screenshot(path=SHOTS / name, **how)


class Watch:
    """Everything that must not happen on a page: console errors, exceptions, requests to other hosts, words of no protocol."""

    def __init__(self, page: Page, host: str) -> None:
        self.seen: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.seen.append(str(error)))
        page.on("websocket", self._listen)
        page.on(
            "request",
            lambda r: self.seen.append(r.url) if not r.url.startswith((host, "ws" + host[4:], "data:", "blob:")) else None,
        )

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.seen.append(f"{message.text} {message.location['url']}")

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self._check("ClientMessage", frame))
        socket.on("framereceived", lambda frame: self._check("ServerMessage", frame))

    def _check(self, side: str, frame: str | bytes) -> None:
        try:
            is_in_protocol(side, json.loads(frame))
        except (AssertionError, ValueError) as error:
            self.seen.append(str(error))


def until_wired(page: Page, go: Callable[..., Any]) -> Callable[..., Any]:
    """A way to go to a page that ends when its script has wired it: `load` fires while its words are still on the way."""

    def going(*args: Any, **settings: Any) -> Any:
        answer = go(*args, **settings)
        if settings.get("wait_until") != "commit":
            expect(page.locator("[inert]")).to_have_count(0, timeout=60_000)
        return answer

    return going


RULES = {  # house rules of tables at which a game is played whole
    "burning_bridges": {"seats": 2},
    "forty_bridges": {},
    "front_lines": {"seats": 2},
    "barricade": {"board": "mini", "seats": 2},
}


def some_games(*quick: str) -> pytest.MarkDecorator:
    """All games; only these in `make test`, since the pages' code is the same for all."""
    others = (pytest.param(game, marks=pytest.mark.wide) for game in RULES if game not in quick)
    return pytest.mark.parametrize("game", [*quick, *others])


class Site:
    """A static site in place of a server, for tests of what pages do on both. page: one of it that stays open."""

    def __init__(self, home: str, page: Page) -> None:
        self.url, self._page = home.removesuffix("/"), page

    def new_table(self, wish: dict[str, Any]) -> dict[str, Any]:
        code = "(body) => site.fetch('/api/tables', {method: 'POST', body}).then((answer) => answer.json())"
        table: dict[str, Any] = self._page.evaluate(code, json.dumps(wish))
        assert "table" in table, table
        return table


AT_TABLE = re.compile(r"/t(/|\.html\?table=)[A-Z]{22}#")  # the address of a table on a server, or on a static site


def fetched(page: Page, path: str) -> Any:
    """The answer to a request of a page, on a server and on a static site."""
    come_true(page, "document.readyState === 'complete' && (!document.documentElement.dataset.site || !!window.site)")
    return page.evaluate("(path) => (window.site?.fetch ?? fetch)(path).then((answer) => answer.json())", path)


def post_table(server: Any, game: str, seats: list[dict[str, Any]], **body: Any) -> dict[str, Any]:
    """A new table by the same request that the new-game page sends."""
    if isinstance(server, Site):
        return server.new_table({"game": game, "seats": seats, **body})
    answer = httpx.post(server.url + "/api/tables", json={"game": game, "seats": seats, **body}, timeout=60)
    assert answer.status_code == 201, answer.text
    return answer.json()


def set_table(server: Any, game: str, kinds: Sequence[str] = ("person",) * 2, **options: object) -> dict[str, Any]:
    """A new table of people and computers of these levels."""
    seats = [
        {"kind": "person", "name": f"Person {i + 1}"} if k == "person" else {"kind": "computer", "level": k}
        for i, k in enumerate(kinds)
    ]
    return post_table(server, game, seats, options=options, seed=11)


def link(table: dict[str, Any], *seats: int) -> str:
    """The page's address for some seats of a table; for none, to watch."""
    tokens = ".".join(table["tokens"][seat] for seat in seats)
    return f"/t/{table['table']}" + (f"#s={tokens}" if tokens else "")


# What a page is told waits, from `held = []` on.
HOLD = """(() => {
    const Before = WebSocket;
    window.WebSocket = class extends Before {
        set onmessage(hear) {
            window.hear = hear;
            super.onmessage = (event) => { if (window.held) window.held.push(event); else hear(event); };
        }
    };
})()"""


def come_true(page: Page, expression: str, seconds: float = 60) -> Any:
    """What an expression of JavaScript says on a page, as soon as that is true.

    Playwright's own `wait_for_function` looks only once where the page forbids `eval`, as ours do.
    """
    until = time.monotonic() + seconds
    while not (told := page.evaluate(expression)):
        assert time.monotonic() < until, expression
        page.wait_for_timeout(20)
    return told


def at_the_end(page: Page) -> None:
    """Waits for the end of a table's game, and as long as a hand takes to get there: earlier presses are ignored."""
    expect(page.locator("#after")).to_be_visible()
    page.wait_for_timeout(HAND)


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator:  # type: ignore[type-arg]
    """Opens a page of the server in a browser context of its own; at the end nothing may have gone wrong on any."""
    contexts, watches = [], []

    def opener(
        path: str = "/", width: int = 1280, height: int = 800, expect_errors: bool = False, script: str = "", **settings: object
    ) -> Page:
        motion = {"reduced_motion": "reduce", **settings}  # what moves is drawn many times
        context = browser.new_context(viewport={"width": width, "height": height}, **motion)
        contexts.append(context)
        if script:
            context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(60_000)
        if not expect_errors:  # a refused request is an error in the console
            watches.append(Watch(page, server.url))
        for way in ("goto", "reload", "go_back"):
            setattr(page, way, until_wired(page, getattr(page, way)))
        page.goto(server.url + path)
        return page

    yield opener
    for context in contexts:
        context.close()
    assert [problem for watch in watches for problem in watch.seen] == []


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static site, written once a process, below a folder that is served. BRIDGEHEAD_SITE: one that was written before."""
    if written := os.environ.get("BRIDGEHEAD_SITE"):
        return Path(written)
    made = tmp_path_factory.mktemp("site") / "games" / "here"
    build.write(made, RULES)
    return made


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder on `python -m http.server`, which serves the folder two above it."""
    words = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder.parents[1])]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout
        found = re.search(r"port (\d+)", running.stdout.readline())
        assert found
        yield f"http://127.0.0.1:{found[1]}/{folder.parent.name}/{folder.name}/"
        running.terminate()


@pytest.fixture(scope="session")
def home(folder: Path) -> Iterator[str]:
    """The address of the static site."""
    with served(folder) as address:
        yield address


@pytest.fixture
def visitor(browser: Browser, home: str) -> Iterator[Opener]:
    """Opens a page of the static site: in a new browser, or in that of another page. At the end nothing may have gone wrong."""
    contexts: list[BrowserContext] = []
    watches = []

    def opener(
        path: str = "", beside: Page | None = None, width: int = 1280, height: int = 800, script: str = "", **settings: Any
    ) -> Page:
        context = beside.context if beside else browser.new_context(viewport={"width": width, "height": height}, **settings)
        if not beside:
            contexts.append(context)
        if script:
            context.add_init_script(script)
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
