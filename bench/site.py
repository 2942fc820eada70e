"""The static site in Chromium, behind a network of 10 Mbit/s and 40 ms: time to the first move, bytes sent, memory, answers.

The folder comes from `bridgehead site FOLDER`. A visit begins on the page of a new game. It counts when the first move can be
made at its table, which may be before Python is there, and when it has been answered: the move then stands in the log. The first
visit has empty caches. The second is a browser started again without a network. Sizes are bodies as sent.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import json
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

AIMS = {
    "first visit to the first move, s": 6.0, "page is seen, s": 1.5, "board is seen, s": 1.5,
    "second visit, offline, s": 2.5, "sent, MB": 8.0,
    "sent at the second visit, kB": 100.0, "memory, MB": 300.0, "a move is answered, ms": 100.0,
    "a request is answered while a level thinks, ms": 100.0,
}  # fmt: skip
SLOW_AIMS = {"first visit to the first move, s": 12.0, "next page to the first move, s": 3.0, "memory, MB": 300.0}
PATIENCE = 60_000  # ms
RECORDS = Path(__file__).parents[1] / "tests" / "proof" / "records"
PIECE = 16_384  # bytes

# Milliseconds from each move that the page sends to the view that answers it, in `answers`.
WATCH = """() => {
  const { prototype } = site.WebSocket, { send, take } = prototype;
  window.answers = [];
  let begun = 0;
  prototype.send = function (text) {
    if (JSON.parse(text).t === "act") begun = performance.now();
    send.call(this, text);
  };
  prototype.take = function (text, state) {
    if (begun && text && JSON.parse(text).t === "view") {
      window.answers.push(performance.now() - begun);
      begun = 0;
    }
    take.call(this, text, state);
  };
}"""
# Where to touch something that is lit.
LIT = """() => {
  const lit = [...document.querySelectorAll("#stage .can[data-id]")];
  const { e, f } = lit[Math.floor(Math.random() * lit.length)]?.getScreenCTM() ?? { e: 0, f: 0 };
  return [e, f];
}"""
ASK = """async () => {
  const begun = performance.now();
  await (await site.fetch(`/api/tables/${document.querySelector("main").dataset.table}/record`)).text();
  return performance.now() - begun;
}"""
HAS_IMAGE = """async () => {
    const opening = indexedDB.open("bridgehead start");
    opening.onupgradeneeded = () => opening.transaction.abort(); // it is not there yet
    const opened = await new Promise((done) => {
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => done();
    });
    if (!opened) return false;
    const counting = opened.transaction("starts").objectStore("starts").count();
    return new Promise((done) => { counting.onsuccess = () => { opened.close(); done(counting.result > 0); }; });
}"""


class Network:
    """One line for all connections. rate: bytes/s; delay: seconds before each answer."""

    def __init__(self, rate: float, delay: float) -> None:
        self.rate, self.delay, self.sent, self.free, self._lock = rate, delay, 0, 0.0, threading.Lock()

    def carry(self, size: int) -> None:
        """Wait as long as so many bytes take."""
        with self._lock:
            begun = max(self.free, time.monotonic())
            self.free, self.sent = begun + size / self.rate, self.sent + size
        time.sleep(max(0.0, self.free - time.monotonic()))


class Handler(http.server.SimpleHTTPRequestHandler):
    """A plain file server behind a network."""

    protocol_version = "HTTP/1.1"
    network: Network

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        time.sleep(self.network.delay)
        super().do_GET()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        while piece := source.read(PIECE):
            self.network.carry(len(piece))
            outputfile.write(piece)


def served(folder: Path, network: Network) -> str:
    """Serve the folder below a path; its address."""
    handler = functools.partial(type("Shaped", (Handler,), {"network": network}), directory=str(folder.parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/{folder.name}/"


def started(playwright: Playwright, profile: str, **settings: Any) -> BrowserContext:
    """Chromium with this profile."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    words = ["--no-sandbox", "--disable-gpu"]
    return playwright.chromium.launch_persistent_context(profile, executable_path=program, args=words, **settings)


def on_phone(folder: Path, game: str, rate: float, delay: float, slow: float, shared: bool) -> dict[str, float]:
    """Figures of a phone: the first visit until a move can be made, another page and back, memory with a thinking worker.

    slow: so many times slower are the pages; Chromium slows no workers. shared: the browser has shared workers.
    """
    home = served(folder, Network(rate, delay))
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = started(playwright, profile, viewport={"width": 360, "height": 740}, has_touch=True)
        if not shared:
            context.add_init_script("delete window.SharedWorker")
        page = context.pages[0]
        page.set_default_timeout(2 * PATIENCE)
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
        begun = time.monotonic()
        page.goto(f"{home}new-{game}.html?mode=computer", wait_until="commit")
        page.locator("#start:enabled").tap()
        page.locator("#stage .can").first.wait_for()
        first, table = time.monotonic() - begun, page.url
        page.wait_for_timeout(15_000)  # until its thinking worker is there
        used = memory(context)
        page.goto(home)
        page.locator("#tables a").first.wait_for()
        begun = time.monotonic()
        page.goto(table, wait_until="commit")
        page.locator("#stage .can").first.wait_for()
        again = time.monotonic() - begun
        context.close()
    return {"first visit to the first move, s": first, "next page to the first move, s": again, "memory, MB": used}


def visit(context: BrowserContext, address: str) -> dict[str, float]:
    """Seconds until the page is seen, its board is seen, the first move can be made at the table, and it has been answered."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    begun = time.monotonic()
    page.goto(address, wait_until="commit")
    page.locator("h1").first.wait_for()
    seen = time.monotonic() - begun
    page.locator("#preview svg").wait_for()
    board = time.monotonic() - begun
    page.locator("#start:enabled").click()
    page.locator("#stage .can").first.wait_for()
    move = time.monotonic() - begun
    while not page.locator("#log li").count():
        touch(page)
    return {"seen": seen, "board": board, "move": move, "answer": time.monotonic() - begun}


def touch(page: Page) -> None:
    """Touch something that is lit."""
    page.mouse.click(*page.evaluate(LIT))
    page.wait_for_timeout(200)


def moved(context: BrowserContext, moves: int = 10) -> float:
    """Milliseconds until a move is answered, the median, at the table of the last page."""
    page = context.pages[-1]
    page.evaluate(WATCH)
    begun = time.monotonic()
    while len(found := page.evaluate("window.answers")) < moves and time.monotonic() - begun < 60:
        touch(page)
    return float(statistics.median(found)) if found else float("nan")


def beside(context: BrowserContext, address: str, level: str, seconds: float = 6.0) -> float:
    """Milliseconds until a request is answered, at most, in some seconds after the first move against a level that searches."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address.replace("here", "computer"), wait_until="commit")
    page.locator("select").filter(has_text="Master").last.select_option(label=level)
    page.locator("#start:enabled").click()
    page.locator("#stage .can").first.wait_for()
    page.evaluate(WATCH)
    page.wait_for_timeout(10_000)  # until its thinking worker is there
    begun = time.monotonic()
    while not page.evaluate("window.answers.length") and time.monotonic() - begun < 60:
        touch(page)
    begun, worst = time.monotonic(), 0.0
    while time.monotonic() - begun < seconds:
        worst = max(worst, page.evaluate(ASK))
        page.wait_for_timeout(50)
    return worst


def analysed(context: BrowserContext, home: str, game: str) -> float:
    """Seconds until the analysis of a whole game is seen."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{home}replay.html", wait_until="commit")
    page.locator("#choose:not([inert]) #file").set_input_files(RECORDS / f"{game}-1.txt")
    page.locator("#tab-study").wait_for()
    begun = time.monotonic()
    page.locator("#tab-study").click()
    page.locator(".winline").wait_for()
    return time.monotonic() - begun


def memory(context: BrowserContext) -> float:
    """Megabytes that the processes of the pages and of their workers have for themselves."""
    browser = context.browser
    session = browser.new_browser_cdp_session() if browser else context.new_cdp_session(context.pages[0])
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    total = 0.0
    for each in found:
        if each["type"] == "renderer":
            rollup = Path(f"/proc/{each['id']}/smaps_rollup").read_text()
            total += sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_")) / 1024
    return total


def processor(context: BrowserContext) -> float:
    """Seconds of processor time that the browser has used with all its pages: a busy machine changes it less than times."""
    browser = context.browser
    session = browser.new_browser_cdp_session() if browser else context.new_cdp_session(context.pages[0])
    return float(sum(each["cpuTime"] for each in session.send("SystemInfo.getProcessInfo")["processInfo"]))


def measured(folder: Path, game: str, rate: float, delay: float, level: str) -> dict[str, float]:
    """All figures from one run."""
    network = Network(rate, delay)
    home = served(folder, network)
    address = f"{home}new-{game}.html?mode=here"
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = started(playwright, profile)
        first = visit(context, address)
        sent, worked = network.sent, processor(context)
        page = context.pages[-1]
        page.evaluate("new Promise((done) => setTimeout(done, 5000)).then(() => navigator.serviceWorker.ready).then(() => true)")
        while not page.evaluate(HAS_IMAGE):
            page.wait_for_timeout(1000)
        answered, used, installed = moved(context), memory(context), network.sent
        context.close()
        context = started(playwright, profile)
        visit(context, address)  # online: the service worker answers
        second = network.sent - installed
        context.pages[-1].goto("about:blank")
        thinking = beside(context, address, level)
        both = memory(context)
        for each in context.pages[1:]:
            each.close()
        whole = analysed(context, home, game)
        context.close()
        context = started(playwright, profile)
        context.set_offline(True)
        offline = visit(context, address)
        again = processor(context)
        context.close()
    return {
        "first visit to the first move, s": first["move"], "page is seen, s": first["seen"], "board is seen, s": first["board"],
        "first visit to the answer to the first move, s": first["answer"], "second visit, offline, s": offline["move"],
        "second visit, offline, to the answer, s": offline["answer"], "sent, MB": sent / 1e6,
        "sent at the second visit, kB": second / 1e3,
        "memory, MB": max(used, both), "a move is answered, ms": answered,
        "a request is answered while a level thinks, ms": thinking, "analysis of a game, s": whole,
        "sent with the service worker's files, MB": installed / 1e6,
        "processor time of the first visit, s": worked, "processor time of the second visit, s": again,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="written by `bridgehead site`")
    parser.add_argument("--game", default="forty_bridges")
    parser.add_argument("--megabits", type=float, default=10.0)
    parser.add_argument("--delay", type=float, default=40.0, help="ms")
    parser.add_argument("--level", default="8 · Master", help="that thinks, as the page names it")
    parser.add_argument("--slow", type=float, default=1.0, help="a phone whose pages are so many times slower")
    parser.add_argument("--alone", action="store_true", help="with --slow: a browser without shared workers")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    line = given.folder.resolve(), given.game, given.megabits * 125_000, given.delay / 1000
    found = on_phone(*line, given.slow, not given.alone) if given.slow > 1 else measured(*line, given.level)
    if given.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        aims = SLOW_AIMS if given.slow > 1 else AIMS
        aim = f"   aim {aims[name]:g}" if name in aims else ""
        print(f"{name:45} {value:8.2f}{aim}")


if __name__ == "__main__":
    main()
