"""Health and metrics: `/healthz` (the server runs), `/readyz` (it can store), and `/metrics` for Prometheus, with a token."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Iterator
from typing import Any

from prometheus_client import CollectorRegistry, GCCollector, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bridgehead.server.http.routes import route
from bridgehead.server.storage.group_commit import WrittenLog

BEAT = 0.25  # seconds between two measurements of how late the loop is
PATIENCE = 2.0  # seconds for which `/readyz` waits for the disk


async def beat(late: Histogram) -> None:
    """Measure the delay of the event loop until this task is cancelled."""
    while True:
        begun = time.monotonic()
        await asyncio.sleep(BEAT)
        late.observe(max(0.0, time.monotonic() - begun - BEAT))


@route("GET /healthz")
async def healthz(request: Request) -> Response:
    """Answer "ok" while the server runs."""
    return PlainTextResponse("ok")


@route("GET /readyz")
async def readyz(request: Request) -> Response:
    """Can it store moves? After a failure this request tries to write again."""
    store: WrittenLog = request.app.state.tables.store
    try:
        reason = await asyncio.wait_for(store.trouble(), PATIENCE)
    except TimeoutError:
        reason = "the disk takes too long"
    return PlainTextResponse("ready" if not reason else "the log cannot be written", 200 if not reason else 503)


@route("GET /metrics")
async def metrics(request: Request) -> Response:
    """Metrics for Prometheus, with the token; without it the answer is 404."""
    given = request.headers.get("authorization", "").encode()
    token: str = request.app.state.metrics_token
    if not token or not hmac.compare_digest(given, f"Bearer {token}".encode()):
        raise HTTPException(404)
    return Response(await asyncio.to_thread(_exposition, request.app.state), media_type="text/plain; version=0.0.4")


def _exposition(state: Any) -> bytes:
    registry = CollectorRegistry()
    for collector in (ProcessCollector, GCCollector):
        collector(registry=registry)
    registry.register(Figures(state))
    found: bytes = generate_latest(registry)
    return found


class Figures:
    """Collector of prometheus_client: reads the figures from the application's state."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def collect(self) -> Iterator[Any]:
        manager, store = self.state.manager, self.state.tables.store
        for name, text, number in (
            ("sockets", "Open sockets", manager.open_connections),
            ("rooms", "Tables with at least one connection", len(manager.rooms)),
            ("tables", "Tables in memory", len(self.state.tables)),
            ("writes_waiting", "Changes waiting for the disk", store.waiting),
            ("storage_failing", "1 while the log cannot be written", int(bool(store.failing))),
        ):
            yield GaugeMetricFamily(f"bridgehead_{name}", text, number)
        answers = CounterMetricFamily("bridgehead_answers", "Messages sent, except views", labels=("kind", "code"))
        for (kind, code), number in sorted(manager.counts.items()):
            answers.add_metric((kind, code), number)
        yield answers
        for metric in (store.meter.writes, store.meter.failures, store.meter.commits, self.state.late):
            yield from metric.collect()
