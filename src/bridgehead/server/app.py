"""The web application: what is asked where, and by whom it is answered."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from bridgehead.core.errors import BridgeheadError
from bridgehead.server import api, editing, learn, pages, proofs
from bridgehead.server.bots import Bots
from bridgehead.server.games import Games
from bridgehead.server.hall import Hall
from bridgehead.server.headers import Guard, Unhurried
from bridgehead.server.limits import Addresses, Limits
from bridgehead.server.store import Store
from bridgehead.server.tables import Tables
from bridgehead.server.workers import Workers

FILM = 60.0  # seconds in which a record has to be shown
BOARD = 30.0  # seconds in which a board has to be worked out
STROKE = 10.0  # seconds in which a stroke at a board that is drawn has to be answered
SWITCH = 0.001  # seconds for which a thread beside the server's loop may hold it up


def build(store: Store, bots: Bots, base: str = "", hosts: Iterable[str] = (), limits: Limits | None = None) -> Starlette:
    """The application over a store, which it closes at its end.

    base: the address that others on the network reach it by, "" if unknown; hosts: further names it is known by.
    """
    bounds = limits or Limits()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        films, boards, strokes = Workers(1, FILM), Workers(1, BOARD), Workers(1, STROKE)
        sys.setswitchinterval(SWITCH)
        app.state.games = Games(boards)
        app.state.tables = Tables(store, app.state.games)
        app.state.hall = Hall(app.state.tables, bots, bounds)
        app.state.base, app.state.limits, app.state.films = base, bounds, films
        app.state.made, app.state.films_asked = Addresses(bounds.tables), Addresses(bounds.films)
        app.state.boards_asked = Addresses(bounds.boards)
        app.state.strokes, app.state.edits_asked = strokes, Addresses(bounds.edits)
        bots.start()
        gc.freeze()  # what lives as long as the server need not be looked through again and again
        yield
        await app.state.hall.close()
        bots.stop()
        films.stop()
        boards.stop()
        strokes.stop()
        store.close()

    handlers: Any = {
        BridgeheadError: pages.refused,
        msgspec.DecodeError: pages.refused,
        RecursionError: pages.tangled,
        ClientDisconnect: pages.gone,
        HTTPException: pages.failed,
        Exception: pages.broken,
    }
    middleware = [
        Middleware(Guard, hosts=tuple(hosts)),
        Middleware(Unhurried),
        Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4),
    ]
    return Starlette(routes=_routes(), lifespan=lifespan, exception_handlers=handlers, middleware=middleware)


def _routes() -> list[Any]:
    return [
        Route("/", pages.home),
        Route("/new/{game}", pages.new),
        Route("/edit/{game}", editing.page),
        Route("/t/{table}", pages.table),
        Route("/rules", pages.rules),
        Route("/rules/{game}", pages.rules),
        Route("/replay", pages.replay),
        Route("/replay/{table}", pages.replay),
        Route("/learn/{game}", learn.page),
        Route("/verify", pages.verify),
        Route("/verify/{table}", pages.verify),
        Route("/art.svg", pages.symbols),
        Route("/healthz", lambda _: PlainTextResponse("ok")),
        Route("/api/games", api.games),
        Route("/api/games/{game}/picture", api.picture),
        Route("/api/games/{game}/showpiece", api.showpiece),
        Route("/api/games/{game}/tutorial", learn.steps),
        Route("/api/games/{game}/tutorial/why", learn.why),
        Route("/api/games/{game}/edit", editing.edit, methods=["POST"]),
        Route("/api/check", api.check, methods=["POST"]),
        Route("/api/qr", api.qr, methods=["POST"]),
        Route("/api/tables", api.create, methods=["POST"]),
        Route("/api/tables/{table}/record", api.table_record),
        Route("/api/tables/{table}/link", api.table_link),
        Route("/api/tables/{table}/frames", api.table_frames),
        Route("/api/tables/{table}/proof", proofs.table_proof),
        Route("/api/sealed", proofs.all_sealed),
        Route("/api/records", api.read_record, methods=["POST"]),
        WebSocketRoute("/ws", lambda websocket: websocket.app.state.hall.serve(websocket)),
        Mount("/static", StaticFiles(directory=pages.WEB / "static")),
    ]
