"""The host of one browser's tables: requests and the protocol without a server, every event kept before it is told."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bridgehead.core import link, record, registry
from bridgehead.core.match import Match
from bridgehead.core.spec import OVER
from bridgehead.site.host import BrowserHost
from bridgehead.site.store import TAKEN
from records import recorded
from waiting import apart

FIRST_POSITION = link.pack(Match(registry.game("forty_bridges")), ["", ""])


class Refused(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Kept:
    """A browser that keeps rows. failing: the name of the error with which it refuses them."""

    def __init__(self) -> None:
        self.rows_kept: dict[tuple[str, int], str] = {}
        self.failing = ""
        self.order: list[str] = []
        self.helped: list[int] = []

    async def rows(self, table: str) -> str:
        return json.dumps([[number, text] for (name, number), text in sorted(self.rows_kept.items()) if name == table])

    async def tables(self) -> str:
        return json.dumps(sorted({name for name, _ in self.rows_kept}))

    async def keep(self, rows: str) -> None:
        await asyncio.sleep(0)
        new = {(table, number): text for table, number, text in json.loads(rows)}
        if self.failing:
            raise Refused(self.failing)
        if new.keys() & self.rows_kept.keys():
            raise Refused(TAKEN)
        self.rows_kept |= new
        self.order.append("kept")

    def help(self, number: int) -> bool:
        self.helped.append(number)
        return False


class Page:
    """A page at a table."""

    def __init__(self, host: BrowserHost, table: dict[str, Any], kept: Kept) -> None:
        self.messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self.kept, self.keys = kept, 0
        self.view: dict[str, Any] = {}
        self.open = host.connect(self._take)
        tokens = [token for token in table["tokens"] if token]
        self.send({"t": "hello", "p": 1, "table": table["table"], "tokens": tokens, "lang": "en"})

    def _take(self, text: str | None) -> None:
        message = json.loads(text) if text else None
        self.kept.order.append(message["t"] if message else "closed")
        self.messages.put_nowait(message)

    def send(self, message: dict[str, Any]) -> None:
        self.open.receive(json.dumps(message))

    async def next(self, kind: str) -> dict[str, Any]:
        while True:
            message = await asyncio.wait_for(self.messages.get(), 60)
            assert message is not None, "closed"
            if message["t"] == "view":
                self.view = {**self.view, **message}
            if message["t"] == kind:
                return message

    def act(self, action: int) -> None:
        self.keys += 1
        self.send({"t": "act", "k": f"{id(self):016x}{self.keys:016x}", "v": self.view["v"], "a": action})

    async def close(self) -> None:
        self.open.close()
        await self.open.serving


async def ask(host: BrowserHost, method: str, path: str, body: Any = None, language: str = "en") -> tuple[int, Any]:
    text = "" if body is None else body if isinstance(body, str) else json.dumps(body)
    status, media, content = await host.request(method, path, text, language)
    return status, json.loads(content) if "json" in media else content.decode()


def in_host(work: Callable[[BrowserHost, Kept], Awaitable[None]]) -> Callable[[], None]:
    """A test that runs this with a host of its own."""

    async def run() -> None:
        kept = Kept()
        host = BrowserHost(kept, pace=0)
        await work(host, kept)
        await host.close()

    return lambda: apart(run())


async def begun(host: BrowserHost, kept: Kept, **wish: Any) -> tuple[dict[str, Any], Page]:
    status, table = await ask(host, "POST", "/api/tables", {"game": "forty_bridges", **wish})
    assert status == 201
    page = Page(host, table, kept)
    await page.next("view")
    return table, page


@in_host
async def test_a_game_of_two_at_one_screen_is_kept_before_it_is_told_and_goes_on_in_the_next_host(
    host: BrowserHost, kept: Kept
) -> None:
    table, page = await begun(host, kept)
    kept.order.clear()
    page.act(page.view["choices"][0]["action"])
    await page.next("view")
    about = [each for each in kept.order if each not in ("people", "said")]  # of coming to the table, and may come late
    assert about[0] == "kept" and set(about[1:]) <= {"ack", "view"}
    await page.close()
    again = BrowserHost(kept)
    status, record = await ask(again, "GET", f"/api/tables/{table['table']}/record")
    assert status == 200 and "1. a1-c1" in record
    other = Page(again, table, kept)
    view = await other.next("view")
    assert view["v"] == 1 and view["you"] == [0, 1] and view["actor"] == 1
    await other.close()
    await again.close()


@in_host
async def test_what_cannot_be_kept_is_refused_and_nothing_changes(host: BrowserHost, kept: Kept) -> None:
    _, page = await begun(host, kept)
    kept.failing = "QuotaExceededError"
    page.act(page.view["choices"][0]["action"])
    assert (await page.next("rej"))["code"] == "storage"
    kept.failing = ""
    page.act(page.view["choices"][0]["action"])
    assert (await page.next("view"))["v"] == 1
    await page.close()


@in_host
async def test_of_two_pages_with_a_host_each_the_second_learns_what_the_first_has_played(host: BrowserHost, kept: Kept) -> None:
    table, page = await begun(host, kept)
    other_host = BrowserHost(kept)
    other = Page(other_host, table, kept)
    await other.next("view")
    page.act(page.view["choices"][0]["action"])
    await page.next("view")
    other.act(other.view["choices"][1]["action"])
    assert (await other.next("rej"))["code"] == "stale"
    assert other.view["v"] == 1 or (await other.next("view"))["v"] == 1
    await other.close()
    await page.close()
    await other_host.close()


@pytest.mark.parametrize("game", ["forty_bridges", "barricade", "front_lines", "burning_bridges"])
def test_everything_that_pages_ask_for_is_answered(game: str) -> None:
    async def work(host: BrowserHost, kept: Kept) -> None:
        table, page = await begun(host, kept, game=game)
        own = f"/api/tables/{table['table']}"
        record = (await ask(host, "GET", f"{own}/record"))[1]
        asked = [
            ("GET", "/api/games"), ("GET", f"/api/games/{game}/picture?options=%7B%7D"), ("GET", f"/api/games/{game}/showpiece"),
            ("POST", "/api/check", {"game": game}), ("GET", f"{own}/frames"), ("GET", f"{own}/link"), ("GET", f"{own}/likeness"),
            ("POST", "/api/records?piece=first", record), ("GET", f"/api/games/{game}/tutorial"),
            ("POST", f"/api/games/{game}/edit", {"tool": ""}), ("POST", "/api/mine", {"tables": [{"table": table["table"]}]}),
            ("POST", f"{own}/times", {"host": table["host"]}), ("POST", f"/api/games/{game}/position", {"tool": ""}),
            ("POST", "/api/positions/last", record),
        ]  # fmt: skip
        for method, path, *body in asked:
            status, found = await ask(host, method, path, *body, language="de")
            assert status == 200 and found, path
        assert (await ask(host, "POST", "/api/tables", {"game": game, "record": record}))[0] == 201
        assert page.view["sealed"]["level"] == 0 and not page.view["sealed"]["practice"]
        await page.close()

    in_host(work)()


@in_host
async def test_what_needs_others_and_what_is_wrong_is_refused_with_a_sentence(host: BrowserHost, kept: Kept) -> None:
    for path in ("/api/lobby", "/api/network", "/api/labs", "/api/tables/X/proof"):
        status, found = await ask(host, "GET", path, language="de")
        assert status == 404 and found["error"].startswith("Das geht nur mit einem Server")
    assert (await ask(host, "GET", "/api/tables/NOTABLE/record"))[0] == 404
    status, found = await ask(host, "POST", "/api/check", {"game": "barricade", "options": {"turnLimit": "x"}})
    assert status == 400 and found["where"] == "turnLimit"
    assert (await ask(host, "POST", "/api/records", "nonsense"))[0] == 400
    assert (await ask(host, "POST", "/api/tables", "{"))[0] == 400


@in_host
async def test_the_book_of_a_browser_has_its_finished_games_in_this_host_and_in_the_next(host: BrowserHost, kept: Kept) -> None:
    first = {"record": FIRST_POSITION, "at": "0"}
    status, page = await ask(host, "POST", "/api/book", first)
    assert status == 200 and page["count"] == 0 and page["decided"]
    match, names = record.load(recorded("forty_bridges-1"))
    text = record.dump(match, names)
    table, at_table = await begun(host, kept, record=text, at=len(match.log) - 1)
    assert (await ask(host, "POST", "/api/book", {"record": text, "at": "0"}))[1]["count"] == 0, "it is not over"
    at_table.act(match.log[-1].action)
    while at_table.view["actor"] != OVER:
        await at_table.next("view")
    await at_table.close()
    for each in (host, host, BrowserHost(kept)):  # a second look does not count it twice; the next host reads what was kept
        status, page = await ask(each, "POST", "/api/book", {"record": text, "at": str(len(match.log) - 1)})
        assert (status, page["count"], [found["table"] for found in page["games"]]) == (200, 1, [table["table"]])
        assert [move["action"] for move in page["moves"]] == [match.log[-1].action] and page["moves"][0]["people"] == 1
    kept.rows_kept[table["table"], 1] = "damaged"
    status, page = await ask(BrowserHost(kept), "POST", "/api/book", {"record": text, "at": str(len(match.log) - 1)})
    assert (status, page["count"]) == (200, 0), "a damaged game is left out"
