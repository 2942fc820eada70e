"""The web application: its routes, its services, and their start and end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from cachetools import LRUCache
from prometheus_client import Histogram
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.connections.middleware import Guard, Throttle
from bridgehead.server.connections.rate_limits import Addresses, Effort, Limits
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.connections.websocket_transport import WebSocketTransport
from bridgehead.server.http import analyses, board_editor, endpoints, metrics, pages, proofs, receipts, reports, tutorials
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.jobs.worker_pool import Chores, WorkerPool
from bridgehead.server.rooms.peers import Peers
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.storage import audit
from bridgehead.server.storage.event_log import EventLog, StorageError
from bridgehead.server.storage.meter import durations
from bridgehead.server.storage.retention import Policy
from bridgehead.server.tables.game_cache import GameCache
from bridgehead.server.tables.repository import Repository

if TYPE_CHECKING:  # needs the extra `cluster`
    from bridgehead.server.cluster.peers import ClusterPeers

log = logging.getLogger("bridgehead")
HOUR = 3600.0  # seconds between two deletions of expired tables
FILM = 60.0  # time limit for the replay of a record, in seconds
BOARD = 30.0  # time limit for building a board, in seconds
STROKE = 10.0  # time limit for a stroke in the board editor or a QR code, in seconds
AT_ONCE = 1  # requests that compute in threads at the same time
LINKS = 256  # packed matches in the cache, one a table
SWITCH = 0.001  # seconds after which another thread gives the interpreter lock back to the server's loop
# Handlers of errors.
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
    computers: ComputerPlayers,
    base: str = "",
    hosts: Iterable[str] = (),
    limits: Limits | None = None,
    webhooks: Webhooks | None = None,
    peers: ClusterPeers | None = None,
    metrics_token: str = "",
) -> Starlette:
    """Build the application over a store. When the application stops, it closes the store.

    base: the server's address in the network, "" if unknown; hosts: further host names; peers: the other processes over the
    same store. metrics_token: token for `/metrics`; "" turns the metrics off.
    """
    bounds = limits or Limits()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH)
        state = app.state
        workers = _add_limits(app, bounds)
        state.base, state.metrics_token = base, metrics_token
        state.late = durations("loop_late_seconds", "How late the event loop was")
        state.tables = Repository(store, state.games, stored=state.effort.disk.wait)
        state.studies = analyses.Studies(store.file.parent / "analyses" if store.file else None, state.effort.debt)
        state.labs = reports.Labs(store.file.parent / "lab" if store.file else None)
        manager = RoomManager(state.tables, computers, bounds, webhooks or Webhooks(), peers or Peers(), state.effort)
        for each in (computers.hints, state.studies.workers, *workers):
            each.worked = state.effort.worked
        _add_rooms(app, manager)
        computers.start()
        if peers:
            peers.start(manager.rooms, manager.updates, manager.rule_errors)
        gc.freeze()  # exempts objects that live as long as the server from garbage collection
        async with _background(state, state.late if metrics_token else None):
            yield
        await manager.close()
        if peers:
            await peers.stop()
        computers.stop()
        await asyncio.gather(state.studies.stop(), state.labs.stop())
        for each in workers:
            each.stop()
        store.close()

    return Starlette(routes=_routes(), lifespan=lifespan, exception_handlers=HANDLERS, middleware=_middleware(hosts))


def _middleware(hosts: Iterable[str]) -> list[Middleware]:
    return [
        Middleware(Guard, hosts=tuple(hosts)),
        Middleware(SocketRoute),
        Middleware(Throttle),
        Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4),
    ]


class SocketRoute:
    """ASGI middleware that passes a WebSocket straight to the room manager. Every layer in between would cost its memory."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            manager: RoomManager = scope["app"].state.manager
            return manager.serve(WebSocketTransport(scope, receive, send))
        return self.app(scope, receive, send)


def _add_rooms(app: Starlette, manager: RoomManager) -> None:
    """Add the room manager, and those of its services that HTTP requests use too."""
    state = app.state
    state.manager, state.rooms, state.lobby = manager, manager.rooms, manager.lobby
    state.misses = manager.misses


def _add_limits(app: Starlette, bounds: Limits) -> list[WorkerPool]:
    """Add the rate limits of requests, and worker pools for long computations. Returns the pools."""
    state = app.state
    state.limits = bounds
    state.effort = Effort(bounds)
    state.films, state.strokes, boards = WorkerPool(1, FILM), WorkerPool(1, STROKE), WorkerPool(1, BOARD)
    state.chores, state.links = Chores(AT_ONCE), LRUCache(LINKS)
    state.games = GameCache(boards)
    state.made, state.films_asked = Addresses(bounds.tables), Addresses(bounds.films)
    state.boards_asked, state.edits_asked = Addresses(bounds.boards), Addresses(bounds.edits)
    state.mine_asked, state.studies_asked = Addresses(bounds.films), Addresses(bounds.studies)
    state.labs_asked = Addresses(bounds.labs)
    return [state.films, state.strokes, boards]


@contextlib.asynccontextmanager
async def _background(state: Any, late: Histogram | None) -> AsyncIterator[None]:
    """Run background tasks: the audit of the file when the server starts, retention, and the measurement of the loop's delay."""
    file = state.tables.store.file
    work: list[Coroutine[Any, Any, object]] = [_expire(state.tables, Policy(state.limits.unplayed))]
    work += [audit.at_start(file)] if file else []
    work += [metrics.beat(late)] if late else []
    tasks = [asyncio.create_task(each) for each in work]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _expire(tables: Repository, policy: Policy) -> None:
    """Delete expired tables every hour, until this task is cancelled."""
    while True:
        await asyncio.sleep(HOUR)
        try:
            await tables.expire(policy, time.time())
        except StorageError:
            log.exception("expired tables could not be deleted")


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
        Route("/api/tables/{table}/times", endpoints.table_times, methods=["POST"]),
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
