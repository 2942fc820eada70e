"""The web application: its services, and their start and end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
from collections.abc import AsyncIterator, Awaitable, Iterable
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from bridgehead.server.connections.middleware import Guard, Throttle
from bridgehead.server.connections.rate_limits import Addresses, Limits
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.connections.websocket import WebSocketTransport
from bridgehead.server.http import analyses, metrics, openapi, pages, reports
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.rooms.room import Peers
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.storage import audit
from bridgehead.server.storage.event_log import EventLog, durations
from bridgehead.server.tables.repository import GameCache, Repository

if TYPE_CHECKING:  # needs the extra `cluster`
    from bridgehead.server.cluster.peers import ClusterPeers

FILM = 60.0  # time limit for the replay of a record, in seconds
BOARD = 30.0  # time limit for building a board, in seconds
STROKE = 10.0  # time limit for a stroke in the board editor, in seconds
SWITCH = 0.001  # seconds after which another thread gives the interpreter lock back to the server's loop
LIMITED = {"films", "boards", *(route.limit for route in openapi.ALL if route.limit)}


def build(
    store: EventLog, computers: ComputerPlayers, base: str = "", hosts: Iterable[str] = (), limits: Limits | None = None,
    webhooks: Webhooks | None = None, peers: ClusterPeers | None = None, metrics_token: str = "",
) -> Starlette:  # fmt: skip
    """Build the application over a store. When the application stops, it closes the store.

    base: the server's address in the network, "" if unknown; hosts: further host names; peers: the other processes over the
    same store. metrics_token: token for `/metrics`; "" turns the metrics off.
    """
    bounds = limits or Limits()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH)
        state = app.state
        state.base, state.metrics_token = base, metrics_token
        workers = _add_services(state, store, bounds)
        state.manager = manager = RoomManager(state.tables, computers, bounds, webhooks or Webhooks(), peers or Peers())
        computers.start()
        if peers:
            peers.start(manager.rooms, manager.updates, manager.rule_errors)
        gc.freeze()  # exempts objects that live as long as the server from garbage collection
        work = [*([audit.at_start(store.file)] if store.file else []), *([metrics.beat(state.late)] if metrics_token else [])]
        background = [asyncio.create_task(each) for each in work]
        yield
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await manager.close()
        if peers:
            await peers.stop()
        computers.stop()
        await asyncio.gather(state.analyses.stop(), state.labs.stop())
        for each in workers:
            each.stop()
        store.close()

    routes: list[Any] = [Route(each.path, each.respond, methods=[each.method]) for each in openapi.ALL]
    routes.append(Mount("/static", StaticFiles(directory=pages.WEB / "static")))
    packing = Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4)
    middleware = [Middleware(Guard, hosts=tuple(hosts)), Middleware(SocketRoute), Middleware(Throttle), packing]
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers=pages.ERRORS, middleware=middleware)


def _add_services(state: State, store: EventLog, bounds: Limits) -> list[WorkerPool]:
    """Add the services of HTTP requests. Returns their worker pools."""
    state.limits, folder = bounds, store.file.parent if store.file else None
    state.asked = {name: Addresses(getattr(bounds, name)) for name in LIMITED}  # the rate limits
    state.films, state.strokes, boards = workers = [WorkerPool(1, each) for each in (FILM, STROKE, BOARD)]
    state.games = GameCache(boards)
    state.tables = Repository(store, state.games)
    state.analyses = analyses.Analyses(folder and folder / "analyses")
    state.labs = reports.Labs(folder and folder / "lab")
    state.late = durations("loop_late_seconds", "How late the event loop was")
    return workers


class SocketRoute:
    """ASGI middleware that passes a WebSocket straight to the room manager. Every layer in between would cost its memory."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            manager: RoomManager = scope["app"].state.manager
            return manager.serve(WebSocketTransport(scope, receive, send))
        return self.app(scope, receive, send)
