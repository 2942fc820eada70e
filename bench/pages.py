"""What a table's page costs the line: requests and bytes, round trips that wait for one another, and a class behind one address.

python bench/pages.py [--checkout FOLDER ...]     default: this one; another is a worktree of another commit, for a comparison

A visit is one of Chromium to a table at which a computer has moved. First: with an empty cache; second: the same page again.
Bytes are bodies and headers as sent. Round trips are counted on a line on which each takes 1,000 ms (a connection is there at
once), from the request of the page to the first piece on the board, and until the menu opens and the log has a line. The class
is thirty programs that ask for the same files at the same moment from one address, each over six connections, and then greet
their tables.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright
from websockets.asyncio.client import connect

ROOT = Path(__file__).parents[1]
TRIP = 1.0  # seconds of a round trip
PUPILS, CONNECTIONS = 30, 6
PIECES, MENUS = ["#stage [data-id]"], ["[data-table-menu]:not([inert])", "#log li"]  # what is seen when they are there
PATIENCE = 90_000  # ms
Get = tuple[str, dict[str, str]]  # the path of a file, and the headers by which a browser asks whether its copy is still good


@contextlib.contextmanager
def serving(checkout: Path) -> Iterator[str]:
    """A server of a checkout over an empty folder; yields its address."""
    with tempfile.TemporaryDirectory() as data, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "NUMBA_DISABLE_JIT": "1", "BRIDGEHEAD_CACHE": data}
        environment.pop("BRIDGEHEAD_MODULES", None)
        command = [sys.executable, "-m", "bridgehead", "serve", "--no-browser", "--port", str(port), "--data", data]
        process = subprocess.Popen(command, env=environment, cwd=data, stdout=subprocess.DEVNULL)
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/healthz", timeout=2):
                    break
                time.sleep(0.1)
            urllib.request.urlopen(address).read()
            time.sleep(8)  # the files are packed
            yield address
        finally:
            process.terminate()
            process.wait()


def create_table(address: str) -> tuple[str, str]:
    """A new table at which a computer moves first: its id, and the token of the person's seat."""
    seats = [{"kind": "computer", "level": "random"}, {"kind": "person"}]
    body = {"game": "burning_bridges", "seats": seats, "options": {"firstPlayer": "seat0"}}
    request = urllib.request.Request(f"{address}/api/tables", json.dumps(body).encode(), {"content-type": "application/json"})
    made = json.load(urllib.request.urlopen(request))
    return made["table"], made["tokens"][1]


class Line(threading.Thread):
    """A line to a server on which every byte comes half a round trip late."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.port, self.to = 0, urlsplit(address).port
        self.ready = threading.Event()
        self.start()
        self.ready.wait()

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await asyncio.Event().wait()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        out_reader, out_writer = await asyncio.open_connection("127.0.0.1", self.to)
        await asyncio.gather(self._carry(reader, out_writer), self._carry(out_reader, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()

        def write(data: bytes) -> None:
            with contextlib.suppress(OSError, RuntimeError):
                writer.write(data) if data else writer.close()

        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                loop.call_later(TRIP / 2, write, data)
        loop.call_later(TRIP / 2, write, b"")


def visit(page: Page, link: str) -> tuple[list[Get], int, int]:
    """The files that a visit asks for, the requests with the socket, and the bytes."""
    asked: list[Any] = []

    def note(request: Any) -> None:
        asked.append(request)

    page.on("requestfinished", note)
    page.goto("about:blank")
    page.goto(link)
    wait_until_seen(page, MENUS)
    page.wait_for_load_state("networkidle")
    time.sleep(1.5)
    page.remove_listener("requestfinished", note)
    entries = "performance.getEntriesByType('resource')"
    kept = page.evaluate(f"{entries}.filter((each) => !each.transferSize).map((each) => each.name)")
    sent, files = 0, []
    for each in asked:
        sizes, answer, url = each.sizes(), each.response(), urlsplit(each.url)
        if url.scheme == "about" or not answer or each.url in kept:
            continue
        sent += sizes["responseHeadersSize"] + sizes["responseBodySize"]
        known = {name: value for name, value in each.all_headers().items() if name == "if-none-match"}
        if each.method == "GET":
            files.append((url.path + (f"?{url.query}" if url.query else ""), known))
    return files, len(files) + 1, sent


def wait_until_seen(page: Page, seen: list[str]) -> None:
    for each in seen:
        page.locator(each).first.wait_for(state="attached", timeout=PATIENCE)


def time_of(page: Page, link: str, seen: list[str]) -> float:
    """Round trips from the request of a page until something is seen."""
    page.goto("about:blank")
    begun = time.monotonic()
    page.goto(link, wait_until="commit")
    wait_until_seen(page, seen)
    return (time.monotonic() - begun) / TRIP


def class_of(address: str, files: list[Get], ids: list[tuple[str, str]]) -> list[float]:
    """Seconds until each of thirty has all files of a page and sees its table."""

    async def all_of_them() -> list[float]:
        return [*await asyncio.gather(*(pupil(address, files, *each) for each in ids))]

    with ThreadPoolExecutor(1) as apart:  # from the browser's own loop
        return apart.submit(asyncio.run, all_of_them()).result()


async def pupil(address: str, files: list[Get], table: str, token: str) -> float:
    begun, port = time.monotonic(), urlsplit(address).port or 0
    page, *rest = [(table if path.startswith("/t/") else "", path, known) for path, known in files]
    await fetch_files(port, [(f"/t/{table}", page[2])])
    waiting = [(path, known) for _, path, known in rest]
    await asyncio.gather(*(fetch_files(port, waiting) for _ in range(CONNECTIONS)))
    async with connect(f"ws://127.0.0.1:{port}/ws?table={table}", proxy=None) as line:
        await line.send(json.dumps({"t": "hello", "p": 1, "table": table, "tokens": [token], "lang": "en"}))
        while json.loads(await line.recv())["t"] != "view":
            pass
    return time.monotonic() - begun


async def fetch_files(port: int, waiting: list[Get]) -> None:
    """Fetch files over one connection until none is left."""
    if not waiting:
        return
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while waiting:
        path, known = waiting.pop(0)
        more = "".join(f"{name}: {value}\r\n" for name, value in known.items())
        head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\naccept-encoding: gzip, br\r\n{more}\r\n"
        writer.write(head.encode())
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        assert answer.startswith(("http/1.1 200", "http/1.1 304")), answer
        if "transfer-encoding: chunked" in answer:
            while size := int(await reader.readline(), 16):
                await reader.readexactly(size + 2)
            await reader.readline()
        elif "content-length: " in answer:
            await reader.readexactly(int(answer.partition("content-length: ")[2].partition("\r\n")[0]))
    writer.close()


def measure(browser: Browser, address: str) -> dict[str, str]:
    """All figures of one server."""
    table, token = create_table(address)
    link = f"{address}/t/{table}#{token}"
    context = browser.new_context()
    page = context.new_page()
    first, requests, sent = visit(page, link)
    second, again, resent = visit(page, link)
    context.close()
    line = Line(address)
    trips = []
    for seen in (PIECES, MENUS):
        context = browser.new_context()
        trips.append(time_of(context.new_page(), link.replace(address, f"http://127.0.0.1:{line.port}"), seen))
        context.close()
    found = {
        "first visit": f"{requests} requests, {sent / 1000:.0f} kB", "second visit": f"{again} requests, {resent / 1000:.1f} kB",
        "round trips to the first board": f"{trips[0]:.1f}", "round trips to menus and log": f"{trips[1]:.1f}",
    }  # fmt: skip
    for name, files in (("a class's first visit", first), ("a class's second visit", second)):
        tables = [create_table(address) for _ in range(PUPILS)]
        time.sleep(20)  # no debt of an address from before
        took = class_of(address, files, tables)
        found[name] = f"median {statistics.median(took):.1f} s, last {max(took):.1f} s"
    return found


def compare_checkouts(about: str | None, measure: Callable[[Browser, str], dict[str, str]]) -> None:
    """Measure the server of each checkout that the command line names, in one Chromium, and print them side by side."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", action="append", type=Path)
    checkouts = parser.parse_args().checkout or [ROOT]
    chromium = os.environ.get("BRIDGEHEAD_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    columns = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for checkout in checkouts:
            with serving(checkout.resolve()) as address:
                columns.append(measure(browser, address))
    print("| |" + "".join(f" {each.resolve().name} |" for each in checkouts))
    print("|---" * (1 + len(checkouts)) + "|")
    for name in columns[0]:
        print(f"| {name} |" + "".join(f" {column[name]} |" for column in columns))


if __name__ == "__main__":
    compare_checkouts(__doc__, measure)
