"""The host of one browser's tables: it answers the requests and speaks the protocol of a server, in a web worker.

`open_host(browser)` gives a `BrowserHost`. `request` answers what a server's HTTP routes answer; `connect` is a page's socket.
The same routes, rooms and tables do the work. What needs other people is refused.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, unquote

import msgspec

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import phrase
from bridgehead.core.spec import OVER
from bridgehead.core.validation import ready
from bridgehead.players.engine import use
from bridgehead.server.connections.connection import Disconnected
from bridgehead.server.connections.effort import WorkBudget
from bridgehead.server.connections.rate_limits import Addresses, Limits
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.http import analyses, board_editor, endpoints, puzzles, rules_in_force, studies, tutorials
from bridgehead.server.http.routes import ROUTES, HttpError, Reply, failure, refusal
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.jobs.worker_pool import FairQueue
from bridgehead.server.messages.tables import NewTable
from bridgehead.server.rooms.book_keeper import BookKeeper
from bridgehead.server.rooms.room import Peers
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.tables.repository import GameCache, Repository
from bridgehead.server.tables.stored_seats import digest, seat_players
from bridgehead.server.tables.table import Table
from bridgehead.server.usage import Usage
from bridgehead.site.engine import Wasm
from bridgehead.site.pool import Pool, Thinker, Thinkers, answer
from bridgehead.site.store import Browser, BrowserLog

log = logging.getLogger("bridgehead")
MODULES = {each.__name__ for each in (analyses, board_editor, endpoints, puzzles, rules_in_force, studies, tutorials)}
OTHERS = {"/api/lobby"}  # routes of them that need other people
MUCH = 1 << 30  # no limit for the only person
LIMITS = Limits(
    hello=1e9,
    seat=MUCH,
    watcher=MUCH,
    effort=MUCH,
    costly=MUCH,
    traffic=1 << 50,
    at_once=MUCH,
    disk=1 << 50,
    unplayed=0,
    body=1 << 20,
)
UNLIMITED = ("tables", "misses", "guesses", "films", "mine", "boards", "hints", "studies", "edits")


class KeptTables(Repository):
    """The tables, which the browser keeps."""

    store: BrowserLog

    async def find(self, table_id: str, asker: str = "") -> Table | None:
        await self.store.load(table_id)
        return await super().find(table_id, asker)


class Book(BookKeeper):
    """The book of the games that the browser keeps. It is made in memory when it is first asked for."""

    def __init__(self, tables: KeptTables, workers: Any) -> None:
        super().__init__(tables.store, workers)
        self._tables = tables

    async def ready(self, game: str) -> None:
        """Put in the finished games of that game which it has not. One that cannot be read is left out."""
        for name in await self._tables.store.tables():
            try:
                await self._tables.store.load(name)
                body = msgspec.json.decode(self._tables.store.body(name) or "{}", type=Named)
                table = await self._tables.find(name) if body.game == game else None
            except Exception:  # whatever stands in its rows
                log.exception("a stored game is damaged", extra={"table": name})
                continue
            if table is not None and table.actor == OVER:
                await self.note(table)


class BrowserAnalyses(analyses.Analyses):
    """Analyses of which two pieces are computed at a time, by the thinking workers of a page and those that help it."""

    at_once = 2

    def __init__(self, thinkers: Thinkers, pool: Any) -> None:
        super().__init__(None, lambda address: 0.0, pool)
        self._thinkers = thinkers

    async def _study(self, key: str, text: str, going: analyses.RunningAnalysis) -> None:
        with self._thinkers.lend_workers():
            await super()._study(key, text, going)


class Named(msgspec.Struct):
    """The part of a stored table that names its game."""

    game: str = ""


class Query(dict[str, str]):
    """The parameters of an address: the last value of each, or all."""

    def __init__(self, text: str) -> None:
        self._all = parse_qs(text, keep_blank_values=True)
        super().__init__({name: values[-1] for name, values in self._all.items()})

    def getlist(self, name: str) -> list[str]:
        return self._all.get(name, [])


class RouteRequest:
    """A request, as the routes read it."""

    client = None

    def __init__(self, services: SimpleNamespace, path: str, query: str, language: str, params: Mapping[str, str]) -> None:
        self.app = SimpleNamespace(state=services)
        self.scope = {"path": path}
        self.path_params, self.query_params = params, Query(query)
        self.headers = {"accept-language": language}


class Port:
    """Transport to a page in the same browser. write: called with each message, with None when the connection is closed."""

    address = ""

    def __init__(self, write: Callable[[str | None], object]) -> None:
        self._write, self.usage = write, Usage()
        self._received: asyncio.Queue[str | None] = asyncio.Queue()

    def put(self, text: str | None) -> None:
        """A message of the page; None: it is gone."""
        self._received.put_nowait(text)

    async def accept(self) -> None:
        """Nothing to do."""

    async def receive(self) -> str:
        text = await self._received.get()
        if text is None:
            raise Disconnected
        return text

    def write(self, data: bytes) -> bool:
        self._write(data.decode())
        return True

    async def send(self, data: bytes) -> None:
        self.write(data)

    async def close(self, code: int) -> None:
        """Nothing to do: `PageConnection` closes when the connection has ended."""


class PageConnection:
    """An open connection, from the page's side."""

    def __init__(self, host: BrowserHost, write: Callable[[str | None], object]) -> None:
        self._port = Port(write)
        self.serving = asyncio.ensure_future(host.manager.serve(self._port))
        self.serving.add_done_callback(lambda _: write(None))  # also after an error

    def receive(self, text: str) -> None:
        """Take a message of the page."""
        self._port.put(text)

    def close(self) -> None:
        """The page is gone."""
        self._port.put(None)


class BrowserHost:
    """All tables of a browser. pace: seconds from one decision of a computer to the next, at least."""

    def __init__(self, browser: Browser, pace: float = 0.45) -> None:
        limits = LIMITS._replace(**dict.fromkeys(UNLIMITED, MUCH))
        self.thinkers = Thinkers(browser.help)
        pool: Any = functools.partial(Pool, self.thinkers)
        effort, self.store = WorkBudget(limits), BrowserLog(browser)
        films, strokes, boards = (pool(1, 0.0) for _ in range(3))
        games = GameCache(boards)
        self.tables = KeptTables(self.store, games)
        self.computers = ComputerPlayers(pace, pool=pool)
        self.manager = RoomManager(self.tables, self.computers, limits, Webhooks(), Peers(), effort)
        self.services = SimpleNamespace(
            limits=limits, effort=effort, asked={route.limit: Addresses(MUCH) for route in ROUTES if route.limit},
            book=Book(self.tables, films), films=films, strokes=strokes, chores=FairQueue(1), links={}, games=games,
            tables=self.tables, manager=self.manager,
            analyses=BrowserAnalyses(self.thinkers, pool), network=SimpleNamespace(base=""),
        )  # fmt: skip
        self.services.asked |= {name: Addresses(MUCH) for name in ("films", "boards")}
        own = [route for route in ROUTES if route.function.__module__ in MODULES and route.path not in OTHERS]
        self._routes = [(route.method, re.compile(re.sub("{([a-z]+)}", "(?P<\\1>[^/]+)", route.path)), route) for route in own]

    async def request(self, method: str, path: str, body: str = "", language: str = "en") -> tuple[int, str, bytes]:
        """Answer a request: status, content type, content. path: with its query."""
        path, _, query = path.partition("?")
        path = unquote(path)
        request: Any = RouteRequest(self.services, path, query, language, {})
        try:
            reply = await self._answer(method, path, body.encode(), request)
        except (BridgeheadError, HttpError, msgspec.DecodeError, RecursionError) as error:
            reply = refusal(request, *failure(error, path))
        except Exception:
            log.exception("a request failed")
            reply = refusal(request, 500, phrase("server:broken"), path)
        content = reply.content
        whole = content if isinstance(content, bytes) else content.encode() if isinstance(content, str) else b"".join(content)
        return reply.status, reply.media, whole

    async def _answer(self, method: str, path: str, body: bytes, request: Any) -> Reply:
        for known, form, route in self._routes:
            if known == method and (found := form.fullmatch(path)):
                request.path_params = found.groupdict()
                reply: Reply = await route.run(request, body)
                return reply
        raise HttpError(404, "needs_server")

    async def begin(self, wish: str, table: str, tokens: str, host: str) -> None:
        """Make a table that a page shows already, with its id and its tokens; nothing if there is one with this id.

        wish: the body of `POST /api/tables`; tokens: one a seat with dots between them, "" for a computer. Errors: those of it.
        """
        if await self.tables.find(table):
            return
        asked = msgspec.json.decode(wish, type=ready(NewTable))
        game = await self.services.games.game(asked.game, asked.preset, asked.options)
        seats, _ = seat_players(asked.seats, game)
        held = zip(seats, tokens.split("."), strict=True)
        taken = [msgspec.structs.replace(seat, token=digest(token) if token else "") for seat, token in held]
        await self.tables.create_for(asked, taken, digest(host), table)

    def connect(self, write: Callable[[str | None], object]) -> PageConnection:
        """Open a page's connection to a table; its first message is a hello."""
        return PageConnection(self, write)

    def think(self, post: Callable[[Any], object], end: Callable[[], object], helps: int = 0) -> Thinker:
        """A page's thinking worker takes part. helps: as in `Thinkers.join`."""
        return self.thinkers.join(lambda request: post(_plain(request)), end, helps)

    async def close(self) -> None:
        """End all work."""
        await self.manager.close()
        self.computers.stop()
        self.store.close()


def open_host(browser: Any) -> BrowserHost:
    """The host in Pyodide. browser: an object of JavaScript, `Browser` and `engine.Script`. It needs a running event loop."""
    use(Wasm(browser, _plain))
    return BrowserHost(browser)


def open_thinker(script: Any) -> Callable[[Any], Any]:
    """What answers the host's requests in a thinking worker. script: an object of JavaScript, `engine.Script`."""
    use(Wasm(script, _plain))

    async def think(request: Any) -> Any:
        return _plain(await answer(request.to_bytes()))

    return think


def _plain(value: Any) -> Any:
    """A plain value for JavaScript."""
    from js import Object
    from pyodide.ffi import to_js

    return to_js(value, dict_converter=Object.fromEntries)


def prepare() -> None:
    """Load all games with their words and drawings, so that an image of the memory has them."""
    for spec in registry.specs().values():
        position = registry.game(spec.id).start()
        spec.scene.items(position, "en")
