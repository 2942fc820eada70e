"""How the server is: `/healthz` (it answers), `/readyz` (it can store), and figures for Prometheus, if somebody may ask."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Iterator
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bridgehead.server.storage.event_log import EventLog
from bridgehead.server.storage.meter import Histogram

BEAT = 0.25  # seconds between two looks at how late the loop is
PATIENCE = 2.0  # seconds that `/readyz` waits for the disk


async def beat(late: Histogram) -> None:
    """Look again and again how late the loop is."""
    while True:
        begun = time.monotonic()
        await asyncio.sleep(BEAT)
        late.add(max(0.0, time.monotonic() - begun - BEAT))


async def healthz(request: Request) -> Response:
    """It answers."""
    return PlainTextResponse("ok")


async def readyz(request: Request) -> Response:
    """Can it store what is played? After a failure this tries it again, so that it says so as soon as it can."""
    store: EventLog = request.app.state.tables.store
    try:
        reason = await asyncio.wait_for(store.trouble(), PATIENCE)
    except TimeoutError:
        reason = "the disk takes too long"
    return PlainTextResponse("ready" if not reason else "the log cannot be written", 200 if not reason else 503)


async def metrics(request: Request) -> Response:
    """Figures for Prometheus, to whoever has the token; to everybody else there is nothing here."""
    told = request.headers.get("authorization", "").encode()
    token: str = request.app.state.metrics_token
    if not token or not hmac.compare_digest(told, f"Bearer {token}".encode()):
        raise HTTPException(404)
    return Response(await asyncio.to_thread(_exposition, request.app.state), media_type="text/plain; version=0.0.4")


def _exposition(state: Any) -> bytes:
    from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest

    registry = CollectorRegistry()
    for collector in (ProcessCollector, GCCollector):
        collector(registry=registry)
    registry.register(Figures(state))
    found: bytes = generate_latest(registry)
    return found


class Figures:
    """A collector of prometheus_client over the application's state."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        manager, store = self.state.manager, self.state.tables.store
        for name, text, number in (
            ("sockets", "Open sockets", manager.open_connections),
            ("rooms", "Tables with somebody at them", len(manager.rooms)),
            ("tables", "Tables in memory", len(self.state.tables)),
            ("writes_waiting", "Changes that wait for the disk", store.waiting),
            ("storage_failing", "1 while the log cannot be written", int(bool(store.failing))),
        ):
            yield GaugeMetricFamily(f"bridgehead_{name}", text, number)
        yield CounterMetricFamily("bridgehead_writes", "Changes stored", store.meter.jobs)
        yield CounterMetricFamily("bridgehead_commit_failures", "Commits that failed", store.meter.failures)
        told = CounterMetricFamily("bridgehead_answers", "Messages told, but views", labels=("kind", "code"))
        for (kind, code), number in sorted(manager.counts.items()):
            told.add_metric((kind, code), number)
        yield told
        for name, text, times in (
            ("commit_seconds", "How long commits took", store.meter.commits),
            ("loop_late_seconds", "How late the server's loop was", self.state.late),
        ):
            yield HistogramMetricFamily(f"bridgehead_{name}", text, times.cumulative(), times.sum)
