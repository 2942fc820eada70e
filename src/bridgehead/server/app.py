"""The web application: what is asked where, and by whom it is answered."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
from collections.abc import AsyncIterator, Awaitable, Iterable
from typing import Any

import msgspec
from prometheus_client import Histogram
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.cluster.peers import Others
from bridgehead.server.connections.middleware import Guard, Unhurried
from bridgehead.server.connections.rate_limits import Addresses, Limits
from bridgehead.server.http import analyses, board_editor, endpoints, metrics, pages, proofs, receipts, reports, tutorials
from bridgehead.server.jobs.computer_players import Bots
from bridgehead.server.jobs.worker_pool import Workers
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.rooms.webhooks import Hooks
from bridgehead.server.storage import audit
from bridgehead.server.storage.event_log import EventLog
from bridgehead.server.storage.meter import durations
from bridgehead.server.tables import thinking_times
from bridgehead.server.tables.game_cache import Games
from bridgehead.server.tables.repository import Tables

FILM = 60.0  # seconds in which a record has to be shown
BOARD = 30.0  # seconds in which a board has to be worked out
STROKE = 10.0  # seconds in which a stroke at a board that is drawn has to be answered
SWITCH = 0.001  # seconds for which a thread beside the server's loop may hold it up
# What is answered to what goes wrong.
HANDLERS: Any = {
    BridgeheadError: pages.refused,
    msgspec.DecodeError: pages.refused,
    RecursionError: pages.tangled,
    ClientDisconnect: pages.gone,
    HTTPException: pages.failed,
    Exception: pages.broken,
}


def build(
    store: EventLog,
    bots: Bots,
    base: str = "",
    hosts: Iterable[str] = (),
    limits: Limits | None = None,
    hooks: Hooks | None = None,
    others: Others | None = None,
    metrics_token: str = "",
) -> Starlette:
    """The application over a store, which it closes at its end.

    base: the address that others on the network reach it by, "" if unknown; hosts: further names it is known by;
    hooks: whether and where turns may be told; others: the other workers over the same store. metrics_token: what somebody
    has to show who asks for the server's figures; "": nobody may.
    """
    bounds = limits or Limits()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH)
        workers = _furnish(app, bounds)
        app.state.base, app.state.metrics_token = base, metrics_token
        app.state.late = durations("loop_late_seconds", "How late the event loop was")
        app.state.tables = Tables(store, app.state.games)
        app.state.studies = analyses.Studies(store.file.parent / "analyses" if store.file else None)
        app.state.labs = reports.Labs(store.file.parent / "lab" if store.file else None)
        app.state.manager = RoomManager(app.state.tables, bots, bounds, hooks or Hooks(), others)
        bots.start()
        if others:
            others.start(app.state.manager)
        gc.freeze()  # what lives as long as the server need not be looked through again and again
        async with _beside(store, app.state.late if metrics_token else None):
            yield
        await app.state.manager.close()
        if others:
            await others.stop()
        bots.stop()
        await app.state.studies.stop()
        await app.state.labs.stop()
        for each in workers:
            each.stop()
        store.close()

    return Starlette(routes=_routes(), lifespan=lifespan, exception_handlers=HANDLERS, middleware=_middleware(hosts))


def _middleware(hosts: Iterable[str]) -> list[Middleware]:
    return [
        Middleware(Guard, hosts=tuple(hosts)),
        Middleware(Door),
        Middleware(Unhurried),
        Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4),
    ]


class Door:
    """ASGI middleware that passes a socket straight to the room manager: every layer it crossed would live as long as it does."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            manager: RoomManager = scope["app"].state.manager
            return manager.serve(WebSocket(scope, receive, send))
        return self.app(scope, receive, send)


def _furnish(app: Starlette, bounds: Limits) -> list[Workers]:
    """Give the application what requests are bounded by, and workers for what takes long; those workers."""
    state = app.state
    state.limits = bounds
    state.films, state.strokes, boards = Workers(1, FILM), Workers(1, STROKE), Workers(1, BOARD)
    state.games = Games(boards)
    state.made, state.films_asked = Addresses(bounds.tables), Addresses(bounds.films)
    state.boards_asked, state.edits_asked = Addresses(bounds.boards), Addresses(bounds.edits)
    state.mine_asked, state.studies_asked = Addresses(bounds.films), Addresses(bounds.studies)
    state.labs_asked = Addresses(bounds.labs)
    return [state.films, state.strokes, boards]


@contextlib.asynccontextmanager
async def _beside(store: EventLog, late: Histogram | None) -> AsyncIterator[None]:
    """What goes on beside the server, and ends with it: a look at the file, and at how late the loop is."""
    work = [audit.at_start(store.file)] if store.file else []
    tasks = [asyncio.create_task(each) for each in [*work, *([metrics.beat(late)] if late else [])]]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _studies_of_rules() -> list[Any]:
    return [
        Route("/lab", reports.page),
        Route("/lab/{key}", reports.report),
        Route("/api/labs", reports.begin, methods=["POST"]),
        Route("/api/labs", reports.reports),
        Route("/api/labs/{key}", reports.study),
    ]


def _routes() -> list[Any]:
    return [
        Route("/", pages.home),
        Route("/new/{game}", pages.new),
        Route("/edit/{game}", board_editor.page),
        Route("/t/{table}", pages.table),
        Route("/rules", pages.rules),
        Route("/rules/{game}", pages.rules),
        Route("/replay", pages.replay),
        Route("/replay/{table}", pages.replay),
        Route("/learn/{game}", tutorials.page),
        Route("/lobby", pages.lobby),
        Route("/verify", pages.verify),
        Route("/verify/{table}", pages.verify),
        Route("/art.svg", pages.symbols),
        Route("/healthz", metrics.healthz),
        Route("/readyz", metrics.readyz),
        Route("/metrics", metrics.metrics),
        Route("/api/schema.json", endpoints.schema_of_requests),
        Route("/api/games", endpoints.games),
        Route("/api/games/{game}/picture", endpoints.picture),
        Route("/api/games/{game}/showpiece", endpoints.showpiece),
        Route("/api/games/{game}/tutorial", tutorials.steps),
        Route("/api/games/{game}/tutorial/why", tutorials.why),
        Route("/api/games/{game}/edit", board_editor.edit, methods=["POST"]),
        Route("/api/check", endpoints.check, methods=["POST"]),
        Route("/api/lobby", endpoints.lobby),
        Route("/api/mine", endpoints.mine, methods=["POST"]),
        Route("/api/qr", endpoints.qr, methods=["POST"]),
        Route("/api/tables", endpoints.create, methods=["POST"]),
        Route("/api/tables/{table}/record", endpoints.table_record),
        Route("/api/tables/{table}/times", thinking_times.table_times, methods=["POST"]),
        Route("/api/tables/{table}/link", endpoints.table_link),
        Route("/api/tables/{table}/frames", endpoints.table_frames),
        Route("/api/tables/{table}/proof", proofs.table_proof),
        Route("/api/tables/{table}/receipt", receipts.table_receipt),
        Route("/api/sealed", proofs.all_sealed),
        Route("/api/records", endpoints.read_record, methods=["POST"]),
        Route("/api/analyses", analyses.begin, methods=["POST"]),
        Route("/api/analyses/{key}", analyses.study),
        *_studies_of_rules(),
        Route("/static/words/{language}.json", pages.words),
        Mount("/static", StaticFiles(directory=pages.WEB / "static")),
    ]
