"""The web application: what is asked where, and by whom it is answered."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from bridgehead.core.errors import BridgeheadError
from bridgehead.server import api, pages
from bridgehead.server.bots import Bots, Workers
from bridgehead.server.hall import Hall
from bridgehead.server.headers import Guard, is_own_origin
from bridgehead.server.limits import Addresses, Limits
from bridgehead.server.store import Store
from bridgehead.server.tables import Tables

FILM = 60.0  # seconds in which a record has to be shown


def build(store: Store, bots: Bots, base: str = "", hosts: Iterable[str] = (), limits: Limits | None = None) -> Starlette:
    """The application over a store, which it closes at its end.

    base: the address that others on the network reach it by, "" if unknown; hosts: further names it is known by.
    """
    bounds = limits or Limits()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        films = Workers(1, FILM)
        app.state.tables = Tables(store)
        app.state.hall = Hall(app.state.tables, bots, bounds)
        app.state.base, app.state.limits, app.state.films = base, bounds, films
        app.state.made, app.state.films_asked = Addresses(bounds.tables), Addresses(bounds.films)
        bots.start()
        gc.freeze()  # what lives as long as the server need not be looked through again and again
        yield
        await app.state.hall.close()
        bots.stop()
        films.stop()
        store.close()

    handlers: Any = {
        BridgeheadError: pages.refused,
        msgspec.DecodeError: pages.refused,
        HTTPException: pages.failed,
        Exception: pages.broken,
    }
    middleware = [Middleware(Guard, hosts=tuple(hosts)), Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4)]
    return Starlette(routes=_routes(), lifespan=lifespan, exception_handlers=handlers, middleware=middleware)


def _routes() -> list[Any]:
    return [
        Route("/", pages.home),
        Route("/new/{game}", pages.new),
        Route("/t/{table}", pages.table),
        Route("/rules", pages.rules),
        Route("/rules/{game}", pages.rules),
        Route("/replay", pages.replay),
        Route("/replay/{table}", pages.replay),
        Route("/art.svg", pages.symbols),
        Route("/healthz", lambda _: PlainTextResponse("ok")),
        Route("/api/games", api.games),
        Route("/api/games/{game}/picture", api.picture),
        Route("/api/games/{game}/showpiece", api.showpiece),
        Route("/api/check", api.check, methods=["POST"]),
        Route("/api/qr", api.qr, methods=["POST"]),
        Route("/api/tables", api.create, methods=["POST"]),
        Route("/api/tables/{table}/record", api.table_record),
        Route("/api/tables/{table}/frames", api.table_frames),
        Route("/api/records", api.read_record, methods=["POST"]),
        WebSocketRoute("/ws", socket),
        Mount("/static", StaticFiles(directory=pages.WEB / "static")),
    ]


async def socket(websocket: WebSocket) -> None:
    """The socket of a page; another site's page gets none."""
    if is_own_origin(websocket):
        await websocket.app.state.hall.serve(websocket)
    else:
        await websocket.close(1008)
