"""The web application: its services, and their start and end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache
from prometheus_client import Histogram
from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bridgehead.core.extras import is_installed
from bridgehead.server.connections.effort import WorkBudget
from bridgehead.server.connections.mail import Mailer
from bridgehead.server.connections.middleware import Guard, Throttle
from bridgehead.server.connections.network import LocalNetwork
from bridgehead.server.connections.push import Pusher
from bridgehead.server.connections.rate_limits import Addresses, Limits
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.connections.websocket import WebSocketTransport
from bridgehead.server.http import analyses, assets, metrics, openapi, pages, referees, reports
from bridgehead.server.http.rendering import WEB
from bridgehead.server.http.routes import share_of
from bridgehead.server.http.serving import serving
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.jobs.worker_pool import FairQueue, WorkerPool
from bridgehead.server.people.host_desk import HostDesk
from bridgehead.server.people.people import People
from bridgehead.server.rooms.book_keeper import BookKeeper
from bridgehead.server.rooms.classroom import Classroom
from bridgehead.server.rooms.correspondence import Correspondence
from bridgehead.server.rooms.reminders import Reminders
from bridgehead.server.rooms.room import Peers
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.storage import audit
from bridgehead.server.storage.event_log import StorageError
from bridgehead.server.storage.group_commit import WrittenLog, durations
from bridgehead.server.storage.retention import Policy
from bridgehead.server.tables.repository import GameCache, Repository
from bridgehead.server.usage import MeasuredThreads

if TYPE_CHECKING:  # needs the extra `cluster`
    from bridgehead.server.cluster.peers import ClusterPeers

log = logging.getLogger("bridgehead")
HOUR = 3600.0  # seconds between two deletions of expired tables
FILM = 60.0  # time limit for the replay of a record, or a film of it, in seconds
BOARD = 30.0  # time limit for building a board, in seconds
STROKE = 10.0  # time limit for a stroke in the board editor or a QR code, in seconds
AT_ONCE = 1  # requests that compute in threads at the same time
LINKS = 256  # packed matches in the cache, one a table
CARDS = 64  # preview pictures in the cache, of about 200 kB each
SWITCH = 0.001  # seconds after which another thread gives the interpreter lock back to the server's loop
COLLECTED = (10_000, 5, 10)  # thresholds of the garbage collector: Python's own, from 700 on, cost a seventh of each move
THROTTLE = Middleware(Throttle, share_of=share_of(openapi.ALL))
PACKING = Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4)
LIMITED = {"films", "boards", *(route.limit for route in openapi.ALL if route.limit)}


def build(
    store: WrittenLog, computers: ComputerPlayers, network: LocalNetwork | None = None, hosts: Iterable[str] = (),
    limits: Limits | None = None, webhooks: Webhooks | None = None, peers: ClusterPeers | None = None, metrics_token: str = "",
    mailer: Mailer | None = None, host_key: str = "",
) -> Starlette:  # fmt: skip
    """Build the application over a store. When the application stops, it closes the store.

    network: how other devices reach the server; hosts: further host names; peers: the other processes over the
    same store. metrics_token: token for `/metrics`; host_key: of the classroom view; "": off. mailer: sends reminders.
    """
    bounds = limits or Limits()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH)
        state = app.state
        state.network, state.metrics_token = network or LocalNetwork(), metrics_token
        workers = _add_services(state, store, bounds)
        hooks, others = webhooks or Webhooks(), peers or Peers()
        state.manager = manager = RoomManager(state.tables, computers, bounds, hooks, others, state.effort)
        _add_people(state, manager, host_key)
        for each in (*computers.hints.list_pools(), *state.analyses.search.list_pools(), *workers):
            each.worked = state.effort.charge_worker
        computers.start()
        if peers:
            peers.start(manager.rooms, manager.updates, manager.rule_errors, manager.computer_turns.thinking)
        _add_correspondence(state, store, hooks, mailer)
        gc.set_threshold(*COLLECTED)
        gc.freeze()  # exempts objects that live as long as the server from garbage collection
        async with _background(state, state.late if metrics_token else None):
            yield
        await state.people.stop()
        await manager.close()
        if peers:
            await peers.stop()
        computers.stop()
        await asyncio.gather(state.referees.stop(), state.analyses.stop(), state.labs.stop())
        for each in workers:
            each.stop()
        store.close()

    routes: list[Any] = [Route(each.path, serving(each), methods=[each.method]) for each in openapi.ALL]
    routes.append(Mount("/static", assets.StaticAssets(directory=WEB / "static")))
    middleware = [Middleware(Guard, hosts=tuple(hosts)), Middleware(SocketRoute), THROTTLE, PACKING]
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers=pages.ERRORS, middleware=middleware)


def _add_services(state: State, store: WrittenLog, bounds: Limits) -> list[WorkerPool]:
    """Add the services of HTTP requests. Returns their worker pools."""
    asyncio.get_running_loop().set_default_executor(MeasuredThreads())
    state.limits, state.effort, folder = bounds, WorkBudget(bounds), store.file.parent if store.file else None
    state.asked = {name: Addresses(getattr(bounds, name)) for name in LIMITED}  # the rate limits
    state.films, state.strokes, boards, state.pictures = workers = [WorkerPool(1, each) for each in (FILM, STROKE, BOARD, FILM)]
    # Opening a table needs threads of the same executor, so requests that no move waits for must not occupy all of them.
    state.chores, state.links, state.cards = FairQueue(AT_ONCE), LRUCache(LINKS), LRUCache(CARDS)
    state.games = GameCache(boards)
    state.tables = Repository(store, state.games)
    state.analyses = analyses.Analyses(folder and folder / "analyses", state.effort.debt)
    state.referees = referees.Referees(state.analyses.search)
    state.labs = reports.Labs(folder and folder / "lab")
    state.assets = assets.Assets(WEB / "static", bool(os.environ.get(assets.UNBUILT)))
    state.assets.pack_in_background()
    state.late = durations("loop_late_seconds", "How late the event loop was")
    return workers


def _add_people(state: State, manager: RoomManager, host_key: str) -> None:
    """Add the services of profiles, of the classroom view and of the book."""
    state.people, state.classroom = People(manager, state.analyses.search), Classroom(manager, host_key)
    state.desk = HostDesk(manager.repository, manager.repository.store.file)
    state.book = BookKeeper(manager.repository.store, state.films)
    state.people.results.ended.append(state.book.note)


def _add_correspondence(state: State, store: WrittenLog, hooks: Webhooks, mailer: Mailer | None) -> None:
    """Add the services of games by days."""
    contact = f"mailto:{mailer.sender if mailer else 'host@localhost'}"
    pusher = Pusher(store.key, contact, hooks) if is_installed("push") else None
    state.reminders = Reminders(store, state.manager.tasks, state.network, mailer, pusher)
    state.correspondence = Correspondence(state.manager, state.reminders)


@contextlib.asynccontextmanager
async def _background(state: State, late: Histogram | None) -> AsyncIterator[None]:
    """Run background tasks: the audit of the file when the server starts, retention, and the measurement of the loop's delay."""
    file = state.tables.store.file
    work: list[Coroutine[Any, Any, object]] = [_expire(state, Policy(state.limits.unplayed))]
    work += [state.correspondence.run(), state.desk.run()]
    work += [state.people.profiles.begin(), state.people.tournaments.begin()]
    work += [audit.audit_at_start(file)] if file else []
    work += [metrics.beat(late)] if late else []
    tasks = [asyncio.create_task(each) for each in work]
    yield
    state.desk.stop()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _expire(state: State, policy: Policy) -> None:
    """Delete expired tables, tournaments and playtests every hour, until this task is cancelled."""
    while True:
        await asyncio.sleep(HOUR)
        try:
            await state.tables.expire(policy, time.time())
            await state.people.archive.expire(time.time())
            await state.people.playtests.expire(time.time())
        except StorageError:
            log.exception("expired tables, tournaments or playtests could not be deleted")


class SocketRoute:
    """ASGI middleware that passes a WebSocket straight to the room manager. Every layer in between would cost its memory."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            manager: RoomManager = scope["app"].state.manager
            return manager.serve(WebSocketTransport(scope, receive, send))
        return self.app(scope, receive, send)
